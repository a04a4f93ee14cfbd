#include "core/xpcs/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/pairs/direct_estimate.h"
#include "core/xpcs/pairs/kept_pairs.h"
#include "core/xpcs/reference.h"
#include "core/xpcs/repeats/average.h"

namespace ks::xpcs {
namespace {

/// Collects the differences of single values for a verdict.
class Comparison {
  public:
    explicit Comparison(const Variant& variant)
        : variant_(variant),
          g2_tolerance_(tolerance_of("g2", 1e-6)),
          err_tolerance_(tolerance_of("g2_err", 1e-5)),
          two_time_tolerance_(tolerance_of("two_time", 1e-6)) {}

    void g2(double found, double expected, std::size_t label, std::size_t delay) {
        compare(found, expected, g2_tolerance_, 1e-12, {.dataset = "g2", .label = label, .delay = delay});
    }
    /// @param expected_g2 at the same position; @param terms number of pairs of used frames at this delay
    void g2_err(double found, double expected, double expected_g2, std::size_t terms, std::size_t label,
                std::size_t delay) {
        if (!computes("g2_err")) return;
        // The terms C of the deviation are only accurate to the tolerance of g2, and sums of (C-1)^2 are
        // rounded.
        const double spread = 0.01 + 0.1 * std::abs(expected_g2 - 1.0);
        const double floor =
            1e-12 + (terms > 1 ? g2_tolerance_ * spread / std::sqrt(static_cast<double>(terms)) : 0.0);
        compare(found, expected, err_tolerance_, floor,
                {.dataset = "g2_err", .label = label, .delay = delay});
    }
    /// A value of the map of bin `label`.
    void two_time(double found, double expected, std::size_t label, std::size_t t1, std::size_t t2) {
        compare(found, expected, two_time_tolerance_, 1e-12,
                {.dataset = "two_time", .label = label, .frames = std::pair(t1, t2)});
    }
    bool computes(const char* dataset) const { return variant_.computes(dataset); }
    /// Values of a dataset that the variant does not compute.
    void absent(const std::vector<double>& found, const char* dataset) {
        if (!std::ranges::all_of(found, [](double value) { return std::isnan(value); }))
            broken(fmt::format("{} has values, although {} does not compute it", dataset, variant_.id));
    }
    /// A sum over a pair of frames, which is exact if counts are whole.
    void product(double found, double expected, std::size_t label, std::size_t t1, std::size_t t2) {
        compare(found, expected, 1e-12, 1e-12,
                {.dataset = "pairs", .label = label, .frames = std::pair(t1, t2)});
    }
    /// Records a dataset that is missing or has another shape.
    void broken(const std::string& what) {
        if (failure_.empty()) failure_ = what;
    }

    std::uint64_t values() const { return values_; }
    Verdict verdict(bool sampled) const {
        Verdict verdict;
        verdict.samples = values_;
        verdict.worst_error = worst_error_;
        verdict.tolerance = worst_tolerance_;
        if (const std::optional<Place>& place = undefined_ ? undefined_ : worst_) {
            verdict.where = std::string(place->dataset) + ", " + place->text();
            verdict.place = place->numbers();
        }
        if (!failure_.empty()) {
            verdict.state = Verdict::State::fail;
            verdict.text = failure_;
        } else if (worst_ratio_ > 1) {
            verdict.state = Verdict::State::fail;
            verdict.text = fmt::format(
                "{} deviates by {:.2g} from the double-precision reference (tolerance {:.2g}) at {}",
                worst_->dataset, worst_error_, worst_tolerance_, worst_->text());
        } else if (values_ == 0) {
            verdict.state = Verdict::State::unchecked;
            verdict.text = "no value could be recomputed within the time for a sample";
        } else {
            verdict.state = sampled ? Verdict::State::sampled : Verdict::State::pass;
            const std::string kind = sampled ? "pass on " + count_text(values_, "sampled value") : "pass";
            verdict.text =
                !worst_
                    ? kind + ": every value is undefined, as in the double-precision reference"
                    : fmt::format("{}: {} is within {:.2g} of the double-precision reference (worst at {})",
                                  kind, worst_->dataset, worst_error_, worst_->text());
        }
        return verdict;
    }

