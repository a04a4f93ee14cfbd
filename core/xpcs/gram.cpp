#include "core/xpcs/gram.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/run/error.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/regroup.h"
#include "core/xpcs/stopwatch.h"

namespace ks::xpcs {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t delays_at_once = 64;

/// Sums along delays [first, last), row by row, so that memory is read along rows of the upper triangle.
void sum_diagonals(const std::vector<float>& gram, const std::vector<double>& sums, double pixels,
                   std::size_t first, std::size_t last, double* g2, double* g2_err) {
    const std::size_t frames = sums.size();
    std::vector<DiagonalSums> all(last - first);
    for (std::size_t t = 0; t + first < frames; ++t) {
        const float* const row = gram.data() + t * frames + t;
        for (std::size_t delay = first; delay < std::min(last, frames - t); ++delay) {
            DiagonalSums& at = all[delay - first];
            const double g = static_cast<double>(row[delay]);
            const double product = sums[t] * sums[t + delay];
            at.g += g;
            at.ss_over_n += product / pixels;
            if (product == 0) continue;
            const double c1 = pixels * g / product - 1.0;
            at.c1 += c1;
            at.c1_squared += c1 * c1;
            ++at.terms;
        }
    }
    for (std::size_t delay = first; delay < last; ++delay) {
        g2[delay] = all[delay - first].g2();
        g2_err[delay] = all[delay - first].g2_err();
    }
}

std::vector<double> two_time_map(const std::vector<float>& gram, const std::vector<double>& sums,
                                 double pixels) {
    const std::size_t frames = sums.size();
    std::vector<double> map(frames * frames);
    for (std::size_t t1 = 0; t1 < frames; ++t1)
        for (std::size_t t2 = t1; t2 < frames; ++t2) {
            const double product = sums[t1] * sums[t2];
            const double g = static_cast<double>(gram[t1 * frames + t2]);
            map[t1 * frames + t2] = map[t2 * frames + t1] = product == 0 ? nan_value : pixels * g / product;
        }
    return map;
}

}  // namespace

Result run_gram(const Problem& any_problem, HostContext& context) {
    const auto& problem = dynamic_cast<const CorrelationProblem&>(any_problem);
    const QPartition& partition = problem.partition();
    const std::size_t frames = problem.frames(), bins = partition.bins();
    const std::uint64_t counts_bytes = std::uint64_t{regrouped_size(problem, 1)} * sizeof(float);
    const std::uint64_t gram_bytes = std::uint64_t{frames} * frames * sizeof(float);
    if (counts_bytes + gram_bytes > context.memory_limit)
        throw Error(
            ErrorKind::input,
            fmt::format("host.gram holds all counts and one Gram matrix in memory, which takes {} MiB, and "
                        "the limit is {} MiB",
                        (counts_bytes + gram_bytes) >> 20, context.memory_limit >> 20),
            "memory limit", "choose a variant that streams");

    Correlation out{bins,
                    frames,
                    std::vector<double>(bins * frames, nan_value),
                    std::vector<double>(bins * frames, nan_value),
                    {}};
    if (problem.two_time_bin() > 0) out.two_time.assign(frames * frames, nan_value);
    Stopwatch watch;
    const Regrouped<float> all = regroup<float>(problem, 1, context.threads, context.progress);
    add(context.timings, {"gather", StageKind::host, watch.lap(), problem.frames_bytes() + counts_bytes});

    std::vector<float> gram(frames * frames);
    const auto selected = static_cast<double>(partition.selected());
    for (std::size_t bin = 0; bin < bins; ++bin) {
        context.progress.report(partition.offsets()[bin] / selected, "gram");
        const std::size_t n = partition.bin_size(bin);
        if (n == 0) continue;
        const auto pixels = static_cast<double>(n);
        const float* const counts = all.block(bin);
        watch.lap();
        cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, static_cast<int>(frames), static_cast<int>(n),
                    1.0F, counts, static_cast<int>(n), 0.0F, gram.data(), static_cast<int>(frames));
        add(context.timings,
            {"gram", StageKind::host, watch.lap(), (frames * n + frames * frames) * sizeof(float),
             std::uint64_t{frames} * (frames + 1) / 2 * n});

        std::vector<double> sums(frames, 0.0);
        parallel_for(frames, context.threads, context.progress, [&](std::size_t t) {
            for (std::size_t i = 0; i < n; ++i) sums[t] += static_cast<double>(counts[t * n + i]);
        });
        const std::size_t chunks = (frames + delays_at_once - 1) / delays_at_once;
        parallel_for(chunks, context.threads, context.progress, [&](std::size_t chunk) {
            const std::size_t first = chunk * delays_at_once;
            sum_diagonals(gram, sums, pixels, first, std::min(frames, first + delays_at_once),
                          out.g2.data() + bin * frames, out.g2_err.data() + bin * frames);
        });
        if (problem.two_time_bin() == bin + 1) out.two_time = two_time_map(gram, sums, pixels);
        add(context.timings,
            {"diagonals", StageKind::host, watch.lap(), frames * frames / 2 * sizeof(float)});
    }
    context.progress.report(1, "gram");
    return to_result(out, problem);
}

}  // namespace ks::xpcs
