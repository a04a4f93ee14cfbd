#pragma once

#include <QObject>

#include "core/run/parameter_spec.h"

class QLabel;
class QSlider;
class QWidget;

namespace ks::ui {

class NumberBox;

/// A number by a slider and by a field, which always show the same. The field takes the whole range, the
/// slider the part that is of use (ParameterSpec::slider); on the logarithmic scale its left end is 0 where
/// that is a value, and the next step, or else the end, is `step`.
class ValueSlider : public QObject {
    Q_OBJECT
  public:
    /// @param spec an integer or a real with slider hints; its default is shown first. The widgets belong to
    /// `parent`.
    ValueSlider(const ParameterSpec& spec, QWidget* parent);

    double value() const;
    /// Of the type of the spec.
    ParameterValue parameterValue() const;
    /// Emits nothing.
    void setValue(double value);
    /// Another part for the slider. Emits nothing.
    void setReach(double step, double reach);
    void setEnabled(bool enabled);

    QLabel* label() const { return label_; }
    QSlider* slider() const { return slider_; }
    NumberBox* field() const { return field_; }

  signals:
    /// By hand, with every move.
    void changed();

  private:
    double leftEnd() const;
    double valueAt(int position) const;
    int positionOf(double value) const;

    bool whole_;
    double minimum_;
    SliderHints hints_;
    QLabel* label_;
    QSlider* slider_;
    NumberBox* field_;
};

}  // namespace ks::ui
