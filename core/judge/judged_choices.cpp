#include "core/judge/judged_choices.h"

#include <algorithm>
#include <array>

#include "core/judge/judged_sizes.h"
#include "core/run/parameters/option_name.h"

namespace ks {
namespace {

constexpr std::array launch_sizes{"local_size", "local_x", "local_y", "local_z"};

/// Further whole numbers that select what a kernel does.
constexpr std::array selecting_numbers{"dimensions", "vectors", "items_per_counter"};

bool is_among(const auto& ids, const std::string& id) {
    return std::ranges::any_of(ids, [&](const char* one) { return id == one; });
}

bool is_choice(const AnalysisInfo& info, const ParameterSpec& spec) {
    if (is_launch_size(spec.id)) return true;
    if (is_judged_size(info.id, spec.id)) return false;
    return spec.type != ParameterType::integer || is_among(selecting_numbers, spec.id);
}

}  // namespace

bool is_launch_size(const std::string& id) {
    return is_among(launch_sizes, id);
}

ParameterSet choices_among(const AnalysisInfo& info, const ParameterSet& parameters) {
    ParameterSet choices;
    for (const ParameterSpec& spec : info.benchmark)
        if (const auto at = parameters.find(spec.id); at != parameters.end() && is_choice(info, spec))
            choices.insert(*at);
    return choices;
}

std::vector<std::string> judge_arguments(const AnalysisInfo& info, const ParameterSet& choices) {
    std::vector<std::string> arguments;
    for (const ParameterSpec& spec : info.benchmark) {
        const auto at = choices.find(spec.id);
        if (at == choices.end()) continue;
        // A size of groups that judge varies itself stays varied, unless another one was chosen.
        const auto small = is_judged_size(info.id, spec.id) ? info.small.end() : info.small.find(spec.id);
        if (at->second == (small == info.small.end() ? spec.default_value : small->second)) continue;
        std::string name = option_name(spec.id);
        if (const auto* on = std::get_if<bool>(&at->second)) {
            arguments.push_back(*on ? name : "--no-" + name.substr(2));
            continue;
        }
        // An option with "=" may have a value that begins with a hyphen.
        arguments.push_back(name + "=" + to_text(spec, at->second));
    }
    return arguments;
}

}  // namespace ks
