#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Units [first, end) that one device computes at a time.
struct Piece {
    std::size_t first = 0, end = 0;
    bool operator==(const Piece&) const = default;
};

/// Deals the units of a problem out to devices, or to whatever computes pieces of it, from one queue: first
/// pieces tell each one's rate, and are small unless devices are alike; later ones are as large as the rate
/// says, so that all end at about the same time. Who takes pieces calls from a thread of its own; all
/// functions may be called at once.
class Dealer {
  public:
    /// @param alike devices of one kind: about the same rate is expected of each
    Dealer(const ShareUnits& units, std::size_t devices, bool alike = false);

    /// The next piece for a device; waits while there is none but others may give theirs back. Nothing: all
    /// is done, or the device is out, or it was stopped.
    std::optional<Piece> next(std::size_t device);
    /// A device computed its piece in so many nanoseconds.
    void done(std::size_t device, const Piece& piece, std::uint64_t nanoseconds);
    /// A device failed: it gets nothing more, and others its piece.
    void give_back(std::size_t device, const Piece& piece);
    /// No more pieces for anybody.
    void stop();

    /// Whether every unit was computed.
    bool complete() const;
    /// Work of a piece, as a part of all.
    double part_of(const Piece& piece) const;

  private:
    struct Device {
        std::optional<double> rate = {};  ///< work per nanosecond, of its last pieces
        std::size_t dealt = 0;
        bool out = false;
    };
    double work_of(std::size_t first, std::size_t end) const;
    /// The first multiple at which the work from `first` on is at least `work`, or `end` where that is less
    /// than another multiple away.
    std::size_t end_of(std::size_t first, std::size_t end, double work) const;
    /// Of a device, or what is to be thought of one that is not known yet.
    double rate_of(const Device& device) const;
    /// How much work the device should get; nothing: others are done with the rest before it would be.
    std::optional<double> fair(std::size_t device) const;

    std::size_t count_, multiple_;
    bool reads_all_;            ///< pieces are as few as there are devices
    double first_part_;         ///< of an even share, in the first piece of a device
    std::vector<double> sums_;  ///< of work before each unit, and all; empty: units are alike
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> waiting_;  ///< those that came back first
    std::vector<Device> devices_;
    std::size_t under_way_ = 0;
    double left_;  ///< work of waiting_
    bool stopped_ = false;
};

}  // namespace ks
