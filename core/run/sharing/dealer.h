#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Units [first, end) that a device computes at a time.
struct Piece {
    std::size_t first = 0, end = 0;
    bool operator==(const Piece&) const = default;
};

/// Deals the units of a problem to devices, or to other workers, from a single queue. The first pieces reveal
/// the rate of each device, and are small unless the devices are alike; later pieces are as large as the rate
/// suggests, so that all devices end at about the same time. Each device takes its pieces from a separate
/// thread; all functions may be called concurrently.
class Dealer {
  public:
    /// @param alike devices of one kind: their rates are expected to be about equal
    Dealer(const ShareUnits& units, std::size_t devices, bool alike = false);

    /// The next piece for a device. If there is none, but other devices may still return theirs, the call
    /// waits. Nothing: everything is done, the device has failed, or the dealer was stopped.
    std::optional<Piece> next(std::size_t device);
    /// Reports that a device computed its piece in this time.
    void done(std::size_t device, const Piece& piece, std::uint64_t nanoseconds);
    /// Reports that a device failed: it gets no more pieces, and its piece goes to others.
    void give_back(std::size_t device, const Piece& piece);
    /// Hands out no more pieces.
    void stop();

    /// Whether every unit was computed.
    bool complete() const;
    /// Work of a piece as a fraction of the total.
    double part_of(const Piece& piece) const;

  private:
    struct Device {
        std::optional<double> rate = {};  ///< work per nanosecond in its latest pieces
        std::size_t dealt = 0;
        bool out = false;
    };
    double work_of(std::size_t first, std::size_t end) const;
    /// The first multiple at which the work from `first` on is at least `work`. If `end` is less than one
    /// multiple after it, `end`.
    std::size_t end_of(std::size_t first, std::size_t end, double work) const;
    /// Rate of a device, or the estimate for one not measured yet.
    double rate_of(const Device& device) const;
    /// How much work the device should get. Nothing: the other devices would finish the rest before this one
    /// could.
    std::optional<double> fair(std::size_t device) const;

    std::size_t count_, multiple_;
    bool reads_all_;            ///< one piece per device
    double first_part_;         ///< fraction of an even share in a device's first piece
    std::vector<double> sums_;  ///< work before each unit, then the total; empty: equal units
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> waiting_;  ///< returned pieces first
    std::vector<Device> devices_;
    std::size_t under_way_ = 0;
    double left_;  ///< work of waiting_
    bool stopped_ = false;
};

}  // namespace ks
