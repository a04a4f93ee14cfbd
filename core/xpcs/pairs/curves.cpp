#include "core/xpcs/pairs/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <variant>

#include "core/base/error.h"
#include "core/base/parallel.h"

namespace ks::xpcs {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// The sums of all pairs of used frames at one delay, in the order of time.
struct Diagonal {
    double pixels = 0;
    double all_products = 0;                      ///< their sum, exact for whole counts before it is rounded
    std::vector<double> products, first, second;  ///< G, S(t), S(t + delay)

    Diagonal(const BinPairs& bin, const std::vector<bool>& used, std::size_t delay)
        : pixels(static_cast<double>(bin.pixels())) {
        std::visit(
            [&](const auto& of) {
                using Product = typename std::decay_t<decltype(of)>::value_type;
                using Sum = std::conditional_t<std::is_integral_v<Product>, std::uint64_t, double>;
                Sum sum = 0;
                for (std::size_t t = 0; t + delay < bin.frames(); ++t) {
                    if (!used[t] || !used[t + delay]) continue;
                    const Product product = of[bin.row(t) + delay];
                    sum += product;
                    products.push_back(static_cast<double>(product));
                }
                all_products = static_cast<double>(sum);
            },
            bin.products());
        std::visit(
            [&](const auto& of) {
                for (std::size_t t = 0; t + delay < bin.frames(); ++t) {
                    if (!used[t] || !used[t + delay]) continue;
                    first.push_back(static_cast<double>(of[t]));
                    second.push_back(static_cast<double>(of[t + delay]));
                }
            },
            bin.sums());
    }
    std::size_t size() const { return products.size(); }
    double count() const { return static_cast<double>(size()); }
    /// C of a pair; NaN where its denominator is 0.
    double ratio(std::size_t i) const {
        const double denominator = first[i] * second[i];
        return denominator == 0 ? undefined : pixels * products[i] / denominator;
    }
    double denominators() const {
        double sum = 0;
        for (std::size_t i = 0; i < size(); ++i) sum += first[i] * second[i] / pixels;
        return sum;
    }
};

double quotient(double numerator, double denominator) {
    return denominator == 0 ? undefined : numerator / denominator;
}

double mean_of(std::span<const double> values) {
    return quotient(std::accumulate(values.begin(), values.end(), 0.0), static_cast<double>(values.size()));
}

/// The C of all pairs that have one.
std::vector<double> ratios_of(const Diagonal& diagonal) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        if (const double ratio = diagonal.ratio(i); !std::isnan(ratio)) ratios.push_back(ratio);
    return ratios;
}

double symmetric_of(const Diagonal& diagonal) {
    const double first = std::accumulate(diagonal.first.begin(), diagonal.first.end(), 0.0);
    const double second = std::accumulate(diagonal.second.begin(), diagonal.second.end(), 0.0);
    return quotient(diagonal.count() * diagonal.pixels * diagonal.all_products, first * second);
}

double value_of(std::span<const Diagonal> bins, Estimator estimator) {
    switch (estimator) {
        case Estimator::ratio:
            return quotient(bins[0].all_products, bins[0].denominators());
        case Estimator::mean_of_ratios:
            return mean_of(ratios_of(bins[0]));
        case Estimator::symmetric:
            return symmetric_of(bins[0]);
        case Estimator::two_level:
            break;
    }
    std::vector<double> values;
    for (const Diagonal& bin : bins)
        if (const double value = symmetric_of(bin); !std::isnan(value)) values.push_back(value);
    return mean_of(values);
}

/// Per pair, how much it moves the symmetric estimate: the linear term of g2 in G, S(t) and S(t + delay).
void add_symmetric_deviations(const Diagonal& diagonal, double weight, std::vector<double>& deviations) {
    const double g2 = symmetric_of(diagonal);
    const double first = mean_of(diagonal.first), second = mean_of(diagonal.second);
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        deviations[i] += weight * (diagonal.pixels * diagonal.products[i] / (first * second) -
                                   g2 * (diagonal.first[i] / first + diagonal.second[i] / second - 1));
}

