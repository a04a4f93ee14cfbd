#include "ui/xpcs/series/frames_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/data/frame_ranges.h"
#include "core/xpcs/pairs/outliers.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui::xpcs {

namespace {

/// Of the finite values.
double meanOf(const std::vector<double>& values) {
    double sum = 0, n = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        sum += value;
        n += 1;
    }
    return sum / n;
}

}  // namespace

FramesPanel::FramesPanel(QWidget* parent) : QWidget(parent), plot_(new CurvePlot), text_(new ElidedLabel) {
    plot_->setAccessibleName(tr("Mean counts of each frame"));
    plot_->setLogOffered(false);
    plot_->setLogX(false);
    plot_->setXAxis(tr("frame"));
    plot_->setYAxis(tr("I(t)"), tr("counts/px"));
    plot_->setLegendTitle(tr("bin"));
    named(text_, tr("Frames left out"));
    makeTools();
    auto* row = inColumns({}, 2);
    for (QAction* const one : actions_) {
        row->addWidget(addTool(one));
        if (one->objectName() == QLatin1String("move")) row->addSpacing(8);
    }
    row->addSpacing(8);
    row->addWidget(text_, 1);
    setLayout(inRows({row, {plot_, 1}}, 4));
    connect(plot_, &CurvePlot::rangeDragged, this, &FramesPanel::dragRange);
    connect(plot_, &CurvePlot::edgeDragged, this, &FramesPanel::dragEdge);
    setTool(Tool::leaveOut);
    setPairs(nullptr, {});
}

void FramesPanel::makeTools() {
    auto* tools = new QActionGroup(this);
    const auto add = [this](const char* name, const QString& text, const QString& tip, auto&& done) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, done);
        actions_.push_back(action);
        return action;
    };
    const auto addTool = [&](const char* name, const QString& text, const QString& tip, Tool tool) {
        QAction* const action = add(name, text, tip, [this, tool] { setTool(tool); });
        action->setCheckable(true);
        tools->addAction(action);
    };
    addTool("leaveOut", tr("Leave out"), tr("Drag over frames, or click one, to leave them out"),
            Tool::leaveOut);
    addTool("takeBack", tr("Take back"), tr("Drag over frames, or click one, to use them again"),
            Tool::takeBack);
    addTool("move", tr("Move"), tr("Drag to move the axes"), Tool::move);
    add("outliers", tr("Outliers"),
        tr("Leave out, in addition, frames whose sum is an outlier: shutter closed, beam lost, spikes"),
        [this] { leaveOutOutliers(); });
    add("useAll", tr("Use all"), tr("Use all frames again"),
        [this] { leaveOut(std::vector<bool>(out_.size(), false)); });
}

QToolButton* FramesPanel::addTool(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

QAction* FramesPanel::action(const QString& name) const {
    return findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
}

void FramesPanel::setTool(Tool tool) {
    tool_ = tool;
    const char* const names[] = {"leaveOut", "takeBack", "move"};
    action(QLatin1String(names[static_cast<int>(tool)]))->setChecked(true);
    plot_->setRangeTool(tool != Tool::move);
}

void FramesPanel::setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why) {
    plot_->setEmptyText(why.isEmpty() ? tr("Mean counts of each frame appear here\nonce there are bins")
                                      : why);
    for (QAction* const one : actions_) one->setEnabled(pairs != nullptr);
    if (pairs == pairs_ && pairs) return;
    pairs_ = std::move(pairs);
    before_.reset();
    rangesBefore_.reset();
    out_.assign(pairs_ ? pairs_->frames() : 0, false);
    elsewhere_.clear();
    unclear_ = false;
    showCurves();
}

