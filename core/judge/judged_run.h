#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// A problem on which a kernel was run, with the findings.
struct JudgedRun {
    ParameterSet sizes;                               ///< all of AnalysisInfo::benchmark
    std::map<std::string, std::string> defines = {};  ///< in addition to those of all runs
    bool simulated = false;                           ///< by oclgrind; else on the device
    std::string title = {};                           ///< see give_titles()
    std::string not_taken = {};  ///< why the variant does not accept this problem; then there are no findings
    std::vector<Finding> findings = {};
    std::map<std::string, std::uint64_t> groups = {};  ///< per kernel, in its largest launch, if known
};

/// Titles each run with the sizes and definitions in which runs differ: "size 33, WG 16, simulated". If they
/// differ in none, with those in `always`.
void give_titles(std::vector<JudgedRun>& runs, const std::vector<std::string>& always);

/// What all runs have in common besides sizes: choices, the size of a work-group, and definitions:
/// "operation sum, local_size 64". Others are not judged.
std::string choices_of(const std::vector<JudgedRun>& runs);

/// Marks races as unknown in simulations without races where a kernel has a single work-group in every
/// simulation but several on the device: races between groups have not been looked for.
void doubt_races_between_groups(std::vector<JudgedRun>& runs);

/// The findings of all runs, in the order of the questions: each fault once, with the runs that have it.
/// The answer is yes if each run with an answer says yes; it is unknown if one of them does not know and
/// none has a fault. Different wordings of the same fault or doubt in other runs are listed in its details,
/// one line each.
std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs);

/// A table for users: one row per run, one column per question.
std::string table_of(const std::vector<JudgedRun>& runs);

/// The runs in the format of `judge --json`.
nlohmann::json to_json(const std::vector<JudgedRun>& runs);

}  // namespace ks
