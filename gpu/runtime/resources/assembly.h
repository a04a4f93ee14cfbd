#pragma once

#include "core/kernels/assembly.h"

namespace ks::gpu {

/// Builds a program anew, with the lines of its source where the driver can tell them, in a context of its
/// own: programs of runs and their binaries stay as they are. Throws ks::Error.
Assembly assemble(const AssemblyRequest& request);

}  // namespace ks::gpu
