#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/host_backend.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// All counts of a problem on the host, regrouped by bin: block(b) is [t][row(b)], rows zero filled to a
/// multiple of the padding.
template <class T>
struct Regrouped {
    std::unique_ptr<T[]> counts;
    std::vector<std::size_t> offsets;  ///< of each bin's block
    std::vector<std::size_t> rows;

    const T* block(std::size_t bin) const { return counts.get() + offsets[bin]; }
    std::size_t row(std::size_t bin) const { return rows[bin]; }
};

/// Elements of the regrouped counts.
inline std::size_t regrouped_size(const CorrelationProblem& problem, std::size_t pad) {
    std::size_t total = 0;
    for (std::size_t bin = 0; bin < problem.partition().bins(); ++bin)
        total += (problem.partition().bin_size(bin) + pad - 1) / pad * pad;
    return total * problem.frames();
}

/// Gathers every bin: bins in parallel where the frames are in memory, in one pass over the file where they
/// are not.
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
