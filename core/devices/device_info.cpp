#include "core/devices/device_info.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/devices/device_id.h"

namespace ks {
namespace {

std::string list(const std::vector<DeviceInfo>& devices) {
    std::string text;
    for (const DeviceInfo& device : devices) {
        if (!text.empty()) text += ", ";
        text += DeviceId(device).text() + " = " + device.name;
    }
    return text.empty() ? "none" : text;
}

const DeviceInfo* of_type(const std::vector<DeviceInfo>& devices, const std::string& type) {
    for (const DeviceInfo& device : devices)
        if (device.type == type) return &device;
    return nullptr;
}

[[noreturn]] void refuse(const std::string& message, const std::vector<DeviceInfo>& devices) {
    throw Error(ErrorKind::input, message, "device", "available devices: " + list(devices));
}

}  // namespace

bool DeviceInfo::has_extension(const std::string& extension) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool DeviceInfo::name_contains(const std::string& part) const {
    return in_small_letters(name).find(in_small_letters(part)) != std::string::npos;
}

std::string DeviceInfo::title() const {
    return driver.empty() ? name : name + " (" + driver + ")";
}

const DeviceInfo& choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    if (devices.empty()) throw Error(ErrorKind::device, "found no device, not even the host");
    if (wanted.empty()) {
        for (const char* type : {"GPU", "CPU"})
            if (const DeviceInfo* device = of_type(devices, type)) return *device;
        return devices.front();
    }
    if (in_small_letters(wanted) == "host") {
        if (const DeviceInfo* host = of_type(devices, "host")) return *host;
        refuse("this program was built without the host backend", devices);
    }
    if (std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) {
        for (const DeviceInfo& device : devices)
            if (DeviceId(device).text() == wanted) return device;
        // "4090" may be part of a name; "9" is a missing index and not the 9 of some "i9".
        if (wanted.size() < 3) refuse("there is no device with index " + wanted, devices);
    }
    // The host's processor often has the same name as the OpenCL CPU device; the latter is preferred.
    std::vector<const DeviceInfo*> matches;
    for (const bool host : {false, true}) {
        for (const DeviceInfo& device : devices)
            if (DeviceId(device).is_host() == host && device.name_contains(wanted))
                matches.push_back(&device);
        if (!matches.empty()) break;
    }
    if (matches.empty())
        refuse("expected a device index, part of a device name, or \"host\", found \"" + wanted + "\"",
               devices);
    if (matches.size() > 1)
        refuse("\"" + wanted + "\" matches " + std::to_string(matches.size()) + " devices", devices);
    return *matches.front();
}

}  // namespace ks
