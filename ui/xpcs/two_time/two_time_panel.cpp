#include "ui/xpcs/two_time/two_time_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QListWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/xpcs/stability/stability.h"
#include "core/xpcs/two_time/age_lag.h"
#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/xpcs/series/kept_delays.h"
#include "ui/xpcs/series/other_errors.h"
#include "ui/xpcs/series/used_frames.h"
#include "ui/xpcs/two_time/counts_strip.h"
#include "ui/xpcs/two_time/map_grid.h"

namespace ks::ui::xpcs {
namespace {

QVector<double> placed(const std::vector<double>& values, double step, double origin) {
    QVector<double> made;
    made.reserve(static_cast<qsizetype>(values.size()));
    for (const double value : values) made << origin + value * step;
    return made;
}

}  // namespace

TwoTimePanel::TwoTimePanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      axes_(new QComboBox),
      map_(new MapPlot),
      strip_(new CountsStrip(map_)),
      cut_(new CurvePlot),
      grid_(new MapGrid(jobs)),
      stack_(new QStackedWidget) {
    axes_->addItems({QStringLiteral("t\u2081, t\u2082"), tr("age, lag"), tr("age, log lag")});
    named(axes_, tr("Axes of the two-time map"),
          tr("Times of both frames, or their mean (age) and their difference (lag). With \"log lag\", each "
             "cell is the mean over a range of lags that are evenly spaced on a logarithmic axis, as Rebin "
             "averages g\u2082"));
    map_->setAccessibleName(tr("Two-time map"));
    map_->setValueAxis(QStringLiteral("C"));
    cut_->setAccessibleName(tr("Cut of the two-time map"));
    makeTools();
    auto* row = inColumns({axes_}, 2);
    row->addSpacing(8);
    for (QAction* const one : actions_) {
        auto* button = new QToolButton;
        button->setDefaultAction(one);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto* both = new QSplitter;
    both->addWidget(strip_);
    both->addWidget(cut_);
    both->setChildrenCollapsible(false);
    both->setSizes({500, 500});
    stack_->addWidget(both);
    stack_->addWidget(grid_);
    setLayout(inRows({row, {stack_, 1}}, 4));
    connect(grid_, &MapGrid::picked, this, &TwoTimePanel::picked);
    connect(&grid_->maps(), &QListWidget::itemActivated, this, [this] { showAll(false); });
    connect(axes_, &QComboBox::currentIndexChanged, this, [this] {
        // Times have the same unit length; of the lags, the short ones matter.
        map_->setSquare(axes() == times);
        showMap();
        showMarks();
        showCut();
    });
    connect(map_, &MapPlot::pointDragged, this,
            [this](const QPointF& from, const QPointF& to, bool /*final*/) { mark(from, to); });
    setTool(Tool::move);
    showCut();
}

void TwoTimePanel::makeTools() {
    auto* tools = new QActionGroup(this);
    const auto add = [&](const char* name, const QString& text, const QString& tip, Tool tool) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        action->setCheckable(true);
        tools->addAction(action);
        connect(action, &QAction::triggered, this, [this, tool] { setTool(tool); });
        actions_.push_back(action);
    };
    add("move", tr("Move"), tr("Drag to move the axes"), Tool::move);
    add("age", tr("Cut at age"), tr("Click or drag on the map: C against the lag at this age"), Tool::age);
    add("lag", tr("Cut at lag"), tr("Click or drag on the map: C against the age at this lag"), Tool::lag);
    add("part", tr("Part"), tr("Drag over frames on the map: g\u2082 of these frames beside that of all"),
        Tool::part);
    auto* all = new QAction(tr("All bins"), this);
    all->setObjectName(QStringLiteral("all"));
    all->setToolTip(tr("Small maps of all bins; a double click on one shows it in full"));
    all->setCheckable(true);
    connect(all, &QAction::triggered, this, &TwoTimePanel::showAll);
    actions_.push_back(all);
}

QAction* TwoTimePanel::action(const QString& name) const {
    return findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
}

bool TwoTimePanel::wantsPairs() const {
    return part_ || stack_->currentWidget() == grid_;
}

void TwoTimePanel::showAll(bool all) {
    action(QStringLiteral("all"))->setChecked(all);
    for (QAction* const one : actions_)
        if (one->actionGroup()) one->setEnabled(!all);
    axes_->setEnabled(!all);
    stack_->setCurrentIndex(all ? 1 : 0);
    emit pairsWanted();
}

TwoTimePanel::Axes TwoTimePanel::axes() const {
    return static_cast<Axes>(std::max(axes_->currentIndex(), 0));
}

void TwoTimePanel::setAxes(Axes axes) {
    axes_->setCurrentIndex(axes);
}

void TwoTimePanel::setTool(Tool tool) {
    tool_ = tool;
    actions_[static_cast<std::size_t>(tool)]->setChecked(true);
    map_->setPointTool(tool != Tool::move);
    if (tool == Tool::move) dropMarks();
    showMarks();
    showCut();
}

void TwoTimePanel::dropMarks() {
    age_.reset();
    lag_.reset();
    dropPart();
    if (std::exchange(part_, std::nullopt)) emit pairsWanted();
}

void TwoTimePanel::dropPart() {
    jobs_.drop(this, QStringLiteral("part"));
    asked_.reset();
    curves_.reset();
    problem_.clear();
}

double TwoTimePanel::step() const {
    const MapData& map = shown_.map;
    return map.columns > 1 && map.xLast != map.xFirst
               ? (map.xLast - map.xFirst) / static_cast<double>(map.columns - 1)
               : 1;
}

double TwoTimePanel::origin() const {
    return static_cast<double>(shown_.first.value_or(0)) * step();
}

void TwoTimePanel::setShown(Shown shown) {
    const bool none = shown.map.values.empty(), others = !none && shown.map.columns != frames();
    if (none) {
        // The scale of the axes stays as well, for what is marked.
        shown.unit = shown_.unit;
        shown.map = std::move(shown_.map);
        shown.map.values.clear();
    }
    shown_ = std::move(shown);
    if (others) dropMarks();
    map_->setTitle(shown_.title, shown_.note);
    showMap();
    showCounts();
    showMarks();
    showCut();
}

void TwoTimePanel::clear() {
    shown_ = {};
    dropMarks();
    setShown({});
}

void TwoTimePanel::showMap() {
    const QString unit = shown_.unit;
    map_->setXAxis(axes() == times ? QStringLiteral("t\u2081") : tr("age"), unit);
    map_->setYAxis(axes() == times ? QStringLiteral("t\u2082") : tr("lag"), unit);
    jobs_.drop(this, QStringLiteral("age and lag"));
    map_->setPixelText(nullptr);
    if (!hasMap()) return map_->setMap({});
    MapData turned = shown_.map;
    for (double* const end : {&turned.xFirst, &turned.xLast}) *end += origin();
    if (axes() == times) {
        for (double* const end : {&turned.yFirst, &turned.yLast}) *end += origin();
        return map_->setMap(std::move(turned));
    }
    turned.values.clear();
    if (axes() == ageAndLogLag) {
        struct Made {
            MapData map;
            std::vector<std::uint32_t> counts;
        };
        return jobs_.start(
            Jobs::Lane::general, this, QStringLiteral("age and lag"),
            [turned, values = shown_.map.values, perDecade = shown_.perDecade, one = step()] {
                ks::xpcs::LogLagMap binned = ks::xpcs::by_age_and_log_lag(values, turned.columns, perDecade);
                Made made{turned, std::move(binned.counts)};
                if (binned.lags.empty()) return Made{};  // of a single frame
                made.map.rows = binned.lags.size();
                made.map.values = std::move(binned.values);
                made.map.rowEdges.push_back((static_cast<double>(binned.lags.front().begin) - 0.5) * one);
                for (std::size_t row = 0; row < binned.lags.size(); ++row) {
                    made.map.rowEdges.push_back((static_cast<double>(binned.lags[row].end) - 0.5) * one);
                    made.map.rowPlaces.push_back(binned.mean_lags[row] * one);
                }
                return made;
            },
            [this](Made made) {
                map_->setMap(std::move(made.map));
                map_->setPixelText([counts = std::move(made.counts)](std::size_t pixel) {
                    const std::uint32_t pairs = counts[pixel];
                    return pairs == 0   ? tr("no pairs of frames")
                           : pairs == 1 ? tr("of 1 pair of frames")
                                        : tr("mean of %1 pairs of frames").arg(pairs);
                });
            });
    }
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("age and lag"),
        [turned, values = shown_.map.values] {
            MapData made = turned;
            made.values = ks::xpcs::by_age_and_lag(values, made.columns);
            return made;
        },
        [this](MapData made) { map_->setMap(std::move(made)); });
}

