#include "core/xpcs/analysis.h"

#include <cblas.h>
#include <algorithm>
#include <cmath>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

constexpr std::size_t delays_at_once = 64;

/// The frames of one bin minus their rounded means: G = G' + m1 S'2 + m2 S'1 + N m1 m2. Single precision then
/// only rounds the fluctuations, which determine the error of g2, and not the much larger products of means.
struct Centred {
    double pixels;
    std::vector<double> means, rests, sums;  ///< m, S', S per frame

    template <class T>
    Centred(T* counts, std::size_t frames, std::size_t n, unsigned threads, Progress& progress)
        : pixels(static_cast<double>(n)), means(frames), rests(frames), sums(frames) {
        parallel_for(frames, threads, progress, [&](std::size_t t) {
            T* const row = counts + t * n;
            for (std::size_t i = 0; i < n; ++i) sums[t] += static_cast<double>(row[i]);
            const T mean = std::round(static_cast<T>(sums[t] / pixels));
            for (std::size_t i = 0; i < n; ++i) row[i] -= mean;
            means[t] = static_cast<double>(mean);
            rests[t] = sums[t] - pixels * means[t];
        });
    }
    double product(double g, std::size_t t1, std::size_t t2) const {
        return g + means[t1] * rests[t2] + means[t2] * rests[t1] + pixels * means[t1] * means[t2];
    }
};

/// Sums along delays [first, last), row by row, so that memory is read along the rows of the upper triangle.
template <class T>
void sum_diagonals(const std::vector<T>& gram, const Centred& centred, std::size_t first, std::size_t last,
                   double* g2, double* g2_err) {
    const std::vector<double>& sums = centred.sums;
    const double pixels = centred.pixels;
    const std::size_t frames = sums.size();
    std::vector<DiagonalSums> all(last - first);
    for (std::size_t t = 0; t + first < frames; ++t) {
        const T* const row = gram.data() + t * frames + t;
        for (std::size_t delay = first; delay < std::min(last, frames - t); ++delay) {
            const double g = centred.product(static_cast<double>(row[delay]), t, t + delay);
            all[delay - first].add(g, sums[t] * sums[t + delay], pixels);
        }
    }
    for (std::size_t delay = first; delay < last; ++delay) {
        g2[delay] = all[delay - first].g2();
        g2_err[delay] = all[delay - first].g2_err();
    }
}

template <class T>
std::vector<double> two_time_map(const std::vector<T>& gram, const Centred& centred) {
    const std::vector<double>& sums = centred.sums;
    const double pixels = centred.pixels;
    const std::size_t frames = sums.size();
    std::vector<double> map(frames * frames);
    for (std::size_t t1 = 0; t1 < frames; ++t1)
        for (std::size_t t2 = t1; t2 < frames; ++t2) {
            const double product = sums[t1] * sums[t2];
            const double g = centred.product(static_cast<double>(gram[t1 * frames + t2]), t1, t2);
            map[t1 * frames + t2] = map[t2 * frames + t1] = product == 0 ? nan_value : pixels * g / product;
        }
    return map;
}

/// The upper triangle of A A^T. @param rows number of rows of A, with n elements each
void multiply(const float* a, std::size_t rows, std::size_t n, float* gram) {
    cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, static_cast<int>(rows), static_cast<int>(n), 1.0F, a,
                static_cast<int>(n), 0.0F, gram, static_cast<int>(rows));
}
void multiply(const double* a, std::size_t rows, std::size_t n, double* gram) {
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, static_cast<int>(rows), static_cast<int>(n), 1.0, a,
                static_cast<int>(n), 0.0, gram, static_cast<int>(rows));
}

/// @tparam T of the counts and of their Gram matrix
template <class T>
Correlation correlate_gram(const CorrelationProblem& problem, HostContext& context) {
    const QPartition& partition = problem.partition();
    const std::size_t frames = problem.frames(), bins = partition.bins();
    const std::uint64_t counts_bytes = std::uint64_t{regrouped_size(problem, 1)} * sizeof(T);
    const std::uint64_t gram_bytes = std::uint64_t{frames} * frames * sizeof(T);
    require_within(context.memory_limit, host_bytes(problem) + counts_bytes + gram_bytes,
                   "all counts and one Gram matrix on the host", "host.gram");

    Correlation out{bins,
                    frames,
                    std::vector<double>(bins * frames, nan_value),
                    std::vector<double>(bins * frames, nan_value),
                    {}};
    if (problem.two_time_bin() > 0) out.two_time.assign(frames * frames, nan_value);
    Stopwatch watch;
    Regrouped<T> all = regroup<T>(problem, 1, context.threads, context.progress);
    add(context.timings, {"gather", StageKind::host, watch.lap(), problem.frames_bytes() + counts_bytes});

    require_blas_memory("host.gram");
    std::vector<T> gram(frames * frames);
    const auto selected = static_cast<double>(partition.selected());
    for (std::size_t bin = 0; bin < bins; ++bin) {
        context.progress.report(partition.offsets()[bin] / selected, "gram");
        const std::size_t n = partition.bin_size(bin);
        if (n == 0) continue;
        T* const counts = all.counts.get() + all.offsets[bin];
        watch.lap();
        const Centred centred(counts, frames, n, context.threads, context.progress);
        add(context.timings, {"centre", StageKind::host, watch.lap(), 2 * frames * n * sizeof(T)});
        multiply(counts, frames, n, gram.data());
        add(context.timings,
            {"gram", StageKind::host, watch.lap(), (frames * n + frames * frames) * sizeof(T),
             std::uint64_t{frames} * (frames + 1) / 2 * n});

        const DelayRange wanted = problem.delays_of(bin);
        const std::size_t chunks = (wanted.end - wanted.begin + delays_at_once - 1) / delays_at_once;
        parallel_for(chunks, context.threads, context.progress, [&](std::size_t chunk) {
            const std::size_t first = wanted.begin + chunk * delays_at_once;
            sum_diagonals(gram, centred, first, std::min(wanted.end, first + delays_at_once),
                          out.g2.data() + bin * frames, out.g2_err.data() + bin * frames);
        });
        if (problem.two_time_bin() == bin + 1) out.two_time = two_time_map(gram, centred);
        add(context.timings, {"diagonals", StageKind::host, watch.lap(), frames * frames / 2 * sizeof(T)});
    }
    watch.lap();
    all = {};
    gram = {};
    add(context.timings, {"free memory", StageKind::overhead, watch.lap()});
    context.progress.report(1, "gram");
    return out;
}

}  // namespace

Result run_gram(const CorrelationProblem& problem, HostContext& context) {
    // For counts of both signs the products cancel, and the remainder is below the rounding of floats; sums
    // of squares of very large or very small counts are out of the range of floats.
    const double largest = problem.max_count();
    const bool in_double = problem.has_negative() || largest > 1e15 || (largest > 0 && largest < 1e-10);
    Result result = to_result(
        in_double ? correlate_gram<double>(problem, context) : correlate_gram<float>(problem, context),
        problem);
    result.facts["product"] = in_double ? "dsyrk" : "ssyrk";
    return result;
}

}  // namespace ks::xpcs
