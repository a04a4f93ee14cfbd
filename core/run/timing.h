#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// `host` is computation; `overhead` what the host does around it: it prepares a run, calls OpenCL, waits.
enum class StageKind { host, read, upload, kernel, download, overhead };
const char* name_of(StageKind kind);
StageKind stage_kind_from(const std::string& name);

/// A time in which something was under way.
struct Span {
    std::uint64_t start = 0;  ///< nanoseconds since the run began; while it runs, of the steady clock
    std::uint64_t nanoseconds = 0;
};

void fields(auto& visit, ConstOr<Span> auto& span) {
    visit("start", span.start);
    visit("nanoseconds", span.nanoseconds);
}

/// Time of one named stage of a run, added up over its launches. Kernels and transfers are timed by OpenCL
/// events, the rest by the host's steady clock.
struct Timing {
    std::string stage;  ///< "regroup", "gram_tiles", "upload frames"
    StageKind kind = StageKind::host;
    std::uint64_t nanoseconds = 0;
    std::uint64_t bytes = 0;       ///< moved, from the algorithm's definition; 0 = not stated
    std::uint64_t operations = 0;  ///< multiply-adds or the analysis' own unit; 0 = not stated
    std::uint64_t launches = 1;
    /// When it was under way, by start. Those of launches side by side overlap; of more than max_spans the
    /// nearest are united. Runs that earlier versions wrote have none.
    std::vector<Span> spans{};
    /// Place in Run::devices of the one whose stage it is; absent: of the run as a whole, or its only one.
    std::optional<std::uint32_t> device{};
};
constexpr std::size_t max_spans = 1024;

void fields(auto& visit, ConstOr<Timing> auto& timing) {
    visit("stage", timing.stage);
    visit.name("kind", timing.kind, stage_kind_from);
    visit("nanoseconds", timing.nanoseconds);
    visit("bytes", timing.bytes);
    visit("operations", timing.operations);
    visit("launches", timing.launches);
    visit.added("spans", timing.spans);
    visit("device", timing.device);
}

/// Adds to the row of the same stage, kind and device, or appends one. Without spans it is what has just
/// ended.
void add(std::vector<Timing>& rows, Timing row);
/// Adds a piece of the stage that has just ended, which is no launch of its own.
void add_piece(Timing& row, std::uint64_t nanoseconds);
/// Of a run that has ended: spans count from its begin, and rows are in the order of their first.
void count_from(std::vector<Timing>& rows, std::chrono::steady_clock::time_point begin);
/// Nanoseconds in which at least one of the stages was under way.
std::uint64_t covered(const std::vector<Timing>& rows);
/// Of several devices: in which at least one of them was at a stage.
std::uint64_t covered_by_devices(const std::vector<Timing>& rows);
/// A line for each: stage, kind, milliseconds, start, and the device of several, from 1.
std::string stages_text(const std::vector<Timing>& rows);
/// Sum of one kind, nanoseconds; of devices side by side, that of the one which took longest.
std::uint64_t total(const std::vector<Timing>& rows, StageKind kind);

}  // namespace ks
