#pragma once

#include <QWidget>

#include "ui/base/colour_map.h"
#include "ui/image/view/floating_card.h"
#include "ui/image/view/level_of_detail.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSlider;
class QToolButton;

namespace ks::ui {

class DetectorView;
class HistogramBar;

/// The colour settings of a DetectorView: a row with scale and colour map and, above it unless folded,
/// reduction, limits with a histogram, bin opacity and rings.
class ImageControls : public QWidget {
    Q_OBJECT
  public:
    explicit ImageControls(QWidget* parent = nullptr);

    /// Shows and edits the settings of this view from now on. Also follows limits that the view computes.
    void attach(DetectorView* view);

    ColourScale colourScale() const;
    void setColourScale(const ColourScale& scale);
    QString colourMap() const;
    void setColourMap(const QString& name);
    Reduction reduction() const;
    void setReduction(Reduction reduction);
    double overlayOpacity() const;  ///< 0 to 1
    void setOverlayOpacity(double opacity);
    bool folded() const;
    void setFolded(bool folded);
    /// When compact and folded, only the unfold button is shown.
    void setCompact(bool compact);
    bool ringsVisible() const;
    void setRingsVisible(bool visible);

  signals:
    void colourScaleChanged(const ks::ui::ColourScale& scale);
    void colourMapChanged(const QString& name);
    void reductionChanged(ks::ui::Reduction reduction);
    void overlayOpacityChanged(double opacity);
    void ringsVisibleChanged(bool visible);
    void foldedChanged(bool folded);

  private:
    void layOut();
    void layOutRest();
    void showParts();
    void connectParts();
    void scaleEdited();
    void limitsEdited();

    QComboBox *kind_, *map_, *reduction_;
    QCheckBox *automatic_, *rings_;
    QDoubleSpinBox *percentile_, *low_, *high_;
    HistogramBar* histogram_;
    QSlider* opacity_;
    QWidget* rest_;
    QToolButton* unfold_;
    bool compact_ = false;
};

/// The colour settings of a view, at its lower right: scale and map and, when unfolded, all controls. A click
/// on the view's colour bar unfolds it, a click on the picture folds it. In a narrow view only the unfold
/// button is left, so that the scale bar stays visible.
class ColourStrip : public FloatingCard {
    Q_OBJECT
  public:
    /// The view owns the strip.
    explicit ColourStrip(DetectorView* view);

    ImageControls& controls() { return *controls_; }

  protected:
    void arrange() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    ImageControls* controls_;
};

}  // namespace ks::ui
