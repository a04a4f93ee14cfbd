#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace ks::gpu {

enum class StandardStream { output, errors };

/// While it lives, what the process writes to its standard output or standard error goes to a temporary file.
/// Drivers write kernel output to the former, and compilers write to the latter. The worker's messages to the
/// window use a separate descriptor and are not affected. There is one per stream at a time: a second one
/// waits for the first.
class CapturedOutput {
  public:
    /// Throws ks::Error(run) if there is no temporary file or no such stream.
    explicit CapturedOutput(StandardStream stream);
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    /// Restores the stream and returns what was written. The caller has waited for the kernels.
    std::string finish();

  private:
    void restore();

    int descriptor_;
    std::unique_lock<std::mutex> alone_;
    std::FILE* file_ = nullptr;
    int saved_ = -1;  ///< a copy of the descriptor, while it is replaced
};

}  // namespace ks::gpu
