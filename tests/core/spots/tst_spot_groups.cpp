#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/piece_sums.h"
#include "core/spots/grouping/spot_linker.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/time_limit.h"

// Groups and what is measured of them, against flood fills of dense images.

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

using Pixel = std::array<std::size_t, 3>;  // frame, y, x

/// Dense 3-D images and everything by its definition, two passes for moments.
class Dense {
  public:
    explicit Dense(const Collected& scene)
        : scene_(scene),
          shape_{scene.frames(), scene.height(), scene.width()},
          values_(scene.stack.to_doubles()),
          signal_(values_.size(), 0) {
        for (std::size_t k = 0; k < shape_[0]; ++k)
            if (scene.missing.count(k) == 0)
                for (const std::uint32_t at : scene.signals[k]) signal_[k * shape_[1] * shape_[2] + at] = 1;
    }

    std::vector<Spot> spots() const {
        std::vector<Spot> found;
        std::vector<bool> seen(values_.size(), false);
        for (std::size_t at = 0; at < values_.size(); ++at)
            if (signal_[at] != 0 && !seen[at])
                found.push_back(spot_of(flood(at, seen, scene_.grouping.stills ? 1 : 0)));
        return found;
    }

  private:
    std::size_t index(const Pixel& p) const { return (p[0] * shape_[1] + p[1]) * shape_[2] + p[2]; }

    /// @param first_axis 0: through frames, 1: within one
    std::vector<Pixel> flood(std::size_t from, std::vector<bool>& seen, std::size_t first_axis) const {
        const std::size_t plane = shape_[1] * shape_[2];
        std::vector<Pixel> todo{{from / plane, from % plane / shape_[2], from % shape_[2]}}, all;
        seen[from] = true;
        while (!todo.empty()) {
            const Pixel p = todo.back();
            todo.pop_back();
            all.push_back(p);
            for (std::size_t axis = first_axis; axis < 3; ++axis)
                for (const int step : {-1, 1}) {
                    Pixel q = p;
                    q[axis] += static_cast<std::size_t>(step);
                    if (q[axis] >= shape_[axis] || signal_[index(q)] == 0 || seen[index(q)]) continue;
                    seen[index(q)] = true;
                    todo.push_back(q);
                }
        }
        std::ranges::sort(all);
        return all;
    }

    Spot spot_of(const std::vector<Pixel>& pixels) const {
        Spot s;
        s.n_signal = pixels.size();
        std::array<double, 3> mean{}, spread{};
        double squares = 0;
        std::array<std::size_t, 3> low = pixels[0], high = pixels[0], peak = pixels[0];
        for (const Pixel& p : pixels) {
            const double v = values_[index(p)];
            s.sum += v;
            squares += v * v;
            if (v > values_[index(peak)]) peak = p;
            for (std::size_t a = 0; a < 3; ++a) {
                mean[a] += v * (static_cast<double>(p[a]) + 0.5);
                low[a] = std::min(low[a], p[a]);
                high[a] = std::max(high[a], p[a]);
            }
        }
        for (double& m : mean) m /= s.sum;
        for (const Pixel& p : pixels)
            for (std::size_t a = 0; a < 3; ++a)
                spread[a] += values_[index(p)] * std::pow(static_cast<double>(p[a]) + 0.5 - mean[a], 2);
        for (double& v : spread) v = pixels.size() == 1 ? -1 : v / (s.sum * s.sum - squares) + 1.0 / 12;
        const auto u = [](std::size_t v) { return static_cast<std::uint32_t>(v); };
        s.z0 = u(low[0]), s.y0 = u(low[1]), s.x0 = u(low[2]);
        s.z1 = u(high[0] + 1), s.y1 = u(high[1] + 1), s.x1 = u(high[2] + 1);
        s.z = mean[0], s.y = mean[1], s.x = mean[2];
        s.var_z = spread[0], s.var_y = spread[1], s.var_x = spread[2];
        s.peak = values_[index(peak)];
        s.peak_z = u(peak[0]), s.peak_y = u(peak[1]), s.peak_x = u(peak[2]);
        s.background = background_of(pixels);
        return s;
    }

