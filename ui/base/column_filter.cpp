#include "ui/base/column_filter.h"

#include <QRegularExpression>
#include <QStringList>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "ui/base/input/number_text.h"

namespace ks::ui {
namespace {

/// Only the letters of names are compared: "I/sigma" is i_sigma.
QString bare(const QString& name) {
    QString letters;
    for (const QChar c : name)
        if (c.isLetter()) letters += c.toLower();
    return letters;
}

std::optional<int> columnOf(const QString& name, const FilterNames& names) {
    const QString letters = bare(name);
    if (letters.isEmpty()) return std::nullopt;
    for (const auto* known : {&names.columns, &names.synonyms})
        for (const FilterNames::Column& one : *known)
            if (letters == bare(one.name)) return one.column;
    return std::nullopt;
}

/// A comma between digits is a decimal mark unless another condition begins after it: "q > 0,25, n > 3".
QString withPoints(QString text) {
    static const QRegularExpression number(
        QStringLiteral("([0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?)(?=\\s*(?:$|[,;&]|and\\b|\\.\\.))"));
    for (qsizetype from = 0;;) {
        const QRegularExpressionMatch found = number.match(text, from);
        if (!found.hasMatch()) return text;
        from = found.capturedEnd();
        if (readNumber(found.captured(1)))
            text.replace(text.indexOf(QLatin1Char(','), found.capturedStart()), 1, QLatin1Char('.'));
    }
}

[[noreturn]] void unreadable(const QString& text, const FilterNames& names) {
    throw Error(ErrorKind::input,
                "expected conditions such as \"" + names.example.toStdString() + "\", found \"" +
                    text.toStdString() + "\"",
                "filter");
}

int neededColumn(const QString& name, const QString& condition, const FilterNames& names) {
    if (const auto column = columnOf(name, names)) return *column;
    if (bare(name).isEmpty()) unreadable(condition, names);
    QStringList known;
    for (const FilterNames::Column& one : names.columns) known << one.name;
    throw Error(ErrorKind::input,
                "there is no column \"" + name.trimmed().toStdString() + "\"; the columns are " +
                    known.join(QStringLiteral(", ")).toStdString(),
                "filter");
}

double neededNumber(const QString& text, const QString& condition, const FilterNames& names) {
    const auto number = readNumber(text);
    if (!number) unreadable(condition, names);
    return *number;
}

}  // namespace

ColumnFilter::Relation ColumnFilter::relationOf(const QString& sign) {
    if (sign == QLatin1String("<")) return Relation::less;
    if (sign == QLatin1String("<=")) return Relation::lessEqual;
    if (sign == QLatin1String(">")) return Relation::greater;
    if (sign == QLatin1String(">=")) return Relation::greaterEqual;
    return sign == QLatin1String("!=") ? Relation::unequal : Relation::equal;
}

ColumnFilter::Relation ColumnFilter::mirrored(Relation relation) {
    using enum Relation;
    constexpr Relation others[] = {greater, greaterEqual, less, lessEqual, equal, unequal};
    return others[static_cast<std::size_t>(relation)];
}

std::vector<ColumnFilter::Condition> ColumnFilter::parseOne(const QString& text, const QString& typed,
                                                            const FilterNames& names) {
    for (const FilterNames::Word& one : names.words)
        if (text.compare(one.word, Qt::CaseInsensitive) == 0)
            return {{one.column, Relation::equal, one.value}};
    static const QRegularExpression range(
        QStringLiteral("^([^\\d\\s<>=!.+-]+)\\s*=?\\s*(\\S+?)\\s*\\.\\.\\s*(\\S+)$"));
    if (const auto match = range.match(text); match.hasMatch()) {
        const int column = neededColumn(match.captured(1), typed, names);
        return {{column, Relation::greaterEqual, neededNumber(match.captured(2), typed, names)},
                {column, Relation::lessEqual, neededNumber(match.captured(3), typed, names)}};
    }
    static const QRegularExpression sign(QStringLiteral("<=|>=|!=|==|<|>|="));
    QStringList signs;
    for (auto at = sign.globalMatch(text); at.hasNext();) signs << at.next().captured();
    const QStringList sides = text.split(sign);
    if (sides.size() == 2) {
        if (const auto left = readNumber(sides[0]))
            return {{neededColumn(sides[1], typed, names), mirrored(relationOf(signs[0])), *left}};
        return {{neededColumn(sides[0], typed, names), relationOf(signs[0]),
                 neededNumber(sides[1], typed, names)}};
    }
    if (sides.size() != 3) unreadable(typed, names);
    const int column = neededColumn(sides[1], typed, names);
    return {{column, mirrored(relationOf(signs[0])), neededNumber(sides[0], typed, names)},
            {column, relationOf(signs[1]), neededNumber(sides[2], typed, names)}};
}

ColumnFilter ColumnFilter::parse(const QString& text, const FilterNames& names) {
    ColumnFilter filter;
    const QString plain = withPoints(text);  // as long as the text
    static const QRegularExpression between(QStringLiteral(",|;|&&|\\band\\b"));
    const auto add = [&](qsizetype from, qsizetype end) {
        QString one = plain.mid(from, end - from).trimmed();
        // A comma at the end: more will follow.
        if (one.isEmpty()) return;
        one.replace(QChar(0x2264), QLatin1String("<="));
        one.replace(QChar(0x2265), QLatin1String(">="));
        one.replace(QChar(0x2260), QLatin1String("!="));
        const QString typed = text.mid(from, end - from).trimmed();
        for (const Condition& condition : parseOne(one, typed, names))
            filter.conditions_.push_back(condition);
    };
    qsizetype from = 0;
    for (auto at = between.globalMatch(plain); at.hasNext();) {
        const QRegularExpressionMatch found = at.next();
        add(from, found.capturedStart());
        from = found.capturedEnd();
    }
    add(from, plain.size());
    return filter;
}

bool ColumnFilter::holds(double low, double high, const Condition& condition) {
    if (std::isnan(low)) return false;
    switch (condition.relation) {
        case Relation::less:
            return low < condition.value;
        case Relation::lessEqual:
            return low <= condition.value;
        case Relation::greater:
            return high > condition.value;
        case Relation::greaterEqual:
            return high >= condition.value;
        case Relation::equal:
            return low <= condition.value && condition.value <= high;
        case Relation::unequal:
            return low != condition.value || high != condition.value;
    }
    return false;
}

std::vector<int> ColumnFilter::columns() const {
    std::vector<int> all;
    for (const Condition& condition : conditions_) all.push_back(condition.column);
    return all;
}

bool ColumnFilter::accepts(const Range& range) const {
    for (const Condition& condition : conditions_) {
        const auto [low, high] = range(condition.column);
        if (!holds(low, high, condition)) return false;
    }
    return true;
}

}  // namespace ks::ui
