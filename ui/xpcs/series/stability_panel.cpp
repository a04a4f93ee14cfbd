#include "ui/xpcs/series/stability_panel.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/order_colour.h"
#include "ui/xpcs/labelled_list.h"
#include "ui/xpcs/series/kept_delays.h"
#include "ui/xpcs/series/other_errors.h"
#include "ui/xpcs/series/used_frames.h"

namespace ks::ui::xpcs {
namespace {

/// More curves have no legend.
constexpr std::size_t mostInLegend = 20;

}  // namespace

StabilityPanel::StabilityPanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      tests_(new QListWidget),
      plot_(new CurvePlot),
      field_(new WholeBox),
      summary_(new ElidedLabel) {
    named(tests_, tr("Change of each bin"),
          tr("For each bin, whether g\u2082 changes from segment to segment. p is the probability of such a "
             "change in a sample that does not change"));
    tests_->setWordWrap(true);
    tests_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    field_->setRange(static_cast<int>(ks::xpcs::fewest_segments), static_cast<int>(ks::xpcs::most_segments));
    field_->setValue(static_cast<int>(ks::xpcs::usual_segments));
    named(field_, tr("Number of segments"),
          tr("Number of equal segments of the series. Each bin's g\u2082 is computed in each of them"));
    named(summary_, tr("Result for all bins"));
    plot_->setAccessibleName(tr("g\u2082 of each segment"));
    plot_->setLogX(true);
    plot_->setYAxis(QStringLiteral("g\u2082"));
    plot_->setLegendTitle(tr("frames"));
    auto* label = new QLabel(tr("&Segments"));
    label->setBuddy(field_);
    auto* both = new QSplitter;
    both->addWidget(tests_);
    both->addWidget(plot_);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 2);
    both->setSizes({450, 550});
    both->setChildrenCollapsible(false);
    setLayout(inRows({inColumns({label, field_, {summary_, 1}}, 8), {both, 1}}, 4));
    connect(field_, &QSpinBox::valueChanged, this, &StabilityPanel::compute);
    connect(tests_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item) emit picked(item->data(labelRole).toInt());
    });
    new Restyled(this, Restyled::By::palette, [this] { showCurves(); });
    setPairs(nullptr, {});
}

int StabilityPanel::segments() const {
    return field_->value();
}

void StabilityPanel::setSegments(int count) {
    field_->setValue(count);
}

QString StabilityPanel::summary() const {
    return summary_->whole();
}

void StabilityPanel::setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why) {
    pairs_ = std::move(pairs);
    if (!pairs_) {
        asked_.reset();
        jobs_.drop(this, QStringLiteral("stability"));
        clear(why);
    }
}

void StabilityPanel::setNext(const Request& next, const std::vector<bool>& out) {
    next_ = next;
    out_ = out;
    compute();
}

void StabilityPanel::compute() {
    if (!pairs_ || !next_ || !isVisible()) return;
    Asked now{pairs_, usedFrames(*pairs_, out_), ks::xpcs::estimate_of(next_->parameters), field_->value(),
              !ks::xpcs::reduction_of(next_->parameters).none()};
    if (asked_ == now) return;
    asked_ = now;
    summary_->setWhole(tr("Computing"));
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("stability"),
        [now] {
            const auto count = static_cast<std::size_t>(now.segments);
            Found found{ks::xpcs::segments_of_series(count, now.used.size()), {}};
            found.segments.first = now.pairs->first_frame();
            Progress progress;
            found.bins = ks::xpcs::stability_of(now.pairs->bins(), now.used, now.estimate, count,
                                                {compute_threads(), progress});
            return found;
        },
        [this](Found found) { take(std::move(found)); },
        [this](const Error& error) { clear(QString::fromStdString(error.message())); });
}

void StabilityPanel::take(Found found) {
    found_ = std::move(found);
    showTests();
    showCurves();
}

