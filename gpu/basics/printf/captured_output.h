#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace ks::gpu::basics {

/// While it lives, what the process writes to its standard output goes to a temporary file. Drivers print
/// there what kernels print. The worker speaks to the window over a descriptor of its own, so its messages
/// are not in the way. One at a time: a second one waits for the first.
class CapturedOutput {
  public:
    /// Throws ks::Error(run) where there is no temporary file or no standard output.
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    /// Gives standard output back and tells what was written. The caller has waited for the kernels.
    std::string finish();

  private:
    void restore();

    std::unique_lock<std::mutex> alone_;
    std::FILE* file_ = nullptr;
    int saved_ = -1;  ///< the descriptor of standard output, while it is replaced
};

}  // namespace ks::gpu::basics
