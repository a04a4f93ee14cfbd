#include "ui/lab/roofline_pane.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/base/palette.h"
#include "ui/lab/roofline.h"
#include "ui/lab/roofline_plot.h"

namespace ks::ui::lab {

RooflinePane::RooflinePane(QWidget* parent)
    : QWidget(parent),
      plot_(new RooflinePlot),
      legend_(new QLabel),
      note_(new QLabel),
      measure_(new QToolButton) {
    legend_->setTextFormat(Qt::RichText);
    legend_->setContentsMargins(8, 4, 8, 0);
    legend_->setAccessibleName(tr("Colours of the devices"));
    note_->setWordWrap(true);
    note_->setContentsMargins(8, 2, 8, 4);
    note_->setAccessibleName(tr("Not shown in the roofline"));
    measure_->setText(tr("Measure ceilings"));
    measure_->setToolTip(tr("Measure the device's peak rates; takes some seconds, results are kept"));
    connect(measure_, &QToolButton::clicked, this, &RooflinePane::measureWanted);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 8, 2);
    line->addWidget(note_, 1);
    line->addWidget(measure_, 0, Qt::AlignTop);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(legend_);
    rows->addWidget(plot_, 1);
    rows->addLayout(line);
}

RooflinePane::~RooflinePane() = default;

void RooflinePane::show(const std::vector<Entry>& entries, const std::vector<int>& colours,
                        const std::vector<Ceilings>& ceilings) {
    QStringList notes;
    const Ceilings* known = nullptr;
    QStringList lacking;
    QString roofed;
    bool measurable = false;  // one of the devices without ceilings is present
    for (const Entry& entry : entries) {
        const DeviceInfo& device = entry.of->report.device;
        if (device.index < 0 && entry.of->file.isEmpty()) continue;
        const QString name = QString::fromStdString(device.name);
        const Ceilings* found = find_ceilings(ceilings, device);
        if (!found && !lacking.contains(name)) lacking << name;
        measurable = measurable || (!found && entry.of->isNow());
        if (found && !known) {
            known = found;
            roofed = name;
        }
    }
    QStringList leftOut;
    std::vector<RoofPoint> points = roofPoints(entries, colours, ceilings, leftOut);
    sources_.clear();
    for (const RoofPoint& one : points)
        if (std::ranges::find(sources_, one.source, &std::pair<QString, int>::first) == sources_.end())
            sources_.emplace_back(one.source, one.colour);
    showLegend();
    for (const RoofPoint& one : points) {
        if (!one.aboveRoofs.isEmpty()) notes << tr("Above the roofs: %1, %2.").arg(one.name, one.aboveRoofs);
        if (!one.aboveMemory.isEmpty()) notes << tr("Above memory: %1, %2.").arg(one.name, one.aboveMemory);
    }
    QStringList bases;
    for (const RoofPoint& one : points)
        if (!one.countsOf.isEmpty() && !bases.contains(one.countsOf)) {
            bases << one.countsOf;
            notes << countsMark + tr(" Work and traffic assumed equal to %1.").arg(one.countsOf);
        }
    if (known) notes << tr("Roofs measured on %1.").arg(roofed);
    if (!lacking.isEmpty())
        notes << tr("No ceilings measured for %1.").arg(lacking.join(QStringLiteral(", ")));
    if (!leftOut.isEmpty()) notes << tr("Not shown: %1.").arg(leftOut.join(QStringLiteral("; ")));
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
    measure_->setVisible(measurable);
    plot_->setEmptyText(
        entries.empty()
            ? tr("Press Run (F5) to place variants by the operations and bytes that their kernels declare")
            : tr("No kernel declares both its operations and its bytes"));
    plot_->setPoints(std::move(points), known ? roofsOf(*known) : std::vector<Roof>());
}

void RooflinePane::showLegend() {
    QStringList parts;
    for (const auto& [source, colour] : sources_)
        parts << QStringLiteral("<span style=\"color:%1\">\u25cf</span> %2")
                     .arg(binColour(colour, isDark(palette())).name(), source.toHtmlEscaped());
    legend_->setText(parts.size() > 1 ? parts.join(QStringLiteral("&nbsp;&nbsp; ")) : QString());
    legend_->setVisible(parts.size() > 1);
}

void RooflinePane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showLegend();
}

QString RooflinePane::legend() const {
    return legend_->text();
}

QString RooflinePane::note() const {
    return note_->text();
}

}  // namespace ks::ui::lab
