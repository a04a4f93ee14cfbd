#include "core/spots/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/host_memory.h"
#include "core/data/damaged_frame.h"
#include "core/data/frame_ranges.h"
#include "core/input/frame_mask.h"

namespace ks::spots {
namespace {

void require_pixels(const FrameSource& source) {
    const ElementType type = source.type();
    if (type == ElementType::u64 || type == ElementType::f64)
        throw Error(ErrorKind::input,
                    fmt::format("expected pixels of type u8, u16, u32, i16, i32, i64 or f32, found {}",
                                name_of(type)),
                    source.name());
    if (source.pixels() > std::size_t{1} << 31)
        throw Error(ErrorKind::input,
                    fmt::format("a frame of {} pixels exceeds the limit of 2^31", source.pixels()),
                    source.name());
}

void require(bool holds, const char* parameter, const char* expected, double found) {
    if (!holds)
        throw Error(ErrorKind::input, fmt::format("expected {}, found {}", expected, found), parameter);
}

void require_thresholds(const Thresholds& t) {
    const auto kernel = [](int k) { return k >= 1 && k <= Thresholds::largest_kernel; };
    require(kernel(t.kernel_x), "kernel", "a half-width of 1 to 15 pixels", t.kernel_x);
    require(kernel(t.kernel_y), "kernel", "a half-width of 1 to 15 pixels", t.kernel_y);
    require(t.min_local >= 2 && t.min_local <= t.window(), "min_local",
            "a number from 2 to the number of pixels in the window", t.min_local);
}

/// Ignored pixels and those between the modules, [y][x].
std::vector<std::uint8_t> unused_pixels(const std::vector<std::uint8_t>& ignore, const ModuleLayout& layout) {
    std::vector<std::uint8_t> unused(ignore.size(), 1);
    for (const ModuleLayout::Origin& origin : layout.origins)
        for (std::size_t y = 0; y < layout.height; ++y) {
            const auto first = static_cast<std::ptrdiff_t>((origin.y + y) * layout.frame_width + origin.x);
            std::copy_n(ignore.begin() + first, layout.width, unused.begin() + first);
        }
    return unused;
}

/// Positions of the highest value of the type. A block is scanned in one branch-free pass; few
/// blocks contain any.
template <class T>
std::vector<std::uint32_t> highest_values(const T* values, std::size_t n) {
    constexpr std::size_t block = 4096;
    constexpr T highest = std::numeric_limits<T>::max();
    std::vector<std::uint32_t> found;
    for (std::size_t from = 0; from < n; from += block) {
        const std::span<const T> some(values + from, std::min(block, n - from));
        T largest = std::numeric_limits<T>::lowest();
        for (const T value : some) largest = std::max(largest, value);
        if (largest != highest) continue;
        for (std::size_t i = 0; i < some.size(); ++i)
            if (some[i] == highest) found.push_back(static_cast<std::uint32_t>(from + i));
    }
    return found;
}

}  // namespace

SharedFrames::SharedFrames(std::shared_ptr<FrameSource> source, std::size_t first, std::size_t frames,
                           std::uint64_t keep_bytes, const std::vector<std::size_t>& left_out,
                           const Progress& progress)
    : source_(std::move(source)),
      first_(first),
      frames_(frames),
      key_(key_of(*source_, first, frames, left_out)),
      keep_(std::uint64_t{frames} * source_->frame_bytes() <= std::min(keep_bytes, available_memory())) {
    require_pixels(*source_);
    require_memory(array_bytes(sizeof(kept_[0]) + 1, {frames}), fmt::format("a list of {} frames", frames),
                   source_->name());
    kept_.resize(frames);
    left_out_.resize(frames);
    for (const std::size_t frame : left_out) left_out_.at(frame - first) = true;
    look_for_frames(progress);
    if (const auto* memory = dynamic_cast<const MemoryFrames*>(source_.get()))
        in_memory_ =
            memory->stack().bytes().subspan(first * source_->frame_bytes(), frames * source_->frame_bytes());
}

/// A file of a few bytes can declare any number of frames.
void SharedFrames::look_for_frames(const Progress& progress) {
    constexpr std::size_t between_checks = 256, many = 100000, least_share = 1000;
    std::size_t there = 0;
    missing_.resize(frames_);
    for (std::size_t frame = 0; frame < frames_; ++frame) {
        if (frame % between_checks == 0) progress.check();
        missing_[frame] = left_out_[frame] || !source_->written(first_ + frame);
        there += missing_[frame] ? 0 : 1;
    }
    if (frames_ > many && there > 0 && there < frames_ / least_share)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "{} of {} frames are missing, because the file declares far more frames than it contains",
                frames_ - there, frames_),
            source_->name(), "choose a range of existing frames");
}

