// The ways of frames to a device: in one go, by pieces and bands, as the pixels of some bins. The result is
// the same bytes, and each way uploads what it says.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "core/xpcs/problem.h"
#include "gpu/xpcs/launch.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/variant_table.h"
#include "tests/gpu/xpcs/direct_oracle.h"

namespace ks::tests::uploads {
namespace {

using gpu::xpcs::FramesPlan;
using xpcs::CorrelationProblem;

constexpr std::size_t frames = 330, height = 24, width = 27, pixels = height * width;
constexpr std::size_t no_failure = frames;

/// Frames that are read anew each time, up to one that cannot be.
template <class T>
class ReadAgain : public FrameSource {
  public:
    explicit ReadAgain(std::vector<T> counts) : counts_(std::move(counts)) {}
    std::string name() const override { return "read again"; }
    std::string identity() const override { return "read again"; }
    std::size_t frames() const override { return uploads::frames; }
    std::size_t height() const override { return uploads::height; }
    std::size_t width() const override { return uploads::width; }
    ElementType type() const override { return element_type_of<T>(); }
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        if (first + count > fails_at) throw Error(ErrorKind::input, "the disk is gone", name());
        std::memcpy(into.data(), counts_.data() + first * uploads::pixels, into.size());
    }
    std::size_t fails_at = no_failure;

