#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/data/partition/q_partition.h"
#include "core/input/frame_mask.h"
#include "core/run/analysis.h"
#include "core/xpcs/frame_faults.h"
#include "core/xpcs/frame_scan.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/reduced_frames.h"

namespace ks::xpcs {

struct FieldCorrection;

/// The input with q of each bin, [bin], or with q and azimuth, [bin][2].
inline constexpr const char* bin_q_role = "bin_q";

/// Destination of gathered rows: blocks of `rows` rows, starting with row `first` of each.
struct RowPlace {
    std::size_t first, rows;
};

/// Delays [begin, end), in frames.
struct DelayRange {
    std::size_t begin, end;
    bool operator==(const DelayRange&) const = default;
};

/// Number of pairs of used frames for delay 0 .. frames - 1.
/// @param left_out numbers of the frames that are not used, ascending; those beyond the last are ignored
std::vector<std::size_t> pairs_by_delay(std::size_t frames, const std::vector<std::size_t>& left_out);

/// The input of a correlator: a range of frames of a source, and bins whose pixels are valid in all used
/// frames. Left-out frames appear as zeros (FrameScan). Counts are at most max_count; `compact` is the
/// smallest of u8, u16, u32 that holds them, or f32 for floats that are not all non-negative whole numbers.
class CorrelationProblem : public Problem {
  public:
    /// Scans all selected frames once (FrameScan): finds invalid pixels (not counts by is_count(), or >=
    /// saturation if given), removes them from their bins, and finds the largest count. Keeps the frames in
    /// memory if they take at most `keep_bytes`. Throws ks::Error(input) if no valid pixel is left (naming
    /// the frames that cause this, if they are few), if the partition does not fit, or if a sum of the run
    /// could exceed 64 bits (naming counts, pixels and frames).
    /// @param two_time_bin label of the bin for the two-time map; 0: none
    CorrelationProblem(std::shared_ptr<FrameSource> source, const QPartition& partition, std::size_t first,
                       std::size_t frames, std::size_t two_time_bin, std::optional<double> saturation,
                       std::uint64_t keep_bytes, Progress& progress);

    /// The same with frames that have already been scanned.
    CorrelationProblem(std::shared_ptr<const FrameScan> scan, const QPartition& partition,
                       std::size_t two_time_bin, std::optional<double> saturation, Progress& progress);

    /// Checks everything that can be checked before frames are read. Throws ks::Error(input) if the partition
    /// has another shape or only labels of 0, or if a two-time map is requested for a bin that does not exist
    /// or for too many frames.
    static void require(const FrameSource& source, std::size_t frames, const QPartition& partition,
                        std::size_t two_time_bin);

    /// Bins [first, end) only, as bins 0 .. end - first, at least one of them not empty; shares the frames,
    /// and keeps the properties of the counts of all bins.
    std::shared_ptr<const CorrelationProblem> part(std::size_t first, std::size_t end) const;
    /// The same, with only the delays from `begin` on in its first bin, and those before `until` in
    /// its last one.
    std::shared_ptr<const CorrelationProblem> part(std::size_t first, std::size_t end, std::size_t begin,
                                                   std::size_t until) const;
    bool is_part() const { return is_part_; }
    /// Number of pixels in the largest of all bins.
    std::size_t largest_bin() const { return largest_bin_; }

    const std::shared_ptr<const FrameScan>& scan() const { return scan_; }
    std::string source_name() const { return scan_->source().name(); }
    /// A key for raw frames that are kept on devices. It changes with the content of the file and the range
    /// of frames, but not with the partition, so that a changed mask does not cause uploads. Keys of data
    /// that depend on the bins also need partition_key().
    const std::string& frames_key() const { return scan_->key(); }
    /// Changes with the labels left after removing invalid pixels.
    const std::string& partition_key() const { return partition_key_; }
    /// The partition_key() of the problem this is a part of.
    const std::string& whole_partition_key() const { return whole_partition_key_; }
    std::size_t frames() const { return scan_->frames(); }
    /// False if the frame is left out.
    bool used(std::size_t frame) const { return scan_->used(frame); }
    /// Frames that are not used, as numbers from 0 to frames() - 1, ascending.
    std::vector<std::size_t> left_out() const;
    /// Number of pairs of used frames for delay 0 .. frames() - 1.
    std::vector<std::size_t> pairs() const;
    /// Delays 0 .. delays() - 1 are requested; frames() unless limited.
    std::size_t delays() const { return delays_; }
    /// The delays requested for one bin: all delays, except for the first and the last bin of a part, which
    /// may have fewer.
    DelayRange delays_of(std::size_t bin) const {
        return {bin == 0 ? begin_ : 0,
                bin + 1 == partition_.bins() ? std::min(until_.value_or(delays_), delays_) : delays_};
    }
    /// The delays requested for any bin.
    DelayRange delays_of_any() const {
        return partition_.bins() == 1 ? delays_of(0) : DelayRange{0, delays_};
    }
    /// Limits delays(), clamped to 1 .. frames().
    void limit_delays(std::size_t delays);
    std::size_t height() const { return scan_->source().height(); }
    std::size_t width() const { return scan_->source().width(); }
    ElementType source_type() const { return scan_->source().type(); }
    /// Bytes of the selected frames as stored.
    std::uint64_t frames_bytes() const { return std::uint64_t{frames()} * scan_->source().frame_bytes(); }
    const QPartition& partition() const { return partition_; }
    /// Number of pixels removed from their bins because they are invalid in some frame.
    std::size_t invalid_pixels() const { return invalid_pixels_; }
    /// Those of them that are invalid only because of the saturation.
    std::size_t saturated_pixels() const { return saturated_pixels_; }
    /// Those of invalid_pixels() that are valid in another frame.
    const FrameFaults& invalid_in_some() const { return invalid_in_some_; }
    /// Number of pixels left in bins that have the value io::marking_value() in some frame.
    std::size_t marked_pixels() const { return marked_pixels_; }
    /// Those of them with other values in another frame.
    const FrameFaults& marked_in_some() const { return marked_in_some_; }
    ElementType compact() const { return compact_; }
    double max_count() const { return max_count_; }
    /// Whether some counts are below 0.
    bool has_negative() const { return has_negative_; }
    std::size_t two_time_bin() const { return two_time_bin_; }

