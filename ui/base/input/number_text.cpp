#include "ui/base/input/number_text.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>

#include "core/base/error.h"

namespace ks::ui {

std::optional<double> readNumber(const QString& text, bool decimalComma) {
    static const QRegularExpression pattern(
        QStringLiteral("^[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?$"));
    static const QRegularExpression thousands(QStringLiteral("^[+-]?[1-9][0-9]{0,2},[0-9]{3}$"));
    QString plain = text.trimmed();
    plain.replace(QChar(0x2212), QLatin1Char('-'));
    if (!pattern.match(plain).hasMatch()) return std::nullopt;
    if (!decimalComma && thousands.match(plain).hasMatch()) return std::nullopt;
    plain.replace(QLatin1Char(','), QLatin1Char('.'));
    bool fine = false;
    const double value = plain.toDouble(&fine);
    return fine && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> readNumber(const QString& text) {
    return readNumber(text, QLocale::system().decimalPoint() == QLatin1String(","));
}

QStringList numberParts(const QString& text, const std::string& where) {
    static const QRegularExpression tight(QStringLiteral("(?<=[0-9]),(?=[0-9])"));
    static const QRegularExpression oneMark(QStringLiteral("(?<![0-9,])[0-9]+,[0-9]+(?![0-9,])"));
    static const QRegularExpression spaced(QStringLiteral(",(?=\\s)"));
    QString plain = text;
    const bool semicolons = text.contains(QLatin1Char(';'));
    const bool decimalCommas = !text.contains(QLatin1Char('.')) && text.contains(tight);
    if (semicolons) {
        plain.replace(tight, QStringLiteral("."));
    } else if (decimalCommas && text.contains(spaced)) {
        plain.replace(spaced, QStringLiteral(";")).replace(tight, QStringLiteral("."));
        return plain.split(QLatin1Char(';'), Qt::SkipEmptyParts);
    } else if (decimalCommas && text.contains(oneMark)) {
        throw Error(
            ErrorKind::input,
            "\"" + text.trimmed().toStdString() +
                "\" may be one number with a decimal comma, or two numbers. For one number use a point, as "
                "in 1.5, or end with a semicolon; for several, put a space after each comma",
            where);
    }
    return plain.split(QLatin1Char(semicolons ? ';' : ','), Qt::SkipEmptyParts);
}

bool looksLikeNumber(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^[0-9.,eE+\\x{2212}\\s-]*$"));
    return pattern.match(text).hasMatch();
}

}  // namespace ks::ui
