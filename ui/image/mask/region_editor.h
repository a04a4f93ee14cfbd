#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QString>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/pixel_mask.h"
#include "core/data/regions/editable_image.h"
#include "core/data/regions/pixel_region.h"
#include "ui/image/tools/region_tool.h"

namespace ks::ui {

class Jobs;

/// The mask (1 = ignore) and the bins drawn by hand (labels 1, 2, ...) of frames of one shape, and what edits
/// them. Edits go to the target and never touch the other image; undo and redo follow one order over both.
/// What takes long on large frames runs in jobs where there are some; its result is dropped where mask or
/// bins were edited meanwhile.
class RegionEditor : public QObject, public RegionSink {
    Q_OBJECT
  public:
    static constexpr int maskTarget = 0;

    /// @param jobs not owned; null: everything at once. It must live as long as the editor.
    explicit RegionEditor(Jobs* jobs = nullptr, QObject* parent = nullptr);

    /// Rank 2, [y][x], or null. Mask, bins and history are kept for a frame of the same shape and emptied for
    /// another (reset()). Throws ks::Error(run) for another rank.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return frame_; }
    std::size_t height() const { return mask_.height(); }
    std::size_t width() const { return mask_.width(); }
    Jobs* jobs() const { return jobs_; }

    const EditableImage<std::uint8_t>& mask() const { return mask_; }
    const EditableImage<std::int32_t>& bins() const { return bins_; }
    /// For files and requests; a copy.
    PixelMask pixelMask() const { return {height(), width(), mask_.values()}; }

    /// maskTarget, or a bin's label. A stroke that is under way keeps its own.
    void setTarget(int target);
    int target() const { return target_; }
    /// Highest label that has been a target.
    int binCount() const { return binCount_; }
    /// In the mask or in a bin; counted anew after an edit.
    std::size_t pixels(int target) const;

    // RegionSink. Regions of another size than the frame's are left out.
    void begin(const QString& name) override;
    void apply(const PixelRegion& region, bool add, const QString& name) override;
    void end() override;
    void abandon() override;
    void applyFound(std::function<PixelRegion()> find, bool add, const QString& name) override;

    bool canUndo() const { return !undo_.empty() && !stroke_; }
    bool canRedo() const { return !redo_.empty() && !stroke_; }
    /// A stroke is under way.
    bool drawing() const { return stroke_.has_value(); }
    /// Numbers of the steps that undo and redo would take, as stepMade() told them; 0: none.
    quint64 undoStep() const { return canUndo() ? undo_.back().number : 0; }
    quint64 redoStep() const { return canRedo() ? redo_.back().number : 0; }
    /// "Brush"; empty: nothing.
    QString undoName() const;
    QString redoName() const;

    /// The mask becomes this one (anything but 0: ignore), as one step. Throws ks::Error(input) for another
    /// shape and changes nothing.
    void load(const PixelMask& mask);
    /// An empty mask and empty bins of the same shape, and no steps: another file's.
    void beginAnew();
    /// Mask and bins of frame()'s shape become these, without a step: as they were kept. Throws
    /// ks::Error(input) for another size and changes nothing.
    /// @param labels empty: no pixel is in a bin
    /// @param binCount highest label that was a target
    void bringBack(std::vector<std::uint8_t> ignore, std::vector<std::int32_t> labels, int binCount);

  public slots:
    void undo();
    void redo();
    /// Of a bin: the pixels that are in no bin join it, its own leave it.
    void invert();
    /// In 8 directions; a bin grows over pixels that are in no bin.
    void grow(int pixels = 1);
    void shrink(int pixels = 1);
    void clear();
    /// Adds what stands out of its surroundings by `sigma`, pixels of the mask left out.
    void hotPixels(double sigma);
    /// Adds the pixels of the values that detectors write where there is no count (lowest_without_count()).
    void withoutCount();
    /// Adds the pixels with values in [low, high], or takes them away.
    void valueRange(double low, double high, bool add = true);

  signals:
    void maskEdited(const ks::PixelRect& where);
    void labelsEdited(const ks::PixelRect& where);
    /// Something was done that undo() takes back. Numbers ascend.
    void stepMade(quint64 step, const QString& name);
    /// Steps came or went; also at the end of a job.
    void historyChanged();
    void targetChanged(int target);
    /// setFrame was called.
    void frameChanged();
    /// Mask and bins are empty ones of another shape, before frameChanged(); or beginAnew() was called.
    void reset();
    /// A job for this ("Hot pixels") has begun or ended.
    void busyChanged(bool busy, const QString& name);
    /// What a job found was not used, as mask or bins were edited meanwhile.
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
    /// Calls change() -> what changed in the image of the target, and tells of it.
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
    std::optional<int> stroke_;    ///< target of the step that is open
    std::size_t strokeSteps_ = 0;  ///< steps of its image before it
    std::vector<Step> undo_, redo_;
    quint64 lastStep_ = 0;
    quint64 edits_ = 0;
    struct Counted {
        int target;
        quint64 edits;  ///< made before it was counted
        std::size_t pixels;
    };
    mutable std::optional<Counted> counted_;
};

}  // namespace ks::ui
