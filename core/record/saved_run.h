#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/registry.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// Reads a saved run of any analysis back. Throws ks::Error(input): no saved run, a damaged one, an analysis
/// that the program does not have.
Run open_run(const Registry& registry, const std::filesystem::path& file);

/// Lines for people: what ran, when, where, with which inputs and parameters (those that are not the
/// defaults), the verdict, and the time of each stage.
std::string describe_run(const Registry& registry, const Run& run);

/// The request of a saved run, with inputs where they are now.
/// @param file of the run: an input that is not where the run names it may lie beside it
/// @param inputs names by role, in place of those of the run
/// Throws ks::Error(input) for an input that is not there, and for a role that the run has not.
Request repeated_request(const Registry& registry, const Run& run, const std::filesystem::path& file,
                         const std::map<std::string, std::string>& inputs);
/// One sentence on the first dataset that is not the same, byte for byte: "g2 differs in 3 of 480 values,
/// first at [0][12]: 1.25 before, 1.5 now"; nothing where all are.
std::optional<std::string> first_difference(const Result& before, const Result& now);
/// Files that the later run read and the earlier one did not, as far as is known: their size, time and hash
/// are those of no file that it read.
std::vector<std::string> changed_files(const Run& before, const Run& now);
/// The same of two runs as files hold them, which may be less than a run that was just made: a table without
/// the rows that were dropped, for example. Says which files changed since. Writes to the folder of temporary
/// files.
std::optional<std::string> difference_of_repeat(const Analysis& analysis, const Run& before, const Run& now,
                                                Progress& progress);

}  // namespace ks
