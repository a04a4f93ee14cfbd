#include "ui/shell/general/exhibits.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/element_type.h"
#include "core/base/json_text.h"
#include "core/data/missing_value.h"
#include "core/run/tables/shown_facts.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

QString text(const std::string& one) {
    return QString::fromStdString(one);
}

/// Files of results and the command line spell microseconds with ASCII letters alone; plots, and the CSV that
/// is exported from them, do not.
QString withMicro(const std::string& one) {
    static const QRegularExpression microseconds(QStringLiteral("\\bus\\b"));
    return text(one).replace(microseconds, QStringLiteral("\u00b5s"));
}

QString titleOf(const Dataset& dataset) {
    return withMicro(dataset.title.empty() ? dataset.name : dataset.title);
}

/// The axis of one dimension, counted from the last one; null: the index.
const Dataset* axisOf(const Result& result, const Dataset& dataset, std::size_t fromLast) {
    if (dataset.axes.size() <= fromLast) return nullptr;
    const std::string& name = dataset.axes[dataset.axes.size() - 1 - fromLast];
    return name.empty() ? nullptr : result.find(name);
}

/// Coordinates such as sizes by powers of 2, which would crowd together at the low end of a linear axis.
bool spansOrders(const std::vector<double>& coordinates) {
    if (coordinates.empty()) return false;
    const auto [low, high] = std::ranges::minmax(coordinates);
    return low > 0 && high >= 100 * low;
}

QVector<double> indices(std::size_t count) {
    QVector<double> all(static_cast<qsizetype>(count));
    std::iota(all.begin(), all.end(), 0.0);
    return all;
}

