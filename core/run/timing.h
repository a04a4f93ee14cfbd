#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// `host` is computation; `overhead` is other work of the host: preparing a run, calling OpenCL, waiting.
enum class StageKind { host, read, upload, kernel, download, overhead };
const char* name_of(StageKind kind);
StageKind stage_kind_from(const std::string& name);

/// A period in which a stage was active.
struct Span {
    std::uint64_t start = 0;  ///< nanoseconds since the run began; during the run, of the steady clock
    std::uint64_t nanoseconds = 0;
};

KS_FIELDS(Span, start, nanoseconds)

/// Time of one named stage of a run, summed over its launches. Kernels and transfers are timed by OpenCL
/// events, the rest by the host's steady clock.
struct Timing {
    std::string stage;  ///< "regroup", "gram_tiles", "upload frames"
    StageKind kind = StageKind::host;
    std::uint64_t nanoseconds = 0;
    std::uint64_t bytes = 0;       ///< moved, by the definition of the algorithm; 0: not stated
    std::uint64_t operations = 0;  ///< multiply-adds or a unit of the analysis; 0: not stated
    std::uint64_t launches = 1;
    /// When the stage was active, sorted by start. Spans of concurrent launches overlap; beyond max_spans the
    /// closest ones are merged. Runs from earlier versions have none.
    std::vector<Span> spans{};
    /// Index in Run::devices of the device of this stage; absent: the whole run, or its only device.
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

/// Adds to the row of the same stage, kind and device, or appends a row. A row without spans is taken to
/// have just ended.
void add(std::vector<Timing>& rows, Timing row);
/// Adds a part of the stage that has just ended and is not a separate launch.
void add_piece(Timing& row, std::uint64_t nanoseconds);
/// For a run that has ended: makes spans relative to its begin, and sorts rows by their first span.
void count_from(std::vector<Timing>& rows, std::chrono::steady_clock::time_point begin);
/// Nanoseconds in which at least one stage was active.
std::uint64_t covered(const std::vector<Timing>& rows);
/// With several devices: nanoseconds in which at least one of them was in a stage.
std::uint64_t covered_by_devices(const std::vector<Timing>& rows);
/// One line per row: stage, kind, milliseconds, start, and with several devices the device, from 1.
std::string stages_text(const std::vector<Timing>& rows);
/// Sum of the times of one kind, in nanoseconds. If devices ran concurrently, the sum for the device that
/// took longest.
std::uint64_t total(const std::vector<Timing>& rows, StageKind kind);

}  // namespace ks
