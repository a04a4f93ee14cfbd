#include "core/xpcs/pairs/pairs_variant.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/host_memory.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/families.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

/// The pixels of a bin in the order of their static bins, and where each static bin ends.
struct StaticOrder {
    std::vector<std::size_t> pixels, ends;

    StaticOrder(const CorrelationProblem& problem, std::size_t bin) {
        const QPartition& partition = problem.partition();
        const std::span<const std::uint32_t> all =
            partition.pixels().subspan(partition.offsets()[bin], partition.bin_size(bin));
        const std::vector<std::int32_t>& labels = *problem.static_labels;
        pixels.resize(all.size());
        std::iota(pixels.begin(), pixels.end(), 0);
        // A pixel of the bin without a static label is in none of them.
        std::erase_if(pixels, [&](std::size_t i) { return labels[all[i]] <= 0; });
        std::ranges::stable_sort(
            pixels, [&](std::size_t a, std::size_t b) { return labels[all[a]] < labels[all[b]]; });
        for (std::size_t i = 1; i <= pixels.size(); ++i)
            if (i == pixels.size() || labels[all[pixels[i]]] != labels[all[pixels[i - 1]]]) ends.push_back(i);
    }
};

/// A correlation of one problem by its pairs.
/// @tparam T of the counts, as BinPairs has them
template <class T>
class PairsRun {
  public:
    PairsRun(const CorrelationProblem& problem, HostContext& context)
        : problem_(problem),
          context_(context),
          workers_{context.threads, context.progress},
          delays_(problem.delays_of_any().end),
          used_(problem.frames()) {
        for (std::size_t t = 0; t < used_.size(); ++t) used_[t] = problem.used(t);
    }

    Correlation correlate() {
        const QPartition& partition = problem_.partition();
        const std::size_t frames = problem_.frames(), bins = partition.bins();
        const std::uint64_t counts = std::uint64_t{regrouped_size(problem_, 1)} * sizeof(T);
        require_within(context_.memory_limit, host_bytes(problem_) + counts + pairs_bytes(),
                       problem_.keep_pairs ? "all counts and the pairs of all bins on the host"
                                           : "all counts and the pairs of a bin on the host",
                       "host.pairs");
        Correlation out{bins,
                        frames,
                        std::vector<double>(bins * frames, nan_value),
                        std::vector<double>(bins * frames, nan_value),
                        {},
                        problem_.estimate};
        if (problem_.keep_pairs) out.pairs.resize(bins);
        if (problem_.two_time_bin() > 0) out.two_time.assign(frames * frames, nan_value);
        watch_.lap();
        const Regrouped<T> all = regroup<T>(problem_, 1, context_.threads, context_.progress);
        add(context_.timings, {"gather", StageKind::host, watch_.lap(), problem_.frames_bytes() + counts});
        const auto selected = static_cast<double>(partition.selected());
        for (std::size_t bin = 0; bin < bins; ++bin) {
            context_.progress.report(partition.offsets()[bin] / selected, "pairs");
            if (partition.bin_size(bin) == 0) continue;
            const std::size_t n = all.row(bin);
            const BinCounts<T> rows{all.block(bin), frames, n, n};
            const bool map = problem_.two_time_bin() == bin + 1;
            // The sums of static bins are not those of their bin if some of its pixels are in none of them.
            BinPairs pairs;
            if (!two_level() || map || problem_.keep_pairs) pairs = pairs_of(rows);
            const Curve curve = two_level() ? of_static_bins(bin, rows) : of_bin(rows, pairs);
            if (map) out.two_time = two_time_of(pairs, used_);
            if (problem_.keep_pairs) out.pairs[bin] = std::move(pairs);
            std::ranges::copy(curve.g2, out.g2.begin() + static_cast<std::ptrdiff_t>(bin * frames));
            std::ranges::copy(curve.error, out.g2_err.begin() + static_cast<std::ptrdiff_t>(bin * frames));
            add(context_.timings, {"estimate", StageKind::host, watch_.lap()});
        }
        context_.progress.report(1, "pairs");
        return out;
    }

