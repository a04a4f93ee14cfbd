// Copies, as a check that indices of items, groups and tiles are right: every shape comes back whole and
// nothing behind it is touched, also where no length is a multiple of the group.

#include <algorithm>

#include "core/basics/copy/copy.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::copying {
namespace {

ParameterSet shaped(std::int64_t depth, std::int64_t height, std::int64_t width, std::int64_t dimensions) {
    return {{"depth", depth}, {"height", height}, {"width", width}, {"dimensions", dimensions}};
}

const char* const published = "as_published.3d";

/// Runs every variant twice on an array, and expects it to come back.
void expect_copied(const DeviceInfo& device, const ParameterSet& set) {
    const auto problem = problem_with("copy", set);
    const auto& values = dynamic_cast<const basics::CopyProblem&>(*problem).values;
    for (const Offer& offer : engine().offers("copy", device)) {
        if (offer.variant.on_host() || offer.variant.by_name_only || !offer.why_not.empty()) continue;
        for (int i = 0; i < 2; ++i) {
            const ks::Run run = run_with("copy", offer.variant.id, device, set);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                << offer.variant.id << ", " << values.size() << " values: " << run.verdict.text;
            EXPECT_TRUE(std::ranges::equal(run.result.at("c").values.as<std::uint16_t>(), values));
            EXPECT_EQ(run.result.facts.at("written_behind_the_end"), 0);
        }
    }
}

TEST(Copy, small_arrays_of_one_to_three_dimensions_come_back) {
    on_each_device([](const DeviceInfo& device) {
        for (const std::int64_t width : {1, 2, 3, 15, 16, 17, 33, 63, 64, 65, 1000})
            expect_copied(device, shaped(1, 1, width, 1));
        for (const std::int64_t width : {1, 15, 16, 17, 33})
            for (const std::int64_t height : {1, 11, 12, 13}) {
                expect_copied(device, shaped(1, height, width, 2));
                expect_copied(device, shaped(3, height, width, 3));
            }
        expect_copied(device, shaped(3, 13, 17, 1));
        expect_copied(device, shaped(3, 13, 17, 2));
    });
}

TEST(Copy, the_stack_of_modules_of_the_article_comes_back) {
    on_each_device([](const DeviceInfo& device) {
        for (const std::int64_t dimensions : {1, 2, 3})
            expect_copied(device, shaped(32, 512, 1028, dimensions));
    });
}

TEST(Copy, of_several_launches_comes_back) {
    // more than 2^26 work-items of tile.copy and plain.copy, in one dimension and in three
    on_each_device([](const DeviceInfo& device) {
        for (const char* variant : {"tile.copy", "plain.copy"}) {
            const ks::Run row = run_with("copy", variant, device, shaped(1, 1, (1 << 26) + 77, 1));
            EXPECT_EQ(row.verdict.state, Verdict::State::pass) << variant << row.verdict.text;
            const ks::Run tall = run_with("copy", variant, device, shaped(2, 4'000'037, 9, 3));
            EXPECT_EQ(tall.verdict.state, Verdict::State::pass) << variant << tall.verdict.text;
        }
    });
}

TEST(Copy, over_the_memory_limit_names_the_shape_that_fits) {
    on_each_device([](const DeviceInfo& device) {
        struct Case {
            ParameterSet set;
            const char* hint;
        };
        // 8192 bytes lie behind the copy, so 20000 bytes are left for two arrays
        const Case cases[] = {
            {shaped(64, 10, 10, 3), "choose a depth of at most 50"},
            {shaped(1, 9000, 1, 2), "choose a depth of 1 and a height of at most 5000"},
            {shaped(1, 1, 6000, 1), "choose a depth and a height of 1 and a width of at most 5000"}};
        for (const auto& [set, hint] : cases)
            for (const char* variant : {"plain.copy", "tile.copy", "wide.copy", "driver.copy"}) {
                Request request = request_of("copy", variant, device);
                request.memory_limit = 28192;
                Progress progress;
                try {
                    engine().run(request, problem_with("copy", set), progress);
                    ADD_FAILURE() << variant << " ran";
                } catch (const Error& error) {
                    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                    EXPECT_EQ(error.hint(), hint) << variant;
                }
            }
        Request request = request_of("copy", "plain.copy", device);
        request.memory_limit = 28192;
        Progress progress;
        EXPECT_LE(
            engine().run(request, problem_with("copy", shaped(50, 10, 10, 3)), progress).device_bytes_peak,
            28192U);
    });
}

TEST(Copy, as_published_reads_behind_the_end_and_the_check_tells) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("copy", published, device, shaped(2, 14, 20, 3));
        EXPECT_EQ(run.verdict.state, Verdict::State::fail);
        EXPECT_EQ(run.verdict.text, "fail: 21 values past the end of the array were read")
            << "a row of 20 and the value behind it";
        EXPECT_EQ(run.result.facts.at("loading_items_of_a_group"), 180);
        EXPECT_EQ(run.result.facts.at("written_behind_the_end"), 0);
        EXPECT_TRUE(std::ranges::equal(
            run.result.at("c").values.as<std::uint16_t>(),
            dynamic_cast<const basics::CopyProblem&>(*problem_with("copy", shaped(2, 14, 20, 3))).values))
            << "what is read there is never written";
        const ks::Run rows = run_with("copy", published, device, shaped(2, 12, 20, 3));
        EXPECT_EQ(rows.verdict.text, "fail: 1 value past the end of the array was read");
        const ks::Run whole = run_with("copy", published, device, shaped(2, 12, 32, 3));
        EXPECT_EQ(whole.verdict.state, Verdict::State::pass) << "no group reaches over the edge";
        EXPECT_NE(refusal_of("copy", published, device, shaped(2, 12, 32, 2)).find("dimensions"),
                  std::string::npos);
    });
}

TEST(Copy, a_wrong_value_or_one_behind_the_end_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        const ParameterSet set = shaped(2, 3, 5, 3);
        const auto problem = problem_with("copy", set);
        const Analysis& analysis = engine().registry().analysis("copy");
        ks::Run run = run_with("copy", "plain.copy", device, set);
        Progress progress;
        run.result.facts["written_behind_the_end"] = 1;
        EXPECT_EQ(analysis.check(*problem, run, CheckMode::full, progress).text,
                  "fail: 1 value past the end of the array was written");
        run.result.datasets.at(0).values.as<std::uint16_t>()[29] ^= 1;
        EXPECT_EQ(analysis.check(*problem, run, CheckMode::full, progress).text,
                  "fail: 1 of 30 values differs from the reference, first at element 29");
    });
}

}  // namespace
}  // namespace ks::tests::copying
