#include "ui/spots/spot_plots.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/data/missing_value.h"
#include "core/spots/results/spot_columns.h"
#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/histogram_content.h"
#include "ui/shell/analysis_page.h"
#include "ui/spots/spot_table.h"

namespace ks::ui::spots {
namespace {

QVector<double> column(const Result& result, const char* name) {
    const Dataset* found = result.find(name);
    if (!found) return {};
    const std::vector<double> values = found->values.to_doubles();
    return QVector<double>(values.begin(), values.end());
}

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
                                  const std::function<double(const Spot&)>& value, const MakeEdges& edgesOf,
                                  bool logarithmic = false) {
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
        for (const RunSpots& run : runs) {
            const QVector<double> values = valuesOf(run, !kept, value);
            series << HistogramSeries{kept ? QObject::tr("kept") : QObject::tr("all"),
                                      kept ? 1 : 0,
                                      runs.size() > 1 || run.wrong ? run.name : QString(),
                                      edges,
                                      binned(values, edges),
                                      undrawnOf(values, logarithmic)};
        }
    }
    return series;
}

double inverseSquare(const Spot& spot) {
    return spot.d > 0 ? 1 / (spot.d * spot.d) : missing_value;
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

QString range(double from, double to, int digits) {
    return QStringLiteral("%1\u2013%2").arg(formatNumber(from, digits), formatNumber(to, digits));
}

QString sizeText(double from, double to) {
    const double first = std::ceil(from), last = std::floor(to);
    const QString pixels = first == last ? formatNumber(first) : range(first, last, 6);
    return first == 1 && last == 1 ? QObject::tr("1 pixel") : QObject::tr("%1 pixels").arg(pixels);
}

/// A bin of 1/d^2 in terms of d, with small d last as on the axis.
QString resolutionText(double from, double to) {
    const QString minimum = formatNumber(1 / std::sqrt(to), 3);
    return from > 0 ? QObject::tr("d %1\u2013%2 \u00c5").arg(formatNumber(1 / std::sqrt(from), 3), minimum)
                    : QObject::tr("d above %1 \u00c5").arg(minimum);
}

}  // namespace

std::optional<RunSpots> runSpots(const RunRow& row) {
    const Result& result = row.run->result;
    RunSpots found;
    found.number = row.number;
    found.name = runLabel(row);
    found.wrong = isWrong(row);
    if (!result.find("n_signal")) return std::nullopt;
    try {
        found.spots = ks::spots::spots_of(result);
    } catch (const Error&) {
        return std::nullopt;
    }
    found.frame = column(result, "frame");
    found.signal = column(result, "frame_signal");
    found.count = column(result, "frame_spots");
    found.sum = column(result, "frame_sum");
    found.resolution = column(result, "frame_d");
    const QVector<double> missing = column(result, "frame_missing");
    for (QVector<double>* values : {&found.signal, &found.count, &found.sum, &found.resolution}) {
        if (values->size() != found.frame.size()) return std::nullopt;
        for (qsizetype i = 0; i < values->size() && i < missing.size(); ++i)
            if (missing[i] != 0) (*values)[i] = missing_value;
    }
    return found;
}

QString spotsText(std::size_t n) {
    return counted(n, QCoreApplication::translate("spots", "1 spot"),
                   QCoreApplication::translate("spots", "%1 spots"));
}

QVector<double> ResolutionTicker::createTickVector(double, const QCPRange& range) {
    constexpr int wanted = 7;
    const double low = std::max(range.lower, 0.0), step = (range.upper - low) / wanted;
    QVector<double> ticks;
    if (!(step > 0)) return ticks;
    for (int i = 0; i <= wanted; ++i) {
        const double s = low + (i + 0.5) * step, d = 1 / std::sqrt(s);
        // The shortest number that is closer to the equidistant position than a quarter of the distance.
        double unit = std::pow(10.0, std::ceil(std::log10(d)));
        double tick = 0;
        for (int digits = 0; digits < 12; ++digits, unit /= digits % 2 ? 2 : 5) {
            const double round = std::round(d / unit) * unit;
            if (round <= 0) continue;
            tick = 1 / (round * round);
            if (std::abs(tick - s) < step / 4) break;
        }
        if (tick > 0 && (ticks.isEmpty() || tick > ticks.last() + step / 3)) ticks << tick;
    }
    return ticks;
}

QString ResolutionTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return tick > 0 ? formatNumber(1 / std::sqrt(tick), 6) : QStringLiteral("\u221e");
}

SpotPlots::SpotPlots(QWidget* parent)
    : QWidget(parent),
      which_(new QComboBox(this)),
      what_(new QComboBox(this)),
      ice_(new QCheckBox(tr("&Ice rings"), this)),
      logCounts_(new QCheckBox(tr("&Log counts"), this)),
      stack_(new QStackedWidget(this)),
      frames_(new CurvePlot),
      intensities_(new HistogramPlot),
      sizes_(new HistogramPlot),
      resolution_(new HistogramPlot),
      note_(new QLabel(this)) {
    build();
    watchFrames();
    setRuns({});
    show(Plot::frames);
}