  private:
    bool two_level() const { return problem_.estimate.estimator == Estimator::two_level; }
    /// The pairs that are in memory together: those of a bin; for its groups, those of a group as well, and
    /// for the jackknife those of the rest; the static bins of a bin all at once.
    std::uint64_t pairs_bytes() const {
        std::uint64_t together = 1;
        if (problem_.estimate.errors == ErrorMethod::pixels) together = 2;
        if (problem_.estimate.errors == ErrorMethod::jackknife) together = 3;
        for (std::size_t bin = 0; two_level() && bin < problem_.partition().bins(); ++bin)
            together = std::max<std::uint64_t>(together, StaticOrder(problem_, bin).ends.size());
        // They are also joined to one dataset.
        if (problem_.keep_pairs) together += 2 * problem_.partition().bins();
        return together * BinPairs::pairs_of(problem_.frames(), delays_) * sizeof(std::uint64_t);
    }
    BinPairs pairs_of(const BinCounts<T>& rows) {
        watch_.lap();
        BinPairs pairs(rows, delays_, problem_.max_count(), context_.threads, context_.progress);
        add(context_.timings, {"pairs", StageKind::host, watch_.lap(), rows.pixels * rows.frames * sizeof(T),
                               std::uint64_t{BinPairs::pairs_of(rows.frames, delays_)} * rows.pixels});
        return pairs;
    }
    Curve of_static_bins(std::size_t bin, const BinCounts<T>& rows) {
        const StaticOrder order(problem_, bin);
        std::vector<BinPairs> bins;
        for (std::size_t i = 0, first = 0; i < order.ends.size(); first = order.ends[i++]) {
            const std::size_t n = order.ends[i] - first;
            std::vector<T> counts(n * rows.frames);
            for (std::size_t t = 0; t < rows.frames; ++t)
                for (std::size_t k = 0; k < n; ++k) counts[t * n + k] = rows.row(t)[order.pixels[first + k]];
            bins.push_back(pairs_of({counts.data(), rows.frames, n, n}));
        }
        if (bins.empty())
            return {std::vector<double>(delays_, nan_value), std::vector<double>(delays_, nan_value)};
        return curve_of(bins, problem_.estimate, used_, delays_, workers_);
    }
    Curve of_bin(const BinCounts<T>& rows, const BinPairs& pairs) {
        Curve curve = curve_of({&pairs, 1}, problem_.estimate, used_, delays_, workers_);
        const ErrorMethod errors = problem_.estimate.errors;
        if (errors == ErrorMethod::pixels || errors == ErrorMethod::jackknife) add_errors(rows, pairs, curve);
        return curve;
    }
    /// Errors over groups of pixels.
    void add_errors(const BinCounts<T>& rows, const BinPairs& whole, Curve& curve) {
        const std::size_t n = rows.pixels, groups = groups_of(n);
        std::vector<std::vector<double>> of_delay(delays_);
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = first_of_group(n, groups, group),
                              end = first_of_group(n, groups, group + 1);
            const BinPairs some = pairs_of(rows.columns(first, end));
            const bool leaves_out = problem_.estimate.errors == ErrorMethod::jackknife;
            const BinPairs used = leaves_out ? whole.without(some) : some;
            const std::vector<double> g2 =
                g2_of({&used, 1}, problem_.estimate.estimator, used_, delays_, workers_);
            // g2 of a group is divided by the mean of its own few pixels, which hides a part of its speckle.
            const auto pixels = static_cast<double>(used.pixels());
            for (std::size_t delay = 0; delay < delays_; ++delay)
                of_delay[delay].push_back(leaves_out ? g2[delay]
                                                     : 1 + (g2[delay] - 1) * pixels / (pixels - 1));
        }
        for (std::size_t delay = 0; delay < delays_; ++delay)
            curve.error[delay] = problem_.estimate.errors == ErrorMethod::jackknife
                                     ? jackknife_error(of_delay[delay])
                                     : standard_error(of_delay[delay]);
    }

    const CorrelationProblem& problem_;
    HostContext& context_;
    Workers workers_;
    std::size_t delays_;  ///< delays of all bins
    std::vector<bool> used_;
    Stopwatch watch_;
};

Result run_pairs(const CorrelationProblem& problem, HostContext& context) {
    Correlation correlation;
    if (problem.compact() == ElementType::f32)
        correlation = PairsRun<float>(problem, context).correlate();
    else if (problem.compact() == ElementType::u32)
        correlation = PairsRun<std::uint32_t>(problem, context).correlate();
    else
        correlation = PairsRun<std::uint16_t>(problem, context).correlate();
    return to_result(std::move(correlation), problem);
}

}  // namespace

HostVariant pairs_variant() {
    return {
        {
            .analysis = "xpcs",
            .id = "host.pairs",
            .title = "Sums of all pairs of frames",
            .description = "Keeps the exact sums of all pairs of frames of a bin, then makes any estimate "
                           "of g2 and of its error from them.",
            .source_file = "core/xpcs/pairs/pairs_variant.cpp",
            .takes = {of_family("gram")},
            .streaming = Streaming::resident,
            .rank = 5,
        },
        run_pairs};
}

}  // namespace ks::xpcs
