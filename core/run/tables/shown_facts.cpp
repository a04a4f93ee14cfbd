#include "core/run/tables/shown_facts.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace ks {

const Dataset* row_names_of(const Result& result, const Dataset& column) {
    if (column.kind != DataKind::table || column.axes.empty() || column.axes.front().empty()) return nullptr;
    const Dataset* const axis = result.find(column.axes.front());
    if (axis == nullptr || axis->kind != DataKind::text || column.values.rank() == 0) return nullptr;
    return row_names(*axis).size() == column.values.shape().front() ? axis : nullptr;
}

std::vector<std::string> row_names(const Dataset& text) {
    std::istringstream lines(text_of(text));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    return names;
}

bool names_rows(const Result& result, const Dataset& text) {
    return std::ranges::any_of(result.datasets, [&](const Dataset& column) {
        const Dataset* const names = row_names_of(result, column);
        return names != nullptr && names->name == text.name;
    });
}

namespace {

struct RateUnit {
    std::string_view key, unit;
};
constexpr std::array rate_units{
    RateUnit{"gigabytes_per_second", "GB/s"}, RateUnit{"gflop_per_second", "GFLOP/s"},
    RateUnit{"frames_per_second", "frames/s"}, RateUnit{"digis_per_second", "digis/s"}};

}  // namespace

std::vector<ShownFact> shown_facts(const Result& result) {
    std::vector<ShownFact> shown;
    for (const auto& [key, value] : result.facts.items()) {
        ShownFact fact{key, value, {}};
        for (const RateUnit& rate : rate_units)
            if (key.ends_with(rate.key)) {
                fact.unit = rate.unit;
                fact.name.resize(key.size() - rate.key.size());  // "private_" or nothing
                fact.name = fact.name.empty() ? "rate" : fact.name.substr(0, fact.name.size() - 1);
            }
        std::ranges::replace(fact.name, '_', ' ');
        shown.push_back(std::move(fact));
    }
    return shown;
}

}  // namespace ks
