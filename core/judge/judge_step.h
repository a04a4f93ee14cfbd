#pragma once

namespace ks {

/// How a stage begins that tells which run of a kernel `judge` is at; its name follows. The stages of that
/// run come after it.
inline constexpr const char* judge_step = "judge: ";

}  // namespace ks
