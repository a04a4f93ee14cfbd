#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "core/base/progress.h"
#include "core/run/engine.h"

namespace ks {
namespace wire {
struct Message;
}

/// A job that only some workers know. @param answer has its job's number already and gets the rest
using WorkerJob = std::function<void(const wire::Message& asked, wire::Message& answer, Progress& progress)>;

/// Serves wire messages from `in` to `out` until "quit" or the end of input. Jobs run one after another on a
/// thread of their own, so that cancel takes effect at any time. Returns the exit code.
/// @param more jobs by the type of their message, beside those of wire.h; the answer is of that type, too
/// @param read_timeout as of LibraryWatch: a job that hangs in a library ends as an error with "last" in its
/// header, and the process after it; zero: there is no limit
int serve_worker(Engine& engine, std::FILE* in, std::FILE* out,
                 const std::map<std::string, WorkerJob>& more = {},
                 std::chrono::milliseconds read_timeout = {});

}  // namespace ks