  private:
    /// Position of a value in a dataset: a delay, or two frames.
    struct Place {
        const char* dataset;
        std::size_t label;
        std::size_t delay = 0;
        std::optional<std::pair<std::size_t, std::size_t>> frames = {};

        std::string text() const {
            return frames ? fmt::format("frames {} and {}", frames->first, frames->second)
                          : fmt::format("bin {}, delay {}", label, delay);
        }
        VerdictPlace numbers() const {
            if (frames) return {{"bin", label}, {"frame_1", frames->first}, {"frame_2", frames->second}};
            return {{"bin", label}, {"delay", delay}};
        }
    };
    void compare(double found, double expected, double tolerance, double floor, const Place& place) {
        ++values_;
        if (std::isnan(expected) && std::isnan(found)) return;
        if (!std::isfinite(found) || std::isnan(expected)) {
            broken(fmt::format("{} is {}, but the reference is {} (at {})", place.dataset, found, expected,
                               place.text()));
            if (!undefined_) undefined_ = place;
            return;
        }
        // Within `floor` a difference is taken relative to a reference of floor / tolerance.
        const double error = std::abs(found - expected) / std::max(std::abs(expected), floor / tolerance);
        if (error / tolerance <= worst_ratio_) return;
        worst_ratio_ = error / tolerance;
        worst_error_ = error;
        worst_tolerance_ = tolerance;
        worst_ = place;
    }
    double tolerance_of(const std::string& dataset, double standard) const {
        for (const auto& [name, tolerance] : variant_.tolerances)
            if (name == dataset) return tolerance;
        return standard;
    }

    const Variant& variant_;
    double g2_tolerance_, err_tolerance_, two_time_tolerance_;
    std::uint64_t values_ = 0;
    double worst_ratio_ = -1;                 ///< error over tolerance
    std::optional<Place> worst_, undefined_;  ///< undefined_: the first position with an undefined error
    double worst_error_ = 0, worst_tolerance_ = 0;
    std::string failure_;
};

constexpr std::size_t wanted_samples = 200;
/// Multiply-adds of a sample: under a second on one core.
constexpr double sample_operations = 4e8;
constexpr std::uint64_t sample_bytes = std::uint64_t{512} << 20;

/// The values of a run, with checked shapes.
struct Found {
    std::vector<double> g2, g2_err, two_time;
};

std::vector<double> values_of(const Run& run, const char* name, const std::vector<std::size_t>& shape,
                              Comparison& comparison) {
    const Dataset* dataset = run.result.find(name);
    if (dataset != nullptr && dataset->values.shape() == shape) return dataset->values.to_doubles();
    comparison.broken(fmt::format("the run has no dataset {} with the expected shape", name));
    return {};
}

/// Counts of one bin [t][pixel], summed in plain loops.
template <class T>
class DirectBin {
  public:
    DirectBin(const CorrelationProblem& problem, std::size_t bin)
        : problem_(problem),
          pixels_(problem.partition().bin_size(bin)),
          frames_(problem.frames()),
          counts_(pixels_ * frames_) {
        problem.gather<T>(bin, bin + 1, 0, frames_, 1, counts_.data());
        sums_.reserve(frames_);
        for (std::size_t t = 0; t < frames_; ++t) {
            Sum sum = 0;
            for (std::size_t i = 0; i < pixels_; ++i) sum += static_cast<Sum>(counts_[t * pixels_ + i]);
            sums_.push_back(static_cast<double>(sum));
        }
    }

