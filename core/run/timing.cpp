#include "core/run/timing.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks {

const char* name_of(StageKind kind) {
    switch (kind) {
        case StageKind::host:
            return "host";
        case StageKind::read:
            return "read";
        case StageKind::upload:
            return "upload";
        case StageKind::kernel:
            return "kernel";
        case StageKind::download:
            break;
    }
    return "download";
}

StageKind stage_kind_from(const std::string& name) {
    using enum StageKind;
    for (const StageKind kind : {host, read, upload, kernel, download})
        if (name == name_of(kind)) return kind;
    throw Error(ErrorKind::run, "expected host, read, upload, kernel or download, found \"" + name + "\"",
                "kind of a timing");
}

void add(std::vector<Timing>& rows, const Timing& row) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Timing& other) {
        return other.stage == row.stage && other.kind == row.kind;
    });
    if (same == rows.end()) {
        rows.push_back(row);
        return;
    }
    same->nanoseconds += row.nanoseconds;
    same->bytes += row.bytes;
    same->operations += row.operations;
    same->launches += row.launches;
}

std::string stages_text(const std::vector<Timing>& rows) {
    std::string text;
    for (const Timing& row : rows)
        text += fmt::format("{:<24} {:<9} {:>12.3f} ms\n", row.stage, name_of(row.kind),
                            static_cast<double>(row.nanoseconds) / 1e6);
    return text;
}

std::uint64_t total(const std::vector<Timing>& rows, StageKind kind) {
    std::uint64_t sum = 0;
    for (const Timing& row : rows)
        if (row.kind == kind) sum += row.nanoseconds;
    return sum;
}

}  // namespace ks
