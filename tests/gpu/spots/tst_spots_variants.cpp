// Every OpenCL spot finder, on every device that is found, against the definition: bit for bit.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "core/io/open_frames.h"
#include "core/run/error.h"
#include "tests/core/spots/patches_fixture.h"
#include "tests/gpu/spots/spots_device.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

using ProblemPtr = std::shared_ptr<const SpotProblem>;

struct Case {
    const char* name;
    ProblemPtr problem;
};

template <class T>
ProblemPtr scene(const Scene& scene, const Thresholds& thresholds = {}, const std::string& modules = "whole",
                 double limit = std::numeric_limits<double>::infinity()) {
    return problem_of(stack_of<T>(scene), mask_of(scene), thresholds, modules, limit);
}

/// Signed counts with some below 0.
template <class T>
Array with_negatives(const Scene& scene) {
    const Array stack = stack_of<T>(scene);
    std::vector<T> values(stack.as<T>().begin(), stack.as<T>().end());
    for (std::size_t i = 0; i < values.size(); i += 131) values[i] = -1;
    return Array::of<T>({scene.frames, scene.height, scene.width}, values);
}

/// Floats with fractions, values below 0, NaN and infinite ones, and one that is so large that a sliding sum
/// would not forget it.
Array awkward_floats(const Scene& scene) {
    const Array stack = stack_of<float>(scene);
    std::vector<float> values(stack.as<float>().begin(), stack.as<float>().end());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = values[i] * 0.37f - (i % 7 == 0 ? 0.5f : 0.0f);
    values[200] = std::numeric_limits<float>::quiet_NaN();
    values[900] = std::numeric_limits<float>::infinity();
    values[1700] = -std::numeric_limits<float>::infinity();
    values[3000] = 1e18f;
    return Array::of<float>({scene.frames, scene.height, scene.width}, values);
}

template <class T>
Array checkerboard(std::size_t frames, std::size_t side, T high) {
    std::vector<T> values(frames * side * side);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i / side + i % side) % 2 == 0 ? T{0} : high;
    return Array::of<T>({frames, side, side}, values);
}

Thresholds with(int kx, int ky, double sigma_b = 6, double sigma_s = 3, int min_local = 2,
                double threshold = 0, double gain = 1) {
    return {Algorithm::dispersion, kx, ky, sigma_b, sigma_s, min_local, threshold, gain};
}

