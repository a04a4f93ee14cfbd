#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fields.h"
#include "core/devices/device_info.h"

namespace ks {

/// One property that a platform or device reports.
struct DeviceProperty {
    std::string id;     ///< as OpenCL names it, in lower case: "max_work_item_sizes"
    std::string label;  ///< "Work-item sizes"
    std::string group;  ///< heading in lists: "Compute"
    std::string unit;   ///< of numbers: "B", "MHz", "ns"; empty: none
    /// Text, number, true or false, or a list of texts or numbers.
    nlohmann::json value;
};

KS_FIELDS(DeviceProperty, id, label, group, unit, value)

/// The value as readable text: "1024 x 1024 x 64", "yes", "46.07 GiB (49470529536 B)", "fma, denormals".
std::string value_text(const DeviceProperty& property);

/// The device with its properties by id, under "properties".
nlohmann::json device_json(const DeviceInfo& device, const std::vector<DeviceProperty>& properties);
/// The same as readable text: a heading, then one line per property, grouped under the titles. Properties of
/// the platform are left out.
std::string device_text(const DeviceInfo& device, const std::vector<DeviceProperty>& properties);

}  // namespace ks
