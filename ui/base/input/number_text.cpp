#include "ui/base/input/number_text.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>

#include "core/base/error.h"
#include "core/run/parameters/whole_number.h"

namespace ks::ui {
namespace {

/// @param plain as long as `typed`
std::vector<NumberPart> partsBetween(QChar separator, const QString& plain, const QString& typed) {
    std::vector<NumberPart> parts;
    for (qsizetype from = 0; from <= plain.size();) {
        const qsizetype found = plain.indexOf(separator, from), end = found < 0 ? plain.size() : found;
        if (end > from) parts.push_back({plain.mid(from, end - from), typed.mid(from, end - from)});
        from = end + 1;
    }
    return parts;
}

}  // namespace

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

std::optional<double> readGroupedNumber(const QString& text, bool whole) {
    // Sign, groups with one and the same mark, and decimals after the other mark.
    static const QRegularExpression pattern(
        QStringLiteral(
            "^([+-]?)([1-9][0-9]{0,2}(?:([.,'\\x{2019}\\s])[0-9]{3})(?:\\3[0-9]{3})*)(?:([.,])([0-9]*))?$"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString plain = text.trimmed();
    plain.replace(QChar(0x2212), QLatin1Char('-'));
    const QRegularExpressionMatch found = pattern.match(plain);
    if (!found.hasMatch()) return std::nullopt;
    const QString mark = found.captured(3), decimals = found.captured(5);
    const bool isDecimalMark = mark == QLatin1String(".") || mark == QLatin1String(",");
    if (mark == found.captured(4)) return std::nullopt;
    const bool single = found.captured(2).count(mark) == 1;
    if (!whole && isDecimalMark && single && found.captured(4).isEmpty()) return std::nullopt;
    const QString digits = found.captured(2).remove(mark);
    const double value =
        (found.captured(1) + digits + QLatin1Char('.') + decimals + QLatin1Char('0')).toDouble();
    return whole && value != std::round(value) ? std::nullopt : std::optional(value);
}

std::optional<double> readWholeNumber(const QString& text) {
    const std::optional<double> grouped = readGroupedNumber(text, false);
    if (!grouped && readGroupedNumber(text, true)) return std::nullopt;
    const std::optional<double> value = grouped ? grouped : readNumber(text);
    return value && *value != std::round(*value) ? std::nullopt : value;
}

QString wholeNumberDigits(const QString& text) {
    constexpr double exact = 9007199254740992;  // 2^53
    if (const auto whole = whole_number(text.toStdString())) return QString::number(*whole);
    const std::optional<double> value = readWholeNumber(text);
    return value && std::abs(*value) <= exact ? QString::number(*value, 'f', 0) : text;
}

std::vector<NumberPart> numberParts(const QString& text, const std::string& where) {
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
        return partsBetween(QLatin1Char(';'), plain, text);
    } else if (decimalCommas && text.contains(oneMark)) {
        throw Error(
            ErrorKind::input,
            "\"" + text.trimmed().toStdString() +
                "\" may be one number with a decimal comma, or two numbers. For one number use a point, as "
                "in 1.5, or end with a semicolon; for several, put a space after each comma",
            where);
    }
    return partsBetween(QLatin1Char(semicolons ? ';' : ','), plain, text);
}

}  // namespace ks::ui
