#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/input/frame_input.h"
#include "core/run/parameter_spec.h"
#include "core/xpcs/derived_frames.h"

namespace ks::xpcs {

/// Every stride-th frame of a range, and of these the sums of `average` successive ones.
struct Reduction {
    std::size_t stride = 1, average = 1;
    bool none() const { return stride == 1 && average == 1; }
    /// How many frames a series of `count` frames (at least one) becomes.
    std::size_t frames_of(std::size_t count) const { return ((count - 1) / stride + 1) / average; }
    /// Frames of the file from one frame of the reduced series to the next.
    std::size_t step() const { return stride * average; }
};

/// stride, average.
std::vector<ParameterSpec> reduction_parameters();
/// Saved runs of earlier versions have no such parameters.
Reduction reduction_of(const ParameterSet& parameters);

/// A shorter series: every stride-th frame of a range of a source, from the range's first frame on, and then
/// the sum of each `average` successive ones. (A sum instead of a mean keeps whole counts whole; g2 is the
/// same.) Frames at the end that do not fill a sum are omitted. Without sums, the frames have the type of the
/// source. Sums of integers are i32, and -1 where one of the values is no count; sums of f32 are f32, and NaN
/// there.
class ReducedFrames : public DerivedFrames {
  public:
    /// @param first_invalid with sums: counts from this one on are invalid
    /// Throws ks::Error(input) if no frame is left.
    ReducedFrames(std::shared_ptr<FrameSource> source, const io::FrameRange& range,
                  const Reduction& reduction, double first_invalid);

    /// The whole reduced series. A frame is left out if one of those it is made of is left out.
    io::FrameRange range() const;
    const Reduction& reduction() const { return reduction_; }
    /// Frames of the file that are left out.
    const std::vector<std::size_t>& left_out_in_file() const { return range_.left_out; }
    /// Frames of the file, ascending, that make up these frames of the reduced series.
    std::vector<std::size_t> numbers_in_file(const std::vector<std::size_t>& frames) const;
    /// Number of frames of the range at its end that are in no frame of the reduced series.
    std::size_t omitted() const { return range_.count - std::min(range_.count, frames_ * reduction_.step()); }

    std::string identity() const override;
    std::size_t frames() const override { return frames_; }
    ElementType type() const override { return type_; }
    bool written(std::size_t frame) const override;
    std::optional<double> frame_time() const override;

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    /// Frame of the source for part `part` of the sum that makes a frame.
    std::size_t source_frame(std::size_t frame, std::size_t part) const {
        return range_.first + (frame * reduction_.average + part) * reduction_.stride;
    }
    template <class From>
    void read_sum(std::size_t frame, std::span<std::byte> into);

    io::FrameRange range_;
    Reduction reduction_;
    double first_invalid_;
    std::size_t frames_ = 0;
    ElementType type_;
};

/// The range without the frames of which no frame of a reduced series is made: those that the stride skips,
/// those at the end that do not fill a sum, and those in a sum with a frame that is left out.
io::FrameRange used_range(const io::FrameRange& range, const Reduction& reduction);

}  // namespace ks::xpcs
