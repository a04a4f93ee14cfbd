#include "core/xpcs/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace ks::xpcs {
namespace {

constexpr std::uint64_t two_time_limit = std::uint64_t{2} << 30;

ElementType compact_for(double max_count, bool whole) {
    if (!whole || max_count > std::numeric_limits<std::uint32_t>::max()) return ElementType::f32;
    if (max_count > std::numeric_limits<std::uint16_t>::max()) return ElementType::u32;
    return max_count > std::numeric_limits<std::uint8_t>::max() ? ElementType::u16 : ElementType::u8;
}

}  // namespace

CorrelationProblem::CorrelationProblem(std::shared_ptr<FrameSource> source, const QPartition& partition,
                                       std::size_t first, std::size_t frames, std::size_t two_time_bin,
                                       std::optional<double> saturation, std::uint64_t keep_bytes,
                                       Progress& progress)
    : CorrelationProblem(std::make_shared<FrameScan>(std::move(source), first, frames, keep_bytes, progress),
                         partition, two_time_bin, saturation) {}

CorrelationProblem::CorrelationProblem(std::shared_ptr<const FrameScan> scan, const QPartition& partition,
                                       std::size_t two_time_bin, std::optional<double> saturation)
    : scan_(std::move(scan)), two_time_bin_(two_time_bin), delays_(scan_->frames()), partition_(partition) {
    require(scan_->source(), frames(), partition, two_time_bin);
    drop_invalid(saturation.value_or(std::numeric_limits<double>::infinity()));
    whole_partition_key_ = partition_key_ =
        fmt::format("{}x{}:{:016x}", height(), width(), hash_of(partition_.labels()));
    largest_bin_ = count_largest_bin();
    check_bounds();
}

void CorrelationProblem::require(const FrameSource& source, std::size_t frames, const QPartition& partition,
                                 std::size_t two_time_bin) {
    if (partition.height() != source.height() || partition.width() != source.width())
        throw Error(ErrorKind::input,
                    fmt::format("the partition must have the frames' shape {} x {}, found {} x {}",
                                source.height(), source.width(), partition.height(), partition.width()),
                    source.name());
    if (partition.selected() == 0)
        throw Error(ErrorKind::input, "every label of the partition is 0, so no pixel is in a bin",
                    source.name());
    if (two_time_bin > partition.bins())
        throw Error(ErrorKind::input,
                    fmt::format("expected a label from 1 to {}, found {}", partition.bins(), two_time_bin),
                    "two_time_bin");
    if (two_time_bin > 0 && std::uint64_t{frames} * frames * sizeof(double) > two_time_limit)
        throw Error(
            ErrorKind::input,
            fmt::format("a two-time map of {} frames takes {:.1f} GiB and at most 2 GiB are allowed", frames,
                        static_cast<double>(frames) * static_cast<double>(frames) * 8 / (1 << 30)),
            "two_time_bin", "select at most 16384 frames");
}

const std::vector<BinMeaning>& CorrelationProblem::meanings() const {
    std::call_once(meanings_->once, [this] { meanings_->of_bins = partition_.meanings(geometry); });
    return meanings_->of_bins;
}

void CorrelationProblem::limit_delays(std::size_t delays) {
    delays_ = std::clamp<std::size_t>(delays, 1, frames());
}

void CorrelationProblem::drop_invalid(double saturation) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    const std::optional<double> mark = io::marking_value(source_type());
    std::vector<std::uint8_t> drop;
    bool whole = true;
    for (const std::uint32_t pixel : partition_.pixels()) {
        if (scan_->invalid(pixel, saturation)) {
            if (drop.empty()) drop.resize(height() * width());
            drop[pixel] = 1;
            ++invalid_pixels_;
            if (!scan_->invalid(pixel, no_limit)) ++saturated_pixels_;
            continue;
        }
        max_count_ = std::max(max_count_, scan_->largest(pixel));
        if (scan_->largest(pixel) == mark) ++marked_pixels_;
        whole = whole && !scan_->fractional(pixel);
    }
    if (invalid_pixels_ == partition_.selected())
        throw Error(ErrorKind::input,
                    fmt::format("all {} pixels in bins are invalid (negative, not finite or saturated) in "
                                "some selected frame",
                                invalid_pixels_),
                    source_name());
    if (invalid_pixels_ > 0) partition_.leave_out(drop);
    compact_ = compact_for(max_count_, whole);
}

std::shared_ptr<const CorrelationProblem> CorrelationProblem::part(std::size_t first, std::size_t end) const {
    return part(first, end, 0, delays_);
}

std::shared_ptr<const CorrelationProblem> CorrelationProblem::part(std::size_t first, std::size_t end,
                                                                   std::size_t begin,
                                                                   std::size_t until) const {
    auto some = std::make_shared<CorrelationProblem>(*this);
    some->begin_ = begin;
    some->until_ = until;
    some->is_part_ = first > 0 || end < partition_.bins() || begin > 0 || until < delays_;
    if (first == 0 && end == partition_.bins()) return some;
    some->partition_ = partition_.part(first, end);
    some->partition_key_ += fmt::format(" bins {} to {}", first, end);
    // Labels count from 1.
    const bool has_two_time = two_time_bin_ > first && two_time_bin_ <= end;
    some->two_time_bin_ = has_two_time ? two_time_bin_ - first : 0;
    some->meanings_ = std::make_shared<Meanings>();
    return some;
}

std::size_t CorrelationProblem::count_largest_bin() const {
    std::size_t largest = 0;
    for (std::size_t bin = 0; bin < partition_.bins(); ++bin)
        largest = std::max(largest, partition_.bin_size(bin));
    return largest;
}

void CorrelationProblem::check_bounds() const {
    if (compact_ == ElementType::f32) return;
    const std::size_t largest = largest_bin_;
    // sum over t of G(t, t + delay) <= max_count^2 N T
    const double bound =
        max_count_ * max_count_ * static_cast<double>(largest) * static_cast<double>(frames());
    if (bound >= 0x1p63)
        throw Error(
            ErrorKind::input,
            fmt::format("the sum of products could pass 64 bits: counts up to {:.0f} on {} pixels of one "
                        "bin in {} frames",
                        max_count_, largest, frames()),
            source_name(), "mask hot pixels, give a saturation, or select fewer frames");
}

}  // namespace ks::xpcs