/// Per pair, its contribution to g2 minus the mean; their mean is 0.
std::vector<double> deviations_of(std::span<const Diagonal> bins, Estimator estimator) {
    const Diagonal& bin = bins[0];
    std::vector<double> deviations;
    if (estimator == Estimator::ratio) {
        const double denominators = bin.denominators(), g2 = quotient(bin.all_products, denominators);
        for (std::size_t i = 0; i < bin.size(); ++i)
            deviations.push_back((bin.products[i] - g2 * bin.first[i] * bin.second[i] / bin.pixels) *
                                 bin.count() / denominators);
    } else if (estimator == Estimator::mean_of_ratios) {
        deviations = ratios_of(bin);
        const double mean = mean_of(deviations);
        for (double& value : deviations) value -= mean;
    } else {
        std::vector<const Diagonal*> defined;
        for (const Diagonal& one : bins)
            if (!std::isnan(symmetric_of(one))) defined.push_back(&one);
        deviations.assign(bin.size(), 0);
        for (const Diagonal* one : defined)
            add_symmetric_deviations(*one, 1 / static_cast<double>(defined.size()), deviations);
        if (defined.empty()) deviations.clear();
    }
    return deviations;
}

/// Standard deviation (ddof 0) of C over the pairs / root of their number. For static bins, C is their mean.
double published_error(std::span<const Diagonal> bins) {
    std::vector<double> ratios;
    if (bins.size() == 1) {
        ratios = ratios_of(bins[0]);
    } else {
        for (std::size_t i = 0; i < bins[0].size(); ++i) {
            std::vector<double> of_pair;
            for (const Diagonal& bin : bins)
                if (const double ratio = bin.ratio(i); !std::isnan(ratio)) of_pair.push_back(ratio);
            if (!of_pair.empty()) ratios.push_back(mean_of(of_pair));
        }
    }
    if (ratios.empty()) return undefined;
    const double mean = mean_of(ratios);
    double squares = 0;
    for (const double ratio : ratios) squares += (ratio - mean) * (ratio - mean);
    const auto count = static_cast<double>(ratios.size());
    return std::sqrt(squares / count) / std::sqrt(count);
}

/// Number of pairs of a block, from the changes of g2 at delay 1, where shot noise of a frame with itself has
/// no part.
std::size_t block_of(std::span<const BinPairs> bins, Estimator estimator, const std::vector<bool>& used) {
    std::vector<Diagonal> at;
    for (const BinPairs& bin : bins) at.emplace_back(bin, used, bin.delays() > 1 ? 1 : 0);
    return block_length(deviations_of(at, estimator));
}

double error_of(std::span<const Diagonal> bins, const Estimate& estimate, std::size_t block) {
    switch (estimate.errors) {
        case ErrorMethod::published:
            return published_error(bins);
        case ErrorMethod::bootstrap: {
            const std::vector<double> deviations = deviations_of(bins, estimate.estimator);
            return bootstrap_error(deviations,
                                   std::min(block, std::max<std::size_t>(1, deviations.size() / 4)));
        }
        case ErrorMethod::pixels:
        case ErrorMethod::jackknife:
            break;
    }
    if (estimate.estimator != Estimator::two_level) return undefined;
    std::vector<double> values;
    for (const Diagonal& bin : bins)
        if (const double value = symmetric_of(bin); !std::isnan(value)) values.push_back(value);
    return standard_error(values);  // for a mean, that of the jackknife is the same
}

template <class Take>
void for_delays(std::span<const BinPairs> bins, const std::vector<bool>& used, std::size_t delays,
                const Workers& workers, const Take& take) {
    constexpr std::size_t at_once = 8;
    parallel_for((delays + at_once - 1) / at_once, workers.threads, workers.progress, [&](std::size_t chunk) {
        for (std::size_t delay = chunk * at_once; delay < std::min(delays, (chunk + 1) * at_once); ++delay) {
            std::vector<Diagonal> diagonals;
            for (const BinPairs& bin : bins) diagonals.emplace_back(bin, used, delay);
            take(delay, diagonals);
        }
    });
}

}  // namespace

