#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/analysis.h"
#include "core/run/backend.h"
#include "core/run/run.h"

namespace ks {

/// Executes a run whose devices are those of Run::devices (device and label are set): each computes pieces of
/// the problem that a Dealer gives it, on a thread of its own, all by the run's variant, and the analysis
/// joins what they found. A device that fails leaves the run, with a warning, and others do its piece; what
/// is wrong with the request ends it. Fills what Backend::execute() does, and what each device did. Timings
/// of devices have their places. Throws ks::Error: what ended it, or of kind `device` where all failed.
/// @param units of the problem, at least one
void run_shared(const Analysis& analysis, const std::shared_ptr<const Problem>& problem,
                const ShareUnits& units, Backend& backend, Run& run, Progress& progress);

/// Where devices of several kinds made values that each rounds in its own way, the warning of the run that
/// says so; else nothing.
std::optional<std::string> why_other_bytes(const ShareUnits& units, const std::vector<DeviceInfo>& devices);

}  // namespace ks
