#include "core/xpcs/correlators/power_curves.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/processors.h"

namespace ks::xpcs {
namespace {

using Complex = std::complex<double>;

/// sums[delay] += s[t] s[t + delay] for all t, in the order of t.
struct AddProducts {
    __attribute__((always_inline)) static inline void run(const double* s, std::size_t frames,
                                                          std::size_t first, std::size_t last,
                                                          double* __restrict sums) {
        for (std::size_t t = 0; t + first < frames; ++t)
            for (std::size_t delay = first; delay < std::min(last, frames - t); ++delay)
                sums[delay - first] += s[t] * s[t + delay];
    }
};

}  // namespace

Transform::Values<double> PowerCurves::autocorrelation(const std::vector<double>& power) const {
    const std::size_t length = transform_.length();
    Transform::Values<double> values = transform_.real_values();
    // |A + iB|^2 at f and -f adds up to twice |A|^2 + |B|^2.
    for (std::size_t f = 0; f <= length / 2; ++f) values[f] = 0.5 * (power[f] + power[(length - f) % length]);
    transform_.inverse_of_even(values.get());
    return values;
}

bool PowerCurves::add(std::size_t bin, const std::vector<double>& power, const std::vector<double>& sums,
                      std::size_t additions, std::span<double> g2) const {
    const Transform::Values<double> products = autocorrelation(power);
    const double scale = 1.0 / static_cast<double>(transform_.length()), at_0 = products[0] * scale;
    const bool whole = problem_.compact() != ElementType::f32,
               exact = whole && 2 * at_0 * transform_.autocorrelation_error(additions) < 0.25;
    const std::vector<double> normal = products_of_sums(sums);
    const auto n = static_cast<double>(problem_.partition().bin_size(bin));
    for (std::size_t delay = 0; delay < problem_.delays(); ++delay) {
        const double g = products[delay] * scale;
        g2[delay] = normal[delay] == 0 ? nan_value : n * (exact ? std::nearbyint(g) : g) / normal[delay];
    }
    return exact;
}

std::vector<double> PowerCurves::products_of_sums(const std::vector<double>& sums) const {
    const std::size_t delays = problem_.delays();
    std::vector<double> all(delays, 0);
    if (frames_ <= direct_frames) {
        constexpr std::size_t delays_at_once = 512;
        for (std::size_t first = 0; first < delays; first += delays_at_once)
            run_on_this_processor<AddProducts, const double*, std::size_t, std::size_t, std::size_t, double*>(
                sums.data(), frames_, first, std::min(delays, first + delays_at_once), all.data() + first);
        return all;
    }
    // The sums about their mean, which avoids the rounding of large products; and the number of products
    // that are not 0, whose sums are small whole numbers and so exact.
    std::vector<double> counted(frames_);
    for (std::size_t t = 0; t < frames_; ++t) counted[t] = sums[t] != 0 ? 1 : 0;
    const auto of = [&](const std::vector<double>& values) {
        const auto series = transform_.complex_values(2);
        Complex* const spectrum = series.get() + transform_.stride();
        for (std::size_t t = 0; t < frames_; ++t) series[t] = values[t];
        transform_.forward(series.get(), spectrum);
        std::vector<double> power(transform_.length());
        for (std::size_t f = 0; f < power.size(); ++f) power[f] = std::norm(spectrum[f]);
        return autocorrelation(power);
    };
    const double scale = 1.0 / static_cast<double>(transform_.length());
    double mean = 0, used = 0;
    for (std::size_t t = 0; t < frames_; ++t) {
        mean += sums[t];
        used += counted[t];
    }
    mean = used > 0 ? mean / used : 0;
    std::vector<double> rests(frames_, 0);
    for (std::size_t t = 0; t < frames_; ++t)
        if (counted[t] != 0) rests[t] = sums[t] - mean;
    const Transform::Values<double> terms = of(counted), fluctuations = of(rests);
    // sum of (m + r)(m + r') = m^2 terms + m (r of pairs whose other is counted) + sum of r r'
    const Transform::Values<double> both = of_two(counted, rests);
    for (std::size_t delay = 0; delay < delays; ++delay) {
        const double pairs = std::nearbyint(terms[delay] * scale);
        if (pairs == 0) continue;
        all[delay] = mean * mean * pairs + mean * both[delay] * scale + fluctuations[delay] * scale;
    }
    return all;
}

Transform::Values<double> PowerCurves::of_two(const std::vector<double>& a,
                                              const std::vector<double>& b) const {
    const auto series = transform_.complex_values(4);
    const std::size_t length = transform_.length(), stride = transform_.stride();
    Complex *const x = series.get(), *const y = x + stride, *const of_x = y + stride,
                   *const of_y = of_x + stride;
    for (std::size_t t = 0; t < frames_; ++t) {
        x[t] = a[t];
        y[t] = b[t];
    }
    transform_.forward(x, of_x);
    transform_.forward(y, of_y);
    std::vector<double> power(length);
    for (std::size_t f = 0; f < length; ++f) power[f] = 2 * (of_x[f] * std::conj(of_y[f])).real();
    return autocorrelation(power);
}

std::size_t bins_with_pixels(const CorrelationProblem& problem) {
    std::size_t bins = 0;
    for (std::size_t bin = 0; bin < problem.partition().bins(); ++bin)
        bins += problem.partition().bin_size(bin) > 0 ? 1 : 0;
    return bins;
}

}  // namespace ks::xpcs
