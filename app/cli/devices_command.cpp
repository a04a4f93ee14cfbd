#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/session.h"
#include "core/base/json_text.h"
#include "core/devices/device_id.h"
#include "core/devices/device_property.h"
#include "core/wire/wire.h"

namespace ks::cli {
namespace {

using Row = std::pair<const char*, std::string>;

void print_rows(const char* indent, const std::vector<Row>& rows) {
    for (const auto& [label, value] : rows)
        fmt::print("{}{:<20} {}\n", indent, label, value.empty() ? "not reported" : value);
}

void print_platform(const DeviceInfo& device) {
    fmt::print("{}\n", device.platform_name.empty() ? "Host" : device.platform_name);
    if (DeviceId(device).is_host()) return;
    print_rows("  ", {{"platform vendor", device.platform_vendor},
                      {"platform version", device.platform_version},
                      {"platform profile", device.platform_profile}});
}

}  // namespace

void add_devices(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand("devices", "List the OpenCL platforms and devices, and the host");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON");
    commands.push_back({command, [json](Session& session) {
                            session.drivers().try_again();
                            const std::vector<DeviceInfo>& devices = session.engine().devices();
                            if (*json) {
                                nlohmann::json list = nlohmann::json::array();
                                for (const DeviceInfo& device : devices)
                                    list.push_back(device_json(device, session.engine().properties(device)));
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
                                fmt::print("{}", device_text(device, session.engine().properties(device)));
                                previous = &device;
                            }
                            return 0;
                        }});
}

}  // namespace ks::cli