SharedFrames::SharedFrames(std::shared_ptr<const SharedFrames> whole, std::size_t first, std::size_t frames)
    : whole_(std::move(whole)),
      offset_(first),
      source_(whole_->source_),
      first_(whole_->first_ + first),
      frames_(frames),
      keep_(whole_->keep_) {
    const auto part = [first, frames](const std::vector<bool>& all) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
        return std::vector<bool>(from, from + static_cast<std::ptrdiff_t>(frames));
    };
    missing_ = part(whole_->missing_);
    left_out_ = part(whole_->left_out_);
    std::vector<std::size_t> left_out;
    for (std::size_t frame = 0; frame < frames; ++frame)
        if (left_out_[frame]) left_out.push_back(first_ + frame);
    key_ = key_of(*source_, first_, frames, left_out);
    if (const std::size_t bytes = source_->frame_bytes(); !whole_->in_memory_.empty())
        in_memory_ = whole_->in_memory_.subspan(first * bytes, frames * bytes);
}

std::string SharedFrames::key_of(const FrameSource& source, std::size_t first, std::size_t frames,
                                 const std::vector<std::size_t>& left_out) {
    std::string key = fmt::format("{} frames {}+{}", source.identity(), first, frames);
    if (!left_out.empty()) key += " without " + frame_ranges(left_out);
    return key;
}

std::size_t SharedFrames::missing() const {
    return static_cast<std::size_t>(std::count(missing_.begin(), missing_.end(), true));
}

std::size_t SharedFrames::left_out() const {
    return static_cast<std::size_t>(std::count(left_out_.begin(), left_out_.end(), true));
}

std::span<const std::byte> SharedFrames::frame(std::size_t frame, std::vector<std::byte>& scratch) const {
    if (whole_) return whole_->frame(offset_ + frame, scratch);
    const std::size_t bytes = source_->frame_bytes();
    if (!in_memory_.empty()) return in_memory_.subspan(frame * bytes, bytes);
    std::unique_lock lock(reading_);
    if (!kept_[frame].empty()) return kept_[frame];
    const bool side_by_side = source_->reads_side_by_side();
    if (side_by_side) lock.unlock();
    if (!keep_) {
        scratch.resize(bytes);
        source_->read(first_ + frame, 1, scratch);
        return scratch;
    }
    RawBytes made(bytes);
    source_->read(first_ + frame, 1, made);
    if (side_by_side) lock.lock();
    // Another thread may have been faster, and its values may already be in use.
    if (kept_[frame].empty()) kept_[frame] = std::move(made);
    return kept_[frame];
}

std::optional<std::span<const std::byte>> SharedFrames::sound_frame(std::size_t frame,
                                                                    std::vector<std::byte>& scratch) const {
    if (whole_) return whole_->sound_frame(offset_ + frame, scratch);
    if (damaged(frame)) return std::nullopt;
    try {
        return this->frame(frame, scratch);
    } catch (const DamagedFrame& found) {
        const std::lock_guard lock(telling_);
        damaged_.emplace(frame, found.why());
        return std::nullopt;
    }
}

bool SharedFrames::damaged(std::size_t frame) const {
    if (whole_) return whole_->damaged(offset_ + frame);
    const std::lock_guard lock(telling_);
    return damaged_.contains(frame);
}

std::map<std::size_t, std::string> SharedFrames::damaged() const {
    if (whole_) {
        std::map<std::size_t, std::string> own;
        for (auto& [frame, why] : whole_->damaged())
            if (frame >= offset_ && frame < offset_ + frames_) own.emplace(frame - offset_, why);
        return own;
    }
    const std::lock_guard lock(telling_);
    return damaged_;
}

