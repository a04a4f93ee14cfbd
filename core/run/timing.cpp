#include "core/run/timing.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/run/tables/enum_names.h"

namespace ks {

namespace {

constexpr EnumNames<StageKind, 6> stage_kinds{{"host", "read", "upload", "kernel", "download", "overhead"}};

std::uint64_t ns_of(std::chrono::steady_clock::time_point time) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

std::uint64_t end_of(const Span& span) {
    return span.start + span.nanoseconds;
}

/// Merges the spans with the smallest gaps, until half of them are left.
void thin(std::vector<Span>& spans) {
    std::vector<std::uint64_t> gaps;
    gaps.reserve(spans.size());
    std::uint64_t end = end_of(spans.front());
    for (std::size_t i = 1; i < spans.size(); ++i) {
        gaps.push_back(spans[i].start - std::min(end, spans[i].start));
        end = std::max(end, end_of(spans[i]));
    }
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    std::vector<Span> kept{spans.front()};
    for (std::size_t i = 1; i < spans.size(); ++i) {
        Span& last = kept.back();
        if (spans[i].start <= end_of(last) + *middle)
            last.nanoseconds = std::max(end_of(last), end_of(spans[i])) - last.start;
        else
            kept.push_back(spans[i]);
    }
    spans = std::move(kept);
}

void append(std::vector<Span>& to, const std::vector<Span>& more) {
    for (const Span& one : more) {
        // Almost always the end.
        const auto place =
            std::upper_bound(to.begin(), to.end(), one.start,
                             [](std::uint64_t at, const Span& span) { return at < span.start; });
        to.insert(place, one);
        if (to.size() > max_spans) thin(to);
    }
}

}  // namespace

const char* name_of(StageKind kind) {
    return stage_kinds.of(kind);
}

StageKind stage_kind_from(const std::string& name) {
    return stage_kinds.from(name, ErrorKind::run, "kind of a timing");
}

void add(std::vector<Timing>& rows, Timing row) {
    if (row.spans.empty() && row.nanoseconds > 0)
        row.spans.push_back({ns_of(std::chrono::steady_clock::now()) - row.nanoseconds, row.nanoseconds});
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Timing& other) {
        return other.stage == row.stage && other.kind == row.kind && other.device == row.device;
    });
    if (same == rows.end()) {
        rows.push_back(std::move(row));
        return;
    }
    same->nanoseconds += row.nanoseconds;
    same->bytes += row.bytes;
    same->operations += row.operations;
    same->launches += row.launches;
    append(same->spans, row.spans);
}

void add_piece(Timing& row, std::uint64_t nanoseconds) {
    row.nanoseconds += nanoseconds;
    append(row.spans, {{ns_of(std::chrono::steady_clock::now()) - nanoseconds, nanoseconds}});
}

void count_from(std::vector<Timing>& rows, std::chrono::steady_clock::time_point begin) {
    const std::uint64_t zero = ns_of(begin);
    for (Timing& row : rows)
        for (Span& span : row.spans) span.start -= std::min(zero, span.start);
    const auto first = [](const Timing& row) { return row.spans.empty() ? 0 : row.spans.front().start; };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Timing& a, const Timing& b) { return first(a) < first(b); });
}

std::uint64_t covered(const std::vector<Timing>& rows) {
    std::vector<Span> all;
    for (const Timing& row : rows) all.insert(all.end(), row.spans.begin(), row.spans.end());
    std::sort(all.begin(), all.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    std::uint64_t sum = 0, end = 0;
    for (const Span& span : all) {
        const std::uint64_t from = std::max(span.start, end);
        if (end_of(span) <= from) continue;
        sum += end_of(span) - from;
        end = end_of(span);
    }
    return sum;
}

std::uint64_t covered_by_devices(const std::vector<Timing>& rows) {
    std::vector<Timing> of_devices;
    for (const Timing& row : rows)
        if (row.device) of_devices.push_back(row);
    return covered(of_devices);
}

std::string stages_text(const std::vector<Timing>& rows) {
    std::string text;
    for (const Timing& row : rows)
        text += fmt::format(
            "{:<24} {:<9} {:>12.3f} ms{}{}\n", row.stage, name_of(row.kind),
            static_cast<double>(row.nanoseconds) / 1e6,
            row.spans.empty()
                ? ""
                : fmt::format(", from {:.3f} ms", static_cast<double>(row.spans.front().start) / 1e6),
            row.device ? fmt::format(", device {} of the run", *row.device + 1) : "");
    return text;
}

std::uint64_t total(const std::vector<Timing>& rows, StageKind kind) {
    std::uint64_t of_run = 0, longest = 0;
    std::map<std::uint32_t, std::uint64_t> of_device;
    for (const Timing& row : rows) {
        if (row.kind != kind) continue;
        if (row.device)
            longest = std::max(longest, of_device[*row.device] += row.nanoseconds);
        else
            of_run += row.nanoseconds;
    }
    return of_run + longest;
}

}  // namespace ks
