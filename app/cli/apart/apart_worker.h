#pragma once

#include "app/cli/session.h"
#include "core/run/apart/runs_apart.h"
#include "core/wire/worker.h"

namespace ks::cli {

/// A worker process for kernels of the user's own.
std::unique_ptr<RunsApart> start_apart(Progress& progress, KernelLimit limit);

/// Engine::run(), in a process of its own where the request has a kernel of the user's own.
/// @param sizes the problem is made in memory; nothing: the request's inputs
Run run_own_apart(Session& session, const Request& request, const std::optional<ParameterSet>& sizes = {});

/// What the worker does for it.
WorkerJob apart_job(Session& session);

}  // namespace ks::cli
