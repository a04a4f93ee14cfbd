#include "ui/lab/comparison.h"

#include <QFileInfo>
#include <QObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/run/bench_baseline.h"
#include "core/run/tables/runs_among.h"
#include "ui/shell/general/measured_with.h"

namespace ks::ui::lab {

QString Compared::name() const {
    return withDay(label.isEmpty() ? QString::fromStdString(report.device.name) : label);
}

QString Compared::nameOfHost() const {
    // The oldest reports do not name it.
    const std::string& name = report.host.name;
    return withDay(name.empty() ? QObject::tr("host")
                                : QObject::tr("host: %1").arg(QString::fromStdString(name)));
}

QString Compared::withDay(const QString& device) const {
    const QString day = QString::fromStdString(report.started).left(10);
    if (isNow()) return device;
    QString text = day.isEmpty() ? device : QObject::tr("%1, %2").arg(device, day);
    if (!apart.isEmpty()) text += QLatin1Char(' ') + apart;
    return text;
}

void nameApart(Compared& report, const ComparedList& others) {
    const auto isTaken = [&] {
        return std::ranges::any_of(others, [&](const auto& one) {
            return one->file != report.file &&
                   (one->name() == report.name() || one->nameOfHost() == report.nameOfHost());
        });
    };
    if (isTaken()) report.apart = QString::fromStdString(report.report.started).mid(11, 8);
    if (isTaken()) report.apart = QFileInfo(report.file).fileName();
    if (isTaken()) report.apart = report.file;
}

std::vector<LabProblem> problemsOf(const ComparedList& all) {
    std::vector<LabProblem> problems;
    for (const std::shared_ptr<const Compared>& one : all)
        for (const BenchPoint& point : one->report.points) {
            LabProblem problem{point.sizes, one->report.plan.from};
            if (!point.rows.empty() && std::ranges::find(problems, problem) == problems.end())
                problems.push_back(std::move(problem));
        }
    return problems;
}

QStringList problemTexts(const std::vector<LabProblem>& problems) {
    std::vector<BenchPoint> points;
    points.reserve(problems.size());
    for (const LabProblem& one : problems) points.push_back({one.sizes, {}});
    const std::vector<std::string> varied = varied_sizes(points);
    const bool sameFrom = std::ranges::all_of(
        problems, [&](const LabProblem& one) { return one.from == problems.front().from; });
    QStringList texts;
    for (const LabProblem& one : problems) {
        QStringList parts;
        if (const QString sizes = pointText(one.sizes, varied); !sizes.isEmpty()) parts << sizes;
        if (!sameFrom) parts << QObject::tr("from %1").arg(QString::fromLatin1(name_of(one.from)));
        texts << parts.join(QStringLiteral(", "));
    }
    return texts;
}

QString whyNotTimed(const BenchRow& row, const QString& why) {
    if (is_wrong(row)) return QObject::tr("wrong: %1").arg(why);
    return (row.failed ? QObject::tr("failed: %1") : QObject::tr("not run: %1")).arg(why);
}

QString fewerRuns(const Entry& entry) {
    const BenchPlan& plan = entry.of->report.plan;
    if (!entry.of->complete || !has_fewer_runs(*entry.row, plan)) return {};
    return QObject::tr("%1 of %2 runs, because one run takes longer than %3 s")
        .arg(entry.row->samples.size())
        .arg(plan.repeats)
        .arg(slow_run_seconds);
}

QString differenceText(const ComparedList& all) {
    const std::vector<LabProblem> problems = problemsOf(all);
    const QStringList texts = problemTexts(problems);
    QStringList parts;
    bool differ = false;
    for (const std::shared_ptr<const Compared>& one : all) {
        const std::vector<LabProblem> own = problemsOf({one});
        if (own.empty()) continue;
        differ = differ || own.size() < problems.size();
        const auto first = std::ranges::find(problems, own.front()) - problems.begin();
        QString text = texts[first];
        if (own.size() > 1) text += QObject::tr(" and %n more", nullptr, static_cast<int>(own.size() - 1));
        parts << QObject::tr("%1 used %2").arg(one->name(), text);
    }
    if (!differ || parts.size() < 2) return {};
    return QObject::tr("Problems differ: %1.").arg(parts.join(QStringLiteral("; ")));
}

std::vector<Entry> unrankedEntries(const ComparedList& all) {
    const std::vector<LabProblem> problems = problemsOf(all);
    std::vector<Entry> entries;
    for (const std::shared_ptr<const Compared>& one : all)
        for (const BenchPoint& point : one->report.points) {
            const auto problem = std::ranges::find(problems, LabProblem{point.sizes, one->report.plan.from}) -
                                 problems.begin();
            for (const BenchRow& row : point.rows)
                entries.push_back({one, &point, &row, static_cast<std::size_t>(problem)});
        }
    return entries;
}

namespace {

/// Some entries to be ranked; those of one benchmark were timed in rounds.
struct Ranked {
    std::vector<RankedTimes> lists = {};           ///< in the order of the entries
    std::vector<const Compared*> benchmarks = {};  ///< by RankedTimes::benchmark
};

Ranked rankedOf(const std::vector<Entry>& entries, const std::vector<std::size_t>& some,
                double BenchSample::*time) {
    Ranked ranked;
    auto& [lists, benchmarks] = ranked;
    lists.reserve(some.size());
    for (const std::size_t i : some) {
        const Entry& entry = entries[i];
        const auto known = std::ranges::find(benchmarks, entry.of.get());
        lists.push_back(ranked_times(*entry.row, entry.of->report.plan, time));
        lists.back().benchmark = static_cast<std::size_t>(known - benchmarks.begin());
        if (known == benchmarks.end()) benchmarks.push_back(entry.of.get());
    }
    return ranked;
}

Orders ordersOf(const std::vector<Entry>& entries, const std::vector<std::size_t>& some,
                double BenchSample::*time) {
    return Orders(rankedOf(entries, some, time).lists);
}

}  // namespace

std::vector<Entry> entriesOf(const ComparedList& all, double BenchSample::*time) {
    std::vector<Entry> entries = unrankedEntries(all);
    std::map<std::size_t, std::vector<std::size_t>> problems;
    for (std::size_t i = 0; i < entries.size(); ++i) problems[entries[i].problem].push_back(i);
    for (const auto& [problem, of] : problems) {
        const std::vector<Rank> ranks = ordersOf(entries, of, time).ranks();
        for (std::size_t i = 0; i < of.size(); ++i) entries[of[i]].rank = ranks[i];
    }
    for (Entry& entry : entries)
        if (const BenchRow* const then = thenOf(entry, all)) {
            entry.otherThen = is_other_text(*then, *entry.row);
            entry.wrongThen = is_wrong(*then);
        }
    return entries;
}

std::vector<Entry> fastestFirst(const std::vector<Entry>& entries, std::optional<std::size_t> problem,
                                double BenchSample::*time) {
    std::vector<Entry> some;
    for (const Entry& entry : entries)
        if (!problem || entry.problem == *problem) some.push_back(entry);
    std::ranges::stable_sort(some, [&](const Entry& a, const Entry& b) {
        if (a.problem != b.problem) return a.problem < b.problem;
        if (a.row->samples.empty() || b.row->samples.empty())
            return !a.row->samples.empty() && b.row->samples.empty();
        return a.row->median(time) < b.row->median(time);
    });
    return some;
}

const BenchRow* thenOf(const Entry& entry, const ComparedList& all) {
    if (!entry.of->file.isEmpty()) return nullptr;
    for (const auto& one : all)
        if (const BenchRow* const then = one->file.isEmpty() ? nullptr : sameRow(*one, entry)) return then;
    return nullptr;
}

bool isOfFormerText(const Compared& of, const BenchRow& row, const PresentTexts& present) {
    return of.file.isEmpty() && hasOldText(row, present);
}

QString variantText(const Compared& of, const BenchRow& row, const PresentTexts& present) {
    QString id = QString::fromStdString(row.variant.id);
    if (!row.text_mark.empty())
        id = (isOfFormerText(of, row, present) ? QObject::tr("%1, former text %2")
                                               : QObject::tr("%1, text %2"))
                 .arg(id, QString::fromStdString(row.text_mark));
    return row.tuned.empty() ? id : QObject::tr("%1, tuned").arg(id);
}

QString rankText(const Rank& rank) {
    if (rank.last == 0) return {};
    return rank.first == rank.last ? QString::number(rank.first)
                                   : QStringLiteral("%1-%2").arg(rank.first).arg(rank.last);
}

std::vector<std::vector<std::size_t>> tiesOf(const std::vector<Entry>& entries, double BenchSample::*time) {
    std::map<std::size_t, std::vector<std::size_t>> problems;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!entries[i].row->samples.empty() && !is_wrong(*entries[i].row))
            problems[entries[i].problem].push_back(i);
    std::vector<std::vector<std::size_t>> sets;
    for (auto& [problem, order] : problems) {
        std::ranges::sort(order, {}, [&](std::size_t i) { return entries[i].row->median(time); });
        const Orders orders = ordersOf(entries, order, time);
        const auto isTied = [&](std::size_t a, std::size_t b) {
            return a != b && orders.of(a, b) == Order::undecided;
        };
        // For each tied pair that no set holds yet, one set that cannot be extended. All such sets could be
        // exponentially many.
        std::vector<std::vector<bool>> joined(order.size(), std::vector<bool>(order.size()));
        for (std::size_t from = 0; from < order.size(); ++from)
            for (std::size_t next = from + 1; next < order.size(); ++next) {
                if (!isTied(from, next) || joined[from][next]) continue;
                std::vector<std::size_t> places{from};
                // Those that follow come first, so that a line tends to join neighbours.
                for (std::size_t i = 0; i < order.size(); ++i) {
                    const std::size_t place = (next + i) % order.size();
                    if (std::ranges::all_of(places, [&](std::size_t one) { return isTied(one, place); }))
                        places.push_back(place);
                }
                std::ranges::sort(places);
                for (const std::size_t a : places)
                    for (const std::size_t b : places) joined[a][b] = true;
                std::vector<std::size_t> set;
                set.reserve(places.size());
                for (const std::size_t place : places) set.push_back(order[place]);
                sets.push_back(std::move(set));
            }
    }
    return sets;
}

