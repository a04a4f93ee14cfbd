#include "core/run/variant.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/run/user/define_words.h"

namespace ks {
namespace {

std::optional<double> as_number(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

bool holds(const Condition& condition, const ParameterValue& value) {
    if (!condition.values.empty() &&
        std::ranges::find(condition.values, to_text(value)) == condition.values.end())
        return false;
    const std::optional<double> number = as_number(value);
    if (!number) return true;
    return (!condition.minimum || *number >= *condition.minimum) &&
           (!condition.maximum || *number <= *condition.maximum);
}

/// "dispersion", "u8, u16 or u32", "1 to 8", "at most 8"
std::string expected(const Condition& condition) {
    // The text of an absent value is empty.
    if (condition.values == std::vector<std::string>{""}) return "none";
    if (!condition.values.empty()) return alternatives(condition.values);
    if (condition.minimum && condition.maximum)
        return fmt::format("{} to {}", *condition.minimum, *condition.maximum);
    return condition.minimum ? fmt::format("at least {}", *condition.minimum)
                             : fmt::format("at most {}", condition.maximum.value_or(0));
}

constexpr std::array streaming_names{
    std::pair{Streaming::resident, "resident"}, std::pair{Streaming::frames, "frames"},
    std::pair{Streaming::modules, "modules"}, std::pair{Streaming::targets, "targets"},
    std::pair{Streaming::time_slabs, "time_slabs"}};

bool is_whole_number(const std::string& text) {
    long long value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc{} && stop == text.data() + text.size();
}

}  // namespace

const char* name_of(Streaming streaming) {
    for (const auto& [value, name] : streaming_names)
        if (value == streaming) return name;
    throw Error(ErrorKind::run, "unknown way of streaming");
}

Streaming streaming_from(const std::string& name) {
    for (const auto& [value, known] : streaming_names)
        if (name == known) return value;
    throw Error(ErrorKind::run, "unknown way of streaming \"" + name + "\"");
}

std::string why_not(const Variant& variant, const Traits& traits, bool device_has_fp64) {
    for (const Condition& condition : variant.takes) {
        if (condition.without_fp64_only && device_has_fp64) continue;
        const auto known = traits.find(condition.trait);
        if (known == traits.end() || holds(condition, known->second)) continue;
        return fmt::format("{} requires {} {}{}, found {}", variant.id, condition.what, expected(condition),
                           condition.without_fp64_only ? " on a device without double precision" : "",
                           to_text(known->second));
    }
    return {};
}

bool takes_only_without(const Variant& variant, const std::string& trait) {
    return std::ranges::any_of(variant.takes, [&trait](const Condition& condition) {
        return condition.trait == trait && condition.values == std::vector<std::string>{""};
    });
}

void leave_out_untaken(const Variant& variant, ParameterSet& parameters) {
    for (auto& [id, value] : parameters)
        if (takes_only_without(variant, id)) value = ParameterValue();
}

const std::string& name_in_program(const DefineSpec& define) {
    return define.program_name.empty() ? define.name : define.program_name;
}

void require_define(const Variant& variant, const std::string& name, const std::string& value) {
    const auto spec = std::ranges::find(variant.defines, name, &DefineSpec::name);
    if (spec == variant.defines.end()) {
        std::vector<std::string> names, meanings;
        for (const DefineSpec& define : variant.defines) {
            names.push_back(define.name);
            meanings.push_back(fmt::format("{}: {}", define.name, define.help));
        }
        throw Error(ErrorKind::input, "unknown definition " + name, variant.id,
                    names.empty() ? "it has none" : "the definitions are " + joined(names),
                    fmt::format("{}", fmt::join(meanings, "\n")));
    }
    const std::vector<std::string>& allowed = spec->allowed;
    const bool takes = allowed.empty()
                           ? is_whole_number(value)
                           : std::ranges::find(allowed, value_in_words(*spec, value)) != allowed.end();
    if (!takes)
        throw Error(ErrorKind::input,
                    fmt::format("expected {}, found \"{}\"",
                                allowed.empty() ? "a whole number" : "one of " + joined(allowed), value),
                    fmt::format("{}, define {}", variant.id, name),
                    fmt::format("only {} are supported, because the launch {}depends on the value",
                                allowed.empty() ? "whole numbers" : "these values",
                                variant.from_user() ? "by its base " + variant.base + " " : ""));
}

}  // namespace ks
