#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/run/registry.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// Whether the file has a saved run, or a result of another program that open_run() reads.
bool holds_result(const Registry& registry, const std::filesystem::path& file);

/// Reads a saved run of any analysis, or a result of another program, which is a run that was
/// made_elsewhere(). Throws ks::Error(input): neither, a damaged one, or an analysis that the program does
/// not have.
Run open_run(const Registry& registry, const std::filesystem::path& file);

/// A description in lines: what ran, when, where, with which inputs and non-default parameters, the verdict,
/// and the time of each stage.
std::string describe_run(const Registry& registry, const Run& run);

/// Throws ks::Error(input) if the run was made_elsewhere().
/// @param file of the run, for the message; empty: it is the run's own
void require_repeatable(const Run& run, const std::filesystem::path& file = {});

/// The request of a saved run with the present names of its inputs.
/// @param file of the run: an input that is not found under its recorded name is looked for next to this file
/// @param inputs names by role, replacing those of the run
/// Throws as require_repeatable() does, and ks::Error(input) for an input that does not exist and for a role
/// that the run does not have.
Request repeated_request(const Registry& registry, const Run& run, const std::filesystem::path& file,
                         const std::map<std::string, std::string>& inputs);
/// One sentence about the first dataset that is not the same, byte for byte: "g2 differs in 3 of 480 values,
/// first at [0][12]: 1.25 before, 1.5 now"; nothing if all are the same.
std::optional<std::string> first_difference(const Result& before, const Result& now);
/// The same for two runs as they are stored in files. A stored run may contain less than a run that was just
/// made, for example a table without the rows that were dropped. Also reports which files have changed, as
/// text_of() in changed_files.h does. Datasets that were made_after_run are not compared. Writes to the
/// folder for temporary files.
std::optional<std::string> difference_of_repeat(const Analysis& analysis, const Run& before, const Run& now,
                                                Progress& progress);

}  // namespace ks
