#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ks {

/// Throws ks::Error(input) unless a time read from a file is finite and at least 0: any other would give
/// speed-ups without meaning.
/// @param where "rows[3].samples_ns[0]", counted from 0
void require_time(double time, const std::string& where);

/// Whether the runs of two lists were measured in turn.
enum class Taken {
    in_rounds,  ///< the n-th runs of both lists, if both have one, belong to the same round
    apart       ///< in separate benchmarks
};

/// A ratio of two medians with its 99 % confidence interval, which is 0 to infinity if there are too few
/// runs. If the runs were made in rounds, the bounds are ratios within one round, by the sign test: no
/// distribution is assumed, and noise that lasts longer than a round has no effect. If the runs were made
/// separately, the bounds are ratios of any two runs, by the rank-sum test, which assumes independent runs
/// within a list. Variation between processes is not included.
struct RatioInterval {
    double value, low, high;

    /// There are enough runs to tell.
    bool known() const { return low > 0; }
    bool above(double limit) const { return low > limit; }
    bool below(double limit) const { return high < limit; }
};

/// median(after) / median(before), of times above 0 in the order of measurement. Lists of different lengths
/// are treated as runs that were made separately. NaN if there are no times.
RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after,
                               Taken taken = Taken::in_rounds);

/// The minimum number of rounds with which the order of any two rows can be significant, if there are this
/// many rows: 8 for two rows, 12 for six, 14 for ten.
std::size_t runs_for_an_order(std::size_t rows);
/// The minimum number of runs per list, for two lists taken apart.
inline constexpr std::size_t runs_of_lists_apart = 5;

/// How one list of times compares with another.
enum class Order { shorter, undecided, longer };

/// Times to be ranked, in the order of measurement.
struct RankedTimes {
    std::vector<double> times = {};
    /// Lists of one benchmark were taken in rounds, lists of different ones apart.
    std::size_t benchmark = 0;
};

/// Range of possible ranks of a variant; 1 is the fastest. Variants that are significantly slower come after
/// it, and variants that are significantly faster before it. It is tied with the others.
struct Rank {
    std::size_t first, last;
};

/// The orders of all pairs of several lists of times. Among lists that differ only by chance between the
/// rounds, at most one order in a hundred is called significant, however few runs there are. What stays the
/// same in all rounds of a process, such as the addresses of buffers, is not chance: the more rounds there
/// are, the more surely it gives an order, which another process may reverse. An order is significant if
///  - chance alone would give it, or the opposite one, in at most one case of a hundred, by the test named at
///    RatioInterval, for all orders of these lists together (Holm's correction),
///  - and the medians differ by at least 3 % within one benchmark, which leaves out the smallest of these
///    constant effects, but not all; by at least a factor of 2 between benchmarks, a difference
///    that a machine disturbed for longer than a benchmark can cause (docs/benchmarks.md).
class Orders {
  public:
    explicit Orders(const std::vector<RankedTimes>& lists);

    /// The order of list `b` compared with `a`; undecided if one of them is empty.
    Order of(std::size_t a, std::size_t b) const { return orders_.at(a * lists_ + b); }
    /// Empty lists have no rank ({0, 0}) and are not counted.
    std::vector<Rank> ranks() const;

  private:
    std::size_t lists_;
    std::vector<bool> there_;
    std::vector<Order> orders_;  ///< [a][b]
};

/// The order of `after` compared with `before`, where nothing else is ranked.
Order order_of(std::span<const double> before, std::span<const double> after, Taken taken = Taken::in_rounds);

/// The ranks of lists of one benchmark.
std::vector<Rank> ranks_of(const std::vector<std::vector<double>>& times);

}  // namespace ks
