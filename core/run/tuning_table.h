#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/element_type.h"
#include "core/devices/device_info.h"

namespace ks {

/// Defines tuned for a kernel, by kind of device and element type.
struct TuningRow {
    std::string device;                          ///< part of a device name, or "CPU", "GPU", or "" for all
    std::string element;                         ///< "u8", or "" for all
    std::map<std::string, std::string> defines;  ///< NAME -> value
    /// If a variant has kernels for several kinds of work: the kind to which this row applies ("one sum");
    /// "": all.
    std::string work = {};
};
/// The rows of one kernel or variant. A define without a matching row has its default.
using TuningTable = std::vector<TuningRow>;

/// For each define, the most specific matching row is used: a row with a device name is preferred to one with
/// a device type, and this one to a row with "". If rows are equal in this, one with an element is preferred
/// to one with "". Among rows that are equal in both, the last one is used.
std::map<std::string, std::string> tuned(const TuningTable& rows, const DeviceInfo& device,
                                         ElementType element, const std::string& work = {});

}  // namespace ks
