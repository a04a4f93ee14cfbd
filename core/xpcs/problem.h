#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/array.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/data/q_partition.h"
#include "core/run/analysis.h"

namespace ks::xpcs {

/// What a correlator needs: frames [first, first + frames) of a source, and bins whose pixels are valid in
/// all of them. Counts are >= 0 and at most max_count; `compact` is the smallest of u8, u16, u32 that holds
/// them, or f32 where the pixels are floats that are not all integers.
class CorrelationProblem : public Problem {
  public:
    /// Scans all selected frames once: finds invalid pixels (negative, NaN, infinite, >= saturation where
    /// given) and takes them out of their bins, finds the largest count. Keeps the frames in memory where
    /// they take at most `keep_bytes`. Throws ks::Error(input) where nothing is left, a partition does not
    /// fit, or a sum of the run could pass 64 bits (naming counts, pixels and frames).
    /// @param two_time_bin label of the bin whose two-time map is wanted; 0 = none
    CorrelationProblem(std::shared_ptr<FrameSource> source, const QPartition& partition, std::size_t first,
                       std::size_t frames, std::size_t two_time_bin, std::optional<double> saturation,
                       std::uint64_t keep_bytes, Progress& progress);

    std::string source_name() const { return source_->name(); }
    /// Changes with the file's content and the range of frames, not with the partition: key of device caches
    /// of raw frames, so that a changed mask uploads nothing again. What depends on the bins too needs
    /// partition_key() as well.
    const std::string& frames_key() const { return frames_key_; }
    /// Changes with the labels that are left after invalid pixels.
    const std::string& partition_key() const { return partition_key_; }
    std::size_t frames() const { return frames_; }
    std::size_t height() const { return source_->height(); }
    std::size_t width() const { return source_->width(); }
    ElementType source_type() const { return source_->type(); }
    /// Bytes of the selected frames as stored.
    std::uint64_t frames_bytes() const { return std::uint64_t{frames_} * source_->frame_bytes(); }
    const QPartition& partition() const { return partition_; }
    std::size_t invalid_pixels() const { return invalid_pixels_; }
    ElementType compact() const { return compact_; }
    double max_count() const { return max_count_; }
    std::size_t two_time_bin() const { return two_time_bin_; }

    /// The raw selected frames [frame][y][x] where they are kept in memory, else empty.
    std::span<const std::byte> resident() const { return resident_; }
    /// Reads raw frames [t0, t0 + count) of the selection. Safe from any thread.
    void read(std::size_t t0, std::size_t count, std::span<std::byte> into) const;
    /// Gathers counts as T (uint8_t, uint16_t, uint32_t, float or double): for each bin b in [bin0, bin1) a
    /// block [t][row] at out + block_offset, where row = the bin's size rounded up to `pad` (zero filled),
    /// blocks one after another. T must hold `compact` counts. Safe from any thread.
    template <class T>
    void gather(std::size_t bin0, std::size_t bin1, std::size_t t0, std::size_t count, std::size_t pad,
                T* out) const;

    std::optional<double> frame_time = {};  ///< seconds
    Geometry geometry = {};                 ///< incomplete where unknown

  private:
    void scan(std::optional<double> saturation, std::uint64_t keep_bytes, Progress& progress);
    void check_bounds() const;

    std::shared_ptr<FrameSource> source_;
    mutable std::mutex reading_;
    std::string frames_key_, partition_key_;
    std::size_t first_, frames_, two_time_bin_;
    QPartition partition_;
    std::size_t invalid_pixels_ = 0;
    double max_count_ = 0;
    ElementType compact_ = ElementType::u8;
    std::span<const std::byte> resident_;
    std::vector<std::byte> kept_;
};

}  // namespace ks::xpcs