std::vector<Case> cases() {
    const Thresholds loose = with(3, 3, 1, 0.5);
    return {
        {"background 0.1", scene<std::uint16_t>({.background = 0.1})},
        {"background 0.3, loose", scene<std::uint16_t>({.background = 0.3, .seed = 2}, loose)},
        {"background 1", scene<std::uint16_t>({.background = 1, .seed = 3}, with(3, 3, 3, 2))},
        {"background 30, loose", scene<std::uint16_t>({.background = 30, .seed = 4}, loose)},
        {"background 5000", scene<std::uint16_t>({.background = 5000, .seed = 5}, with(3, 3, 1, 1))},
        {"no thresholds at all", scene<std::uint16_t>({.background = 2, .seed = 6}, with(3, 3, 0, 0))},
        {"a pixel more than a word wide",
         scene<std::uint16_t>({.height = 33, .width = 65, .seed = 7}, loose)},
        {"as small as the window",
         scene<std::uint16_t>({.height = 7, .width = 7, .spots = 2, .mask = false}, loose)},
        {"no mask, one frame", scene<std::uint16_t>({.frames = 1, .mask = false}, loose)},
        {"a limit and a gain",
         scene<std::uint16_t>({.seed = 8}, with(3, 3, 1, 1, 2, 0, 2.5), "whole", 60000)},
        {"a gain below 1", scene<std::uint16_t>({.seed = 9}, with(2, 3, 1, 1, 9, 4.5, 0.3))},
        {"window 3 x 5", scene<std::uint16_t>({.background = 0.5, .seed = 10}, with(1, 2, 2, 1))},
        {"window 31 x 31", scene<std::uint16_t>({.background = 3, .seed = 11}, with(15, 15, 2, 2))},
        {"window 13 x 29",
         scene<std::uint8_t>({.background = 3, .hot_value = 255, .seed = 12}, with(6, 14, 2, 2))},
        {"modules", scene<std::uint16_t>({.seed = 13}, loose, "19,25,3,4")},
        {"u8", scene<std::uint8_t>({.background = 4, .hot_value = 255, .seed = 14}, loose)},
        {"u8 with a limit",
         scene<std::uint8_t>({.background = 4, .hot_value = 255, .seed = 15}, loose, "whole", 254.5)},
        {"u32", scene<std::uint32_t>({.background = 300, .hot_value = 4294967295.0, .seed = 16}, loose)},
        {"u32, large windows",
         scene<std::uint32_t>({.background = 3, .hot_value = 4294967290.0, .seed = 17}, with(7, 8, 1, 1))},
        {"i16",
         problem_of(with_negatives<std::int16_t>({.hot_value = 32767, .seed = 18}), mask_of({}), loose)},
        {"i32",
         problem_of(with_negatives<std::int32_t>({.hot_value = 2147483647, .seed = 19}), mask_of({}), loose)},
        {"i32, gain", problem_of(with_negatives<std::int32_t>({.hot_value = 2147483647, .seed = 19}),
                                 mask_of({}), with(3, 3, 0.5, 0.5, 2, 0, 1.7))},
        {"i64",
         problem_of(with_negatives<std::int64_t>({.hot_value = 2147483647, .seed = 20}), mask_of({}), loose)},
        {"f32", problem_of(awkward_floats({.seed = 21}), mask_of({}), loose)},
        {"f32, limit, gain",
         problem_of(awkward_floats({.seed = 22}), mask_of({}), with(2, 4, 1, 1, 5, 0.7, 0.8), "whole", 40.1)},
        {"checkerboard of 0 and 65535",
         problem_of(checkerboard<std::uint16_t>(2, 64, 65535), {}, with(3, 3, 6, 0.1))},
        {"seven frames", scene<std::uint16_t>({.frames = 7, .height = 40, .width = 50, .seed = 23}, loose)},
    };
}

ProblemPtr extended(const ProblemPtr& basic) {
    Thresholds thresholds = basic->thresholds();
    thresholds.algorithm = Algorithm::dispersion_extended;
    PixelMask mask{basic->height(), basic->width(), basic->ignore()};
    return std::make_shared<SpotProblem>(basic->shared(), mask, basic->limit(), thresholds, basic->layout(),
                                         Grouping{});
}

/// Empty where the variant may be run on it.
bool usable(const Variant& variant, const DeviceInfo& device, const SpotProblem& problem) {
    if (variant.constraints.fp64 && !device.fp64) return false;
    return variant.id != "exact.integer" || problem.type() != ElementType::f32 ||
           problem.thresholds().algorithm == Algorithm::dispersion_extended;
}

/// @return number of signal pixels
std::size_t expect_definition(const std::string& name, const SpotProblem& problem,
                              std::uint64_t memory_limit = 0,
                              const std::map<std::string, std::string>& defines = {},
                              const std::string& only = {}) {
    std::vector<std::vector<std::uint32_t>> expected;
    std::size_t signal = 0;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) {
            expected.push_back(expected_signal(problem, frame));
            signal += expected.back().size();
        }
    for (const auto& device : test_devices())
        for (const gpu::ClVariant& row : gpu::spots::cl_variants()) {
            if (!usable(row.info, device->info(), problem) || (!only.empty() && row.info.id != only))
                continue;
            const FoundSignal found = find_on(*device, row.info.id, problem, memory_limit, defines);
            EXPECT_EQ(found.kept.signals.size(), expected.size());
            for (std::size_t k = 0; k < expected.size() && k < found.kept.signals.size(); ++k)
                EXPECT_TRUE(found.kept.signals[k] == expected[k])
                    << name << ", " << row.info.id << ", frame " << k << ": " << found.kept.signals[k].size()
                    << " pixels, " << expected[k].size() << " by definition";
        }
    return signal;
}

const std::map<std::string, std::string> of_groups{{"LANES", "32"}, {"WG", "128"}};

