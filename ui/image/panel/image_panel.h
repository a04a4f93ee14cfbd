#pragma once

#include <QHash>
#include <QWidget>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/data/pixel_blocks.h"
#include "ui/base/colour_map.h"
#include "ui/image/colours/shared_colours.h"
#include "ui/image/panel/geometry_actions.h"

class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace ks::ui {

class ColourStrip;
class FrameSlider;
class ImageControls;
class MaskBar;
class SessionMask;

/// An image derived from the frame on the screen and shown in its place.
struct DerivedImage {
    std::shared_ptr<const Array> values;  ///< rank 2, in the frame's shape
    QString title;         ///< next to the scale bar and in the cursor text: "Index of dispersion"
    bool yesOrNo = false;  ///< only 0 and 1: shown in black and white
};

/// The image of every page that has frames: mask tools on the left, the view with its colour settings
/// floating above it, one row with the frames below, and the geometry. Frames are read as jobs.
class ImagePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param mask,geometry not owned, must outlive the panel; panels that share them show and edit the same
    ImagePanel(Jobs& jobs, SessionMask& mask, SessionGeometry& geometry, QWidget* parent = nullptr);
    ~ImagePanel() override;

    /// Shows the first frame. Drawn bins are kept for frames of the same shape, the mask for the same file.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// The frame, or the combination of frames, on the screen; null: none.
    const std::shared_ptr<const Array>& frame() const { return frame_; }
    /// File index of the first frame in frame().
    int shownFrame() const { return shownFrame_; }
    /// Shows another image in place of the frame until the shape of the frames changes; values null: the
    /// frame again. Each title has separate limits and scale, kept for the lifetime of the panel. Throws
    /// ks::Error(run) for another shape than the frame's.
    void setDerived(const DerivedImage& derived);
    const Geometry& geometry() const { return actions_->geometry(); }
    /// The beam position is known.
    bool located() const { return actions_->located(); }
    /// GeometryActions::fill()
    void fillGeometry(ParameterSet& parameters, const Geometry& used, bool located) const {
        actions_->fill(parameters, used, located);
    }

    /// GeometryActions::resolve()
    void resolveGeometry(ParameterSet& parameters) const { actions_->resolve(parameters); }

    DetectorView& view() { return *view_; }
    RegionEditor& editor() { return *editor_; }
    SessionMask& mask() { return mask_; }
    MaskBar& maskBar() { return *bar_; }
    FrameSlider& slider() { return *slider_; }
    /// At the lower right of the view.
    ImageControls& controls() const;
    /// Other views of the same kind may be attached.
    SharedColours& colours() { return colours_; }
    /// For the Data dock; the page puts it there and so owns it.
    GeometryForm& geometryForm() { return *geometry_; }
    RingFitTool& ringFitTool() { return actions_->ringFitTool(); }
    BeamTool& beamTool() { return actions_->beamTool(); }
    /// Sum of `count` frames starting at the shown one, or mean (1) or maximum (2), as chosen in the bar
    /// below the image.
    QSpinBox& combinedFrames() { return *count_; }
    QComboBox& combination() { return *how_; }

    /// At the right end of the row below the view; takes ownership. Stays visible where a file has only one
    /// frame, so that there is no frame slider.
    void addToBottomRow(QWidget* widget);
    nlohmann::json settings() const;
    void setSettings(const nlohmann::json& kept);
    /// The shown frames and the visible part of them, to be saved with the file.
    nlohmann::json keep() const;
    /// To be called after setFile() with the file of keep(). Values that do not fit the file are ignored.
    void bringBack(const nlohmann::json& kept);
    /// The next setFile() shows the frame in `kept` at once.
    void expect(const nlohmann::json& kept);

  signals:
    /// Another frame is shown, or none: see frame().
    void frameShown();
    /// On any page; not emitted while the geometry is that of another file than the panel's.
    /// @param final false during a drag
    void geometryChanged(bool final);
    /// Mask or bins changed on any page; not emitted while the mask is that of another file than the panel's.
    void maskChanged(bool final);
    void cursorMoved(const QString& text);
    void hint(const QString& text);
    void failed(const ks::Error& error);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    bool holdsFileOfMask() const;
    void tellGeometry(bool final);
    void makeLayout();
    void showRow();
    void leave(QKeyEvent& event);
    void connectParts();
    void readFrame();
    void showFrame(const std::shared_ptr<const Array>& frame, int first, const PixelBlocks& lacking);
    void withdrawFrame();
    QString cursorText(int column, int row, const QString& value) const;
    void useLook(const QString& title, bool yesOrNo);

    std::shared_ptr<const OpenFile> file_;
    bool taking_ = false;  ///< the panel is taking over a file
    DetectorView* view_;
    SessionMask& mask_;
    SessionGeometry& session_;
    RegionEditor* editor_;  ///< of the mask
    MaskBar* bar_;
    FrameSlider* slider_;
    ColourStrip* strip_;
    QWidget* row_;
    QHBoxLayout* added_;  ///< in the row
    QPointer<GeometryForm> geometry_;
    QSpinBox* count_;
    QComboBox* how_;
    Jobs& jobs_;
    std::unique_ptr<GeometryActions> actions_;
    SharedColours colours_;

    /// Display settings of one kind of image.
    struct Look {
        ColourScale scale;
        ColourMap map;
    };
    std::shared_ptr<const Array> frame_;
    int shownFrame_ = 0;
    PixelBlocks lacking_;  ///< pixels of frame_ without a value in the file
    int expectedFrame_ = 0;
    std::optional<QRectF> wantedPart_;  ///< part to show once there is a frame
    DerivedImage derived_;
    QHash<QString, Look> looks_;  ///< by title of the derived image; "" for the frame
};

}  // namespace ks::ui
