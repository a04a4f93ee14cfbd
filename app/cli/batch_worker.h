#pragma once

#include <chrono>
#include <optional>

#include "app/cli/session.h"
#include "app/cli/worker_process.h"
#include "core/record/batch.h"
#include "core/wire/worker.h"

namespace ks::cli {

/// A worker process that runs the items of a batch one after another, so that one whose reading or whose
/// kernels end the process ends nothing else: the next item gets a new worker.
class BatchWorker {
  public:
    /// Both outlive it. Nothing starts before the first item.
    /// @param limit for an item; nothing: it may take as long as it takes
    BatchWorker(const BatchPlan& plan, Progress& progress, std::optional<std::chrono::milliseconds> limit)
        : plan_(plan), worker_(progress), limit_(limit) {}

    /// run_item() there; an item that takes longer than the limit has failed. Throws ks::Error(cancelled),
    /// once the worker has stopped or was ended, and ks::Error(run) where none can be started.
    BatchRow run(const BatchItem& item);

  private:
    const BatchPlan& plan_;
    WorkerProcess worker_;
    std::optional<std::chrono::milliseconds> limit_;
};

/// What the worker does with an item.
WorkerJob batch_job(Session& session);

}  // namespace ks::cli
