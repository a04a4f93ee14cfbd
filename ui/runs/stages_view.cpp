#include "ui/runs/stages_view.h"

#include <QCheckBox>
#include <QScrollArea>

#include "core/run/user/shown_variant.h"
#include "ui/base/layouts.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

StagesView::StagesView(const QString& name, QWidget* parent) : QWidget(parent), timing_(new TimingPlot) {
    timing_->setEmptyText(name);
    timing_->setAccessibleName(name);
    auto* kernelsOnly = new QCheckBox(tr("&Kernels only"));
    kernelsOnly->setObjectName(QStringLiteral("kernelsOnly"));
    kernelsOnly->setToolTip(tr("Hide the times of reading, transfers and work on the host"));
    connect(kernelsOnly, &QCheckBox::toggled, timing_, &TimingPlot::setKernelsOnly);
    connect(timing_, &TimingPlot::kernelsOnlyChanged, kernelsOnly, &QCheckBox::setChecked);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(timing_);
    setLayout(inRows({kernelsOnly, {scroll, 1}}, 2));
}

StagesPanel::StagesPanel(RunTableModel& runs, QWidget* parent)
    : StagesView(tr("Stages of the ticked runs"), parent), runs_(runs) {
    connect(&runs_, &RunTableModel::tickedChanged, this, &StagesPanel::showTicked);
    showTicked();
}

void StagesPanel::showTicked() {
    QVector<TimingSeries> series;
    for (const RunRow& row : runs_.ticked(runs_.analysis())) {
        QStringList devices;
        for (const DeviceShare& share : row.run->devices) devices << QString::fromStdString(share.label);
        const QString name =
            QStringLiteral("%1  %2").arg(row.number).arg(QString::fromStdString(shown_variant(*row.run)));
        series.push_back({isWrong(row) ? tr("%1 (wrong)").arg(name) : name, row.run->timings,
                          row.run->wall_nanoseconds, devices});
    }
    timing().setRuns(series);
}

}  // namespace ks::ui
