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
    /// For a variant with kernels for several kinds of work, the kind this row applies to ("one
    /// sum"); "": all.
    std::string work = {};
};
/// The rows of one kernel or variant. A define without a matching row has its default.
using TuningTable = std::vector<TuningRow>;

/// The most specific match wins per define: a device name beats a device type beats "", and for equal devices
/// an element beats ""; among equal rows the last one wins.
std::map<std::string, std::string> tuned(const TuningTable& rows, const DeviceInfo& device,
                                         ElementType element, const std::string& work = {});

}  // namespace ks
