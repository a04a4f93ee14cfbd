#pragma once

#include <QObject>

#include "core/run/parameter_spec.h"

class QLabel;
class QSlider;
class QWidget;

namespace ks::ui {

class NumberBox;

/// A number edited by a slider and a field, which always agree. The field covers the whole range, the slider
/// the useful part (ParameterSpec::slider). On the logarithmic scale its left end is 0 if that is a valid
/// value, followed by `step`; otherwise the left end is `step`.
class ValueSlider : public QObject {
    Q_OBJECT
  public:
    /// @param spec an integer or a real with slider hints; its default is shown first. The widgets belong to
    /// `parent`.
    ValueSlider(const ParameterSpec& spec, QWidget* parent);

    double value() const;
    /// Of the type of the spec.
    ParameterValue parameterValue() const;
    /// Emits no signal.
    void setValue(double value);
    /// Sets another range of the slider. Emits no signal.
    void setReach(double step, double reach);
    void setEnabled(bool enabled);

    QLabel* label() const { return label_; }
    QSlider* slider() const { return slider_; }
    NumberBox* field() const { return field_; }

  signals:
    /// Changed by the user; emitted for every move.
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
