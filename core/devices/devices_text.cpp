#include "core/devices/devices_text.h"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "core/devices/device_id.h"

namespace ks {
namespace {

std::string platform_text(const DeviceInfo& device) {
    std::string text = (device.platform_name.empty() ? "Host" : device.platform_name) + "\n";
    if (DeviceId(device).is_host()) return text;
    for (const auto& [label, value] : {std::pair("platform vendor", &device.platform_vendor),
                                       std::pair("platform version", &device.platform_version),
                                       std::pair("platform profile", &device.platform_profile)})
        text += fmt::format("  {:<20} {}\n", label, value->empty() ? "not reported" : *value);
    return text;
}

bool on_one_platform(const DeviceInfo& a, const DeviceInfo& b) {
    return a.backend == b.backend && a.platform_name == b.platform_name &&
           a.platform_version == b.platform_version;
}

}  // namespace

std::string devices_text(const std::vector<DeviceInfo>& devices,
                         const std::vector<std::vector<DeviceProperty>>& properties) {
    std::string text;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (i == 0 || !on_one_platform(devices[i - 1], devices[i]))
            text += (i > 0 ? "\n" : "") + platform_text(devices[i]);
        text += device_text(devices[i], properties[i]);
    }
    return text;
}

}  // namespace ks
