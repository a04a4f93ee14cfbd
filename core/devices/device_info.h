#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// What is known about a device, as printed by `kernelscope-cli devices`.
struct DeviceInfo {
    int index = -1;       ///< position in `devices`; -1: the host
    std::string backend;  ///< "opencl" or "host"
    std::string platform_name, platform_vendor, platform_version, platform_profile;
    std::string name, vendor, version, c_version, driver;
    std::string type;  ///< "CPU", "GPU", "accelerator", "host"
    std::uint32_t clock_mhz = 0;
    std::uint32_t compute_units = 0;
    std::uint64_t local_bytes = 0, constant_bytes = 0, global_bytes = 0, largest_allocation = 0;
    std::uint64_t largest_work_group = 0;
    std::vector<std::string> extensions;
    bool fp64 = false;
    /// Number of its context: a run that names a device several times has that many contexts on it.
    std::uint32_t context = 0;

    bool has_extension(const std::string& extension) const;
    /// True if `part` occurs in the name, ignoring case.
    bool name_contains(const std::string& part) const;
    /// "NVIDIA H200 (580.95)": for tables.
    std::string title() const;
};

void fields(auto& visit, ConstOr<DeviceInfo> auto& device) {
    visit("index", device.index);
    visit("backend", device.backend);
    visit("platform_name", device.platform_name);
    visit("platform_vendor", device.platform_vendor);
    visit("platform_version", device.platform_version);
    visit("platform_profile", device.platform_profile);
    visit("name", device.name);
    visit("vendor", device.vendor);
    visit("version", device.version);
    visit("c_version", device.c_version);
    visit("driver", device.driver);
    visit("type", device.type);
    visit("clock_mhz", device.clock_mhz);
    visit("compute_units", device.compute_units);
    visit("local_bytes", device.local_bytes);
    visit("constant_bytes", device.constant_bytes);
    visit("global_bytes", device.global_bytes);
    visit("largest_allocation", device.largest_allocation);
    visit("largest_work_group", device.largest_work_group);
    visit("extensions", device.extensions);
    visit("fp64", device.fp64);
    visit.added("context", device.context);
}

/// The device that `wanted` names: an index, part of a name (any case), or "host". Empty: the first GPU,
/// else the first CPU, else the first in the list. Throws ks::Error(input), listing the names, if none
/// or several match.
const DeviceInfo& choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted);

}  // namespace ks
