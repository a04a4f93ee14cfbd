#pragma once

namespace ks {

/// Stage of a run in which its programs were compiled; there is none where they came from a cache.
inline constexpr const char* build_stage = "build kernels";

/// Stages of what the program does before a variant has its turn: that takes longer for a kernel of the
/// user's own, whose text is read, and is none of the variant's work.
inline constexpr const char *request_stage = "check request", *choice_stage = "choose variant";

}  // namespace ks
