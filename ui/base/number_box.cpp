#include "ui/base/number_box.h"

#include <QWheelEvent>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/base/palette.h"

namespace ks::ui {

NumberBox::NumberBox(QWidget* parent, int digits, QString widest)
    : QDoubleSpinBox(parent), digits_(digits), widest_(std::move(widest)) {
    setRange(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
    setDecimals(9);
    setKeyboardTracking(false);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setFocusPolicy(Qt::StrongFocus);
    setAlignment(Qt::AlignRight);
}

QString NumberBox::textFromValue(double value) const {
    return formatNumber(value, digits_);
}

bool NumberBox::isSpecial(const QString& text) const {
    return !specialValueText().isEmpty() && text.trimmed() == specialValueText().trimmed();
}

QString NumberBox::withoutSuffix(const QString& text) const {
    const QString unit = suffix().trimmed();
    const QString whole = text.trimmed();
    return !unit.isEmpty() && whole.endsWith(unit) ? whole.chopped(unit.size()).trimmed() : whole;
}

double NumberBox::valueFromText(const QString& text) const {
    return isSpecial(text) ? minimum() : withoutSuffix(text).toDouble();
}

QValidator::State NumberBox::validate(QString& text, int&) const {
    bool number = false;
    withoutSuffix(text).toDouble(&number);
    return number || isSpecial(text) ? QValidator::Acceptable : QValidator::Intermediate;
}

// The special text stands for a value next to 0, whose own step would be next to nothing.
void NumberBox::stepBy(int steps) {
    if (!specialValueText().isEmpty() && value() == minimum() && decimals() > 0 && steps > 0)
        setValue(std::min(0.1, maximum() / 1000));
    else
        QDoubleSpinBox::stepBy(steps);
}

QSize NumberBox::sizeHint() const {
    QSize size = QDoubleSpinBox::sizeHint();
    const QFontMetrics metrics = fontMetrics();
    size.setWidth(std::max(metrics.horizontalAdvance(widest_ + suffix()),
                           metrics.horizontalAdvance(specialValueText())) +
                  30);
    return size;
}

QSize NumberBox::minimumSizeHint() const {
    return sizeHint();
}

void NumberBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

}  // namespace ks::ui