QVector<double> part(const std::vector<double>& values, std::size_t from, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

void addCurves(CurvesExhibit& shown, const RunRow& row, const Dataset& dataset, bool several) {
    const Result& result = row.run->result;
    const std::size_t points = dataset.values.shape().back();
    if (points == 0) return;
    const std::size_t curves = dataset.values.size() / points;
    const std::vector<double> values = dataset.values.to_doubles();
    const Dataset* const axis = axisOf(result, dataset, 0);
    const QVector<double> x =
        axis && axis->values.size() == points ? part(axis->values.to_doubles(), 0, points) : indices(points);
    const Dataset* const errors = dataset.errors.empty() ? nullptr : result.find(dataset.errors);
    const std::vector<double> spread = errors && errors->values.size() == values.size()
                                           ? errors->values.to_doubles()
                                           : std::vector<double>();
    for (std::size_t i = 0; i < curves; ++i) {
        CurveSeries curve;
        curve.bin = static_cast<int>(shown.series.size()) + 1;
        if (several || isWrong(row)) curve.run = runLabel(row);
        curve.label =
            curves > 1 ? QStringLiteral("%1 %2").arg(titleOf(dataset)).arg(i + 1) : titleOf(dataset);
        curve.x = x;
        curve.y = part(values, i * points, points);
        if (!spread.empty()) curve.yerr = part(spread, i * points, points);
        shown.series << curve;
    }
}

/// The curves that share a plot with this one: same unit, same axis of the result.
std::vector<const Dataset*> besides(const Result& result, const Dataset& first) {
    if (first.values.rank() != 1 || first.unit.empty() || axisOf(result, first, 0) == nullptr)
        return {&first};
    std::vector<const Dataset*> all;
    for (const Dataset& one : result.datasets)
        if (one.kind == DataKind::curves && one.unit == first.unit && one.axes == first.axes &&
            one.values.rank() == 1)
            all.push_back(&one);
    return all;
}

CurvesExhibit curvesOf(const std::vector<RunRow>& runs, const std::vector<const Dataset*>& curves) {
    CurvesExhibit shown;
    for (const RunRow& row : runs) {
        const qsizetype before = shown.series.size();
        for (const Dataset* const one : curves)
            if (const Dataset* found = row.run->result.find(one->name);
                found && found->kind == DataKind::curves && found->values.rank() > 0)
                addCurves(shown, row, *found, runs.size() > 1);
        // Curves at the same position have the same colour in all runs.
        for (qsizetype i = before; i < shown.series.size(); ++i)
            shown.series[i].bin = static_cast<int>(i - before) + 1;
    }
    // With one curve each, the colour is left to tell the runs apart.
    if (runs.size() > 1 && std::ranges::all_of(shown.series, [](const auto& one) { return one.bin == 1; }))
        for (qsizetype i = 0; i < shown.series.size(); ++i) shown.series[i].hue = i;
    const Result& result = runs.front().run->result;
    const Dataset& dataset = *curves.front();
    if (const Dataset* axis = axisOf(result, dataset, 0)) {
        shown.xTitle = titleOf(*axis);
        shown.xUnit = withMicro(axis->unit);
        shown.logX = spansOrders(axis->values.to_doubles());
    } else {
        shown.xTitle = QObject::tr("Index");
    }
    if (curves.size() == 1) shown.yTitle = titleOf(dataset);
    shown.yUnit = withMicro(dataset.unit);
    std::vector<double> drawn;
    if (curves.size() > 1)
        for (const CurveSeries& one : shown.series)
            std::ranges::copy_if(one.y, std::back_inserter(drawn), [](double y) { return std::isfinite(y); });
    shown.logY = curves.size() > 1 && spansOrders(drawn);
    return shown;
}

/// A single number is shown as text, not plotted: one line per run.
std::optional<TextExhibit> numberOf(const std::vector<RunRow>& runs, const Dataset& dataset) {
    if (dataset.values.size() != 1) return std::nullopt;
    QStringList lines;
    std::vector<int> numbers;
    for (const RunRow& row : runs) {
        const Dataset* const found = row.run->result.find(dataset.name);
        if (!found || found->values.size() != 1) continue;
        const double value = found->values.to_doubles().front();
        QString line =
            is_float(found->values.type()) ? QString::number(value, 'g', 9) : QString::number(value, 'f', 0);
        if (!dataset.unit.empty()) line += QLatin1Char(' ') + withMicro(dataset.unit);
        lines << (runs.size() > 1 || isWrong(row) ? QObject::tr("%1: %2").arg(runLabel(row), line) : line);
        if (runs.size() > 1) numbers.push_back(row.number);
    }
    return TextExhibit{titleOf(dataset) + QStringLiteral("\n") + lines.join(QLatin1Char('\n')),
                       std::move(numbers)};
}

MapExhibit mapOf(const std::shared_ptr<const Run>& run, const Dataset& dataset, const Analysis* analysis) {
    const Result& result = run->result;
    MapExhibit shown;
    if (analysis)
        shown.pixelText = [run, analysis, image = &dataset](std::size_t pixel) {
            return text(analysis->pixel_text(*run, *image, pixel));
        };
    const std::vector<std::size_t>& shape = dataset.values.shape();
    MapData& map = shown.map;
    map.columns = shape.back();
    // Slices of a volume are stacked vertically.
    map.rows = map.columns == 0 ? 0 : dataset.values.size() / map.columns;
    map.values = dataset.values.to_doubles();
    map.xLast = static_cast<double>(map.columns) - 1;
    map.yLast = static_cast<double>(map.rows) - 1;
    const Dataset* const x = axisOf(result, dataset, 0);
    const Dataset* const y = axisOf(result, dataset, 1);
    shown.xTitle = x ? titleOf(*x) : QObject::tr("Column");
    // Of stacked slices, the row says in which one it is.
    shown.yTitle = y                  ? titleOf(*y)
                   : shape.size() > 2 ? QObject::tr("Slice * %1 + row").arg(shape[shape.size() - 2])
                                      : QObject::tr("Row");
    shown.xUnit = x ? withMicro(x->unit) : QString();
    shown.yUnit = y ? withMicro(y->unit) : QString();
    shown.valueUnit = withMicro(dataset.unit);
    return shown;
}

void addColumn(TableExhibit& table, const Dataset& dataset) {
    table.columns.push_back({dataset.name, titleOf(dataset).toStdString(),
                             withMicro(dataset.unit).toStdString(), dataset.values.to_doubles(),
                             !is_float(dataset.values.type())});
}

void addNames(TableExhibit& table, const Dataset& names) {
    table.columns.push_back({names.name, titleOf(names).toStdString(), "", {}, true, {}});
    for (const std::string& one : row_names(names)) {
        table.columns.back().values.push_back(static_cast<double>(table.columns.back().words.size()));
        table.columns.back().words << text(one);
    }
}

}  // namespace

ResultTableModel::ResultTableModel(std::vector<Column> columns, QObject* parent)
    : OrderedTableModel({}, parent), columns_(std::move(columns)) {
    std::vector<ColumnText> texts;
    for (const Column& one : columns_)
        texts.push_back(
            {one.key.c_str(), one.title.c_str(), one.unit.c_str(), one.title.c_str(), !one.words.isEmpty()});
    beginResetModel();
    setColumns(std::move(texts));
    resetItems(columns_.empty() ? 0 : columns_.front().values.size());
    endResetModel();
}

