#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/judged_launch.h"
#include "core/judge/judgement.h"
#include "core/run/analysis.h"
#include "core/run/parameter_spec.h"
#include "core/run/variant.h"

namespace ks {

/// A problem on which a kernel was run, with the findings.
struct JudgedRun {
    ParameterSet sizes;                               ///< all of AnalysisInfo::benchmark
    std::map<std::string, std::string> defines = {};  ///< in addition to those of all runs
    bool simulated = false;                           ///< by oclgrind; else on the device
    /// For a simulated run: the device type for which it is simulated, with the definitions of that device,
    /// so that the same branches run. Empty: the simulator's own type.
    std::string as_type = {};
    bool in_small_steps = false;  ///< simulated once more, see runs_in_small_steps()
    bool of_choices = false;      ///< simulated for choices other than the default, not in small steps
    /// On the device, with the smallest memory limit and the shortest launches that the variant takes, so
    /// that the host divides the problem wherever it can.
    bool in_parts = false;
    std::string title = {};      ///< see give_titles()
    bool left_out = false;       ///< not asked for; it is not run, and has no findings
    std::string not_taken = {};  ///< why the variant does not accept this problem; then there are no findings
    /// Why no problem is simulated at all; then nothing is known of the simulator's questions.
    std::string not_simulated = {};
    std::vector<Finding> findings = {};
    std::map<std::string, std::uint64_t> groups = {};  ///< per kernel, in its largest launch, if known
    JudgedLaunch launch = {};
    std::string simulator_log = {};  ///< of the simulator's compiler, if it refused the kernel
};

/// Last words of the title of a run that is simulated with the device's definitions and type.
inline constexpr const char* simulated_as_on_device = "simulated as on the device";
/// Last words of the title of a run in parts.
inline constexpr const char* in_smallest_parts = "in the smallest parts";

/// Gives each run a title: the sizes and definitions in which runs differ, and the definitions that have
/// other values under the simulator than on the device, as in "size 33, WG 16, simulated". If runs differ in
/// none of the names in `always`, the title contains these as well. Parameters with their value in `usual`
/// are in no title.
void give_titles(std::vector<JudgedRun>& runs, const std::vector<std::string>& always,
                 const ParameterSet& usual = {});

/// The choices, local sizes and definitions that all runs have in common: "operation sum, local_size 64". A
/// choice left to the driver is that of the runs whose titles name no other. Real numbers are named if they
/// do not have their default value. Parameters in `usual` have that value where a title does not name
/// another.
std::string choices_of(const AnalysisInfo& info, const std::vector<JudgedRun>& runs,
                       const ParameterSet& usual = {});

/// The run on the device that a simulated one corresponds to: on the same problem, otherwise the last one
/// whose launch is known. Null: there is none.
const JudgedRun* run_on_device(const std::vector<JudgedRun>& runs, const JudgedRun& simulated);

/// Runs to be simulated in addition, because a simulation was compiled or launched differently from the
/// kernel on the device. They run the same problems, with the definitions and the type of the device. Values
/// that `defines` of the variant do not allow, since its launch derives them, are left to the launch.
/// Simulations that would not change are not repeated.
std::vector<JudgedRun> runs_as_on_device(const std::vector<JudgedRun>& runs,
                                         const std::vector<DefineSpec>& defines);

/// One more simulation of the largest problem, per combination of the other sizes and definitions, with these
/// smaller values of definitions; none if no value is smaller than in that simulation.
/// @param names sizes that determine the work
std::vector<JudgedRun> runs_in_small_steps(const std::vector<JudgedRun>& runs,
                                           const std::map<std::string, std::string>& values,
                                           const std::vector<std::string>& names);

/// One more simulation, of a larger problem, if a loop over a size gets through each simulated one in a
/// single pass, because the text or a given value makes its step longer than the smallest one. None if that
/// problem would take too long to simulate.
/// @param smallest values of the definitions that determine steps, see small_steps()
std::vector<JudgedRun> runs_of_several_steps(const std::vector<JudgedRun>& runs, const std::string& analysis,
                                             const std::map<std::string, std::string>& smallest);

/// Marks races as unknown if there still is such a loop: a barrier that is missing between two of its passes
/// has not been looked for. Parameters as for runs_of_several_steps().
void doubt_single_steps(std::vector<JudgedRun>& runs, const std::string& analysis,
                        const std::map<std::string, std::string>& smallest);

/// Changes good findings of a problem to "not known" if none of its simulations was compiled and launched as
/// on the device, because the branch that the device ran was then not simulated.
void doubt_other_branches(std::vector<JudgedRun>& runs);

/// Marks races as unknown if no simulation found one, but a kernel has a single work-group in every
/// simulation and several on the device: races between groups have then not been looked for.
void doubt_races_between_groups(std::vector<JudgedRun>& runs);

/// Whether all parameters that are no sizes have their default values, or values that were given.
/// @param usual JudgedSizes::usual
bool has_usual_values(const JudgedRun& run, const ParameterSet& usual);

/// Of a user's kernel: a run on the device with other words for choices, whose only fault are wrong values,
/// counts as not taken if its program differs from the usual one only in definitions that the text does not
/// name. A kernel that adds up is not wrong because it finds no maximum; one that ignores a number is. The
/// same holds for another text of a parameter that the host would insert as a function if the kernel did not
/// define this function itself.
/// @param usual JudgedSizes::usual @param text with the included files that it uses, see used_text()
void leave_out_other_kernels(std::vector<JudgedRun>& runs, const AnalysisInfo& info,
                             const ParameterSet& usual, std::string_view text);

/// Choices with which the kernel ran on the device but in no simulation: {"gradient on", "vectors"}. Only
/// those count with which it was compiled differently: with other values of definitions of the judged file
/// that the text names, apart from those that tune it.
/// @param usual JudgedSizes::usual @param text with the included files that it uses
std::vector<std::string> choices_not_simulated(const std::vector<JudgedRun>& runs, const AnalysisInfo& info,
                                               const ParameterSet& usual, std::string_view text);
/// Says in each good answer of the simulator that these choices were not simulated.
void name_choices_not_simulated(std::vector<Finding>& findings, const std::vector<std::string>& choices);

/// The findings of all runs, in the order of the questions: each fault once, with the runs that have it.
/// The answer is yes if each run with an answer says yes; it is unknown if one of them does not know and
/// none has a fault. Different wordings of the same fault or doubt in other runs are listed in its details,
/// one line each.
std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs);

/// Why problems were not taken, one line per reason, with the titles of their runs: "not taken: operation
/// min; operation max: REASON". Empty if all were taken.
std::string not_taken_of(const std::vector<JudgedRun>& runs);

/// A table for users: one row per run, one column per question. Simulations that were not made have no row.
std::string table_of(const std::vector<JudgedRun>& runs);

/// The runs in the format of `judge --json`.
nlohmann::json to_json(const std::vector<JudgedRun>& runs);

}  // namespace ks
