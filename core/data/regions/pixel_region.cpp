#include "core/data/regions/pixel_region.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/error.h"
#include "core/data/frame_check.h"
#include "core/data/regions/row_spans.h"

namespace ks {
namespace {

bool before(const PixelSpan& a, const PixelSpan& b) {
    return a.y != b.y ? a.y < b.y : a.first < b.first;
}

void require_same_size(const PixelRegion& a, const PixelRegion& b) {
    if (a.height() != b.height() || a.width() != b.width())
        throw Error(ErrorKind::run, "expected two regions of images of the same size, found the sizes " +
                                        size_text(a.height(), a.width()) + " and " +
                                        size_text(b.height(), b.width()) + " pixels");
}

}  // namespace

PixelRect PixelRect::united(const PixelRect& other) const {
    if (empty()) return other.empty() ? PixelRect{} : other;
    if (other.empty()) return *this;
    const std::int64_t left = std::min(x, other.x), top = std::min(y, other.y);
    return {left, top, std::max(x + width, other.x + other.width) - left,
            std::max(y + height, other.y + other.height) - top};
}

PixelRect PixelRect::intersected(const PixelRect& other) const {
    const std::int64_t left = std::max(x, other.x), top = std::max(y, other.y);
    const PixelRect both{left, top, std::min(x + width, other.x + other.width) - left,
                         std::min(y + height, other.y + other.height) - top};
    return empty() || other.empty() || both.empty() ? PixelRect{} : both;
}

PixelRegion::PixelRegion(std::size_t height, std::size_t width, std::vector<PixelSpan> spans)
    : height_(height), width_(width), spans_(std::move(spans)) {
    if (!std::is_sorted(spans_.begin(), spans_.end(), before))
        std::sort(spans_.begin(), spans_.end(), before);
    std::size_t kept = 0;
    for (const PixelSpan span : spans_) {
        const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(span.end, width));
        if (span.y >= height || span.first >= end) continue;
        if (kept > 0 && spans_[kept - 1].y == span.y && span.first <= spans_[kept - 1].end)
            spans_[kept - 1].end = std::max(spans_[kept - 1].end, end);
        else
            spans_[kept++] = {span.y, span.first, end};
    }
    spans_.resize(kept);
}

PixelRegion PixelRegion::of_mask(std::size_t height, std::size_t width,
                                 std::span<const std::uint8_t> chosen) {
    if (chosen.size() != height * width)
        throw Error(ErrorKind::input, "expected a mask of " + std::to_string(height) + " x " +
                                          std::to_string(width) + " pixels, found " +
                                          std::to_string(chosen.size()) + " bytes");
    std::vector<PixelSpan> spans;
    for (std::size_t y = 0; y < height; ++y) append_spans(spans, y, chosen.subspan(y * width, width));
    return {height, width, std::move(spans)};
}

std::size_t PixelRegion::pixels() const {
    std::size_t sum = 0;
    for (const PixelSpan& span : spans_) sum += span.end - span.first;
    return sum;
}

PixelRect PixelRegion::bounds() const {
    if (spans_.empty()) return {};
    std::uint32_t left = spans_.front().first, right = spans_.front().end;
    for (const PixelSpan& span : spans_) {
        left = std::min(left, span.first);
        right = std::max(right, span.end);
    }
    return {left, spans_.front().y, right - left, spans_.back().y - spans_.front().y + 1};
}

bool PixelRegion::contains(std::size_t x, std::size_t y) const {
    const auto after = std::partition_point(spans_.begin(), spans_.end(), [&](const PixelSpan& span) {
        return span.y < y || (span.y == y && span.first <= x);
    });
    return after != spans_.begin() && std::prev(after)->y == y && x < std::prev(after)->end;
}

PixelRegion PixelRegion::united(const PixelRegion& other) const {
    require_same_size(*this, other);
    std::vector<PixelSpan> both;
    both.reserve(spans_.size() + other.spans_.size());
    std::merge(spans_.begin(), spans_.end(), other.spans_.begin(), other.spans_.end(),
               std::back_inserter(both), before);
    return {height_, width_, std::move(both)};
}

PixelRegion PixelRegion::without(const PixelRegion& other) const {
    require_same_size(*this, other);
    std::vector<PixelSpan> rest;
    auto cut = other.spans_.begin();
    const auto last = other.spans_.end();
    for (const PixelSpan& span : spans_) {
        while (cut != last && (cut->y < span.y || (cut->y == span.y && cut->end <= span.first))) ++cut;
        std::uint32_t from = span.first;
        for (auto hole = cut; hole != last && hole->y == span.y && hole->first < span.end; ++hole) {
            if (hole->first > from) rest.push_back({span.y, from, hole->first});
            from = hole->end;
        }
        if (from < span.end) rest.push_back({span.y, from, span.end});
    }
    return {height_, width_, std::move(rest)};
}

PixelRegion PixelRegion::inverted() const {
    std::vector<PixelSpan> rows(height_);
    for (std::size_t y = 0; y < height_; ++y)
        rows[y] = {static_cast<std::uint32_t>(y), 0, static_cast<std::uint32_t>(width_)};
    return PixelRegion(height_, width_, std::move(rows)).without(*this);
}

}  // namespace ks
