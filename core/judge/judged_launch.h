#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

struct Run;

/// How the programs of a run were compiled, and with which local sizes its kernels were launched.
struct JudgedLaunch {
    std::string type = {};                             ///< DeviceInfo::type; empty: it did not run
    std::map<std::string, std::string> compiled = {};  ///< values of the variant's defines
    /// All definitions and local sizes: "WG" of the variant's own file, "WG of gpu/clusters/grouping.cl",
    /// "local size of add". A local size left to the driver is absent. Several values are joined by "/".
    std::map<std::string, std::string> facts = {};

    bool known() const { return !type.empty(); }
};

void fields(auto& visit, ConstOr<JudgedLaunch> auto& launch) {
    visit("type", launch.type);
    visit("compiled", launch.compiled);
    visit("facts", launch.facts);
}

JudgedLaunch launch_of(const Run& run);

/// A fact in which a simulation differs from the run on the device; an absent value is empty.
struct LaunchDifference {
    std::string name, on_device, simulated;
};

/// Differences between two runs in `facts`. If they ran on problems of different sizes, definitions may
/// depend on the sizes, so only `compiled` is compared. Definitions that only the simulator needs do not
/// count.
std::vector<LaunchDifference> differences(const JudgedLaunch& on_device, const JudgedLaunch& simulated,
                                          bool same_sizes);

/// "WG 256 instead of 1, local size of add 256 instead of 1"; at most four, and how many more there are.
std::string text_of(const std::vector<LaunchDifference>& differences);

}  // namespace ks
