#include <algorithm>

#include "ui/lab/lab_tabs.h"
#include "ui/runs/stages_view.h"

namespace ks::ui::lab {
namespace {

/// The stages of a run that takes a thousand times as long would hide all others.
constexpr double mostOfShortest = 30;

void showStages(const LabView& view, TimingPlot& plot) {
    QVector<TimingSeries> series;
    for (const Entry& entry : view.here) {
        const BenchSample* sample = medianSample(*entry.row, &BenchSample::total);
        if (!sample) continue;
        QString name = view.nameOf(entry);
        if (view.all.size() > 1) name += QStringLiteral("  ") + entry.of->nameWhere(*entry.row);
        if (!view.problem) name += QStringLiteral("  ") + view.groupOf(entry);
        series.push_back({name, sample->timings, static_cast<std::uint64_t>(sample->total)});
        if (is_wrong(*entry.row)) series.back().mark = QObject::tr("wrong result");
    }
    std::ranges::stable_sort(series, {}, &TimingSeries::total);
    plot.setEmptyText(QObject::tr("Press Run (F5) to see the stages of the median run of each variant"));
    plot.setRuns(series);
}

}  // namespace

LabTab stagesTab(const LabParts&) {
    auto* stages = new StagesView(QObject::tr("Stages of the median run of each variant"));
    TimingPlot& plot = stages->timing();
    plot.setMostOfShortest(mostOfShortest);
    const QString title = QObject::tr("Stages");
    return {{title,
             QObject::tr("Time per stage in the median run of each variant"),
             stages,
             {{title, &plot, QStringLiteral("stages")}}},
            [&plot](const LabView& view) { showStages(view, plot); }};
}

}  // namespace ks::ui::lab
