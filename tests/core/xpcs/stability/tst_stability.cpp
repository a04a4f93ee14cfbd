// g2 of segments of a series, and the test for a change of the sample: numbers of runs on these frames, the
// rates of false alarms and of changes that are found. The rates that are printed are those of
// docs/dev/numerics.md.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "core/base/random.h"
#include "core/base/threads.h"
#include "core/data/partition/q_partition.h"
#include "core/xpcs/generator.h"
#include "core/xpcs/pairs/kept_pairs.h"
#include "core/xpcs/stability/change_point.h"
#include "core/xpcs/stability/stability.h"
#include "core/xpcs/stability/stability_table.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::stability {
namespace {

using xpcs::BinStability;
using xpcs::Segments;

constexpr std::uint64_t much = std::uint64_t{1} << 40;

Case<std::uint16_t> counted(std::size_t frames) {
    Case<std::uint16_t> given{frames, 6, 20, {}, {}};
    std::mt19937 random(11);
    for (std::size_t i = 0; i < frames * 120; ++i)
        given.counts.push_back(static_cast<std::uint16_t>(random() % 40));
    // Bin 2 has no pixels.
    for (std::size_t p = 0; p < 120; ++p) given.labels.push_back(p % 7 == 0 ? 0 : p % 3 == 1 ? 1 : 3);
    return given;
}

std::vector<BinStability> found_in(const xpcs::CorrelationProblem& problem, std::size_t segments) {
    Progress progress;
    return xpcs::stability_of(problem, segments, much, {2, progress});
}

void expect_same(const std::vector<double>& one, const std::vector<double>& other) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i])))
            << i << ": " << one[i] << ", " << other[i];
}

std::vector<double> row(const Result& result, const char* name, std::size_t bin) {
    const Array& values = result.at(name).values;
    const std::vector<double> all = values.to_doubles();
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(bin * values.shape()[1]);
    return {from, from + static_cast<std::ptrdiff_t>(values.shape()[1])};
}

/// The refusal of a call.
template <class Call>
std::string refused(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

}  // namespace

TEST(Stability, a_segment_has_the_bits_of_a_run_on_its_frames) {
    auto given = counted(46);
    given.left_out = {13, 30};
    const auto problem = given.problem();
    problem->keep_pairs = true;
    const Result kept = run_host(host_variant("host.pairs"), *problem);
    const xpcs::KeptPairs pairs = xpcs::pairs_in(kept);
    Progress progress;
    const auto of_pairs = xpcs::stability_of(pairs.bins, pairs.used, {}, 5, {2, progress});
    const auto of_frames = found_in(*problem, 5);
    ASSERT_EQ(of_frames.size(), 3U);
    EXPECT_TRUE(of_frames[1].segments.empty());
    EXPECT_EQ(of_frames[1].why_not, "the bin has no pixels");
    for (const std::size_t bin : {0, 2})
        for (std::size_t segment = 0; segment < 5; ++segment) {
            auto cut = given;
            cut.frames = 9;
            cut.counts.assign(given.counts.begin() + static_cast<std::ptrdiff_t>(segment * 9 * 120),
                              given.counts.begin() + static_cast<std::ptrdiff_t>((segment + 1) * 9 * 120));
            cut.left_out.clear();
            for (const std::size_t frame : given.left_out)
                if (frame / 9 == segment) cut.left_out.push_back(frame % 9);
            const Result run = run_host(host_variant("host.pairs"), *cut.problem());
            for (const auto& stability : {of_pairs, of_frames}) {
                expect_same(stability[bin].segments[segment].g2, row(run, "g2", bin));
                expect_same(stability[bin].segments[segment].error, row(run, "g2_err", bin));
            }
        }
    ASSERT_TRUE(of_pairs[0].strongest && of_frames[0].strongest);
    EXPECT_EQ(of_pairs[0].strongest->p, of_frames[0].strongest->p);
}

TEST(Stability, what_cannot_be_divided_is_refused_in_a_sentence) {
    const auto problem = counted(15).problem();
    EXPECT_EQ(refused([&] { found_in(*problem, 8); }),
              "8 segments of at least 2 frames need 16 frames, found 15");
    EXPECT_EQ(refused([&] { found_in(*problem, 3); }), "expected 4 to 100 segments, found 3");
    problem->estimate.estimator = xpcs::Estimator::two_level;
    EXPECT_NE(refused([&] { found_in(*problem, 5); }).find("the estimator two-level"), std::string::npos);
    Progress progress;
    EXPECT_NE(refused([&] {
                  xpcs::stability_of(*counted(40).problem(), 5, 1000, {2, progress});
              }).find("for the counts of a segment on the host"),
              std::string::npos);
}