    double g(std::size_t t1, std::size_t t2) const {
        Sum sum = 0;
        for (std::size_t i = 0; i < pixels_; ++i)
            sum += static_cast<Sum>(counts_[t1 * pixels_ + i]) * static_cast<Sum>(counts_[t2 * pixels_ + i]);
        return static_cast<double>(sum);
    }
    double c(std::size_t t1, std::size_t t2) const {
        if (!problem_.used(t1) || !problem_.used(t2)) return nan_value;
        const double ss = sums_[t1] * sums_[t2];
        return ss == 0 ? nan_value : static_cast<double>(pixels_) * g(t1, t2) / ss;
    }
    /// g2 and its error.
    std::pair<double, double> at(std::size_t delay) const {
        double sum_g = 0, sum_ss = 0;
        std::vector<double> terms;
        for (std::size_t t = 0; t + delay < frames_; ++t) {
            if (!problem_.used(t) || !problem_.used(t + delay)) continue;
            const double product = g(t, t + delay), ss = sums_[t] * sums_[t + delay];
            sum_g += product;
            sum_ss += ss / static_cast<double>(pixels_);
            if (ss != 0) terms.push_back(static_cast<double>(pixels_) * product / ss);
        }
        const double g2 = sum_ss == 0 ? nan_value : sum_g / sum_ss;
        if (terms.empty()) return {g2, nan_value};
        double mean = 0, variance = 0;
        for (const double term : terms) mean += term / static_cast<double>(terms.size());
        for (const double term : terms) variance += (term - mean) * (term - mean);
        return {g2, std::sqrt(variance) / static_cast<double>(terms.size())};
    }

  private:
    using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
    const CorrelationProblem& problem_;
    std::size_t pixels_, frames_;
    std::vector<T> counts_;
    std::vector<double> sums_;
};

/// Delays to recompute, per bin, each once. The same problem gives the same delays.
std::map<std::size_t, std::set<std::size_t>> choose_samples(const CorrelationProblem& problem,
                                                            double operations) {
    std::mt19937_64 random(20240229);
    const QPartition& partition = problem.partition();
    const std::size_t frames = problem.frames();
    // If frames are not in memory, each bin needs a pass over the file.
    std::vector<std::size_t> bins;
    for (std::size_t i = 0; i < (problem.resident().empty() ? 2U : 4U * partition.bins()); ++i) {
        const std::size_t bin = random() % partition.bins();
        if (std::uint64_t{partition.bin_size(bin)} * frames * size_of(problem.compact()) <= sample_bytes)
            bins.push_back(bin);
    }
    std::map<std::size_t, std::set<std::size_t>> samples;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < 20 * wanted_samples && taken < wanted_samples && !bins.empty(); ++i) {
        const std::size_t bin = bins[random() % bins.size()], delay = random() % problem.delays();
        const auto chosen = samples.find(bin);
        if (chosen != samples.end() && chosen->second.contains(delay)) continue;
        const double pixels = static_cast<double>(partition.bin_size(bin));
        double cost = pixels * static_cast<double>(frames - delay);
        // The first sample of a bin includes the cost of gathering it.
        if (chosen == samples.end()) cost += pixels * static_cast<double>(frames);
        if (cost > operations) continue;
        operations -= cost;
        samples[bin].insert(delay);
        ++taken;
    }
    return samples;
}

template <class T>
void sample_as(const CorrelationProblem& problem, const Found& found, Comparison& comparison,
               Progress& progress) {
    const std::size_t all_delays = problem.delays();
    const std::vector<std::size_t> pairs = problem.pairs();
    double done = 0;
    const auto samples =
        choose_samples(problem, sample_operations / DirectEstimate::passes(problem.estimate));
    for (const auto& [bin, delays] : samples) {
        progress.report(done++ / static_cast<double>(samples.size()), "check");
        const bool empty = problem.partition().bin_size(bin) == 0;
        const bool published = problem.estimate == Estimate{};
        std::unique_ptr<DirectBin<T>> direct;
        std::unique_ptr<DirectEstimate> estimate;
        if (!empty && published) direct = std::make_unique<DirectBin<T>>(problem, bin);
        if (!empty && !published) estimate = std::make_unique<DirectEstimate>(problem, bin);
        for (const std::size_t delay : delays) {
            const auto [g2, error] = empty       ? std::pair(nan_value, nan_value)
                                     : published ? direct->at(delay)
                                                 : estimate->at(delay);
            comparison.g2(found.g2[bin * all_delays + delay], g2, bin + 1, delay);
            comparison.g2_err(found.g2_err[bin * all_delays + delay], error, g2, pairs[delay], bin + 1,
                              delay);
        }
    }
}

/// Some values of the two-time map.
template <class T>
void sample_map(const CorrelationProblem& problem, const Found& found, Comparison& comparison) {
    const std::size_t frames = problem.frames(), map_bin = problem.two_time_bin();
    if (found.two_time.empty()) return;
    const std::size_t pixels = problem.partition().bin_size(map_bin - 1);
    if (std::uint64_t{pixels} * frames * sizeof(T) > sample_bytes) return;
    const DirectBin<T> direct(problem, map_bin - 1);
    std::mt19937_64 random(20240301);
    const double maximum = sample_operations / std::max(1.0, static_cast<double>(pixels));
    std::set<std::pair<std::size_t, std::size_t>> compared;
    for (std::size_t i = 0; i < 20 * wanted_samples && compared.size() < wanted_samples &&
                            static_cast<double>(compared.size()) < maximum;
         ++i) {
        const std::size_t t1 = random() % frames, t2 = random() % frames;
        if (!compared.emplace(t1, t2).second) continue;
        const bool wanted = std::max(t1, t2) - std::min(t1, t2) < problem.delays();
        comparison.two_time(found.two_time[t1 * frames + t2], wanted ? direct.c(t1, t2) : nan_value, map_bin,
                            t1, t2);
    }
}

/// Compares some of the pairs that a run keeps.
template <class T>
void sample_pairs(const CorrelationProblem& problem, const Run& run, Comparison& comparison) {
    const KeptPairs kept = pairs_in(run.result);
    const std::size_t frames = problem.frames(), bins = problem.partition().bins();
    if (kept.bins.size() != bins || kept.used.size() != frames)
        return comparison.broken("the run has not kept the pairs of all bins and frames");
    std::mt19937_64 random(20240302);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t pixels = problem.partition().bin_size(bin);
        if (pixels != kept.bins[bin].pixels())
            return comparison.broken(fmt::format("the pairs of bin {} are those of {} pixels, but it has {}",
                                                 bin + 1, kept.bins[bin].pixels(), pixels));
        if (pixels == 0 || std::uint64_t{pixels} * frames * sizeof(T) > sample_bytes) continue;
        const DirectBin<T> direct(problem, bin);
        for (std::size_t i = 0; i < wanted_samples / bins + 1; ++i) {
            const std::size_t t = random() % frames;
            const std::size_t delay = random() % std::min(kept.bins[bin].delays(), frames - t);
            comparison.product(kept.bins[bin].product(t, delay), direct.g(t, t + delay), bin + 1, t,
                               t + delay);
        }
        if (problem.resident().empty()) return;  // each bin needs a pass over the file
    }
}

