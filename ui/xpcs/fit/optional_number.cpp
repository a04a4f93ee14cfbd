#include "ui/xpcs/fit/optional_number.h"

#include <QLineEdit>
#include <QSignalBlocker>

namespace ks::ui::xpcs {

OptionalNumber::OptionalNumber(const QString& absent, QWidget* parent) : NumberBox(parent, 6) {
    setDecimals(20);
    setRange(-unboundedNumber, unboundedNumber);
    setSpecialValueText(absent);
    setValue(minimum());
    connect(lineEdit(), &QLineEdit::textEdited, this, [this](const QString& text) {
        if (text.trimmed().isEmpty()) {
            setValue(minimum());
            lineEdit()->selectAll();
        }
    });
}

std::optional<double> OptionalNumber::number() const {
    return value() == minimum() ? std::nullopt : std::optional(value());
}

void OptionalNumber::setNumber(const std::optional<double>& number) {
    const QSignalBlocker quiet(this);
    setValue(number.value_or(minimum()));
    showUnit();
}

void OptionalNumber::stepBy(int steps) {
    if (number())
        NumberBox::stepBy(steps);
    else
        setValue(suggested_);
}

}  // namespace ks::ui::xpcs
