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

/// AnalysisFunctions::average: g2 with g2_err and "g2_scatter". The fact "repeats" (core/run/repeats) has a
/// row for each repeat with its chi2, and why it was left out: a shape, delays or a frame time other than
/// those of the first one, or an outlier. The result keeps the curves of all repeats that can be averaged, so
/// that with_chosen_repeats() needs no frames. Its request is that of the first of these. If the request
/// names a model, the average is fitted; the errors of parameters come from groups of pixels, whose curves
/// are averaged, too. Throws ks::Error(input) if fewer than two repeats are left.
Run average_of_repeats(std::vector<Repeat> repeats, Progress& progress);

/// The average with another choice of its repeats, from the curves that it keeps. Throws ks::Error(input) if
/// fewer than two are left, ks::Error(run) if the run is not an average with its curves.
/// @param chosen one per repeat: used, or left out, by the user; absent: the outlier test decides
Run with_chosen_repeats(Run average, const std::vector<std::optional<bool>>& chosen, Progress& progress);

/// The curves of all repeats that an average keeps, at their RepeatRow::curve. Throws ks::Error(run) if it
/// keeps none.
std::vector<RepeatedCurves> curves_of_repeats(const Run& average);

/// The curves of one of the repeats as a run with the request of the average, which is that of the first one.
/// Nothing if the average does not keep the curves.
/// @param curve RepeatRow::curve
std::optional<Run> repeat_of(const Run& average, std::size_t curve);

/// The repeats of an average, which were left out and why, as text; empty for other runs.
std::string repeats_text(const Run& run);

}  // namespace ks::xpcs
