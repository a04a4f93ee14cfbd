#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/tune/tuner.h"

namespace ks {

/// The report with all samples, in the format described in docs/formats.md.
std::string tune_json(const TuneReport& report);
/// The inverse of to_json() for a report, with the ratio recomputed from the samples. Throws ks::Error(run)
/// for other JSON.
TuneReport tune_report_from(const nlohmann::json& json);
/// Reads a file written by tune_json(); nothing if the file does not exist. Throws ks::Error(input) if
/// it is something else, damaged, or newer.
std::optional<TuneReport> read_tuning(const std::filesystem::path& file);

}  // namespace ks
