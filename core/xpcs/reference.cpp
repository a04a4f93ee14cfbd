#include "core/xpcs/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

/// Rows are padded to whole blocks, so that the innermost loop has a fixed length and is vectorised.
constexpr std::size_t block = 64;

/// Sums of integer counts are uint64, of others double.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;

std::uint64_t dot_wide(const std::uint32_t* a, const std::uint32_t* b, std::size_t n) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::uint64_t{a[i]} * b[i];
    return sum;
}

/// Exact: 32-bit partial sums over `flush` elements (a multiple of `block`, chosen to avoid overflow), or
/// 64-bit products throughout if flush is 0.
template <class T>
std::uint64_t dot(const T* a, const T* b, std::size_t n, std::size_t flush) requires std::is_integral_v<T> {
    if (flush == 0) {
        if constexpr (std::is_same_v<T, std::uint32_t>) return dot_wide(a, b, n);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; i += block)
            for (std::size_t k = 0; k < block; ++k)
                sum += std::uint64_t{static_cast<std::uint32_t>(a[i + k]) *
                                     static_cast<std::uint32_t>(b[i + k])};
        return sum;
    }
    std::uint64_t sum = 0;
    for (std::size_t from = 0; from < n; from += flush) {
        std::uint32_t part = 0;
        for (std::size_t i = from; i < std::min(n, from + flush); i += block)
            for (std::size_t k = 0; k < block; ++k)
                part += static_cast<std::uint32_t>(a[i + k]) * static_cast<std::uint32_t>(b[i + k]);
        sum += part;
    }
    return sum;
}

/// Eight running sums, added in a fixed order.
double dot(const float* a, const float* b, std::size_t n, std::size_t) {
    std::array<double, 8> sums{};
    for (std::size_t i = 0; i < n; i += sums.size())
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
}

std::size_t flush_length(double max_count) {
    const double fits = std::floor(4294967295.0 / std::max(max_count * max_count, 1.0));
    return static_cast<std::size_t>(std::min(fits, 1048576.0)) / block * block;
}

template <class T>
std::vector<Sum<T>> totals(const T* counts, std::size_t frames, std::size_t row) {
    std::vector<Sum<T>> all(frames, 0);
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t i = 0; i < row; ++i) all[t] += static_cast<Sum<T>>(counts[t * row + i]);
    return all;
}

/// One bin: its counts, its sums, and the destination of results.
template <class T>
struct BinJob {
    const CorrelationProblem& problem;
    const T* counts;
    std::size_t frames, row, pixels, flush;
    std::vector<Sum<T>> sums;
    double *g2, *g2_err, *two_time;  ///< [delay], [delay], [t1][t2] or null

    void correlate(std::size_t delay) const {
        const auto n = static_cast<double>(pixels);
        Sum<T> g = 0;
        double ss = 0;
        std::vector<double> terms;
        terms.reserve(frames - delay);
        for (std::size_t t = 0; t + delay < frames; ++t) {
            if (!problem.used(t) || !problem.used(t + delay)) continue;
            const Sum<T> here = dot(counts + t * row, counts + (t + delay) * row, row, flush);
            const double product = static_cast<double>(sums[t]) * static_cast<double>(sums[t + delay]);
            g += here;
            ss += product / n;
            const double c = product == 0 ? nan_value : n * static_cast<double>(here) / product;
            if (product != 0) terms.push_back(c);
            if (two_time != nullptr)
                two_time[t * frames + t + delay] = two_time[(t + delay) * frames + t] = c;
        }
        g2[delay] = ss == 0 ? nan_value : static_cast<double>(g) / ss;
        g2_err[delay] = error_of_mean(terms);
    }

    static double error_of_mean(const std::vector<double>& terms) {
        if (terms.empty()) return nan_value;
        const auto count = static_cast<double>(terms.size());
        double mean = 0, squares = 0;
        for (const double c : terms) mean += c;
        mean /= count;
        for (const double c : terms) squares += (c - mean) * (c - mean);
        return std::sqrt(squares / count) / std::sqrt(count);
    }
};

template <class T>
void correlate_as(const CorrelationProblem& problem, unsigned threads, std::uint64_t memory_limit,
                  Progress& progress, std::vector<Timing>& timings, Correlation& out) {
    constexpr std::size_t delays_at_once = 8;
    const std::uint64_t needed = std::uint64_t{regrouped_size(problem, block)} * sizeof(T);
    require_within(memory_limit, host_bytes(problem) + needed, "all counts on the host", "host.reference");
    const std::size_t frames = out.frames;
    Stopwatch watch;
    const Regrouped<T> all = regroup<T>(problem, block, threads, progress);
    add(timings, {"gather", StageKind::host, watch.lap(), problem.frames_bytes() + needed});

    const double selected = static_cast<double>(problem.partition().selected());
    double done = 0;
    for (std::size_t bin = 0; bin < out.bins; ++bin) {
        progress.report(done / selected, "correlate");
        const std::size_t pixels = problem.partition().bin_size(bin);
        if (pixels == 0) continue;
        const bool map = problem.two_time_bin() == bin + 1;
        const BinJob<T> job{problem,
                            all.block(bin),
                            frames,
                            all.row(bin),
                            pixels,
                            flush_length(problem.max_count()),
                            totals(all.block(bin), frames, all.row(bin)),
                            out.g2.data() + bin * frames,
                            out.g2_err.data() + bin * frames,
                            map ? out.two_time.data() : nullptr};
        const DelayRange wanted = problem.delays_of(bin);
        const std::size_t chunks = (wanted.end - wanted.begin + delays_at_once - 1) / delays_at_once;
        parallel_for(chunks, threads, progress, [&](std::size_t chunk) {
            const std::size_t first = wanted.begin + chunk * delays_at_once,
                              last = std::min(wanted.end, first + delays_at_once);
            for (std::size_t delay = first; delay < last; ++delay) job.correlate(delay);
        });
        done += static_cast<double>(pixels);
    }
    progress.report(1, "correlate");
    const std::uint64_t delays = problem.delays(), pairs = delays * (2 * frames - delays + 1) / 2;
    add(timings, {"correlate", StageKind::host, watch.lap(), 0,
                  pairs * std::uint64_t{problem.partition().selected()}});
}

}  // namespace

Correlation correlate_reference(const CorrelationProblem& problem, unsigned threads,
                                std::uint64_t memory_limit, Progress& progress,
                                std::vector<Timing>& timings) {
    Correlation out;
    out.bins = problem.partition().bins();
    out.frames = problem.frames();
    out.g2.assign(out.bins * out.frames, nan_value);
    out.g2_err = out.g2;
    if (problem.two_time_bin() > 0) out.two_time.assign(out.frames * out.frames, nan_value);
    visit_element(problem.compact(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_unsigned_v<T> && sizeof(T) <= 4)
            correlate_as<T>(problem, threads, memory_limit, progress, timings, out);
        else
            correlate_as<float>(problem, threads, memory_limit, progress, timings, out);
    });
    return out;
}

Result run_reference(const CorrelationProblem& correlation_problem, HostContext& context) {
    return to_result(correlate_reference(correlation_problem, context.threads, context.memory_limit,
                                         context.progress, context.timings),
                     correlation_problem);
}

}  // namespace ks::xpcs
