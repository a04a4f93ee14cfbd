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

/// Executes a run on the devices in Run::devices (with device and label set): each computes pieces of the
/// problem, assigned by a Dealer, on its own thread, all with the variant of the run, and the analysis joins
/// the results. If a device fails, it is dropped from the run with a warning, and other devices compute its
/// piece. An error in the request ends the run. Fills the same fields as Backend::execute(), and the share of
/// each device. Timings carry the index of their device. Throws ks::Error: the one that ended the run, or of
/// kind `device` if all devices failed.
/// @param units of the problem, at least one
void run_shared(const Analysis& analysis, const std::shared_ptr<const Problem>& problem,
                const ShareUnits& units, Backend& backend, Run& run, Progress& progress);

/// The warning for a run whose devices of several kinds round values differently; else nothing.
std::optional<std::string> why_other_bytes(const ShareUnits& units, const std::vector<DeviceInfo>& devices);

}  // namespace ks
