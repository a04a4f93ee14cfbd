// Signal that the device groups: the table is byte for byte that of the host, whatever the signal looks like.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/spots/collector.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/gpu/spots/spots_device.h"

namespace spots_groups_test {

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

/// Kernels that find the signal that a test made.
class GivenSignal : public gpu::spots::SignalKernels {
  public:
    static inline std::vector<std::vector<std::uint32_t>> signals;  ///< of the frames that are there
    static inline std::size_t at_once = 1;

    explicit GivenSignal(const SpotProblem& problem) : layout_(problem.layout()) {}
    std::uint64_t scratch_bytes() const override { return 0; }
    void prepare(gpu::LaunchContext&, const gpu::Buffer&) override {}
    bool wants_cleared_bits() const override { return false; }
    std::size_t frames_at_once() const override { return at_once; }
    std::string names() const override { return "given"; }
    void enqueue(gpu::LaunchContext& context, const gpu::spots::FrameOnDevice& frame) override {
        const std::size_t words = (layout_.width + 31) / 32;
        std::vector<std::uint32_t> bits;
        for (std::size_t k = 0; k < frame.frames; ++k) {
            const auto& signal = signals[next_++];
            for (const auto& origin : layout_.origins)
                for (std::size_t y = 0; y < layout_.height; ++y) {
                    std::vector<std::uint32_t> row(words, 0);
                    for (std::size_t x = 0; x < layout_.width; ++x) {
                        const std::size_t pixel = (origin.y + y) * layout_.frame_width + origin.x + x;
                        if (std::ranges::binary_search(signal, pixel)) row[x / 32] |= 1u << x % 32;
                    }
                    bits.insert(bits.end(), row.begin(), row.end());
                }
        }
        context.device().queue().enqueueWriteBuffer(frame.bits.cl(), CL_TRUE, 0, 4 * bits.size(),
                                                    bits.data());
    }

  private:
    ModuleLayout layout_;
    std::size_t next_ = 0;
};

std::unique_ptr<gpu::spots::SignalKernels> make_given(const SpotProblem& problem, gpu::LaunchContext&) {
    return std::make_unique<GivenSignal>(problem);
}

/// Tells which way frames came.
class Counting : public SignalSink {
  public:
    explicit Counting(SpotCollector& to) : to_(to) {}
    bool takes_groups() const override { return true; }
    void add(std::size_t, std::span<const std::byte>, std::span<const std::uint32_t>) override { FAIL(); }
    void add_all(std::span<const FrameSignal> frames) override {
        by_host += frames.size();
        to_.add_all(frames);
    }
    void add_groups(FrameGroups groups) override {
        by_device += groups.spots.frames.size();
        to_.add_groups(std::move(groups));
    }
    std::size_t by_host = 0, by_device = 0;

  private:
    SpotCollector& to_;
};

struct Grouped {
    Result result;
    std::size_t by_host, by_device;
    bool exact;
};

Grouped grouped(gpu::DeviceContext& device, const SpotProblem& problem, std::size_t at_once) {
    GivenSignal::at_once = at_once;
    ks::Run run;
    run.variant = spots_row(takers(problem).front()).info;
    run.device = device.info();
    Progress progress;
    gpu::LaunchContext context(device, run, progress);
    SpotCollector collector(problem);
    Counting sink(collector);
    gpu::spots::find_signal(problem, context, make_given, sink, gpu::spots::GroupsOn::device);
    Result result = collector.result();
    context.finish();
    return {std::move(result), sink.by_host, sink.by_device, collector.exact()};
}

/// @return frames that the device grouped, over all devices and batches
std::size_t expect_table_of_the_host(const Collected& scene, bool exact = true) {
    const SpotProblem problem = scene.problem();
    GivenSignal::signals.clear();
    for (const FrameSignal& found : scene.found())
        GivenSignal::signals.emplace_back(found.signal.begin(), found.signal.end());
    const Result expected = scene.result();
    std::size_t by_device = 0;
    for (const auto& device : test_devices())
        for (const std::size_t at_once : {1, 2, 3, 16}) {
            SCOPED_TRACE(at_once);
            const Grouped found = grouped(*device, problem, at_once);
            EXPECT_EQ(found.exact, exact);
            if (exact) expect_same_results(found.result, expected);
            by_device += found.by_device;
        }
    return by_device;
}

constexpr std::size_t scene_height = 150, scene_width = 203;
using IsSignal = std::function<bool(std::size_t frame, std::size_t y, std::size_t x)>;

template <class T>
Collected scene_of(std::size_t frames, bool stills, unsigned seed, T highest, const IsSignal& is_signal) {
    std::mt19937 random(seed);
    std::vector<T> values(frames * scene_height * scene_width);
    for (T& value : values) value = static_cast<T>(random() % static_cast<unsigned>(highest));
    Collected scene{Array::of<T>({frames, scene_height, scene_width}, values)};
    for (std::size_t k = 0; k < frames; ++k) {
        auto& signal = scene.signals.emplace_back();
        for (std::size_t y = 0; y < scene_height; ++y)
            for (std::size_t x = 0; x < scene_width; ++x)
                if (is_signal(k, y, x)) signal.push_back(static_cast<std::uint32_t>(y * scene_width + x));
    }
    for (std::size_t i = 0; i < scene_height * scene_width; ++i)
        scene.ignore.push_back(random() % 50 == 0 ? 1 : 0);
    for (auto& signal : scene.signals)
        std::erase_if(signal, [&](std::uint32_t pixel) { return scene.ignore[pixel] != 0; });
    scene.grouping.stills = stills;
    return scene;
}

/// Blobs at random places, some at borders, that stay for some frames and wander.
IsSignal blobs(std::size_t frames, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<bool>> marks(frames, std::vector<bool>(scene_height * scene_width));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t y0 = random() % scene_height, x0 = random() % scene_width,
                          first = random() % frames;
        for (std::size_t k = first; k < std::min(frames, first + 1 + random() % 7); ++k)
            for (std::size_t n = 0; n < 2 + random() % 12; ++n) {
                const std::size_t y = y0 + random() % 4, x = x0 + (k - first) + random() % 5;
                if (y < scene_height && x < scene_width) marks[k][y * scene_width + x] = true;
            }
    }
    return [marks](std::size_t k, std::size_t y, std::size_t x) { return marks[k][y * scene_width + x]; };
}

