#pragma once

#include <chrono>
#include <optional>

#include "app/cli/session.h"
#include "app/cli/worker_process.h"
#include "core/record/batch.h"
#include "core/wire/handlers.h"

namespace ks::cli {

/// A worker process that runs the items of a batch one after another. If reading an item or one of its
/// kernels ends the process, only that item fails: the next one gets a new worker.
class BatchWorker {
  public:
    /// Both must outlive it. Nothing starts before the first item.
    /// @param limit per item; nothing: no limit
    BatchWorker(const BatchPlan& plan, Progress& progress, std::optional<std::chrono::milliseconds> limit)
        : plan_(plan), worker_(progress), limit_(limit) {}

    /// Does run_item() in the worker; an item that exceeds the limit has failed. Throws ks::Error(cancelled)
    /// once the worker has stopped or was ended, and ks::Error(run) if none can be started.
    BatchRow run(const BatchItem& item);

  private:
    const BatchPlan& plan_;
    WorkerProcess worker_;
    std::optional<std::chrono::milliseconds> limit_;
};

/// The worker's job for one item.
void add_batch_job(wire::Handlers& handlers, Session& session);

}  // namespace ks::cli