TEST(Stability, segments_without_pairs_are_left_out_of_the_test) {
    auto given = counted(40);
    for (std::size_t frame = 10; frame < 15; ++frame) given.left_out.push_back(frame);
    const auto found = found_in(*given.problem(), 8);
    EXPECT_TRUE(found[0].strongest);
    for (std::size_t frame = 15; frame < 35; ++frame) given.left_out.push_back(frame);
    const auto few = found_in(*given.problem(), 8);
    EXPECT_FALSE(few[0].strongest);
    EXPECT_EQ(few[0].why_not, "only 3 segments have g2 at delays 1 to 2, and the test needs 4");
}

TEST(Stability, frames_that_are_all_alike_are_not_tested) {
    auto given = counted(40);
    std::fill(given.counts.begin(), given.counts.end(), std::uint16_t{7});
    const auto found = found_in(*given.problem(), 8);
    EXPECT_EQ(found[0].why_not, "g2 of the segments does not scatter");
}

TEST(Stability, what_is_found_is_said_with_frames_of_the_file) {
    Segments segments{.count = 10, .length = 25, .first = 100, .reduction = {.average = 2}};
    BinStability bin;
    bin.strongest = xpcs::ChangePoint{5, 80, 3e-5};
    EXPECT_EQ(xpcs::change_text(bin, segments), "from frame 350 on: another sample, p = 3e-05");
    bin.strongest->p = 0.0097;
    EXPECT_EQ(xpcs::change_text(bin, segments), "from frame 350 on: another sample, p = 0.0097");
    bin.strongest->p = 1e-20;
    EXPECT_EQ(xpcs::change_text(bin, segments), "from frame 350 on: another sample, p < 1e-09");
    bin.strongest->p = 0.42;
    EXPECT_EQ(xpcs::change_text(bin, segments), "no change found (p = 0.42)");
    bin.segments = {{{1.5, 1.25}, {0.5, 0.125}}, {{1, 2}, {3, std::nan("")}}};
    bin.strongest->p = 0.001;
    EXPECT_EQ(xpcs::stability_csv({{}, bin}, segments),
              "bin,segment,first_frame,last_frame,delay,g2,g2_err,p,change_frame\n"
              "2,1,100,149,0,1.5,0.5,0.001,350\n2,1,100,149,1,1.25,0.125,0.001,350\n"
              "2,2,150,199,0,1,3,0.001,350\n2,2,150,199,1,2,nan,0.001,350\n");
}

TEST(Stability, the_last_frame_of_a_segment_is_one_that_it_uses) {
    const Segments strided{.count = 4, .length = 2, .first = 0, .reduction = {.stride = 5}};
    EXPECT_EQ(strided.last_of(0), 5U);
    EXPECT_EQ(strided.last_of(3), 35U);
    const Segments sums{.count = 4, .length = 2, .first = 1, .reduction = {.average = 3}};
    EXPECT_EQ(sums.last_of(0), 6U);
    // Frames 10, 12, 14 and 16, 18, 20 are the first segment.
    const Segments both{.count = 4, .length = 2, .first = 10, .reduction = {.stride = 2, .average = 3}};
    EXPECT_EQ(both.last_of(0), 20U);
    EXPECT_EQ(both.first_of(1), 22U);
}

/// Vectors of normal numbers with equal correlations between neighbours.
TEST(Stability, p_is_uniform_without_a_change) {
    Random random(5, 0);
    for (const std::size_t n : {6, 14}) {
        const std::vector<double> correlation = xpcs::correlation_of_means(n, 10, 1e-3);
        int below_tenth = 0, below_half = 0;
        constexpr int series = 200;
        for (int one = 0; one < series; ++one) {
            std::vector<std::vector<double>> vectors;
            for (std::size_t i = 0; i < n; ++i) {
                const auto [a, b] = random.normal();
                vectors.push_back({a, 0.9 * a + 0.1 * b, 5 + b + random.normal().first});
            }
            const auto found = xpcs::strongest_change(vectors, correlation);
            ASSERT_TRUE(found);
            below_tenth += found->p < 0.1 ? 1 : 0;
            below_half += found->p < 0.5 ? 1 : 0;
        }
        EXPECT_NEAR(below_tenth, 0.1 * series, 3 * std::sqrt(0.09 * series)) << n;
        EXPECT_NEAR(below_half, 0.5 * series, 3 * std::sqrt(0.25 * series)) << n;
    }
}

