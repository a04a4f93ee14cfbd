#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/raw_bytes.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/data/pixel_mask.h"
#include "core/run/analysis.h"
#include "core/spots/module_layout.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/signal/reference.h"
#include "core/spots/spot.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// Frames [first, first + frames) of a source. Problems with other masks and thresholds may share them:
/// frames that were read are kept in memory if there is room.
class SharedFrames {
  public:
    /// Checks which frames exist. Throws ks::Error(input) if the source declares very many frames, of which
    /// hardly any exist.
    /// @param keep_bytes maximum size of the frames kept in memory
    /// @param left_out frames to be treated as missing, numbered as in the source, all within the range
    SharedFrames(std::shared_ptr<FrameSource> source, std::size_t first, std::size_t frames,
                 std::uint64_t keep_bytes, const std::vector<std::size_t>& left_out = {},
                 const Progress& progress = {});

    /// Frames [first, first + frames) of another object, sharing its data.
    SharedFrames(std::shared_ptr<const SharedFrames> whole, std::size_t first, std::size_t frames);

    static std::string key_of(const FrameSource& source, std::size_t first, std::size_t frames,
                              const std::vector<std::size_t>& left_out);
    /// Changes with the content of the file, the range and the frames left out.
    const std::string& key() const { return key_; }
    const FrameSource& source() const { return *source_; }
    std::size_t first() const { return first_; }  ///< number of the first frame in the source
    std::size_t frames() const { return frames_; }
    /// The frame is not searched: the file has no values, or it is left out.
    bool missing(std::size_t frame) const { return missing_[frame]; }
    std::size_t missing() const;  ///< how many
    bool left_out(std::size_t frame) const { return left_out_[frame]; }
    std::size_t left_out() const;  ///< how many of the missing ones
    /// Whether a frame could not be decoded; only known after it was read.
    bool damaged(std::size_t frame) const;
    /// The frames known to be damaged so far, with the reason.
    std::map<std::size_t, std::string> damaged() const;
    /// Records a damaged frame found by another process.
    void note_damaged(std::size_t frame, const std::string& why) const;
    /// Whether frames are kept in memory after they were read.
    bool keeps() const { return keep_; }
    /// All frames [frame][y][x] if they were in memory from the start; else empty.
    std::span<const std::byte> in_memory() const { return in_memory_; }
    /// A frame as in the file. If frames are kept, the values live as long as this object, and `scratch` is
    /// not used; otherwise they are in `scratch`. Safe from any thread. Throws ks::Error(input) if reading
    /// fails or the frame is missing, and DamagedFrame if it is damaged.
    std::span<const std::byte> frame(std::size_t frame, std::vector<std::byte>& scratch) const;
    /// frame(), or nothing if it is damaged.
    std::optional<std::span<const std::byte>> sound_frame(std::size_t frame,
                                                          std::vector<std::byte>& scratch) const;
    /// The first frame that is neither missing nor known to be damaged; frames() if there is none. For a part
    /// it is searched among all frames.
    std::size_t first_there() const;
    bool is_part() const { return whole_ != nullptr; }
    /// Pixels [y][x] of that frame with the value io::marking_value(), ascending. `pixels` is that frame.
    /// They are searched only once for all problems that share the frames. Safe from any thread.
    const std::vector<std::uint32_t>& marked(std::span<const std::byte> pixels) const;
    /// Whether marked() has its result, so that its argument may be empty.
    bool knows_marked() const { return knows_marked_; }

  private:
    void look_for_frames(const Progress& progress);

    std::shared_ptr<const SharedFrames> whole_;  ///< null: not a part
    std::size_t offset_ = 0;                     ///< in whole_
    std::shared_ptr<FrameSource> source_;
    std::size_t first_, frames_;
    std::string key_;
    std::vector<bool> missing_, left_out_;
    std::span<const std::byte> in_memory_;
    mutable std::mutex reading_;
    bool keep_;
    mutable std::vector<RawBytes> kept_;  ///< per frame; empty: not read yet
    mutable std::mutex telling_;
    mutable std::map<std::size_t, std::string> damaged_;
    mutable std::once_flag looked_for_marks_;
    mutable std::atomic<bool> knows_marked_ = false;
    mutable std::vector<std::uint32_t> marked_;
};

