#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/spots/problem.h"
#include "gpu/runtime/decode/frame_decoder.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::spots {

/// Reads frames ahead on threads of their own: several side by side where the source can, as frames that are
/// compressed take a core longer than a device. The values of several frames live at the same time: those
/// being read, those on their way through the device, those that the sink gets. For a GPU they are copied
/// into page-locked memory, which is dear to make: that of a few frames serves one upload after another.
/// Frames that the device decodes are read into it as they lie in the file, and have no values here.
class FrameReader {
  public:
    struct Wants {
        std::size_t alive;    ///< frames whose values live at the same time, beside those that are read ahead
        bool values = true;   ///< of frames that are not uploaded too
        bool packed = false;  ///< for upload, frames that a device can decode
    };
    FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, const Wants& wants);

    /// How many frames are to be started before the first of them is taken.
    std::size_t ahead() const { return ahead_; }
    /// Starts reading; of the frames that were taken the last `alive` keep their values.
    /// @param for_upload they will be copied to the device: uploading() tells when that has ended
    void start(std::size_t frame, bool for_upload);
    struct Read {
        std::span<const std::byte> pixels;     ///< [y][x] as in the file; empty: not wanted, or packed
        std::span<const std::byte> to_upload;  ///< the same, where a device reads them best
        std::optional<PackedFrame> packed;     ///< in their place
        bool damaged = false;                  ///< there are no values: it is to be left out
        Timing timing{};                       ///< of the reading; frames read side by side overlap
    };
    /// Waits for the first of what start() began and nobody took.
    Read take();
    /// What was taken is copied from `to_upload` until `uploaded`, which is in a queue that was flushed. To
    /// be called before start() is for the next time.
    void uploading(std::span<const std::byte> to_upload, const cl::Event& uploaded);

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
    unsigned threads_;                            ///< that copy
    std::vector<std::vector<std::byte>> places_;  ///< values as they were read
    std::vector<Staging> stagings_;               ///< some are filled while others are uploaded
    std::size_t ahead_, next_ = 0, staged_ = 0;
    struct Started {
        Read there;  ///< where nothing is pending
        Pending<Read> pending;
    };
    std::deque<Started> started_;
};

}  // namespace ks::gpu::spots
