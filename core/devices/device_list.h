#pragma once

#include <string>
#include <vector>

#include "core/devices/device_info.h"

namespace ks {

/// Whether a text names devices of which there may be several: "0,1", "all", "gpu".
bool names_several(const std::string& wanted);

/// The devices that `wanted` names, in its order: a list of what choose_device() takes, with commas between;
/// "all": every OpenCL device, the host where there is none; "gpu": every GPU. Empty: what choose_device()
/// takes for it. One that is named several times is there as often, each with a context of its own and an
/// equal part of its memory. The host is not beside others. Throws ks::Error(input).
std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& devices, const std::string& wanted);

/// The first of them, as it stands in the list of all.
const DeviceInfo& first_device(const std::vector<DeviceInfo>& devices, const std::string& wanted);

/// Names of devices in a list, those of several of one name with a number: "NVIDIA H200 (2)".
std::vector<std::string> labels_of(const std::vector<DeviceInfo>& devices);

}  // namespace ks
