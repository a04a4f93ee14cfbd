#include "core/data/regions/editable_image.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/data/frame_check.h"

namespace ks {
namespace {

constexpr std::size_t tile_size = 64;

/// Calls use(offset, begin) for each row of `where`: its start in an array of just the rectangle, and in an
/// image of this width.
template <class Use>
void for_rows(const PixelRect& where, std::size_t width, Use&& use) {
    const auto x = static_cast<std::size_t>(where.x), y = static_cast<std::size_t>(where.y);
    for (std::size_t row = 0; row < static_cast<std::size_t>(where.height); ++row)
        use(row * static_cast<std::size_t>(where.width), (y + row) * width + x);
}

/// Iterator advanced by `n` elements.
template <class Values>
auto at(Values& values, std::size_t n) {
    return values.begin() + static_cast<std::ptrdiff_t>(n);
}

std::optional<PixelRect> unless_empty(const PixelRect& rect) {
    return rect.empty() ? std::nullopt : std::optional(rect);
}

}  // namespace

template <class T>
EditableImage<T>::EditableImage(std::size_t height, std::size_t width) : height_(height), width_(width) {}

template <class T>
EditableImage<T>::EditableImage(std::size_t height, std::size_t width, std::vector<T> values)
    : height_(height), width_(width) {
    require_values(values);
    values_ = std::make_shared<std::vector<T>>(std::move(values));
}

template <class T>
std::vector<T>& EditableImage<T>::made() const {
    if (!values_) values_ = std::make_shared<std::vector<T>>(height_ * width_);
    return *values_;
}

template <class T>
void EditableImage<T>::require_values(const std::vector<T>& values) const {
    if (values.size() != height_ * width_)
        throw Error(ErrorKind::input, "expected the values of " + size_text(height_, width_) +
                                          " pixels, found " + std::to_string(values.size()) + " values");
}

template <class T>
void EditableImage<T>::require_size(std::size_t height, std::size_t width) const {
    if (height != height_ || width != width_)
        throw Error(ErrorKind::input, "expected a region of an image of " + size_text(height_, width_) +
                                          " pixels, found a region of an image of " +
                                          size_text(height, width) + " pixels");
}

template <class T>
void EditableImage<T>::begin(std::string name) {
    if (open_)
        throw Error(ErrorKind::run, "the step \"" + name + "\" cannot begin, because the step \"" +
                                        current_.name + "\" is still open");
    current_ = {std::move(name), {}};
    open_ = true;
}

template <class T>
void EditableImage<T>::end() {
    if (!open_) return;
    open_ = false;
    patch_of_tile_.clear();
    std::erase_if(current_.patches, [&](const Patch& patch) { return unchanged(patch); });
    Step step = std::exchange(current_, {});
    if (step.patches.empty()) return;
    step.patches.shrink_to_fit();
    undo_.push_back(std::move(step));
    redo_.clear();
}

template <class T>
std::optional<PixelRect> EditableImage<T>::abandon() {
    open_ = false;
    patch_of_tile_.clear();
    Step step = std::exchange(current_, {});
    return exchange(step);
}

template <class T>
std::optional<PixelRect> EditableImage<T>::set(const PixelRegion& region, T value, const std::string& name) {
    return edit(region, name, [&](std::size_t) { return value; });
}

template <class T>
std::optional<PixelRect> EditableImage<T>::replace(const PixelRegion& region, T only, T value,
                                                   const std::string& name) {
    const std::vector<T>& now = made();
    return edit(region, name, [&](std::size_t i) { return now[i] == only ? value : now[i]; });
}

template <class T>
std::optional<PixelRect> EditableImage<T>::assign(const std::vector<T>& values, const std::string& name) {
    require_values(values);
    return edit(PixelRegion(height_, width_).inverted(), name, [&](std::size_t i) { return values[i]; });
}

template <class T>
std::optional<PixelRect> EditableImage<T>::undo() {
    return can_undo() ? take(undo_, redo_) : std::nullopt;
}

template <class T>
std::optional<PixelRect> EditableImage<T>::redo() {
    return can_redo() ? take(redo_, undo_) : std::nullopt;
}

template <class T>
std::optional<PixelRect> EditableImage<T>::take(std::vector<Step>& from, std::vector<Step>& to) {
    to.push_back(std::move(from.back()));
    from.pop_back();
    return exchange(to.back());
}

/// The patches of a step do not overlap (one per tile), so their order does not matter.
template <class T>
std::optional<PixelRect> EditableImage<T>::exchange(Step& step) {
    PixelRect changed;
    for (Patch& patch : step.patches) {
        for_rows(patch.where, width_, [&](std::size_t offset, std::size_t begin) {
            const auto row = at(patch.values, offset);
            std::swap_ranges(row, row + patch.where.width, at(made(), begin));
        });
        changed = changed.united(patch.where);
    }
    return unless_empty(changed);
}

template <class T>
std::size_t EditableImage<T>::history_bytes() const {
    std::size_t bytes = 0;
    const auto add = [&](const Step& step) {
        bytes += sizeof step + step.name.capacity() + step.patches.capacity() * sizeof(Patch);
        for (const Patch& patch : step.patches) bytes += patch.values.capacity() * sizeof(T);
    };
    for (const Step& step : undo_) add(step);
    for (const Step& step : redo_) add(step);
    if (open_) add(current_);
    return bytes;
}

template <class T>
void EditableImage<T>::forget_history() {
    undo_.clear();
    redo_.clear();
}

template <class T>
typename EditableImage<T>::Patch EditableImage<T>::copy_of(const PixelRect& where) const {
    Patch patch{where, std::vector<T>(static_cast<std::size_t>(where.width * where.height))};
    for_rows(where, width_, [&](std::size_t offset, std::size_t begin) {
        std::copy_n(at(made(), begin), where.width, at(patch.values, offset));
    });
    return patch;
}

template <class T>
bool EditableImage<T>::unchanged(const Patch& patch) const {
    bool same = true;
    for_rows(patch.where, width_, [&](std::size_t offset, std::size_t begin) {
        const auto row = at(patch.values, offset);
        same = same && std::equal(row, row + patch.where.width, at(made(), begin));
    });
    return same;
}

/// Saves what the open step is about to change in a tile. If the step has changed the tile before, the patch
/// is enlarged: outside the patch, the tile is still as it was when the step began.
template <class T>
void EditableImage<T>::remember(std::size_t tile, const PixelRect& changed) {
    const auto [entry, fresh] = patch_of_tile_.try_emplace(tile, current_.patches.size());
    if (fresh) {
        current_.patches.push_back(copy_of(changed));
        return;
    }
    Patch& patch = current_.patches[entry->second];
    const PixelRect both = patch.where.united(changed);
    if (both == patch.where) return;
    Patch grown = copy_of(both);
    const auto left = static_cast<std::size_t>(patch.where.x - both.x);
    auto row = static_cast<std::size_t>(patch.where.y - both.y);
    for_rows(patch.where, width_, [&](std::size_t offset, std::size_t) {
        const std::size_t to = row++ * static_cast<std::size_t>(both.width) + left;
        std::copy_n(at(patch.values, offset), patch.where.width, at(grown.values, to));
    });
    patch = std::move(grown);
}

/// For each tile of the row of tiles that contains the spans: the smallest rectangle around the
/// pixels that change.
template <class T>
template <class ValueAt>
std::vector<PixelRect> EditableImage<T>::changes(Spans row_of_tiles, ValueAt&& value_at) const {
    const std::vector<T>& values = made();
    std::vector<PixelRect> found((width_ + tile_size - 1) / tile_size);
    for (const PixelSpan& span : row_of_tiles) {
        const std::size_t row = span.y * width_;
        const auto same = [&](std::size_t x) { return value_at(row + x) == values[row + x]; };
        for (std::size_t first = span.first, end = 0; first < span.end; first = end) {
            const std::size_t tile = first / tile_size;
            end = std::min<std::size_t>(span.end, (tile + 1) * tile_size);
            std::size_t left = first, right = end;
            while (left < right && same(left)) ++left;
            while (left < right && same(right - 1)) --right;
            if (left < right)
                found[tile] = found[tile].united(
                    {static_cast<std::int64_t>(left), span.y, static_cast<std::int64_t>(right - left), 1});
        }
    }
    return found;
}

template <class T>
template <class ValueAt>
std::optional<PixelRect> EditableImage<T>::edit(const PixelRegion& region, const std::string& name,
                                                ValueAt&& value_at) {
    require_size(region.height(), region.width());
    const bool alone = !open_;
    if (alone) begin(name);
    std::vector<T>& values = made();
    PixelRect changed;
    for (Spans rest = region.spans(); !rest.empty();) {
        const std::size_t row_of_tiles = rest.front().y / tile_size;
        const auto next = std::partition_point(rest.begin(), rest.end(), [&](const PixelSpan& span) {
            return span.y / tile_size == row_of_tiles;
        });
        const Spans spans(rest.begin(), next);
        const std::vector<PixelRect> rects = changes(spans, value_at);
        for (std::size_t i = 0; i < rects.size(); ++i) {
            if (rects[i].empty()) continue;
            remember(row_of_tiles * rects.size() + i, rects[i]);
            changed = changed.united(rects[i]);
        }
        for (const PixelSpan& span : spans)
            for (std::size_t i = span.y * width_ + span.first; i < span.y * width_ + span.end; ++i)
                values[i] = value_at(i);
        rest = Spans(next, rest.end());
    }
    if (alone) end();
    return unless_empty(changed);
}

template class EditableImage<std::uint8_t>;
template class EditableImage<std::int32_t>;

}  // namespace ks