  private:
    std::vector<T> counts_;
};

template <class T>
std::vector<T> random_counts() {
    std::mt19937 random(11);
    std::poisson_distribution<int> counts(sizeof(T) == 1 ? 3 : 700);
    std::vector<T> values(frames * pixels);
    for (T& value : values) value = static_cast<T>(counts(random));
    return values;
}

/// Seven bins of unequal size that are scattered over the frame, one of them empty, and pixels of none.
std::vector<std::int32_t> scattered_labels() {
    std::mt19937 random(5);
    std::vector<std::int32_t> labels(pixels, 0);
    for (std::size_t i = 0; i < pixels; ++i) {
        const auto drawn = static_cast<std::int32_t>(random() % 20);
        labels[i] = i / 100 % 2 == 0 ? 1 : drawn > 7 ? 0 : drawn == 4 ? 3 : drawn;
    }
    return labels;
}

enum class Where { memory, file };

template <class T>
std::shared_ptr<const CorrelationProblem> problem(Where where, std::size_t two_time_bin = 0,
                                                  std::shared_ptr<FrameSource> source = nullptr) {
    Progress progress;
    if (!source && where == Where::memory)
        source = std::make_shared<MemoryFrames>("counts",
                                                Array::of<T>({frames, height, width}, random_counts<T>()));
    if (!source) source = std::make_shared<ReadAgain<T>>(random_counts<T>());
    return std::make_shared<CorrelationProblem>(source, QPartition(height, width, scattered_labels()), 0,
                                                frames, two_time_bin, std::nullopt, 0, progress);
}

const gpu::ClVariant& gram_row() {
    static const gpu::ClVariant row =
        tests::row_of(gpu::xpcs::cl_variants(), ids_of(gpu::xpcs::cl_variants(), [](const Variant& variant) {
                                                    return variant.streaming == Streaming::time_slabs;
                                                }).front());
    return row;
}

using Defines = std::map<std::string, std::string>;

Run run_by(gpu::DeviceContext& device, const FramesPlan& plan, const CorrelationProblem& problem,
           const Defines& defines = {}, std::optional<std::uint64_t> memory_limit = {}) {
    Run run;
    run.variant = gram_row().info;
    run.device = device.info();
    run.request.analysis = "xpcs";
    run.request.variant = run.variant.id;
    run.request.defines = defines;
    run.request.memory_limit = memory_limit;
    Progress progress;
    gpu::LaunchContext context(device, run, progress, gram_row().tuning);
    run.result = gpu::xpcs::launch_gram_by_plan(problem, context, plan);
    context.finish();
    return run;
}

/// As on a device that has none of the frames.
Run run_anew(gpu::DeviceContext& device, const FramesPlan& plan, const CorrelationProblem& problem,
             const Defines& defines = {}, std::optional<std::uint64_t> memory_limit = {}) {
    device.shrink_resident(0);
    return run_by(device, plan, problem, defines, memory_limit);
}

const FramesPlan in_one_go{};

FramesPlan by_pieces(bool overlaps, std::size_t bands, bool packs = false) {
    FramesPlan plan;
    plan.staging = {.staged = true, .overlaps = overlaps, .piece_bytes = 9000, .pieces = 2, .least_bytes = 0};
    plan.packs = packs;
    plan.band_bytes = 1;
    plan.most_bands = bands;
    return plan;
}

Timing stage_of(const Run& run, const std::string& stage) {
    for (const Timing& row : run.timings)
        if (row.stage == stage) return row;
    return {.stage = stage, .launches = 0};
}

void expect_same(const Run& expected, const Run& found, const std::string& what) {
    for (const char* name : {"g2", "g2_err"})
        EXPECT_TRUE(expected.result.at(name).values == found.result.at(name).values) << what << ", " << name;
    const Dataset *map = expected.result.find("two_time"), *other = found.result.find("two_time");
    ASSERT_EQ(map == nullptr, other == nullptr) << what;
    // NaN is no value that equals itself.
    if (map == nullptr) return;
    EXPECT_TRUE(std::ranges::equal(map->values.bytes(), other->values.bytes())) << what;
}

/// Rows of bins [first, end) of the whole's curves, as bytes.
void expect_rows(const Run& whole, const Run& part, std::size_t first, std::size_t end) {
    for (const char* name : {"g2", "g2_err"}) {
        const auto all = whole.result.at(name).values.bytes(), some = part.result.at(name).values.bytes();
        const std::size_t row = frames * sizeof(double);
        ASSERT_EQ(some.size(), (end - first) * row);
        EXPECT_TRUE(std::ranges::equal(all.subspan(first * row, some.size()), some)) << name;
    }
}

TEST(XpcsUploads, bands_by_pieces_give_the_definition_and_the_bytes_of_frames_in_one_go) {
    const auto given = problem<std::uint8_t>(Where::memory, 3);
    const std::vector<std::uint8_t> counts = random_counts<std::uint8_t>();
    const DirectOracle oracle{frames, pixels, {counts.begin(), counts.end()}, scattered_labels()};
    for (const auto& device : test_devices()) {
        const ks::Run expected = run_anew(*device, in_one_go, *given);
        const auto g2 = expected.result.at("g2").values.as<double>();
        for (const std::int32_t bin : {1, 3, 7}) {
            const auto direct = oracle.bin(bin);
            for (std::size_t tau = 0; tau < frames; ++tau)
                ASSERT_NEAR(g2[(static_cast<std::size_t>(bin) - 1) * frames + tau], direct[tau].g2, 1e-12);
        }
        for (const bool overlaps : {false, true})
            for (const std::size_t bands : {1U, 2U, 3U}) {
                const std::string what = device->info().name + ", " + std::to_string(bands) + " bands" +
                                         (overlaps ? " beside kernels" : "");
                const ks::Run found = run_anew(*device, by_pieces(overlaps, bands), *given);
                expect_same(expected, found, what);
                EXPECT_EQ(stage_of(found, "regroup").launches, overlaps ? bands : 1U) << what;
                EXPECT_EQ(stage_of(found, "stage for upload").bytes, frames * pixels) << what;
                EXPECT_EQ(stage_of(found, "upload frames").bytes, frames * pixels) << what;
                const ks::Run again = run_by(*device, by_pieces(overlaps, bands), *given);
                expect_same(expected, again, what + ", again");
                EXPECT_EQ(stage_of(again, "upload frames").launches, 0U) << what;
                EXPECT_EQ(stage_of(again, "regroup").launches, 1U) << what;
            }
    }
}

TEST(XpcsUploads, few_delays_and_counts_of_two_bytes_are_the_same_bytes_in_bands) {
    auto some = std::make_shared<CorrelationProblem>(*problem<std::uint16_t>(Where::memory));
    some->limit_delays(70);
    for (const auto& device : test_devices())
        for (const char* tile : {"16", "64"}) {
            const Defines defines{{"TILE", tile}, {"PRODUCT", "vector"}};
            expect_same(run_anew(*device, in_one_go, *some, defines),
                        run_anew(*device, by_pieces(true, 4), *some, defines), device->info().name);
        }
}

TEST(XpcsUploads, a_device_without_double_precision_gets_them_at_once) {
    const auto given = problem<std::uint8_t>(Where::memory);
    const Defines no_doubles{{"FP64", "0"}};
    for (const auto& device : test_devices()) {
        const ks::Run found = run_anew(*device, by_pieces(true, 4), *given, no_doubles);
        expect_same(run_anew(*device, in_one_go, *given, no_doubles), found, device->info().name);
        EXPECT_EQ(stage_of(found, "regroup").launches, 1U);
    }
}

TEST(XpcsUploads, frames_of_a_file_are_read_right_into_the_pieces) {
    const auto given = problem<std::uint16_t>(Where::file);
    const auto in_memory = problem<std::uint16_t>(Where::memory);
    for (const auto& device : test_devices()) {
        const ks::Run found = run_anew(*device, by_pieces(true, 4), *given);
        expect_same(run_anew(*device, in_one_go, *in_memory), found, device->info().name);
        EXPECT_EQ(stage_of(found, "read").bytes, 2 * frames * pixels);
        EXPECT_EQ(stage_of(found, "stage for upload").launches, 0U);
    }
}

TEST(XpcsUploads, a_part_uploads_the_pixels_of_its_bins_alone) {
    const std::vector<std::pair<std::size_t, std::size_t>> ranges{{0, 1}, {1, 7}, {2, 5}, {4, 7}};
    for (const auto where : {Where::memory, Where::file}) {
        const auto whole = problem<std::uint16_t>(where, 3);
        for (const auto& device : test_devices()) {
            const ks::Run expected = run_anew(*device, in_one_go, *whole);
            for (const auto& [first, end] : ranges) {
                const auto part = whole->part(first, end);
                const ks::Run found = run_anew(*device, by_pieces(true, 3, true), *part);
                expect_rows(expected, found, first, end);
                const std::uint64_t bytes = 2 * frames * part->partition().selected();
                ASSERT_LT(bytes, 2 * frames * pixels * 7 / 8);
                EXPECT_EQ(stage_of(found, "upload frames").bytes, bytes);
                EXPECT_EQ(stage_of(found, where == Where::file ? "read and pack" : "pack for upload").bytes,
                          bytes);
                const ks::Run again = run_by(*device, by_pieces(true, 3, true), *part);
                expect_rows(expected, again, first, end);
                EXPECT_EQ(stage_of(again, "upload frames").launches, 0U);
            }
        }
    }
}

TEST(XpcsUploads, parts_that_together_are_more_than_a_frame_upload_all_of_it_once) {
    const auto whole = problem<std::uint8_t>(Where::memory);
    const FramesPlan plan = by_pieces(true, 2, true);
    const std::uint64_t all = frames * pixels;
    for (const auto& device : test_devices()) {
        const ks::Run expected = run_anew(*device, in_one_go, *whole);
        const auto uploaded = [&](std::size_t first, std::size_t end) {
            const ks::Run run = run_by(*device, plan, *whole->part(first, end));
            expect_rows(expected, run, first, end);
            return stage_of(run, "upload frames").bytes;
        };
        device->shrink_resident(0);
        std::uint64_t some = 0;
        EXPECT_LT(some += uploaded(0, 1), all);
        EXPECT_GT(some, all / 2);  // of the largest bin
        EXPECT_EQ(uploaded(0, 2), all) << "its own and those before are more than all";
        EXPECT_EQ(uploaded(1, 7), 0U) << "all are there";
    }
}

TEST(XpcsUploads, a_later_run_that_lacks_a_part_uploads_all_of_it) {
    const auto whole = problem<std::uint8_t>(Where::memory);
    const FramesPlan plan = by_pieces(true, 2, true);
    for (const auto& device : test_devices()) {
        const ks::Run expected = run_anew(*device, in_one_go, *whole);
        const auto run_part = [&](std::size_t first, std::size_t end) {
            const ks::Run run = run_by(*device, plan, *whole->part(first, end));
            expect_rows(expected, run, first, end);
            return run;
        };
        const auto uploaded = [](const ks::Run& run) { return stage_of(run, "upload frames").bytes; };
        device->shrink_resident(0);
        EXPECT_GT(uploaded(run_part(0, 1)), 0U);
        EXPECT_LT(uploaded(run_part(4, 5)), frames * pixels / 4);
        const ks::Run again = run_part(0, 1);
        EXPECT_EQ(uploaded(again), 0U);
        EXPECT_EQ(stage_of(again, "select pixels").launches, 0U) << "their places are there";
        EXPECT_EQ(uploaded(run_part(5, 6)), frames * pixels);
        EXPECT_EQ(uploaded(run_part(1, 3)), 0U);
    }
}

/// Of the time of a run that may lie between its stages; sanitizers slow what is there most.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t seams = 8;
#else
constexpr std::uint64_t seams = 20;
#endif

/// "12.3 us between upload rows and launch kernels" for each gap between stages, the longest first.
std::string gaps_text(const std::vector<Timing>& rows, std::uint64_t from, std::uint64_t to) {
    struct Part {
        std::uint64_t start, end;
        std::string stage;
    };
    std::vector<Part> parts{{from, from, "the beginning"}, {to, to, "the end"}};
    for (const Timing& row : rows)
        for (const Span& span : row.spans)
            parts.push_back({span.start, span.start + span.nanoseconds, row.stage});
    std::ranges::sort(parts, {}, &Part::start);
    std::vector<std::pair<std::uint64_t, std::string>> gaps;
    const Part* last = &parts.front();
    for (const Part& part : parts) {
        if (part.start > last->end)
            gaps.emplace_back(part.start - last->end, "between " + last->stage + " and " + part.stage);
        if (part.end >= last->end) last = &part;
    }
    std::ranges::sort(gaps, std::greater());
    std::string text;
    for (const auto& [nanoseconds, place] : gaps)
        text += std::to_string(nanoseconds / 1000) + " us " + place + "\n";
    return text;
}

TEST(XpcsUploads, a_run_in_bands_tells_where_its_time_goes) {
    const auto given = problem<std::uint16_t>(Where::memory);
    const auto part = given->part(0, 2);
    for (const auto& device : test_devices())
        for (const auto& one : {given, part}) {
            // Other processes may take the core between any two stages: the best of some runs counts.
            std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), allowed = 0;
            std::string gaps;
            for (int i = 0; i < 40 && least > allowed; ++i) {
                device->shrink_resident(0);
                const auto start = std::chrono::steady_clock::now();
                const ks::Run run = run_by(*device, by_pieces(true, 3, true), *one);
                const auto wall = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - start) /
                                                             std::chrono::nanoseconds(1));
                least = wall - std::min(wall, covered(run.timings));
                const auto began =
                    static_cast<std::uint64_t>(start.time_since_epoch() / std::chrono::nanoseconds(1));
                gaps = gaps_text(run.timings, began, began + wall);
                allowed = std::max<std::uint64_t>(wall / seams, 50'000);
            }
            EXPECT_LE(least, allowed) << device->info().name << "; of the last run:\n" << gaps;
        }
}

