#include "ui/shell/value_slider.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

constexpr int logSteps = 400;
constexpr int digits = 3;  ///< of values that the logarithmic slider gives

/// Shows as few digits as tell the value.
class ShortBox : public QDoubleSpinBox {
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return formatNumber(value, 7); }
};

double rounded(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - (digits - 1));
    return std::round(value / unit) * unit;
}

}  // namespace

ValueSlider::ValueSlider(const Spec& spec, QWidget* parent)
    : QObject(parent),
      spec_(spec),
      label_(new QLabel(spec.label, parent)),
      slider_(new QSlider(Qt::Horizontal, parent)),
      field_(new ShortBox(parent)) {
    const bool linear = spec.scale == Scale::linear;
    setReach(spec.step, spec.reach);
    slider_->setMinimumWidth(40);
    field_->setRange(spec.least, spec.most);
    field_->setDecimals(spec.decimals);
    field_->setKeyboardTracking(false);
    field_->setAlignment(Qt::AlignRight);
    if (linear)
        field_->setSingleStep(spec.step);
    else
        field_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    field_->setFixedWidth(field_->fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 30);
    label_->setBuddy(field_);
    slider_->setAccessibleName(QObject::tr("%1, slider").arg(spec.name));
    field_->setAccessibleName(spec.name);
    for (QWidget* one :
         {static_cast<QWidget*>(label_), static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)})
        one->setToolTip(spec.tip);
    for (QWidget* one : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)}) {
        one->setFocusPolicy(Qt::StrongFocus);
        one->installEventFilter(this);
    }
    reset();
    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        const QSignalBlocker quiet(field_);
        field_->setValue(valueAt(position));
        emit changed();
    });
    connect(field_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(positionOf(value));
        emit changed();
    });
}

// The wheel scrolls the form; it changes a number only where somebody is at work on it.
bool ValueSlider::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(object)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QObject::eventFilter(object, event);
}

double ValueSlider::value() const {
    return field_->value();
}

void ValueSlider::setValue(double value) {
    const QSignalBlocker a(field_), b(slider_);
    field_->setValue(value);
    slider_->setValue(positionOf(field_->value()));
}

void ValueSlider::setReach(double step, double reach) {
    spec_.step = step;
    spec_.reach = reach;
    const bool linear = spec_.scale == Scale::linear;
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, linear ? static_cast<int>(std::lround((reach - leftEnd()) / step)) : logSteps);
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    slider_->setValue(positionOf(field_->value()));
}

double ValueSlider::valueAt(int position) const {
    if (spec_.scale == Scale::linear) return leftEnd() + position * spec_.step;
    if (position <= 0) return spec_.least <= 0 ? 0 : spec_.step;
    const double part = (position - 1.0) / (logSteps - 1);
    return rounded(spec_.step * std::pow(spec_.reach / spec_.step, part));
}

int ValueSlider::positionOf(double value) const {
    if (spec_.scale == Scale::linear)
        return static_cast<int>(std::lround(
            std::clamp((value - leftEnd()) / spec_.step, 0.0, static_cast<double>(slider_->maximum()))));
    if (value < spec_.step) return 0;
    const double part = std::log(value / spec_.step) / std::log(spec_.reach / spec_.step);
    return 1 + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (logSteps - 1)));
}

}  // namespace ks::ui
