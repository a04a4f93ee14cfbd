#include "ui/tune/configurations.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/base/quantile.h"

namespace ks::ui::tune {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double medianOf(const std::vector<double>& samples) {
    return samples.empty() ? unknown : quantile(samples, 0.5);
}

/// Numbers ascend and come before words.
bool isBefore(const QString& a, const QString& b) {
    bool first = false, second = false;
    const double x = a.toDouble(&first), y = b.toDouble(&second);
    if (first && second) return x < y;
    return first == second ? a < b : first;
}

std::vector<DefineAxis> axesOf(const TuneReport& report) {
    std::map<std::string, std::set<std::string>> values;
    for (const TuneRow& row : report.rows)
        for (const auto& [name, value] : row.defines) values[name].insert(value);
    for (const auto& [name, list] : report.plan.space) values[name].insert(list.begin(), list.end());
    std::vector<DefineAxis> axes;
    for (const auto& [name, some] : values) {
        DefineAxis axis{QString::fromStdString(name), {}};
        for (const std::string& value : some) axis.values << QString::fromStdString(value);
        std::ranges::sort(axis.values, isBefore);
        axes.push_back(std::move(axis));
    }
    return axes;
}

Configuration configurationOf(const TuneRow& row, const std::vector<DefineAxis>& axes) {
    Configuration one;
    for (const DefineAxis& axis : axes) {
        const auto found = row.defines.find(axis.name.toStdString());
        const qsizetype at =
            found == row.defines.end() ? 0 : axis.values.indexOf(QString::fromStdString(found->second));
        one.values.push_back(static_cast<std::size_t>(std::max<qsizetype>(at, 0)));
    }
    one.ratio = row.cost().value_or(unknown);
    one.outcome = row.wrong ? Outcome::wrong : row.cost() ? Outcome::timed : Outcome::failed;
    one.reason = QString::fromStdString(row.not_timed);
    if (row.failure) one.messages = QString::fromStdString(row.failure->details).trimmed();
    one.tried = row.cost() ? medianOf(row.tried) : unknown;
    one.usual = row.cost() ? medianOf(row.default_then) : unknown;
    one.compared = medianOf(row.samples);
    one.finalRatio = unknown;
    return one;
}

}  // namespace

std::size_t Configurations::failed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows, [](const Configuration& one) { return one.outcome != Outcome::timed; }));
}

QString Configurations::name(std::size_t row) const {
    QStringList parts;
    for (std::size_t i = 0; i < axes.size(); ++i)
        parts << QStringLiteral("%1=%2").arg(axes[i].name,
                                             axes[i].values[static_cast<qsizetype>(rows[row].values[i])]);
    return parts.join(QLatin1Char(' '));
}

Configurations configurationsOf(const TuneReport& report) {
    Configurations all;
    all.axes = axesOf(report);
    all.rows.reserve(report.rows.size());
    for (const TuneRow& row : report.rows) all.rows.push_back(configurationOf(row, all.axes));
    // The default's times are those of the final comparison, in which it met the best one only: the times of
    // the other rows are of earlier rounds. Before its end, they are not complete.
    if (report.best) {
        Configuration& best = all.rows.at(*report.best);
        best.finalRatio = best.compared / medianOf(report.usual.samples);
    }
    for (const DefineAxis& axis : all.axes) {
        const auto found = report.usual.defines.find(axis.name.toStdString());
        const qsizetype at = found == report.usual.defines.end()
                                 ? -1
                                 : axis.values.indexOf(QString::fromStdString(found->second));
        all.usual.push_back(at < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(at)));
    }
    all.best = report.best;
    if (!all.best)
        for (std::size_t i = 0; i < all.rows.size(); ++i)
            if (all.rows[i].outcome == Outcome::timed &&
                (!all.best || all.rows[i].ratio < all.rows[*all.best].ratio))
                all.best = i;
    return all;
}

QString definesText(const Defines& defines) {
    QStringList parts;
    for (const auto& [name, value] : defines)
        parts << QStringLiteral("%1=%2").arg(QString::fromStdString(name), QString::fromStdString(value));
    return parts.isEmpty() ? QObject::tr("no definitions") : parts.join(QLatin1Char(' '));
}

QString ratioText(double ratio) {
    if (std::isnan(ratio)) return QStringLiteral("\u2013");
    return ratio < 9.995 ? QString::number(ratio, 'f', 2)
                         : QString::number(ratio, 'f', ratio < 99.95 ? 1 : 0);
}

QString outcomeText(Outcome outcome) {
    switch (outcome) {
        case Outcome::failed:
            return QObject::tr("failed");
        case Outcome::wrong:
            return QObject::tr("wrong");
        case Outcome::timed:
            break;
    }
    return QObject::tr("timed");
}

}  // namespace ks::ui::tune
