#include "core/tune/tuning_space.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/tune/define_rule.h"

namespace ks {
namespace {

constexpr std::size_t most_combinations = 1'000'000;

std::vector<DefineRule> rules_of(const std::vector<std::string>& texts, const std::vector<TuningAxis>& axes,
                                 const Defines& fixed) {
    std::vector<std::string> known;
    for (const TuningAxis& axis : axes) known.push_back(axis.name);
    for (const auto& [name, value] : fixed)
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    std::vector<DefineRule> rules;
    rules.reserve(texts.size());
    for (const std::string& text : texts) rules.emplace_back(text, known);
    return rules;
}

/// Advances to the next combination, the last axis first; false after the last one.
bool advance(std::vector<std::size_t>& point, const std::vector<TuningAxis>& axes) {
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        if (++point[axis] < axes[axis].values.size()) return true;
        point[axis] = 0;
    }
    return false;
}

}  // namespace

TuningSpace::TuningSpace(std::vector<TuningAxis> axes, const std::vector<std::string>& texts,
                         const Defines& fixed)
    : axes_(std::move(axes)) {
    for (const TuningAxis& axis : axes_) {
        if (axis.values.empty()) throw Error(ErrorKind::input, "there are no values to try", axis.name);
        combinations_ *= axis.values.size();
        if (combinations_ > most_combinations)
            throw Error(ErrorKind::input,
                        fmt::format("there are more than {} combinations", most_combinations), "tuning space",
                        "give fewer values with --space");
    }
    const std::vector<DefineRule> rules = rules_of(texts, axes_, fixed);
    std::vector<std::size_t> point(axes_.size());
    do {
        Defines values;
        for (std::size_t i = 0; i < axes_.size(); ++i) values[axes_[i].name] = axes_[i].values[point[i]];
        values.insert(fixed.begin(), fixed.end());
        if (std::ranges::all_of(rules, [&](const DefineRule& rule) { return rule.holds(values); }))
            points_.push_back(point);
    } while (advance(point, axes_));
    if (points_.empty())
        throw Error(
            ErrorKind::input,
            fmt::format("none of the {} combinations satisfies {}", combinations_, fmt::join(texts, ", ")),
            "tuning space", "give other values with --space");
}

Defines TuningSpace::defines(std::size_t configuration) const {
    Defines values;
    for (std::size_t i = 0; i < axes_.size(); ++i)
        values[axes_[i].name] = axes_[i].values[points_.at(configuration)[i]];
    return values;
}

std::vector<std::size_t> TuningSpace::neighbours(std::size_t configuration) const {
    std::vector<std::size_t> found;
    const auto take = [&](const std::vector<std::size_t>& point) {
        const auto at = std::ranges::lower_bound(points_, point);
        if (at != points_.end() && *at == point)
            found.push_back(static_cast<std::size_t>(at - points_.begin()));
    };
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        std::vector<std::size_t> point = points_.at(configuration);
        const std::size_t here = point[i];
        if (here > 0) {
            point[i] = here - 1;
            take(point);
        }
        if (here + 1 < axes_[i].values.size()) {
            point[i] = here + 1;
            take(point);
        }
    }
    return found;
}

std::size_t TuningSpace::nearest(const Defines& wanted) const {
    std::size_t best = 0, most = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        std::size_t same = 0;
        for (const auto& [name, value] : defines(k)) {
            const auto found = wanted.find(name);
            same += found != wanted.end() && found->second == value ? 1 : 0;
        }
        if (same > most) {
            most = same;
            best = k;
        }
    }
    return best;
}

TuningSpace space_of(const Variant& variant, const std::map<std::string, std::vector<std::string>>& given,
                     const std::vector<std::string>& further_rules, const DeviceInfo& device) {
    for (const auto& [name, values] : given)
        for (const std::string& value : values) require_define(variant, name, value);
    std::vector<TuningAxis> axes;
    Defines fixed = limits_of(device);
    for (const DefineSpec& define : variant.defines) {
        const auto own = given.find(define.name);
        const std::vector<std::string>& values = own != given.end() ? own->second : define.allowed;
        if (!values.empty())
            axes.push_back({define.name, values});
        else
            fixed.emplace(define.name, define.default_value);
    }
    if (axes.empty())
        throw variant.defines.empty()
            ? Error(ErrorKind::input, "it has no definitions, so there is nothing to tune", variant.id)
            : Error(ErrorKind::input, "none of its definitions has a list of values", variant.id,
                    "give values with --space NAME=V,V,V");
    std::vector<std::string> rules = variant.rules;
    rules.insert(rules.end(), further_rules.begin(), further_rules.end());
    return TuningSpace(std::move(axes), rules, fixed);
}

}  // namespace ks