    double background_of(const std::vector<Pixel>& pixels) const {
        std::vector<bool> seen(values_.size(), false);
        double sum = 0, n = 0;
        for (const Pixel& start : pixels) {
            if (seen[index(start)]) continue;
            const auto piece = flood(index(start), seen, 1);
            std::size_t y0 = start[1], y1 = y0, x0 = start[2], x1 = x0;
            for (const Pixel& p : piece) {
                y0 = std::min(y0, p[1]), y1 = std::max(y1, p[1]);
                x0 = std::min(x0, p[2]), x1 = std::max(x1, p[2]);
            }
            for (std::size_t y = 0; y < shape_[1]; ++y)
                for (std::size_t x = 0; x < shape_[2]; ++x) {
                    if (y + 2 < y0 || y > y1 + 2 || x + 2 < x0 || x > x1 + 2) continue;
                    const std::size_t at = index({start[0], y, x});
                    const bool ignored = !scene_.ignore.empty() && scene_.ignore[y * shape_[2] + x] != 0;
                    if (ignored || signal_[at] != 0 || !std::isfinite(values_[at]) || values_[at] < 0 ||
                        values_[at] >= scene_.limit)
                        continue;
                    sum += values_[at];
                    ++n;
                }
        }
        return n == 0 ? std::nan("") : sum / n;
    }

    const Collected& scene_;
    std::array<std::size_t, 3> shape_;
    std::vector<double> values_;
    std::vector<std::uint8_t> signal_;
};

void expect_same(const std::vector<Spot>& found, const std::vector<Spot>& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Spot &a = found[i], &b = wanted[i];
        ASSERT_EQ(a.n_signal, b.n_signal) << i;
        ASSERT_EQ((std::array{a.x0, a.x1, a.y0, a.y1, a.z0, a.z1}),
                  (std::array{b.x0, b.x1, b.y0, b.y1, b.z0, b.z1}))
            << i;
        ASSERT_EQ((std::array{a.peak_z, a.peak_y, a.peak_x}), (std::array{b.peak_z, b.peak_y, b.peak_x}))
            << i;
        ASSERT_EQ(a.peak, b.peak);
        ASSERT_NEAR(a.sum, b.sum, 1e-12 * b.sum);
        for (const auto member : {&Spot::x, &Spot::y, &Spot::z, &Spot::var_x, &Spot::var_y, &Spot::var_z})
            ASSERT_NEAR(a.*member, b.*member, 1e-9) << i;
        ASSERT_EQ(std::isnan(a.background), std::isnan(b.background)) << i;
        if (std::isnan(b.background)) continue;
        ASSERT_NEAR(a.background, b.background, 1e-9 * (1 + b.background)) << i;
    }
}

/// Noise with a share `density` of its pixels signal: many groups that touch, part and meet again.
template <class T>
Collected noise(double density, unsigned seed, bool stills) {
    constexpr std::size_t frames = 7, height = 23, width = 31;
    std::mt19937 random(seed);
    std::bernoulli_distribution lit(density), bad(0.03);
    std::uniform_int_distribution<int> counts(1, 9), far(0, 4);
    std::vector<T> values(frames * height * width);
    Collected scene{Array(element_type_of<T>(), {0, 0, 0})};
    scene.ignore.assign(height * width, 0);
    for (auto& byte : scene.ignore) byte = bad(random) ? 1 : 0;
    for (std::size_t k = 0, i = 0; k < frames; ++k) {
        auto& signal = scene.signals.emplace_back();
        for (std::uint32_t at = 0; at < height * width; ++at, ++i) {
            const bool is_signal = k != 4 && scene.ignore[at] == 0 && lit(random);
            values[i] = static_cast<T>(counts(random) * (std::is_floating_point_v<T> ? 1.37 : 1));
            if (is_signal) signal.push_back(at);
            if (!is_signal && bad(random)) values[i] = static_cast<T>(100);  // saturated
            if constexpr (std::is_signed_v<T>)
                if (!is_signal && bad(random)) values[i] = static_cast<T>(-5);
            if constexpr (std::is_floating_point_v<T>)
                if (!is_signal && (values[i] < 0 || bad(random))) values[i] = std::nanf("");
        }
    }
    scene.stack = Array::of<T>({frames, height, width}, values);
    scene.grouping.stills = stills;
    scene.limit = 100;
    if (seed % 2 == 0) scene.missing = {2};
    return scene;
}

