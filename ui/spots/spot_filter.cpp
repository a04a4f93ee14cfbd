#include "ui/spots/spot_filter.h"

#include <QRegularExpression>
#include <QStringList>
#include <cmath>
#include <optional>

#include "core/run/error.h"

namespace ks::ui::spots {
namespace {

using Column = SpotTableModel::Column;

/// Names are compared by their letters alone: "I/sigma" is i_sigma.
QString bare(const QString& name) {
    QString letters;
    for (const QChar c : name)
        if (c.isLetter()) letters += c.toLower();
    return letters;
}

/// Other words that people use for a column.
constexpr struct {
    const char* word;
    Column column;
} synonyms[] = {{"frames", SpotTableModel::FramesColumn},       {"size", SpotTableModel::PixelsColumn},
                {"intensity", SpotTableModel::SumColumn},       {"bg", SpotTableModel::BackgroundColumn},
                {"isigi", SpotTableModel::SignificanceColumn},  {"resolution", SpotTableModel::DColumn},
                {"i\u03c3", SpotTableModel::SignificanceColumn}};

std::optional<Column> columnOf(const QString& name) {
    const QString letters = bare(name);
    if (letters.isEmpty()) return std::nullopt;
    for (int c = 0; c < SpotTableModel::KeptColumn; ++c)
        if (letters == bare(QString::fromUtf8(SpotTableModel::key(static_cast<Column>(c)))))
            return static_cast<Column>(c);
    for (const auto& synonym : synonyms)
        if (letters == QString::fromUtf8(synonym.word)) return synonym.column;
    return std::nullopt;
}

std::optional<double> numberOf(const QString& text) {
    bool good = false;
    const double value = text.trimmed().toDouble(&good);
    return good && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

[[noreturn]] void unreadable(const QString& text) {
    throw Error(ErrorKind::input,
                "expected conditions such as \"sum > 500, d < 3\", found \"" + text.toStdString() + "\"",
                "filter");
}

Column neededColumn(const QString& name, const QString& condition) {
    if (const auto column = columnOf(name)) return *column;
    if (bare(name).isEmpty()) unreadable(condition);
    QStringList known;
    for (int c = 0; c < SpotTableModel::KeptColumn; ++c)
        known << QString::fromUtf8(SpotTableModel::key(static_cast<Column>(c)));
    throw Error(ErrorKind::input,
                "there is no column \"" + name.trimmed().toStdString() + "\": expected " +
                    known.join(QStringLiteral(", ")).toStdString(),
                "filter");
}

double neededNumber(const QString& text, const QString& condition) {
    const auto number = numberOf(text);
    if (!number) unreadable(condition);
    return *number;
}

}  // namespace

SpotFilter::Relation SpotFilter::relationOf(const QString& sign) {
    if (sign == QLatin1String("<")) return Relation::less;
    if (sign == QLatin1String("<=")) return Relation::lessEqual;
    if (sign == QLatin1String(">")) return Relation::greater;
    if (sign == QLatin1String(">=")) return Relation::greaterEqual;
    return sign == QLatin1String("!=") ? Relation::unequal : Relation::equal;
}

SpotFilter::Relation SpotFilter::mirrored(Relation relation) {
    switch (relation) {
        case Relation::less:
            return Relation::greater;
        case Relation::lessEqual:
            return Relation::greaterEqual;
        case Relation::greater:
            return Relation::less;
        case Relation::greaterEqual:
            return Relation::lessEqual;
        default:
            return relation;
    }
}

std::vector<SpotFilter::Condition> SpotFilter::parseOne(const QString& text) {
    for (int why = 0; why <= static_cast<int>(ks::spots::Dropped::ice); ++why) {
        const QString name = SpotTableModel::whyText(static_cast<ks::spots::Dropped>(why));
        if (text.compare(name, Qt::CaseInsensitive) == 0)
            return {{SpotTableModel::KeptColumn, Relation::equal, static_cast<double>(why)}};
    }
    static const QRegularExpression range(
        QStringLiteral("^([^\\d\\s<>=!.+-]+)\\s*=?\\s*(\\S+?)\\s*\\.\\.\\s*(\\S+)$"));
    if (const auto match = range.match(text); match.hasMatch()) {
        const Column column = neededColumn(match.captured(1), text);
        return {{column, Relation::greaterEqual, neededNumber(match.captured(2), text)},
                {column, Relation::lessEqual, neededNumber(match.captured(3), text)}};
    }
    static const QRegularExpression sign(QStringLiteral("<=|>=|!=|==|<|>|="));
    QStringList signs;
    for (auto at = sign.globalMatch(text); at.hasNext();) signs << at.next().captured();
    const QStringList sides = text.split(sign);
    if (sides.size() == 2) {
        if (const auto left = numberOf(sides[0]))
            return {{neededColumn(sides[1], text), mirrored(relationOf(signs[0])), *left}};
        return {{neededColumn(sides[0], text), relationOf(signs[0]), neededNumber(sides[1], text)}};
    }
    if (sides.size() != 3) unreadable(text);
    const Column column = neededColumn(sides[1], text);
    return {{column, mirrored(relationOf(signs[0])), neededNumber(sides[0], text)},
            {column, relationOf(signs[1]), neededNumber(sides[2], text)}};
}

SpotFilter SpotFilter::parse(const QString& text) {
    SpotFilter filter;
    QString plain = text;
    plain.replace(QChar(0x2264), QLatin1String("<="));
    plain.replace(QChar(0x2265), QLatin1String(">="));
    plain.replace(QChar(0x2260), QLatin1String("!="));
    static const QRegularExpression between(QStringLiteral(",|;|&&|\\band\\b"));
    const QStringList parts = plain.split(between);
    for (const QString& part : parts) {
        const QString one = part.trimmed();
        // A comma at the end: more is to come.
        if (one.isEmpty()) continue;
        for (const Condition& condition : parseOne(one)) filter.conditions_.push_back(condition);
    }
    return filter;
}

bool SpotFilter::holds(double low, double high, const Condition& condition) {
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

bool SpotFilter::accepts(const SpotTableModel& model, int spot) const {
    for (const Condition& condition : conditions_) {
        const double low = model.number(spot, condition.column);
        const double high = condition.column == SpotTableModel::FramesColumn ? model.lastFrame(spot) : low;
        if (!holds(low, high, condition)) return false;
    }
    return true;
}

}  // namespace ks::ui::spots
