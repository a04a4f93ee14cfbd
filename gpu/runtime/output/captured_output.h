#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace ks::gpu {

enum class StandardStream { output, errors };

/// While it lives, what the process writes to its standard output, or standard error, goes to a temporary
/// file. Drivers print to the former what kernels print, and compilers to the latter. The worker speaks to
/// the window over a descriptor of its own, so its messages are not in the way. One of a stream at a time: a
/// second one waits for the first.
class CapturedOutput {
  public:
    /// Throws ks::Error(run) where there is no temporary file or no such stream.
    explicit CapturedOutput(StandardStream stream);
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    /// Gives the stream back and tells what was written. The caller has waited for the kernels.
    std::string finish();

  private:
    void restore();

    int descriptor_;
    std::unique_lock<std::mutex> alone_;
    std::FILE* file_ = nullptr;
    int saved_ = -1;  ///< a copy of the descriptor, while it is replaced
};

}  // namespace ks::gpu