/// All values by DirectEstimate, without a two-time map.
Correlation directly(const CorrelationProblem& problem, Progress& progress) {
    Correlation all;
    all.bins = problem.partition().bins();
    all.frames = problem.frames();
    all.g2.assign(all.bins * all.frames, nan_value);
    all.g2_err = all.g2;
    for (std::size_t bin = 0; bin < all.bins; ++bin) {
        progress.report(static_cast<double>(bin) / static_cast<double>(all.bins), "check");
        if (problem.partition().bin_size(bin) == 0) continue;
        const DirectEstimate estimate(problem, bin);
        parallel_for(problem.delays(), compute_threads(), progress, [&](std::size_t delay) {
            const std::pair<double, double> found = estimate.at(delay);
            all.g2[bin * all.frames + delay] = found.first;
            all.g2_err[bin * all.frames + delay] = found.second;
        });
    }
    return all;
}

/// A delay of multi-tau: frames are summed in groups of `together`, and sums are `steps` apart.
struct AveragedDelay {
    std::size_t together, steps;
    std::size_t frames() const { return together * steps; }
};

/// The delays of multi-tau by its definition: at level l, frames are summed in twos l times.
std::vector<AveragedDelay> averaged_delays(const CorrelationProblem& problem, const MultiTau& averaging) {
    std::vector<AveragedDelay> all;
    for (std::size_t level = 0, together = 1; level < averaging.levels; ++level, together *= 2)
        for (std::size_t steps = level == 0 ? 0 : averaging.channels / 2; steps < averaging.channels; ++steps)
            if (steps * together < problem.delays() && (steps + 1) * together <= problem.frames())
                all.push_back({together, steps});
    return all;
}

/// Sums of `together` frames of a bin.
struct SummedFrames {
    std::size_t pixels, count;
    std::vector<double> sums;    ///< [sum][pixel]
    std::vector<double> totals;  ///< of each sum; NaN where a frame is left out
};

