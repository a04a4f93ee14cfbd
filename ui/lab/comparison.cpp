#include "ui/lab/comparison.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/run/build_stage.h"

namespace ks::ui::lab {

QString Compared::name() const {
    const QString device = QString::fromStdString(report.device.name);
    const QString day = QString::fromStdString(report.started).left(10);
    return file.isEmpty() || day.isEmpty() ? device : QObject::tr("%1, %2").arg(device, day);
}

std::vector<Entry> entriesOf(const ComparedList& all, double BenchSample::*time) {
    std::vector<Entry> entries;
    for (const std::shared_ptr<const Compared>& one : all)
        for (const BenchPoint& point : one->report.points) {
            std::vector<std::vector<double>> times;
            times.reserve(point.rows.size());
            for (const BenchRow& row : point.rows) times.push_back(row.times(time));
            const std::vector<Rank> ranks = ranks_of(times);
            for (std::size_t i = 0; i < point.rows.size(); ++i)
                entries.push_back({one, &point, &point.rows[i], ranks[i]});
        }
    return entries;
}

std::vector<Entry> unrankedEntries(const ComparedList& all) {
    std::vector<Entry> entries;
    for (const std::shared_ptr<const Compared>& one : all)
        for (const BenchPoint& point : one->report.points)
            for (const BenchRow& row : point.rows) entries.push_back({one, &point, &row});
    return entries;
}

std::vector<ParameterSet> pointsOf(const ComparedList& all) {
    std::vector<ParameterSet> points;
    for (const std::shared_ptr<const Compared>& one : all)
        for (const BenchPoint& point : one->report.points)
            if (!point.rows.empty() && std::ranges::find(points, point.sizes) == points.end())
                points.push_back(point.sizes);
    return points;
}

QString rankText(const Rank& rank) {
    if (rank.last == 0) return {};
    return rank.first == rank.last ? QString::number(rank.first)
                                   : QStringLiteral("%1-%2").arg(rank.first).arg(rank.last);
}

std::vector<std::vector<std::size_t>> tiesOf(const std::vector<Entry>& entries, double BenchSample::*time) {
    std::map<const BenchPoint*, std::vector<std::size_t>> points;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!entries[i].row->samples.empty()) points[entries[i].point].push_back(i);
    std::vector<std::vector<std::size_t>> sets;
    for (auto& [point, order] : points) {
        std::ranges::sort(order, {}, [&](std::size_t i) { return entries[i].row->median(time); });
        const auto tied = [&](std::size_t a, std::size_t b) {
            const RatioInterval ratio =
                ratio_of_medians(entries[a].row->times(time), entries[b].row->times(time));
            return !ratio.above(1) && !ratio.below(1);
        };
        // As many as fit together, from each one on; those between that do not fit are left out.
        for (std::size_t from = 0; from < order.size(); ++from) {
            std::vector<std::size_t> set{order[from]};
            for (std::size_t next = from + 1; next < order.size(); ++next)
                if (std::ranges::all_of(set, [&](std::size_t i) { return tied(i, order[next]); }))
                    set.push_back(order[next]);
            const auto holdsIt = [&](const std::vector<std::size_t>& other) {
                return std::ranges::all_of(
                    set, [&](std::size_t i) { return std::ranges::find(other, i) != other.end(); });
            };
            if (set.size() > 1 && std::ranges::none_of(sets, holdsIt)) sets.push_back(std::move(set));
        }
    }
    return sets;
}

const BenchRow* sameRow(const Compared& in, const Entry& entry) {
    for (const BenchPoint& point : in.report.points) {
        if (point.sizes != entry.point->sizes) continue;
        for (const BenchRow& row : point.rows)
            if (row.variant.id == entry.row->variant.id && !row.samples.empty()) return &row;
    }
    return nullptr;
}

QString pointText(const ParameterSet& point, const std::vector<std::string>& varied) {
    QStringList parts;
    for (const std::string& id : varied)
        if (const auto found = point.find(id); found != point.end())
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(id),
                                                 QString::fromStdString(to_text(found->second)));
    return parts.join(QStringLiteral(", "));
}

double buildTime(const BenchRow& row) {
    double sum = 0;
    for (const Timing& timing : row.first.timings)
        if (timing.stage == build_stage) sum += static_cast<double>(timing.nanoseconds);
    return sum > 0 ? sum : std::numeric_limits<double>::quiet_NaN();
}

const BenchSample* medianSample(const BenchRow& row, double BenchSample::*time) {
    const double median = row.median(time);
    const auto nearest = std::ranges::min_element(
        row.samples, {}, [&](const BenchSample& one) { return std::abs(one.*time - median); });
    return nearest == row.samples.end() ? nullptr : &*nearest;
}

}  // namespace ks::ui::lab
