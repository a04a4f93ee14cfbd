#include "core/run/tables/row_names.h"

#include <algorithm>
#include <sstream>

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

}  // namespace ks