SpotPlots::~SpotPlots() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void SpotPlots::build() {
    which_->addItems({tr("Spots per frame"), tr("Intensities"), tr("Sizes"), tr("Resolution")});
    named(which_, tr("Plot of spots"), tr("Select a plot of the spots"));
    what_->addItems(
        {tr("Spots by peak"), tr("Signal pixels"), tr("Sum of counts"), tr("Estimated resolution")});
    named(what_, tr("Value per frame"),
          tr("Value plotted for each frame. With \"Spots by peak\", each spot is counted once, in the frame "
             "of its brightest pixel; the picture shows a spot in every frame that it extends into."));
    frames_->setToolTip(tr("Frames are counted from 0. Click to show a frame."));
    for (QComboBox* box : {which_, what_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumContentsLength(0);
    }
    ice_->setChecked(true);
    ice_->setToolTip(tr("Resolution bands of hexagonal ice rings"));
    logCounts_->setToolTip(tr("Logarithmic number of spots"));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setTextFormat(Qt::PlainText);
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QWidget* plot : std::initializer_list<QWidget*>{frames_, intensities_, sizes_, resolution_})
        stack_->addWidget(plot);
    setLayout(inRows({inColumns({which_, what_, logCounts_, ice_, {note_, 1}}, 8), {stack_, 1}}, 4));
    for (HistogramPlot* plot : {intensities_, sizes_, resolution_}) {
        plot->setCounted(tr("Spots"), tr("spot"));
        connect(plot, &HistogramPlot::pointHovered, this, &SpotPlots::pointHovered);
        connect(logCounts_, &QCheckBox::toggled, plot, &HistogramPlot::setLogY);
        connect(plot, &HistogramPlot::logYChanged, logCounts_, &QCheckBox::setChecked);
    }
    intensities_->setXAxis(tr("Sum"), tr("counts"));
    intensities_->setLogX(true);
    intensities_->setFigureName(QStringLiteral("spot_intensities"));
    sizes_->setXAxis(tr("Signal pixels of a spot"));
    sizes_->setBinText(sizeText);
    sizes_->setFigureName(QStringLiteral("spot_sizes"));
    resolution_->setXAxis(tr("d"), tr("\u00c5, linear in 1/d\u00b2"));
    resolution_->setEdgeTitle(tr("1/d\u00b2"), tr("1/\u00c5\u00b2"));
    resolution_->setXTicker(QSharedPointer<ResolutionTicker>::create());
    resolution_->setBinText(resolutionText);
    resolution_->setFigureName(QStringLiteral("spots_over_resolution"));
    connect(which_, &QComboBox::currentIndexChanged, this, [this](int at) { show(static_cast<Plot>(at)); });
    connect(what_, &QComboBox::currentIndexChanged, this, &SpotPlots::fillFrames);
    connect(ice_, &QCheckBox::toggled, this, &SpotPlots::showIce);
}

void SpotPlots::watchFrames() {
    frames_->setLogOffered(false);
    frames_->setXAxis(tr("Frame"));
    const CurveFigure* figure = &frames_->figure();
    connect(figure, &QCustomPlot::mousePress, this,
            [this](QMouseEvent* event) { pressed_ = event->position().toPoint(); });
    connect(figure, &QCustomPlot::mouseRelease, this, [this, figure](QMouseEvent* event) {
        const QPoint at = event->position().toPoint();
        // A larger movement was a drag of the range.
        const bool click = (at - pressed_).manhattanLength() <= 4;
        if (event->button() == Qt::LeftButton && click && figure->mainRect().rect().contains(at))
            pick(figure->xAxis->pixelToCoord(at.x()));
    });
    // The mark of the frame is a band of zero width: dragging it steps through the frames.
    connect(frames_, &CurvePlot::edgeDragged, this, [this](int, double x, bool) { pick(x); });
    connect(frames_, &CurvePlot::pointHovered, this, &SpotPlots::pointHovered);
}

void SpotPlots::pick(double x) {
    double best = HUGE_VAL, frame = -1;
    for (const RunSpots& run : runs_)
        for (const double number : run.frame)
            if (std::abs(number - x) < best) {
                best = std::abs(number - x);
                frame = number;
            }
    if (frame >= 0) emit framePicked(static_cast<int>(frame));
}

void SpotPlots::setRuns(const std::vector<RunRow>& runs, const QString& missing) {
    runs_.clear();
    missing_ = missing.isEmpty() ? tr("Press Run (F5) to search for spots.") : missing;
    for (auto row = runs.rbegin(); row != runs.rend(); ++row)
        if (auto found = runSpots(*row)) runs_.push_back(std::move(*found));
    fill();
}

