#include "core/xpcs/pairs/direct_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "core/xpcs/g2_fit.h"

namespace ks::xpcs {
namespace {

constexpr double not_defined = std::numeric_limits<double>::quiet_NaN();

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? not_defined : sum / static_cast<double>(values.size());
}

/// Mean square deviation from the mean.
double variance(const std::vector<double>& values) {
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    return sum / static_cast<double>(values.size());
}

}  // namespace

DirectEstimate::DirectEstimate(const CorrelationProblem& problem, std::size_t bin)
    : problem_(problem),
      n_(problem.partition().bin_size(bin)),
      frames_(problem.frames()),
      counts_(n_ * frames_) {
    problem.gather<double>(bin, bin + 1, 0, frames_, 1, counts_.data());
    std::map<std::int32_t, Pixels> by_label;
    const auto pixels = problem.partition().pixels().subspan(problem.partition().offsets()[bin], n_);
    for (std::size_t i = 0; i < n_; ++i)
        if (!problem.static_labels)
            by_label[1].push_back(i);
        else if (const std::int32_t label = (*problem.static_labels)[pixels[i]]; label > 0)
            by_label[label].push_back(i);
    for (auto& [label, some] : by_label) statics_.push_back(std::move(some));
}

double DirectEstimate::passes(const Estimate& estimate) {
    if (estimate == Estimate{}) return 1;
    constexpr double groups = 24;
    return estimate.errors == ErrorMethod::jackknife ? groups : 3;
}

std::vector<DirectEstimate::Pair> DirectEstimate::pairs(const Pixels& pixels, std::size_t delay) const {
    std::vector<Pair> all;
    for (std::size_t t = 0; t + delay < frames_; ++t) {
        if (!problem_.used(t) || !problem_.used(t + delay)) continue;
        Pair pair{0, 0, 0};
        for (const std::size_t i : pixels) {
            const double a = counts_[t * n_ + i], b = counts_[(t + delay) * n_ + i];
            pair.g += a * b;
            pair.s1 += a;
            pair.s2 += b;
        }
        all.push_back(pair);
    }
    return all;
}

double DirectEstimate::g2(const std::vector<Pair>& pairs, double n, Estimator estimator) {
    double above = 0, below = 0, s1 = 0, s2 = 0, ratios = 0;
    std::size_t terms = 0;
    for (const Pair& pair : pairs) {
        above += pair.g;
        below += pair.s1 * pair.s2 / n;
        s1 += pair.s1;
        s2 += pair.s2;
        if (pair.s1 * pair.s2 == 0) continue;
        ratios += n * pair.g / (pair.s1 * pair.s2);
        ++terms;
    }
    if (estimator == Estimator::ratio) return below == 0 ? not_defined : above / below;
    if (estimator == Estimator::mean_of_ratios)
        return terms == 0 ? not_defined : ratios / static_cast<double>(terms);
    return s1 * s2 == 0 ? not_defined : static_cast<double>(pairs.size()) * n * above / (s1 * s2);
}

double DirectEstimate::g2_of_bin(std::size_t delay) const {
    std::vector<double> values;
    for (const Pixels& pixels : statics_) {
        const double value =
            g2(pairs(pixels, delay), static_cast<double>(pixels.size()), problem_.estimate.estimator);
        if (!std::isnan(value)) values.push_back(value);
    }
    return mean(values);
}

double DirectEstimate::published_error(std::size_t delay) const {
    std::map<std::size_t, std::vector<double>> by_pair;
    for (const Pixels& pixels : statics_) {
        const std::vector<Pair> all = pairs(pixels, delay);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].s1 * all[i].s2 != 0)
                by_pair[i].push_back(static_cast<double>(pixels.size()) * all[i].g / (all[i].s1 * all[i].s2));
    }
    std::vector<double> terms;
    for (const auto& [pair, values] : by_pair) terms.push_back(mean(values));
    return terms.empty() ? not_defined : std::sqrt(variance(terms) / static_cast<double>(terms.size()));
}

