#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/raw_bytes.h"
#include "core/xpcs/pixel_selection.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::xpcs {

using ks::xpcs::CorrelationProblem;

/// The raw selected frames on the device, kept between runs: in one go.
std::shared_ptr<const Buffer> frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                                               std::uint64_t others);

/// How frames get to a device.
struct FramesPlan {
    StagingPlan staging = {};
    bool packs = false;  ///< of a part of a run the pixels of its own bins, where staged
    std::uint64_t band_bytes = std::uint64_t{64} << 20;  ///< at least, before kernels begin with them
    std::size_t most_bands = 16;

    /// What suits the device.
    static FramesPlan of(LaunchContext& context);
};

/// The raw selected frames on the device, kept between runs, or the pixels of them that the problem's bins
/// have. They come in bands, consecutive frames each, with which kernels begin while later ones are on their
/// way.
///
/// A part of a run takes its own pixels alone, unless all are there. Parts differ from run to run: where
/// those of some part were taken again, which a later run does, and those of this one are not there, or where
/// together they are more than a frame has, all of them are uploaded, once.
class FramesOnDevice {
  public:
    FramesOnDevice(LaunchContext& context, const CorrelationProblem& problem, const FramesPlan& plan);

    /// [frame][pixel] on the device.
    std::uint64_t bytes() const { return frame_bytes_ * problem_.frames(); }
    std::size_t frame_pixels() const { return frame_bytes_ / size_of(problem_.source_type()); }
    bool packed() const { return packed_; }
    /// QPartition::pixels() as places in a frame there: they stay what they are unless packed().
    std::span<const std::uint32_t> places() const;
    /// Where bands end, in frames: multiples of `multiple`, but the last.
    std::vector<std::size_t> bands(std::size_t multiple) const;

    /// Frames up to `end`, that of the next band, are there for what is put into the context's queue from now
    /// on. `others` more bytes will be needed for the run, as of resident().
    void bring(std::size_t end, std::uint64_t others);
    /// They are not wanted: another run may have left them.
    void let_go() { kept_.reset(); }
    const Buffer& buffer() const { return kept_ ? *kept_ : made_; }

  private:
    bool staged() const { return plan_.staging.stages(problem_.frames_bytes()); }
    /// Whether it takes the pixels of its bins alone.
    bool suits_packed() const;
    StagedUpload::Source source();
    const ks::xpcs::PixelSelection& selection() const;

    LaunchContext& context_;
    const CorrelationProblem& problem_;
    FramesPlan plan_;
    bool packed_ = false;
    std::string key_;
    std::uint64_t frame_bytes_ = 0;
    std::shared_ptr<const Buffer> kept_;  ///< where all of them are there
    Buffer made_;                         ///< until then
    std::size_t brought_ = 0;
    mutable std::optional<ks::xpcs::PixelSelection> selection_;
    mutable std::optional<std::vector<std::uint32_t>> packed_places_;
    RawBytes whole_;  ///< frames that are packed as soon as they were read
    std::optional<StagedUpload> upload_;
};

}  // namespace ks::gpu::xpcs
