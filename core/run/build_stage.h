#pragma once

namespace ks {

/// Stage of a run in which its programs were compiled; there is none where they came from a cache.
inline constexpr const char* build_stage = "build kernels";

}  // namespace ks
