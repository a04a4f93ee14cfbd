#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ui/base/palette.h"
#include "ui/spots/count_text.h"
#include "ui/spots/spot_plots.h"

namespace ks::ui::spots {
namespace {

using ks::spots::Dropped;
using ks::spots::Spot;

constexpr int perDecade = 10, unitBins = 80, resolutionBins = 60;

/// A value for each spot of a run; kept spots only, or all.
QVector<double> valuesOf(const RunSpots& run, bool all, const std::function<double(const Spot&)>& value) {
    QVector<double> values;
    for (const Spot& spot : run.spots)
        if (all || spot.dropped == Dropped::kept) values << value(spot);
    return values;
}

using MakeEdges = std::function<QVector<double>(const QVector<QVector<double>>&)>;

/// All spots in grey behind the kept ones in colour; only the latter if none was dropped.
QVector<HistogramSeries> seriesOf(const std::vector<RunSpots>& runs,
                                  const std::function<double(const Spot&)>& value, const MakeEdges& edgesOf) {
    QVector<QVector<double>> all;
    bool dropped = false;
    for (const RunSpots& run : runs) {
        all << valuesOf(run, true, value);
        dropped = dropped || std::any_of(run.spots.begin(), run.spots.end(),
                                         [](const Spot& spot) { return spot.dropped != Dropped::kept; });
    }
    const QVector<double> edges = edgesOf(all);
    QVector<HistogramSeries> series;
    if (edges.isEmpty()) return series;
    for (const bool kept : {false, true}) {
        if (!kept && !dropped) continue;
        for (const RunSpots& run : runs)
            series << HistogramSeries{kept ? QObject::tr("kept") : QObject::tr("all"), kept ? 1 : 0,
                                      runs.size() > 1 || run.wrong ? run.name : QString(), edges,
                                      binned(valuesOf(run, !kept, value), edges)};
    }
    return series;
}

double inverseSquare(const Spot& spot) {
    return spot.d > 0 ? 1 / (spot.d * spot.d) : std::numeric_limits<double>::quiet_NaN();
}

/// What a preview covers.
QString alone(const RunSpots& preview) {
    return preview.frame.size() > 1 ? QObject::tr("these frames only") : QObject::tr("this frame only");
}

std::size_t countOf(const std::vector<RunSpots>& runs, const std::function<bool(const Spot&)>& holds) {
    std::size_t n = 0;
    for (const RunSpots& run : runs)
        n += static_cast<std::size_t>(std::count_if(run.spots.begin(), run.spots.end(), holds));
    return n;
}

}  // namespace

void SpotPlots::fillFrames() {
    static constexpr QVector<double> RunSpots::*members[] = {&RunSpots::count, &RunSpots::signal,
                                                             &RunSpots::sum, &RunSpots::resolution};
    const auto member = members[what_->currentIndex()];
    const QString unit[] = {{}, {}, tr("counts"), tr("\u00c5")};
    QVector<CurveSeries> series;
    std::vector<RunSpots> runs = runs_;
    if (preview_) runs.push_back(*preview_);
    for (const RunSpots& run : runs) {
        const QVector<double>& values = run.*member;
        if (std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) continue;
        CurveSeries curve{what_->currentText(),
                          1,
                          runs.size() > 1 || run.wrong ? run.name : QString(),
                          run.frame,
                          values,
                          {}};
        if (preview_ && &run == &runs.back()) {
            // A spot that extends over several frames counts once per frame if frames are searched
            // separately, and once in a run.
            curve.run = alone(*preview_);
            curve.runInFull = tr("preview: %1").arg(curve.run);
            curve.style = CurveStyle::scatter;
            curve.foreign = true;
        }
        series << curve;
    }
    QString hint = tr("Press Run (F5) to search for spots.");
    if (!runs.empty())
        hint = perFrame() == PerFrame::resolution
                   ? tr("No frame has enough spots and a geometry to estimate a resolution.")
                   : tr("No frame was searched.");
    frames_->setEmptyText(hint);
    frames_->setYAxis(what_->currentText(), unit[what_->currentIndex()]);
    frames_->setSeries(series);
    frames_->setLegendVisible(series.size() > 1 || std::ranges::any_of(runs, &RunSpots::wrong));
    showNote();
}

std::vector<RunSpots> SpotPlots::counted() const {
    return preview_ ? std::vector<RunSpots>{*preview_} : runs_;
}

void SpotPlots::fillHistograms() {
    const std::vector<RunSpots> runs = counted();
    const bool none =
        std::all_of(runs.begin(), runs.end(), [](const RunSpots& r) { return r.spots.empty(); });
    const QString hint = runs.empty() ? tr("Press Run (F5) to search for spots.")
                         : none       ? tr("No spots found: lower the thresholds or the minimum size.")
                                      : tr("No spot has counts.");
    intensities_->setEmptyText(hint);
    sizes_->setEmptyText(hint);
    resolution_->setEmptyText(
        none ? hint
             : tr("Resolution needs a geometry:\nenter wavelength, distance, beam centre and pixel size."));
    intensities_->setSeries(seriesOf(
        runs, [](const Spot& s) { return s.sum; },
        [](const QVector<QVector<double>>& all) { return logEdges(all, perDecade); }));
    const auto sizes = seriesOf(
        runs, [](const Spot& s) { return static_cast<double>(s.n_signal); },
        [](const QVector<QVector<double>>& all) { return wholeEdges(all, unitBins); });
    // Growing bins are equally wide on a logarithmic axis.
    const bool grow = !sizes.isEmpty() && sizes[0].edges.last() - sizes[0].edges.first() >
                                              static_cast<double>(sizes[0].counts.size()) + 0.5;
    sizes_->setLogX(grow);
    sizes_->setSeries(sizes);
    resolution_->setSeries(seriesOf(runs, inverseSquare, [](const QVector<QVector<double>>& all) {
        return linearEdges(all, resolutionBins);
    }));
}

void SpotPlots::showIce() {
    QVector<HistogramBand> bands;
    if (ice_->isChecked())
        for (const double s : rings_)
            bands << HistogramBand{s - ringWidth_, s + ringWidth_,
                                   tr("ice ring at %1 \u00c5").arg(formatNumber(1 / std::sqrt(s), 4))};
    resolution_->setBands(bands, tr("hexagonal ice"));
}

void SpotPlots::showNote() {
    QStringList parts;
    if (const QString preview = previewText(); !preview.isEmpty()) parts << preview;
    if (shown() == Plot::resolution) {
        const std::size_t lost = countOf(counted(), [](const Spot& s) { return !(s.d > 0); });
        if (lost > 0) parts << tr("%1 without d left out").arg(spotsText(lost));
    } else if (shown() == Plot::intensities) {
        const std::size_t lost = countOf(counted(), [](const Spot& s) { return !(s.sum > 0); });
        if (lost > 0) parts << tr("%1 without counts left out").arg(spotsText(lost));
    }
    const QString text = parts.join(QStringLiteral("; "));
    note_->setText(text);
    note_->setToolTip(text);
}

}  // namespace ks::ui::spots
