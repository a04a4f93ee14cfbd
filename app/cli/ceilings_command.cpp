#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/json_text.h"
#include "core/devices/ceilings.h"
#include "core/io/files/atomic_file.h"

namespace ks::cli {
namespace {

struct CeilingsOptions {
    std::string device, memory_limit, json;
    std::int64_t repeats = static_cast<std::int64_t>(CeilingsPlan{}.repeats);
    bool overwrite = false, progress = false;
};

std::string value_text(double value, const std::string& unit) {
    return unit == "s" ? time_text(value * 1e9) : rate_text(value, unit);
}

std::string table(const Ceilings& ceilings) {
    std::string text = fmt::format("ceilings of {} ({}), driver {}\nmedians with quartiles; version {}\n\n",
                                   ceilings.device.name, ceilings.device.platform_name,
                                   ceilings.device.driver, ceilings.version);
    const char* const line = "{:<40} {:>14} {:>14} {:>14} {:>4}  {}\n";
    text += fmt::format(fmt::runtime(line), "", "median", "lower", "upper", "n", "one sample");
    for (const Ceiling& one : ceilings.values)
        text += fmt::format(fmt::runtime(line), one.label, value_text(one.median(), one.unit),
                            value_text(one.at_quantile(0.25), one.unit),
                            value_text(one.at_quantile(0.75), one.unit), one.samples.size(), one.sample);
    return text;
}

int run_ceilings(Session& session, const CeilingsOptions& options) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    CeilingsPlan plan;
    plan.repeats = static_cast<std::size_t>(options.repeats);
    if (!options.memory_limit.empty()) plan.memory_limit = parse_bytes(options.memory_limit);
    if (!options.json.empty()) require_output(options.json, options.overwrite);
    const DeviceInfo& device = choose_device(session.engine().devices(), options.device);
    const Ceilings measured = session.engine().measure_ceilings(device, plan, session.progress());
    session.terminal().clear();
    if (!options.json.empty())
        io::write_text(options.json, dump_json(to_json(measured), 1) + "\n", options.overwrite);
    fmt::print("{}", table(measured));
    return 0;
}

}  // namespace

void add_ceilings(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "ceilings", "Measure the peak rates of a device: memory, transfers, arithmetic, launches");
    auto options = std::make_shared<CeilingsOptions>();
    add_text(*command, "--device", options->device,
             "Index of a device or part of its name, as listed by `devices`", "DEVICE");
    command
        ->add_option("--repeat", options->repeats,
                     fmt::format("Samples per ceiling (default {})", options->repeats))
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    add_text(*command, "--memory-limit", options->memory_limit,
             "Maximum device memory to use (default: from the device)", "BYTES");
    add_text(*command, "--json", options->json, "File to write all samples to", "FILE");
    command->add_flag("--overwrite", options->overwrite, "Replace an existing file");
    command->add_flag("--progress", options->progress, "Print progress as lines");
    commands.push_back({command, [options](Session& session) { return run_ceilings(session, *options); }});
}

}  // namespace ks::cli
