#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/session.h"
#include "core/base/json_text.h"
#include "core/devices/device_property.h"
#include "core/devices/devices_text.h"
#include "core/wire/wire.h"

namespace ks::cli {

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
                            std::vector<std::vector<DeviceProperty>> properties;
                            for (const DeviceInfo& device : devices)
                                properties.push_back(session.engine().properties(device));
                            fmt::print("{}", devices_text(devices, properties));
                            return 0;
                        }});
}

}  // namespace ks::cli