ks::xpcs::DelayRange TwoTimePanel::lagsOf(std::size_t lag) const {
    const ks::xpcs::DelayRange one{lag, lag + 1};
    if (axes() != ageAndLogLag) return one;
    const auto rows = ks::xpcs::log_lags(frames(), shown_.perDecade);
    const auto row = std::ranges::find_if(rows, [lag](const auto& range) { return lag < range.end; });
    return row == rows.end() ? one : *row;
}

std::pair<double, double> TwoTimePanel::ageAndLagAt(const QPointF& at) const {
    const double x = (at.x() - origin()) / step(), y = (at.y() - (axes() == times ? origin() : 0)) / step();
    return axes() == times ? std::pair((x + y) / 2, std::abs(y - x)) : std::pair(x, y);
}

void TwoTimePanel::showCounts() {
    StripCounts now;
    if (!hasMap() || shown_.bin < 1) return strip_->setCounts(now);
    const auto bin = static_cast<std::size_t>(shown_.bin) - 1;
    now.origin = origin();
    now.step = step();
    now.bin = shown_.bin;
    if (isOfPairs() && shown_.request && pairs_->is_of(*shown_.request) && bin < pairs_->bins().size() &&
        pairs_->bins()[bin].frames() > 0) {
        now.counts = pairs_->mean_counts(bin);
        now.leftOut = out_;
    } else if (shown_.counts.size() == frames()) {
        now.counts = shown_.counts;
        for (const double one : now.counts) now.leftOut.push_back(std::isnan(one));
    }
    strip_->setCounts(now);
}