std::size_t block_length(std::span<const double> series) {
    const std::size_t n = series.size(), most = std::max<std::size_t>(1, n / 4);
    if (n == 0) return 1;
    const double mean = mean_of(series);
    double variance = 0, correlated = 0;
    for (const double value : series) variance += (value - mean) * (value - mean);
    if (!(variance > 0)) return std::min(most, static_cast<std::size_t>(std::ceil(std::sqrt(n))));
    // Sum of correlations until the first that is not positive.
    for (std::size_t lag = 1; lag < most; ++lag) {
        double sum = 0;
        for (std::size_t i = 0; i + lag < n; ++i) sum += (series[i] - mean) * (series[i + lag] - mean);
        if (!(sum > 0)) break;
        correlated += sum / variance;
    }
    const double wanted = std::max(4 * (1 + 2 * correlated), std::sqrt(static_cast<double>(n)));
    return static_cast<std::size_t>(std::min(std::ceil(wanted), static_cast<double>(most)));
}

double bootstrap_error(std::span<const double> deviations, std::size_t length) {
    const std::size_t n = deviations.size();
    if (n < 2 || length == 0 || length > n) return undefined;
    // A pivot keeps the sums of a window small.
    const double pivot = mean_of(deviations);
    double window = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < length; ++i) window += deviations[i] - pivot;
    const std::size_t blocks = n - length + 1;
    for (std::size_t i = 0; i < blocks; ++i) {
        if (i > 0) window += deviations[i + length - 1] - deviations[i - 1];
        const double mean = window / static_cast<double>(length);
        sum += mean;
        squares += mean * mean;
    }
    if (!std::isfinite(squares)) return undefined;
    const auto count = static_cast<double>(blocks);
    const double variance = std::max(0.0, squares / count - (sum / count) * (sum / count));
    return std::sqrt(variance * static_cast<double>(length) / static_cast<double>(n));
}

double standard_error(std::span<const double> values) {
    if (values.size() < 2) return undefined;
    const auto n = static_cast<double>(values.size());
    const double mean = mean_of(values);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (n * (n - 1)));
}

double jackknife_error(std::span<const double> values) {
    return static_cast<double>(values.size() - 1) * standard_error(values);
}

std::vector<double> g2_of(std::span<const BinPairs> bins, Estimator estimator, const std::vector<bool>& used,
                          std::size_t delays, const Workers& workers) {
    std::vector<double> g2(delays, undefined);
    for_delays(bins, used, delays, workers, [&](std::size_t delay, const std::vector<Diagonal>& diagonals) {
        g2[delay] = value_of(diagonals, estimator);
    });
    return g2;
}

Curve curve_of(std::span<const BinPairs> bins, const Estimate& estimate, const std::vector<bool>& used,
               std::size_t delays, const Workers& workers) {
    Curve curve{std::vector<double>(delays, undefined), std::vector<double>(delays, undefined)};
    const std::size_t block =
        estimate.errors == ErrorMethod::bootstrap ? block_of(bins, estimate.estimator, used) : 1;
    for_delays(bins, used, delays, workers, [&](std::size_t delay, const std::vector<Diagonal>& diagonals) {
        curve.g2[delay] = value_of(diagonals, estimate.estimator);
        curve.error[delay] = error_of(diagonals, estimate, block);
    });
    return curve;
}

std::vector<double> two_time_of(const BinPairs& bin, const std::vector<bool>& used) {
    const std::size_t frames = bin.frames();
    std::vector<double> map(frames * frames, undefined);
    const auto pixels = static_cast<double>(bin.pixels());
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t delay = 0; delay < std::min(bin.delays(), frames - t); ++delay) {
            if (!used[t] || !used[t + delay]) continue;
            const double denominator = bin.sum(t) * bin.sum(t + delay);
            map[t * frames + t + delay] = map[(t + delay) * frames + t] =
                quotient(pixels * bin.product(t, delay), denominator);
        }
    return map;
}

std::vector<Curve> curves_of_parts(const BinPairs& bin, const Estimate& estimate,
                                   const std::vector<bool>& used, std::size_t parts, const Workers& workers) {
    const std::size_t length = parts == 0 ? 0 : bin.frames() / parts;
    if (length == 0) throw Error(ErrorKind::input, "the series has fewer frames than parts");
    std::vector<Curve> curves;
    for (std::size_t first = 0; curves.size() < parts; first += length) {
        const BinPairs part = bin.part(first, first + length);
        const std::vector<bool> of_part(used.begin() + static_cast<std::ptrdiff_t>(first),
                                        used.begin() + static_cast<std::ptrdiff_t>(first + length));
        curves.push_back(curve_of({&part, 1}, estimate, of_part, part.delays(), workers));
    }
    return curves;
}

}  // namespace ks::xpcs
