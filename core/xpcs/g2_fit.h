#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/fit/g2_models.h"
#include "core/run/analysis.h"
#include "core/run/parameter_spec.h"
#include "core/run/run.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// fit, fit_start, fit_fixed.
std::vector<ParameterSpec> fit_parameters();
/// The model that a request names, with its start and fixed values; nothing if it names none. Throws
/// ks::Error(input) for an unknown model, a wrong formula, a parameter that the model does not have, or a
/// value out of its bounds.
std::optional<fit::Model> fit_model(const ParameterSet& parameters);

/// Why a run with these parameters has no fit; empty: it has one.
std::string why_no_fit(const ParameterSet& parameters);
/// Start and fixed values without a fit have no effect.
std::vector<IdleParameter> idle_fit_values(const Request& request);

/// g2 of groups of the pixels of each bin, for the errors of fits.
struct GroupCurves {
    /// [bin][group][delay], with g2 - 1 multiplied by n / (n - 1) for a group of n pixels, since
    /// the normalisation by the mean of these pixels reduces it. A bin has no groups if it has too few pixels
    /// or its frames do not fit into memory.
    std::vector<std::vector<std::vector<double>>> bins;
    std::size_t too_large = 0;  ///< number of bins that do not fit into memory
};

/// Divides the pixels of each bin, in the order of rows, into groups_of() groups of equal size and correlates
/// each group by host.gram, or at the delays of `averaging` by host.multitau.
/// @param memory bytes that may be used
GroupCurves group_curves(const CorrelationProblem& problem, const std::optional<MultiTau>& averaging,
                         std::uint64_t memory, Progress& progress);
/// Number of groups of a bin with this number of pixels; 0 if it has too few.
std::size_t groups_of(std::size_t pixels);
/// The first pixel of a group of a bin, in the order of rows; for the number of groups, that of pixels.
inline std::size_t first_of_group(std::size_t pixels, std::size_t groups, std::size_t group) {
    return (group * pixels + groups - 1) / groups;
}

/// Errors of the parameters of a bin without groups.
enum class WithoutGroups {
    none,     ///< NaN
    weights,  ///< those of the weights: too small, since they ignore correlations between delays
};

/// Errors from fewer pairs of frames are not known well enough to be weights.
inline constexpr std::size_t min_pairs = 10;

/// Name of the dataset of a result made elsewhere that has its CurvesToFit::pairs.
inline constexpr const char* delay_pairs = "delay_pairs";

/// Curves of a fit, with x in seconds or frames of the file.
struct CurvesToFit {
    std::size_t bins = 0, delays = 0;
    std::span<const double> g2;  ///< [bin][delay]
    std::vector<double> g2_err;  ///< [bin][delay]
    /// [delay]: number of pairs of frames, or of their sums; empty: unknown
    std::vector<std::size_t> pairs;
    std::optional<double> frame_time;         ///< seconds; absent: x is in frames of the file
    std::vector<std::uint8_t> left_out = {};  ///< [bin][delay]: not 0 if left out; empty: none
    WithoutGroups errors = WithoutGroups::none;
    std::vector<double> at = {};  ///< [delay]: delay in frames of the series; empty: 0, 1, 2, ...
    double step = 1;              ///< frames of the file from one frame of the series to the next

    /// Whether the error of this delay is known well enough to be a weight, as far as the pairs are known.
    bool has_pairs(std::size_t delay) const;
    /// x of a delay.
    double time(std::size_t delay) const {
        return (at.empty() ? static_cast<double>(delay) : at[delay]) * frame_time.value_or(step);
    }
};
/// The curves of a result, which the run must outlive. Throws ks::Error(run) if it has none.
/// @param groups give the weights where the variant of the run computes no errors
CurvesToFit curves_of(const Run& run, const GroupCurves& groups);
/// The groups from which a run with a fit estimated its errors; empty without a fit, or if they were too
/// large to be kept.
GroupCurves kept_groups_of(const Run& run);

/// Fits every bin, in parallel. Delay 0 is not fitted, since shot noise adds to it, nor are delays with fewer
/// than min_pairs pairs, whose errors are not known well enough.
std::vector<fit::Fit> fit_curves(const fit::Model& model, const CurvesToFit& curves,
                                 const GroupCurves& groups, Progress& progress);

/// If the request of the run names a model: adds datasets fit_* and the fact "fit" to its result, and a stage
/// to its timings. Fits never end a run; each bin has a status.
void add_fit(const CorrelationProblem& problem, Run& run, Progress& progress);
/// The same from the curves of the run and given groups, without the frames.
void add_fit(const GroupCurves& groups, Run& run, Progress& progress);

/// A fit that was chosen after the run. Its bounds and the points that it leaves out are no parameters of a
/// run.
struct ChosenFit {
    fit::Model model;
    bool seconds = true;  ///< false: t is in frames of the file, also where the frame time is known
    /// Whether the point is left out. @param x of the delay
    std::function<bool(std::size_t bin, double x)> leaves_out = {};  ///< null: none is

    /// The curves of a run without these points. Throws as curves_of().
    CurvesToFit curves_of(const Run& run, const GroupCurves& groups) const;
};
/// The run with this fit in the place of its own, as add_fit() would have made it: bins without groups have
/// values, but no errors. The request stays as it is, and the fit is marked by made_after_run. Throws
/// ks::Error(run) if its curves cannot be fitted.
Run with_fit(const Run& run, const ChosenFit& chosen, Progress& progress);

}  // namespace ks::xpcs
