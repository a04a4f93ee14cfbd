#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// A problem that a kernel was run on, with what was found there.
struct JudgedRun {
    ParameterSet sizes;                               ///< all of AnalysisInfo::benchmark
    std::map<std::string, std::string> defines = {};  ///< beside those of all runs
    bool simulated = false;                           ///< by oclgrind, else on the device
    std::string title = {};                           ///< see give_titles()
    std::string not_taken = {};  ///< why the variant does not take this problem; then nothing was found
    std::vector<Finding> findings = {};
    std::map<std::string, std::uint64_t> groups = {};  ///< of each kernel in its largest launch, if known
};

/// Names each run by the sizes and definitions in which runs differ: "size 33, WG 16, simulated". Where they
/// differ in none, by `always`.
void give_titles(std::vector<JudgedRun>& runs, const std::vector<std::string>& always);

/// What all problems have in common that is no number: "operation sum, type f32". Others are not judged.
std::string choices_of(const std::vector<JudgedRun>& runs);

/// Where a kernel has one work-group in every simulation and several on the device, nobody has looked for
/// races between its groups: simulations that found no race do not know of races then.
void doubt_races_between_groups(std::vector<JudgedRun>& runs);

/// What all runs say, in the order of the questions: each fault once with the runs that have it. A question
/// is answered by yes where each run that asks it says so, and is not known where one of them does not know
/// it and none has a fault. What other runs with the same fault or doubt say of it in other words is in its
/// details, a line for each.
std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs);

/// A table for people: a row for each run, a column for each question.
std::string table_of(const std::vector<JudgedRun>& runs);

/// The runs as the file of `judge --json` has them.
nlohmann::json to_json(const std::vector<JudgedRun>& runs);

}  // namespace ks