double ResultTableModel::number(int item, int column) const {
    return columns_[static_cast<std::size_t>(column)].values[static_cast<std::size_t>(item)];
}

QString ResultTableModel::text(int item, int column) const {
    if (isWords(column)) return columns_[static_cast<std::size_t>(column)].words[item];
    const double value = number(item, column);
    if (is_missing(value)) return {};
    if (std::isnan(value)) return QStringLiteral("-");
    return columns_[static_cast<std::size_t>(column)].whole ? QString::number(value, 'f', 0)
                                                            : formatNumber(value);
}

std::vector<Exhibit> exhibitsOf(const std::vector<RunRow>& runs, const Analysis* analysis) {
    std::vector<Exhibit> all;
    if (runs.empty()) return all;
    const Result& result = runs.front().run->result;
    // Columns with the same axes and the same number of rows form one table.
    struct Table {
        std::vector<std::string> axes;
        std::size_t rows, at;
    };
    std::vector<Table> tables;
    for (const Dataset& dataset : result.datasets) {
        const bool isError = std::ranges::any_of(
            result.datasets, [&](const Dataset& one) { return one.errors == dataset.name; });
        if (isError || dataset.values.rank() == 0) continue;
        const QString name = text(dataset.name), title = titleOf(dataset);
        switch (dataset.kind) {
            case DataKind::curves: {
                if (auto number = numberOf(runs, dataset)) {
                    all.push_back({name, title, std::move(*number)});
                    break;
                }
                const std::vector<const Dataset*> curves = besides(result, dataset);
                if (curves.front() != &dataset) break;  // in the plot of the first one
                const QString of =
                    curves.size() > 1 ? QObject::tr("Curves, %1").arg(withMicro(dataset.unit)) : title;
                all.push_back({name, of, curvesOf(runs, curves)});
                break;
            }
            case DataKind::image:
                if (dataset.values.rank() >= 2)
                    all.push_back({name, title, mapOf(runs.front().run, dataset, analysis)});
                break;
            case DataKind::text:
                if (names_rows(result, dataset)) break;  // in the table
                all.push_back({name, title, TextExhibit{text(text_of(dataset))}});
                break;
            case DataKind::table: {
                if (dataset.values.rank() != 1) break;
                const std::size_t rows = dataset.values.size();
                auto found = std::ranges::find_if(
                    tables, [&](const Table& one) { return one.axes == dataset.axes && one.rows == rows; });
                if (found == tables.end()) {
                    tables.push_back({dataset.axes, rows, all.size()});
                    found = std::prev(tables.end());
                    TableExhibit table;
                    if (const Dataset* const names = row_names_of(result, dataset))
                        addNames(table, *names);
                    else if (const Dataset* axis = axisOf(result, dataset, 0);
                             axis && axis->kind != DataKind::text && axis->values.size() == rows)
                        addColumn(table, *axis);
                    all.push_back({name, QObject::tr("Table"), std::move(table)});
                }
                addColumn(std::get<TableExhibit>(all[found->at].content), dataset);
                break;
            }
            case DataKind::axis:
            case DataKind::overlay:
                break;
        }
    }
    if (tables.size() > 1)
        for (const Table& table : tables)
            if (const auto& columns = std::get<TableExhibit>(all[table.at].content).columns; !columns.empty())
                all[table.at].title = QObject::tr("Table: %1").arg(text(columns.front().title));
    return all;
}

QStringList factLines(const Result& result) {
    QStringList lines;
    for (const auto& [name, value, unit] : shown_facts(result)) {
        const QLocale digits(QLocale::English);
        const double number = value.is_number_float() ? value.get<double>() : 0;
        constexpr double exact = 9007199254740992;  // 2^53: whole numbers have all their digits
        const bool whole = number == std::trunc(number) && std::abs(number) <= exact;
        const QString shown = value.is_string()            ? text(value.get<std::string>())
                              : value.is_number_unsigned() ? digits.toString(value.get<qulonglong>())
                              : value.is_number_integer()  ? digits.toString(value.get<qlonglong>())
                              : !value.is_number()         ? text(dump_json(value))
                              : whole                      ? digits.toString(static_cast<qlonglong>(number))
                                                           : formatNumber(number, 4);
        lines << QStringLiteral("%1: %2 %3").arg(withMicro(name), shown, withMicro(unit)).trimmed();
    }
    return lines;
}

}  // namespace ks::ui