void TwoTimePanel::mark(const QPointF& from, const QPointF& to) {
    if (!hasMap()) return;
    const auto whole = [this](double frame) {
        return static_cast<std::size_t>(
            std::clamp(std::round(frame), 0.0, static_cast<double>(frames() - 1)));
    };
    const auto [age, lag] = ageAndLagAt(to);
    if (tool_ == Tool::age) age_ = whole(age);
    // Lag 0 contains the shot noise of each pixel.
    if (tool_ == Tool::lag) lag_ = std::max<std::size_t>(whole(lag), 1);
    if (tool_ == Tool::part) {
        // Over times, a drag in any direction covers the frames between its ends.
        std::vector<double> places{from.x(), to.x()};
        if (axes() == times) places.insert(places.end(), {from.y(), to.y()});
        std::vector<std::size_t> ends;
        ends.reserve(places.size());
        for (const double place : places) ends.push_back(whole((place - origin()) / step()));
        const auto [first, last] = std::ranges::minmax(ends);
        const Part part{first, last + 1};
        if (part_ == part) return;
        const bool none = !part_;
        part_ = part;
        if (none) emit pairsWanted();
        computePart();
    }
    showMarks();
    showCut();
}

void TwoTimePanel::showMarks() {
    if (!hasMap()) return map_->setLines({});
    QVector<QLineF> lines;
    const double one = step(), start = origin(), last = static_cast<double>(frames()) - 1;
    const bool logLag = axes() == ageAndLogLag;
    // A pair of age and lag on the axes as they are. Logarithmic ones begin half a frame before lag 1.
    const auto at = [&](double age, double lag) {
        return axes() == times ? QPointF(start + (age - lag / 2) * one, start + (age + lag / 2) * one)
                               : QPointF(start + age * one, (logLag ? std::max(lag, 0.5) : lag) * one);
    };
    // From lag 0 on, a line that is straight on linear axes.
    const auto addEdge = [&](double age, double slope, double longest) {
        const int pieces = logLag ? 48 : 1;
        double from = 0;
        for (int i = 1; i <= pieces; ++i) {
            const double to = i == pieces ? longest : 0.5 * std::pow(2 * longest, i / double(pieces));
            lines << QLineF(at(age + slope * from, from), at(age + slope * to, to));
            from = to;
        }
    };
    const auto mirrored = [](const QLineF& line) {
        return QLineF(QPointF(line.y1(), line.x1()), QPointF(line.y2(), line.x2()));
    };
    if (tool_ == Tool::age && age_) {
        const auto age = static_cast<double>(*age_);
        lines << QLineF(at(age, 0), at(age, 2 * std::min(age, last - age)));
        if (axes() == times) lines << mirrored(lines.back());
    }
    if (tool_ == Tool::lag && lag_) {
        const ks::xpcs::DelayRange row = lagsOf(*lag_);
        const double lag = 0.5 * static_cast<double>(row.begin + row.end - 1);
        lines << QLineF(at(lag / 2, lag), at(last - lag / 2, lag));
        if (axes() == times) lines << mirrored(lines.back());
    }
    if (tool_ == Tool::part && part_) {
        const double a = static_cast<double>(part_->first) - 0.5, b = static_cast<double>(part_->end) - 0.5;
        addEdge(a, 0.5, b - a);
        addEdge(b, -0.5, b - a);
        if (axes() == times) lines << mirrored(lines[0]) << mirrored(lines[1]);
    }
    map_->setLines(lines);
}

