#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/frame_source.h"
#include "core/data/partition/q_partition.h"
#include "core/input/frame_input.h"

namespace ks::xpcs {

/// Why the sum of a frame is an outlier.
enum class OutlierReason {
    dark,    ///< below a tenth of the median of all frames: shutter closed or no beam
    low,     ///< far below the frames around it: beam loss
    high,    ///< far above the frames around it
    invalid  ///< none of its pixels is valid
};

struct Outlier {
    std::size_t frame;  ///< index in the list of sums
    OutlierReason reason;
    bool operator==(const Outlier&) const = default;
};

/// The outliers among the sums of successive frames, ascending: dark frames, and then those that differ from
/// the median of the 51 frames around them (without dark ones) by more than six standard deviations, as
/// estimated by 1.4826 times the median of |sum - median|, and not less than the root of the median, the
/// noise of counts.
/// @param shares FrameSums::shares: noise is larger where less was counted, and frames with 0 are outliers
/// that are compared with none, unless all are; empty: all 1
std::vector<Outlier> outliers_of(std::span<const double> sums, std::span<const double> shares = {});

/// Sums of frames.
struct FrameSums {
    std::vector<double> sums;
    std::vector<std::size_t> frames;  ///< their numbers in the source
    /// The share of the intensity in bins that valid pixels of each frame count on average; 0: it has none.
    /// Empty: all 1.
    std::vector<double> shares = {};
};
/// The sum of each frame of the range over the pixels in bins that are valid, that is, counts below
/// `saturation`, in all of these frames: without those that are left out, missing or damaged. No frames if
/// there is no such pixel.
FrameSums frame_sums_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
                        double saturation, Progress& progress);
/// The sum of the same frames over all pixels in bins, for finding outliers: the sum over those that are
/// valid in a frame, divided by their share. (Frames without valid pixels have any sum.)
FrameSums intensities_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
                         double saturation, Progress& progress);

/// "auto" among the words of a list of frames to leave out: "auto", "10-19,auto".
bool names_auto(const std::string& frames);
/// The list without that word; "none" if nothing else is in it.
std::string without_auto(const std::string& frames);
/// "frames 3 to 5 were left out automatically (3 of 500), because their sums are below a tenth of ...": a
/// sentence for each reason that occurs.
/// @param numbers numbers of all frames by their index among the sums
std::vector<std::string> outlier_texts(const std::vector<Outlier>& outliers,
                                       const std::vector<std::size_t>& numbers);

}  // namespace ks::xpcs