void FramesPanel::setNext(const Request& next) {
    if (!pairs_) return;
    Request named = next;
    const bool finds =
        named.parameters.contains("leave_out") && ks::xpcs::names_auto(text(named.parameters, "leave_out"));
    if (finds) named.parameters["leave_out"] = ks::xpcs::without_auto(text(named.parameters, "leave_out"));
    reduction_ = ks::xpcs::reduction_of(next.parameters);
    const auto out = pairs_->left_out(named);
    unclear_ = !out;
    out_ = !out ? std::vector<bool>(out_.size(), false) : finds ? withOutliers(*out) : *out;
    elsewhere_ = pairs_->left_out_elsewhere(named);
    showLeftOut();
}

void FramesPanel::setPickedBin(int label) {
    if (std::exchange(picked_, label) != label) showCurves();
}

void FramesPanel::setNote(const QString& note) {
    plot_->setNote(note);
}

void FramesPanel::showCurves() {
    QVector<CurveSeries> series;
    const auto draw = [&](int label, const QString& name, const std::vector<double>& counts) {
        CurveSeries one;
        one.bin = label;
        one.label = name;
        one.style = CurveStyle::line;
        for (std::size_t t = 0; t < counts.size(); ++t) {
            one.x << static_cast<double>(pairs_->first_frame() + t);
            one.y << counts[t];
        }
        series << one;
    };
    const auto add = [&](int label, const QString& name) {
        draw(label, name,
             pairs_->mean_counts(label == 0 ? std::nullopt
                                            : std::optional(static_cast<std::size_t>(label) - 1)));
    };
    if (pairs_) {
        add(0, tr("all bins"));
        if (picked_ > 0 && static_cast<std::size_t>(picked_) <= pairs_->bins().size() &&
            pairs_->bins()[static_cast<std::size_t>(picked_) - 1].frames() > 0)
            add(picked_, QString::number(picked_));
        if (std::vector<double> monitor = pairs_->monitor(); !monitor.empty()) {
            // On the axis of the counts.
            const double mean = meanOf(pairs_->mean_counts(std::nullopt));
            for (double& value : monitor) value *= mean;
            draw(static_cast<int>(pairs_->bins().size()) + 1, tr("monitor, scaled"), monitor);
        }
    }
    plot_->setSeries(series);
    plot_->setLegendVisible(series.size() > 1);
    showLeftOut();
}

std::vector<FramesPanel::Frames> FramesPanel::rangesLeftOut() const {
    std::vector<Frames> ranges;
    for (std::size_t t = 0; t < out_.size(); ++t) {
        if (!out_[t]) continue;
        if (t > 0 && out_[t - 1])
            ranges.back().end = t + 1;
        else
            ranges.push_back({t, t + 1});
    }
    return ranges;
}

QString FramesPanel::summary() const {
    return text_->whole();
}

void FramesPanel::showLeftOut() {
    QVector<CurveBand> bands;
    std::vector<std::size_t> frames;
    const auto place = [this](std::size_t t) { return static_cast<double>(pairs_->first_frame() + t) - 0.5; };
    for (const Frames& one : rangesLeftOut()) {
        bands.push_back({place(one.first), place(one.end), 0});
        for (std::size_t t = one.first; t < one.end; ++t) frames.push_back(pairs_->first_frame() + t);
    }
    plot_->setBands(bands);
    if (!pairs_ || unclear_)  // whoever runs it says what is wrong
        text_->setWhole({});
    else if (frames.empty())
        text_->setWhole(tr("all %1 frames used").arg(out_.size()), {tr("all used")});
    else
        text_->setWhole(tr("%1 of %2 frames left out: %3")
                            .arg(frames.size())
                            .arg(out_.size())
                            .arg(QString::fromStdString(frame_ranges(frames))),
                        {tr("%1 of %2 left out").arg(frames.size()).arg(out_.size())});
    action(QStringLiteral("useAll"))->setEnabled(!frames.empty() || unclear_);
    action(QStringLiteral("takeBack"))->setEnabled(pairs_ != nullptr);
}

std::size_t FramesPanel::frameAt(double x) const {
    const double frame = std::round(x) - static_cast<double>(pairs_->first_frame());
    return static_cast<std::size_t>(std::clamp(frame, 0.0, static_cast<double>(out_.size() - 1)));
}

