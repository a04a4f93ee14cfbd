#include "core/wire/worker.h"

#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/library_call.h"
#include "core/run/bench.h"
#include "core/run/repeats/repeats.h"
#include "core/tune/tuner.h"
#include "core/wire/jobs.h"

namespace ks {
namespace {

constexpr std::chrono::seconds patience{1};

using wire::Message;

/// Messages to the window. Kernels and libraries may print to standard output: where the window listens
/// there, their words are sent to standard error instead.
class Speaker {
  public:
    explicit Speaker(std::FILE* out) : out_(out) {
        if (fileno(out) != STDOUT_FILENO) return;
        std::fflush(out);
        const int own = dup(STDOUT_FILENO);
        if (own < 0) return;
        private_ = fdopen(own, "wb");
        if (private_ == nullptr) {
            close(own);
            return;
        }
        dup2(STDERR_FILENO, STDOUT_FILENO);
        out_ = private_;
    }
    ~Speaker() {
        if (private_ == nullptr) return;
        std::fflush(stdout);
        dup2(fileno(private_), STDOUT_FILENO);
        std::fclose(private_);
    }
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;

    void send(const Message& message) {
        const std::vector<std::byte> bytes = wire::encode(message);
        const std::lock_guard lock(guard_);
        std::fwrite(bytes.data(), 1, bytes.size(), out_);
        std::fflush(out_);  // a window that has gone is noticed by the end of input
    }
    void send_error(std::uint64_t job, const Error& error) {
        Message message = wire::headed("error", job);
        message.header["error"] = wire::to_json(error);
        send(message);
    }

  private:
    std::FILE* out_;
    std::FILE* private_ = nullptr;
    std::mutex guard_;
};

struct Job {
    std::uint64_t id = 0;
    Message message;
    const wire::Handlers::Handler* handler = nullptr;
    std::unique_ptr<Progress> progress;
};

/// What the engine does.
void add_engine_jobs(wire::Handlers& handlers, Engine& engine) {
    handlers.on<wire::CatalogueJob>([&](const auto&, Progress&) { return wire::catalogue_of(engine); });
    handlers.on<wire::OffersJob>([&](const auto&, Progress&) { return wire::offered_by(engine); });
    handlers.on<wire::RunJob>(
        [&](const auto& job, Progress& progress) { return engine.run(job.request, progress); });
    handlers.on<wire::RepeatsJob>([&](const auto& job, Progress& progress) {
        const Analysis& analysis = engine.registry().analysis(job.request.analysis);
        const AnalysisInfo& info = analysis.info();
        if (!analysis.average || info.inputs.empty())
            throw Error(ErrorKind::input, "this analysis has no average of repeats", info.id);
        const auto one = [&](const std::string& name, Progress& own) {
            Request request = job.request;
            request.inputs[info.inputs.front().role] = {name};
            return engine.run(request, own);
        };
        return average_of_set(analysis, {job.data, job.chosen}, one, WhenCancelled::averaged, progress);
    });
    handlers.on<wire::CheckJob>([&](const auto& job, Progress& progress) {
        return engine.check(*job.run.value, job.mode, progress);
    });
    handlers.on<wire::CeilingsJob>([&](const auto& job, Progress& progress) {
        return engine.measure_ceilings(choose_device(engine.devices(), job.device), {}, progress);
    });
    handlers.on<wire::WarmJob>([&](const auto& job, Progress& progress) {
        engine.warm(job.request, progress);
        return wire::Nothing{};
    });
    handlers.on<wire::BenchJob>([&](const auto& job, Progress& progress, const auto& report) {
        return run_bench(engine, job.plan, progress,
                         [&](std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
                             report({point, sizes, row});
                         });
    });
    handlers.on<wire::TuneJob>([&](const auto& job, Progress& progress, const auto& report) {
        std::size_t reported = 0;  // rows
        const auto before = job.before ? std::optional(*job.before->value) : std::nullopt;
        return run_tune(engine, job.plan, before, progress, [&](const TuneReport& whole) {
            wire::TunePart part{reported, whole};
            std::vector<TuneRow>& rows = part.report.rows;
            rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(reported));
            part.report.best.reset();  // its number would be of the whole
            reported = whole.rows.size();
            report(part);
        });
    });
}

/// Does jobs in the order of their arrival on a thread of its own.
class Jobs {
  public:
    Jobs(const wire::Handlers& handlers, Speaker& speaker)
        : handlers_(handlers), speaker_(speaker), thread_([this] { serve(); }) {}

    void add(std::uint64_t id, Message message) {
        const wire::Handlers::Handler* const handler = handlers_.find(message.type());
        if (handler == nullptr) {
            const std::string what = "there is no job of the kind \"" + message.type() + "\"";
            return speaker_.send_error(id, Error(ErrorKind::run, what));
        }
        auto progress = std::make_unique<Progress>([this, id](double fraction, const std::string& stage) {
            Message told = wire::headed("progress", id);
            told.header["fraction"] = fraction;
            told.header["stage"] = stage;
            speaker_.send(told);
        });
        {
            const std::lock_guard lock(guard_);
            waiting_.push_back({id, std::move(message), handler, std::move(progress)});
        }
        changed_.notify_all();
    }

