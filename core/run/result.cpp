#include "core/run/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/run/tables/enum_names.h"
#include "core/run/tables/shown_facts.h"

namespace ks {
namespace {

constexpr EnumNames<DataKind, 6> data_kinds{{"axis", "curves", "image", "table", "overlay", "text"}};

}  // namespace

const char* name_of(DataKind kind) {
    return data_kinds.of(kind);
}

DataKind data_kind_from(const std::string& name) {
    return data_kinds.from(name, ErrorKind::run, "kind of a dataset");
}

const Dataset* Result::find(const std::string& name) const {
    for (const Dataset& dataset : datasets)
        if (dataset.name == name) return &dataset;
    return nullptr;
}

const Dataset& Result::at(const std::string& name) const {
    if (const Dataset* dataset = find(name)) return *dataset;
    std::string names;
    for (const Dataset& dataset : datasets) names += (names.empty() ? "" : ", ") + dataset.name;
    throw Error(ErrorKind::run, "the result has no dataset \"" + name + "\"; its datasets are " +
                                    (names.empty() ? std::string("none") : names));
}

Dataset text_dataset(const std::string& name, const std::string& title, const std::string& text) {
    Array bytes(ElementType::u8, {text.size()});
    std::ranges::copy(std::as_bytes(std::span(text)), bytes.bytes().begin());
    return {name, title, "", DataKind::text, std::move(bytes)};
}

std::string text_of(const Dataset& dataset) {
    if (dataset.kind != DataKind::text || dataset.values.rank() != 1)
        throw Error(ErrorKind::run, "expected text, u8 [byte]", dataset.name);
    const auto bytes = dataset.values.as<std::uint8_t>();
    return {bytes.begin(), bytes.end()};
}

namespace {

/// Six digits, the most that rates have; integers with all digits, as far as a double
/// represents them exactly.
std::string fact_text(double value) {
    constexpr double exact = 9007199254740992;  // 2^53
    return value == std::trunc(value) && std::abs(value) <= exact ? fmt::format("{:.0f}", value)
                                                                  : fmt::format("{:.6g}", value);
}

}  // namespace

std::string summary_of_result(const Result& result) {
    std::string text;
    for (const auto& [name, value, unit] : shown_facts(result))
        text += fmt::format("{:<24} {}{}{}\n", name,
                            value.is_number_float() ? fact_text(value.get<double>())
                            : value.is_string()     ? value.get<std::string>()
                                                    : dump_json(value),
                            unit.empty() ? "" : " ", unit);
    for (const Dataset& dataset : result.datasets)
        if (dataset.kind == DataKind::text && !names_rows(result, dataset)) {
            text += fmt::format("{}:\n{}", dataset.title, text_of(dataset));
            if (!text.ends_with('\n')) text += '\n';
        }
    return text;
}

}  // namespace ks
