#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/parameter_spec.h"
#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/problem.h"
#include "core/xpcs/stability/change_point.h"

namespace ks::xpcs {

/// A change is reported if it is at most this probable in a series without one.
inline constexpr double change_level = 0.01;
/// Fewer segments do not tell a change from scatter.
inline constexpr std::size_t fewest_segments = 4, usual_segments = 10, most_segments = 100;

/// g2 of one bin in successive segments of the series, and whether it changes.
struct BinStability {
    std::vector<Curve> segments;                ///< empty: the bin has no pixels
    std::optional<ChangePoint> strongest = {};  ///< indices are those of segments
    std::string why_not = {};                   ///< why no change was looked for; empty: it was

    bool changes() const { return strongest && strongest->p < change_level; }
};

/// The frames of equal segments of a series.
struct Segments {
    std::size_t count = usual_segments;
    std::size_t length = 0;  ///< frames of the series in each
    std::size_t first = 0;   ///< number in the file of the first frame of the series
    Reduction reduction = {};

    /// Number in the file of the first frame of a segment.
    std::size_t first_of(std::size_t segment) const { return first + segment * length * reduction.step(); }
    /// Number in the file of the last frame that a segment uses.
    std::size_t last_of(std::size_t segment) const { return first_of(segment + 1) - reduction.stride; }
};

/// stability.
ParameterSpec stability_parameter();
/// The number of segments that a request asks for; nothing if it asks for none, or has no such parameter.
std::optional<std::int64_t> segments_asked_for(const ParameterSet& parameters);
/// The segments that a request asks for; nothing if it asks for none. Throws ks::Error(input) if it names an
/// estimator for which they are not computed, or if the series has too few frames.
/// @param frames of the series
std::optional<Segments> segments_of(const ParameterSet& parameters, std::size_t frames);
/// `count` segments of a series of `frames` frames. Throws ks::Error(input) if they have fewer than two
/// frames each.
Segments segments_of_series(std::size_t count, std::size_t frames);

/// How the errors of segments are estimated: those over pixels are replaced by published ones, since pairs
/// know no pixels.
ErrorMethod errors_of_segments(ErrorMethod of_series);
/// The estimate of segments for one of the series, with errors_of_segments(). Throws ks::Error(input) for the
/// estimator two_level.
Estimate estimate_of_segments(Estimate estimate);

/// The curves of each bin and the test, from its pairs.
/// @param bins those without pixels have no frames @param used [frame]
std::vector<BinStability> stability_of(const std::vector<BinPairs>& bins, const std::vector<bool>& used,
                                       const Estimate& estimate, std::size_t segments,
                                       const Workers& workers);
/// The same from frames, of which only the pairs inside of segments are multiplied; for whole counts with the
/// same bits.
std::vector<BinStability> stability_of(const CorrelationProblem& problem, std::size_t segments,
                                       std::uint64_t memory, const Workers& workers);

/// Looks for a change of g2 from segment to segment. @param length of a segment in frames
void find_change(BinStability& bin, std::size_t length);
/// "from frame 250 on: another sample, p = 3e-05", "no change found (p = 0.42)", or why none was looked for.
std::string change_text(const BinStability& bin, const Segments& segments);

}  // namespace ks::xpcs
