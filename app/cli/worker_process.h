#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/run/printed.h"
#include "core/wire/jobs.h"

namespace ks::cli {

/// A worker process of the command line that does one job after another. A job that ends the process ends
/// nothing else: the next one gets a new worker. Nothing starts before the first job.
class WorkerProcess {
  public:
    struct Manner {
        int patience_ms = 800;       ///< for a run to stop when cancelled, and for a process to end
        bool hides_kernels = false;  ///< reports kernels by name only: nobody else watches them
        bool takes_printed = false;  ///< what kernels print is in the answer; else on standard error
        /// What the worker writes to standard error, with what kernels print there, is in the answer instead.
        bool takes_errors = false;
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

    /// How long a job may go without a message.
    struct Limits {
        std::optional<std::chrono::milliseconds> kernel = {};  ///< while a kernel runs (kernel_stage)
        std::optional<std::chrono::milliseconds> any = {};     ///< whatever it does
        std::optional<std::chrono::milliseconds> whole = {};   ///< from start to end, whatever its messages
    };
    /// How a job ended: with an answer, with an error, or with neither if the worker ended.
    struct Ending {
        std::optional<Error> error = {};
        bool was_wrong_result = false;  ///< the error
        std::string how_it_ended = {};  ///< the worker, as from signal_text(), or "exit code 1"
        std::string stage = {};         ///< the last one reported: "kernel correlate"
        bool was_too_long = false;      ///< it was ended at a limit
        Printed printed = {};           ///< by kernels; with Manner::takes_errors, all errors
    };
    template <class Job>
    struct Answer : Ending {
        std::optional<typename Job::Answer> value = {};
    };
    /// Sends a job and waits for its answer; forwards progress. Throws ks::Error(cancelled) once the worker
    /// has stopped or was ended, and ks::Error(run) if none can be started or the answer is broken.
    template <class Job>
    Answer<Job> ask(const Job& job, const Limits& limits) {
        Answer<Job> answer;
        if (const auto message = answer_to(wire::message_of(job, ++jobs_), limits, answer))
            answer.value = wire::answer_from<Job>(*message);
        return answer;
    }
    /// How many workers will have been started when the next job runs: the number changes if a new worker is
    /// started for it.
    std::size_t number() const { return is_running() ? started_ : started_ + 1; }
    /// Ends the worker, if one runs. @return how it ended: "exit code 0"
    std::string end();

  private:
    /// The answer; nothing where there is none, as `ending` then says.
    std::optional<wire::Message> answer_to(const wire::Message& job, const Limits& limits, Ending& ending);
    void start();
    bool send(const wire::Message& message) const;
    /// The next message; nothing if the worker has ended, or was ended at a limit.
    /// @param begin of the job, from now_ms()
    std::optional<wire::Message> receive(const Limits& limits, std::int64_t begin, Ending& ending);
    /// Takes what was printed so far, and waits for up to this many milliseconds for more of it or for a
    /// message. @return whether a message, or the end of the worker, can be read
    bool readable(int milliseconds, Ending& ending);
    void take_printed(Ending& ending);
    void stop_when_asked();
    /// Waits for the worker to end. @param ending receives what it printed last; null: it is discarded
    std::string waited_for(Ending* ending = nullptr);
    std::string waited_for_process();
    bool is_running() const { return process_ > 0; }

    Progress& progress_;
    std::vector<std::string> under_;
    Manner manner_;
    pid_t process_ = -1;
    int socket_ = -1;   ///< of the running worker
    int printed_ = -1;  ///< read end of a pipe from its kernels; -1: they have none, or it has ended
    wire::Decoder decoder_;
    std::uint64_t jobs_ = 0;
    std::size_t started_ = 0;
    std::optional<std::int64_t> asked_to_stop_;  ///< when, in milliseconds of the steady clock
};

}  // namespace ks::cli
