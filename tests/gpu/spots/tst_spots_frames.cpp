// How frames go through a device: budgets, what stays there, batches, missing frames, errors, cancel.

#include <utility>

#include "tests/core/data/streamed_frames.h"
#include "tests/gpu/spots/spots_cases.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

/// The smallest budget that a run names, and some larger ones, are kept and change nothing.
void expect_small_budgets(gpu::DeviceContext& device, const std::string& variant, const SpotProblem& problem,
                          const std::map<std::string, std::string>& defines = {}) {
    SCOPED_TRACE(variant);
    std::uint64_t smallest = 0;
    try {
        find_on(device, variant, problem, 1000, defines);
        FAIL() << "1000 bytes were enough";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        smallest = std::stoull(error.hint().substr(error.hint().find("at least ") + 9));
    }
    for (const std::uint64_t more : {0, 20000, 40000, 80000, 160000, 320000}) {
        const FoundSignal found = find_on(device, variant, problem, smallest + more, defines);
        EXPECT_LE(found.run.device_bytes_peak, smallest + more);
        ASSERT_EQ(found.kept.signals.size(), problem.frames());
        for (std::size_t k = 0; k < problem.frames(); ++k)
            EXPECT_EQ(found.kept.signals[k], expected_signal(problem, k)) << "frame " << k;
    }
    EXPECT_THROW(find_on(device, variant, problem, smallest - 1, defines), Error);
}

TEST(SpotsFrames, a_small_budget_changes_nothing_and_one_too_small_names_what_is_needed) {
    const RandomScene some{.frames = 6, .height = 90, .width = 100, .seed = 41};
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        Thresholds thresholds = with(3, 3, 1, 1);
        thresholds.algorithm = algorithm;
        const ProblemPtr problem = scene<std::uint16_t>(some, thresholds, "40,45,5,5");
        for (const char* variant : takers(*problem))
            for (const auto& device : test_devices()) expect_small_budgets(*device, variant, *problem);
    }
}

TEST(SpotsFrames, what_is_on_the_device_is_not_uploaded_again) {
    const RandomScene some{.frames = 3, .seed = 51};
    const auto bytes = [](const FoundSignal& found, const std::string& stage) {
        std::uint64_t sum = 0;
        for (const Timing& row : found.run.timings)
            if (row.stage == stage && row.kind == StageKind::upload) sum += row.bytes;
        return sum;
    };
    const ProblemPtr first = scene<std::uint16_t>(some);
    // those that take a frame in a launch share what stays there
    std::vector<const char*> variants = takers(*first);
    std::erase_if(variants, [](const char* id) { return has_define(spots_row(id).info, "FRAMES"); });
    for (const auto& device : test_devices()) {
        device->shrink_resident(0);
        const FoundSignal fresh = find_on(*device, variants.front(), *first);
        EXPECT_EQ(bytes(fresh, "upload frames"), 3u * 61 * 83 * 2);
        EXPECT_GT(bytes(fresh, "upload mask"), 0u);
        // another threshold: nothing but the thresholds; another mask: no frames
        const auto changed = std::make_shared<SpotProblem>(first->shared(), mask_of(some), first->limit(),
                                                           with(3, 3, 2, 2), first->layout(), Grouping{});
        const FoundSignal again = find_on(*device, variants.back(), *changed);
        EXPECT_EQ(bytes(again, "upload frames") + bytes(again, "upload mask"), 0u);
        const auto unmasked = std::make_shared<SpotProblem>(first->shared(), PixelMask{}, first->limit(),
                                                            with(3, 3, 2, 2), first->layout(), Grouping{});
        const FoundSignal other = find_on(*device, variants.front(), *unmasked);
        EXPECT_EQ(bytes(other, "upload frames"), 0u);
        EXPECT_EQ(other.kept.signals[0], expected_signal(*unmasked, 0));
    }
}

TEST(SpotsFrames, the_sink_gets_the_pixels_of_each_frame) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 5, .seed = 61}, {}, "19,25,3,4");
    std::vector<std::byte> scratch;
    for (const auto& device : test_devices()) {
        const FoundSignal found = find_on(*device, takers(*problem).front(), *problem);
        ASSERT_EQ(found.kept.frames, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
        for (std::size_t k = 0; k < 5; ++k)
            EXPECT_TRUE(std::ranges::equal(found.kept.first_pixels[k], problem->shared()->frame(k, scratch)));
    }
}

/// Frames of which some were never written.
class WithHoles : public MemoryFrames {
  public:
    using MemoryFrames::MemoryFrames;
    bool written(std::size_t frame) const override { return frame % 3 != 1; }
};

TEST(SpotsFrames, missing_frames_are_left_out) {
    const RandomScene some{.frames = 8, .height = 30, .width = 40, .seed = 71};
    const auto source = std::make_shared<WithHoles>("holes", stack_of<std::uint16_t>(some));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 8, 0);
    const SpotProblem problem(shared, PixelMask{}, INFINITY, with(3, 3, 1, 1), ModuleLayout::whole(30, 40),
                              Grouping{});
    expect_definition("holes", problem);
    for (const auto& device : test_devices())
        EXPECT_EQ(find_on(*device, takers(problem).front(), problem).kept.frames,
                  (std::vector<std::size_t>{0, 2, 3, 5, 6}));
}