void StabilityPanel::clear(const QString& text) {
    found_.reset();
    summary_->setWhole(text);
    const QSignalBlocker quiet(tests_);
    tests_->clear();
    plot_->setEmptyText(text.isEmpty() ? tr("g\u2082 of segments of the series appears here\nonce there are "
                                            "bins")
                                       : text);
    plot_->setNote({});
    plot_->setSeries({});
}

void StabilityPanel::showTests() {
    const QSignalBlocker quiet(tests_);
    tests_->clear();
    int changed = 0, tested = 0;
    for (std::size_t bin = 0; bin < found_->bins.size(); ++bin) {
        const ks::xpcs::BinStability& one = found_->bins[bin];
        if (one.segments.empty()) continue;
        changed += one.changes() ? 1 : 0;
        tested += one.strongest ? 1 : 0;
        const QString text =
            tr("%1: %2").arg(bin + 1).arg(QString::fromStdString(change_text(one, found_->segments)));
        auto* item = new QListWidgetItem(text, tests_);
        item->setToolTip(text);
        item->setData(labelRole, static_cast<int>(bin) + 1);
        QFont font = item->font();
        font.setBold(one.changes());
        item->setFont(font);
    }
    const QString frames = tr("%1 frames each").arg(found_->segments.length);
    summary_->setWhole(tr("%1; g\u2082 changes in %2 of %3 bins (p < %4)")
                           .arg(frames)
                           .arg(changed)
                           .arg(tested)
                           .arg(ks::xpcs::change_level),
                       {tr("changes in %1 of %2 bins").arg(changed).arg(tested)});
    selectLabel(*tests_, picked_);
}

void StabilityPanel::setPickedBin(int label) {
    if (std::exchange(picked_, label) == label) return;
    selectLabel(*tests_, picked_);
    showCurves();
}

void StabilityPanel::setSource(const QString& source) {
    if (std::exchange(source_, source) != source) showCurves();
}

void StabilityPanel::showCurves() {
    if (!found_) return;
    const std::size_t bin = static_cast<std::size_t>(std::max(picked_, 1)) - 1;
    QVector<CurveSeries> series;
    if (bin < found_->bins.size()) {
        const std::vector<ks::xpcs::Curve>& curves = found_->bins[bin].segments;
        const double step = pairs_ ? pairs_->frame_time().value_or(1) : 1;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            CurveSeries one;
            one.bin = static_cast<int>(i) + 1;
            one.label = tr("%1\u2013%2").arg(found_->segments.first_of(i)).arg(found_->segments.last_of(i));
            one.labelInFull = tr("frames %1").arg(one.label);
            one.colour = orderColour(i, curves.size(), isDark(palette()));
            for (std::size_t delay = 1; delay < curves[i].g2.size(); ++delay) {
                one.x << static_cast<double>(delay) * step;
                one.y << curves[i].g2[delay];
                one.yerr << curves[i].error[delay];
            }
            if (std::ranges::any_of(one.y, [](double y) { return std::isfinite(y); })) series << one;
        }
    }
    plot_->setXAxis(tr("delay"),
                    pairs_ && pairs_->frame_time() ? QStringLiteral("s") : QStringLiteral("frames"));
    plot_->setEmptyText(tr("Bin %1 is switched off or has no pixels").arg(bin + 1));
    QStringList notes;
    if (!source_.isEmpty()) notes << source_;
    if (!series.isEmpty())
        notes << (asked_ && asked_->runReduces ? tr("bin %1, single frames").arg(bin + 1)
                                               : tr("bin %1").arg(bin + 1));
    if (const QString other = asked_ ? otherErrors(asked_->estimate) : QString();
        !series.isEmpty() && !other.isEmpty())
        notes << other;
    if (const QString part =
            pairs_ ? keptDelaysText(*pairs_, tr("delays"), found_->segments.length - 1) : QString();
        !series.isEmpty() && !part.isEmpty())
        notes << part;
    plot_->setNote(notes.join(QLatin1Char('\n')));
    plot_->setLegendVisible(series.size() <= static_cast<qsizetype>(mostInLegend));
    plot_->setSeries(series);
}

void StabilityPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
    compute();
}

}  // namespace ks::ui::xpcs
