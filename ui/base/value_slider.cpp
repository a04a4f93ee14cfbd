#include "ui/base/value_slider.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "ui/base/form_parts.h"
#include "ui/base/number_box.h"

namespace ks::ui {
namespace {

constexpr int logSteps = 400;
constexpr int digits = 3;  ///< number of values of the logarithmic slider
double rounded(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - (digits - 1));
    return std::round(value / unit) * unit;
}

}  // namespace

ValueSlider::ValueSlider(const ParameterSpec& spec, QWidget* parent)
    : QObject(parent),
      whole_(spec.type == ParameterType::integer),
      minimum_(spec.minimum.value_or(-unboundedNumber)),
      hints_(spec.slider.value_or(SliderHints{})),
      label_(new QLabel(parent)),
      slider_(new QSlider(Qt::Horizontal, parent)),
      field_(new NumberBox(parent)) {
    const QString name = QString::fromStdString(spec.label), tip = QString::fromStdString(spec.help);
    // With the unit next to the number there would be too little room for the slider.
    const QString unit = unitSuffix(spec.unit).trimmed();
    label_->setText(unit.isEmpty() ? name : QObject::tr("%1 (%2)").arg(name, unit));
    slider_->setMinimumWidth(40);
    slider_->setFocusPolicy(Qt::StrongFocus);
    slider_->setAccessibleName(QObject::tr("%1, slider").arg(name));
    field_->setRange(minimum_, spec.maximum.value_or(unboundedNumber));
    field_->setDecimals(hints_.decimals);
    if (hints_.scale == SliderScale::linear) {
        field_->setStepType(QAbstractSpinBox::DefaultStepType);
        field_->setSingleStep(hints_.step);
    }
    field_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    field_->setObjectName(QString::fromStdString(spec.id));
    field_->setAccessibleName(name);
    label_->setBuddy(field_);
    label_->setToolTip(tip);
    slider_->setToolTip(tip);
    field_->setToolTip(tip);
    setReach(hints_.step, hints_.reach);
    if (const auto* whole = std::get_if<std::int64_t>(&spec.default_value))
        setValue(static_cast<double>(*whole));
    if (const auto* number = std::get_if<double>(&spec.default_value)) setValue(*number);
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

double ValueSlider::leftEnd() const {
    return minimum_ < 0 ? std::max(minimum_, -hints_.reach) : minimum_;
}

ParameterValue ValueSlider::parameterValue() const {
    if (whole_) return static_cast<std::int64_t>(std::llround(value()));
    return value();
}

void ValueSlider::setEnabled(bool enabled) {
    label_->setEnabled(enabled);
    slider_->setEnabled(enabled);
    field_->setEnabled(enabled);
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
    hints_.step = step;
    hints_.reach = reach;
    const bool linear = hints_.scale == SliderScale::linear;
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, linear ? static_cast<int>(std::lround((reach - leftEnd()) / step)) : logSteps);
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    slider_->setValue(positionOf(field_->value()));
}

double ValueSlider::valueAt(int position) const {
    if (hints_.scale == SliderScale::linear) return leftEnd() + position * hints_.step;
    if (position <= 0) return minimum_ <= 0 ? 0 : hints_.step;
    const double part = (position - 1.0) / (logSteps - 1);
    return rounded(hints_.step * std::pow(hints_.reach / hints_.step, part));
}

int ValueSlider::positionOf(double value) const {
    if (hints_.scale == SliderScale::linear)
        return static_cast<int>(std::lround(
            std::clamp((value - leftEnd()) / hints_.step, 0.0, static_cast<double>(slider_->maximum()))));
    if (value < hints_.step) return 0;
    const double part = std::log(value / hints_.step) / std::log(hints_.reach / hints_.step);
    return 1 + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (logSteps - 1)));
}

}  // namespace ks::ui