namespace {

/// Of a benchmark, in brief: "here", "on 2026-11-02".
QString placeOf(const Compared& one) {
    if (one.isNow()) return QObject::tr("here");
    const QString day = QString::fromStdString(one.report.started).left(10);
    return QObject::tr("on %1").arg(day.isEmpty() ? one.name() : day);
}

}  // namespace

QString tooFewRepeats(const std::vector<Entry>& entries, double BenchSample::*time) {
    struct Short {
        const Compared* of;
        std::size_t has, needed;
    };
    std::vector<Short> all;
    std::map<std::size_t, std::vector<std::size_t>> problems;
    for (std::size_t i = 0; i < entries.size(); ++i) problems[entries[i].problem].push_back(i);
    for (const auto& [problem, of] : problems) {
        const Ranked ranked = rankedOf(entries, of, time);
        for (std::size_t benchmark = 0; benchmark < ranked.benchmarks.size(); ++benchmark) {
            const Compared* const one = ranked.benchmarks[benchmark];
            const std::size_t needed = repeats_for(runs_among(ranked.lists, benchmark), one->report.plan);
            std::size_t has = 0;
            for (const std::size_t i : of)
                if (entries[i].of.get() == one && !is_wrong(*entries[i].row))
                    has = std::max(has, entries[i].row->samples.size());
            if (needed <= has) continue;
            const auto known = std::ranges::find(all, one, &Short::of);
            if (known == all.end())
                all.push_back({one, has, needed});
            else if (known->needed < needed)
                *known = {one, has, needed};
        }
    }
    if (all.empty()) return {};
    const bool alone =
        std::ranges::all_of(entries, [&](const Entry& entry) { return entry.of.get() == all.front().of; });
    if (alone)
        return QObject::tr("too few repeats for a significant order: at least %1 are needed")
            .arg(all.front().needed);
    std::ranges::stable_sort(all, {}, [](const Short& one) { return !one.of->isNow(); });
    QStringList places;
    for (const Short& one : all) places << placeOf(*one.of);
    QStringList parts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QString& place = places[static_cast<qsizetype>(i)];
        parts << QObject::tr("%1 of %2 %3")
                     .arg(all[i].has)
                     .arg(all[i].needed)
                     .arg(places.count(place) == 1 ? place : QObject::tr("on %1").arg(all[i].of->name()));
    }
    return QObject::tr("too few repeats: %1").arg(parts.join(QStringLiteral("; ")));
}

const BenchRow* sameRow(const Compared& in, const Entry& entry) {
    const BenchPlan &there = in.report.plan, &here = entry.of->report.plan;
    // Other definitions make other kernels under the same ids; bench --baseline refuses them, too.
    if (there.from != here.from || there.defines != here.defines) return nullptr;
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
        if (const auto found = point.find(id); found != point.end()) {
            const QString value = QString::fromStdString(to_text(found->second));
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(id),
                                                 value.isEmpty() ? QObject::tr("not set") : value);
        }
    return parts.join(QStringLiteral(", "));
}

double buildTime(const BenchRow& row) {
    const double time = row.build_nanoseconds();
    return time > 0 ? time : std::numeric_limits<double>::quiet_NaN();
}

const BenchSample* medianSample(const BenchRow& row, double BenchSample::*time) {
    const double median = row.median(time);
    const auto nearest = std::ranges::min_element(
        row.samples, {}, [&](const BenchSample& one) { return std::abs(one.*time - median); });
    return nearest == row.samples.end() ? nullptr : &*nearest;
}

}  // namespace ks::ui::lab