template <class T>
void expect_flood_fill() {
    unsigned seed = 0;
    for (const double density : {0.02, 0.15, 0.3, 0.45, 0.7})
        for (const bool stills : {false, true})
            for (int round = 0; round < 3; ++round) {
                const Collected scene = noise<T>(density, ++seed, stills);
                SCOPED_TRACE(seed);
                expect_same(scene.spots(), Dense(scene).spots());
                if (testing::Test::HasFatalFailure()) return;
            }
}

}  // namespace

TEST(SpotGroups, noise_of_u8_gives_the_groups_of_a_flood_fill) {
    expect_flood_fill<std::uint8_t>();
}
TEST(SpotGroups, noise_of_u16_gives_the_groups_of_a_flood_fill) {
    expect_flood_fill<std::uint16_t>();
}
TEST(SpotGroups, noise_of_i32_gives_the_groups_of_a_flood_fill) {
    expect_flood_fill<std::int32_t>();
}
TEST(SpotGroups, noise_of_i64_gives_the_groups_of_a_flood_fill) {
    expect_flood_fill<std::int64_t>();
}
TEST(SpotGroups, noise_of_f32_gives_the_groups_of_a_flood_fill) {
    expect_flood_fill<float>();
}

TEST(SpotGroups, pieces_of_a_frame_are_those_of_a_flood_fill_and_numbered_by_their_first_pixels) {
    std::vector<std::uint32_t> comb;  // teeth that meet in the last row only, and a pixel beside
    for (std::uint32_t y = 0; y < 9; ++y)
        for (std::uint32_t x = 0; x < 20; ++x)
            if (x == 19 ? y == 0 : x < 17 && (x % 2 == 0 || y == 8)) comb.push_back(y * 20 + x);
    const FramePieces pieces = pieces_of(comb, 20);
    EXPECT_EQ(pieces.count, 2u);
    for (const SignalRun& run : pieces.runs) EXPECT_EQ(run.piece, run.x0 == 19 ? 1u : 0u);
    EXPECT_EQ(pieces_of({}, 20).count, 0u);
    const std::vector<std::uint32_t> wrapped{19, 20};  // end of a row and start of the next
    EXPECT_EQ(pieces_of(wrapped, 20).count, 2u);
}

TEST(SpotGroups, two_arms_that_meet_in_a_later_frame_are_one_spot) {
    const Collected u = drawn({{"2..3", "...."}, {"2..3", "...."}, {"1111", "...."}});
    const auto spots = u.spots();
    ASSERT_EQ(spots.size(), 1u);
    EXPECT_EQ(spots[0].n_signal, 8u);
    EXPECT_EQ(spots[0].sum, 14);
    EXPECT_EQ(spots[0].x1 - spots[0].x0, 4u);
    EXPECT_EQ(spots[0].z1 - spots[0].z0, 3u);
    EXPECT_NEAR(spots[0].x, (0.5 * 5 + 1.5 + 2.5 + 3.5 * 7) / 14, 1e-12);
    EXPECT_EQ(spots[0].peak_x, 3u);
    EXPECT_EQ(spots[0].peak_z, 0u);
}

TEST(SpotGroups, arms_that_part_again_or_meet_late_in_a_frame_are_one_spot) {
    EXPECT_EQ(drawn({{"1111", "...."}, {"1..1", "...."}}).spots().size(), 1u);
    EXPECT_EQ(drawn({{"1..1", "1..1", "1111"}}).spots().size(), 1u);
    // Three groups of the frame before under one piece, and two pieces over one group.
    EXPECT_EQ(drawn({{"1.1.1", "....."}, {"11111", "....."}, {"1...1", "....."}}).spots().size(), 1u);
}

TEST(SpotGroups, corners_do_not_touch) {
    EXPECT_EQ(drawn({{"1.", ".1"}}).spots().size(), 2u);
    EXPECT_EQ(drawn({{"1.", ".."}, {".1", ".."}}).spots().size(), 2u);
}

TEST(SpotGroups, a_missing_or_empty_frame_parts_a_spot) {
    Collected three = drawn({{"1.."}, {"1.."}, {"1.."}});
    EXPECT_EQ(three.spots().size(), 1u);
    three.missing = {1};
    const auto parted = three.spots();
    ASSERT_EQ(parted.size(), 2u);
    EXPECT_EQ(parted[1].z0, 2u);
    EXPECT_EQ(drawn({{"1.."}, {"..."}, {"1.."}}).spots().size(), 2u);
}

