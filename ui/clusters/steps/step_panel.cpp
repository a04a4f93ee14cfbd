#include "ui/clusters/steps/step_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QSet>
#include <QStringList>
#include <QToolButton>

#include "core/run/user/shown_variant.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/image/panel/frame_slider.h"

namespace ks::ui::clusters {
namespace {

std::size_t different(std::span<const std::int32_t> values) {
    QSet<std::int32_t> seen;
    for (const std::int32_t value : values) seen.insert(value);
    return static_cast<std::size_t>(seen.size());
}

}  // namespace

StepPanel::StepPanel(QWidget* parent)
    : QWidget(parent),
      record_(new QToolButton),
      name_(new ElidedLabel),
      roundText_(new ElidedLabel),
      stepText_(new ElidedLabel),
      rounds_(new FrameSlider(nullptr, tr("round"))),
      steps_(new FrameSlider(nullptr, tr("step"))),
      columns_(new HistogramPlot),
      neighboursOf_(new QLabel),
      neighbours_(new QListWidget) {
    build();
    layOut();
    setTrace(nullptr, {});
}

StepPanel::~StepPanel() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void StepPanel::build() {
    record_->setText(tr("Record this module"));
    record_->setFocusPolicy(Qt::TabFocus);
    record_->setAccessibleName(record_->text());
    name_->setAccessibleName(tr("Recorded run"));
    name_->setObjectName(QStringLiteral("recorded"));
    roundText_->setObjectName(QStringLiteral("round"));
    stepText_->setObjectName(QStringLiteral("step"));
    roundText_->setAccessibleName(tr("Result of the round"));
    stepText_->setAccessibleName(tr("Result of the step"));
    columns_->setXAxis(tr("Column y"), tr("px"));
    columns_->setCounted(tr("Digis"), tr("digi"));
    columns_->setLegendVisible(false);
    columns_->setFigureName(QStringLiteral("columns"));
    columns_->setEmptyText(tr("Digis by column\nof a recorded module"));
    columns_->setBinText([](double from, double) { return tr("column %1").arg(from + 0.5, 0, 'f', 0); });
    columns_->setMinimumSize(120, 90);
    neighbours_->setAccessibleName(tr("Neighbours of the pixel"));
    neighbours_->setWhatsThis(tr("The digis that touch the one under the cursor, with their labels"));
    neighbours_->setUniformItemSizes(true);
    neighbours_->setMinimumSize(104, 60);
    neighboursOf_->setTextFormat(Qt::PlainText);
    neighboursOf_->setWordWrap(true);

    connect(record_, &QToolButton::clicked, this, &StepPanel::recordRequested);
    connect(rounds_, &FrameSlider::frameChanged, this, [this] {
        showTexts();
        emit roundChanged();
    });
    connect(steps_, &FrameSlider::frameChanged, this, [this] {
        showTexts();
        emit stepChanged();
    });
    connect(neighbours_, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { emit digiPicked(item->data(Qt::UserRole).toULongLong()); });
}

void StepPanel::layOut() {
    auto* sliders = new QGridLayout;
    sliders->setHorizontalSpacing(8);
    sliders->setVerticalSpacing(2);
    auto* labels = new QLabel(tr("Labels"));
    labels->setToolTip(
        tr("Rounds of label propagation, in a reproducible variant of the published kernel's loop"));
    auto* trees = new QLabel(tr("Trees"));
    trees->setToolTip(tr("Steps of union-find"));
    sliders->addWidget(labels, 0, 0);
    sliders->addWidget(rounds_, 0, 1);
    sliders->addWidget(roundText_, 1, 1);
    sliders->addWidget(trees, 2, 0);
    sliders->addWidget(steps_, 2, 1);
    sliders->addWidget(stepText_, 3, 1);
    sliders->setColumnStretch(1, 1);
    QLayout* const head = inRows({{record_, 0, Qt::AlignLeft}, name_}, 2);
    QLayout* const left = inRows({head, sliders, Cell::space()}, 8);
    QLayout* const right = inRows({neighboursOf_, {neighbours_, 1}}, 4);
    setLayout(inColumns({{left, 7}, {columns_, 5}, {right, 3}}, 16, {0, 4, 0, 0}));
}

void StepPanel::setWhyNot(const QString& reason) {
    record_->setEnabled(reason.isEmpty());
    record_->setToolTip(
        reason.isEmpty()
            ? tr("Runs the chosen variant and records the steps of its algorithm for the selected "
                 "module: rounds of labels, trees of union-find, or both")
            : reason);
}

void StepPanel::setTrace(std::shared_ptr<const StepTrace> trace, const QString& name) {
    trace_ = std::move(trace);
    digi_.reset();
    if (trace_)
        name_->setWhole(name);
    else
        name_->setWhole(tr("This module has not been recorded."), {tr("Not recorded"), tr("None")});
    rounds_->setFrameCount(trace_ && trace_->hasLabels() ? static_cast<int>(trace_->rounds()) + 1 : 0);
    steps_->setFrameCount(trace_ && trace_->hasParents() ? static_cast<int>(trace_->steps()) + 1 : 0);
    setDigi(std::nullopt, {});
    showTexts();
    showColumns();
}

std::size_t StepPanel::round() const {
    return static_cast<std::size_t>(rounds_->frame());
}

std::size_t StepPanel::step() const {
    return static_cast<std::size_t>(steps_->frame());
}

void StepPanel::goOn(int by) {
    FrameSlider& shown = trace_ && trace_->hasLabels() ? *rounds_ : *steps_;
    shown.setFrame(shown.frame() + by);
}

void StepPanel::showTexts() {
    QString labels, trees;
    QStringList fewLabels, fewTrees;
    const QString digis = trace_ ? counted(trace_->size(), tr("1 digi"), tr("%1 digis")) : QString();
    const QString variant = trace_ ? QString::fromStdString(shown_variant(*trace_->run())) : QString();
    if (trace_ && trace_->hasLabels()) {
        const std::size_t now = round(), left = different(trace_->labels(now));
        const QString counts =
            tr("%1 changed; labels remaining: %2").arg(trace_->changed(now).size()).arg(left);
        labels = now == 0       ? tr("Start: each digi has its own label (%1)").arg(digis)
                 : now % 2 == 1 ? tr("Each digi takes the smallest label around it: %1").arg(counts)
                                : tr("Each digi follows its label: %1").arg(counts);
        fewLabels << (now == 0 ? tr("Start: %1").arg(counted(trace_->size(), tr("1 label"), tr("%1 labels")))
                               : tr("%1 changed; labels: %2").arg(trace_->changed(now).size()).arg(left));
    } else if (trace_) {
        labels =
            tr("%1 records no rounds: choose the baseline or a host variant, and record again").arg(variant);
        fewLabels << tr("No rounds recorded");
    }
    if (trace_ && trace_->hasParents()) {
        const std::size_t now = step();
        std::size_t roots = 0, deepest = 0;
        for (const std::uint32_t depth : trace_->depths(now)) {
            roots += depth == 0;
            deepest = std::max<std::size_t>(deepest, depth);
        }
        const QString counts =
            tr("%1, depth %2").arg(counted(roots, tr("1 root"), tr("%1 roots"))).arg(deepest);
        trees = now == 0       ? tr("Start: each digi is a root (%1)").arg(digis)
                : now % 2 == 1 ? tr("Roots joined: %1").arg(counts)
                               : tr("Digis attached to their roots: %1").arg(counts);
        fewTrees << (now == 0 ? tr("Start: %1").arg(counted(trace_->size(), tr("1 root"), tr("%1 roots")))
                              : counts);
    } else if (trace_) {
        trees =
            tr("%1 records no trees: choose a union-find or a host variant, and record again").arg(variant);
        fewTrees << tr("No trees recorded");
    }
    roundText_->setWhole(labels, fewLabels);
    stepText_->setWhole(trees, fewTrees);
}

void StepPanel::showColumns() {
    QVector<HistogramSeries> series;
    if (trace_ && trace_->columns() > 0) {
        HistogramSeries one;
        one.edges << -0.5;
        for (std::size_t column = 0; column < trace_->columns(); ++column) {
            one.edges << static_cast<double>(column) + 0.5;
            one.counts << trace_->inColumn(column);
        }
        series << one;
    }
    columns_->setSeries(series);
}

QString StepPanel::digiText() const {
    return neighboursOf_->text();
}

void StepPanel::setDropped(const QString& name, const QString& status) {
    digi_.reset();
    neighbours_->clear();
    neighboursOf_->setText(tr("%1: not used\n%2").arg(name, status));
}

void StepPanel::setDigi(std::optional<std::size_t> place, const QString& name, const QString& status) {
    digi_ = place;
    neighbours_->clear();
    if (!trace_ || !place) {
        neighboursOf_->setText(trace_ ? tr("Point at a digi to list its neighbours here.")
                                      : tr("Record a module to see neighbours."));
        return;
    }
    const std::vector<std::uint32_t> touching = trace_->neighbours(*place);
    const std::size_t column = trace_->columnOf(*place), first = trace_->beforeColumn(column);
    QString about = tr("%1: %2").arg(name, counted(touching.size(), tr("1 neighbour"), tr("%1 neighbours")));
    about += QLatin1Char('\n') + tr("Digi %1 of %2 in the loop, %3 of %4 in its column")
                                     .arg(*place + 1)
                                     .arg(trace_->size())
                                     .arg(*place - first + 1)
                                     .arg(trace_->inColumn(column));
    if (!status.isEmpty()) about += QLatin1Char('\n') + status;
    neighboursOf_->setText(about);
    for (const std::uint32_t one : touching) {
        auto* item = new QListWidgetItem(text_ ? text_(one) : QString::number(one), neighbours_);
        item->setData(Qt::UserRole, qulonglong{one});
        item->setToolTip(item->text());
    }
}

}  // namespace ks::ui::clusters
