#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/spots/problem.h"
#include "gpu/runtime/decode/frame_decoder.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::spots {

/// Reads frames for a stream (core/run/stream_scheduler.h): several side by side where the source can, as
/// frames that are compressed take a core longer than a device. The values of several frames live at the same
/// time: those being read, those on their way through the device, those that the sink gets. For a GPU they
/// are copied into page-locked memory, which is dear to make: that of a few frames serves one upload after
/// another. Frames that the device decodes are read into it as they lie in the file, and have no values here.
class FrameReader {
  public:
    struct Wants {
        std::size_t alive;    ///< frames whose values live at the same time, beside those that are read ahead
        bool values = true;   ///< of frames that are not uploaded too
        bool packed = false;  ///< for upload, frames that a device can decode
    };
    FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, const Wants& wants);

    std::size_t reads_at_once() const { return at_once_; }
    std::size_t staging_buffers() const { return stagings_.size(); }
    /// Of one frame; 0 where what is wanted of it is there.
    std::uint64_t staging_bytes(bool for_upload) const;

    struct Read {
        std::span<const std::byte> pixels{};     ///< [y][x] as in the file; empty: not wanted, or packed
        std::span<const std::byte> to_upload{};  ///< the same, where a device reads them best
        std::optional<PackedFrame> packed{};     ///< in their place
        bool damaged = false;                    ///< there are no values: it is to be left out
        Timing timing{};                         ///< of the reading; frames read side by side overlap
    };
    /// Frame number `index` of those that the stream reads, through staging buffer `buffer`, on any thread.
    /// @param for_upload it will be copied to the device: uploading() tells when that has ended
    void read(std::size_t index, std::size_t frame, bool for_upload, std::size_t buffer);
    /// What read() found; of the frames that were taken the last `alive` keep their values.
    Read take(std::size_t index) { return std::move(reads_[index % reads_.size()]); }
    /// What is in `buffer` is copied until `uploaded`, which is in a queue that was flushed.
    void uploading(std::size_t buffer, const cl::Event& uploaded) { stagings_[buffer].uploaded = uploaded; }

  private:
    /// Memory of a frame on its way, page-locked where a device wants it so.
    struct Staging {
        std::shared_ptr<std::byte[]> memory;
        std::size_t room = 0;
        cl::Event uploaded;  ///< what is in it; null: nothing was

        /// @param with_reserve bytes that it makes where it has less than `bytes`
        std::span<std::byte> make_room(DeviceContext& device, std::size_t bytes, std::size_t with_reserve);
    };
    Read read_values(std::size_t frame, Staging* staging, std::vector<std::byte>& place) const;
    /// Nothing where the frame lies there in another form, or is damaged.
    std::optional<Read> read_packed(std::size_t frame, Staging& staging) const;

    const ks::spots::SpotProblem& problem_;
    DeviceContext& device_;
    Wants wants_;
    unsigned threads_;  ///< that copy
    std::size_t at_once_;
    std::vector<std::vector<std::byte>> places_;  ///< values as they were read
    std::vector<Read> reads_;                     ///< the same frames
    std::vector<Staging> stagings_;               ///< some are filled while others are uploaded
};

}  // namespace ks::gpu::spots
