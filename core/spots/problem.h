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

/// Frames [first, first + frames) of a source that may be shared by problems with other masks and thresholds:
/// what was read once stays in memory where there is room.
class SharedFrames {
  public:
    /// Looks for each frame, and throws ks::Error(input) where next to none of very many is there.
    /// @param keep_bytes frames are kept in memory as long as they take at most this
    /// @param left_out frames that count as missing, as the source counts them, all in the range
    SharedFrames(std::shared_ptr<FrameSource> source, std::size_t first, std::size_t frames,
                 std::uint64_t keep_bytes, const std::vector<std::size_t>& left_out = {},
                 const Progress& progress = {});

    /// Frames [first, first + frames) of others: what these read and know serves both.
    SharedFrames(std::shared_ptr<const SharedFrames> whole, std::size_t first, std::size_t frames);

    static std::string key_of(const FrameSource& source, std::size_t first, std::size_t frames,
                              const std::vector<std::size_t>& left_out);
    /// Changes with the file's content, the range and what is left out.
    const std::string& key() const { return key_; }
    const FrameSource& source() const { return *source_; }
    std::size_t first() const { return first_; }  ///< its number in the source
    std::size_t frames() const { return frames_; }
    /// There is nothing to look at: the file has no values, or the frame is left out.
    bool missing(std::size_t frame) const { return missing_[frame]; }
    std::size_t missing() const;  ///< how many
    bool left_out(std::size_t frame) const { return left_out_[frame]; }
    std::size_t left_out() const;  ///< how many of the missing ones
    /// Whether the values of a frame were found not to be decodable: only reading it shows that.
    bool damaged(std::size_t frame) const;
    /// What is known of such frames so far: why, by frame.
    std::map<std::size_t, std::string> damaged() const;
    /// Takes what another process found of a frame that it read.
    void note_damaged(std::size_t frame, const std::string& why) const;
    /// Whether frames stay in memory once they are read.
    bool keeps() const { return keep_; }
    /// All frames [frame][y][x] where they were in memory from the start, else empty.
    std::span<const std::byte> in_memory() const { return in_memory_; }
    /// A frame as it is in the file. Where the frames are kept the values live as long as this and `scratch`
    /// is not touched, else they are in `scratch`. Safe from any thread. Throws ks::Error(input) where
    /// reading fails, or the frame is missing, and DamagedFrame.
    std::span<const std::byte> frame(std::size_t frame, std::vector<std::byte>& scratch) const;
    /// frame(), or nothing where that is damaged.
    std::optional<std::span<const std::byte>> sound_frame(std::size_t frame,
                                                          std::vector<std::byte>& scratch) const;
    /// The first frame that is not missing, nor known to be damaged; frames() where there is none, and of
    /// those that are a part: it is looked for among all.
    std::size_t first_there() const;
    bool is_part() const { return whole_ != nullptr; }
    /// Pixels [y][x] of that frame that hold io::marking_value(), ascending. Looked for once, in `pixels`,
    /// the frame itself, so that problems that share the frames pay for it once. Safe from any thread.
    const std::vector<std::uint32_t>& marked(std::span<const std::byte> pixels) const;
    /// Whether marked() knows without the pixels, which may then be empty.
    bool knows_marked() const { return knows_marked_; }

  private:
    void look_for_frames(const Progress& progress);

    std::shared_ptr<const SharedFrames> whole_;  ///< null: these are all
    std::size_t offset_ = 0;                     ///< in them
    std::shared_ptr<FrameSource> source_;
    std::size_t first_, frames_;
    std::string key_;
    std::vector<bool> missing_, left_out_;
    std::span<const std::byte> in_memory_;
    mutable std::mutex reading_;
    bool keep_;
    mutable std::vector<RawBytes> kept_;  ///< by frame; empty: not read yet
    mutable std::mutex telling_;
    mutable std::map<std::size_t, std::string> damaged_;
    mutable std::once_flag looked_for_marks_;
    mutable std::atomic<bool> knows_marked_ = false;
    mutable std::vector<std::uint32_t> marked_;
};

/// The pixels of every frame that are left out, prepared once for all problems that share it: 16 Mpx take
/// some 20 ms.
class FrameMask {
  public:
    /// @param mask of the frames' shape, or empty. Throws ks::Error(input) naming `frames` where it has
    /// another shape or
    ///             leaves no pixel.
    FrameMask(PixelMask mask, const FrameSource& frames, const ModuleLayout& layout);

    const std::vector<std::uint8_t>& ignore() const { return ignore_; }  ///< [y][x], 1 = ignore
    /// The same cut as the frames are: [module][y][x].
    const std::vector<std::uint8_t>& cut() const { return cut_.empty() ? ignore_ : cut_; }
    /// Bits [y][x] of the frame: 1 where no image has the pixel, as it is ignored or between the modules.
    const BitImage& unused() const { return unused_; }
    const std::string& key() const { return key_; }  ///< changes with the content
    std::size_t masked() const { return masked_; }

  private:
    std::vector<std::uint8_t> ignore_, cut_;
    BitImage unused_;
    std::string key_;
    std::size_t masked_ = 0;
};

/// What finds spots: frames, the pixels to ignore, thresholds, and what to do with the signal.
class SpotProblem : public Problem {
  public:
    /// @param mask made for these frames and this layout. Throws ks::Error(input) where thresholds are out of
    /// their
    ///             ranges, a window is larger than an image, or a pixel type is none of u8, u16, u32, i16,
    ///             i32, i64, f32.
    SpotProblem(std::shared_ptr<const SharedFrames> frames, std::shared_ptr<const FrameMask> mask,
                double limit, const Thresholds& thresholds, ModuleLayout layout, const Grouping& grouping);
    /// The same with a mask of its own (of the frames' shape, or empty).
    SpotProblem(std::shared_ptr<const SharedFrames> frames, PixelMask mask, double limit,
                const Thresholds& thresholds, ModuleLayout layout, const Grouping& grouping);

    /// Frames [first, end) alone; it shares all else.
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

    /// [y][x] of the frame, 1 = ignore; always there.
    const std::vector<std::uint8_t>& ignore() const { return mask_->ignore(); }
    /// The same cut as the frames are: [module][y][x].
    const std::vector<std::uint8_t>& ignore_cut() const { return mask_->cut(); }
    const std::string& mask_key() const { return mask_->key(); }  ///< changes with ignore() and layout()
    const std::shared_ptr<const FrameMask>& mask() const { return mask_; }
    std::size_t masked_pixels() const { return mask_->masked(); }
    /// Values of this and more are invalid; infinite: none. With dispersion_extended it is at most 2^24.
    double limit() const { return limit_; }
    /// What limit() was given as: values of this and more are saturated.
    double saturation() const { return saturation_; }
    const Thresholds& thresholds() const { return thresholds_; }
    const ModuleLayout& layout() const { return layout_; }
    const Grouping& grouping() const { return grouping_; }

    Geometry geometry = {};    ///< incomplete where unknown
    bool located = false;      ///< where the beam is, is known
    bool save_signal = false;  ///< the saved run holds the signal of all pixels
    bool all_spots = false;    ///< and the spots that were filtered out

  private:
    std::shared_ptr<const SharedFrames> frames_;
    std::shared_ptr<const FrameMask> mask_;
    double limit_, saturation_;
    Thresholds thresholds_;
    ModuleLayout layout_;
    Grouping grouping_;
};

}  // namespace ks::spots
