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

/// The selected raw frames on the device, kept between runs: uploaded in one go.
std::shared_ptr<const Buffer> frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                                               std::uint64_t others);

/// How frames get to a device.
struct FramesPlan {
    StagingPlan staging = {};
    /// if the run is a part and the upload is staged: only the pixels of the part's bins
    bool packs = false;
    std::uint64_t band_bytes = std::uint64_t{64} << 20;  ///< minimum before kernels start on them
    std::size_t most_bands = 16;

    /// What suits the device.
    static FramesPlan of(LaunchContext& context);
};

/// The selected raw frames on the device, kept between runs, or only their pixels in the problem's bins. They
/// arrive in bands of consecutive frames, so that kernels start on a band while later ones are in transit.
///
/// A part of a run uploads only its own pixels, unless all pixels are already there. Since parts differ from
/// run to run, all pixels are uploaded once in two cases: if the pixels of some part have already been reused
/// by a later run and those of this part are not there, or if the pixels of all parts together exceed a
/// frame.
class FramesOnDevice {
  public:
    FramesOnDevice(LaunchContext& context, const CorrelationProblem& problem, const FramesPlan& plan);

    /// [frame][pixel] on the device.
    std::uint64_t bytes() const { return frame_bytes_ * problem_.frames(); }
    std::size_t frame_pixels() const { return frame_bytes_ / size_of(problem_.source_type()); }
    bool packed() const { return packed_; }
    /// QPartition::pixels() as positions in a frame on the device: unchanged unless packed().
    std::span<const std::uint32_t> places() const;
    /// Ends of the bands, in frames: multiples of `multiple`, except for the last.
    std::vector<std::size_t> bands(std::size_t multiple) const;

    /// Makes the frames up to `end`, the end of the next band, available to commands that are enqueued in the
    /// context's queue from now on. The run will need `others` more bytes, as in resident().
    void bring(std::size_t end, std::uint64_t others);
    /// Releases the frames, which another run may have left there.
    void let_go() { kept_.reset(); }
    const Buffer& buffer() const { return kept_ ? *kept_ : made_; }

  private:
    bool staged() const { return plan_.staging.stages(problem_.frames_bytes()); }
    /// Whether only the pixels of its bins are uploaded.
    bool suits_packed() const;
    StagedUpload::Source source();
    const ks::xpcs::PixelSelection& selection() const;

    LaunchContext& context_;
    const CorrelationProblem& problem_;
    FramesPlan plan_;
    bool packed_ = false;
    std::string key_;
    std::uint64_t frame_bytes_ = 0;
    std::shared_ptr<const Buffer> kept_;  ///< if all of them are there
    Buffer made_;                         ///< until then
    std::size_t brought_ = 0;
    mutable std::optional<ks::xpcs::PixelSelection> selection_;
    mutable std::optional<std::vector<std::uint32_t>> packed_places_;
    RawBytes whole_;  ///< frames that are packed once they have been read
    std::optional<StagedUpload> upload_;
};

}  // namespace ks::gpu::xpcs
