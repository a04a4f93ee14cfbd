#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>

#include "core/run/parameter_spec.h"
#include "core/spots/signal/intermediate.h"
#include "core/spots/spot.h"
#include "core/spots/thresholds.h"
#include "ui/base/parameter_form.h"
#include "ui/base/value_slider.h"

class QComboBox;
class QLabel;

namespace ks::ui {
class ParameterForm;
}

namespace ks::ui::spots {

/// What makes a pixel signal, and signal a spot: the parameters of the analysis that have a section, and the
/// selection of the displayed image.
class ThresholdForm : public QWidget {
    Q_OBJECT
  public:
    explicit ThresholdForm(QWidget* parent = nullptr);

    /// Ids of the parameters that fill() sets.
    static QStringList parameters();
    /// Without d limits and ice rings if the resolution is unknown.
    void fill(ParameterSet& parameters) const;
    /// All of them, whether or not the resolution is known.
    const ParameterSet& values() const;
    /// Applies the given values of parameters(); values that do not fit take the default. Emits changed().
    void apply(const ParameterSet& given);

    ks::spots::Thresholds thresholds() const;
    /// Without d limits and ice rings if the resolution is unknown.
    ks::spots::Grouping grouping() const;
    std::optional<double> saturation() const;  ///< counts; nullopt: the file's value

    ks::spots::Intermediate picture() const;
    void setPicture(ks::spots::Intermediate picture);

    /// d and ice rings need a complete geometry.
    void setResolutionKnown(bool known);
    /// "live: 83 ms, 3,012 spots on frame 4"; empty: nothing.
    void setLive(const QString& text);
    QString live() const;

    /// The slider of a parameter, or of "kernel_x", "kernel_y".
    ValueSlider& value(const std::string& id) const;

    /// Records edits as steps of the history, which must outlive the form.
    void keepSteps(History& history);

  public slots:
    void reset();

  signals:
    /// A number or a selection has changed, by the user or by a setter.
    void changed();
    void pictureChanged();

  private:
    QWidget* makePicture();
    void keepOrder(const QStringList& edited);

    ParameterForm* form_;
    QComboBox* picture_ = nullptr;
    QLabel *live_ = nullptr, *note_ = nullptr;
    bool resolutionKnown_ = false;
    std::unique_ptr<ParameterSteps> steps_;
};

}  // namespace ks::ui::spots
