#include "core/devices/device_property.h"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "core/base/json_text.h"
#include "core/devices/device_id.h"

namespace ks {
namespace {

constexpr const char* platform_group = "Platform";

std::string with_unit(const nlohmann::json& number, const std::string& unit) {
    const std::string digits = dump_json(number);
    if (unit != "B" || !number.is_number_unsigned()) return unit.empty() ? digits : digits + " " + unit;
    auto scaled = static_cast<double>(number.get<std::uint64_t>());
    const char* name = nullptr;
    for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
        if (scaled < 1024) break;
        scaled /= 1024;
        name = larger;
    }
    if (name == nullptr) return digits + " B";
    return fmt::format("{:.4g} {} ({} B)", scaled, name, digits);
}

/// Names in lines of at most 100 columns; further lines are aligned with the first.
std::string wrapped(const std::vector<std::string>& names) {
    if (names.empty()) return "none";
    std::string text;
    std::size_t column = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = names[i] + (i + 1 < names.size() ? "," : "");
        if (column > 0 && column + 1 + name.size() > 61) {
            text += "\n" + std::string(39, ' ');
            column = 0;
        }
        if (column > 0) text += ' ';
        text += name;
        column += name.size() + 1;
    }
    return text;
}

}  // namespace

std::string value_text(const DeviceProperty& property) {
    const nlohmann::json& value = property.value;
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return with_unit(value, property.unit);
    if (!value.is_array()) return {};
    if (value.empty()) return "none";
    std::string text;
    for (const nlohmann::json& one : value) {
        const bool name = one.is_string();
        if (!text.empty()) text += name ? ", " : " x ";
        text += name ? one.get<std::string>() : with_unit(one, property.unit);
    }
    return text;
}

nlohmann::json device_json(const DeviceInfo& device, const std::vector<DeviceProperty>& properties) {
    nlohmann::json all = to_json(device);
    nlohmann::json& stated = all["properties"] = nlohmann::json::object();
    for (const DeviceProperty& property : properties) stated[property.id] = property.value;
    return all;
}

std::string device_text(const DeviceInfo& device, const std::vector<DeviceProperty>& properties) {
    std::string text = fmt::format("  device {}: {}\n", DeviceId(device).text(), device.name);
    std::string group;
    for (const DeviceProperty& property : properties) {
        if (property.group == platform_group || property.id == "name") continue;
        if (property.group != group) text += fmt::format("    {}\n", property.group);
        group = property.group;
        const nlohmann::json& value = property.value;
        const bool names = value.is_array() && !value.empty() && value.front().is_string();
        const std::string said =
            names ? wrapped(value.get<std::vector<std::string>>()) : value_text(property);
        text += fmt::format("      {:<33}{}\n", property.label, said.empty() ? "not reported" : said);
    }
    return text;
}

}  // namespace ks