template <class T>
void expect_blobs(T highest, unsigned seed) {
    for (const bool stills : {false, true}) {
        SCOPED_TRACE(name_of(element_type_of<T>()));
        EXPECT_GT(expect_table_of_the_host(scene_of<T>(7, stills, seed, highest, blobs(7, 60, seed))), 0u);
    }
}

TEST(SpotsGroups, counts_of_every_type_make_the_table_of_the_host) {
    expect_blobs<std::uint8_t>(255, 1);
    expect_blobs<std::uint16_t>(65535, 2);
    expect_blobs<std::uint32_t>(100000, 3);
    expect_blobs<std::int16_t>(32767, 4);
    expect_blobs<std::int32_t>(200000, 5);
    expect_blobs<std::int64_t>(200000, 6);
}

TEST(SpotsGroups, all_zeros_and_ties_make_the_table_of_the_host) {
    EXPECT_GT(expect_table_of_the_host(scene_of<std::uint16_t>(5, false, 11, 1, blobs(5, 50, 11))), 0u);
    EXPECT_GT(expect_table_of_the_host(scene_of<std::uint16_t>(5, false, 12, 2, blobs(5, 50, 12))), 0u);
}

/// A spiral of one pixel's width with one pixel between its arms, the square [0, side) from (y0, x0) on.
std::vector<std::vector<bool>> spiral(std::size_t side) {
    std::vector<std::vector<bool>> marks(side, std::vector<bool>(side));
    int y = 0, x = 0, dy = 0, dx = 1;
    const auto is = [&](int a, int b) {
        return a >= 0 && b >= 0 && a < static_cast<int>(side) && b < static_cast<int>(side) &&
               marks[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
    };
    for (std::size_t turns = 0; turns < 2;) {
        marks[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = true;
        const int to_y = y + dy, to_x = x + dx;
        const bool outside =
            to_y < 0 || to_x < 0 || to_y >= static_cast<int>(side) || to_x >= static_cast<int>(side);
        if (outside || is(to_y, to_x) || is(to_y + dy, to_x + dx)) {
            std::swap(dy, dx);
            dx = -dx;
            ++turns;
            continue;
        }
        turns = 0;
        y = to_y;
        x = to_x;
    }
    return marks;
}

TEST(SpotsGroups, awkward_shapes_make_the_table_of_the_host) {
    const auto turns = spiral(50);
    const std::vector<std::pair<const char*, IsSignal>> shapes{
        {"spiral",
         [&](std::size_t k, std::size_t y, std::size_t x) {
             return y >= 3 && y < 53 && x >= 20 + k && x < 70 + k && turns[y - 3][x - 20 - k];
         }},
        {"comb",
         [](std::size_t k, std::size_t y, std::size_t x) {
             return y < 30 && x < 100 && (k == 0 ? y == 29 || x % 4 == 0 : y == 0 || x % 4 == 1);
         }},
        {"checkerboard", [](std::size_t k, std::size_t y,
                            std::size_t x) { return y < 20 && x > 190 && (y + x + k) % 2 == 0; }},
        {"U",
         [](std::size_t k, std::size_t y, std::size_t x) {
             const std::size_t a = x % 40;
             return y < 25 &&
                    (k % 2 == 0 ? a == 31 || a == 37 || (y == 24 && a > 31 && a < 37) : y == 3 && a == 37);
         }},
        {"nested",
         [](std::size_t k, std::size_t y, std::size_t x) {
             const std::size_t ring =
                 std::min(std::min(y, x), std::min(std::size_t{40} - std::min<std::size_t>(y, 40),
                                                   std::size_t{40} - std::min<std::size_t>(x, 40)));
             return y <= 40 && x <= 40 && ring % 3 == k % 2;
         }},
        {"rows",
         [](std::size_t k, std::size_t y, std::size_t) { return y == 7 * (k + 1) || y + 1 == scene_height; }},
        {"columns", [](std::size_t k, std::size_t,
                       std::size_t x) { return x == 31 + k || x == 0 || x + 1 == scene_width; }},
        {"one pixel", [](std::size_t k, std::size_t y, std::size_t x) { return k == 1 && y == 0 && x == 0; }},
        {"the last pixel", [](std::size_t, std::size_t y,
                              std::size_t x) { return y + 1 == scene_height && x + 1 == scene_width; }},
        {"nothing", [](std::size_t, std::size_t, std::size_t) { return false; }},
        {"every other frame",
         [](std::size_t k, std::size_t y, std::size_t x) { return k % 2 == 0 && y < 9 && x < 9; }},
        {"all", [](std::size_t, std::size_t, std::size_t) { return true; }},
        {"all of one frame",
         [](std::size_t k, std::size_t y, std::size_t x) { return k == 2 || (y == 5 && x < 9); }},
        {"single pixels",
         [](std::size_t, std::size_t y, std::size_t x) { return y % 3 == 0 && x % 3 == 0; }}};
    for (const auto& [name, shape] : shapes)
        for (const bool stills : {false, true}) {
            SCOPED_TRACE(name);
            const std::size_t by_device =
                expect_table_of_the_host(scene_of<std::uint16_t>(5, stills, 21, 1000, shape));
            const bool dense = std::string(name) == "all" || std::string(name) == "single pixels";
            if (!test_devices().empty()) {
                EXPECT_EQ(by_device > 0, !dense);
            }
        }
}

TEST(SpotsGroups, frames_of_one_pixel_and_of_one_row_make_the_table_of_the_host) {
    for (const auto& [height, width] :
         {std::pair<std::size_t, std::size_t>{3, 3}, {3, 64}, {65, 3}, {33, 32}}) {
        std::vector<std::uint16_t> values(3 * height * width, 9);
        Collected scene{Array::of<std::uint16_t>({3, height, width}, values)};
        scene.signals.assign(3, {0, 1, static_cast<std::uint32_t>(height * width - 1)});
        EXPECT_GT(expect_table_of_the_host(scene), 0u);
    }
}

TEST(SpotsGroups, modules_and_missing_frames_make_the_table_of_the_host) {
    for (const char* modules : {"whole", "40,33,3,5", "50,64,0,0", "31,203,1,0"})
        for (const std::set<std::size_t>& missing : {std::set<std::size_t>{}, {2}, {0, 3, 4}, {6}}) {
            Collected scene = scene_of<std::uint16_t>(7, false, 31, 3000, blobs(7, 60, 31));
            scene.modules = modules;
            scene.missing = missing;
            scene.limit = 2500;
            const SpotProblem problem = scene.problem();
            const BitImage& unused = problem.mask()->unused();
            for (auto& signal : scene.signals)
                std::erase_if(signal, [&](std::uint32_t pixel) {
                    return (unused.bits(pixel / scene_width, pixel % scene_width) & 1) != 0;
                });
            SCOPED_TRACE(modules);
            EXPECT_GT(expect_table_of_the_host(scene), 0u);
        }
}

TEST(SpotsGroups, negative_counts_are_no_background) {
    Collected scene = scene_of<std::int32_t>(3, false, 41, 1000, blobs(3, 40, 41));
    const auto values = scene.stack.as<std::int32_t>();
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = -1;
    for (std::size_t k = 0; k < 3; ++k)
        std::erase_if(scene.signals[k], [&](std::uint32_t pixel) {
            return values[k * scene_height * scene_width + pixel] < 0;
        });
    EXPECT_GT(expect_table_of_the_host(scene), 0u);
}

TEST(SpotsGroups, sums_that_doubles_do_not_hold_are_told) {
    Collected scene = scene_of<std::uint32_t>(3, false, 51, 1000, blobs(3, 40, 51));
    const auto values = scene.stack.as<std::uint32_t>();
    values[scene.signals[1].front() + scene_height * scene_width] = 4294967295u;
    expect_table_of_the_host(scene, false);
    const SpotProblem problem = scene.problem();
    GivenSignal::signals = scene.signals;
    GivenSignal::at_once = 2;
    for (const auto& device : test_devices()) {
        ks::Run run;
        run.variant = spots_row(takers(problem).front()).info;
        run.device = device->info();
        Progress progress;
        gpu::LaunchContext context(*device, run, progress);
        expect_same_results(
            gpu::spots::launch_spots(problem, context, make_given, gpu::spots::GroupsOn::device),
            scene.result());
    }
}

TEST(SpotsGroups, a_small_budget_is_kept_and_changes_nothing) {
    for (const char* modules : {"whole", "40,33,3,5"}) {
        Collected scene = scene_of<std::uint16_t>(7, false, 71, 3000, blobs(7, 60, 71));
        scene.modules = modules;
        const SpotProblem problem = scene.problem();
        const BitImage& unused = problem.mask()->unused();
        for (auto& signal : scene.signals)
            std::erase_if(signal, [&](std::uint32_t pixel) {
                return (unused.bits(pixel / scene_width, pixel % scene_width) & 1) != 0;
            });
        GivenSignal::signals = scene.signals;
        GivenSignal::at_once = 4;
        const Result expected = scene.result();
        std::size_t by_device = 0, runs = 0;
        for (const auto& device : test_devices())
            for (std::uint64_t budget = 160'000; budget < 2'500'000; budget += 90'000) {
                ks::Run run;
                run.variant = spots_row(takers(problem).front()).info;
                run.device = device->info();
                run.request.memory_limit = budget;
                Progress progress;
                try {
                    gpu::LaunchContext context(*device, run, progress);
                    const Result found =
                        gpu::spots::launch_spots(problem, context, make_given, gpu::spots::GroupsOn::device);
                    context.finish();
                    EXPECT_LE(run.device_bytes_peak, budget);
                    expect_same_results(found, expected);
                    const auto kernels = found.facts["kernels"].get<std::string>();
                    by_device += kernels.find("sum_background") != std::string::npos ? 1 : 0;
                    ++runs;
                } catch (const Error& error) {
                    EXPECT_EQ(error.where(), "memory-limit");
                }
            }
        if (!test_devices().empty()) {
            EXPECT_GT(by_device, 0u);
            EXPECT_LT(by_device, runs);
        }
    }
}

TEST(SpotsGroups, the_same_spots_are_kept) {
    for (const double most : {0.0, 0.5, 1.0, 2.0, 1e-200, 1e300})
        for (const unsigned highest :
             {1u, 2u, 1000u}) {  // zeros: peaks are at round distances from centroids
            SCOPED_TRACE(most);
            Collected scene =
                scene_of<std::uint16_t>(5, false, 81, static_cast<std::uint16_t>(highest), blobs(5, 60, 81));
            scene.grouping.min_size = 3;
            scene.grouping.max_size = 9;
            scene.grouping.max_separation = most;
            EXPECT_GT(expect_table_of_the_host(scene), 0u);
        }
}

TEST(SpotsGroups, a_geometry_makes_the_table_of_the_host) {
    Collected scene = scene_of<std::uint16_t>(5, false, 91, 1000, blobs(5, 60, 91));
    scene.geometry = {1.0, 100, -100.5, 71.5, 100, 100};
    for (const auto& [d_min, d_max, ice] :
         {std::tuple<std::optional<double>, std::optional<double>, std::optional<double>>{{}, {}, {}},
          {5.0, {}, {}},
          {{}, 6.0, 0.01}}) {
        scene.grouping.d_min = d_min;
        scene.grouping.d_max = d_max;
        scene.grouping.ice_width = ice;
        scene.grouping.max_separation = 2;
        EXPECT_GT(expect_table_of_the_host(scene), 0u);
    }
}

TEST(SpotsGroups, counts_with_fractions_are_left_to_the_host) {
    const Collected scene = scene_of<float>(3, false, 61, 1000, blobs(3, 40, 61));
    EXPECT_EQ(expect_table_of_the_host(scene), 0u);
}

}  // namespace

}  // namespace spots_groups_test
