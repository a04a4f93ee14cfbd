#pragma once

#include <QObject>
#include <QString>

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QWidget;

namespace ks::ui {

/// A number by a slider and by a field, which always show the same. The field takes the whole range, the
/// slider the part that is of use; on the logarithmic scale its left end is 0 where that is a value, and the
/// next step, or else the end, is `step`. A slider of both signs has its left end at -reach.
class ValueSlider : public QObject {
    Q_OBJECT
  public:
    enum class Scale { linear, logarithmic };
    struct Spec {
        QString label, name, tip;  ///< beside the slider, accessible, tool tip
        double default_value = 0;
        double least = 0, most = 1;  ///< of the field
        double reach = 1;            ///< the slider's right end
        double step = 1;             ///< linear: of the slider; logarithmic: its smallest value above `least`
        int decimals = 0;
        Scale scale = Scale::linear;
        bool bothSigns = false;  ///< linear only
    };

    /// The widgets belong to `parent`.
    ValueSlider(const Spec& spec, QWidget* parent);

    double value() const;
    /// Emits nothing.
    void setValue(double value);
    void reset() { setValue(spec_.default_value); }
    /// Another part for the slider. Emits nothing.
    void setReach(double step, double reach);

    QLabel* label() const { return label_; }
    QSlider* slider() const { return slider_; }
    QDoubleSpinBox* field() const { return field_; }

  signals:
    /// By hand, with every move.
    void changed();

  private:
    double leftEnd() const { return spec_.bothSigns ? -spec_.reach : spec_.least; }
    double valueAt(int position) const;
    int positionOf(double value) const;
    bool eventFilter(QObject* object, QEvent* event) override;

    Spec spec_;
    QLabel* label_;
    QSlider* slider_;
    QDoubleSpinBox* field_;
};

}  // namespace ks::ui
