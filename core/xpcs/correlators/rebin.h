#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/run/parameter_spec.h"
#include "core/run/result.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Points of a curve that are evenly spaced on a logarithmic axis. Delay 0 is a point of its own; delays d
/// with the same floor(per_decade log10 d) are one point.
struct Rebinning {
    std::size_t per_decade = 1;
    std::size_t delays = 1;  ///< of the curve, 0 to delays - 1

    /// The delays of each point, ascending.
    std::vector<DelayRange> points() const;
    /// The mean over the delays of each point, weighted by numbers of pairs; NaN values are left out, and a
    /// point without others is NaN. @param values, pairs by delay, as many as delays
    std::vector<double> means(std::span<const double> values, std::span<const std::size_t> pairs) const;
    /// The mean delay of each point, in frames, weighted by numbers of pairs.
    std::vector<double> mean_delays(std::span<const std::size_t> pairs) const;

    /// From the fact "rebin" of a result, which may come from a file; nothing without it. Throws
    /// ks::Error(input) if there is no such rebinning.
    static std::optional<Rebinning> of(const Result& result);
};

/// "rebin".
ParameterSpec rebin_parameter();
/// Points per decade that a request names.
std::optional<std::size_t> rebin_of(const ParameterSet& parameters);

}  // namespace ks::xpcs
