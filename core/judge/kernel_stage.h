#pragma once

namespace ks {

/// Prefix of the stage reported while a user's kernel, or a kernel of a guarded run, is running; its name
/// follows. It identifies a kernel that does not end.
inline constexpr const char* kernel_stage = "kernel ";

}  // namespace ks
