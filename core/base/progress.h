#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace ks {

/// How a running job reports progress and is stopped. `cancel` may be called from any thread; everything else
/// from the job's thread.
class Progress {
  public:
    /// @param fraction 0..1 of the stage; @param stage "correlate"
    using Listener = std::function<void(double fraction, const std::string& stage)>;

    Progress() = default;
    explicit Progress(Listener listener) : listener_(std::move(listener)) {}
    /// The progress of a part of a job that runs on a separate thread. It is stopped together with `whole`,
    /// which must outlive it.
    Progress(Listener listener, const Progress& whole) : listener_(std::move(listener)), whole_(&whole) {}

    /// Notifies the listener (at most every 20 ms, and always at 0 and 1); throws ks::Error(cancelled) if a
    /// stop was requested.
    void report(double fraction, const std::string& stage);
    /// Throws ks::Error(cancelled) if a stop was requested.
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
