#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "core/base/raw_bytes.h"
#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

/// A slab on the device: rows, sums of rows [bin][padded frame], and with the host finishing also the sums
/// here.
struct DeviceSlab {
    Buffer rows, sums;
    std::vector<std::uint64_t> host_sums;
};

/// Brings regrouped rows to the device: from raw frames that are there (regroup kernel), or regrouped by the
/// host while the device is at work on other slabs.
class GramRows {
  public:
    GramRows(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem, const GramShape& shape,
             const GramPlan& plan);

    /// On the reader's thread: regroups a slab into staging buffer `buffer`.
    void read(std::size_t slab, std::size_t buffer);
    void upload(std::size_t slab, std::size_t buffer);
    void evict(std::size_t slab) { resident_.erase(slab); }
    const DeviceSlab& at(std::size_t slab) const { return resident_.at(slab); }
    /// Adds the reader's time to the timings; call when it has ended.
    void add_read_time();

  private:
    void regroup(const RowSlab& slab, DeviceSlab& to, const Buffer& blocks, const Buffer& row_lengths);
    template <class T>
    void gather(const RowSlab& slab, RawBytes& staging);

    LaunchContext& context_;
    const ks::xpcs::CorrelationProblem& problem_;
    const GramShape& shape_;
    const GramPlan& plan_;
    std::size_t group_;   ///< work-items that share a row
    std::size_t frames_;  ///< of a group
    cl::Kernel kernel_;   ///< regroup or row_sums
    std::array<RawBytes, 2> staging_;
    std::map<std::size_t, DeviceSlab> resident_;
    Timing reading_{.stage = "read and regroup", .kind = StageKind::read, .launches = 0};  ///< so far
};

}  // namespace ks::gpu::xpcs