double DirectEstimate::error_of_groups(std::size_t delay) const {
    const bool leaves_out = problem_.estimate.errors == ErrorMethod::jackknife;
    std::vector<double> values;
    double scale = 1;
    if (problem_.estimate.estimator == Estimator::two_level) {
        for (const Pixels& pixels : statics_) {
            const double value =
                g2(pairs(pixels, delay), static_cast<double>(pixels.size()), Estimator::symmetric);
            if (!std::isnan(value)) values.push_back(value);
        }
    } else {
        const std::size_t groups = groups_of(n_);
        for (std::size_t group = 0; group < groups; ++group) {
            Pixels pixels;
            for (std::size_t i = 0; i < n_; ++i)
                if ((i * groups / n_ == group) != leaves_out) pixels.push_back(i);
            const auto n = static_cast<double>(pixels.size());
            const double value = g2(pairs(pixels, delay), n, problem_.estimate.estimator);
            values.push_back(leaves_out ? value : 1 + (value - 1) * n / (n - 1));
        }
        if (leaves_out) scale = static_cast<double>(groups) - 1;
    }
    if (values.size() < 2) return not_defined;
    return scale * std::sqrt(variance(values) / static_cast<double>(values.size() - 1));
}

std::vector<double> DirectEstimate::influences(std::size_t delay) const {
    std::vector<std::vector<double>> of_statics;
    for (const Pixels& pixels : statics_) {
        const auto n = static_cast<double>(pixels.size());
        const std::vector<Pair> all = pairs(pixels, delay);
        const double value = g2(all, n, problem_.estimate.estimator);
        if (std::isnan(value)) continue;
        double below = 0, s1 = 0, s2 = 0;
        for (const Pair& pair : all) {
            below += pair.s1 * pair.s2 / n / static_cast<double>(all.size());
            s1 += pair.s1 / static_cast<double>(all.size());
            s2 += pair.s2 / static_cast<double>(all.size());
        }
        std::vector<double>& of_pairs = of_statics.emplace_back();
        for (const Pair& pair : all) {
            if (problem_.estimate.estimator == Estimator::ratio)
                of_pairs.push_back(pair.g / below - value * pair.s1 * pair.s2 / n / below);
            else if (problem_.estimate.estimator != Estimator::mean_of_ratios)
                of_pairs.push_back(n * pair.g / (s1 * s2) - value * pair.s1 / s1 - value * pair.s2 / s2 +
                                   value);
            else if (pair.s1 * pair.s2 != 0)
                of_pairs.push_back(n * pair.g / (pair.s1 * pair.s2) - value);
        }
    }
    std::vector<double> together;
    for (std::size_t i = 0; !of_statics.empty() && i < of_statics[0].size(); ++i) {
        double sum = 0;
        for (const std::vector<double>& one : of_statics) sum += one[i];
        together.push_back(sum / static_cast<double>(of_statics.size()));
    }
    return together;
}

double DirectEstimate::error_of_blocks(std::size_t delay) const {
    const std::vector<double> series = influences(std::min<std::size_t>(1, problem_.delays() - 1));
    const std::size_t quarter = std::max<std::size_t>(1, series.size() / 4);
    const double middle = mean(series), square = variance(series);
    double time = 1;
    for (std::size_t lag = 1; lag < quarter; ++lag) {
        double product = 0;
        for (std::size_t i = lag; i < series.size(); ++i)
            product += (series[i] - middle) * (series[i - lag] - middle);
        const double correlation = product / static_cast<double>(series.size()) / square;
        if (!(correlation > 0)) break;
        time += 2 * correlation;
    }
    const double root = std::sqrt(static_cast<double>(series.size()));
    const auto length =
        static_cast<std::size_t>(std::min(std::ceil(std::max(4 * time, root)), static_cast<double>(quarter)));
    const std::vector<double> all = influences(delay);
    const std::size_t block = std::min(length, std::max<std::size_t>(1, all.size() / 4));
    if (all.size() < 2) return not_defined;
    std::vector<double> blocks;
    for (std::size_t first = 0; first + block <= all.size(); ++first)
        blocks.push_back(mean({all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(first + block)}));
    return std::sqrt(variance(blocks) * static_cast<double>(block) / static_cast<double>(all.size()));
}

std::pair<double, double> DirectEstimate::at(std::size_t delay) const {
    const double value = g2_of_bin(delay);
    switch (problem_.estimate.errors) {
        case ErrorMethod::published:
            return {value, published_error(delay)};
        case ErrorMethod::bootstrap:
            return {value, error_of_blocks(delay)};
        case ErrorMethod::pixels:
        case ErrorMethod::jackknife:
            break;
    }
    return {value, error_of_groups(delay)};
}

}  // namespace ks::xpcs
