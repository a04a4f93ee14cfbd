#pragma once

#include <optional>
#include <string>

#include "core/run/run.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

enum class Family { gram, fft, multitau, sparse };

/// As the parameter "correlator" has it.
const char* name_of(Family family);

/// How a family multiplies pairs of frames; the other families have one way each.
enum class GramBy { vnni, avx2, vector, ssyrk };

/// What the time of a correlator on processors depends on.
struct CorrelatorWork {
    double frames = 0, delays = 0;
    double pixels = 0;      ///< in bins
    double all_pixels = 0;  ///< of a frame
    double bins = 0;        ///< with pixels
    double filled = 1;      ///< share of the counts that are not 0, of the pixels in bins
    double together = 1;    ///< share of the pairs of frames in which both counts of a pixel are not 0
};

/// Expected seconds of one thread. The rates, and where they were measured, are in cost.cpp.
double expected_seconds(Family family, const CorrelatorWork& work, GramBy gram = GramBy::vnni);

/// Frames, delays, pixels and bins; shares of 1.
CorrelatorWork work_of(const CorrelationProblem& problem);
/// The shares of counts that are not 0, from at most 32 of the frames, which are read again.
void add_shares(const CorrelationProblem& problem, CorrelatorWork& work);

/// Families that can compute a problem besides gram.
struct Allowed {
    bool fft = true, multitau = true, sparse = true;
};
struct Faster {
    Family family;
    double share;  ///< of the time of the other one
};
/// A family expected to need less than half of the time of this one: for gram that is sparse, which gives the
/// same values, else the faster one of fft and multitau; for sparse it is gram. Nothing if little time would
/// be saved.
std::optional<Faster> faster_than(Family family, const CorrelatorWork& work, const Allowed& allowed,
                                  GramBy gram, unsigned threads);

/// If the run is that of a whole problem by products of all pairs of frames on processors, or by the family
/// sparse, and another family would be faster: adds the fact "faster", one sentence that says so.
void add_faster_family(const CorrelationProblem& problem, Run& run);

}  // namespace ks::xpcs
