#pragma once

#include "app/cli/session.h"
#include "core/run/apart/runs_apart.h"
#include "core/wire/handlers.h"

namespace ks::cli {

/// A worker process for the user's kernels.
std::unique_ptr<RunsApart> start_apart(Progress& progress, KernelLimit limit);

/// Engine::run(), in a separate process if the request has a kernel of the user.
/// @param sizes of a problem to make in memory; nothing: the request's inputs are read
Run run_own_apart(Session& session, const Request& request, const std::optional<ParameterSet>& sizes = {});

/// The worker's side of run_own_apart().
void add_apart_jobs(wire::Handlers& handlers, Session& session);

}  // namespace ks::cli
