#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/raw_bytes.h"
#include "gpu/xpcs/frames_on_device.h"
#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

/// A slab on the device: rows, sums of rows [bin][padded frame], offsets of the blocks of bins, and lengths
/// of their rows. If the host finishes the tiles, the sums are also on the host.
struct DeviceSlab {
    Buffer rows, sums;
    std::shared_ptr<const Buffer> blocks, row_lengths;
    std::vector<std::uint64_t> host_sums;
};

/// Provides regrouped rows on the device: from raw frames that are there (regroup kernel), or regrouped by
/// the host while the device works on other slabs.
class GramRows {
  public:
    /// @param staging of rows that the host has regrouped
    GramRows(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem, const GramShape& shape,
             const GramPlan& plan, FramesOnDevice& frames, const StagingPlan& staging);

    /// On the reader's thread: regroups a slab into staging buffer `buffer`.
    void read(std::size_t slab, std::size_t buffer);
    /// In a resident plan, the next band of the frames.
    void upload(std::size_t slab, std::size_t buffer);
    void evict(std::size_t slab) { resident_.erase(slab); }
    const DeviceSlab& at(std::size_t slab) const { return resident_.at(slab); }
    /// Adds the reader's time to the timings; call when it has ended.
    void add_read_time();

  private:
    DeviceSlab make(const RowSlab& slab) const;
    void upload_rows(const RowSlab& slab, DeviceSlab& to, std::span<const std::byte> rows);
    void upload_band(std::size_t band);
    /// Positions of the bins' pixels in the frames on the device, for the kernel.
    void upload_places(std::uint64_t others);
    void regroup(const PairStep& band);
    /// Downloads the sums if the host finishes the tiles.
    void take_sums(const RowSlab& slab, DeviceSlab& to) const;
    template <class T>
    void gather(const RowSlab& slab, RawBytes& staging);

    LaunchContext& context_;
    const ks::xpcs::CorrelationProblem& problem_;
    const GramShape& shape_;
    const GramPlan& plan_;
    FramesOnDevice& frames_;
    StagingPlan staging_plan_;
    std::optional<StagedUpload> staged_;
    std::size_t group_;  ///< work-items that share a row
    std::size_t group_frames_;
    cl::Kernel kernel_;  ///< regroup or row_sums
    std::shared_ptr<const Buffer> offsets_, places_;
    std::array<RawBytes, 2> staging_;
    std::map<std::size_t, DeviceSlab> resident_;
    Timing reading_{.stage = "read and regroup", .kind = StageKind::read, .launches = 0};  ///< so far
};

}  // namespace ks::gpu::xpcs
