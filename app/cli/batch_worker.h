#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/session.h"
#include "core/record/batch.h"
#include "core/wire/wire.h"
#include "core/wire/worker.h"

namespace ks::cli {

/// A worker process that runs the items of a batch one after another, so that one whose reading or whose
/// kernels end the process ends nothing else: the next item gets a new worker.
class BatchWorker {
  public:
    /// Both outlive it. Nothing starts before the first item.
    BatchWorker(const BatchPlan& plan, Progress& progress) : plan_(plan), progress_(progress) {}
    ~BatchWorker();
    BatchWorker(const BatchWorker&) = delete;
    BatchWorker& operator=(const BatchWorker&) = delete;

    /// run_item() there. Throws ks::Error(cancelled), once the worker has stopped or was ended, and
    /// ks::Error(run) where none can be started.
    BatchRow run(const BatchItem& item);

  private:
    void start();
    bool send(const wire::Message& message) const;
    /// The next message; nothing where the worker has ended.
    std::optional<wire::Message> receive();
    /// Whether there is something to read within the time; not where it is over before.
    bool readable(int milliseconds) const;
    void stop_when_asked(std::uint64_t job);
    /// Waits for the process. @return how it ended: "signal 11 (Segmentation fault)"
    std::string end();
    bool is_running() const { return process_ > 0; }

    const BatchPlan& plan_;
    Progress& progress_;
    pid_t process_ = -1;
    int socket_ = -1;  ///< of a worker that runs
    wire::Decoder decoder_;
    std::uint64_t jobs_ = 0;
    std::optional<std::int64_t> asked_to_stop_;  ///< when, in milliseconds of the steady clock
};

/// What the worker does with an item.
WorkerJob batch_job(Session& session);

}  // namespace ks::cli
