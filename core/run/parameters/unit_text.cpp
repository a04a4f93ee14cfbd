#include "core/run/parameters/unit_text.h"

#include <string_view>

namespace ks {
namespace {

/// Words whose plural ends in "s"; all other units have none.
constexpr std::string_view plurals[] = {"bytes",   "counts", "elements", "frames", "points",
                                        "photons", "rows",   "slices",   "values", "work-items"};

}  // namespace

std::string unit_after(double number, const std::string& unit) {
    if (number != 1) return unit;
    for (const std::string_view word : plurals) {
        const bool begins = unit.starts_with(word);
        if (begins && (unit.size() == word.size() || unit[word.size()] == ' ' || unit[word.size()] == '/'))
            return std::string(word.substr(0, word.size() - 1)) + unit.substr(word.size());
    }
    return unit;
}

}  // namespace ks
