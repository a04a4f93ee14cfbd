#include "ui/lab/roofline_pane.h"

#include <QEvent>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/lab/lab_tabs.h"
#include "ui/lab/roofline.h"
#include "ui/lab/roofline_plot.h"

namespace ks::ui::lab {

RooflinePane::RooflinePane(Desk& desk, QWidget* parent)
    : QWidget(parent),
      desk_(desk),
      plot_(new RooflinePlot),
      legend_(named(new QLabel, tr("Colours of the devices"))),
      note_(named(new QLabel, tr("Not shown in the roofline"))),
      measure_(new QToolButton) {
    legend_->setObjectName(QStringLiteral("legend"));
    note_->setObjectName(QStringLiteral("note"));
    legend_->setTextFormat(Qt::RichText);
    legend_->setContentsMargins(8, 4, 8, 0);
    note_->setWordWrap(true);
    note_->setContentsMargins(8, 2, 8, 4);
    measure_->setText(tr("Measure ceilings"));
    measure_->setToolTip(
        tr("Measure the device's peak rates; this takes some seconds, and the results are kept"));
    connect(measure_, &QToolButton::clicked, this, [this] {
        if (lacking_) desk_.measureCeilings(*lacking_);
    });
    connect(&desk_, &Desk::measurableChanged, measure_, &QWidget::setEnabled);
    setLayout(inRows(
        {legend_, {plot_, 1}, inColumns({{note_, 1}, {measure_, 0, Qt::AlignTop}}, {}, {0, 0, 8, 2})}, 0));
}

void RooflinePane::show(const LabView& view) {
    const std::vector<Ceilings>& ceilings = desk_.catalogue().ceilings;
    QStringList notes;
    const Ceilings* known = nullptr;
    QStringList lacking;
    QString roofed;
    lacking_.reset();
    for (const Entry& entry : view.here) {
        const DeviceInfo& device = entry.of->report.device;
        if (device.index < 0 && entry.of->file.isEmpty()) continue;
        const QString name = QString::fromStdString(device.name);
        const Ceilings* found = find_ceilings(ceilings, device);
        if (!found && !lacking.contains(name)) lacking << name;
        if (!found && !lacking_ && entry.of->isNow()) lacking_ = device;
        if (found && !known) {
            known = found;
            roofed = name;
        }
    }
    QStringList leftOut;
    std::vector<RoofPoint> points = roofPoints(view, ceilings, leftOut);
    sources_.clear();
    for (const RoofPoint& one : points)
        if (std::ranges::find(sources_, one.source, &std::pair<QString, int>::first) == sources_.end())
            sources_.emplace_back(one.source, one.colour);
    showLegend();
    for (const RoofPoint& one : points) {
        if (!one.aboveRoofs.isEmpty()) notes << tr("Above the roofs: %1 (%2).").arg(one.name, one.aboveRoofs);
        if (!one.aboveMemory.isEmpty()) notes << tr("Above memory: %1 (%2).").arg(one.name, one.aboveMemory);
    }
    QStringList bases;
    for (const RoofPoint& one : points)
        if (!one.countsOf.isEmpty() && !bases.contains(one.countsOf)) {
            bases << one.countsOf;
            notes << countsMark +
                         tr(" Operations and bytes are assumed equal to those of %1.").arg(one.countsOf);
        }
    if (known) notes << tr("Roofs measured on %1.").arg(roofed);
    if (!lacking.isEmpty())
        notes << tr("No ceilings measured for %1.").arg(lacking.join(QStringLiteral(", ")));
    if (!leftOut.isEmpty()) notes << tr("Not shown: %1.").arg(leftOut.join(QStringLiteral("; ")));
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
    measure_->setVisible(lacking_.has_value());
    plot_->setEmptyText(
        view.here.empty()
            ? tr("Press Run (F5) to plot the variants; their kernels declare the operations and bytes")
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

LabTab rooflineTab(Desk& desk) {
    auto* pane = new RooflinePane(desk);
    const QString title = QObject::tr("Roofline");
    return {{title,
             QObject::tr("Operations per second against operations per byte, as declared by the kernels, "
                         "with the device's peak rates as a roof"),
             pane,
             {{title, &pane->plot(), QStringLiteral("roofline")}}},
            [pane](const LabView& view) { pane->show(view); }};
}

}  // namespace ks::ui::lab