/// @param counts [frame][pixel]
template <class T>
SummedFrames summed(const CorrelationProblem& problem, const std::vector<T>& counts, std::size_t pixels,
                    std::size_t together) {
    const std::size_t n = problem.frames() / together;
    SummedFrames all{pixels, n, std::vector<double>(n * pixels, 0), std::vector<double>(n, 0)};
    for (std::size_t t = 0; t < n * together; ++t) {
        const std::size_t s = t / together;
        if (!problem.used(t)) all.totals[s] = nan_value;
        for (std::size_t p = 0; p < pixels; ++p) {
            const auto count = static_cast<double>(counts[t * pixels + p]);
            all.sums[s * pixels + p] += count;
            all.totals[s] += count;
        }
    }
    return all;
}

struct AveragedPoint {
    double g2, error;
    std::size_t terms;
};

/// g2 and its error of sums that are `steps` apart, in plain loops.
AveragedPoint averaged_point(const SummedFrames& all, std::size_t steps) {
    const auto pixels = static_cast<double>(all.pixels);
    double sum_g = 0, sum_ss = 0;
    std::vector<double> terms;
    for (std::size_t s = 0; all.pixels > 0 && s + steps < all.count; ++s) {
        const double ss = all.totals[s] * all.totals[s + steps];
        if (std::isnan(ss)) continue;
        double g = 0;
        for (std::size_t p = 0; p < all.pixels; ++p)
            g += all.sums[s * all.pixels + p] * all.sums[(s + steps) * all.pixels + p];
        sum_g += g;
        sum_ss += ss / pixels;
        if (ss != 0) terms.push_back(pixels * g / ss);
    }
    double mean = 0, variance = 0;
    for (const double term : terms) mean += term / static_cast<double>(terms.size());
    for (const double term : terms) variance += (term - mean) * (term - mean);
    return {sum_ss == 0 ? nan_value : sum_g / sum_ss,
            terms.empty() ? nan_value : std::sqrt(variance) / static_cast<double>(terms.size()),
            terms.size()};
}

template <class T>
void compare_averaged(const CorrelationProblem& problem, const Run& run, CheckMode mode, const Found& found,
                      Comparison& comparison, Progress& progress) {
    const MultiTau averaging = *MultiTau::of(run.result);
    const std::vector<double> axis = delays_of(run.result);
    const std::vector<AveragedDelay> expected = averaged_delays(problem, averaging);
    const bool same = std::ranges::equal(axis, expected, [](double found_delay, const AveragedDelay& delay) {
        return found_delay == static_cast<double>(delay.frames());
    });
    if (!same) {
        comparison.broken("the delays are not those of multi-tau with these levels and channels");
        return;
    }
    const std::size_t bins = problem.partition().bins(), frames = problem.frames();
    double left = mode == CheckMode::full ? std::numeric_limits<double>::infinity() : sample_operations;
    for (std::size_t i = 0; i < bins; ++i) {
        // Of a sample, the bins in an order that does not favour the first.
        const std::size_t bin = mode == CheckMode::full ? i : (i * 7919 + 5) % bins;
        const std::size_t pixels = problem.partition().bin_size(bin);
        progress.report(static_cast<double>(i) / static_cast<double>(bins), "check");
        const double cost = static_cast<double>(pixels) * static_cast<double>(frames) *
                            (static_cast<double>(averaging.channels) + 2.0);
        if (cost > left ||
            (mode != CheckMode::full && std::uint64_t{pixels} * frames * sizeof(double) > sample_bytes))
            continue;
        left -= cost;
        std::vector<T> counts(pixels * frames);
        if (pixels > 0) problem.gather<T>(bin, bin + 1, 0, frames, 1, counts.data());
        std::optional<SummedFrames> level;
        for (std::size_t point = 0; point < expected.size(); ++point) {
            const AveragedDelay& delay = expected[point];
            if (point == 0 || delay.together != expected[point - 1].together)
                level = summed(problem, counts, pixels, delay.together);
            const AveragedPoint value = averaged_point(*level, delay.steps);
            const std::size_t at = bin * expected.size() + point;
            comparison.g2(found.g2[at], value.g2, bin + 1, delay.frames());
            comparison.g2_err(found.g2_err[at], value.error, value.g2, value.terms, bin + 1, delay.frames());
        }
    }
    progress.report(1, "check");
}

