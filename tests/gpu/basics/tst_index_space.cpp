// The ids of work-items in one, two and three dimensions, in groups of the user and of the driver.

#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::index_space {
namespace {

/// Sizes along x, y, z; as many as there are dimensions.
ParameterSet range(const std::vector<std::int64_t>& global, const std::vector<std::int64_t>& local) {
    ParameterSet set = {{"dimensions", static_cast<std::int64_t>(global.size())}};
    const char* const letters[] = {"x", "y", "z"};
    for (std::size_t d = 0; d < global.size(); ++d) {
        set[std::string("global_") + letters[d]] = global[d];
        if (d < local.size()) set[std::string("local_") + letters[d]] = local[d];
    }
    return set;
}

TEST(IndexSpace, ids_are_those_of_the_standard_at_any_size) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& set : {range({1}, {}), range({1000}, {}), range({65}, {13}), range({64}, {64}),
                                range({3, 7}, {}), range({6, 10}, {3, 5}), range({33, 2}, {1, 2}),
                                range({3, 5, 7}, {}), range({4, 6, 10}, {2, 3, 5})}) {
            const ks::Run run = run_with("index_space", "write.ids", device, set);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            const auto holds = run.result.at("holds").values.as<std::uint32_t>();
            EXPECT_EQ(std::ranges::count(holds, 1U), static_cast<std::ptrdiff_t>(holds.size()));
        }
    });
}

TEST(IndexSpace, the_lecture_has_32_x_32_items_on_four_units_in_one_round) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("index_space", "write.ids", device, range({32, 32}, {16, 16}));
        EXPECT_EQ(run.result.facts.at("groups"), 4);
        EXPECT_EQ(run.result.facts.at("items_of_a_group"), 256);
        EXPECT_EQ(run.result.facts.at("rounds"), 1);
        const auto numbers = run.result.at("group_number").values.as<std::uint32_t>();
        EXPECT_EQ(numbers[0], 0U);
        EXPECT_EQ(numbers[16], 1U);
        EXPECT_EQ(numbers[16 * 32], 2U);
        EXPECT_EQ(numbers[32 * 32 - 1], 3U);
        auto more = range({48, 32}, {16, 16});
        EXPECT_EQ(run_with("index_space", "write.ids", device, more).result.facts.at("rounds"), 2)
            << "six groups on four units";
    });
}

TEST(IndexSpace, an_item_under_the_cursor_tells_its_identity) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("index_space", "write.ids", device, range({6, 10}, {3, 5}));
        const Analysis& analysis = engine().registry().analysis("index_space");
        const Dataset& image = run.result.at("group_number");
        EXPECT_EQ(analysis.pixel_text(run, image, 7 * 6 + 4),
                  "get_global_id(0) = get_local_size(0) * get_group_id(0) + get_local_id(0): 4 = 3 * 1 + 1\n"
                  "get_global_id(1) = get_local_size(1) * get_group_id(1) + get_local_id(1): 7 = 5 * 1 + 2");
        EXPECT_EQ(analysis.pixel_text(run, image, 60), "");
    });
}

TEST(IndexSpace, sizes_that_cannot_be_are_refused_with_a_sentence) {
    on_each_device([](const DeviceInfo& device) {
        const auto refused = [&](const ParameterSet& set) {
            return refusal_of("index_space", "write.ids", device, set);
        };
        EXPECT_NE(
            refused(range({10}, {3}))
                .find(
                    "the global size in x is 10, but OpenCL C 1.2 requires a multiple of the local size, 3"),
            std::string::npos);
        EXPECT_NE(refused(range({10}, {3})).find("a global size of 12"), std::string::npos);
        EXPECT_NE(refused(range({8, 8}, {4})).find("it was given for 1 of 2"), std::string::npos);
        EXPECT_NE(refused(range({1 << 20, 2}, {})).find("shows at most 1048576"), std::string::npos);
        const auto most = static_cast<std::int64_t>(device.largest_work_group);
        ASSERT_LE(most, 32768);
        EXPECT_NE(refused(range({2 * most}, {2 * most})).find(std::to_string(most)), std::string::npos);
        EXPECT_NE(refused(range({most, 2}, {most, 2})).find(std::to_string(2 * most)), std::string::npos);
    });
}

TEST(IndexSpace, one_wrong_id_is_found) {
    on_each_device([](const DeviceInfo& device) {
        const auto set = range({6, 10}, {});
        ks::Run run = run_with("index_space", "write.ids", device, set);
        const auto check = [&] {
            Progress progress;
            return engine()
                .registry()
                .analysis("index_space")
                .check(*problem_with("index_space", set), run, CheckMode::full, progress);
        };
        ASSERT_EQ(check().state, Verdict::State::pass);
        run.result.datasets.at(4).values.as<std::uint32_t>()[59] += 1;
        EXPECT_EQ(check().state, Verdict::State::fail);
        EXPECT_EQ(check().where, run.result.datasets.at(4).name + ", element 59");
    });
}

}  // namespace
}  // namespace ks::tests::index_space
