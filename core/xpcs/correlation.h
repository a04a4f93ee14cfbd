#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/run/result.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Of a quotient whose denominator is 0.
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// What every correlator variant computes.
struct Correlation {
    std::size_t bins = 0, frames = 0;
    /// [bin][delay], delay 0..frames-1 in frames; NaN where undefined. Delays from the problem's delays() on
    /// may hold anything: to_result leaves them out.
    std::vector<double> g2;
    /// [bin][delay]; NaN where no term is left.
    std::vector<double> g2_err;
    /// [t1][t2] of the chosen bin, C = N G / (S S), NaN where S is 0; empty where no bin was chosen. Values
    /// beyond the problem's delays() may be anything: to_result makes them NaN.
    std::vector<double> two_time;
};

/// Sums along the diagonals of one bin's Gram matrix, by delay.
struct DiagonalSums {
    /// sum over t of G(t, t + delay)
    double g = 0;
    /// sum over t of S(t) S(t + delay) / N
    double ss_over_n = 0;
    /// sums over the `terms` t with S(t) S(t + delay) != 0 of C - 1 and (C - 1)^2, C = N G / (S S)
    double c1 = 0, c1_squared = 0;
    std::uint64_t terms = 0;

    /// g / ss_over_n; NaN where the denominator is 0.
    double g2() const;
    /// Standard deviation of C over t (ddof 0) / sqrt(terms); NaN without terms, 0 with one.
    double g2_err() const;
};

/// A Correlation as datasets: "g2" and "g2_err" [bin][delay], axes "label", "delay" (frames), "delay_time"
/// (s, where the frame time is known), "q", "phi" per bin, and "two_time" [t1][t2].
Result to_result(Correlation correlation, const CorrelationProblem& problem);

}  // namespace ks::xpcs
