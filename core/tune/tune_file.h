#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/tune/tuner.h"

namespace ks {

/// With all samples; what stands in it is in docs/formats.md.
std::string tune_json(const TuneReport& report);
/// What to_json() made of a report, and the ratio, which follows from the samples. Throws ks::Error(run)
/// where it is something else.
TuneReport tune_report_from(const nlohmann::json& json);
/// What tune_json() wrote to a file; nothing where there is no file. Throws ks::Error(input) where it is
/// something else, damaged, or newer.
std::optional<TuneReport> read_tuning(const std::filesystem::path& file);

}  // namespace ks
