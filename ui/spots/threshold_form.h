#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <map>
#include <optional>
#include <string>

#include "core/run/parameter_spec.h"
#include "core/spots/signal/intermediate.h"
#include "core/spots/spot.h"
#include "core/spots/thresholds.h"
#include "ui/shell/value_slider.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSettings;

namespace ks::ui::spots {

/// What makes a pixel signal and signal a spot, with sliders, and the choice of the image that is shown.
class ThresholdForm : public QWidget {
    Q_OBJECT
  public:
    explicit ThresholdForm(QWidget* parent = nullptr);

    /// Ids of the parameters that fill() sets.
    static QStringList parameters();
    void fill(ParameterSet& parameters) const;
    /// What is given of parameters(); values that do not fit take the nearest that does. Emits changed().
    void apply(const ParameterSet& given);

    ks::spots::Thresholds thresholds() const;
    /// Without limits of d and ice rings where the resolution is not known.
    ks::spots::Grouping grouping() const;
    void setThresholds(const ks::spots::Thresholds& thresholds);
    void setGrouping(const ks::spots::Grouping& grouping);

    std::optional<double> saturation() const;  ///< counts; nothing: what the file says

    ks::spots::Intermediate picture() const;
    void setPicture(ks::spots::Intermediate picture);

    /// d and ice rings need a complete geometry.
    void setResolutionKnown(bool known);
    /// "live: 83 ms, 3,012 spots on frame 4"; empty: nothing.
    void setLive(const QString& text);
    QString live() const;

    ValueSlider& value(const std::string& id) const { return *values_.at(id); }

    void save(QSettings& settings) const;
    void restore(QSettings& settings);

  public slots:
    void reset();

  signals:
    /// A number or a choice is another one, by hand or by a setter.
    void changed();
    void pictureChanged();

  private:
    void addSlider(QGridLayout& grid, const char* id, const ValueSlider::Spec& spec);
    QWidget* makeThresholds();
    QWidget* makeSpots();
    QWidget* makePicture();
    QDoubleSpinBox* box(double least, double most, int decimals, const QString& unit, const QString& name,
                        const QString& tip);
    void keepOrder(QDoubleSpinBox* low, QDoubleSpinBox* high, bool highMoved);
    ks::spots::Grouping shownGrouping() const;  ///< also what has no use without a geometry
    void showValues(const ks::spots::Thresholds& thresholds, const ks::spots::Grouping& grouping);
    void edited();

    std::map<std::string, ValueSlider*> values_;
    QComboBox *algorithm_ = nullptr, *picture_ = nullptr;
    QCheckBox* stills_ = nullptr;
    QDoubleSpinBox *minSize_ = nullptr, *maxSize_ = nullptr, *separation_ = nullptr;
    QDoubleSpinBox *dMin_ = nullptr, *dMax_ = nullptr, *ice_ = nullptr, *saturation_ = nullptr;
    QLabel *live_ = nullptr, *note_ = nullptr;
    bool setting_ = false;
};

}  // namespace ks::ui::spots