TEST(XpcsUploads, frames_of_a_run_that_failed_are_not_kept) {
    const auto source = std::make_shared<ReadAgain<std::uint8_t>>(random_counts<std::uint8_t>());
    const auto given = problem<std::uint8_t>(Where::file, 0, source);
    for (const auto& device : test_devices()) {
        const FramesPlan plan = by_pieces(true, 4);
        source->fails_at = frames / 2;
        EXPECT_THROW(run_anew(*device, plan, *given), Error);
        EXPECT_EQ(device->find_resident(given->frames_key()), nullptr);
        source->fails_at = no_failure;
        expect_same(run_anew(*device, in_one_go, *given), run_by(*device, plan, *given), device->info().name);
    }
}

TEST(XpcsUploads, rows_that_the_host_regroups_go_by_pieces_too) {
    const auto given = problem<std::uint16_t>(Where::file);
    constexpr std::uint64_t limit = 600'000;
    for (const auto& device : test_devices()) {
        const Defines small_tiles{{"TILE", "16"}, {"PRODUCT", "vector"}};
        const ks::Run expected = run_anew(*device, in_one_go, *given, small_tiles);
        for (const bool overlaps : {false, true}) {
            const ks::Run found = run_anew(*device, by_pieces(overlaps, 2), *given, small_tiles, limit);
            expect_same(expected, found, device->info().name);
            EXPECT_LE(found.device_bytes_peak, limit);
            EXPECT_GT(stage_of(found, "row sums").launches, 1U);
            EXPECT_EQ(stage_of(found, "stage for upload").bytes, stage_of(found, "upload rows").bytes);
        }
    }
}

}  // namespace
}  // namespace ks::tests::uploads