TEST(Stability, the_test_does_not_depend_on_units_or_offsets) {
    Random random(6, 0);
    std::vector<std::vector<double>> vectors, scaled;
    for (int i = 0; i < 12; ++i) {
        const auto [a, b] = random.normal();
        vectors.push_back({a + (i >= 7 ? 3 : 0), b});
        scaled.push_back({1000 * vectors.back()[0] + 5, vectors.back()[0] - 1e-3 * b});
    }
    const std::vector<double> correlation = xpcs::correlation_of_means(12, 20, 10);
    const auto one = xpcs::strongest_change(vectors, correlation),
               other = xpcs::strongest_change(scaled, correlation);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->first, 7U);
    EXPECT_EQ(one->first, other->first);
    EXPECT_NEAR(one->t2, other->t2, 1e-6 * one->t2);
}

namespace {

struct Found {
    int bins = 0, alarms = 0, in_place = 0;
};

/// Changes in large bins, and in those of fewer pixels.
struct Rates {
    Found large, small;
};
constexpr std::size_t many_pixels = 500;

/// Speckle of 300 frames of 121 x 121 pixels in rings, in 10 segments. @param change whether rates double
/// half-way
Rates rates(std::uint64_t seeds, bool change, double gamma_min, double gamma_max) {
    Rates all;
    Progress progress;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        xpcs::SyntheticSpec spec;
        spec.frames = 300;
        spec.height = spec.width = 121;
        spec.ring_width = 10;
        spec.seed = seed;
        spec.gamma_min = gamma_min;
        spec.gamma_max = gamma_max;
        if (change) spec.change_frame = 150;
        xpcs::SyntheticFrames made = xpcs::make_speckle_frames(spec, progress);
        const QPartition partition = QPartition::from_array(made.labels, "labels");
        const xpcs::CorrelationProblem problem(
            std::make_shared<MemoryFrames>("speckle", std::move(made.stack)), partition, 0, 300, 0,
            std::nullopt, std::numeric_limits<std::uint64_t>::max(), progress);
        const std::vector<BinStability> bins =
            xpcs::stability_of(problem, 10, much, {compute_threads(), progress});
        for (std::size_t i = 0; i < bins.size(); ++i) {
            const BinStability& bin = bins[i];
            if (bin.segments.empty()) continue;
            Found& found = partition.bin_size(i) >= many_pixels ? all.large : all.small;
            EXPECT_TRUE(bin.strongest) << bin.why_not;
            ++found.bins;
            if (!bin.changes()) continue;
            ++found.alarms;
            if (bin.strongest->first >= 4 && bin.strongest->first <= 6) ++found.in_place;
        }
    }
    const auto print = [&](const char* which, const Found& found) {
        std::printf("gamma %g to %g, %s, %s %zu pixels: %d of %d bins, %d within a segment\n", gamma_min,
                    gamma_max, change ? "rates double" : "no change", which, many_pixels, found.alarms,
                    found.bins, found.in_place);
    };
    print("at least", all.large);
    print("below", all.small);
    return all;
}

}  // namespace

// 1 / gamma is 10 to 200 frames; a segment has 30.
TEST(Stability, a_stationary_series_gives_as_few_alarms_as_stated) {
    const Rates usual = rates(30, false, 0.005, 0.1), slow = rates(10, false, 0.0005, 0.005);
    EXPECT_GE(usual.large.bins, 200);
    EXPECT_LE(usual.large.alarms + usual.small.alarms,
              (usual.large.bins + usual.small.bins) * 2.5 * xpcs::change_level);
    EXPECT_LE(slow.large.alarms + slow.small.alarms,
              (slow.large.bins + slow.small.bins) * 4 * xpcs::change_level);
}

TEST(Stability, rates_that_double_half_way_are_found_there) {
    const Found found = rates(30, true, 0.005, 0.1).large;
    EXPECT_GE(found.bins, 200);
    EXPECT_GE(found.in_place, 0.95 * found.bins);
}

}  // namespace ks::tests::stability
