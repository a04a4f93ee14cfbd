#include "core/data/digi_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ks {

void require_consistent(const DigiTable& digis) {
    const std::size_t rows = digis.size();
    const auto require = [rows](std::size_t found, const char* column) {
        if (found != rows)
            throw Error(ErrorKind::run,
                        fmt::format("expected {} values in the column, found {}", rows, found), column);
    };
    require(digis.x.size(), "x");
    require(digis.y.size(), "y");
    require(digis.adc.size(), "adc");
    if (digis.has_events()) require(digis.event.size(), "event");
    if (digis.module_ids.empty()) return;
    if (!std::ranges::is_sorted(digis.module_ids))
        throw Error(ErrorKind::run, "expected ascending ids", "module_ids");
    if (std::ranges::any_of(digis.module, [&](std::uint32_t m) { return m >= digis.module_ids.size(); }))
        throw Error(ErrorKind::run, "a digi's module has no id", "module");
}

}  // namespace ks
