#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"

namespace ks {

/// Sizes of the problems that a kernel is judged on, each complete.
struct JudgedSizes {
    std::vector<ParameterSet> on_device;  ///< at least one
    std::vector<ParameterSet> simulated;  ///< such that a simulator ends within seconds
    std::vector<std::string> names;       ///< of the sizes that make the work: {"frames", "height", "width"}
};

/// Of the sizes that were given every combination. Where none of those that make work was given: the small
/// problem of the analysis, one smaller than a group, one that a group of 16 divides, and one that has
/// several groups in each dimension and that they do not divide. The simulator has the same, but for those
/// that are far above what it can do, in whose place it has the latter three. Throws ks::Error(input) where
/// sizes contradict each other, or make over 1000 problems.
JudgedSizes sizes_to_judge(const Analysis& analysis, const SizeLists& given);

/// Definitions that a simulation of a variant takes beside those of the request: parents of forests are read
/// by atomic functions, since a read that may find either of two right values is a race to oclgrind; groups
/// have several work-items, and few, where tuned values for processors make them loops of one.
/// @param own text of the user's kernel, of which only definitions are changed that it uses and leaves open;
/// empty: it is the variant's own @param shipped the text in whose place it is
std::map<std::string, std::string> simulated_defines(const Variant& variant, const std::string& own,
                                                     const std::string& shipped,
                                                     const std::map<std::string, std::string>& given);

}  // namespace ks