TEST(SpotsFrames, frames_to_leave_out_are_neither_read_nor_linked) {
    const RandomScene some{.frames = 8, .height = 30, .width = 40, .seed = 72};
    const auto source = std::make_shared<WithHoles>("left out", stack_of<std::uint16_t>(some));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 8, 0, std::vector<std::size_t>{0, 1, 6});
    const SpotProblem problem(shared, PixelMask{}, INFINITY, with(3, 3, 1, 1), ModuleLayout::whole(30, 40),
                              Grouping{});
    EXPECT_EQ(shared->missing(), 5U);
    EXPECT_EQ(shared->left_out(), 3U);
    expect_definition("left out", problem);
    for (const auto& device : test_devices())
        EXPECT_EQ(find_on(*device, takers(problem).front(), problem).kept.frames,
                  (std::vector<std::size_t>{2, 3, 5}));
}

/// Variants that take several frames in a launch.
std::vector<const char*> with_frames() {
    return spots_ids([](const Variant& variant) { return has_define(variant, "FRAMES"); });
}
std::map<std::string, std::string> frames_of_a_launch(int frames) {
    return {{"FRAMES", std::to_string(frames)}};
}

TEST(SpotsFrames, the_number_of_frames_of_a_launch_changes_nothing) {
    const RandomScene some{.frames = 11, .height = 60, .width = 70, .background = 2, .seed = 81};
    const auto source = std::make_shared<WithHoles>("holes of eleven", stack_of<std::uint16_t>(some));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 11, 0);
    for (const char* modules : {"whole", "19,25,3,4"}) {
        const SpotProblem problem(shared, mask_of(some), INFINITY, with(3, 3, 1, 1),
                                  ModuleLayout::parse(modules, 60, 70), Grouping{});
        for (const int frames : {1, 2, 4, 16})
            expect_definition("frames of a launch", problem, {}, frames_of_a_launch(frames), "FRAMES");
        std::vector<std::byte> scratch;
        for (const auto& device : test_devices())
            for (const char* variant : with_frames()) {
                device->shrink_resident(0);
                const FoundSignal found = find_on(*device, variant, problem, {}, frames_of_a_launch(2));
                const std::vector<std::size_t> there{0, 2, 3, 5, 6, 8, 9};
                ASSERT_EQ(found.kept.frames, there);
                for (std::size_t k = 0; k < there.size(); ++k)
                    EXPECT_TRUE(
                        std::ranges::equal(found.kept.first_pixels[k], shared->frame(there[k], scratch)));
            }
    }
}

TEST(SpotsFrames, a_small_budget_takes_fewer_frames_in_a_launch) {
    const RandomScene some{.frames = 9, .height = 90, .width = 100, .seed = 91};
    const ProblemPtr problem = scene<std::uint16_t>(some, with(3, 3, 1, 1), "40,45,5,5");
    for (const char* variant : with_frames())
        for (const auto& device : test_devices())
            expect_small_budgets(*device, variant, *problem, frames_of_a_launch(4));
}

/// Frames of a file of which the sixth cannot be read, the first time.
class FailsOnce : public StreamedFrames {
  public:
    explicit FailsOnce(Array stack) : StreamedFrames("fails once", std::move(stack)) {}
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        if (first <= 5 && 5 < first + count && !std::exchange(failed_, true))
            throw Error(ErrorKind::input, "cannot be read");
        StreamedFrames::read_frames(first, count, into);
    }

  private:
    bool failed_ = false;
};

TEST(SpotsFrames, frames_that_could_not_be_read_are_not_kept_on_the_device) {
    const RandomScene some{.frames = 8, .height = 30, .width = 40, .seed = 71};
    for (const auto& device : test_devices())
        for (const char* variant : with_frames()) {
            const auto source = std::make_shared<FailsOnce>(stack_of<std::uint16_t>(some));
            const auto shared = std::make_shared<SharedFrames>(source, 0, 8, 0);
            const SpotProblem problem(shared, PixelMask{}, INFINITY, with(3, 3, 1, 1),
                                      ModuleLayout::whole(30, 40), Grouping{});
            EXPECT_THROW(find_on(*device, variant, problem, {}, frames_of_a_launch(4)), Error);
            const FoundSignal found = find_on(*device, variant, problem, {}, frames_of_a_launch(4));
            ASSERT_EQ(found.kept.signals.size(), 8u);
            for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(found.kept.signals[k], expected_signal(problem, k));
        }
}

TEST(SpotsFrames, a_run_stops_when_asked) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 4});
    for (const auto& device : test_devices()) {
        ks::Run run;
        const gpu::spots::SpotVariant row = spots_row(takers(*problem).front());
        run.variant = row.info;
        run.device = device->info();
        Progress progress;
        progress.cancel();
        gpu::LaunchContext context(*device, run, progress);
        KeptSignal kept;
        try {
            gpu::spots::find_signal(*problem, context, row.make, kept);
            FAIL() << "ran on";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled);
        }
    }
}

}  // namespace
