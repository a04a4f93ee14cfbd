#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/threads.h"
#include "core/run/host_backend.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/g2_fit.h"

namespace ks::xpcs {
namespace {

/// More groups give a better estimate of the spread, fewer are larger than the speckles that they cut.
constexpr std::size_t most_groups = 24, fewest_groups = 8, usual_pixels = 8, fewest_pixels = 2;

/// The partition with each group as a bin. @param first receives the first of these bins for each bin, and
/// the end
QPartition divided(const QPartition& whole, std::vector<std::size_t>& first) {
    std::vector<std::int32_t> labels(whole.height() * whole.width(), 0);
    std::size_t next = 0;
    for (std::size_t bin = 0; bin < whole.bins(); ++bin) {
        first.push_back(next);
        const std::size_t pixels = whole.bin_size(bin), groups = groups_of(pixels);
        if (groups == 0 || next + groups > max_bins) continue;
        for (std::size_t i = 0; i < pixels; ++i)
            labels[whole.pixels()[whole.offsets()[bin] + i]] =
                static_cast<std::int32_t>(next + i * groups / pixels + 1);
        next += groups;
    }
    first.push_back(next);
    return {whole.height(), whole.width(), std::move(labels), next};
}

}  // namespace

std::size_t groups_of(std::size_t pixels) {
    if (pixels < fewest_groups * fewest_pixels) return 0;
    return std::clamp(pixels / usual_pixels, fewest_groups, most_groups);
}

GroupCurves group_curves(const CorrelationProblem& problem, const std::optional<MultiTau>& averaging,
                         std::uint64_t memory, Progress& progress) {
    const QPartition& whole = problem.partition();
    const std::size_t bins = whole.bins(), frames = problem.frames();
    GroupCurves curves;
    curves.bins.resize(bins);
    std::vector<std::size_t> first;
    const QPartition partition = divided(whole, first);
    if (first.back() == 0) return curves;
    CorrelationProblem grouped(problem.scan(), partition, 0, std::nullopt, progress);
    grouped.limit_delays(problem.delays());
    const std::uint64_t element = problem.has_negative() ? sizeof(double) : sizeof(float);
    const std::uint64_t gram = averaging ? 0 : std::uint64_t{frames} * frames * element,
                        rest = gram + problem.frames_bytes() / frames * 2 + (std::uint64_t{64} << 20);
    const auto bytes_of = [&](std::size_t bin) {
        const std::uint64_t groups = first[bin + 1] - first[bin];
        if (averaging) return multitau_bytes(*averaging, whole.bin_size(bin), groups);
        return whole.bin_size(bin) * frames * element + groups * frames * 2 * sizeof(double);
    };
    Request request;
    // Bins that fit into memory together are gathered together.
    for (std::size_t bin = 0, end = 0; bin < bins; bin = end) {
        std::uint64_t bytes = rest;
        for (end = bin; end < bins && bytes + bytes_of(end) <= memory; ++end) bytes += bytes_of(end);
        if (end == bin) {
            ++curves.too_large;
            ++end;
            continue;
        }
        if (first[bin] == first[end]) continue;
        const auto part = grouped.part(first[bin], first[end]);
        std::vector<Timing> timings;
        HostContext context{request, progress, timings, compute_threads(), UINT64_MAX};
        std::vector<double> g2;
        std::size_t columns = frames, delays = problem.delays();
        if (averaging) {
            Correlation found = correlate_multitau(*part, context, *averaging);
            columns = delays = found.delays.size();
            g2 = std::move(found.g2);
        } else {
            g2 = run_gram(*part, context).at("g2").values.to_doubles();
        }
        for (std::size_t b = bin; b < end; ++b)
            for (std::size_t group = first[b]; group < first[b + 1]; ++group) {
                const auto row = std::span(g2).subspan((group - first[bin]) * columns, delays);
                std::vector<double>& curve = curves.bins[b].emplace_back(row.begin(), row.end());
                // Each group is divided by the mean of its own few pixels, which hides a part of its speckle.
                const auto pixels = static_cast<double>(partition.bin_size(group));
                for (double& value : curve) value = 1 + (value - 1) * pixels / (pixels - 1);
            }
    }
    return curves;
}

}  // namespace ks::xpcs