void SpotPlots::setPreview(std::shared_ptr<const Run> run) {
    if (!run && !preview_) return;
    preview_ = run ? runSpots({.number = 0, .run = std::move(run)}) : std::nullopt;
    fill();
}

void SpotPlots::fill() {
    fillFrames();
    fillHistograms();
    showIce();
    showNote();
    showOutdated();
}

void SpotPlots::setOutdated(const QString& note) {
    outdated_ = note;
    showOutdated();
}

void SpotPlots::showOutdated() {
    // The legend names the runs, and with them what is wrong, only if there are several.
    const QString note = runs_.empty()
                             ? QString()
                             : AnalysisPage::runMark(runs_.size() == 1 && runs_.front().wrong, outdated_),
                  ofPreview = AnalysisPage::runMark(preview_ && preview_->wrong, QString());
    frames_->setNote(runs_.empty() ? ofPreview : note);
    for (HistogramPlot* one : {intensities_, sizes_, resolution_}) one->setNote(preview_ ? ofPreview : note);
}

QString SpotPlots::previewText() const {
    if (!preview_ || preview_->frame.isEmpty()) return {};
    const double first = preview_->frame.first(), last = preview_->frame.last();
    return first == last ? tr("Preview of frame %1 only").arg(first)
                         : tr("Preview of frames %1\u2013%2 only").arg(first).arg(last);
}

void SpotPlots::setFrame(int frame) {
    frame_ = frame;
    const auto at = static_cast<double>(frame);
    // Colour 0 is grey, and zero width leaves only the line.
    frames_->setBands(frame < 0 ? QVector<CurveBand>() : QVector<CurveBand>{{at, at, 0}});
}

void SpotPlots::setIceRings(std::vector<double> centres, double halfWidth) {
    rings_ = std::move(centres);
    ringWidth_ = halfWidth;
    showIce();
    show(shown());
}

void SpotPlots::show(Plot plot) {
    const auto at = static_cast<int>(plot);
    which_->setCurrentIndex(at);
    stack_->setCurrentIndex(at);
    what_->setVisible(plot == Plot::frames);
    logCounts_->setVisible(plot != Plot::frames);
    ice_->setVisible(plot == Plot::resolution && !rings_.empty());
    showNote();
}

SpotPlots::Plot SpotPlots::shown() const {
    return static_cast<Plot>(which_->currentIndex());
}

void SpotPlots::setPerFrame(PerFrame what) {
    what_->setCurrentIndex(static_cast<int>(what));
}

SpotPlots::PerFrame SpotPlots::perFrame() const {
    return static_cast<PerFrame>(what_->currentIndex());
}

HistogramPlot& SpotPlots::histogram(Plot plot) {
    return plot == Plot::intensities ? *intensities_ : plot == Plot::sizes ? *sizes_ : *resolution_;
}

QString SpotPlots::note() const {
    return note_->toolTip();
}

std::vector<NamedPlot> SpotPlots::plots() const {
    // Unlike the histograms, it shows the runs beside a preview.
    const auto all = [this] {
        PlotRuns of{{}, preview_.has_value()};
        for (const RunSpots& run : runs_) of.numbers.push_back(run.number);
        return of;
    };
    return {{tr("Spots per frame"), frames_, {}, nullptr, all},
            {tr("Histogram of intensities"), intensities_},
            {tr("Histogram of sizes"), sizes_},
            {tr("Spots by resolution"), resolution_}};
}

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
            curve.runInFull = tr("%1: %2").arg(run.name, curve.run);
            if (run.wrong) curve.run = tr("%1 (wrong)").arg(curve.run);
            curve.style = CurveStyle::scatter;
            curve.foreign = true;
        }
        series << curve;
    }
    QString hint = missing_;
    if (!runs.empty())
        hint = perFrame() == PerFrame::resolution ? tr("The resolution cannot be estimated: that needs a "
                                                       "geometry, and enough spots in a frame.")
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
    const QString hint = runs.empty() ? missing_
                         : none       ? noSpotsText(std::ranges::any_of(runs, &RunSpots::wrong))
                                      : tr("No spot has counts.");
    intensities_->setEmptyText(hint);
    sizes_->setEmptyText(hint);
    resolution_->setEmptyText(
        none ? hint
             : tr("Resolution needs a geometry:\nenter wavelength, distance, beam centre and pixel size."));
    intensities_->setSeries(seriesOf(
        runs, [](const Spot& s) { return s.sum; },
        [](const QVector<QVector<double>>& all) { return logEdges(all, perDecade); }, true));
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
        if (lost > 0) parts << tr("not shown: %1 without d").arg(spotsText(lost));
    } else if (shown() == Plot::intensities) {
        const std::size_t lost = countOf(counted(), [](const Spot& s) { return !(s.sum > 0); });
        if (lost > 0) parts << tr("not shown: %1 without counts").arg(spotsText(lost));
    }
    const QString text = parts.join(QStringLiteral("; "));
    note_->setText(text);
    note_->setToolTip(text);
}

}  // namespace ks::ui::spots