class EveryCase : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryCase, every_variant_finds_the_signal_of_the_definition) {
    const Case c = cases()[GetParam()];
    EXPECT_GT(expect_definition(c.name, *c.problem), 0u) << c.name;
}

TEST_P(EveryCase, every_variant_finds_the_signal_of_extended_dispersion) {
    const Case c = cases()[GetParam()];
    expect_definition(c.name, *extended(c.problem));
    // On processors these sizes ask for the kernels that are for other devices, which take long to build
    // there.
    if (GetParam() % 3 != 0) expect_definition(c.name, *extended(c.problem), 0, of_groups, "extended.fused");
}

INSTANTIATE_TEST_SUITE_P(SpotsVariants, EveryCase, ::testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& instance) {
                             std::string name = cases()[instance.param].name;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

TEST(SpotsVariants, other_sizes_of_items_and_groups_change_nothing) {
    const ProblemPtr problem = scene<std::uint16_t>({.background = 1, .seed = 31}, with(3, 3, 1, 1));
    const std::map<std::string, std::string> wide{
        {"V", "16"}, {"STRIP", "8"}, {"WG", "32"}, {"DECIDE_WG", "64"}},
        narrow{{"V", "4"}, {"STRIP", "16"}, {"WG", "64"}, {"DECIDE_WG", "32"}, {"DECIDE_WORDS", "4"}};
    expect_definition("wide", *problem, 0, wide, "sliding");
    expect_definition("narrow", *problem, 0, narrow, "sliding");
    expect_definition("wide", *problem, 0, wide, "exact.integer");
    expect_definition("narrow", *extended(problem), 0, {{"LANES", "16"}, {"WG", "32"}}, "extended.fused");
    expect_definition("wide", *extended(problem), 0, {{"LANES", "32"}, {"WG", "64"}}, "extended.fused");
    expect_definition("tiles", *problem, 0, {{"TX", "8"}, {"TY", "16"}}, "cooperative");
    expect_definition("wide", *problem, 0, {{"WG", "64"}, {"ACROSS", "16"}, {"RUN", "8"}}, "screened");
    expect_definition("as published", *problem, 0, {{"AS_PUBLISHED", "1"}}, "seed.brute");
}

TEST(SpotsVariants, what_erosion_keeps_anywhere_is_found_on_strips_of_any_size) {
    std::size_t signal = 0;
    for (const auto& [kx, ky] : {std::pair{3, 3}, {1, 1}, {2, 5}, {10, 8}})
        for (const auto& strips : {std::map<std::string, std::string>{{"COLUMNS", "128"}, {"ROWS", "32"}},
                                   {{"COLUMNS", "512"}, {"ROWS", "128"}}}) {
            const Patches patches(static_cast<unsigned>(kx * 16 + ky));
            const ProblemPtr problem =
                problem_of(Array::of<std::uint16_t>({1, Patches::height, Patches::width}, patches.values),
                           {Patches::height, Patches::width, patches.ignore}, with(kx, ky, 12, 1));
            signal += expect_definition("patches", *extended(problem), 0, strips, "vector.cpu");
            expect_definition("patches", *extended(problem), 0, of_groups, "extended.fused");
        }
    EXPECT_GT(signal, 2000u);
}

/// Ties: the excess of a window is set to what the thresholds ask for, by thresholds made from the window.
TEST(SpotsVariants, ties_come_out_as_the_definition_rounds_them) {
    std::mt19937 random(5);
    std::size_t signal = 0;
    for (int round = 0; round < 12; ++round) {
        const std::size_t side = 21;
        std::vector<std::uint16_t> values(side * side);
        std::poisson_distribution<int> noise(round % 3 == 0 ? 300 : 4);
        for (auto& value : values) value = static_cast<std::uint16_t>(noise(random));
        values[10 * side + 10] = static_cast<std::uint16_t>(values[10 * side + 10] + 200 + 30 * round);
        double x = 0, y = 0;
        for (std::size_t i = 7; i < 14; ++i)
            for (std::size_t j = 7; j < 14; ++j) {
                x += values[i * side + j];
                y += static_cast<double>(values[i * side + j]) * values[i * side + j];
            }
        const double p = values[10 * side + 10];
        Thresholds thresholds =
            with(3, 3, (49 * y - x * x - 48 * x) / x / std::sqrt(96.0), (49 * p - x) / std::sqrt(49 * x));
        if (round % 2 == 1) thresholds.gain = 1 + 1e-15 * round;
        // the thresholds themselves, and their neighbours on both sides
        for (const int step : {-1, 0, 1}) {
            Thresholds near = thresholds;
            const double to = step < 0 ? 0 : 1e9;
            if (step != 0) near.sigma_b = std::nextafter(near.sigma_b, to);
            if (step != 0) near.sigma_s = std::nextafter(near.sigma_s, to);
            signal += expect_definition(
                "tie", *problem_of(Array::of<std::uint16_t>({1, side, side}, values), {}, near));
        }
    }
    EXPECT_GT(signal, 0u);
}

TEST(SpotsVariants, any_number_of_signal_pixels_comes_through) {
    // Half of the pixels are signal: more than a list holds, and more than a queue of candidates.
    const ProblemPtr problem = problem_of(checkerboard<std::uint16_t>(2, 240, 65535), {}, with(3, 3, 6, 0.1));
    EXPECT_GT(expect_definition("checkerboard", *problem), 50000u);
    expect_definition("a group's queue", *problem, 0, {{"DECIDE_WG", "64"}, {"DECIDE_WORDS", "4"}},
                      "sliding");
}

TEST(SpotsVariants, a_small_budget_changes_nothing_and_one_too_small_names_what_is_needed) {
    const Scene some{.frames = 6, .height = 90, .width = 100, .seed = 41};
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        Thresholds thresholds = with(3, 3, 1, 1);
        thresholds.algorithm = algorithm;
        const ProblemPtr problem = scene<std::uint16_t>(some, thresholds, "40,45,5,5");
        for (const auto& device : test_devices()) {
            std::uint64_t smallest = 0;
            try {
                find_on(*device, "sliding", *problem, 1000);
                FAIL() << "1000 bytes were enough";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input);
                smallest = std::stoull(error.hint().substr(error.hint().find_last_of(' ') + 1));
            }
            for (const std::uint64_t more : {0, 20000, 40000, 80000, 160000}) {
                expect_definition("a small budget", *problem, smallest + more, {}, "sliding");
                const FoundSignal found = find_on(*device, "sliding", *problem, smallest + more);
                EXPECT_LE(found.run.device_bytes_peak, smallest + more);
            }
            EXPECT_THROW(find_on(*device, "sliding", *problem, smallest - 1), Error);
        }
    }
}

