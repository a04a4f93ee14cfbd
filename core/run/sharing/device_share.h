#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/devices/device_info.h"

namespace ks {

/// The part of a device in a run shared by several.
struct DeviceShare {
    DeviceInfo device;
    std::string label;              ///< for lanes of a timeline: "NVIDIA H200", "NVIDIA H200 (2)"
    double share = 0;               ///< of the work, 0 to 1
    std::uint64_t units = 0;        ///< ShareUnits it computed
    std::uint64_t pieces = 0;       ///< number of pieces it computed
    std::uint64_t nanoseconds = 0;  ///< time spent on them
    std::string failure = {};       ///< why it left the run; empty: it did not
    /// For a run by several processes (core/ranks): the rank that used the device, and its node.
    std::optional<std::uint32_t> rank = {};
    std::string host = {};
};

void fields(auto& visit, ConstOr<DeviceShare> auto& share) {
    visit("device", share.device);
    visit("label", share.label);
    visit("share", share.share);
    visit("units", share.units);
    visit("pieces", share.pieces);
    visit("nanoseconds", share.nanoseconds);
    visit("failure", share.failure);
    visit.added("rank", share.rank);
    visit.added("host", share.host);
}

/// "NVIDIA H200 (52 % of the work), pthread (48 %)"
std::string shares_text(const std::vector<DeviceShare>& shares);

}  // namespace ks
