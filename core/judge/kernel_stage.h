#pragma once

namespace ks {

/// How a stage begins that is told while a kernel of the user's own, or one of a guarded run, is under way;
/// its name follows. One that does not end is known by it.
inline constexpr const char* kernel_stage = "kernel ";

}  // namespace ks
