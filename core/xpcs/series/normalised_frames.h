#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/frame_source.h"
#include "core/data/partition/q_partition.h"
#include "core/input/frame_input.h"
#include "core/run/parameter_spec.h"
#include "core/run/request.h"
#include "core/xpcs/derived_frames.h"
#include "core/xpcs/pairs/reduced_frames.h"

namespace ks::xpcs {

/// By what the counts of each frame are divided before they are correlated.
struct Normalisation {
    enum class By { nothing, frame_sum, monitor };
    By by = By::nothing;
    std::string monitor = {};  ///< path of an array in the frames' file: "/entry/monitor/data"
    bool none() const { return by == By::nothing; }
};

/// normalise.
ParameterSpec normalisation_parameter();
/// Throws ks::Error(input) for any other word. Saved runs of earlier versions have no such parameter.
Normalisation normalisation_of(const ParameterSet& parameters);

/// The frames of a source as f32, each divided by its own number: by the sum of its counts in bins, or by its
/// monitor value, relative to the mean over the frames that are used. What is no count, or at least
/// the saturation, is NaN.
class NormalisedFrames : public DerivedFrames {
  public:
    /// @param divisors [frame of the source]; those of frames that are not read may have any value
    /// @param first_invalid counts from this one on are invalid
    NormalisedFrames(std::shared_ptr<FrameSource> source, std::vector<double> divisors, double first_invalid);

    /// By what the counts of a frame of the source are divided; any number for one that is not used.
    double divisor(std::size_t frame) const { return divisors_[frame]; }

    std::string identity() const override;
    ElementType type() const override { return ElementType::f32; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::vector<double> divisors_;
    double first_invalid_;
};

/// The frames of a source, normalised. Throws ks::Error(input) if a frame that is used has a sum or a monitor
/// value that is not above 0 (naming the frames), or if the monitor has another length than the source.
/// Sums are over the pixels that a correlation of these frames uses: those in bins that are valid in all of
/// them.
/// @param input of the frames
/// @param range of the source @param reduction of it: used_range() are the frames that are used
std::shared_ptr<NormalisedFrames> normalised(const std::shared_ptr<FrameSource>& source,
                                             const Normalisation& normalisation, const InputRef& input,
                                             const io::FrameRange& range, const Reduction& reduction,
                                             const QPartition& partition, double first_invalid,
                                             Progress& progress);

}  // namespace ks::xpcs
