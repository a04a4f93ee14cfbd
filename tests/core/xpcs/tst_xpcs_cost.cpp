// Which family of correlators is expected to be faster, and where a run says so.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads.h"
#include "core/run/engine.h"
#include "core/xpcs/correlators/cost.h"
#include "tests/core/run_on_host.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_cost {
namespace {

using xpcs::Allowed;
using xpcs::CorrelatorWork;
using xpcs::Family;
using xpcs::GramBy;

CorrelatorWork work(double frames, double pixels, double share) {
    return {.frames = frames,
            .delays = frames,
            .pixels = pixels,
            .all_pixels = pixels,
            .bins = 15,
            .filled = share,
            .together = share * share};
}

/// The name of the faster family; empty without one.
std::string faster(Family family, const CorrelatorWork& of, const Allowed& allowed = {}) {
    const auto found = xpcs::faster_than(family, of, allowed, GramBy::vnni, 2);
    return found ? name_of(found->family) : "";
}

TEST(XpcsCost, sparse_is_proposed_where_few_counts_are_not_0) {
    EXPECT_EQ(faster(Family::gram, work(4000, 50000, 0.003)), "sparse");
    EXPECT_EQ(faster(Family::gram, work(4000, 50000, 0.9), {.fft = false, .multitau = false}), "");
    EXPECT_EQ(faster(Family::sparse, work(1000, 50000, 0.9)), "gram");
    EXPECT_EQ(faster(Family::sparse, work(4000, 50000, 0.003)), "");
}

TEST(XpcsCost, families_without_the_same_values_are_proposed_last_and_only_where_they_are_allowed) {
    EXPECT_EQ(faster(Family::gram, work(16000, 50000, 0.9)), "multitau");
    EXPECT_EQ(faster(Family::gram, work(16000, 50000, 0.9), {.multitau = false}), "fft");
    EXPECT_EQ(faster(Family::gram, work(16000, 50000, 0.9), {.fft = false, .multitau = false}), "");
    EXPECT_EQ(faster(Family::gram, work(16000, 50000, 0.0001)), "sparse");
    EXPECT_EQ(
        faster(Family::gram, work(16000, 50000, 0.0001), {.fft = false, .multitau = false, .sparse = false}),
        "");
    EXPECT_EQ(faster(Family::gram, work(500, 50000, 0.9)), "");
    EXPECT_EQ(faster(Family::fft, work(16000, 50000, 0.0001)), "");
}

TEST(XpcsCost, nothing_is_proposed_for_what_is_quick_anyway) {
    EXPECT_EQ(faster(Family::gram, work(200, 2000, 0.0001)), "");
    EXPECT_EQ(faster(Family::sparse, work(100, 2000, 1)), "");
}

TEST(XpcsCost, a_slower_product_of_gram_makes_the_others_worth_while_sooner) {
    const CorrelatorWork dense = work(1000, 50000, 0.9);
    EXPECT_FALSE(xpcs::faster_than(Family::gram, dense, {}, GramBy::vnni, 1));
    EXPECT_TRUE(xpcs::faster_than(Family::gram, dense, {}, GramBy::vector, 1));
}

TEST(XpcsCost, shares_are_those_of_the_used_frames_and_of_the_pixels_in_bins) {
    // Pixel 0 is in no bin, pixel 1 always has counts, pixel 2 in every second frame, pixel 3 never.
    Case<std::uint16_t> given{20, 1, 4, {}, {0, 1, 1, 1}};
    for (std::uint16_t t = 0; t < 20; ++t)
        for (const int count : {9, 300, t % 2, t < 2 ? 7 : 0})
            given.counts.push_back(static_cast<std::uint16_t>(count));
    given.left_out = {0, 1};
    for (const auto& problem : {given.problem(), given.problem(std::uint64_t{1} << 30)}) {
        CorrelatorWork found = xpcs::work_of(*problem);
        EXPECT_EQ(found.pixels, 3);
        EXPECT_EQ(found.all_pixels, 4);
        EXPECT_EQ(found.bins, 1);
        EXPECT_EQ(found.frames, 20);
        xpcs::add_shares(*problem, found);
        EXPECT_DOUBLE_EQ(found.filled, (18 + 9) / (3 * 18.0));
        EXPECT_DOUBLE_EQ(found.together, (18 * 17 + 9 * 8) / (3 * 18.0 * 17));
    }
}

/// @param share of the counts that are 1, the others are 0
std::shared_ptr<xpcs::CorrelationProblem> problem_of(double share) {
    constexpr std::size_t frames = 4000, side = 24;
    std::mt19937 random(5);
    Case<std::uint8_t> given{frames, side, side, {}, std::vector<std::int32_t>(side * side, 1)};
    given.counts.resize(frames * side * side);
    for (std::uint8_t& count : given.counts)
        count = static_cast<double>(random()) < share * 4294967296.0 ? 1 : 0;
    return given.problem(std::uint64_t{1} << 30);
}

ks::Run run_of(const std::shared_ptr<const Problem>& problem, const std::string& correlator,
               ParameterSet more = {}) {
    Request request;
    request.analysis = "xpcs";
    request.device = "host";
    request.parameters = std::move(more);
    request.parameters["correlator"] = correlator;
    Progress progress;
    return host_engine().run(request, problem, progress);
}

std::string fact_of(const ks::Run& run) {
    return run.result.facts.value("faster", std::string());
}

/// The expected times do not depend on the processors of the machine.
class OneThread {
  public:
    OneThread() { limit_threads(1); }
    ~OneThread() { limit_threads(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    std::optional<unsigned> before_ = thread_limit();
};

TEST(XpcsCost, a_run_says_what_would_be_faster_in_its_summary_and_in_its_file) {
    const OneThread limit;
    const auto few = problem_of(0.002);
    const ks::Run run = run_of(few, "any");
    EXPECT_EQ(run.variant.id, "host.gram");  // the default is not replaced
    EXPECT_EQ(run.result.facts.at("product"), "ssyrk");
    const std::string fact = fact_of(run);
    EXPECT_EQ(fact.find("the correlator sparse is expected to take "), 0U) << fact;
    EXPECT_NE(fact.find("of the time of host.gram (0.2 % of the counts are not 0)"), std::string::npos)
        << fact;
    EXPECT_NE(xpcs::summary_of(run).find(fact + "\n"), std::string::npos) << xpcs::summary_of(run);
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "xpcs_cost_says_what_would_be_faster.h5";
    Progress progress;
    xpcs::write_nxxpcs(run, file, true, progress);
    EXPECT_EQ(fact_of(xpcs::read_nxxpcs(file)), fact);
    std::filesystem::remove(file);

    EXPECT_EQ(fact_of(run_of(few, "sparse")), "");
    EXPECT_EQ(fact_of(run_of(few, "fft")), "");
}

TEST(XpcsCost, dense_counts_and_other_variants_are_left_alone) {
    const OneThread limit;
    const auto dense = problem_of(0.9), few = problem_of(0.002);
    ks::Run run;
    const auto fact = [&run](const xpcs::CorrelationProblem& problem, const char* product) {
        run.result.facts =
            product == nullptr ? nlohmann::json::object() : nlohmann::json{{"product", product}};
        xpcs::add_faster_family(problem, run);
        return fact_of(run);
    };
    run.variant.id = "host.gram";
    run.device.type = "host";
    EXPECT_EQ(fact(*dense, "ssyrk").find("the correlator sparse"), std::string::npos);
    for (const char* product : {"ssyrk", "dsyrk"}) EXPECT_NE(fact(*few, product), "");
    EXPECT_EQ(fact(*few->part(0, 1, 0, 2000), "ssyrk"), "");
    EXPECT_EQ(fact(*few, nullptr), "") << "a definition, or sums that were kept";
    // It counts how a run multiplied, not what its variant is called.
    run.variant.id = "user.mine";
    run.device.type = "CPU";
    for (const char* product : {"vector", "lanes"}) EXPECT_NE(fact(*few, product), "");
    run.devices.resize(2);
    EXPECT_EQ(fact(*few, "vector"), "");
    run.devices.clear();
    run.device.type = "GPU";
    EXPECT_EQ(fact(*few, "vector"), "");
}

}  // namespace
}  // namespace ks::tests::xpcs_cost
