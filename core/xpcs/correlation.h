#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/run/result.h"
#include "core/run/run.h"
#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// The value of a quotient with denominator 0.
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// The result of every correlator variant.
struct Correlation {
    std::size_t bins = 0, frames = 0;
    /// [bin][delay], delay 0..frames-1 in frames; NaN where undefined. Values for delays from the problem's
    /// delays() on are arbitrary: to_result() leaves them out.
    std::vector<double> g2;
    /// [bin][delay]; NaN without terms.
    std::vector<double> g2_err;
    /// [t1][t2] of the chosen bin, C = N G / (S S), NaN where S is 0; empty if no bin was chosen. Values
    /// beyond the problem's delays() are arbitrary: to_result() replaces them by NaN.
    std::vector<double> two_time;
    /// The estimate that the variant computed; to_result() refuses another one than the problem's.
    Estimate made = {};
    /// [bin]; empty, unless the problem keeps pairs.
    std::vector<BinPairs> pairs = {};
    /// The delays in frames, ascending, if these are not 0 .. frames-1; g2 and g2_err are then [bin][position
    /// in this list], and none is arbitrary.
    std::vector<std::size_t> delays = {};
    /// Counts other than 0 of each bin; empty where the variant does not count them. Their sum is the fact
    /// "events".
    std::vector<std::uint64_t> events = {};
};

/// Sums along a diagonal of the Gram matrix of one bin, i.e. for one delay.
struct DiagonalSums {
    /// sum over t of G(t, t + delay)
    double g = 0;
    /// sum over t of S(t) S(t + delay) / N
    double ss_over_n = 0;
    /// sums over the `terms` t with S(t) S(t + delay) != 0 of C - 1 and (C - 1)^2, C = N G / (S S)
    double c1 = 0, c1_squared = 0;
    std::uint64_t terms = 0;

    /// One more t. @param product S(t) S(t + delay) @param pixels N
    void add(double of_g, double product, double pixels) {
        g += of_g;
        ss_over_n += product / pixels;
        if (product == 0) return;
        const double from_1 = pixels * of_g / product - 1.0;
        c1 += from_1;
        c1_squared += from_1 * from_1;
        ++terms;
    }
    /// g / ss_over_n; NaN where the denominator is 0.
    double g2() const;
    /// Standard deviation of C over t (ddof 0) / sqrt(terms); NaN without terms, 0 with one.
    double g2_err() const;
};

/// The delays of a result's curves in frames: its axis "delay", or 0, 1, 2, ... in results without it.
std::vector<double> delays_of(const Result& result);

/// How many frames of the file one frame of these delays is: more than 1 if the run skips or adds up frames.
double frames_per_delay(const Run& run);

/// A Correlation as datasets: "g2" and "g2_err" [bin][delay], axes "label", "delay" (frames), "delay_time"
/// (s, if the frame time is known), "q", "phi" per bin, and "two_time" [t1][t2].
Result to_result(Correlation correlation, const CorrelationProblem& problem);

}  // namespace ks::xpcs
