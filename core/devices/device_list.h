#pragma once

#include <string>
#include <vector>

#include "core/devices/device_info.h"

namespace ks {

/// Whether a text may name several devices: "0,1", "all", "gpu".
bool names_several(const std::string& wanted);

/// The devices that `wanted` names, in its order: a comma-separated list of what choose_device()
/// accepts; "all": every OpenCL device, or the host if there is none; "gpu": every GPU; empty: the
/// default of choose_device(). A device that is named several times is listed as often, each time
/// with a separate context and an equal part of its memory. The host cannot be combined with other
/// devices. Throws ks::Error(input).
std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& devices, const std::string& wanted);

/// The first of them, as it is in the list of all devices.
const DeviceInfo& first_device(const std::vector<DeviceInfo>& devices, const std::string& wanted);

/// Names of the devices in a list; devices with the same name are numbered: "NVIDIA H200 (2)".
std::vector<std::string> labels_of(const std::vector<DeviceInfo>& devices);

}  // namespace ks