TEST(SpotGroups, stills_are_not_linked) {
    Collected three = drawn({{"1.."}, {"1.."}, {"1.."}});
    three.grouping.stills = true;
    EXPECT_EQ(three.spots().size(), 3u);
}

TEST(SpotGroups, ties_for_the_peak_go_to_the_lowest_frame_y_x) {
    // The second arm begins later and has its 9 in the frame where the first has one further right.
    const auto spots = drawn({{"1..", "..."}, {"1.9", "9.."}, {"111", "..."}}).spots();
    ASSERT_EQ(spots.size(), 1u);
    EXPECT_EQ(spots[0].peak_z, 1u);
    EXPECT_EQ(spots[0].peak_y, 0u);
    EXPECT_EQ(spots[0].peak_x, 2u);
}

TEST(SpotGroups, saturated_counts_of_32_bits_are_summed_exactly) {
    std::vector<std::uint32_t> values(5 * 5, 4294967295u);
    Collected scene{Array::of<std::uint32_t>({1, 5, 5}, values), {{0, 1, 5, 6}}};
    const auto spots = scene.spots();
    ASSERT_EQ(spots.size(), 1u);
    EXPECT_EQ(spots[0].sum, 4.0 * 4294967295.0);
    EXPECT_EQ(spots[0].x, 1);
    EXPECT_EQ(spots[0].y, 1);
    // Four equal weights w: 4 w / 4 / (16 w^2 - 4 w^2) = 1 / (12 w).
    EXPECT_NEAR(spots[0].var_x, 1.0 / 12, 1e-9);
    EXPECT_EQ(spots[0].background, 4294967295.0);
}

TEST(SpotGroups, the_background_is_that_of_the_pixels_around) {
    // A plane 3 y + 5 x: its mean over a symmetric frame of pixels is the value at the middle.
    std::vector<std::uint16_t> values(2 * 9 * 9);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint16_t>(3 * (i % 81 / 9) + 5 * (i % 9));
    Collected scene{Array::of<std::uint16_t>({2, 9, 9}, values), {{40}, {40}}};
    EXPECT_EQ(scene.spots()[0].background, 3 * 4 + 5 * 4);
    scene.ignore.assign(81, 0);
    scene.ignore[38] = scene.ignore[42] = 1;  // left and right of it
    EXPECT_EQ(scene.spots()[0].background, 3 * 4 + 5 * 4);
    scene.ignore.assign(81, 1);
    scene.ignore[40] = 0;
    EXPECT_TRUE(std::isnan(scene.spots()[0].background));
    scene.ignore.clear();
    scene.modules = "9,5,0,0";  // columns 5 to 8 are in no module
    EXPECT_NEAR(scene.spots()[0].background, 12 + 5 * (2 * 5 + 3 * 5 + 4 * 4) / 14.0, 1e-12);
}

TEST(SpotGroups, thirty_thousand_signal_pixels_of_a_large_frame_are_grouped_in_milliseconds) {
    // 2500 blobs of 4 x 3 pixels in 4362 x 4148, in both frames at the same places.
    constexpr std::size_t height = 4362, width = 4148;
    std::vector<std::uint32_t> signal;
    for (std::size_t y = 0; y < 50 * 87; ++y)
        for (std::size_t x = 0; x < 50 * 82; ++x)
            if (y % 87 < 3 && x % 82 < 4) signal.push_back(static_cast<std::uint32_t>(y * width + x));
    ASSERT_EQ(signal.size(), 30000u);
    const std::vector<std::uint16_t> values(height * width, 7);
    const std::vector<std::uint8_t> ignore(height * width, 0);
    const ImageView image{std::as_bytes(std::span(values)), ElementType::u16, height, width, ignore};
    const BitImage unused(height, width);
    SpotLinker linker(false);
    FramePieces before;
    PieceSums sums;
    for (std::size_t frame = 0; frame < 4; ++frame) {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        FramePieces pieces = pieces_of(signal, width);
        const auto labelled = Clock::now();
        sums.start(pieces, image, unused, frame);
        for (std::size_t block = 0; block < sums.blocks(); ++block) sums.measure(block);
        const auto measured = Clock::now();
        std::vector<PieceOverlap> overlaps;
        if (linker.links_to(frame)) find_overlaps(before, pieces, overlaps);
        linker.add(frame, overlaps, sums.sums());
        before = std::move(pieces);
        const auto linked = Clock::now();
        const auto ms = [](auto from, auto to) {
            return std::chrono::duration<double, std::milli>(to - from).count();
        };
        std::cout << "label " << ms(start, labelled) << " ms, measure " << ms(labelled, measured)
                  << " ms, link " << ms(measured, linked) << " ms\n";
        EXPECT_LT(ms(start, linked), time_limit(5000));
    }
    const auto roots = linker.roots();
    ASSERT_EQ(roots.size(), 2500u);
    for (const std::uint32_t root : roots) ASSERT_EQ(linker.spot(root).n_signal, 48u);
    EXPECT_EQ(linker.spot(roots[51]).background, 7);
}

