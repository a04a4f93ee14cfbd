#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

enum class StageKind { host, read, upload, kernel, download };
const char* name_of(StageKind kind);
StageKind stage_kind_from(const std::string& name);

/// Time of one named stage of a run, added up over its launches. Kernels and transfers are timed by OpenCL
/// events, the rest by the host's steady clock.
struct Timing {
    std::string stage;  ///< "regroup", "gram_tiles", "upload frames"
    StageKind kind = StageKind::host;
    std::uint64_t nanoseconds = 0;
    std::uint64_t bytes = 0;       ///< moved, from the algorithm's definition; 0 = not stated
    std::uint64_t operations = 0;  ///< multiply-adds or the analysis' own unit; 0 = not stated
    std::uint64_t launches = 1;
};

void fields(auto& visit, ConstOr<Timing> auto& timing) {
    visit("stage", timing.stage);
    visit.name("kind", timing.kind, stage_kind_from);
    visit("nanoseconds", timing.nanoseconds);
    visit("bytes", timing.bytes);
    visit("operations", timing.operations);
    visit("launches", timing.launches);
}

/// Adds to the row of the same stage and kind, or appends one: rows stay in order of first appearance.
void add(std::vector<Timing>& rows, const Timing& row);
/// A line for each: stage, kind, milliseconds.
std::string stages_text(const std::vector<Timing>& rows);
/// Sum of one kind, nanoseconds.
std::uint64_t total(const std::vector<Timing>& rows, StageKind kind);

}  // namespace ks
