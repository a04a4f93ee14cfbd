#pragma once

namespace ks {

/// Prefix of the stage that names the current run of `judge`; the name follows. The stages of that run
/// come after it.
inline constexpr const char* judge_step = "judge: ";

}  // namespace ks