void TwoTimePanel::showCut() {
    const bool shows = (tool_ == Tool::age && age_ && hasMap()) || (tool_ == Tool::lag && lag_ && hasMap()) ||
                       (tool_ == Tool::part && part_);
    cut_->setVisible(tool_ != Tool::move);
    cut_->setLegendVisible(tool_ == Tool::part);
    cut_->setEmptyText(tool_ == Tool::part ? tr("Drag over frames on the map")
                                           : tr("Click on the map for a cut"));
    cut_->setNote({});
    if (!shows) return cut_->setSeries({});
    if (tool_ == Tool::part) return showPart();
    const bool alongLag = tool_ == Tool::age, logLag = axes() == ageAndLogLag;
    const std::vector<double>& map = shown_.map.values;
    const ks::xpcs::DelayRange lags = alongLag ? ks::xpcs::DelayRange{} : lagsOf(*lag_);
    const ks::xpcs::MapCut cut =
        alongLag ? (logLag ? ks::xpcs::log_cut_at_age(map, frames(), *age_, shown_.perDecade)
                           : ks::xpcs::cut_at_age(map, frames(), *age_))
                 : (logLag ? ks::xpcs::log_cut_at_lag(map, frames(), lags)
                           : ks::xpcs::cut_at_lag(map, frames(), *lag_));
    cut_->setYAxis(QStringLiteral("C"));
    cut_->setXAxis(alongLag ? tr("lag") : tr("age"), shown_.unit);
    CurveSeries series;
    series.bin = std::max(bin_, 1);
    const auto number = [this](std::size_t frame, double from) {
        return QString::number(static_cast<double>(frame) * step() + from);
    };
    const bool several = !alongLag && lags.end > lags.begin + 1;
    const QString at = alongLag ? tr("age %1") : several ? tr("lags %1") : tr("lag %1");
    const QString place = alongLag  ? number(*age_, origin())
                          : several ? tr("%1 to %2").arg(number(lags.begin, 0), number(lags.end - 1, 0))
                                    : number(lags.begin, 0);
    series.label = at.arg(place);
    series.style = CurveStyle::line;
    // Lag 0 contains the shot noise of each pixel.
    const bool noise = alongLag && !cut.at.empty() && cut.at.front() == 0;
    series.x = placed(cut.at, step(), alongLag ? 0 : origin()).mid(noise ? 1 : 0);
    series.y = placed(cut.values, 1, 0).mid(noise ? 1 : 0);
    cut_->setLogX(alongLag);
    // It is of the map, whose note it bears, also where it is exported.
    const QString of = at.arg(numberWithUnit(place, shown_.unit));
    cut_->setNote(shown_.note.isEmpty() ? of : of + QLatin1Char('\n') + shown_.note);
    cut_->setSeries({series});
}

void TwoTimePanel::setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why) {
    whyNoPairs_ = why;
    if (pairs_ != pairs) dropPart();
    pairs_ = std::move(pairs);
    grid_->setPairs(pairs_, why);
    showCounts();
    if (tool_ == Tool::part) showCut();
}

void TwoTimePanel::setNext(const Request& next, const std::vector<bool>& out) {
    if (!pairs_) return;
    next_ = next;
    used_ = usedFrames(*pairs_, out);
    out_ = out;
    grid_->setUsed(used_);
    showCounts();
    computePart();
}

