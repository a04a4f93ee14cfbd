#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ks {

/// What a ratio of two medians is, and between what it lies in 99 of 100 cases by chance alone. The bootstrap
/// draws runs again, in pieces of runs that followed each other, as noise of a machine lasts longer than one
/// run; with fewer than 6 runs of either, the interval is from the smallest to the largest ratio of any two.
/// What differs from process to process (places in memory, clocks) is not in it.
struct RatioInterval {
    double value, low, high;

    bool above(double limit) const { return low > limit; }
    bool below(double limit) const { return high < limit; }
};

/// median(after) / median(before), of times above 0 in the order in which they were taken. Where both have as
/// many, the runs of a place belong to one round, and their noise counts but once. NaN without times.
RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after);

/// How one list of times compares with another.
enum class Order { shorter, undecided, longer };

/// The order of `after` and `before` where it is so sure that the same benchmark, run again, gives it again:
///  - the interval of ratio_of_medians() leaves out 1 where it is drawn sqrt(2) times as wide about its
///    value, since the medians of the repeat scatter as much as these (with fewer than 6 runs it is the whole
///    range, and stays as it is),
///  - the medians differ by 3 % or more, because places in memory and clocks differ from process to process,
///    which the runs of one process do not show,
///  - of all pairs of a run of either 90 % have that order, or 85 % where the medians differ by 40 % or more:
///    where the machine is disturbed for longer than a benchmark lasts, the interval of the medians is too
///    narrow.
Order order_of(std::span<const double> before, std::span<const double> after);

/// Places that a variant may have, 1 the fastest: those that are surely longer come after it, those surely
/// shorter before it, and with the others it is tied.
struct Rank {
    std::size_t first, last;
};

/// Of times as ratio_of_medians() takes them; empty lists have no place and count for nothing ({0, 0}).
std::vector<Rank> ranks_of(const std::vector<std::vector<double>>& times);

}  // namespace ks
