#include "app/cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace ks::cli {

void prepare_output() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        // The lowest number that is free; writing to it fails as it would have.
        if (open("/dev/null", O_RDONLY) < 0) return;
    }
}

namespace {

bool is_silent = false;

}  // namespace

void be_silent() {
    is_silent = true;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

void tell(std::string_view text) {
    if (is_silent) return;
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

int unwritten_output() {
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    if (std::fflush(stdout) != 0) return errno != 0 ? errno : EIO;
    return failed_before ? EIO : 0;
}

}  // namespace ks::cli
