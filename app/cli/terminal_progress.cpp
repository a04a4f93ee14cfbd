#include "app/cli/terminal_progress.h"

#include <unistd.h>
#include <cstdio>

#include <fmt/format.h>

namespace ks::cli {

TerminalProgress::TerminalProgress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void TerminalProgress::show(double fraction, const std::string& stage) {
    if (lines_) {
        const int tenths = static_cast<int>(fraction * 10);
        if (stage == stage_ && tenths == tenths_) return;
        stage_ = stage;
        tenths_ = tenths;
        fmt::print(stderr, "{} {}%\n", stage, tenths * 10);
    } else if (terminal_) {
        fmt::print(stderr, "\r\x1b[K{} {:.0f}%", stage, fraction * 100);
        std::fflush(stderr);
        shown_ = true;
    }
}

void TerminalProgress::clear() {
    if (!shown_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace ks::cli