TEST(SpotsVariants, what_is_on_the_device_is_not_uploaded_again) {
    const Scene some{.frames = 3, .seed = 51};
    const auto bytes = [](const FoundSignal& found, const std::string& stage) {
        std::uint64_t sum = 0;
        for (const Timing& row : found.run.timings)
            if (row.stage == stage && row.kind == StageKind::upload) sum += row.bytes;
        return sum;
    };
    const ProblemPtr first = scene<std::uint16_t>(some);
    for (const auto& device : test_devices()) {
        device->shrink_resident(0);
        const FoundSignal fresh = find_on(*device, "sliding", *first);
        EXPECT_EQ(bytes(fresh, "upload frames"), 3u * 61 * 83 * 2);
        EXPECT_GT(bytes(fresh, "upload mask"), 0u);
        // another threshold: nothing but the thresholds; another mask: no frames
        const auto changed = std::make_shared<SpotProblem>(first->shared(), mask_of(some), first->limit(),
                                                           with(3, 3, 2, 2), first->layout(), Grouping{});
        const FoundSignal again = find_on(*device, "cooperative", *changed);
        EXPECT_EQ(bytes(again, "upload frames") + bytes(again, "upload mask"), 0u);
        const auto unmasked = std::make_shared<SpotProblem>(first->shared(), PixelMask{}, first->limit(),
                                                            with(3, 3, 2, 2), first->layout(), Grouping{});
        const FoundSignal other = find_on(*device, "sliding", *unmasked);
        EXPECT_EQ(bytes(other, "upload frames"), 0u);
        EXPECT_EQ(other.kept.signals[0], expected_signal(*unmasked, 0));
    }
}

