#include "core/xpcs/problem.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/base/hash.h"
#include "core/data/frame_ranges.h"

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
    : CorrelationProblem(
          std::make_shared<FrameScan>(std::move(source), io::FrameRange{first, frames}, keep_bytes, progress),
          partition, two_time_bin, saturation, progress) {}

CorrelationProblem::CorrelationProblem(std::shared_ptr<const FrameScan> scan, const QPartition& partition,
                                       std::size_t two_time_bin, std::optional<double> saturation,
                                       Progress& progress)
    : scan_(std::move(scan)), two_time_bin_(two_time_bin), delays_(scan_->frames()), partition_(partition) {
    require(scan_->source(), frames(), partition, two_time_bin);
    drop_invalid(saturation.value_or(std::numeric_limits<double>::infinity()), progress);
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
        throw Error(ErrorKind::input, "all labels of the partition are 0, so no pixel is in a bin",
                    source.name());
    if (two_time_bin > partition.bins())
        throw Error(ErrorKind::input,
                    fmt::format("expected a label from 1 to {}, found {}", partition.bins(), two_time_bin),
                    "two_time_bin");
    if (two_time_bin > 0 && std::uint64_t{frames} * frames * sizeof(double) > two_time_limit)
        throw Error(
            ErrorKind::input,
            fmt::format("a two-time map of {} frames needs {:.1f} GiB, but the limit is 2 GiB", frames,
                        static_cast<double>(frames) * static_cast<double>(frames) * 8 / (1 << 30)),
            "two_time_bin", "select at most 16384 frames");
}

const std::vector<BinMeaning>& CorrelationProblem::meanings() const {
    std::call_once(meanings_->once, [this] {
        std::vector<BinMeaning>& all = meanings_->of_bins;
        all = geometry == Geometry{} ? meanings_of_file : partition_.meanings(geometry);
        for (std::size_t bin = 0; bin < std::min(all.size(), meanings_of_file.size()); ++bin)
            if (!std::isfinite(all[bin].q)) all[bin] = meanings_of_file[bin];
    });
    return meanings_->of_bins;
}

void CorrelationProblem::limit_delays(std::size_t delays) {
    delays_ = std::clamp<std::size_t>(delays, 1, frames());
}

std::vector<std::size_t> pairs_by_delay(std::size_t frames, const std::vector<std::size_t>& left_out) {
    std::vector<std::size_t> by_delay(frames);
    for (std::size_t delay = 0; delay < frames; ++delay) by_delay[delay] = frames - delay;
    std::vector<bool> used(frames, true);
    for (const std::size_t t : left_out)
        if (t < frames) used[t] = false;
    for (std::size_t t = 0; t < frames; ++t) {
        if (used[t]) continue;
        for (std::size_t other = 0; other < frames; ++other) {
            // A pair of two left-out frames is subtracted only once.
            const bool counted = !used[other] && other < t;
            if (!counted) --by_delay[std::max(t, other) - std::min(t, other)];
        }
    }
    return by_delay;
}

std::vector<std::size_t> CorrelationProblem::left_out() const {
    const io::FrameRange& range = scan_->range();
    std::vector<std::size_t> frames;
    for (const std::size_t frame : range.left_out) frames.push_back(frame - range.first);
    return frames;
}

std::vector<std::size_t> CorrelationProblem::pairs() const {
    return pairs_by_delay(frames(), left_out());
}

Error CorrelationProblem::nothing_left() const {
    const char* const invalid = io::invalid_words(type_of_counts(scan_->source()));
    const FrameFaults& some = invalid_in_some_;
    const auto leave_out = [this](const std::vector<std::size_t>& frames) {
        return io::leave_out_option(scan_->all_out(frames));
    };
    if (const auto& none = some.without_valid; !none.empty())
        return Error(
            ErrorKind::input,
            fmt::format("{} {} no valid pixel in bins: all are {}", ranges_in_words(scan_->in_file(none)),
                        none.size() == 1 ? "has" : "have", invalid),
            source_name(),
            fmt::format("leave {} out with {}", none.size() == 1 ? "it" : "them", leave_out(none)));
    const std::string all =
        fmt::format("each of the {} pixels in bins is invalid ({})", invalid_pixels_, invalid);
    if (some.pixels == 0) return Error(ErrorKind::input, all + " in every frame", source_name());
    if (some.frames.empty())
        return Error(ErrorKind::input,
                     all + " in at least one frame, and leaving out a few frames would not help",
                     source_name(), "use a shorter range of frames, or bins with other pixels");
    return Error(ErrorKind::input,
                 fmt::format("{} in some frame, {} of them only in {}", all, some.in_these_alone,
                             ranges_in_words(scan_->in_file(some.frames))),
                 source_name(),
                 fmt::format("use {} to keep {}", leave_out(some.frames),
                             some.in_these_alone == 1 ? "this pixel" : "these pixels"));
}

void CorrelationProblem::drop_invalid(double saturation, Progress& progress) {
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    const std::optional<double> mark = io::marking_value(source_type());
    std::vector<std::uint8_t> drop;
    std::vector<std::uint32_t> sometimes_invalid, sometimes_marked;
    bool whole = true;
    for (const std::uint32_t pixel : partition_.pixels()) {
        if (scan_->invalid(pixel, saturation)) {
            if (drop.empty()) drop.resize(height() * width());
            drop[pixel] = 1;
            ++invalid_pixels_;
            if (!scan_->invalid(pixel, no_limit)) ++saturated_pixels_;
            if (scan_->valid_somewhere(pixel, saturation)) sometimes_invalid.push_back(pixel);
            continue;
        }
        max_count_ = std::max(max_count_, scan_->largest(pixel));
        if (scan_->largest(pixel) == mark) {
            ++marked_pixels_;
            if (scan_->valid_somewhere(pixel, *mark)) sometimes_marked.push_back(pixel);
        }
        whole = whole && !scan_->fractional(pixel);
        has_negative_ = has_negative_ || scan_->negative(pixel);
    }
    invalid_in_some_ = find_faults(*scan_, sometimes_invalid, saturation, progress);
    if (invalid_pixels_ == partition_.selected()) throw nothing_left();
    marked_in_some_ = find_faults(*scan_, sometimes_marked, mark.value_or(saturation), progress);
    if (invalid_pixels_ > 0) partition_.leave_out(drop);
    compact_ = compact_for(max_count_, whole && !has_negative_);
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
    if (!meanings_of_file.empty())
        some->meanings_of_file.assign(meanings_of_file.begin() + static_cast<std::ptrdiff_t>(first),
                                      meanings_of_file.begin() + static_cast<std::ptrdiff_t>(end));
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
        throw Error(ErrorKind::input,
                    fmt::format("the sum of products could exceed 64 bits, because there are counts up to "
                                "{:.0f} on {} pixels of one bin in {} frames",
                                max_count_, largest, frames()),
                    source_name(), "mask hot pixels, set a saturation, or select fewer frames");
}

}  // namespace ks::xpcs
