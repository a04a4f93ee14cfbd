#include "app/cli/terminal_progress.h"

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/output.h"

namespace ks::cli {

TerminalProgress::TerminalProgress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void TerminalProgress::show(double fraction, const std::string& stage) {
    if (lines_) {
        const int tenths = static_cast<int>(fraction * 10);
        if (stage == stage_ && tenths == tenths_) return;
        stage_ = stage;
        tenths_ = tenths;
        tell(fmt::format("{} {}%\n", stage, tenths * 10));
    } else if (terminal_) {
        tell(fmt::format("\r\x1b[K{} {:.0f}%", stage, fraction * 100));
        shown_ = true;
        note_progress_line(true);
    }
}

void TerminalProgress::clear() {
    if (!shown_) return;
    tell("\r\x1b[K");
    shown_ = false;
    note_progress_line(false);
}

}  // namespace ks::cli
