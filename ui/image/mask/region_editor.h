#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/pixel_mask.h"
#include "core/data/regions/editable_image.h"
#include "core/data/regions/pixel_region.h"
#include "ui/image/tools/region_tool.h"

namespace ks::ui {

class Jobs;

/// The mask (1 = ignored) and the hand-drawn bins (labels 1, 2, ...) of frames of one shape, and the
/// operations on them. Edits affect only the target image; undo and redo follow one common order.
/// Operations that take long on large frames run as jobs if available; a result is discarded if mask or
/// bins were edited meanwhile.
class RegionEditor : public QObject, public RegionSink {
    Q_OBJECT
  public:
    static constexpr int maskTarget = 0;

    /// @param jobs not owned, must outlive the editor; null: everything runs synchronously
    explicit RegionEditor(Jobs* jobs = nullptr, QObject* parent = nullptr);

    /// Rank 2, [y][x], or null. Mask, bins and history are kept for a frame of the same shape and cleared for
    /// another (reset()). Throws ks::Error(run) for another rank.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return frame_; }
    std::size_t height() const { return mask_.height(); }
    std::size_t width() const { return mask_.width(); }
    Jobs* jobs() const { return jobs_; }

    const EditableImage<std::uint8_t>& mask() const { return mask_; }
    const EditableImage<std::int32_t>& bins() const { return bins_; }
    /// A copy, for files and requests.
    PixelMask pixelMask() const { return {height(), width(), mask_.values()}; }

    /// maskTarget, or a bin's label. A stroke in progress keeps its target.
    void setTarget(int target);
    int target() const { return target_; }
    /// Highest label used as a target.
    int binCount() const { return binCount_; }
    /// Number of pixels in the mask or in a bin; counted again after an edit.
    std::size_t pixels(int target) const;

    // RegionSink. Regions of another size than the frame are ignored.
    void begin(const QString& name) override;
    void apply(const PixelRegion& region, bool add, const QString& name) override;
    void end() override;
    void abandon() override;
    void applyFound(std::function<PixelRegion()> find, bool add, const QString& name) override;

    bool canUndo() const { return !undo_.empty() && !stroke_; }
    bool canRedo() const { return !redo_.empty() && !stroke_; }
    /// A stroke is in progress.
    bool drawing() const { return stroke_.has_value(); }
    /// Numbers of the steps that undo and redo would apply, as passed to stepMade(); 0: none.
    quint64 undoStep() const { return canUndo() ? undo_.back().number : 0; }
    quint64 redoStep() const { return canRedo() ? redo_.back().number : 0; }
    /// "Brush"; empty: nothing to undo.
    QString undoName() const;
    QString redoName() const;

    /// Replaces the mask (nonzero: ignored) in one step. Throws ks::Error(input) for another shape
    /// and changes nothing.
    void load(const PixelMask& mask);
    /// Replaces mask (nonzero: ignored) and bins in one step of each, as far as they change. Throws
    /// ks::Error(input) for another size and changes nothing.
    /// @param labels empty: no pixel is in a bin
    /// @param binCount targets at least up to this label can be chosen
    void replace(const std::vector<std::uint8_t>& ignore, std::vector<std::int32_t> labels, int binCount);
    /// Empty mask and bins of the same shape, and no history: for another file.
    void beginAnew();
    /// Restores saved mask and bins of frame()'s shape without a step. Throws ks::Error(input) for another
    /// size and changes nothing.
    /// @param labels empty: no pixel is in a bin
    /// @param binCount highest label used as a target
    void bringBack(std::vector<std::uint8_t> ignore, std::vector<std::int32_t> labels, int binCount);

  public slots:
    void undo();
    void redo();
    /// For a bin: pixels in no bin join it, its own pixels leave it.
    void invert();
    /// In 8 directions; a bin grows only over pixels that are in no bin.
    void grow(int pixels = 1);
    void shrink(int pixels = 1);
    void clear();
    /// Adds pixels that exceed their surroundings by `sigma`; masked pixels are left out.
    void hotPixels(double sigma);
    /// Adds pixels with the values that detectors write where there is no count (lowest_without_count()).
    void withoutCount();
    /// Adds or removes the pixels with values in [low, high].
    void valueRange(double low, double high, bool add = true);

  signals:
    void maskEdited(const ks::PixelRect& where);
    void labelsEdited(const ks::PixelRect& where);
    /// An edit that undo() reverts. Numbers ascend.
    void stepMade(quint64 step, const QString& name);
    /// Steps were added or removed; also at the end of a job.
    void historyChanged();
    void targetChanged(int target);
    /// setFrame was called.
    void frameChanged();
    /// Mask and bins are now empty: either for a new shape (before frameChanged()) or after beginAnew().
    void reset();
    /// A job with this name ("Hot pixels") has started or ended.
    void busyChanged(bool busy, const QString& name);
    /// The result of a job was discarded, because mask or bins were edited meanwhile.
    void discarded(const QString& name);
    void failed(const ks::Error& error);

  private:
    enum class Image { mask, bins };
    enum class Way { add, remove, addToFree };
    using Find = std::function<PixelRegion()>;

    struct Step {
        Image image;
        quint64 number;
    };

    static Image imageOf(int target) { return target == maskTarget ? Image::mask : Image::bins; }
    std::size_t steps(Image image) const;
    void push(Image image);
    /// Undoes or redoes the last step of `from`, which becomes one of `to`.
    template <class Turn>
    void turn(std::vector<Step>& from, std::vector<Step>& to, Turn&& turned);
    /// Calls change(), which returns what changed in the target image, and emits the signals.
    template <class Change>
    void edit(Image image, Change&& change);
    void change(int target, const PixelRegion& region, Way way, const QString& name);
    void find(Find find, Way way, const QString& name);
    void tell(Image image, const std::optional<PixelRect>& where);
    PixelRegion chosen(int target) const;
    PixelRegion everything() const;

    Jobs* jobs_;
    std::shared_ptr<const ks::Array> frame_;
    EditableImage<std::uint8_t> mask_{0, 0};
    EditableImage<std::int32_t> bins_{0, 0};
    int target_ = maskTarget, binCount_ = 0;
    std::optional<int> stroke_;    ///< target of the open step
    std::size_t strokeSteps_ = 0;  ///< steps of its image before the open step
    std::vector<Step> undo_, redo_;
    quint64 lastStep_ = 0;
    quint64 edits_ = 0;
    struct Counted {
        int target;
        quint64 edits;  ///< value of the edit counter when counted
        std::size_t pixels;
    };
    mutable std::optional<Counted> counted_;
};

}  // namespace ks::ui
