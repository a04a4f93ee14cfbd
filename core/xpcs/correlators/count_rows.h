#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/host_memory.h"
#include "core/run/host_backend.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {

/// The counts of one bin, frame by frame, wherever they are: in whole frames, or regrouped by bin.
template <class T>
struct CountRows {
    const T* first;               ///< frame 0
    std::size_t stride;           ///< elements from frame to frame
    const std::uint32_t* pixels;  ///< positions in a frame
    std::size_t size;             ///< number of pixels

    const T* frame(std::size_t t) const { return first + t * stride; }
};

/// The counts of all bins of a problem in memory: its frames if they are resident, else a regrouped copy.
class AllCounts {
  public:
    /// Throws ks::Error(input) if a copy is needed and takes, with `further` bytes, more memory than the
    /// limit.
    /// @param variant name for the message
    AllCounts(const CorrelationProblem& problem, HostContext& context, std::uint64_t further,
              const char* variant)
        : problem_(problem) {
        const bool copies = problem.resident().empty();
        const std::uint64_t copy =
            copies ? std::uint64_t{regrouped_size(problem, 1)} * size_of(problem.compact()) : 0;
        require_within(context.memory_limit, host_bytes(problem) + copy + further,
                       copies ? "all counts on the host" : "the sums of all bins on the host", variant);
        if (!copies) return;
        visit_element(problem.compact(), [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> ||
                          std::is_same_v<T, std::uint32_t> || std::is_same_v<T, float>) {
                Regrouped<T> all = regroup<T>(problem, 1, context.threads, context.progress);
                rows_ = std::move(all.rows);
                offsets_ = std::move(all.offsets);
                copy_ = std::shared_ptr<const T[]>(std::move(all.counts));
            }
        });
        places_.resize(problem.largest_bin());
        std::iota(places_.begin(), places_.end(), std::uint32_t{0});
    }

    /// Calls use(CountRows<T>) with the counts of a bin.
    template <class Use>
    void with_bin(std::size_t bin, const Use& use) const {
        const QPartition& partition = problem_.partition();
        const std::size_t n = partition.bin_size(bin);
        const bool copied = problem_.resident().empty();
        visit_element(copied ? problem_.compact() : problem_.source_type(), [&](auto zero) {
            using T = decltype(zero);
            if (copied)
                use(CountRows<T>{static_cast<const T*>(copy_.get()) + offsets_[bin], rows_[bin],
                                 places_.data(), n});
            else
                use(CountRows<T>{reinterpret_cast<const T*>(problem_.resident().data()),
                                 problem_.height() * problem_.width(),
                                 partition.pixels().data() + partition.offsets()[bin], n});
        });
    }

  private:
    const CorrelationProblem& problem_;
    std::shared_ptr<const void> copy_;
    std::vector<std::size_t> offsets_, rows_;
    std::vector<std::uint32_t> places_;  ///< 0, 1, 2, ...
};

}  // namespace ks::xpcs
