#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/clusters/problem.h"
#include "core/run/host_backend.h"

namespace ks::clusters {

/// Rows of the valid digis by slot, in ascending order.
class SlotRows {
  public:
    explicit SlotRows(const ClusterProblem& problem);
    std::span<const std::int32_t> of(std::size_t slot) const {
        const std::size_t place = slot - first_;
        return std::span(rows_).subspan(offsets_[place], offsets_[place + 1] - offsets_[place]);
    }

  private:
    std::size_t first_;  ///< first slot of the problem
    std::vector<std::size_t> offsets_;
    std::vector<std::int32_t> rows_;
};

/// Labels of one slot's digis, one per row in `rows`, computed by flood fill as they are defined. Shares no
/// code with the variants: checks compare with it.
std::vector<std::int32_t> flood_fill(const ClusterProblem& problem, std::size_t slot,
                                     std::span<const std::int32_t> rows);

/// host.reference: all slots.
Result run_reference(const ClusterProblem& problem, HostContext& context);

}  // namespace ks::clusters
