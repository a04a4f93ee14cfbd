#include "core/io/digis/digi_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/large_pages.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"

namespace ks::io {
namespace {

constexpr std::int64_t max_16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::int64_t max_31 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t max_32 = std::numeric_limits<std::uint32_t>::max();
constexpr WholeNumber max_64 = std::numeric_limits<std::uint64_t>::max();

bool within(WholeNumber value, WholeNumber last) {
    return value >= 0 && value <= last;
}

/// Appends column(part) of each part.
template <class T, class Column>
void join(std::vector<T>& to, std::vector<DigiRows>& parts, const Column& column) {
    std::size_t rows = 0;
    for (DigiRows& part : parts) rows += column(part).size();
    to.reserve(rows);
    prefer_large_pages(reinterpret_cast<std::byte*>(to.data()), rows * sizeof(T));
    for (DigiRows& part : parts) {
        const std::vector<T> values = std::move(column(part));
        to.insert(to.end(), values.begin(), values.end());
    }
}

bool is_invalid(const DigiLimits& limits, WholeNumber module) {
    return std::ranges::any_of(limits.invalid_ids, [module](std::uint32_t id) { return id == module; });
}

}  // namespace

bool DigiRows::fits(const DigiRow& row) const {
    if (!within(row.x, max_16) || !within(row.y, max_16) || !within(row.adc, max_32) ||
        !within(row.event, max_32) || !within(row.module, wide_ ? max_64 : max_31))
        return false;
    const bool inside = (limits_.modules == 0 || row.module < limits_.modules) &&
                        (limits_.extent_x == 0 || row.x < limits_.extent_x) &&
                        (limits_.extent_y == 0 || row.y < limits_.extent_y);
    return inside || is_invalid(limits_, row.module);
}

void DigiRows::refuse(const DigiRow& row, const std::string& where) const {
    const auto require = [&where](const char* column, WholeNumber value, WholeNumber last,
                                  const std::string& hint = {}) {
        if (!within(value, last))
            throw Error(ErrorKind::input,
                        fmt::format("expected {} from 0 to {}, found {}", column, last, value), where, hint);
    };
    const auto last_of = [](std::uint32_t extent, WholeNumber maximum) {
        return extent == 0 ? maximum : WholeNumber{extent} - 1;
    };
    const bool invalid = is_invalid(limits_, row.module);
    std::string ids;
    for (const std::uint32_t id : limits_.invalid_ids)
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
    require("module", row.module, invalid ? max_64 : last_of(limits_.modules, wide_ ? max_64 : max_31),
            ids.empty() ? "" : "invalid digis have module " + ids);
    require("x", row.x, invalid ? max_16 : last_of(limits_.extent_x, max_16));
    require("y", row.y, invalid ? max_16 : last_of(limits_.extent_y, max_16));
    require("adc", row.adc, max_32);
    require("event", row.event, max_32);
    throw Error(ErrorKind::run, "a digi was rejected although it is within all limits", where);
}

void DigiRows::append(const DigiRow& row) {
    if (wide_)
        wide_modules_.push_back(static_cast<std::uint64_t>(row.module));
    else
        digis_.module.push_back(static_cast<std::uint32_t>(row.module));
    digis_.x.push_back(static_cast<std::uint16_t>(row.x));
    digis_.y.push_back(static_cast<std::uint16_t>(row.y));
    digis_.adc.push_back(static_cast<std::uint32_t>(row.adc));
    if (events_) digis_.event.push_back(static_cast<std::uint32_t>(row.event));
}

void DigiRows::reserve(std::size_t rows) {
    if (wide_)
        wide_modules_.reserve(rows);
    else
        digis_.module.reserve(rows);
    digis_.x.reserve(rows);
    digis_.y.reserve(rows);
    digis_.adc.reserve(rows);
    if (events_) digis_.event.reserve(rows);
}

DigiRows DigiRows::joined(std::vector<DigiRows> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    DigiRows all(parts.front().limits_, parts.front().events_, parts.front().wide_);
    DigiTable& to = all.digis_;
    const std::function<void()> columns[] = {
        [&] {
            join(
                to.module, parts, [](DigiRows & part) -> auto& { return part.digis_.module; });
        },
        [&] {
            join(
                to.adc, parts, [](DigiRows & part) -> auto& { return part.digis_.adc; });
        },
        [&] {
            join(
                to.event, parts, [](DigiRows & part) -> auto& { return part.digis_.event; });
        },
        [&] {
            join(
                to.x, parts, [](DigiRows & part) -> auto& { return part.digis_.x; });
        },
        [&] {
            join(
                to.y, parts, [](DigiRows & part) -> auto& { return part.digis_.y; });
        },
        [&] {
            join(
                all.wide_modules_, parts, [](DigiRows & part) -> auto& { return part.wide_modules_; });
        }};
    parallel_for(std::size(columns), compute_threads(), [&](std::size_t i) { columns[i](); });
    return all;
}

DigiTable DigiRows::take() {
    if (wide_) {
        auto& ids = digis_.module_ids;
        ids = wide_modules_;
        std::ranges::sort(ids);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        for (const std::uint64_t id : wide_modules_)
            digis_.module.push_back(
                static_cast<std::uint32_t>(std::ranges::lower_bound(ids, id) - ids.begin()));
    }
    return std::move(digis_);
}

}  // namespace ks::io
