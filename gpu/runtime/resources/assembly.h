#pragma once

#include "core/kernels/assembly.h"

namespace ks::gpu {

/// Rebuilds a program, with the lines of its source if the driver can report them, in a separate context:
/// programs of runs and their binaries stay unchanged. Throws ks::Error.
Assembly assemble(const AssemblyRequest& request);

}  // namespace ks::gpu
