#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace ks {

/// How a running job speaks and is stopped. `cancel` may be called from any thread; the rest from the job's
/// thread.
class Progress {
  public:
    /// @param fraction 0..1 of the stage; @param stage "correlate"
    using Listener = std::function<void(double fraction, const std::string& stage)>;

    Progress() = default;
    explicit Progress(Listener listener) : listener_(std::move(listener)) {}

    /// Tells the listener (at most every 20 ms, and always at 0 and 1) and throws ks::Error(cancelled) if
    /// asked to stop.
    void report(double fraction, const std::string& stage);
    /// Throws ks::Error(cancelled) if asked to stop.
    void check() const;
    void cancel() { cancelled_.store(true); }
    bool cancelled() const { return cancelled_.load(); }

  private:
    Listener listener_;
    std::atomic<bool> cancelled_{false};
    std::int64_t last_report_ns_ = 0;
};

}  // namespace ks
