#pragma once

#include <QWidget>

#include "ui/image/colour_map.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSlider;

namespace ks::ui {

class DetectorView;

/// Panel for a DetectorView: scale, colour map, limits, opacity of the bins, rings.
class ImageControls : public QWidget {
    Q_OBJECT
  public:
    explicit ImageControls(QWidget* parent = nullptr);

    /// Shows the settings of the view and changes them from now on; it also follows limits that the view
    /// finds itself.
    void attach(DetectorView* view);

    ColourScale colourScale() const;
    void setColourScale(const ColourScale& scale);
    QString colourMap() const;
    void setColourMap(const QString& name);
    double overlayOpacity() const;  ///< 0 to 1
    void setOverlayOpacity(double opacity);
    bool ringsVisible() const;
    void setRingsVisible(bool visible);

  signals:
    void colourScaleChanged(const ks::ui::ColourScale& scale);
    void colourMapChanged(const QString& name);
    void overlayOpacityChanged(double opacity);
    void ringsVisibleChanged(bool visible);

  private:
    void scaleEdited();

    QComboBox *kind_, *map_;
    QCheckBox *automatic_, *rings_;
    QDoubleSpinBox *percentile_, *low_, *high_;
    QSlider* opacity_;
};

}  // namespace ks::ui
