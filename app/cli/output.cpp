#include "app/cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "core/base/printable.h"

namespace ks::cli {
namespace {

/// Standard error for this program's own output, also while a compiler's is captured.
int own_errors = STDERR_FILENO;

}  // namespace

std::string indented(std::string_view details) {
    std::string text;
    for (std::size_t at = 0; at < details.size();) {
        const std::size_t end = std::min(details.find('\n', at), details.size());
        text += "    " + printable_lines(details.substr(at, end - at)) + '\n';
        at = end + 1;
    }
    return text;
}

void prepare_output() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        // Takes the lowest free number; writing to it fails, as writing to the closed stream would.
        if (open("/dev/null", O_RDONLY) < 0) return;
    }
    if (const int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); copy >= 0)
        own_errors = copy;
}

namespace {

bool is_silent = false;
std::atomic<bool> progress_line{false};

void write_all(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t put = ::write(own_errors, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(put));
    }
}

}  // namespace

void be_silent() {
    is_silent = true;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

bool is_silenced() {
    return is_silent;
}

void tell(std::string_view text) {
    if (is_silent) return;
    std::fflush(stderr);  // keeps the order with output by others
    write_all(text);
}

void warn(std::string_view sentence) {
    tell("kernelscope-cli: warning: " + printable(sentence) + "\n");
}

void note_progress_line(bool shown) {
    progress_line.store(shown);
}

void tell_at_once(std::initializer_list<const char*> parts) noexcept {
    if (progress_line.load()) write_all("\r\x1b[K");
    write_all("kernelscope-cli: ");
    for (const char* part : parts)
        if (part != nullptr) write_all(part);
    write_all("\n");
}

int unwritten_output() {
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    if (std::fflush(stdout) != 0) return errno != 0 ? errno : EIO;
    return failed_before ? EIO : 0;
}

}  // namespace ks::cli
