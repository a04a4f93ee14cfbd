#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/json_text.h"
#include "core/wire/wire.h"

namespace ks::cli {
namespace {

using Row = std::pair<const char*, std::string>;

void print_rows(const char* indent, const std::vector<Row>& rows) {
    for (const auto& [label, value] : rows)
        fmt::print("{}{:<20} {}\n", indent, label, value.empty() ? "not stated" : value);
}

/// Extension names in lines of at most 100 columns, aligned below the first.
std::string wrapped(const std::vector<std::string>& names) {
    if (names.empty()) return "none";
    std::string text;
    std::size_t column = 0;
    for (const std::string& name : names) {
        if (column > 0 && column + 1 + name.size() > 75) {
            text += "\n" + std::string(25, ' ');
            column = 0;
        }
        if (column > 0) text += ' ';
        text += name;
        column += name.size() + 1;
    }
    return text;
}

void print_platform(const DeviceInfo& device) {
    fmt::print("{}\n", device.platform_name.empty() ? "Host" : device.platform_name);
    if (device.backend == "host") return;
    print_rows("  ", {{"platform vendor", device.platform_vendor},
                      {"platform version", device.platform_version},
                      {"platform profile", device.platform_profile}});
}

void print_device(const DeviceInfo& device) {
    fmt::print("  device {}: {}\n", device.index < 0 ? "host" : std::to_string(device.index), device.name);
    std::vector<Row> rows{{"type", device.type},
                          {"vendor", device.vendor},
                          {"version", device.version},
                          {"OpenCL C", device.c_version},
                          {"driver", device.driver},
                          {"clock", device.clock_mhz > 0 ? fmt::format("{} MHz", device.clock_mhz) : ""},
                          {"compute units", std::to_string(device.compute_units)},
                          {"local memory", bytes_text(device.local_bytes)},
                          {"constant memory", bytes_text(device.constant_bytes)},
                          {"global memory", bytes_text(device.global_bytes)},
                          {"largest allocation", bytes_text(device.largest_allocation)},
                          {"largest work-group", std::to_string(device.largest_work_group)},
                          {"fp64", device.fp64 ? "yes" : "no"},
                          {"extensions", wrapped(device.extensions)}};
    if (device.backend == "host") {
        // What only an OpenCL device has would read as a lack here.
        std::erase_if(rows, [](const Row& row) {
            const std::string label = row.first;
            return label == "OpenCL C" || label == "local memory" || label == "constant memory" ||
                   label == "largest work-group" || label == "extensions" || row.second.empty();
        });
    }
    print_rows("    ", rows);
}

}  // namespace

void add_devices(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand("devices", "List the OpenCL platforms and devices, and the host");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON");
    commands.push_back({command, [json](Session& session) {
                            const std::vector<DeviceInfo>& devices = session.engine().devices();
                            if (*json) {
                                nlohmann::json list = nlohmann::json::array();
                                for (const DeviceInfo& device : devices) list.push_back(ks::to_json(device));
                                fmt::print("{}\n", dump_json(list, 2));
                                return 0;
                            }
                            const DeviceInfo* previous = nullptr;
                            for (const DeviceInfo& device : devices) {
                                const bool same = previous != nullptr &&
                                                  previous->backend == device.backend &&
                                                  previous->platform_name == device.platform_name &&
                                                  previous->platform_version == device.platform_version;
                                if (!same) {
                                    if (previous != nullptr) fmt::print("\n");
                                    print_platform(device);
                                }
                                print_device(device);
                                previous = &device;
                            }
                            return 0;
                        }});
}

}  // namespace ks::cli
