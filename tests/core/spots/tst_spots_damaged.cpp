// Frames that cannot be decoded are left out as those that are missing are, and named.

#include <gtest/gtest.h>

#include "core/spots/analysis.h"
#include "core/spots/parameters.h"
#include "tests/core/io/damaged_stack.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/core/spots/host_run.h"

namespace ks::tests::damaged_frames {

using namespace ks::spots;

constexpr std::size_t frames = 6, height = 61, width = 83;
const RandomScene scene{.frames = frames, .height = height, .width = width, .seed = 11};

class SpotsDamaged : public IoTest {
  protected:
    /// A stack of which some frames are damaged.
    std::string make(const StackFilters& filters, const std::set<std::size_t>& damaged) {
        const std::string file = at(std::string(filters.name) + ".h5");
        {
            TestFile made(file);
            const Array stack = stack_of<std::uint16_t>(scene);
            const auto values = stack.as<std::uint16_t>();
            write_stack(made, "/data", frames, height, width, {values.begin(), values.end()}, filters);
        }
        for (const std::size_t frame : damaged)
            damage(file, "/data", frame, frame % 2 == 0 ? Damage::truncated : Damage::overwritten);
        return file;
    }
    std::shared_ptr<const SpotProblem> load(const std::string& file) {
        Request request;
        request.analysis = "spots";
        request.inputs["frames"] = {file, {}};
        request.parameters = checked(analysis_info().parameters, {});
        return load_problem(request, quiet, {});
    }
};

TEST_F(SpotsDamaged, frames_are_left_out_and_named) {
    const std::set<std::size_t> damaged{0, 3, 4};
    for (const StackFilters& filters : stack_filters())
        for (const HostVariant& variant : host_variants()) {
            const std::string file = make(filters, damaged);
            const auto problem = load(file);
            const auto whole = std::make_shared<SharedFrames>(
                std::make_shared<Incomplete>(stack_of<std::uint16_t>(scene), damaged), 0, frames, 0);
            const SpotProblem without(whole, problem->mask(), problem->limit(), problem->thresholds(),
                                      problem->layout(), problem->grouping());
            const ks::Run found = host_run(*problem, variant.info.id),
                          expected = host_run(without, variant.info.id);
            EXPECT_GT(expected.result.at("n_signal").values.size(), 0U);
            for (const Dataset& dataset : expected.result.datasets) {
                if (dataset.name == "frame_missing") continue;
                const auto one = dataset.values.to_doubles(),
                           other = found.result.at(dataset.name).values.to_doubles();
                ASSERT_EQ(one.size(), other.size()) << dataset.name;
                for (std::size_t i = 0; i < one.size(); ++i)
                    ASSERT_TRUE(one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i])))
                        << variant.info.id << " " << filters.name << " " << dataset.name << " " << i;
            }
            const auto state = found.result.at("frame_missing").values.as<std::uint8_t>();
            EXPECT_EQ(std::vector<int>(state.begin(), state.end()), (std::vector{2, 0, 0, 2, 2, 0}));
            EXPECT_EQ(found.result.facts["damaged_frames"], 3);
            EXPECT_EQ(found.result.facts["missing_frames"], 0);
            ASSERT_FALSE(found.result.warnings.empty());
            EXPECT_TRUE(contains(found.result.warnings[0],
                                 {"3 of 6 frames are damaged in " + file, "skipped: 0, 3, 4 (frame 0: "}));
            // Whoever checks it may read the file for the first time.
            for (const CheckMode mode : {CheckMode::full, CheckMode::sample}) {
                const Verdict verdict = check_spots(*load(file), found, mode, quiet);
                EXPECT_EQ(verdict.state,
                          mode == CheckMode::full ? Verdict::State::pass : Verdict::State::sampled)
                    << verdict.text;
            }
        }
}

TEST_F(SpotsDamaged, a_series_without_a_sound_frame_is_refused) {
    const std::string file = make(stack_filters().front(), {0, 1, 2, 3, 4, 5});
    for (const HostVariant& variant : host_variants())
        EXPECT_TRUE(contains(input_error([&] { host_run(*load(file), variant.info.id); }),
                             {file, "6 of 6 frames are damaged", "frame 0 cannot be read"}));
}

}  // namespace ks::tests::damaged_frames
