#include "ui/spots/spot_plots.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"
#include "ui/plots/curve_figure.h"
#include "ui/spots/resolution_ticker.h"

namespace ks::ui::spots {
namespace {

QString range(double from, double to, int digits) {
    return QStringLiteral("%1\u2013%2").arg(formatNumber(from, digits), formatNumber(to, digits));
}

QString sizeText(double from, double to) {
    const double first = std::ceil(from), last = std::floor(to);
    const QString pixels = first == last ? formatNumber(first) : range(first, last, 6);
    return QObject::tr("%1 pixels").arg(pixels);
}

/// A bin of 1/d^2 in terms of d, with small d last as on the axis.
QString resolutionText(double from, double to) {
    const QString minimum = formatNumber(1 / std::sqrt(to), 3);
    return from > 0 ? QObject::tr("d %1\u2013%2 \u00c5").arg(formatNumber(1 / std::sqrt(from), 3), minimum)
                    : QObject::tr("d above %1 \u00c5").arg(minimum);
}

}  // namespace

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
    which_->addItems({tr("Spots over frames"), tr("Intensities"), tr("Sizes"), tr("Resolution")});
    which_->setAccessibleName(tr("Plot of spots"));
    which_->setToolTip(tr("Select a plot of the spots"));
    what_->addItems(
        {tr("Spots by peak"), tr("Signal pixels"), tr("Sum of counts"), tr("Estimated resolution")});
    what_->setAccessibleName(tr("Value per frame"));
    what_->setToolTip(
        tr("Value plotted for each frame. By peak, a spot counts once, in the frame of its brightest pixel; "
           "the picture shows it in every frame that it extends into."));
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
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(which_);
    line->addWidget(what_);
    line->addWidget(logCounts_);
    line->addWidget(ice_);
    line->addWidget(note_, 1);
    for (QWidget* plot : std::initializer_list<QWidget*>{frames_, intensities_, sizes_, resolution_})
        stack_->addWidget(plot);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(line);
    all->addWidget(stack_, 1);

    for (HistogramPlot* plot : {intensities_, sizes_, resolution_}) {
        plot->setCounted(tr("Spots"));
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

void SpotPlots::setRuns(const std::vector<RunRow>& runs) {
    runs_.clear();
    for (auto row = runs.rbegin(); row != runs.rend(); ++row)
        if (auto found = runSpots(*row)) runs_.push_back(std::move(*found));
    fillFrames();
    fillHistograms();
    showIce();
    showNote();
}

void SpotPlots::setPreview(std::shared_ptr<const Run> run) {
    if (!run && !preview_) return;
    preview_ = run ? runSpots({.number = 0, .run = std::move(run)}) : std::nullopt;
    fillFrames();
    fillHistograms();
    showIce();
    showNote();
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
    return {{tr("Spots over frames"), frames_},
            {tr("Histogram of intensities"), intensities_},
            {tr("Histogram of sizes"), sizes_},
            {tr("Spots over resolution"), resolution_}};
}

}  // namespace ks::ui::spots
