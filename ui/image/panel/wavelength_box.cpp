#include "ui/image/panel/wavelength_box.h"

#include <QRegularExpression>
#include <optional>

#include "ui/base/input/number_text.h"

namespace ks::ui {
namespace {

constexpr double planckTimesLight = 12.398419843320026;  // keV angstrom, exact in the SI of 2019

/// Wavelength in angstrom for a text that ends in keV or eV; nullopt for other texts.
std::optional<double> fromEnergy(const QString& text) {
    static const QRegularExpression energy(QStringLiteral("^(.*[^k\\s])\\s*(k?)eV$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch found = energy.match(text);
    if (!found.hasMatch()) return std::nullopt;
    const std::optional<double> value = readNumber(found.captured(1));
    if (!value || !(*value > 0)) return std::nullopt;
    return planckTimesLight / (found.captured(2).isEmpty() ? *value / 1000 : *value);
}

/// The beginning of an energy: "12.4 k".
bool beginsAnEnergy(const QString& text) {
    static const QRegularExpression begun(QStringLiteral("^[0-9.,]+\\s*(k|e|ke)?$"),
                                          QRegularExpression::CaseInsensitiveOption);
    return begun.match(text).hasMatch();
}

}  // namespace

double WavelengthBox::valueFromText(const QString& text) const {
    const std::optional<double> angstrom = fromEnergy(typed(text));
    return angstrom ? *angstrom : DecimalBox::valueFromText(text);
}

QValidator::State WavelengthBox::validate(QString& text, int& position) const {
    if (fromEnergy(typed(text))) return QValidator::Acceptable;
    const QValidator::State state = DecimalBox::validate(text, position);
    return state == QValidator::Invalid && beginsAnEnergy(typed(text)) ? QValidator::Intermediate : state;
}

}  // namespace ks::ui
