#pragma once

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
    BatchWorker(const BatchPlan& plan, Progress& progress) : plan_(plan), worker_(progress) {}

    /// run_item() there. Throws ks::Error(cancelled), once the worker has stopped or was ended, and
    /// ks::Error(run) where none can be started.
    BatchRow run(const BatchItem& item);

  private:
    const BatchPlan& plan_;
    WorkerProcess worker_;
};

/// What the worker does with an item.
WorkerJob batch_job(Session& session);

}  // namespace ks::cli