/// The pixels ignored in every frame, prepared once for all problems that share the mask: 16 Mpx take
/// about 20 ms.
class FrameMask {
  public:
    /// Throws ks::Error(input) naming `frames` if the mask has another shape or ignores all pixels.
    /// @param mask of the frames' shape, or empty
    FrameMask(PixelMask mask, const FrameSource& frames, const ModuleLayout& layout);

    const std::vector<std::uint8_t>& ignore() const { return ignore_; }  ///< [y][x], 1 = ignore
    /// The same pixels, divided like the frames: [module][y][x].
    const std::vector<std::uint8_t>& cut() const { return cut_.empty() ? ignore_ : cut_; }
    /// Bits [y][x] of the frame: 1 where the pixel is ignored or between modules.
    const BitImage& unused() const { return unused_; }
    const std::string& key() const { return key_; }  ///< changes with the content
    std::size_t masked() const { return masked_; }

  private:
    std::vector<std::uint8_t> ignore_, cut_;
    BitImage unused_;
    std::string key_;
    std::size_t masked_ = 0;
};

/// The input of spot finding: frames, the pixels to ignore, thresholds, and the treatment of the signal.
class SpotProblem : public Problem {
  public:
    /// Throws ks::Error(input) if thresholds are out of range, a window is larger than an image, or the
    /// pixel type is not one of u8, u16, u32, i16, i32, i64, f32.
    /// @param mask created for these frames and this layout
    SpotProblem(std::shared_ptr<const SharedFrames> frames, std::shared_ptr<const FrameMask> mask,
                double limit, const Thresholds& thresholds, ModuleLayout layout, const Grouping& grouping);
    /// The same with a separate mask (of the frames' shape, or empty).
    SpotProblem(std::shared_ptr<const SharedFrames> frames, PixelMask mask, double limit,
                const Thresholds& thresholds, ModuleLayout layout, const Grouping& grouping);

    /// A problem of frames [first, end) only, sharing everything else.
    std::shared_ptr<const SpotProblem> part(std::size_t first, std::size_t end) const;
    bool is_part() const { return frames_->is_part(); }

    const std::shared_ptr<const SharedFrames>& shared() const { return frames_; }
    std::size_t frames() const { return frames_->frames(); }
    bool missing(std::size_t frame) const { return frames_->missing(frame); }
    bool left_out(std::size_t frame) const { return frames_->left_out(frame); }
    bool damaged(std::size_t frame) const { return frames_->damaged(frame); }
    std::size_t height() const { return frames_->source().height(); }
    std::size_t width() const { return frames_->source().width(); }
    std::size_t frame_bytes() const { return frames_->source().frame_bytes(); }
    ElementType type() const { return frames_->source().type(); }

    /// [y][x] of the frame, 1 = ignore; never empty.
    const std::vector<std::uint8_t>& ignore() const { return mask_->ignore(); }
    /// The same pixels, divided like the frames: [module][y][x].
    const std::vector<std::uint8_t>& ignore_cut() const { return mask_->cut(); }
    const std::string& mask_key() const { return mask_->key(); }  ///< changes with ignore() and layout()
    const std::shared_ptr<const FrameMask>& mask() const { return mask_; }
    std::size_t masked_pixels() const { return mask_->masked(); }
    /// Values from this on are invalid; infinite: no limit. With dispersion_extended it is at most 2^24.
    double limit() const { return limit_; }
    /// The original value of limit(): values from this on are saturated.
    double saturation() const { return saturation_; }
    const Thresholds& thresholds() const { return thresholds_; }
    const ModuleLayout& layout() const { return layout_; }
    const Grouping& grouping() const { return grouping_; }

    Geometry geometry = {};    ///< incomplete where unknown
    bool located = false;      ///< the beam position is known
    bool save_signal = false;  ///< the saved run includes the signal of all pixels
    bool all_spots = false;    ///< and dropped spots

  private:
    std::shared_ptr<const SharedFrames> frames_;
    std::shared_ptr<const FrameMask> mask_;
    double limit_, saturation_;
    Thresholds thresholds_;
    ModuleLayout layout_;
    Grouping grouping_;
};

}  // namespace ks::spots
