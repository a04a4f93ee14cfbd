#include "ui/shell/general/exhibits.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/element_type.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

QString text(const std::string& one) {
    return QString::fromStdString(one);
}

QString titleOf(const Dataset& dataset) {
    return dataset.title.empty() ? text(dataset.name) : text(dataset.title);
}

/// The axis of one dimension, counted from the last one; null: the index.
const Dataset* axisOf(const Result& result, const Dataset& dataset, std::size_t fromLast) {
    if (dataset.axes.size() <= fromLast) return nullptr;
    const std::string& name = dataset.axes[dataset.axes.size() - 1 - fromLast];
    return name.empty() ? nullptr : result.find(name);
}

/// Coordinates such as sizes by powers of 2, which a linear axis would crowd at its beginning.
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

/// A curve of very many points as its least and largest value in each of some parts: more would only fill the
/// plot, and take seconds to be drawn.
void thin(CurveSeries& curve) {
    constexpr qsizetype most = 2048, parts = 256;
    const qsizetype points = curve.x.size();
    if (points <= most) return;
    CurveSeries thinned = curve;
    thinned.x.clear();
    thinned.y.clear();
    thinned.yerr.clear();
    for (qsizetype part = 0; part < parts; ++part) {
        const qsizetype from = points * part / parts, to = points * (part + 1) / parts;
        const auto [low, high] = std::minmax_element(curve.y.begin() + from, curve.y.begin() + to);
        const auto first = std::min(low, high), second = std::max(low, high);
        for (const auto at : {first, second}) {
            thinned.x << curve.x[at - curve.y.begin()];
            thinned.y << *at;
            if (first == second) break;
        }
    }
    thinned.style = CurveStyle::line;
    thinned.label = QObject::tr("%1 (least and largest of each %2)").arg(curve.label).arg(points / parts);
    curve = std::move(thinned);
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
        if (several) curve.run = QObject::tr("run %1").arg(row.number);
        curve.label =
            curves > 1 ? QStringLiteral("%1 %2").arg(titleOf(dataset)).arg(i + 1) : titleOf(dataset);
        curve.x = x;
        curve.y = part(values, i * points, points);
        if (!spread.empty()) curve.yerr = part(spread, i * points, points);
        thin(curve);
        shown.series << curve;
    }
}

CurvesExhibit curvesOf(const std::vector<RunRow>& runs, const std::string& name) {
    CurvesExhibit shown;
    for (const RunRow& row : runs)
        if (const Dataset* found = row.run->result.find(name);
            found && found->kind == DataKind::curves && found->values.rank() > 0) {
            int first = 0;
            for (const CurveSeries& one : shown.series) first = std::max(first, one.bin);
            const qsizetype before = shown.series.size();
            addCurves(shown, row, *found, runs.size() > 1);
            // Curves of the same place have the same colour in all runs.
            for (qsizetype i = before; i < shown.series.size(); ++i)
                shown.series[i].bin = static_cast<int>(i - before) + 1;
        }
    const Result& result = runs.front().run->result;
    const Dataset& dataset = result.at(name);
    if (const Dataset* axis = axisOf(result, dataset, 0)) {
        shown.xTitle = titleOf(*axis);
        shown.xUnit = text(axis->unit);
        shown.logX = spansOrders(axis->values.to_doubles());
    } else {
        shown.xTitle = QObject::tr("Index");
    }
    shown.yTitle = titleOf(dataset);
    shown.yUnit = text(dataset.unit);
    return shown;
}

MapExhibit mapOf(const Result& result, const Dataset& dataset) {
    MapExhibit shown;
    const std::vector<std::size_t>& shape = dataset.values.shape();
    MapData& map = shown.map;
    map.columns = shape.back();
    // Slices of a volume stand one above the other.
    map.rows = map.columns == 0 ? 0 : dataset.values.size() / map.columns;
    map.values = dataset.values.to_doubles();
    map.xLast = static_cast<double>(map.columns) - 1;
    map.yLast = static_cast<double>(map.rows) - 1;
    const Dataset* const x = axisOf(result, dataset, 0);
    const Dataset* const y = axisOf(result, dataset, 1);
    shown.xTitle = x ? titleOf(*x) : QObject::tr("Column");
    shown.yTitle = y ? titleOf(*y) : QObject::tr("Row");
    shown.xUnit = x ? text(x->unit) : QString();
    shown.yUnit = y ? text(y->unit) : QString();
    shown.valueUnit = text(dataset.unit);
    return shown;
}

void addColumn(TableExhibit& table, const Dataset& dataset) {
    table.columns.push_back({dataset.name, titleOf(dataset).toStdString(), dataset.unit,
                             dataset.values.to_doubles(), !is_float(dataset.values.type())});
}

}  // namespace

std::vector<Exhibit> exhibitsOf(const std::vector<RunRow>& runs) {
    std::vector<Exhibit> all;
    if (runs.empty()) return all;
    const Result& result = runs.front().run->result;
    // Columns with the same axes and as many rows are one table.
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
            case DataKind::curves:
                all.push_back({name, title, curvesOf(runs, dataset.name)});
                break;
            case DataKind::image:
                if (dataset.values.rank() >= 2) all.push_back({name, title, mapOf(result, dataset)});
                break;
            case DataKind::text:
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
                    if (const Dataset* axis = axisOf(result, dataset, 0); axis && axis->values.size() == rows)
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
    return all;
}

QStringList factLines(const Result& result) {
    QStringList lines;
    for (const auto& [key, value] : result.facts.items()) {
        QString name = text(key);
        name.replace(QLatin1Char('_'), QLatin1Char(' '));
        QString shown = value.is_string()         ? text(value.get<std::string>())
                        : value.is_number_float() ? formatNumber(value.get<double>(), 4)
                                                  : text(value.dump());
        lines << QStringLiteral("%1: %2").arg(name, shown);
    }
    return lines;
}

}  // namespace ks::ui
