#pragma once

#include <optional>
#include <utility>

namespace ks::ui {

/// The newest measurement. Another one replaces it when it ends with a result: one that is refused, or
/// stopped too early, leaves the earlier one.
/// @tparam T has `bool empty() const`, without anything to show, and `bool replaces() const`, whether its
/// results are worth more than those of an earlier measurement
template <typename T>
class Newest {
  public:
    /// Another measurement starts with these results.
    void begin(T first = {}) { arriving_ = std::move(first); }
    bool isArriving() const { return arriving_.has_value(); }
    /// The measurement in progress. Requires isArriving().
    T& arriving() { return *arriving_; }
    /// The measurement in progress ends. Results that would not replace others stay if there are no others.
    void end() {
        if (&ended() != &last_) last_ = std::move(*arriving_);
        arriving_.reset();
    }
    /// Results of another origin, such as a file. A measurement in progress continues.
    void setLast(T value) { last_ = std::move(value); }
    /// The measurement in progress is of no account.
    void drop() { arriving_.reset(); }

    /// Calls change(results) for both.
    void changeAll(const auto& change) {
        change(last_);
        if (arriving_) change(*arriving_);
    }

    /// The last measurement that has ended.
    const T& last() const { return last_; }
    /// What last() would be if the measurement in progress ended now.
    const T& ended() const {
        const bool takes = arriving_ && !arriving_->empty() && (arriving_->replaces() || !last_.replaces());
        return takes ? *arriving_ : last_;
    }
    /// The measurement in progress, if there is one.
    const T& newest() const { return arriving_ ? *arriving_ : last_; }
    /// The same, but the last one until there is something to show.
    const T& shown() const { return arriving_ && !arriving_->empty() ? *arriving_ : last_; }

  private:
    T last_;
    std::optional<T> arriving_;
};

}  // namespace ks::ui
