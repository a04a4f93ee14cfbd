#include "core/judge/judged_launch.h"

#include <cstddef>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/printable.h"
#include "core/judge/judged_sizes.h"
#include "core/run/build_log.h"
#include "core/run/run.h"
#include "core/run/user/shown_variant.h"

namespace ks {
namespace {

/// Of the compiler's options; a definition without a value has the value 1.
std::map<std::string, std::string> definitions_in(const std::string& options) {
    std::map<std::string, std::string> all;
    std::istringstream words(options);
    for (std::string word; words >> word;) {
        if (!word.starts_with("-D") || word.size() == 2) continue;
        const std::size_t equals = word.find('=');
        all[word.substr(2, equals - 2)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
    }
    return all;
}

std::string value_in(const std::map<std::string, std::string>& values, const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::string() : at->second;
}

constexpr const char* local_size_of = "local size of ";

}  // namespace

JudgedLaunch launch_of(const Run& run) {
    JudgedLaunch launch{run.device.type, compiled_defines(run)};
    std::map<std::string, std::set<std::string>> facts;
    for (const BuildLog& build : run.builds) {
        const std::string& own =
            run.request.kernel_source.empty() ? run.variant.source_file : run.request.kernel_file;
        const bool is_own = build.source_file == own || build.source_file == given_source;
        for (const auto& [name, value] : definitions_in(build.options))
            facts[is_own ? name : fmt::format("{} of {}", name, build.source_file)].insert(value);
        for (const KernelResources& kernel : build.resources)
            if (kernel.group) facts[local_size_of + kernel.entry_point].insert(std::to_string(*kernel.group));
    }
    for (const auto& [name, values] : facts) launch.facts[name] = fmt::format("{}", fmt::join(values, "/"));
    return launch;
}

std::vector<LaunchDifference> differences(const JudgedLaunch& on_device, const JudgedLaunch& simulated,
                                          bool same_sizes) {
    const auto& device = same_sizes ? on_device.facts : on_device.compiled;
    const auto& other = same_sizes ? simulated.facts : simulated.compiled;
    std::set<std::string> names;
    for (const auto* values : {&device, &other})
        for (const auto& [name, value] : *values) names.insert(name);
    std::vector<LaunchDifference> all;
    for (const std::string& name : names) {
        LaunchDifference one{name, value_in(device, name), value_in(other, name)};
        const bool by_driver = one.on_device.empty() && name.starts_with(local_size_of);
        const std::string define = name.substr(0, name.find(' '));
        if (one.on_device != one.simulated && !by_driver && !is_for_simulator_only(define))
            all.push_back(std::move(one));
    }
    return all;
}

std::string text_of(const std::vector<LaunchDifference>& differences) {
    constexpr std::size_t most = 4;
    std::vector<std::string> parts;
    for (const LaunchDifference& one : differences) {
        if (one.simulated.empty())
            parts.push_back(fmt::format("without {} {}", one.name, one.on_device));
        else if (one.on_device.empty())
            parts.push_back(fmt::format("with {} {}", one.name, one.simulated));
        else
            parts.push_back(fmt::format("{} {} instead of {}", one.name, one.simulated, one.on_device));
    }
    return listed(parts, most);
}

}  // namespace ks