    void cancel(std::uint64_t id) {
        {
            const std::lock_guard lock(guard_);
            if (running_ && running_->id == id) {
                running_->progress->cancel();
                return;
            }
            const auto dropped = std::erase_if(waiting_, [&](const Job& job) { return job.id == id; });
            if (dropped == 0) return;
        }
        speaker_.send_error(id, Error(ErrorKind::cancelled, "stopped on request before the job began"));
    }

    /// The error of the job that runs, which is the last one: its thread does not come back.
    void end_by(const Error& error) {
        const std::lock_guard lock(guard_);
        Message message = wire::headed("error", running_ ? running_->id : 0);
        message.header["error"] = wire::to_json(error);
        message.header["last"] = true;
        speaker_.send(message);
    }

    /// Drops what waits and stops what runs; false where that does not end in time.
    bool finish() {
        {
            std::unique_lock lock(guard_);
            waiting_.clear();
            ending_ = true;
            if (running_) running_->progress->cancel();
            changed_.notify_all();
            if (!changed_.wait_for(lock, patience, [this] { return ended_; })) return false;
        }
        thread_.join();
        return true;
    }

  private:
    void serve() {
        for (;;) {
            Job job;
            {
                std::unique_lock lock(guard_);
                changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
                if (ending_) break;
                job = std::move(waiting_.front());
                waiting_.pop_front();
                running_ = &job;
            }
            Message answer = answered(job);
            std::fflush(stdout);  // what kernels printed comes before what became of them
            {
                const std::lock_guard lock(guard_);
                running_ = nullptr;
            }
            try {
                speaker_.send(answer);
            } catch (const std::exception& error) {  // an answer too large for a message or for memory
                speaker_.send_error(job.id, Error(ErrorKind::run, problem_of(error)));
            }
        }
        const std::lock_guard lock(guard_);
        ended_ = true;
        changed_.notify_all();
    }

    Message answered(const Job& job) {
        Message answer;
        const auto failed = [&](const Error& error) {
            answer = wire::headed("error", job.id);
            answer.header["error"] = wire::to_json(error);
        };
        try {
            answer = (*job.handler)(job.message, job.id, *job.progress,
                                    [this](const Message& part) { speaker_.send(part); });
        } catch (const Error& error) {
            failed(error);
        } catch (const std::bad_alloc&) {
            failed(Error(ErrorKind::run, "the host does not have enough memory for this request"));
        } catch (const std::exception& error) {
            failed(Error(ErrorKind::run, problem_of(error)));
        }
        return answer;
    }

    const wire::Handlers& handlers_;
    Speaker& speaker_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<Job> waiting_;
    Job* running_ = nullptr;
    bool ending_ = false, ended_ = false;
    std::thread thread_;  ///< last, so that it starts when the rest is there
};

/// Returns false where the message asks to end.
bool handle(Message message, Jobs& jobs, Speaker& speaker) {
    const std::string type = message.type();
    if (type == "quit") return false;
    std::uint64_t id = 0;
    try {
        guarded("the number of a job", [&] { JsonReader(message.header, nullptr)("job", id); });
    } catch (const Error& error) {
        speaker.send_error(0, error);
        return true;
    }
    if (type == "cancel")
        jobs.cancel(id);
    else
        jobs.add(id, std::move(message));
    return true;
}

/// Until quit or the end of input; throws where the bytes are no messages.
void listen(int in, Jobs& jobs, Speaker& speaker) {
    wire::Decoder decoder;
    std::vector<std::byte> buffer(std::size_t{1} << 20);
    for (;;) {
        const ssize_t got = read(in, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        decoder.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
        while (std::optional<Message> message = decoder.next())
            if (!handle(std::move(*message), jobs, speaker)) return;
    }
}

}  // namespace

int serve_worker(Engine& engine, std::FILE* in, std::FILE* out, wire::Handlers more,
                 std::chrono::milliseconds read_timeout) {
    // A window that has gone is the end of input, not a signal that ends the process half-way.
    std::signal(SIGPIPE, SIG_IGN);
    Speaker speaker(out);
    add_engine_jobs(more, engine);
    Jobs jobs(more, speaker);
    const LibraryWatch watch(read_timeout, [&jobs](const Error& hang, const LibraryWork&) {
        jobs.end_by(hang);
        io::remove_unfinished();
        std::_Exit(hang.exit_code());
    });
    int exit_code = 0;
    try {
        listen(fileno(in), jobs, speaker);
    } catch (const Error& error) {
        speaker.send_error(0, error);
        exit_code = error.exit_code();
    }
    // A kernel that does not end takes the process with it: the window starts another one.
    if (!jobs.finish()) std::_Exit(exit_code);
    return exit_code;
}

}  // namespace ks
