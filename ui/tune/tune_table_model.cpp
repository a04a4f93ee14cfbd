#include "ui/tune/tune_table_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/base/palette.h"
#include "ui/tune/ratio_scale.h"

namespace ks::ui::tune {
namespace {

constexpr int mostMessageLines = 12;  ///< of a compiler in a tool tip

constexpr ColumnText numberText{
    "number", "#", "",
    "Number of the configuration; configurations are numbered in the order in which they were tried"};
constexpr std::array<ColumnText, TuneTableModel::MeasuredCount> measuredTexts{{
    {"ratio", "Search", "median of ratios",
     "Median of the times of the configuration in the search, each divided by the default's time measured "
     "just before it; it can differ from the ratio of the medians in the columns Time and Default then. "
     "Chance may favour the fastest one: see the final comparison"},
    {"final_ratio", "Final", "/ default's",
     "Only for the configuration that was compared with the default in the end (bold): median of its times "
     "in this final comparison, divided by the default's median there, as in the line above the plots"},
    {"time_ns", "Time", "median", "Time of the kernels, and of host computations in addition to them"},
    {"default_ns", "Default then", "median",
     "Time of the default, measured in alternation with the configuration"},
    {"compared_ns", "Compared", "median",
     "Times of the best configurations in the rounds that compared them with each other; in the bold row, "
     "times in the final comparison with the default"},
    {"outcome", "Outcome", "", "timed, failed (does not build or run) or wrong (incorrect result)", true},
    {"reason", "Reason", "", "Why it was not timed", true},
}};

}  // namespace

TuneTableModel::TuneTableModel(const std::vector<DefineAxis>& axes, QObject* parent)
    : OrderedTableModel({}, parent) {
    for (const DefineAxis& axis : axes) {
        axes_ << axis.name;
        names_.push_back(axis.name.toStdString());
    }
    std::vector<ColumnText> texts{numberText};
    for (const std::string& name : names_)
        texts.push_back({name.c_str(), name.c_str(), "", "Value of this definition"});
    texts.insert(texts.end(), measuredTexts.begin(), measuredTexts.end());
    setColumns(std::move(texts));
}

void TuneTableModel::setConfigurations(SharedConfigurations all) {
    beginResetModel();
    all_ = std::move(all);
    resetItems(all_->rows.size());
    endResetModel();
}

QString TuneTableModel::value(int item, std::size_t axis) const {
    return all_->axes[axis].values[static_cast<qsizetype>(row(item).values[axis])];
}

double TuneTableModel::number(int item, int at) const {
    if (at == NumberColumn) return item + 1;
    const Configuration& one = row(item);
    switch (measured(at)) {
        case RatioColumn:
            return one.ratio;
        case FinalColumn:
            return one.finalRatio;
        case TriedColumn:
            return one.tried;
        case UsualColumn:
            return one.usual;
        case ComparedColumn:
            return one.compared;
        case OutcomeColumn:
            return static_cast<double>(one.outcome);
        case ReasonColumn:
            return one.reason.isEmpty() ? std::numeric_limits<double>::quiet_NaN()
                                        : static_cast<double>(one.outcome);
        default:
            break;
    }
    const auto axis = static_cast<std::size_t>(at - FirstValueColumn);
    bool isNumber = false;
    const double given = value(item, axis).toDouble(&isNumber);
    return isNumber ? given : static_cast<double>(one.values[axis]);
}

QString TuneTableModel::text(int item, int at) const {
    if (at == NumberColumn) return QString::number(item + 1);
    const Configuration& one = row(item);
    const auto duration = [](double time) {
        return std::isnan(time) ? QStringLiteral("\u2013") : formatDuration(time);
    };
    switch (measured(at)) {
        case RatioColumn:
        case FinalColumn: {
            const double ratio = number(item, at);
            return std::isnan(ratio) ? QStringLiteral("\u2013") : QString::number(ratio, 'f', 3);
        }
        case TriedColumn:
        case UsualColumn:
        case ComparedColumn:
            return duration(number(item, at));
        case OutcomeColumn:
            return outcomeText(one.outcome);
        case ReasonColumn:
            return one.reason;
        default:
            return value(item, static_cast<std::size_t>(at - FirstValueColumn));
    }
}

QVariant TuneTableModel::data(const QModelIndex& index, int role) const {
    if (index.isValid()) {
        const int item = itemAt(index.row());
        const Configuration& one = row(item);
        if (role == Qt::ForegroundRole && one.outcome != Outcome::timed)
            return outcomeColour(one.outcome, isDark(QGuiApplication::palette()));
        if (role == Qt::ToolTipRole && !one.reason.isEmpty()) {
            // The first message is mostly the cause of the others.
            const QString first = one.messages.section(QLatin1Char('\n'), 0, mostMessageLines - 1);
            return first.isEmpty() ? one.reason : one.reason + QLatin1Char('\n') + first;
        }
        if (role == Qt::FontRole && all_->best == static_cast<std::size_t>(item)) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
    }
    return OrderedTableModel::data(index, role);
}

}  // namespace ks::ui::tune