/// Whether the delays of a run are the means of those of the points.
bool has_mean_delays(const Run& run, const Rebinning& rebinning, const std::vector<std::size_t>& pairs) {
    const std::vector<DelayRange> points = rebinning.points();
    const std::vector<double> axis = delays_of(run.result);
    if (axis.size() != points.size()) return false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double sum = 0, all = 0;
        for (std::size_t delay = points[i].begin; delay < points[i].end; ++delay) {
            sum += static_cast<double>(pairs[delay] * delay);
            all += static_cast<double>(pairs[delay]);
        }
        if (all > 0 && std::abs(axis[i] - sum / all) > 1e-9 * axis[i]) return false;
    }
    return true;
}

/// A point of a rebinned curve: means over its delays, weighted by pairs. @param at g2 and its error at a
/// delay
template <class At>
void compare_point(const DelayRange& point, const std::vector<std::size_t>& pairs, double found_g2,
                   double found_error, std::size_t label, Comparison& comparison, const At& at) {
    double g2 = 0, error = 0, of_g2 = 0, of_error = 0;
    std::size_t terms = 0;
    for (std::size_t delay = point.begin; delay < point.end; ++delay) {
        const std::pair<double, double> one = at(delay);
        const auto weight = static_cast<double>(pairs[delay]);
        terms += pairs[delay];
        if (!std::isnan(one.first)) {
            g2 += weight * one.first;
            of_g2 += weight;
        }
        if (!std::isnan(one.second)) {
            error += weight * one.second;
            of_error += weight;
        }
    }
    g2 = of_g2 > 0 ? g2 / of_g2 : nan_value;
    comparison.g2(found_g2, g2, label, point.begin);
    comparison.g2_err(found_error, of_error > 0 ? error / of_error : nan_value, g2, terms, label,
                      point.begin);
}

template <class T>
void sample_rebinned(const CorrelationProblem& problem, const Rebinning& rebinning, const Found& found,
                     Comparison& comparison, Progress& progress) {
    const std::vector<DelayRange> points = rebinning.points();
    const std::vector<std::size_t> pairs = problem.pairs();
    const std::size_t bins = problem.partition().bins(), frames = problem.frames();
    double left = sample_operations / DirectEstimate::passes(problem.estimate);
    std::mt19937_64 random(20240303);
    for (std::size_t i = 0; i < std::min<std::size_t>(bins, problem.resident().empty() ? 2 : 20); ++i) {
        // In an order that does not favour the first bins.
        const std::size_t bin = (i * 7919 + 5) % bins, pixels = problem.partition().bin_size(bin);
        progress.report(static_cast<double>(i) / static_cast<double>(bins), "check");
        if (std::uint64_t{pixels} * frames * sizeof(double) > sample_bytes) continue;
        const bool published = problem.estimate == Estimate{};
        std::unique_ptr<DirectBin<T>> direct;
        std::unique_ptr<DirectEstimate> estimate;
        if (pixels > 0 && published) direct = std::make_unique<DirectBin<T>>(problem, bin);
        if (pixels > 0 && !published) estimate = std::make_unique<DirectEstimate>(problem, bin);
        for (std::size_t k = 0; k < 10; ++k) {
            const std::size_t index = random() % points.size();
            double cost = 0;
            for (std::size_t delay = points[index].begin; delay < points[index].end; ++delay)
                cost += static_cast<double>(pixels) * static_cast<double>(frames - delay);
            if (cost > left) continue;
            left -= cost;
            const std::size_t position = bin * points.size() + index;
            compare_point(points[index], pairs, found.g2[position], found.g2_err[position], bin + 1,
                          comparison, [&](std::size_t delay) {
                              return pixels == 0 ? std::pair(nan_value, nan_value)
                                     : published ? direct->at(delay)
                                                 : estimate->at(delay);
                          });
        }
    }
}

