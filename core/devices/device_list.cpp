#include "core/devices/device_list.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/devices/device_id.h"

namespace ks {
namespace {

std::vector<DeviceInfo> with_type(const std::vector<DeviceInfo>& devices, const auto& wanted) {
    std::vector<DeviceInfo> some;
    for (const DeviceInfo& device : devices)
        if (wanted(device.type)) some.push_back(device);
    return some;
}

std::vector<DeviceInfo> listed(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    std::vector<DeviceInfo> some;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = wanted.find(',', begin);
        const std::string one = wanted.substr(begin, end == std::string::npos ? end : end - begin);
        if (one.empty())
            throw Error(ErrorKind::input, "expected devices separated by commas, found \"" + wanted + "\"",
                        "device");
        some.push_back(choose_device(devices, one));
    }
    const auto on_host =
        std::ranges::count_if(some, [](const DeviceInfo& one) { return DeviceId(one).is_host(); });
    if (on_host != 0 && static_cast<std::size_t>(on_host) != some.size())
        throw Error(ErrorKind::input, "the host cannot share a run with OpenCL devices", "device",
                    "PoCL provides the host as an OpenCL device");
    return some;
}

/// Devices that are listed several times get separate contexts and equal parts of their memory.
void tell_apart(std::vector<DeviceInfo>& devices) {
    std::map<DeviceId, std::uint32_t> times, seen;
    for (const DeviceInfo& device : devices) ++times[DeviceId(device)];
    for (DeviceInfo& device : devices) {
        device.context = seen[DeviceId(device)]++;
        device.global_bytes /= times[DeviceId(device)];
    }
}

}  // namespace

bool names_several(const std::string& wanted) {
    const std::string word = in_small_letters(wanted);
    return word == "all" || word == "gpu" || word.find(',') != std::string::npos;
}

std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    const std::string word = in_small_letters(wanted);
    if (word == "all") {
        auto some = with_type(devices, [](const std::string& type) { return type != "host"; });
        return some.empty() ? std::vector{choose_device(devices, {})} : some;
    }
    if (word == "gpu") {
        auto some = with_type(devices, [](const std::string& type) { return type == "GPU"; });
        if (some.empty())
            throw Error(ErrorKind::input, "this machine has no GPU", "device",
                        "`devices` lists the devices that it has");
        return some;
    }
    // The name of a device may contain a comma.
    const bool is_name =
        std::ranges::any_of(devices, [&](const DeviceInfo& device) { return device.name_contains(wanted); });
    if (is_name || !names_several(wanted)) return {choose_device(devices, wanted)};
    std::vector<DeviceInfo> some = listed(devices, wanted);
    tell_apart(some);
    return some;
}

const DeviceInfo& first_device(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    if (!names_several(wanted)) return choose_device(devices, wanted);
    const DeviceInfo first = choose_devices(devices, wanted).front();
    return *std::ranges::find_if(
        devices, [&first](const DeviceInfo& device) { return DeviceId(device) == DeviceId(first); });
}

std::vector<std::string> labels_of(const std::vector<DeviceInfo>& devices) {
    std::map<std::string, std::size_t> times, seen;
    for (const DeviceInfo& device : devices) ++times[device.name];
    std::vector<std::string> labels;
    for (const DeviceInfo& device : devices)
        labels.push_back(times[device.name] == 1
                             ? device.name
                             : device.name + " (" + std::to_string(++seen[device.name]) + ")");
    return labels;
}

}  // namespace ks
