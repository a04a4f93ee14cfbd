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

/// Reads frames for a stream (core/run/stream_scheduler.h). If the source allows it, several are read in
/// parallel, because a core takes longer to decompress a frame than a device takes to process it. The values
/// of several frames are in memory at the same time: those that are being read, those that the device uses,
/// and those that were passed to the sink. For a GPU, frames are copied into page-locked memory; since it is
/// expensive to create, there is only enough for a few frames, and it is reused for one upload after another.
/// Frames that the device decodes are read into this memory as stored in the file, and have no values here.
class FrameReader {
  public:
    struct Wants {
        std::size_t alive;    ///< frames whose values are in memory, besides those read ahead
        bool values = true;   ///< also of frames that are not uploaded
        bool packed = false;  ///< for upload, frames that a device can decode
    };
    FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, const Wants& wants);

    std::size_t reads_at_once() const { return at_once_; }
    std::size_t staging_buffers() const { return stagings_.size(); }
    /// Staging memory for one frame; 0 if everything that is needed of the frame is already there.
    std::uint64_t staging_bytes(bool for_upload) const;

    struct Read {
        std::span<const std::byte> pixels{};     ///< [y][x] as in the file; empty: not wanted, or packed
        std::span<const std::byte> to_upload{};  ///< the same, where a device reads them fastest
        std::optional<PackedFrame> packed{};     ///< instead of them
        bool damaged = false;                    ///< there are no values: the frame must be left out
        Timing timing{};  ///< of the reading; the times of frames read in parallel overlap
    };
    /// Reads frame number `index` of the stream through staging buffer `buffer`, on any thread.
    /// @param for_upload it will be copied to the device: uploading() says when that has ended
    void read(std::size_t index, std::size_t frame, bool for_upload, std::size_t buffer);
    /// The result of read(); of the frames taken, the last `alive` keep their values.
    Read take(std::size_t index) { return std::move(reads_[index % reads_.size()]); }
    /// The content of `buffer` is being copied until `uploaded`, which is in a queue that was flushed.
    void uploading(std::size_t buffer, const cl::Event& uploaded) { stagings_[buffer].uploaded = uploaded; }

  private:
    /// Memory for a frame in transit, page-locked if that suits the device.
    struct Staging {
        std::shared_ptr<std::byte[]> memory;
        std::size_t room = 0;
        cl::Event uploaded;  ///< its content in transit; null: nothing was uploaded

        /// @param with_reserve bytes to allocate if it has less than `bytes`
        std::span<std::byte> make_room(DeviceContext& device, std::size_t bytes, std::size_t with_reserve);
    };
    Read read_values(std::size_t frame, Staging* staging, std::vector<std::byte>& place) const;
    /// Nothing if the frame is stored in another form, or is damaged.
    std::optional<Read> read_packed(std::size_t frame, Staging& staging) const;

    const ks::spots::SpotProblem& problem_;
    DeviceContext& device_;
    Wants wants_;
    unsigned threads_;  ///< for copying
    std::size_t at_once_;
    std::vector<std::vector<std::byte>> places_;  ///< values as they were read
    std::vector<Read> reads_;                     ///< the same frames
    std::vector<Staging> stagings_;               ///< some are filled while others are uploaded
};

}  // namespace ks::gpu::spots