TEST(SpotsVariants, the_sink_gets_the_pixels_of_each_frame) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 5, .seed = 61}, {}, "19,25,3,4");
    std::vector<std::byte> scratch;
    for (const auto& device : test_devices()) {
        const FoundSignal found = find_on(*device, "sliding", *problem);
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

TEST(SpotsVariants, missing_frames_are_left_out) {
    const Scene some{.frames = 8, .height = 30, .width = 40, .seed = 71};
    const auto source = std::make_shared<WithHoles>("holes", stack_of<std::uint16_t>(some));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 8, 0);
    const SpotProblem problem(shared, PixelMask{}, INFINITY, with(3, 3, 1, 1), ModuleLayout::whole(30, 40),
                              Grouping{});
    expect_definition("holes", problem);
    for (const auto& device : test_devices())
        EXPECT_EQ(find_on(*device, "sliding", problem).kept.frames,
                  (std::vector<std::size_t>{0, 2, 3, 5, 6}));
}

std::map<std::string, std::string> frames_of_a_launch(int frames) {
    return {{"FRAMES", std::to_string(frames)}};
}

TEST(SpotsVariants, the_number_of_frames_of_a_launch_changes_nothing) {
    const Scene some{.frames = 11, .height = 60, .width = 70, .background = 2, .seed = 81};
    const auto source = std::make_shared<WithHoles>("holes of eleven", stack_of<std::uint16_t>(some));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 11, 0);
    for (const char* modules : {"whole", "19,25,3,4"}) {
        const SpotProblem problem(shared, mask_of(some), INFINITY, with(3, 3, 1, 1),
                                  ModuleLayout::parse(modules, 60, 70), Grouping{});
        for (const int frames : {1, 2, 4, 16})
            expect_definition("frames of a launch", problem, 0, frames_of_a_launch(frames), "screened");
        std::vector<std::byte> scratch;
        for (const auto& device : test_devices()) {
            device->shrink_resident(0);
            const FoundSignal found = find_on(*device, "screened", problem, 0, frames_of_a_launch(2));
            const std::vector<std::size_t> there{0, 2, 3, 5, 6, 8, 9};
            ASSERT_EQ(found.kept.frames, there);
            for (std::size_t k = 0; k < there.size(); ++k)
                EXPECT_TRUE(std::ranges::equal(found.kept.first_pixels[k], shared->frame(there[k], scratch)));
        }
    }
}

TEST(SpotsVariants, a_small_budget_takes_fewer_frames_in_a_launch) {
    const Scene some{.frames = 9, .height = 90, .width = 100, .seed = 91};
    const ProblemPtr problem = scene<std::uint16_t>(some, with(3, 3, 1, 1), "40,45,5,5");
    for (const auto& device : test_devices()) {
        std::uint64_t smallest = 0;
        try {
            find_on(*device, "screened", *problem, 1000, frames_of_a_launch(4));
            FAIL() << "1000 bytes were enough";
        } catch (const Error& error) {
            smallest = std::stoull(error.hint().substr(error.hint().find_last_of(' ') + 1));
        }
        for (const std::uint64_t more : {0, 40000, 80000, 160000, 320000}) {
            expect_definition("a small budget", *problem, smallest + more, frames_of_a_launch(4), "screened");
            const FoundSignal found =
                find_on(*device, "screened", *problem, smallest + more, frames_of_a_launch(4));
            EXPECT_LE(found.run.device_bytes_peak, smallest + more);
        }
    }
}

/// Frames of a file of which the sixth cannot be read, the first time.
class FailsOnce : public FrameSource {
  public:
    explicit FailsOnce(Array stack) : frames_("fails once", std::move(stack)) {}
    std::string name() const override { return frames_.name(); }
    std::string identity() const override { return frames_.identity(); }
    std::size_t frames() const override { return frames_.frames(); }
    std::size_t height() const override { return frames_.height(); }
    std::size_t width() const override { return frames_.width(); }
    ElementType type() const override { return frames_.type(); }
    void read(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        if (first <= 5 && 5 < first + count && !std::exchange(failed_, true))
            throw Error(ErrorKind::input, "cannot be read");
        frames_.read(first, count, into);
    }