void TwoTimePanel::setBin(int label) {
    grid_->setBin(label);
    if (std::exchange(bin_, label) != label) computePart();
}

bool TwoTimePanel::isOfPairs() const {
    return pairs_ && shown_.first == pairs_->first_frame() && pairs_->frames() == frames();
}

void TwoTimePanel::computePart() {
    const auto bin = static_cast<std::size_t>(std::max(bin_, 1)) - 1;
    if (!part_ || !next_ || !isOfPairs() || used_.size() != pairs_->frames() ||
        bin >= pairs_->bins().size() || pairs_->bins()[bin].frames() == 0) {
        dropPart();
        return showCut();
    }
    const Asked now{pairs_, used_, ks::xpcs::estimate_of(next_->parameters), *part_, bin};
    if (asked_ == now) return;
    // Those of the part before stay while a hand drags.
    if (curves_ && (curves_->of.pairs != pairs_ || curves_->of.bin != bin)) curves_.reset();
    asked_ = now;
    problem_.clear();
    showCut();
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("part"),
        [now] {
            Progress progress;
            const ks::xpcs::Workers workers{compute_threads(), progress};
            const ks::xpcs::Estimate of = ks::xpcs::estimate_of_segments(now.estimate);
            const ks::xpcs::BinPairs& whole = now.pairs->bins()[now.bin];
            const ks::xpcs::BinPairs cut = whole.part(now.part.first, now.part.end);
            const std::vector<bool> usedOfPart(now.used.begin() + static_cast<std::ptrdiff_t>(now.part.first),
                                               now.used.begin() + static_cast<std::ptrdiff_t>(now.part.end));
            return PartCurves{now, ks::xpcs::curve_of({&cut, 1}, of, usedOfPart, cut.delays(), workers),
                              ks::xpcs::curve_of({&whole, 1}, of, now.used, whole.delays(), workers)};
        },
        [this](PartCurves curves) {
            curves_ = std::move(curves);
            showCut();
        },
        [this](const Error& error) {
            curves_.reset();
            problem_ = QString::fromStdString(error.message());
            showCut();
        });
}

void TwoTimePanel::showPart() {
    cut_->setYAxis(QStringLiteral("g\u2082"));
    cut_->setXAxis(tr("delay"), shown_.unit);
    cut_->setLogX(true);
    cut_->setLegendTitle(tr("frames"));
    if (!curves_) {
        cut_->setEmptyText(!problem_.isEmpty() ? problem_
                           : !pairs_           ? whyNoPairs_
                           : !shown_.first ? tr("g\u2082 of a part needs single frames: the map is of every "
                                                "n-th frame or of averages")
                           : !isOfPairs()  ? tr("The map is of other frames than the next run")
                           : asked_        ? tr("Computing")
                                    : tr("Bin %1 is switched off or has no pixels").arg(std::max(bin_, 1)));
        return cut_->setSeries({});
    }
    const auto series = [this](int number, const QString& label, const ks::xpcs::Curve& curve,
                               CurveStyle style) {
        CurveSeries one;
        one.style = style;
        one.bin = number;
        one.label = label;
        for (std::size_t delay = 1; delay < curve.g2.size(); ++delay) {
            one.x << static_cast<double>(delay) * step();
            one.y << curve.g2[delay];
            one.yerr << curve.error[delay];
        }
        return one;
    };
    const Asked& of = curves_->of;
    const std::size_t first = of.pairs->first_frame() + of.part.first,
                      last = of.pairs->first_frame() + of.part.end - 1;
    // Which is which shows without the legend, too.
    cut_->setNote(joinedTexts(
        {tr("bin %1, points: frames %2 to %3, line: all").arg(of.bin + 1).arg(first).arg(last),
         otherErrors(of.estimate), keptDelaysText(*of.pairs, tr("delays"), of.pairs->frames() - 1)},
        QStringLiteral("\n")));
    cut_->setSeries({series(1, tr("%1\u2013%2").arg(first).arg(last), curves_->part, CurveStyle::points),
                     series(2, tr("all"), curves_->whole, CurveStyle::line)});
}

void TwoTimePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

}  // namespace ks::ui::xpcs
