#pragma once

#include <cstdio>

#include "core/run/engine.h"

namespace ks {

/// Serves wire messages from `in` to `out` until "quit" or the end of input. Jobs run one after another on a
/// thread of their own, so that cancel takes effect at any time. Returns the exit code.
int serve_worker(Engine& engine, std::FILE* in, std::FILE* out);

}  // namespace ks
