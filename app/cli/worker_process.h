#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/printed.h"
#include "core/wire/wire.h"

namespace ks::cli {

/// A worker process of the command line that does one job after another, so that a job that ends the process
/// ends nothing else: the next one gets a new worker. Nothing starts before the first job.
class WorkerProcess {
  public:
    struct Manner {
        int patience_ms = 800;       ///< for a run that is to stop, and for a process that is to end
        bool hides_kernels = false;  ///< stages of kernels are told by their names alone: nobody else has to
                                     ///< watch over them
        bool takes_printed = false;  ///< what kernels print is in the answer; else on standard error
        std::optional<unsigned> threads = {};  ///< of the worker; absent: as of this process
    };
    /// @param progress of the caller, which outlives it @param under a program that runs the worker, with its
    /// options: {"oclgrind", "--data-races"}
    explicit WorkerProcess(Progress& progress, std::vector<std::string> under = {})
        : WorkerProcess(progress, std::move(under), Manner{}) {}
    WorkerProcess(Progress& progress, std::vector<std::string> under, const Manner& manner)
        : progress_(progress), under_(std::move(under)), manner_(manner) {}
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// How long a job may say nothing.
    struct Limits {
        std::optional<std::chrono::milliseconds> kernel = {};  ///< while one is under way (kernel_stage)
        std::optional<std::chrono::milliseconds> any = {};     ///< whatever it does
        std::optional<std::chrono::milliseconds> whole = {};  ///< from its start to its end, whatever it says
    };
    struct Answer {
        std::optional<wire::Message> message = {};  ///< absent where the worker ended
        std::string how_it_ended = {};              ///< then: as signal_text() says it, or "exit code 1"
        std::string stage = {};                     ///< told last: "kernel correlate"
        bool was_too_long = false;                  ///< it was ended at a limit
        Printed printed = {};                       ///< by kernels
    };
    /// Sends the message as a job and waits for its answer, of its type or an error; tells the progress.
    /// Throws ks::Error(cancelled), once the worker has stopped or was ended, and ks::Error(run) where none
    /// can be started.
    Answer ask(wire::Message message);
    Answer ask(wire::Message message, const Limits& limits);
    /// How many were started when the next job runs: another number than before where a new worker is
    /// started for it.
    std::size_t number() const { return is_running() ? started_ : started_ + 1; }
    /// Ends it, if one runs. @return how: "exit code 0"
    std::string end();

  private:
    void start();
    bool send(const wire::Message& message) const;
    /// The next message; nothing where the worker has ended, or was ended at a limit.
    /// @param begin of the job, by now_ms()
    std::optional<wire::Message> receive(const Limits& limits, std::int64_t begin, Answer& answer);
    /// Takes what was printed so far, and waits so long for more of it or for a message. @return whether a
    /// message, or the end of the worker, is there to be read
    bool readable(int milliseconds, Answer& answer);
    void take_printed(Answer& answer);
    void stop_when_asked();
    /// Until it has ended. @param answer takes what it printed last; null: nobody wants it
    std::string waited_for(Answer* answer = nullptr);
    std::string waited_for_process();
    bool is_running() const { return process_ > 0; }

    Progress& progress_;
    std::vector<std::string> under_;
    Manner manner_;
    pid_t process_ = -1;
    int socket_ = -1;   ///< of a worker that runs
    int printed_ = -1;  ///< the end of a pipe from its kernels; -1: they have none, or it is at its end
    wire::Decoder decoder_;
    std::uint64_t jobs_ = 0;
    std::size_t started_ = 0;
    std::optional<std::int64_t> asked_to_stop_;  ///< when, in milliseconds of the steady clock
};

}  // namespace ks::cli
