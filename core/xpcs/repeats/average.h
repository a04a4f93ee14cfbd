#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/analysis.h"
#include "core/run/run.h"

namespace ks::xpcs {

/// Curves of one of several repeats, each [bin][delay].
struct RepeatedCurves {
    std::vector<double> g2;
    std::vector<double> g2_err;    ///< NaN: unknown
    std::vector<bool> has_weight;  ///< [delay]: the errors are known well enough to be weights
    std::size_t first = 1;         ///< the first delay above 0, to which shot noise does not add
};

/// The average of curves.
struct AverageCurves {
    std::vector<double> g2;
    /// 1 / root of the sum of the weights 1 / error^2; at points without weights, the scatter.
    std::vector<double> g2_err;
    /// Standard error of the mean as estimated from the differences between the curves; NaN for a single one.
    std::vector<double> scatter;
    /// The mean of (scatter / g2_err)^2, i.e. chi2 per degree of freedom of the curves about the average,
    /// over the points that are weighted, without delay 0; absent if there is no such point.
    std::optional<double> chi2 = {};
};

/// The mean of the curves that have a value, at each point: weighted by 1 / error^2 if the errors of all of
/// these are known and above 0, otherwise unweighted.
AverageCurves average_of(std::span<const RepeatedCurves> curves, std::size_t bins, std::size_t delays);

/// The mean of ((g2 - median over the curves) / error)^2 of each curve, over the points that have a weight in
/// all curves, without delay 0; NaN if there is no such point.
std::vector<double> chi2_of(std::span<const RepeatedCurves> curves, std::size_t bins, std::size_t delays);

/// A curve is an outlier if its chi2 is more than this number of times the median of all curves (or of 1, if
/// the median is less). At least three curves are needed.
inline constexpr double outlier_factor = 5;

/// AnalysisFunctions::average: g2 with g2_err and "g2_scatter". The fact "repeats" lists the name of each
/// repeat, its chi2, and why it was left out: a shape, delays or a frame time other than those of the first
/// one, or an outlier. If the request names a model, the average is fitted; the errors of parameters come
/// from groups of pixels, whose curves are averaged, too. Throws ks::Error(input) if fewer than two repeats
/// are left.
Run average_of_repeats(std::vector<Repeat> repeats, Progress& progress);

/// The repeats of an average, which were left out and why, as text; empty for other runs.
std::string repeats_text(const Run& run);

}  // namespace ks::xpcs
