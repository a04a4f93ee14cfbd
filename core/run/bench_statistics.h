#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ks {

/// Whether the runs of two lists were taken in turn.
enum class Taken {
    in_rounds,  ///< the n-th run of both belongs to one round, as far as both have as many
    apart       ///< in benchmarks of their own
};

/// What a ratio of two medians is, and between what it lies in 99 of 100 cases by chance alone; from 0 to
/// infinity where there are too few runs to tell. Of runs in rounds the bounds are ratios of one round each,
/// by the sign test: noise that lasts longer than a round counts for none of them, and nothing is assumed of
/// its distribution. Of runs apart they are ratios of any two runs, by the rank-sum test, which takes the
/// runs of a list for independent. What differs from process to process is not in it.
struct RatioInterval {
    double value, low, high;

    /// There are enough runs to tell.
    bool known() const { return low > 0; }
    bool above(double limit) const { return low > limit; }
    bool below(double limit) const { return high < limit; }
};

/// median(after) / median(before), of times above 0 in the order in which they were taken. Lists of different
/// lengths count as taken apart. NaN without times.
RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after,
                               Taken taken = Taken::in_rounds);

/// The fewest runs of each of so many rows, taken in rounds, by which one of their orders can be sure: 8 of
/// two, 12 of six, 14 of ten.
std::size_t runs_for_an_order(std::size_t rows);
/// The fewest runs of each of two lists that were taken apart.
inline constexpr std::size_t runs_of_lists_apart = 5;

/// How one list of times compares with another.
enum class Order { shorter, undecided, longer };

/// Times that are ranked, in the order in which they were taken.
struct RankedTimes {
    std::vector<double> times = {};
    /// Lists of one benchmark were taken in rounds, lists of different ones apart.
    std::size_t benchmark = 0;
};

/// Places that a variant may have, 1 the fastest: those that are surely longer come after it, those surely
/// shorter before it, and with the others it is tied.
struct Rank {
    std::size_t first, last;
};

/// The orders of each two of some lists of times. Of lists that are alike, one order of a hundred is called
/// sure at most, however few runs there are. An order is sure where
///  - chance alone would give it, or the opposite one, in one case of a hundred at most, by the test that
///    RatioInterval says, for all orders of these lists together (Holm's correction),
///  - and the medians differ by 3 % or more in one benchmark, since what one process has at its places in
///    memory is no chance of its runs; by a factor of 2 or more in different benchmarks, which a machine that
///    is disturbed for longer than a benchmark lasts may set apart by so much (docs/benchmarks.md).
class Orders {
  public:
    explicit Orders(const std::vector<RankedTimes>& lists);

    /// Of the list `b`, compared with `a`; undecided where one of them is empty.
    Order of(std::size_t a, std::size_t b) const { return orders_.at(a * lists_ + b); }
    /// Empty lists have no place and count for nothing ({0, 0}).
    std::vector<Rank> ranks() const;

  private:
    std::size_t lists_;
    std::vector<bool> there_;
    std::vector<Order> orders_;  ///< [a][b]
};

/// Of `after`, compared with `before`, where nothing else is ranked.
Order order_of(std::span<const double> before, std::span<const double> after, Taken taken = Taken::in_rounds);

/// Of lists of one benchmark.
std::vector<Rank> ranks_of(const std::vector<std::vector<double>>& times);

}  // namespace ks
