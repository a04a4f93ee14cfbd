#include "core/wire/jobs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <tuple>

namespace {

namespace jobs_of_the_window {

using namespace ks;
using wire::Message;

Message sent(const Message& message) {
    wire::Decoder decoder;
    decoder.feed(wire::encode(message));
    return decoder.next().value_or(Message{});
}

Request request() {
    Request made;
    made.analysis = "xpcs";
    made.variant = "gram.tiled";
    made.inputs["partition"] = {"drawn", Array::of<std::int32_t>({3}, std::vector<std::int32_t>{7, 8, 9})};
    made.parameters["first_frame"] = std::int64_t{5};
    return made;
}

/// A job of each kind in which each member differs from its default.
template <class Job>
Job example() {
    return {};
}
template <>
wire::RunJob example() {
    return {request()};
}
template <>
wire::CheckJob example() {
    Run run;
    run.request = request();
    run.wall_nanoseconds = 12;
    return {{std::make_shared<const Run>(run)}, CheckMode::full};
}
template <>
wire::CeilingsJob example() {
    return {"host"};
}
template <>
wire::BenchJob example() {
    BenchPlan plan;
    plan.analysis = "spots";
    plan.sizes["height"] = {std::int64_t{64}, std::int64_t{128}};
    plan.kernel_limit = 2.5;
    plan.request = request();
    return {plan};
}
template <>
wire::TuneJob example() {
    TuneReport before;
    before.rows.resize(2);
    before.rows[1].tried = {4, 5};
    TunePlan plan;
    plan.variant = "sliding";
    plan.method = TuneMethod::full;
    return {plan, wire::Shared<TuneReport>{std::make_shared<const TuneReport>(before)}};
}
template <>
wire::WarmJob example() {
    return {request()};
}
template <>
wire::AssemblyJob example() {
    return {{"0", "a.cl", "kernel void a() {}", "-DX=1"}};
}

template <class Tuple>
struct TypesOf;
template <class... Jobs>
struct TypesOf<std::tuple<Jobs...>> {
    using Types = testing::Types<Jobs...>;
    static std::multiset<std::string> names() { return {Jobs::name...}; }
};

template <class Job>
class EveryJob : public testing::Test {};
TYPED_TEST_SUITE(EveryJob, TypesOf<wire::WindowJobs>::Types);

TYPED_TEST(EveryJob, ComesOverTheWireUnchanged) {
    const Message message = wire::message_of(example<TypeParam>(), 41);
    EXPECT_EQ(message.header.at("type"), TypeParam::name);
    const Message got = sent(message);
    EXPECT_EQ(got.header.at("job"), 41);
    const Message again = wire::message_of(wire::job_from<TypeParam>(got), 41);
    EXPECT_EQ(again.header, message.header);
    EXPECT_EQ(again.blobs, message.blobs);
}

TYPED_TEST(EveryJob, AnswersAndPartsComeOverTheWireUnchanged) {
    const Message answer = wire::message_with("answer", typename TypeParam::Answer{}, 3);
    EXPECT_EQ(answer.header.at("type"), "answer");
    EXPECT_EQ(wire::message_with("answer", wire::answer_from<TypeParam>(sent(answer)), 3).header,
              answer.header);
    const Message part = wire::message_with("part", typename TypeParam::Part{}, 3);
    EXPECT_EQ(wire::message_with("part", wire::part_from<TypeParam>(sent(part)), 3).header, part.header);
}

TYPED_TEST(EveryJob, ABrokenMessageIsRefusedInOneSentence) {
    const auto refused = [](const auto& read) {
        try {
            read();
            ADD_FAILURE() << "it was taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::run);
            EXPECT_NE(error.message().find("cannot be read: "), std::string::npos) << error.message();
        }
    };
    const Message empty = sent(wire::headed(TypeParam::name, 1));
    refused([&] { wire::answer_from<TypeParam>(empty); });
    refused([&] { wire::part_from<TypeParam>(empty); });
    refused([&] { wire::job_from<TypeParam>(empty); });
    Message broken = wire::message_of(example<TypeParam>(), 1);
    for (auto& [key, value] : broken.header.at("given").items()) value = nlohmann::json::array({true});
    if (!broken.header.at("given").empty()) refused([&] { wire::job_from<TypeParam>(sent(broken)); });
}

TEST(Jobs, KindsHaveDifferentNamesNoneOfWhichIsThatOfAnotherMessage) {
    const std::multiset<std::string> names = TypesOf<wire::WindowJobs>::names();
    EXPECT_EQ(names.size(), std::tuple_size_v<wire::WindowJobs>);
    for (const std::string& name : names) EXPECT_EQ(names.count(name), 1U) << name;
    for (const char* other : {"answer", "part", "error", "progress", "cancel", "quit"})
        EXPECT_EQ(names.count(other), 0U) << other;
}

struct SortJob {
    std::string type;
    int job = 0;
    using Part = wire::Nothing;
    using Answer = wire::Nothing;
    static constexpr const char* name = "sort";
};
void fields(auto& visit, ConstOr<SortJob> auto& sort) {
    visit("type", sort.type);
    visit("job", sort.job);
}

TEST(Jobs, FieldsHaveAnyNamesAndLeaveTheHeaderOfTheMessageAlone) {
    const Message message = sent(wire::message_of(SortJob{"f32", 5}, 41));
    EXPECT_EQ(message.type(), "sort");
    EXPECT_EQ(message.header.at("job"), 41);
    EXPECT_EQ(wire::job_from<SortJob>(message).type, "f32");
    EXPECT_EQ(wire::job_from<SortJob>(message).job, 5);
}

TEST(Jobs, ValuesOfInputsAndResultsArriveWithTheJob) {
    const auto run = wire::job_from<wire::RunJob>(sent(wire::message_of(example<wire::RunJob>(), 1)));
    EXPECT_EQ(run.request.inputs.at("partition").values->as<std::int32_t>()[2], 9);
    const auto check = wire::job_from<wire::CheckJob>(sent(wire::message_of(example<wire::CheckJob>(), 1)));
    EXPECT_EQ(check.mode, CheckMode::full);
    EXPECT_EQ(check.run.value->wall_nanoseconds, 12U);
    const auto tune = wire::job_from<wire::TuneJob>(sent(wire::message_of(example<wire::TuneJob>(), 1)));
    ASSERT_TRUE(tune.before);
    EXPECT_EQ(tune.before->value->rows.at(1).tried, (std::vector<double>{4, 5}));
    EXPECT_FALSE(wire::job_from<wire::TuneJob>(sent(wire::message_of(wire::TuneJob{}, 1))).before);
}

}  // namespace jobs_of_the_window

}  // namespace
