#include "ui/image/panel/wavelength_box.h"

#include <QRegularExpression>
#include <optional>

namespace ks::ui {
namespace {

constexpr double planckTimesLight = 12.398419843320026;  // keV angstrom, exact in the SI of 2019

/// Angstrom of a text that ends in keV or eV; nothing: it does not.
std::optional<double> fromEnergy(const QString& text) {
    static const QRegularExpression energy(QStringLiteral("^\\s*([0-9.eE+-]+)\\s*(k?)eV\\s*$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch found = energy.match(text);
    bool number = false;
    const double value = found.captured(1).toDouble(&number);
    if (!found.hasMatch() || !number || !(value > 0)) return std::nullopt;
    return planckTimesLight / (found.captured(2).isEmpty() ? value / 1000 : value);
}

/// What is on the way to an energy: "12.4 k".
bool beginsAnEnergy(const QString& text) {
    static const QRegularExpression begun(QStringLiteral("^\\s*[0-9.]+\\s*(k|e|ke)?\\s*$"),
                                          QRegularExpression::CaseInsensitiveOption);
    return begun.match(text).hasMatch();
}

/// The field keeps its unit behind what is typed.
QString withoutUnit(QString text, const QString& suffix) {
    if (!suffix.isEmpty() && text.endsWith(suffix)) text.chop(suffix.size());
    return text;
}

}  // namespace

double WavelengthBox::valueFromText(const QString& text) const {
    return fromEnergy(withoutUnit(text, suffix())).value_or(QDoubleSpinBox::valueFromText(text));
}

QValidator::State WavelengthBox::validate(QString& text, int& position) const {
    const QString typed = withoutUnit(text, suffix());
    if (fromEnergy(typed)) return QValidator::Acceptable;
    const QValidator::State state = QDoubleSpinBox::validate(text, position);
    return state == QValidator::Invalid && beginsAnEnergy(typed) ? QValidator::Intermediate : state;
}

}  // namespace ks::ui
