#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/parallel.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// All counts of a problem on the host, regrouped by bin: block(b) is [t][row(b)], with rows zero-filled to a
/// multiple of the padding.
template <class T>
struct Regrouped {
    std::unique_ptr<T[]> counts;
    std::vector<std::size_t> offsets;  ///< per bin, of its block
    std::vector<std::size_t> rows;

    const T* block(std::size_t bin) const { return counts.get() + offsets[bin]; }
    std::size_t row(std::size_t bin) const { return rows[bin]; }
};

/// Memory that every host variant needs in addition to the counts: the curves, and either the frames, if they
/// stay in memory, or the piece that is being read.
inline std::uint64_t host_bytes(const CorrelationProblem& problem) {
    constexpr std::uint64_t slab = std::uint64_t{32} << 20;
    const std::uint64_t frames = problem.frames(), frame = problem.frames_bytes() / frames;
    const std::uint64_t raw = problem.resident().empty()
                                  ? std::min(problem.frames_bytes(), std::max(slab, frame))
                                  : problem.frames_bytes();
    const std::uint64_t map = problem.two_time_bin() > 0 ? frames * frames : 0;
    return raw + sizeof(double) * (2 * problem.partition().bins() * frames + map);
}

/// Number of elements of the regrouped counts.
inline std::size_t regrouped_size(const CorrelationProblem& problem, std::size_t pad) {
    std::size_t total = 0;
    for (std::size_t bin = 0; bin < problem.partition().bins(); ++bin)
        total += (problem.partition().bin_size(bin) + pad - 1) / pad * pad;
    return total * problem.frames();
}

/// Gathers every bin: bins in parallel if the frames are in memory, otherwise in one pass over the file.
template <class T>
Regrouped<T> regroup(const CorrelationProblem& problem, std::size_t pad, unsigned threads,
                     Progress& progress) {
    const QPartition& partition = problem.partition();
    Regrouped<T> all;
    std::size_t next = 0;
    for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
        all.offsets.push_back(next);
        all.rows.push_back((partition.bin_size(bin) + pad - 1) / pad * pad);
        next += all.rows.back() * problem.frames();
    }
    all.counts = std::make_unique_for_overwrite<T[]>(next);
    if (problem.resident().empty()) {
        progress.report(0, "gather");
        problem.gather<T>(0, partition.bins(), 0, problem.frames(), pad, all.counts.get());
    } else {
        parallel_for(partition.bins(), threads, progress, [&](std::size_t bin) {
            problem.gather<T>(bin, bin + 1, 0, problem.frames(), pad, all.counts.get() + all.offsets[bin]);
        });
    }
    return all;
}

}  // namespace ks::xpcs
