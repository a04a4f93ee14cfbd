#include <gtest/gtest.h>

#include "tests/gpu/sharing/shared_results.h"
#include "tests/gpu/spots/spots_cases.h"

namespace ks::tests {
namespace {

/// Noise of which much is signal: spots go on over many frames, join and part.
const Thresholds loose = with(3, 3, 1, 0.5);

ProblemPtr regrouped(const ProblemPtr& basic, const Grouping& grouping) {
    PixelMask mask{basic->height(), basic->width(), basic->ignore()};
    return std::make_shared<SpotProblem>(basic->shared(), mask, basic->limit(), basic->thresholds(),
                                         basic->layout(), grouping);
}

/// Whether a spot of the result lies in more than one frame.
bool links(const ProblemPtr& problem) {
    Progress progress;
    Request request;
    request.analysis = "spots";
    request.device = "host";
    const Result result = engine().run(request, problem, progress).result;
    const auto z0 = result.at("z0").values.as<std::uint32_t>(),
               z1 = result.at("z1").values.as<std::uint32_t>();
    for (std::size_t i = 0; i < z0.size(); ++i)
        if (z1[i] - z0[i] > 1) return true;
    return false;
}

}  // namespace

TEST(SharedSpots, spots_over_borders_of_parts_are_the_same_bytes) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 9, .seed = 31}, loose);
    EXPECT_TRUE(links(problem));
    EXPECT_GT(expect_shared("spots", "u16", problem), 5U);
}

TEST(SharedSpots, sums_beyond_doubles_are_made_in_the_order_of_frames) {
    const RandomScene hot{
        .frames = 7, .background = 300, .hot = 6, .hot_value = 4294967295.0, .mask = false, .seed = 32};
    const ProblemPtr problem = scene<std::uint32_t>(hot, loose);
    EXPECT_TRUE(links(problem));
    expect_shared("spots", "u32, hot", problem);
}

TEST(SharedSpots, floats_are_the_same_bytes) {
    const RandomScene hot{.frames = 7, .hot = 6, .hot_value = 900, .mask = false, .seed = 33};
    const ProblemPtr problem = problem_of(awkward_floats(hot), mask_of(hot), loose);
    EXPECT_TRUE(links(problem));
    expect_shared("spots", "f32", problem);
}

TEST(SharedSpots, stills_and_modules_and_the_extended_algorithm) {
    expect_shared("spots", "stills",
                  regrouped(scene<std::uint16_t>({.frames = 5, .seed = 34}, loose), {.stills = true}));
    expect_shared("spots", "modules", scene<std::uint16_t>({.frames = 5, .seed = 35}, loose, "19,25,3,4"));
    expect_shared("spots", "extended", extended(scene<std::uint16_t>({.frames = 5, .seed = 36}, loose)));
}

TEST(SharedSpots, counts_that_mark_pixels_are_told_as_ever) {
    const RandomScene marked{.frames = 5, .background = 4, .hot_value = 255, .mask = false, .seed = 37};
    expect_shared("spots", "u8", scene<std::uint8_t>(marked, loose));
}

TEST(SharedSpots, one_frame_for_many_devices) {
    expect_shared("spots", "one frame", scene<std::uint16_t>({.frames = 1, .seed = 38}, loose));
}

TEST(SharedSpots, a_part_of_a_part_is_joined_too) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 9, .seed = 39}, loose);
    const Analysis& analysis = engine().registry().analysis("spots");
    Request request = request_of("spots", "", engine().devices().front());
    Progress progress;
    const Result expected = engine().run(request, problem, progress).result;
    std::vector<PartResult> parts;
    for (const std::size_t first : {0U, 4U}) {
        const std::size_t end = first == 0 ? 4 : 9;
        parts.push_back({first, end, in_parts(request, analysis.part(problem, first, end), 2)});
    }
    std::vector<Timing> timings;
    expect_same_bytes(expected, analysis.joined(*problem, std::move(parts), timings), "twice");
}

}  // namespace ks::tests
