#include "app/cli/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "app/cli/ending/read_timeout.h"
#include "core/base/threads.h"
#include "core/io/files/followed_files.h"
#include "core/judge/kernel_stage.h"
#include "core/judge/signal_text.h"

namespace ks::cli {
namespace {

std::int64_t now_ms() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

constexpr int kernels_descriptor = 3;  ///< in the worker, for what they print

/// @param status of waitpid()
std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) return signal_text(WTERMSIG(status));
    return fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

WorkerProcess::~WorkerProcess() {
    end();
}

std::string WorkerProcess::end() {
    if (!is_running()) return {};
    ::shutdown(socket_, SHUT_WR);  // the end of its input
    return waited_for();
}

void WorkerProcess::start() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(ErrorKind::run,
                    fmt::format("a worker process cannot be started: {}", std::strerror(errno)));
    std::array<int, 2> printed{-1, -1};
    if ((manner_.takes_printed || manner_.takes_errors) &&
        ::pipe2(printed.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        printed = {-1, -1};
    std::vector<std::string> words = under_;
    const std::string self =
        under_.empty() ? "/proc/self/exe" : std::filesystem::read_symlink("/proc/self/exe").string();
    words.insert(words.end(), {under_.empty() ? std::string("kernelscope-cli") : self, "worker"});
    if (const auto limit = manner_.threads ? manner_.threads : thread_limit())
        words.insert(words.end(), {"--threads", std::to_string(*limit)});
    words.insert(words.end(), {"--read-timeout", read_timeout_text()});
    if (io::follows_all_names()) words.emplace_back("--trust");
    const int takes = manner_.takes_errors ? STDERR_FILENO : kernels_descriptor;
    if (printed[1] >= 0 && !manner_.takes_errors)
        words.insert(words.end(), {"--printed-to", std::to_string(kernels_descriptor)});
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
    if (printed[1] >= 0) {
        ::fcntl(printed[1], F_SETFL, 0);  // the kernel waits if this process is slow
        ::posix_spawn_file_actions_adddup2(&files, printed[1], takes);
    }
    // A separate process group: Ctrl-C goes to this process, which then asks the worker to stop.
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&how, 0);
    const std::string& program = under_.empty() ? self : under_.front();
    const int failure = ::posix_spawnp(&process_, program.c_str(), &files, &how, arguments.data(), ::environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&how);
    ::close(ends[1]);
    if (printed[1] >= 0) ::close(printed[1]);
    socket_ = ends[0];
    printed_ = printed[0];
    decoder_ = {};
    ++started_;
    if (failure == 0) return;
    process_ = -1;
    ::close(std::exchange(socket_, -1));
    if (printed_ >= 0) ::close(std::exchange(printed_, -1));
    throw Error(ErrorKind::run,
                fmt::format("a worker process cannot be started: {}", std::strerror(failure)));
}

bool WorkerProcess::send(const wire::Message& message) const {
    const std::vector<std::byte> bytes = wire::encode(message);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

void WorkerProcess::take_printed(Ending& ending) {
    std::array<char, std::size_t{1} << 16> piece;
    // Limited, so that a flood of output leaves time for everything else.
    for (int i = 0; i < 16 && printed_ >= 0; ++i) {
        const ssize_t got = ::read(printed_, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) ::close(std::exchange(printed_, -1));
        if (got > 0) ending.printed.add({piece.data(), static_cast<std::size_t>(got)});
    }
}

bool WorkerProcess::readable(int milliseconds, Ending& ending) {
    take_printed(ending);
    std::array<pollfd, 2> both{{{socket_, POLLIN, 0}, {printed_, POLLIN, 0}}};
    return ::poll(both.data(), both.size(), milliseconds) > 0 && both[0].revents != 0;
}

std::optional<wire::Message> WorkerProcess::receive(const Limits& limits, std::int64_t begin,
                                                    Ending& ending) {
    const auto is_over = [since = now_ms()](const std::optional<std::chrono::milliseconds>& limit) {
        return limit && now_ms() - since > limit->count();
    };
    const auto is_over_at_all = [&] { return limits.whole && now_ms() - begin > limits.whole->count(); };
    std::vector<std::byte> buffer(std::size_t{1} << 16);
    while (true) {
        if (std::optional<wire::Message> message = decoder_.next()) return message;
        if (!readable(20, ending)) {
            stop_when_asked();
            const bool in_kernel = ending.stage.starts_with(kernel_stage);
            if (!progress_.cancelled() &&
                (is_over(limits.any) || (in_kernel && is_over(limits.kernel)) || is_over_at_all())) {
                ::kill(-process_, SIGKILL);
                ending.was_too_long = true;
                return std::nullopt;
            }
            continue;
        }
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        decoder_.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
    }
}

/// First by a message, which leaves no file incomplete; a kernel that does not end is ended with its process.
void WorkerProcess::stop_when_asked() {
    if (!progress_.cancelled()) return;
    if (!asked_to_stop_) {
        wire::Message cancel;
        cancel.header = {{"type", "cancel"}, {"job", jobs_}};
        send(cancel);
        asked_to_stop_ = now_ms();
    }
    const std::int64_t waited = now_ms() - *asked_to_stop_;
    if (waited > manner_.patience_ms) ::kill(process_, waited > 2 * manner_.patience_ms ? SIGKILL : SIGTERM);
}

std::string WorkerProcess::waited_for(Ending* ending) {
    const std::string how = waited_for_process();
    if (ending != nullptr) take_printed(*ending);
    if (printed_ >= 0) ::close(std::exchange(printed_, -1));
    return how;
}

std::string WorkerProcess::waited_for_process() {
    ::close(std::exchange(socket_, -1));
    const pid_t process = std::exchange(process_, -1);
    int status = 0;
    for (const std::int64_t begin = now_ms();;) {
        const pid_t ended = ::waitpid(process, &status, WNOHANG);
        if (ended == process) return how_it_ended(status);
        if (ended < 0 && errno != EINTR) return "an unknown reason";
        if (now_ms() - begin > 2 * manner_.patience_ms) ::kill(process, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::optional<wire::Message> WorkerProcess::answer_to(const wire::Message& job, const Limits& limits,
                                                      Ending& ending) {
    progress_.check();
    if (!is_running()) start();
    send(job);  // a worker that has gone is noticed below
    const std::int64_t begin = now_ms();
    while (std::optional<wire::Message> message = receive(limits, begin, ending)) {
        if (message->type() == "progress") {
            ending.stage = message->header.at("stage").get<std::string>();
            if (!progress_.cancelled())
                progress_.report(message->header.at("fraction").get<double>(),
                                 manner_.hides_kernels && ending.stage.starts_with(kernel_stage)
                                     ? ending.stage.substr(std::string_view(kernel_stage).size())
                                     : ending.stage);
        } else if (message->type() == "answer" || message->type() == "error") {
            take_printed(ending);
            if (message->header.value("last", false)) waited_for();
            if (message->type() == "answer") return message;
            const nlohmann::json& error = message->header.at("error");
            ending.error = wire::error_from(error);
            ending.was_wrong_result = wire::was_wrong_result(error);
            return std::nullopt;
        }
    }
    ending.how_it_ended = waited_for(&ending);
    progress_.check();  // it was ended because of a cancellation
    return std::nullopt;
}

}  // namespace ks::cli
