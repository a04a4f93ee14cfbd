#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/host_backend.h"
#include "core/run/parameter_spec.h"
#include "core/run/result.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// The delays of multi-tau: level 0 has delays 0 to channels - 1; level l > 0 correlates the sums of 2^l
/// consecutive frames, which begin at frame 0 and do not overlap, at channels / 2 to channels - 1 times 2^l
/// frames.
struct MultiTau {
    std::size_t levels = 1, channels = 16;

    /// A delay of `steps` times 2^level frames.
    struct Point {
        std::size_t level, steps;
        std::size_t delay() const { return steps << level; }
    };
    /// Of a level.
    std::size_t first_steps(std::size_t level) const { return level == 0 ? 0 : channels / 2; }
    /// Those below `delays` that have at least one pair of sums, ascending.
    std::vector<Point> points(std::size_t frames, std::size_t delays) const;
    /// Number of pairs of sums at each of these points; a sum with a frame that is left out is part of none.
    /// @param left_out ascending
    std::vector<std::size_t> pairs(const std::vector<Point>& points, std::size_t frames,
                                   const std::vector<std::size_t>& left_out) const;

    /// From "levels" and "channels"; without levels, as many as the frames need. Throws ks::Error(input) for
    /// an odd number of channels.
    static MultiTau of(const ParameterSet& parameters, std::size_t frames);
    /// From the fact "averaging" of a result, which may come from a file; nothing without it. Throws
    /// ks::Error(input) if there are no such levels and channels.
    static std::optional<MultiTau> of(const Result& result);
};

/// "levels" and "channels".
std::vector<ParameterSpec> multitau_parameters();

/// g2 and its error at the delays of MultiTau, in one pass over the frames; memory does not grow with their
/// number. A sum with a frame that is left out takes part in no pair.
Correlation correlate_multitau(const CorrelationProblem& problem, HostContext& context, const MultiTau& tau);

/// Memory of the last sums of `pixels` pixels in a number of bins, at most.
std::uint64_t multitau_bytes(const MultiTau& tau, std::uint64_t pixels, std::uint64_t bins);

/// "host.multitau". The fact "averaging" has levels and channels.
Result run_multitau(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
