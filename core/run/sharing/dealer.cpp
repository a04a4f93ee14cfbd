#include "core/run/sharing/dealer.h"

#include <algorithm>

namespace ks {
namespace {

/// Fraction of an even share in the first piece. First pieces reveal the rates, so errors in the expected
/// rate cost little. Devices of one kind get most of their share at once, since every piece has overhead at
/// its start and end, and a small one does not fill a GPU.
constexpr double first_part = 1.0 / 16, first_part_alike = 15.0 / 16;
/// Fraction of what a device would get until the end at the current rates: the remainder evens out changes
/// of the rates.
constexpr double later_part = 0.8;
/// Pieces are not cut shorter than this: starting one takes about a millisecond.
constexpr double least_nanoseconds = 30e6, smallest_nanoseconds = 2e6;
/// Multiples of the time of the fastest device, which may still be busy with another piece.
constexpr double much_less = 2;

}  // namespace

Dealer::Dealer(const ShareUnits& units, std::size_t devices, bool alike)
    : count_(units.count),
      multiple_(std::max<std::size_t>(1, units.multiple)),
      reads_all_(units.reads_all),
      first_part_(alike ? first_part_alike : first_part),
      devices_(devices) {
    if (!units.work.empty()) {
        sums_.reserve(units.work.size() + 1);
        sums_.push_back(0);
        for (const double work : units.work) sums_.push_back(sums_.back() + work);
    }
    if (count_ > 0) waiting_.push_back({0, count_});
    left_ = work_of(0, count_);
}

double Dealer::work_of(std::size_t first, std::size_t end) const {
    return sums_.empty() ? static_cast<double>(end - first) : sums_[end] - sums_[first];
}

double Dealer::part_of(const Piece& piece) const {
    const double all = work_of(0, count_);
    return all > 0 ? work_of(piece.first, piece.end) / all : 0;
}

std::size_t Dealer::end_of(std::size_t first, std::size_t end, double work) const {
    std::size_t found = end;
    if (sums_.empty()) {
        if (work < static_cast<double>(end - first)) found = first + static_cast<std::size_t>(work) + 1;
    } else {
        const auto from = sums_.begin() + static_cast<std::ptrdiff_t>(first + 1),
                   to = sums_.begin() + static_cast<std::ptrdiff_t>(end);
        found = static_cast<std::size_t>(std::lower_bound(from, to, sums_[first] + work) - sums_.begin());
    }
    found = (found + multiple_ - 1) / multiple_ * multiple_;
    return found + multiple_ > end ? end : found;  // a remainder below one multiple is not a piece
}

double Dealer::rate_of(const Device& device) const {
    if (device.rate) return *device.rate;
    double sum = 0;
    std::size_t known = 0;
    for (const Device& other : devices_)
        if (other.rate) {
            sum += *other.rate;
            ++known;
        }
    return known == 0 ? 1 : sum / static_cast<double>(known);
}

std::optional<double> Dealer::fair(std::size_t device) const {
    const Device& own = devices_[device];
    if (reads_all_) {
        const auto without = std::ranges::count_if(
            devices_, [](const Device& other) { return !other.out && other.dealt == 0; });
        if (own.dealt > 0 && without > 0 && under_way_ > 0) return std::nullopt;
        return left_ / static_cast<double>(std::max<std::ptrdiff_t>(1, without));
    }
    if (own.dealt == 0)
        return std::min(left_, work_of(0, count_) / static_cast<double>(devices_.size()) * first_part_);
    if (!own.rate) return 0.0;
    double all = 0, fastest = 0;
    for (const Device& other : devices_)
        if (!other.out) {
            all += rate_of(other);
            fastest = std::max(fastest, rate_of(other));
        }
    const double least = *own.rate * least_nanoseconds, share = left_ * *own.rate / all;
    // A slow device leaves the last units to the fastest one if that computes all of them in much less time;
    // the fastest never leaves them. With no device at work, nobody would ask again.
    const std::size_t first = waiting_.front().first;
    const double smallest = work_of(first, end_of(first, waiting_.front().end, 0));
    if (under_way_ > 0 && smallest / *own.rate > much_less * left_ / fastest) return std::nullopt;
    // Work shorter than this is dealt in a few more pieces, not in ever smaller ones.
    return share <= least ? std::max(share, *own.rate * smallest_nanoseconds)
                          : std::max(least, share * later_part);
}

std::optional<Piece> Dealer::next(std::size_t device) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stopped_ || devices_[device].out) return std::nullopt;
        if (!waiting_.empty()) {
            if (const std::optional<double> work = fair(device)) {
                Piece& from = waiting_.front();
                const Piece piece{from.first, end_of(from.first, from.end, *work)};
                from.first = piece.end;
                if (from.first == from.end) waiting_.pop_front();
                left_ = std::max(0.0, left_ - work_of(piece.first, piece.end));
                ++devices_[device].dealt;
                ++under_way_;
                return piece;
            }
        } else if (under_way_ == 0) {
            return std::nullopt;
        }
        changed_.wait(lock);
    }
}

void Dealer::done(std::size_t device, const Piece& piece, std::uint64_t nanoseconds) {
    const std::lock_guard lock(mutex_);
    Device& own = devices_[device];
    const double seen =
        work_of(piece.first, piece.end) / static_cast<double>(std::max<std::uint64_t>(1, nanoseconds));
    // The first piece includes one-time work: kernels, data that stay on the device.
    own.rate = !own.rate || own.dealt <= 2 ? seen : (*own.rate + 3 * seen) / 4;
    --under_way_;
    changed_.notify_all();
}

void Dealer::give_back(std::size_t device, const Piece& piece) {
    const std::lock_guard lock(mutex_);
    devices_[device].out = true;
    devices_[device].rate.reset();
    waiting_.push_front(piece);
    left_ += work_of(piece.first, piece.end);
    --under_way_;
    changed_.notify_all();
}

void Dealer::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

bool Dealer::complete() const {
    const std::lock_guard lock(mutex_);
    return waiting_.empty() && under_way_ == 0;
}

}  // namespace ks