    /// The raw selected frames [frame][y][x] if they are kept in memory, else empty.
    std::span<const std::byte> resident() const { return scan_->resident(); }
    /// Reads raw frames [t0, t0 + count) of the selection. Safe from any thread.
    void read(std::size_t t0, std::size_t count, std::span<std::byte> into) const {
        scan_->read(t0, count, into);
    }
    /// Gathers counts as T (uint8_t, uint16_t, uint32_t, float or double): for each bin b in [bin0, bin1) a
    /// block [t][row] at out + block_offset, where row is the size of the bin rounded up to `pad` (filled
    /// with zeros), in consecutive blocks. T must hold `compact` counts. Safe from any thread.
    template <class T>
    void gather(std::size_t bin0, std::size_t bin1, std::size_t t0, std::size_t count, std::size_t pad,
                T* out) const {
        gather(bin0, bin1, t0, count, pad, out, {0, count});
    }
    /// The same for a part of larger blocks. @param out the first of these blocks
    template <class T>
    void gather(std::size_t bin0, std::size_t bin1, std::size_t t0, std::size_t count, std::size_t pad,
                T* out, const RowPlace& place) const;

    /// The meaning of the bins according to `geometry`, or to `meanings_of_file`, which must not change after
    /// the first call; computed once.
    const std::vector<BinMeaning>& meanings() const;
    /// Whether anything gives a meaning to the bins.
    bool has_meanings() const { return geometry != Geometry{} || !meanings_of_file.empty(); }

    std::optional<double> frame_time = {};  ///< seconds
    Estimate estimate = {};                 ///< what g2 and its errors are
    bool keep_pairs = false;                ///< the result has the pairs of all bins
    /// Points per decade of delays in the result; absent: every delay (Rebinning).
    std::optional<std::size_t> rebin = {};
    /// For Estimator::two_level: the static label of each pixel, [y][x]; 0: in no static bin. Else null.
    std::shared_ptr<const std::vector<std::int32_t>> static_labels = {};
    Reduction reduction = {};        ///< of the file's frames to those of the scan
    std::string normalised_by = {};  ///< "frame-sum", "monitor=/path"; empty: not normalised
    /// Monitor of each frame relative to its mean over the frames that are used; empty: no monitor was given.
    std::vector<double> monitor = {};
    /// Dark and flat field by which the frames were corrected; null: they were not.
    std::shared_ptr<const FieldCorrection> correction = {};
    Geometry geometry = {};  ///< incomplete where unknown
    /// q and azimuth of each bin as the request or the file of the bins gives them, used where the geometry
    /// does not give q; empty: it does not.
    std::vector<BinMeaning> meanings_of_file = {};
    /// Pixels removed from the partition beforehand; null: masks were not considered.
    std::shared_ptr<const io::IgnoredPixels> ignored = {};
    std::size_t masked_in_bins = 0;  ///< pixels removed from their bins by masks
    /// Labels below the largest one that are no bins of the request, ascending: bins that are switched off.
    std::vector<std::size_t> unused_bins = {};

  private:
    struct Meanings {
        std::once_flag once;
        std::vector<BinMeaning> of_bins;
    };
    void drop_invalid(double saturation, Progress& progress);
    Error nothing_left() const;
    void check_bounds() const;
    std::size_t count_largest_bin() const;

    std::shared_ptr<const FrameScan> scan_;
    std::string partition_key_, whole_partition_key_;
    std::size_t two_time_bin_, delays_;
    std::size_t begin_ = 0;                  ///< first delay of the first bin
    std::optional<std::size_t> until_ = {};  ///< end of the delays of the last bin; absent: all
    QPartition partition_;
    std::size_t invalid_pixels_ = 0, saturated_pixels_ = 0, marked_pixels_ = 0;
    FrameFaults invalid_in_some_, marked_in_some_;
    double max_count_ = 0;
    bool has_negative_ = false;
    std::size_t largest_bin_ = 0;
    bool is_part_ = false;
    ElementType compact_ = ElementType::u8;
    std::shared_ptr<Meanings> meanings_ = std::make_shared<Meanings>();
};

}  // namespace ks::xpcs