void FramesPanel::leaveOutOutliers() {
    if (!pairs_) return;
    const std::vector<bool> out = withOutliers(out_);
    const auto found = std::ranges::count(out, true) - std::ranges::count(out_, true);
    leaveOut(out);
    if (found == 0) sayFirst(tr("no outliers found"));
}

void FramesPanel::sayFirst(const QString& remark) {
    showLeftOut();
    text_->setWhole(remark + QLatin1String("; ") + text_->whole(), {remark});
}

void FramesPanel::leaveOut(const std::vector<bool>& out) {
    if (!pairs_ || (out == out_ && !unclear_)) return;
    if (std::ranges::find(out, false) == out.end()) return sayFirst(tr("not all frames can be left out"));
    out_ = out;
    unclear_ = false;
    std::vector<std::size_t> frames = elsewhere_;
    for (std::size_t t = 0; t < out_.size(); ++t)
        if (out_[t]) frames.push_back(pairs_->first_frame() + t);
    std::ranges::sort(frames);
    showLeftOut();
    emit leftOutChanged(QString::fromStdString(frame_ranges(frames)));
}

void FramesPanel::dragRange(double from, double to, bool final) {
    if (!pairs_) return;
    if (!before_) before_ = out_;
    std::vector<bool> out = *before_;
    const auto [first, last] = std::minmax({frameAt(from), frameAt(to)});
    for (std::size_t t = first; t <= last; ++t) out[t] = tool_ == Tool::leaveOut;
    if (final) before_.reset();
    leaveOut(out);
}

void FramesPanel::dragEdge(int edge, double x, bool final) {
    if (!pairs_) return;
    if (!rangesBefore_) rangesBefore_ = rangesLeftOut();
    // Ranges do not touch, so each has two edges.
    const std::size_t index = static_cast<std::size_t>(edge) / 2;
    if (index >= rangesBefore_->size()) return;
    std::vector<bool> out(out_.size(), false);
    for (std::size_t i = 0; i < rangesBefore_->size(); ++i) {
        Frames range = (*rangesBefore_)[i];
        if (i == index) {
            // An edge is between two frames. Dragged onto the other edge, the range vanishes.
            const double place = std::clamp(std::round(x + 0.5) - static_cast<double>(pairs_->first_frame()),
                                            0.0, static_cast<double>(out_.size()));
            const std::size_t fixed = edge % 2 == 0 ? range.end : range.first;
            const auto [low, high] = std::minmax({static_cast<std::size_t>(place), fixed});
            range = {low, high};
        }
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(range.first),
                  out.begin() + static_cast<std::ptrdiff_t>(range.end), true);
    }
    if (final) rangesBefore_.reset();
    leaveOut(out);
}

std::vector<bool> FramesPanel::withOutliers(std::vector<bool> out) const {
    // Frames that are left out already, or that no frame of the run is made of, are not compared with.
    io::FrameRange range{0, out.size()};
    for (std::size_t t = 0; t < out.size(); ++t)
        if (out[t]) range.left_out.push_back(t);
    std::vector<bool> unused(out.size(), false);
    for (const std::size_t t : ks::xpcs::used_range(range, reduction_).left_out) unused[t] = true;
    const std::vector<double> counts = pairs_->mean_counts(std::nullopt);
    std::vector<double> sums;
    std::vector<std::size_t> frames;
    double pixels = 0;
    for (const ks::xpcs::BinPairs& bin : pairs_->bins()) pixels += static_cast<double>(bin.pixels());
    for (std::size_t t = 0; t < counts.size(); ++t) {
        if (unused[t] || !std::isfinite(counts[t])) continue;
        sums.push_back(counts[t] * pixels);
        frames.push_back(t);
    }
    for (const ks::xpcs::Outlier& one : ks::xpcs::outliers_of(sums)) out[frames[one.frame]] = true;
    return out;
}

void FramesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

}  // namespace ks::ui::xpcs
