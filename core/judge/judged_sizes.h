#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"

namespace ks {

/// Sizes of the problems on which a kernel is judged, each complete.
struct JudgedSizes {
    std::vector<ParameterSet> on_device;  ///< at least one
    std::vector<ParameterSet> simulated;  ///< small enough to be simulated within seconds
    /// Simulated once, with choices other than the default; also among those on the device. Empty if sizes
    /// were given.
    std::vector<ParameterSet> simulated_choices;
    /// On the device, divided by the host wherever that is possible: empty if sizes were given.
    std::vector<ParameterSet> in_parts;
    std::vector<std::string> names;  ///< sizes that determine the work: {"frames", "height", "width"}
    ParameterSet usual;              ///< default values of the other parameters that were not given
};

/// Whether the judge chooses the values of this size, parameter of AnalysisInfo::benchmark, itself.
bool is_judged_size(const std::string& analysis, const std::string& id);

/// All combinations of the given sizes. If no size that determines the work is given, there are four
/// problems: the small problem of the analysis, one that is smaller than a group, one whose size is a
/// multiple of a group of 16, and one with several groups in each dimension and a remainder. If the driver
/// may choose the group size, the last one is run once more, with groups of 64 work-items. The simulator runs
/// the same problems, except those that are far too large for it: in their place it runs the others. It also
/// runs small problems with choices that are compiled to other branches of kernels. On the device, the last
/// problem is repeated with values of choices that need further kernels or launches (a charge cut, more
/// frames than a tile has, other terms), and a problem is run in parts. Sizes of a range that were not given
/// are rounded up to multiples of given local sizes, as OpenCL C 1.2 requires. Throws ks::Error(input) if
/// sizes contradict each other, or give more than 1000 problems.
JudgedSizes sizes_to_judge(const Analysis& analysis, const SizeLists& given);

/// A user's kernel; empty if the shipped one is judged.
struct OwnText {
    std::string text;
    std::string with_files;  ///< the same with the included files inlined
};

/// Additional definitions for the simulation of a variant. Parents of forests are read by atomic functions,
/// since oclgrind reports a race even if a read may find either of two valid values. If values tuned for CPUs
/// give groups of one looping work-item, groups get several (but few) work-items instead.
/// @param own of a user's kernel only definitions are changed that it or an included file uses, and that it
/// does not set @param shipped the text that it replaces, with the included files
std::map<std::string, std::string> simulated_defines(const Variant& variant, const OwnText& own,
                                                     const std::string& shipped,
                                                     const std::map<std::string, std::string>& given);
/// The smallest values of work-groups and of steps, for one more simulation of the largest problem: with the
/// usual values, a loop over steps gets through such a small problem in a single pass, so that a barrier
/// missing between two passes is not noticed. Parameters as for simulated_defines().
std::map<std::string, std::string> small_steps(const Variant& variant, const OwnText& own,
                                               const std::string& shipped,
                                               const std::map<std::string, std::string>& given);
/// Whether this definition is set only so that the simulator reports no false faults: the kernel is still the
/// one that the device runs.
bool is_for_simulator_only(const std::string& define);

}  // namespace ks
