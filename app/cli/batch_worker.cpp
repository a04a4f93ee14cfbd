#include "app/cli/batch_worker.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/base/threads.h"

namespace ks::cli {
namespace {

constexpr const char* batch = "batch";
constexpr int patience_ms = 800;  ///< for a run that is to stop, and for a process that is to end

std::int64_t now_ms() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

wire::Message asked(const BatchPlan& plan, const BatchItem& item, std::uint64_t job) {
    wire::Message message;
    message.header = {{"type", batch},
                      {"job", job},
                      {"data", item.data},
                      {"run", item.run.string()},
                      {"table", item.csv.string()},
                      {"csv", plan.csv},
                      {"overwrite", plan.overwrite}};
    message.header["request"] = ks::to_json(plan.request, &message.blobs);
    return message;
}

BatchRow row_from(const wire::Message& message, const BatchItem& item) {
    BatchRow row;
    row.data = item.data;
    row.run = item.run;
    row.state = batch_state_from(message.header.at("state").get<std::string>());
    row.why = message.header.at("why").get<std::string>();
    row.warnings = message.header.at("warnings").get<std::vector<std::string>>();
    row.nanoseconds = message.header.at("nanoseconds").get<std::uint64_t>();
    return row;
}

BatchRow without_run(const BatchItem& item, BatchRow::State state, std::string why) {
    BatchRow row;
    row.state = state;
    row.data = item.data;
    row.run = item.run;
    row.why = std::move(why);
    return row;
}

/// @param status of waitpid()
std::string how_it_ended(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

WorkerJob batch_job(Session& session) {
    return [&session](const wire::Message& message, wire::Message& answer, Progress& progress) {
        BatchPlan plan;
        BatchItem item;
        plan.request = ks::from_json<Request>(message.header.at("request"), "a request", &message.blobs);
        plan.csv = message.header.at("csv").get<bool>();
        plan.overwrite = message.header.at("overwrite").get<bool>();
        item.data = message.header.at("data").get<std::string>();
        item.run = message.header.at("run").get<std::string>();
        item.csv = message.header.at("table").get<std::string>();
        const BatchRow row = run_item(session.engine(), plan, item, progress);
        answer.header["state"] = name_of(row.state);
        answer.header["why"] = row.why;
        answer.header["warnings"] = row.warnings;
        answer.header["nanoseconds"] = row.nanoseconds;
    };
}

BatchWorker::~BatchWorker() {
    if (!is_running()) return;
    ::shutdown(socket_, SHUT_WR);  // the end of its input
    end();
}

void BatchWorker::start() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(ErrorKind::run, fmt::format("no worker can be started: {}", std::strerror(errno)));
    std::vector<std::string> words{"kernelscope-cli", "worker"};
    if (const auto limit = thread_limit()) words.insert(words.end(), {"--threads", std::to_string(*limit)});
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&how);
    for (const int number : {STDIN_FILENO, STDOUT_FILENO})
        ::posix_spawn_file_actions_adddup2(&files, ends[1], number);
    // A group of its own: Ctrl-C is this process's, which then asks the worker to stop.
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&how, 0);
    const int failure = ::posix_spawn(&process_, "/proc/self/exe", &files, &how, arguments.data(), ::environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&how);
    ::close(ends[1]);
    socket_ = ends[0];
    decoder_ = {};
    if (failure == 0) return;
    process_ = -1;
    ::close(std::exchange(socket_, -1));
    throw Error(ErrorKind::run, fmt::format("no worker can be started: {}", std::strerror(failure)));
}

bool BatchWorker::send(const wire::Message& message) const {
    const std::vector<std::byte> bytes = wire::encode(message);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

bool BatchWorker::readable(int milliseconds) const {
    pollfd one{socket_, POLLIN, 0};
    return ::poll(&one, 1, milliseconds) > 0;
}

std::optional<wire::Message> BatchWorker::receive() {
    std::vector<std::byte> buffer(std::size_t{1} << 16);
    while (true) {
        if (std::optional<wire::Message> message = decoder_.next()) return message;
        if (!readable(20)) {
            stop_when_asked(jobs_);
            continue;
        }
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        decoder_.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
    }
}

/// First by a word, which leaves no file half-written; a kernel that does not end is ended with its process.
void BatchWorker::stop_when_asked(std::uint64_t job) {
    if (!progress_.cancelled()) return;
    if (!asked_to_stop_) {
        wire::Message cancel;
        cancel.header = {{"type", "cancel"}, {"job", job}};
        send(cancel);
        asked_to_stop_ = now_ms();
    }
    const std::int64_t waited = now_ms() - *asked_to_stop_;
    if (waited > patience_ms) ::kill(process_, waited > 2 * patience_ms ? SIGKILL : SIGTERM);
}

std::string BatchWorker::end() {
    ::close(std::exchange(socket_, -1));
    const pid_t process = std::exchange(process_, -1);
    int status = 0;
    for (const std::int64_t begin = now_ms();;) {
        const pid_t ended = ::waitpid(process, &status, WNOHANG);
        if (ended == process) return how_it_ended(status);
        if (ended < 0 && errno != EINTR) return "an unknown reason";
        if (now_ms() - begin > 2 * patience_ms) ::kill(process, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

BatchRow BatchWorker::run(const BatchItem& item) {
    progress_.check();
    if (!is_running()) start();
    send(asked(plan_, item, ++jobs_));  // a worker that has gone is noticed below
    while (const std::optional<wire::Message> message = receive()) {
        if (message->type() == "progress") {
            if (!progress_.cancelled())
                progress_.report(message->header.at("fraction").get<double>(),
                                 message->header.at("stage").get<std::string>());
        } else if (message->type() == batch) {
            return row_from(*message, item);
        } else if (message->type() == "error") {
            const Error error = wire::error_from(message->header.at("error"));
            if (error.kind() == ErrorKind::cancelled) throw error;
            return without_run(item, BatchRow::State::failed, error.what());
        }
    }
    const std::string how = end();
    progress_.check();  // it was ended because it should stop
    return without_run(item, BatchRow::State::crashed, how);
}

}  // namespace ks::cli
