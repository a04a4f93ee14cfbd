#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/data/regions/pixel_region.h"

namespace ks {

/// An image of labels or of mask bytes, [y][x], that is edited in steps with unlimited undo and redo. A step
/// stores the previous content of the rectangles that it changed (one in each tile of 64 x 64 pixels), never
/// the whole image. Undo exchanges this content with that of the image, so that the step then serves redo. T:
/// std::uint8_t (mask) or std::int32_t (labels). Used from one thread at a time.
template <class T>
class EditableImage {
  public:
    /// All 0. Memory is allocated when the values are first read or edited.
    EditableImage(std::size_t height, std::size_t width);
    /// Throws ks::Error(input) if there are not height x width values.
    EditableImage(std::size_t height, std::size_t width, std::vector<T> values);

    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    const std::vector<T>& values() const { return made(); }
    /// The same values, kept alive by their holder (views), which sees them change.
    std::shared_ptr<const std::vector<T>> shared() const {
        made();
        return values_;
    }

    /// Edits until end() form one step with this name ("brush"); without begin() each edit is a step. A
    /// begin() within a step throws ks::Error(run); an end() without a begin() does nothing. A step is
    /// discarded if it changed nothing, or if it reset everything that it changed; steps that could be redone
    /// are then kept. Otherwise they are dropped at the end of the step.
    void begin(std::string name);
    void end();
    /// Reverts the open step and discards it.
    std::optional<PixelRect> abandon();
    bool in_step() const { return open_; }

    /// Sets the region's pixels and returns what changed, or nothing. The name is that of the step if none is
    /// open. These three throw ks::Error(input) if the region or the values are not of height x width.
    std::optional<PixelRect> set(const PixelRegion& region, T value, const std::string& name = {});
    /// Like set, but only where the pixel has the value `only`.
    std::optional<PixelRect> replace(const PixelRegion& region, T only, T value,
                                     const std::string& name = {});
    /// All values at once.
    std::optional<PixelRect> assign(const std::vector<T>& values, const std::string& name = {});

    bool can_undo() const { return !undo_.empty() && !open_; }
    bool can_redo() const { return !redo_.empty() && !open_; }
    /// Name of the step that undo or redo would apply to; empty: none.
    std::string undo_name() const { return undo_.empty() ? std::string() : undo_.back().name; }
    std::string redo_name() const { return redo_.empty() ? std::string() : redo_.back().name; }
    /// What changed, or nothing if there is no such step or a step is open.
    std::optional<PixelRect> undo();
    std::optional<PixelRect> redo();
    std::size_t undo_steps() const { return undo_.size(); }
    /// Bytes used by the history.
    std::size_t history_bytes() const;
    /// An open step is kept.
    void forget_history();

  private:
    struct Patch {
        PixelRect where;
        std::vector<T> values;
    };
    struct Step {
        std::string name;
        std::vector<Patch> patches;
    };
    using Spans = std::span<const PixelSpan>;

    std::vector<T>& made() const;
    void require_values(const std::vector<T>& values) const;
    void require_size(std::size_t height, std::size_t width) const;
    Patch copy_of(const PixelRect& where) const;
    bool unchanged(const Patch& patch) const;
    void remember(std::size_t tile, const PixelRect& changed);
    // value_at(index) is the new value of a pixel; see the .cpp.
    template <class ValueAt>
    std::optional<PixelRect> edit(const PixelRegion& region, const std::string& name, ValueAt&& value_at);
    template <class ValueAt>
    std::vector<PixelRect> changes(Spans row_of_tiles, ValueAt&& value_at) const;
    std::optional<PixelRect> exchange(Step& step);
    std::optional<PixelRect> take(std::vector<Step>& from, std::vector<Step>& to);

    std::size_t height_, width_;
    mutable std::shared_ptr<std::vector<T>> values_;  ///< null: all 0 and not requested yet
    std::vector<Step> undo_, redo_;
    Step current_;
    std::unordered_map<std::size_t, std::size_t> patch_of_tile_;  ///< of current_
    bool open_ = false;
};

extern template class EditableImage<std::uint8_t>;
extern template class EditableImage<std::int32_t>;

}  // namespace ks
