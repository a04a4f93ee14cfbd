#pragma once

#include <string>

namespace ks::cli {

/// Progress on standard error: one line that is rewritten if that is a terminal, one line per 10% if
/// use_lines() was called, else nothing.
class TerminalProgress {
  public:
    TerminalProgress();
    ~TerminalProgress() { clear(); }
    TerminalProgress(const TerminalProgress&) = delete;
    TerminalProgress& operator=(const TerminalProgress&) = delete;

    void use_lines() { lines_ = true; }
    void show(double fraction, const std::string& stage);
    /// Removes the progress line, before anything else is printed.
    void clear();

  private:
    bool terminal_;
    bool lines_ = false;
    bool shown_ = false;
    std::string stage_;
    int tenths_ = -1;
};

}  // namespace ks::cli
