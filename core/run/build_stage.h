#pragma once

namespace ks {

/// Stage of a run in which its programs were compiled; absent if they came from a cache.
inline constexpr const char* build_stage = "build kernels";

/// Stages of the work before a variant starts: it takes longer for a user's kernel, whose text is read, and
/// is not counted as work of the variant.
inline constexpr const char *request_stage = "check request", *choice_stage = "choose variant";

}  // namespace ks
