#pragma once

#include <chrono>
#include <cstdio>

#include "core/run/engine.h"
#include "core/wire/handlers.h"

namespace ks {

/// Serves wire messages from `in` to `out` until "quit" or the end of input. Jobs run one after another on a
/// separate thread, so that cancel takes effect at any time. Returns the exit code.
/// @param more kinds of job besides those that the engine does
/// @param read_timeout as in LibraryWatch: if a job hangs in a library for this time, the job ends with an
/// error that has "last" in its header, and then the process ends; zero: no limit
int serve_worker(Engine& engine, std::FILE* in, std::FILE* out, wire::Handlers more = {},
                 std::chrono::milliseconds read_timeout = {});

}  // namespace ks