TEST(SpotGroups, batches_and_threads_change_no_byte) {
    unsigned seed = 100;
    for (const bool stills : {false, true})
        for (int round = 0; round < 4; ++round) {
            const Collected scene =
                noise<float>(0.3, ++seed, stills);  // sums of floats depend on their order
            const auto problem = scene.problem();
            const auto frames = scene.found();
            const auto result_of = [&](unsigned threads, std::size_t at_once) {
                SpotCollector collector(problem, threads);
                for (std::size_t first = 0; first < frames.size(); first += at_once)
                    collector.add_all(
                        std::span(frames).subspan(first, std::min(at_once, frames.size() - first)));
                return collector.result();
            };
            const Result wanted = scene.result();
            for (const unsigned threads : {1U, 2U, 9U})
                for (const std::size_t at_once : {1U, 2U, 3U, 7U}) {
                    SCOPED_TRACE(testing::Message() << seed << ": " << threads << ", " << at_once);
                    const Result found = result_of(threads, at_once);
                    ASSERT_EQ(found.datasets.size(), wanted.datasets.size());
                    for (std::size_t i = 0; i < wanted.datasets.size(); ++i)
                        ASSERT_TRUE(std::ranges::equal(found.datasets[i].values.bytes(),
                                                       wanted.datasets[i].values.bytes()))
                            << wanted.datasets[i].name;
                }
        }
}

TEST(SpotGroups, sums_of_a_frame_are_those_of_blocks_of_pieces_whatever_their_order) {
    // 2000 pieces of two pixels, in several blocks.
    constexpr std::size_t height = 200, width = 100;
    std::vector<std::uint32_t> signal;
    std::vector<std::uint16_t> values(height * width);
    for (std::uint32_t at = 0; at < values.size(); ++at) {
        values[at] = static_cast<std::uint16_t>(at * 7919 % 1009);
        if (at / width % 2 == 0 && at % 5 < 2) signal.push_back(at);
    }
    const std::vector<std::uint8_t> ignore(values.size(), 0);
    const ImageView image{std::as_bytes(std::span(values)), ElementType::u16, height, width, ignore};
    const FramePieces pieces = pieces_of(signal, width);
    ASSERT_EQ(pieces.count, 2000u);
    const BitImage unused(height, width);
    PieceSums wanted, sums;
    wanted.start(pieces, image, unused, 3);
    for (std::size_t block = 0; block < wanted.blocks(); ++block) wanted.measure(block);
    const FramePieces few = pieces_of(std::span(signal).first(10), width);
    for (const FramePieces* of : {&few, &pieces}) {  // the second time in the memory of another frame
        sums.start(*of, image, unused, 3);
        for (std::size_t block = sums.blocks(); block-- > 0;) sums.measure(block);
    }
    ASSERT_EQ(sums.sums().size(), wanted.sums().size());
    for (std::size_t p = 0; p < wanted.sums().size(); ++p) {
        EXPECT_EQ(sums.sums()[p].spot().background, wanted.sums()[p].spot().background);
        EXPECT_EQ(sums.sums()[p].spot().sum, wanted.sums()[p].spot().sum);
        EXPECT_EQ(sums.sums()[p].spot().sum, values[signal[2 * p]] + values[signal[2 * p + 1]]);
    }
}
