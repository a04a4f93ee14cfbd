#include "core/run/parameter_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/run/parameters/unit_text.h"
#include "core/run/parameters/whole_number.h"

namespace ks {
namespace {

[[noreturn]] void refuse(const ParameterSpec& spec, const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::input, "expected " + expected + ", found " + found, "parameter " + spec.id);
}

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

std::string shown(const ParameterValue& value) {
    if (is_absent(value)) return "no value";
    return std::holds_alternative<std::string>(value) ? quoted(to_text(value)) : to_text(value);
}

std::string range(const ParameterSpec& spec) {
    const std::string what = spec.type == ParameterType::integer ? "a whole number" : "a number";
    const auto unit = [&spec](double number) {
        return spec.unit.empty() ? std::string() : " " + unit_after(number, spec.unit);
    };
    const std::string absent = spec.absent ? " or \"" + *spec.absent + "\"" : "";
    if (spec.minimum && spec.maximum)
        return fmt::format("{} from {} to {}{}{}", what, *spec.minimum, *spec.maximum, unit(*spec.maximum),
                           absent);
    if (spec.minimum)
        return fmt::format("{} of at least {}{}{}", what, *spec.minimum, unit(*spec.minimum), absent);
    if (spec.maximum)
        return fmt::format("{} of at most {}{}{}", what, *spec.maximum, unit(*spec.maximum), absent);
    return what + absent;
}

void require_range(const ParameterSpec& spec, double value) {
    if (std::isnan(value)) refuse(spec, range(spec), "nan");
    if ((spec.minimum && value < *spec.minimum) || (spec.maximum && value > *spec.maximum))
        refuse(spec, range(spec), fmt::format("{}", value));
}

ParameterValue checked_value(const ParameterSpec& spec, const ParameterValue& value) {
    if (is_absent(value) && spec.absent) return value;
    switch (spec.type) {
        case ParameterType::boolean:
            if (!std::holds_alternative<bool>(value)) refuse(spec, "true or false", shown(value));
            return value;
        case ParameterType::integer: {
            const auto* number = std::get_if<std::int64_t>(&value);
            if (number == nullptr) refuse(spec, range(spec), shown(value));
            require_range(spec, static_cast<double>(*number));
            return value;
        }
        case ParameterType::real: {
            const auto* whole = std::get_if<std::int64_t>(&value);
            const auto* number = std::get_if<double>(&value);
            if (whole == nullptr && number == nullptr) refuse(spec, range(spec), shown(value));
            const double real_value = number != nullptr ? *number : static_cast<double>(*whole);
            require_range(spec, real_value);
            return real_value;
        }
        case ParameterType::choice: {
            const auto* name = std::get_if<std::string>(&value);
            if (name == nullptr ||
                std::find(spec.choices.begin(), spec.choices.end(), *name) == spec.choices.end())
                refuse(spec, "one of " + joined(spec.choices), shown(value));
            return value;
        }
        case ParameterType::text:
            if (!std::holds_alternative<std::string>(value)) refuse(spec, "a string", shown(value));
            return value;
    }
    return value;
}

template <class T>
T parse_number(const ParameterSpec& spec, const std::string& text) {
    std::string_view number = text;
    if (number.size() > 1 && number[0] == '+' && number[1] != '-') number.remove_prefix(1);
    if constexpr (std::is_same_v<T, std::int64_t>) {
        if (const auto whole = whole_number(number)) return *whole;
    } else {
        T value{};
        const char* const end = number.data() + number.size();
        const auto [stop, status] = std::from_chars(number.data(), end, value);
        if (status == std::errc{} && stop == end) return value;
    }
    refuse(spec, range(spec), quoted(text));
}

template <class T>
const T& typed(const ParameterSet& set, const std::string& id, const char* type) {
    const auto found = set.find(id);
    if (found == set.end()) throw Error(ErrorKind::run, "the parameter is missing", "parameter " + id);
    if (const T* value = std::get_if<T>(&found->second)) return *value;
    throw Error(ErrorKind::run, std::string("expected ") + type + ", found " + shown(found->second),
                "parameter " + id);
}

}  // namespace

ParameterSet defaults(const std::vector<ParameterSpec>& specs) {
    ParameterSet set;
    for (const ParameterSpec& spec : specs) set[spec.id] = checked_value(spec, spec.default_value);
    return set;
}

ParameterSet checked(const std::vector<ParameterSpec>& specs, const ParameterSet& given) {
    ParameterSet set = defaults(specs);
    for (const auto& [id, value] : given) {
        const auto spec = std::ranges::find(specs, id, &ParameterSpec::id);
        if (spec == specs.end()) {
            std::vector<std::string> ids;
            for (const ParameterSpec& known : specs) ids.push_back(known.id);
            throw Error(ErrorKind::input, "there is no such parameter", "parameter " + id,
                        "the parameters are " + joined(ids));
        }
        set[id] = checked_value(*spec, value);
    }
    return set;
}

ParameterSet among(const std::vector<ParameterSpec>& specs, const ParameterSet& set) {
    ParameterSet some;
    for (const ParameterSpec& spec : specs)
        if (const auto found = set.find(spec.id); found != set.end()) some.insert(*found);
    return some;
}

ParameterValue parse_value(const ParameterSpec& spec, const std::string& text) {
    if (spec.absent) {
        std::string hyphened = *spec.absent;
        std::ranges::replace(hyphened, ' ', '-');
        if (text == *spec.absent || text == hyphened) return std::monostate{};
    }
    switch (spec.type) {
        case ParameterType::boolean:
            for (const char* word : {"true", "yes", "on", "1"})
                if (text == word) return true;
            for (const char* word : {"false", "no", "off", "0"})
                if (text == word) return false;
            refuse(spec, "true or false", quoted(text));
        case ParameterType::integer:
            return checked_value(spec, parse_number<std::int64_t>(spec, text));
        case ParameterType::real:
            return checked_value(spec, parse_number<double>(spec, text));
        case ParameterType::choice:
        case ParameterType::text:
            break;
    }
    return checked_value(spec, text);
}

std::string to_text(const ParameterValue& value) {
    return std::visit(
        [](const auto& held) -> std::string {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
                return held;
            else if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
                return {};
            else
                return fmt::format("{}", held);
        },
        value);
}

std::string to_text(const ParameterSpec& spec, const ParameterValue& value) {
    return is_absent(value) ? spec.absent.value_or("") : to_text(value);
}

bool boolean(const ParameterSet& set, const std::string& id) {
    return typed<bool>(set, id, "true or false");
}

std::int64_t integer(const ParameterSet& set, const std::string& id) {
    return typed<std::int64_t>(set, id, "a whole number");
}

double real(const ParameterSet& set, const std::string& id) {
    return typed<double>(set, id, "a number");
}

const std::string& text(const ParameterSet& set, const std::string& id) {
    return typed<std::string>(set, id, "a string");
}

std::optional<std::int64_t> optional_integer(const ParameterSet& set, const std::string& id) {
    const auto found = set.find(id);
    if (found != set.end() && is_absent(found->second)) return std::nullopt;
    return integer(set, id);
}

std::optional<double> optional_real(const ParameterSet& set, const std::string& id) {
    const auto found = set.find(id);
    if (found != set.end() && is_absent(found->second)) return std::nullopt;
    return real(set, id);
}

}  // namespace ks
