#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>
#include <memory>

#include "core/data/geometry.h"
#include "core/run/error.h"
#include "core/run/parameter_spec.h"
#include "ui/image/geometry_form.h"
#include "ui/image/ring_layer.h"
#include "ui/image/shared_colours.h"
#include "ui/shell/open_file.h"

class QComboBox;
class QSettings;
class QSpinBox;

namespace ks {
class Array;
struct CircleFit;
}  // namespace ks

namespace ks::ui {

class BeamTool;
class DetectorView;
class FrameSlider;
class ImageControls;
class ImageTool;
class Jobs;
class MaskBar;
class RegionEditor;
class RingFitTool;

/// The image of every page that has frames: mask tools above, the view with its controls, frames below, and
/// the geometry that goes with it. Frames are read by jobs.
class ImagePanel : public QWidget {
    Q_OBJECT
  public:
    explicit ImagePanel(Jobs& jobs, QWidget* parent = nullptr);
    ~ImagePanel() override;

    /// Shows its first frame; mask and drawn bins are kept for frames of the same shape.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// The frame, or the combination of frames, on the screen; null: none.
    const std::shared_ptr<const Array>& frame() const;
    const Geometry& geometry() const;
    /// Where the beam is, is known.
    bool located() const;
    /// What must be filled in because the file's own value cannot be used; empty: nothing.
    QString missingGeometry() const;
    /// Sets the parameters of a request that make its geometry `used` (that of the form, or what was made of
    /// it); none where that is the file's or nothing is known of where the beam is.
    void fillGeometry(ParameterSet& parameters, const Geometry& used, bool located) const;

    DetectorView& view() { return *view_; }
    RegionEditor& editor() { return *editor_; }
    MaskBar& maskBar() { return *bar_; }
    FrameSlider& slider() { return *slider_; }
    ImageControls& controls() { return *controls_; }
    /// Other views of the same kind may attach to them.
    SharedColours& colours() { return colours_; }
    /// For the dock Data; the page puts it there and so owns it.
    GeometryForm& geometryForm() { return *geometry_; }
    RingFitTool& ringFitTool() { return *ringFit_; }
    BeamTool& beamTool() { return *beam_; }
    /// Sum of `count` frames from the shown one on, or mean (1) or maximum (2), as chosen in the bar below
    /// the image.
    QSpinBox& combinedFrames() { return *count_; }
    QComboBox& combination() { return *how_; }

    /// What the left button does while no other tool is chosen; not owned, null: nothing.
    void setDefaultTool(ImageTool* tool);
    void save(QSettings& settings) const;
    void restore(QSettings& settings);

  signals:
    void frameShown();
    /// @param final false while a hand is still moving
    void geometryChanged(bool final);
    void maskChanged(bool final);
    void cursorMoved(const QString& text);
    void hint(const QString& text);
    void failed(const ks::Error& error);

  private:
    void makeLayout();
    void connectParts();
    void readFrame();
    void showFrame(const std::shared_ptr<const Array>& frame);
    void useTool(ImageTool* tool, bool on);
    void ringFitted(const CircleFit& circle);
    void refine(const QString& calibrant, int firstRing, int lastRing);
    void askWhichIsSharper();
    void showGeometry();
    QString cursorText(int column, int row, const QString& value) const;

    Jobs& jobs_;
    std::shared_ptr<const OpenFile> file_;
    DetectorView* view_;
    RegionEditor* editor_;
    MaskBar* bar_;
    FrameSlider* slider_;
    ImageControls* controls_;
    QPointer<GeometryForm> geometry_;
    QSpinBox* count_;
    QComboBox* how_;
    BeamTool* beam_;
    RingFitTool* ringFit_;
    QPointer<ImageTool> default_;
    RingLayer rings_;
    SharedColours colours_;
    bool firstFrame_ = true;
};

}  // namespace ks::ui