void SharedFrames::note_damaged(std::size_t frame, const std::string& why) const {
    if (whole_) return whole_->note_damaged(offset_ + frame, why);
    const std::lock_guard lock(telling_);
    damaged_.emplace(frame, why);
}

std::size_t SharedFrames::first_there() const {
    std::size_t frame = whole_ ? frames_ : 0;
    while (frame < frames_ && (missing_[frame] || damaged(frame))) ++frame;
    return frame;
}

const std::vector<std::uint32_t>& SharedFrames::marked(std::span<const std::byte> pixels) const {
    std::call_once(looked_for_marks_, [&] {
        visit_element(source_->type(), [&](auto zero) {
            using T = decltype(zero);
            if (io::marking_value(element_type_of<T>()))
                marked_ = highest_values(reinterpret_cast<const T*>(pixels.data()), source_->pixels());
        });
        knows_marked_ = true;
    });
    return marked_;
}

FrameMask::FrameMask(PixelMask mask, const FrameSource& frames, const ModuleLayout& layout)
    : ignore_(std::move(mask.ignore)), unused_(0, frames.width()) {
    if (ignore_.empty())
        ignore_.assign(frames.pixels(), 0);
    else if (mask.height != frames.height() || mask.width != frames.width())
        throw Error(ErrorKind::input,
                    fmt::format("the mask must have the frames' shape {} x {}, found {} x {}",
                                frames.height(), frames.width(), mask.height, mask.width),
                    frames.name());
    std::size_t masked = 0;  // not the member, which might alias the bytes
    for (std::uint8_t& byte : ignore_) {
        byte = byte != 0 ? 1 : 0;
        masked += byte;
    }
    masked_ = masked;
    if (masked_ == ignore_.size())
        throw Error(ErrorKind::input, fmt::format("the mask excludes all {} pixels", masked_), frames.name());
    key_ = hash_text(hash_of(ignore_));
    if (layout.is_whole()) {
        unused_ = packed(ignore_, frames.width());
        return;
    }
    unused_ = packed(unused_pixels(ignore_, layout), frames.width());
    cut_.resize(layout.pixels());
    layout.cut(std::as_bytes(std::span(ignore_)), 1, std::as_writable_bytes(std::span(cut_)));
    key_ += fmt::format(" cut {}x{}x{}", layout.modules(), layout.height, layout.width);
}

SpotProblem::SpotProblem(std::shared_ptr<const SharedFrames> frames, PixelMask mask, double limit,
                         const Thresholds& thresholds, ModuleLayout layout, const Grouping& grouping)
    : SpotProblem(frames, std::make_shared<const FrameMask>(std::move(mask), frames->source(), layout), limit,
                  thresholds, layout, grouping) {}

SpotProblem::SpotProblem(std::shared_ptr<const SharedFrames> frames, std::shared_ptr<const FrameMask> mask,
                         double limit, const Thresholds& thresholds, ModuleLayout layout,
                         const Grouping& grouping)
    : frames_(std::move(frames)),
      mask_(std::move(mask)),
      limit_(limit),
      saturation_(limit),
      thresholds_(thresholds),
      layout_(std::move(layout)),
      grouping_(grouping) {
    require_thresholds(thresholds_);
    const std::size_t wide = 2 * static_cast<std::size_t>(thresholds_.kernel_x) + 1,
                      high = 2 * static_cast<std::size_t>(thresholds_.kernel_y) + 1;
    if (high > layout_.height || wide > layout_.width)
        throw Error(ErrorKind::input,
                    fmt::format("the window of {} x {} pixels is larger than the image of {} x {}", high,
                                wide, layout_.height, layout_.width),
                    "kernel");
    if (mask_->ignore().size() != height() * width() || mask_->cut().size() != layout_.pixels())
        throw Error(ErrorKind::run, "the mask was made for other frames or another layout");
    if (thresholds_.algorithm == Algorithm::dispersion_extended) limit_ = std::min(limit_, sums_limit);
}

std::shared_ptr<const SpotProblem> SpotProblem::part(std::size_t first, std::size_t end) const {
    auto some = std::make_shared<SpotProblem>(*this);
    if (end - first < frames()) some->frames_ = std::make_shared<SharedFrames>(frames_, first, end - first);
    return some;
}

}  // namespace ks::spots
