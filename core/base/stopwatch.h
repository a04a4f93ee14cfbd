#pragma once

#include <chrono>
#include <cstdint>

namespace ks {

/// Times consecutive stages with the steady clock.
class Stopwatch {
  public:
    /// Nanoseconds since construction or the last lap.
    std::uint64_t lap() {
        const auto now = std::chrono::steady_clock::now();
        const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
        last_ = now;
        return static_cast<std::uint64_t>(passed);
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ks