void compare_all(const CorrelationProblem& problem, const Found& found, Comparison& comparison,
                 Progress& progress) {
    std::vector<Timing> timings;
    const Correlation reference = correlate_reference(
        problem, compute_threads(), std::numeric_limits<std::uint64_t>::max(), progress, timings);
    const std::size_t frames = problem.frames(), delays = problem.delays();
    const std::vector<std::size_t> pairs = problem.pairs();
    const Correlation expected = problem.estimate == Estimate{} ? reference : directly(problem, progress);
    if (problem.rebin) {
        const std::vector<DelayRange> points = Rebinning{*problem.rebin, delays}.points();
        for (std::size_t i = 0; i < found.g2.size(); ++i) {
            const std::size_t bin = i / points.size();
            compare_point(points[i % points.size()], pairs, found.g2[i], found.g2_err[i], bin + 1, comparison,
                          [&](std::size_t delay) {
                              const std::size_t at = bin * frames + delay;
                              return std::pair(expected.g2[at], expected.g2_err[at]);
                          });
        }
    }
    for (std::size_t i = 0; i < found.g2.size() && !problem.rebin; ++i) {
        const std::size_t bin = i / delays, delay = i % delays, at = bin * frames + delay;
        comparison.g2(found.g2[i], expected.g2[at], bin + 1, delay);
        comparison.g2_err(found.g2_err[i], expected.g2_err[at], expected.g2[at], pairs[delay], bin + 1,
                          delay);
    }
    for (std::size_t i = 0; i < found.two_time.size(); ++i)
        comparison.two_time(found.two_time[i], reference.two_time[i], problem.two_time_bin(), i / frames,
                            i % frames);
}

}  // namespace

Verdict check_correlation(const CorrelationProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress) {
    if (mode == CheckMode::none) return {};
    // The frames of the request are those of the first repeat.
    if (const std::optional<Run> first = repeat_of(run, 0))
        return check_correlation(problem, *first, mode, progress);
    Comparison comparison(run.variant);
    const std::size_t bins = problem.partition().bins(), frames = problem.frames();
    const bool averaged = MultiTau::of(run.result).has_value();
    const std::optional<Rebinning> rebinning =
        problem.rebin && !averaged ? std::optional(Rebinning{*problem.rebin, problem.delays()})
                                   : std::nullopt;
    const std::size_t delays = averaged    ? delays_of(run.result).size()
                               : rebinning ? rebinning->points().size()
                                           : problem.delays();
    // the published kernels compute no map, which their result reports
    const bool maps = problem.two_time_bin() > 0 && run.result.find("two_time") != nullptr;
    Found found{values_of(run, "g2", {bins, delays}, comparison),
                values_of(run, "g2_err", {bins, delays}, comparison),
                maps ? values_of(run, "two_time", {frames, frames}, comparison) : std::vector<double>{}};
    const bool whole = found.g2.size() == bins * delays && found.g2_err.size() == bins * delays &&
                       (!maps || found.two_time.size() == frames * frames);
    if (!whole) return comparison.verdict(false);
    if (!comparison.computes("g2_err")) comparison.absent(found.g2_err, "g2_err");
    if (rebinning && !has_mean_delays(run, *rebinning, problem.pairs()))
        comparison.broken("the delays are not the means of those that were averaged");
    if (averaged) {
        visit_element(problem.compact(), [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_unsigned_v<T> && sizeof(T) <= 4)
                compare_averaged<T>(problem, run, mode, found, comparison, progress);
            else
                compare_averaged<float>(problem, run, mode, found, comparison, progress);
        });
        return comparison.verdict(mode != CheckMode::full);
    }
    if (mode == CheckMode::full) compare_all(problem, found, comparison, progress);
    const auto sample = [&]<class T>(T) {
        if (mode == CheckMode::sample && rebinning)
            sample_rebinned<T>(problem, *rebinning, found, comparison, progress);
        else if (mode == CheckMode::sample)
            sample_as<T>(problem, found, comparison, progress);
        if (mode == CheckMode::sample) sample_map<T>(problem, found, comparison);
        if (problem.keep_pairs) sample_pairs<T>(problem, run, comparison);
    };
    visit_element(problem.compact(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_unsigned_v<T> && sizeof(T) <= 4)
            sample(zero);
        else
            sample(float{});
    });
    progress.report(1, "check");
    return comparison.verdict(mode == CheckMode::sample);
}

}  // namespace ks::xpcs
