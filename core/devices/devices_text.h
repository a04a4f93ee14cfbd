#pragma once

#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/devices/device_property.h"

namespace ks {

/// All devices as text: device_text() of each, under a heading per platform with its vendor, version and
/// profile, or "Host".
/// @param properties of each device
std::string devices_text(const std::vector<DeviceInfo>& devices,
                         const std::vector<std::vector<DeviceProperty>>& properties);

}  // namespace ks