  private:
    MemoryFrames frames_;
    bool failed_ = false;
};

TEST(SpotsVariants, frames_that_could_not_be_read_are_not_kept_on_the_device) {
    const Scene some{.frames = 8, .height = 30, .width = 40, .seed = 71};
    for (const auto& device : test_devices()) {
        const auto source = std::make_shared<FailsOnce>(stack_of<std::uint16_t>(some));
        const auto shared = std::make_shared<SharedFrames>(source, 0, 8, 0);
        const SpotProblem problem(shared, PixelMask{}, INFINITY, with(3, 3, 1, 1),
                                  ModuleLayout::whole(30, 40), Grouping{});
        EXPECT_THROW(find_on(*device, "screened", problem, 0, frames_of_a_launch(4)), Error);
        const FoundSignal found = find_on(*device, "screened", problem, 0, frames_of_a_launch(4));
        ASSERT_EQ(found.kept.signals.size(), 8u);
        for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(found.kept.signals[k], expected_signal(problem, k));
    }
}

TEST(SpotsVariants, floats_are_refused_by_exact_integer_with_a_sentence) {
    const ProblemPtr problem = problem_of(awkward_floats({}), {}, {});
    for (const auto& device : test_devices()) try {
            find_on(*device, "exact.integer", *problem);
            FAIL() << "accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("f32"), std::string::npos);
        }
}

TEST(SpotsVariants, a_run_stops_when_asked) {
    const ProblemPtr problem = scene<std::uint16_t>({.frames = 4});
    for (const auto& device : test_devices()) {
        ks::Run run;
        run.variant = spots_variant("sliding");
        run.device = device->info();
        Progress progress;
        progress.cancel();
        gpu::LaunchContext context(*device, run, progress);
        KeptSignal kept;
        try {
            gpu::spots::find_signal(*problem, context, kept);
            FAIL() << "ran on";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled);
        }
    }
}

void expect_dials(const char* dataset, Algorithm algorithm) {
    KS_SPOTS_DATA(file, "spots_rotation.h5");
    const std::shared_ptr<FrameSource> frames = io::open_frames(file);
    PixelMask mask{frames->height(), frames->width(), {}};
    for (const double value :
         io::read_array(file + "::/entry/instrument/detector/pixel_mask", 2).to_doubles())
        mask.ignore.push_back(value != 0 ? 1 : 0);
    Thresholds thresholds;
    thresholds.algorithm = algorithm;
    const auto shared = std::make_shared<SharedFrames>(frames, 0, frames->frames(), 0);
    const SpotProblem problem(shared, mask, INFINITY, thresholds,
                              ModuleLayout::whole(frames->height(), frames->width()), Grouping{});
    const Array expected = io::read_array(file + dataset, 3);
    for (const auto& device : test_devices())
        for (const gpu::ClVariant& row : gpu::spots::cl_variants()) {
            if (!usable(row.info, device->info(), problem)) continue;
            const FoundSignal found = find_on(*device, row.info.id, problem);
            ASSERT_EQ(found.kept.signals.size(), frames->frames());
            for (std::size_t k = 0; k < frames->frames(); ++k) {
                const auto wanted =
                    expected.as<std::uint8_t>().subspan(k * frames->pixels(), frames->pixels());
                std::vector<std::uint8_t> signal(frames->pixels());
                for (const std::uint32_t pixel : found.kept.signals[k]) signal[pixel] = 1;
                EXPECT_TRUE(std::ranges::equal(signal, wanted)) << row.info.id << ", frame " << k;
            }
        }
}

TEST(SpotsVariants, dispersion_is_that_of_dials) {
    expect_dials("::/reference/signal_dispersion", Algorithm::dispersion);
}

TEST(SpotsVariants, extended_dispersion_is_that_of_dials) {
    expect_dials("::/reference/signal_dispersion_extended", Algorithm::dispersion_extended);
}

}  // namespace
