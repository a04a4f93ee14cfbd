#include "core/wire/worker.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/library_call.h"
#include "core/run/bench.h"
#include "core/tune/tune_file.h"
#include "core/wire/wire.h"

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
        Message message = head("error", job);
        message.header["error"] = wire::to_json(error);
        send(message);
    }
    static Message head(const char* type, std::uint64_t job) {
        Message message;
        message.header["type"] = type;
        message.header["job"] = job;
        return message;
    }

  private:
    std::FILE* out_;
    std::FILE* private_ = nullptr;
    std::mutex guard_;
};

struct Job {
    std::uint64_t id = 0;
    Message message;
    std::unique_ptr<Progress> progress;
};

/// Executes messages in the order of their arrival on a thread of its own.
class Jobs {
  public:
    Jobs(Engine& engine, Speaker& speaker, const std::map<std::string, WorkerJob>& more)
        : engine_(engine), speaker_(speaker), more_(more), thread_([this] { serve(); }) {}

    bool knows(const std::string& type) const {
        static const std::set<std::string> always{"run",  "check", "ceilings", "bench",
                                                  "tune", "warm",  "offers"};
        return always.contains(type) || more_.contains(type);
    }

    void add(std::uint64_t id, Message message) {
        auto progress = std::make_unique<Progress>([this, id](double fraction, const std::string& stage) {
            Message told = Speaker::head("progress", id);
            told.header["fraction"] = fraction;
            told.header["stage"] = stage;
            speaker_.send(told);
        });
        {
            const std::lock_guard lock(guard_);
            waiting_.push_back({id, std::move(message), std::move(progress)});
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
        speaker_.send_error(id, Error(ErrorKind::cancelled, "stopped on request before it began"));
    }

    /// The error of the job that runs, which is the last one: its thread does not come back.
    void end_by(const Error& error) {
        const std::lock_guard lock(guard_);
        Message message = Speaker::head("error", running_ ? running_->id : 0);
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
                speaker_.send_error(job.id, Error(ErrorKind::run, error.what()));
            }
        }
        const std::lock_guard lock(guard_);
        ended_ = true;
        changed_.notify_all();
    }

    Message answered(const Job& job) {
        Message answer;
        const auto failed = [&](const Error& error) {
            answer = Speaker::head("error", job.id);
            answer.header["error"] = wire::to_json(error);
        };
        try {
            answer = execute(job);
        } catch (const Error& error) {
            failed(error);
        } catch (const std::bad_alloc&) {
            failed(Error(ErrorKind::run, "the host has not enough memory for it"));
        } catch (const nlohmann::json::exception& error) {
            failed(Error(ErrorKind::run, std::string("a message cannot be read: ") + error.what()));
        } catch (const std::exception& error) {
            failed(Error(ErrorKind::run, error.what()));
        }
        return answer;
    }

    Message execute(const Job& job) {
        const Message& message = job.message;
        if (const auto found = more_.find(message.type()); found != more_.end()) {
            Message answer = Speaker::head(found->first.c_str(), job.id);
            found->second(message, answer, *job.progress);
            return answer;
        }
        if (message.type() == "catalogue") {
            Message answer;
            answer.header["type"] = "catalogue";
            answer.header["catalogue"] = ks::to_json(wire::catalogue_of(engine_));
            return answer;
        }
        if (message.type() == "offers") {
            Message answer = Speaker::head("offers", job.id);
            answer.header["offers"] = ks::to_json(wire::offers_of(engine_));
            return answer;
        }
        if (message.type() == "run") {
            const Run run = engine_.run(
                ks::from_json<ks::Request>(message.header.at("request"), "a request", &message.blobs),
                *job.progress);
            Message answer = Speaker::head("run", job.id);
            answer.header["run"] = ks::to_json(run, &answer.blobs);
            return answer;
        }
        if (message.type() == "ceilings") {
            const DeviceInfo& device =
                choose_device(engine_.devices(), message.header.at("device").get<std::string>());
            Message answer = Speaker::head("ceilings", job.id);
            answer.header["ceilings"] = to_json(engine_.measure_ceilings(device, {}, *job.progress));
            return answer;
        }
        if (message.type() == "warm") {
            engine_.warm(
                ks::from_json<ks::Request>(message.header.at("request"), "a request", &message.blobs),
                *job.progress);
            return Speaker::head("warm", job.id);
        }
        if (message.type() == "bench") {
            const auto plan =
                ks::from_json<BenchPlan>(message.header.at("plan"), "a plan of a benchmark", &message.blobs);
            const auto tell = [&](std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
                Message told = Speaker::head("bench_row", job.id);
                told.header["point"] = point;
                told.header["sizes"] = to_json(sizes);
                told.header["row"] = ks::to_json(row);
                speaker_.send(told);
            };
            Message answer = Speaker::head("bench", job.id);
            answer.header["report"] = ks::to_json(run_bench(engine_, plan, *job.progress, tell));
            return answer;
        }
        if (message.type() == "tune") return tuned(job);
        const Run run = ks::from_json<ks::Run>(message.header.at("run"), "a run", &message.blobs);
        const CheckMode mode = check_mode_from(message.header.at("mode").get<std::string>());
        Message answer = Speaker::head("verdict", job.id);
        answer.header["verdict"] = ks::to_json(engine_.check(run, mode, *job.progress));
        return answer;
    }

    Message tuned(const Job& job) {
        const nlohmann::json& asked = job.message.header;
        const auto plan = ks::from_json<TunePlan>(asked.at("plan"), "a plan of a tuning");
        std::optional<TuneReport> before;
        if (asked.contains("before")) before = tune_report_from(asked.at("before"));
        std::size_t first = 0;  // of the rows that were not told
        const auto tell = [&](const TuneReport& report) {
            TuneReport part = report;
            part.rows.erase(part.rows.begin(), part.rows.begin() + static_cast<std::ptrdiff_t>(first));
            part.best.reset();  // its number would be of the whole
            Message told = Speaker::head("tune_part", job.id);
            told.header["first"] = first;
            told.header["report"] = ks::to_json(part);
            first = report.rows.size();
            speaker_.send(told);
        };
        Message answer = Speaker::head("tune", job.id);
        answer.header["report"] = ks::to_json(run_tune(engine_, plan, before, *job.progress, tell));
        return answer;
    }

    Engine& engine_;
    Speaker& speaker_;
    const std::map<std::string, WorkerJob>& more_;
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
    if (type == "catalogue") {
        jobs.add(0, std::move(message));
        return true;
    }
    if (type != "cancel" && !jobs.knows(type)) {
        speaker.send_error(0, Error(ErrorKind::run, "there is no message of type \"" + type + "\""));
        return true;
    }
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

int serve_worker(Engine& engine, std::FILE* in, std::FILE* out, const std::map<std::string, WorkerJob>& more,
                 std::chrono::milliseconds read_timeout) {
    // A window that has gone is the end of input, not a signal that ends the process half-way.
    std::signal(SIGPIPE, SIG_IGN);
    Speaker speaker(out);
    Jobs jobs(engine, speaker, more);
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
