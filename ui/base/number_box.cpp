#include "ui/base/number_box.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ui/base/input/number_text.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

template <class Box>
bool isSpecial(const Box& box, const QString& text) {
    return !box.specialValueText().isEmpty() && text.trimmed() == box.specialValueText().trimmed();
}

template <class Box>
QString withoutUnits(const Box& box, const QString& text) {
    QString rest = text.trimmed();
    const QString before = box.prefix().trimmed(), behind = box.suffix().trimmed();
    if (!before.isEmpty() && rest.startsWith(before)) rest = rest.mid(before.size());
    if (!behind.isEmpty() && rest.endsWith(behind)) rest.chop(behind.size());
    return rest.trimmed();
}

/// Only digits or a power of ten: in a count, a decimal mark could only separate groups or truncate the
/// number.
std::optional<double> wholeNumber(const QString& text) {
    if (text.contains(QLatin1Char('.')) || text.contains(QLatin1Char(','))) return std::nullopt;
    const std::optional<double> value = readNumber(text);
    return value && *value == std::round(*value) ? value : std::nullopt;
}

QValidator::State stateOf(const std::optional<double>& value, const QString& text, bool special) {
    if (value) return QValidator::Acceptable;
    // Letters can be typed if the field has a special text.
    return special || looksLikeNumber(text) ? QValidator::Intermediate : QValidator::Invalid;
}

}  // namespace

DecimalBox::DecimalBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setKeyboardTracking(false);
}

QString DecimalBox::typed(const QString& text) const {
    return withoutUnits(*this, text);
}

QString DecimalBox::textFromValue(double value) const {
    return QString::number(value, 'f', decimals());
}

double DecimalBox::valueFromText(const QString& text) const {
    return isSpecial(*this, text) ? minimum() : readNumber(typed(text)).value_or(value());
}

QValidator::State DecimalBox::validate(QString& text, int&) const {
    if (isSpecial(*this, text)) return QValidator::Acceptable;
    const QString number = typed(text);
    return stateOf(decimals() == 0 ? wholeNumber(number) : readNumber(number), number,
                   !specialValueText().isEmpty());
}

// Qt's version removes group separators, which it may take a decimal comma or point for.
void DecimalBox::fixup(QString&) const {}

NumberBox::NumberBox(QWidget* parent, int digits, QString widest)
    : DecimalBox(parent), digits_(digits), widest_(std::move(widest)) {
    setRange(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
    setDecimals(9);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setAlignment(Qt::AlignRight);
}

QString NumberBox::textFromValue(double value) const {
    return formatNumber(value, digits_);
}

// The special text stands for a value close to 0, whose own step would be tiny.
void NumberBox::stepBy(int steps) {
    if (!specialValueText().isEmpty() && value() == minimum() && decimals() > 0 && steps > 0)
        setValue(std::min(0.1, maximum() / 1000));
    else
        DecimalBox::stepBy(steps);
}

QSize NumberBox::sizeHint() const {
    QSize size = DecimalBox::sizeHint();
    const QFontMetrics metrics = fontMetrics();
    size.setWidth(std::max(metrics.horizontalAdvance(widest_ + suffix()),
                           metrics.horizontalAdvance(specialValueText())) +
                  30);
    return size;
}

WholeBox::WholeBox(QWidget* parent) : QSpinBox(parent) {
    setKeyboardTracking(false);
}

QString WholeBox::textFromValue(int value) const {
    return QString::number(value);
}

int WholeBox::valueFromText(const QString& text) const {
    if (isSpecial(*this, text)) return minimum();
    const double number = wholeNumber(withoutUnits(*this, text)).value_or(value());
    return static_cast<int>(
        std::clamp(number, static_cast<double>(minimum()), static_cast<double>(maximum())));
}

QValidator::State WholeBox::validate(QString& text, int&) const {
    if (isSpecial(*this, text)) return QValidator::Acceptable;
    const QString number = withoutUnits(*this, text);
    return stateOf(wholeNumber(number), number, !specialValueText().isEmpty());
}

void WholeBox::fixup(QString&) const {}

}  // namespace ks::ui
