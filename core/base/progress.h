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
    /// Of a part of a job, on a thread of its own: it is asked to stop where the whole is, which outlives it.
    Progress(Listener listener, const Progress& whole) : listener_(std::move(listener)), whole_(&whole) {}

    /// Tells the listener (at most every 20 ms, and always at 0 and 1) and throws ks::Error(cancelled) if
    /// asked to stop.
    void report(double fraction, const std::string& stage);
    /// Throws ks::Error(cancelled) if asked to stop.
    void check() const;
    void cancel() { cancelled_.store(true); }
    bool cancelled() const { return cancelled_.load() || (whole_ != nullptr && whole_->cancelled()); }

  private:
    Listener listener_;
    std::atomic<bool> cancelled_{false};
    std::int64_t last_report_ns_ = 0;
    const Progress* whole_ = nullptr;
};

}  // namespace ks
