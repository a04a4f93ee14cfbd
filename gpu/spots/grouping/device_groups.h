#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/spots/signal_kernels.h"
#include "gpu/spots/signal_list.h"

namespace ks::gpu::spots {

/// Groups signal into spots on the device, for all frames of a launch at once: connected components, and
/// their integer sums (gpu/spots/grouping/*.cl). Returns the list of the signal pixels and one record per
/// spot. If the run has no other frames, it returns the table of the spots instead of records.
class DeviceGroups {
  public:
    /// Whether device and problem allow it: whole counts, 64-bit atomics, and modules arranged in rows and
    /// columns.
    static bool takes(const SpotProblem& problem, const LaunchContext& context);

    /// @param at_once maximum number of frames per launch
    /// @param goes_on there are more frames than that
    DeviceGroups(const SpotProblem& problem, std::size_t at_once, bool goes_on, LaunchContext& context);

    /// Spots of some frames in transit to the host.
    struct Pending {
        SignalLists::Pending list;
        Buffer frame_bits;  ///< if frames are cut into modules
        Buffer ranks, piece_parent, spot_parent, counts, piece_numbers, spot_numbers, pieces, labels;
        Buffer records;  ///< of spots, if the device makes their table
        Buffer found;    ///< totals, then the table followed by the signal, or else the records
        std::shared_ptr<const Buffer> numbers;  ///< of frames
        std::vector<std::uint32_t> frames;
        cl::Event read;
        Array found_here, list_here, spot;            ///< in host memory: found, list, the spot of each pixel
        std::size_t signal_read = 0, spots_read = 0;  ///< numbers read of each
    };
    std::uint64_t once_bytes() const;
    std::uint64_t pending_bytes() const;
    void prepare(LaunchContext& context);
    Pending make(LaunchContext& context) const;

    /// Enqueues everything after the kernels that find the signal. `pending` must not move until taken.
    /// @param numbers of the frames, counted from the first of the problem
    void enqueue(LaunchContext& context, const FrameOnDevice& on_device, std::span<const std::size_t> numbers,
                 Pending& pending);
    /// Waits for the result. Nothing if there is not enough room for the signal, which must then be grouped
    /// elsewhere.
    std::optional<ks::spots::FrameGroups> take(LaunchContext& context, Pending& pending);
    /// After that: the signal pixels [frame][y][x], ascending.
    std::vector<std::uint32_t> list_of(LaunchContext& context, const Buffer& bits, Pending& pending);

    /// The kernels in launch order.
    std::string names() const;

  private:
    struct Totals {
        std::size_t signal, pieces, spots;
        std::uint64_t marked, inexact, undecided;
    };
    static Totals totals_of(const Pending& pending);
    const Buffer& bits_of(const Buffer& bits, const Pending& pending) const;
    std::size_t head_bytes() const;  ///< of the totals
    cl_uint records_before() const;  ///< number of records that would fit before the first one
    /// Bytes of `found` for this many spots and signal pixels.
    std::size_t found_bytes(std::size_t spots, std::size_t signal) const;
    const Buffer& spot_parent(const Pending& pending) const;
    const Buffer& spot_numbers(const Pending& pending) const;
    const Buffer& records(const Pending& pending) const;
    cl_uint nodes() const { return static_cast<cl_uint>(lists_.capacity()); }  ///< signal pixels that fit
    void place_frames(LaunchContext& context, Pending& pending);
    /// Launches of the kernels that make the table, link, measure.
    using Launches = std::vector<LaunchContext::Launch>;
    void make_table(const Pending& pending, Launches& launches);
    void gather_bits(LaunchContext& context, const FrameOnDevice& on_device, Pending& pending);
    void link(const Buffer& bits, const Pending& pending, Launches& launches);
    void measure(const FrameOnDevice& on_device, const Buffer& bits, const Pending& pending,
                 Launches& launches);
    void read(LaunchContext& context, Pending& pending, std::size_t signal, std::size_t spots);
    ks::spots::FrameGroups groups_of(Pending& pending, const Totals& totals) const;
    /// The table stays in the memory into which it was downloaded.
    void take_table(Pending& pending, const Totals& totals, ks::spots::FrameGroups& groups) const;
    void take_records(Pending& pending, const Totals& totals, ks::spots::FrameGroups& groups) const;

    const SpotProblem& problem_;
    PlaneShape modules_, frames_;  ///< of one frame; of all frames of a launch, without modules
    std::size_t at_once_;
    bool makes_table_;       ///< no frames are left for other launches
    bool goes_on_, linked_;  ///< spots may continue: from one launch to the next, from frame to frame
    SignalLists lists_;
    std::size_t room_;  ///< spots and pieces that fit
    std::size_t group_, block_, lanes_, groups_;
    std::string signal_key_, spots_key_;  ///< of the sizes seen on the device so far
    std::size_t signal_before_, spots_before_;
    cl::Kernel gather_, join_, count_, number_, sum_, background_, table_;
    std::shared_ptr<const Buffer> row_at_, column_at_, origins_;
};

}  // namespace ks::gpu::spots
