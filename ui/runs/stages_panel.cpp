#include "ui/runs/stages_panel.h"

#include <QCheckBox>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/runs/run_table_model.h"

namespace ks::ui {

StagesPanel::StagesPanel(RunTableModel& runs, QWidget* parent)
    : QWidget(parent), runs_(runs), timing_(new TimingPlot) {
    timing_->setEmptyText(tr("Stages of the ticked runs"));
    timing_->setAccessibleName(tr("Stages of the ticked runs"));
    auto* kernelsOnly = new QCheckBox(tr("&Kernels only"));
    kernelsOnly->setObjectName(QStringLiteral("kernelsOnly"));
    kernelsOnly->setToolTip(tr("Leave out reading, transfers and what the host does"));
    connect(kernelsOnly, &QCheckBox::toggled, timing_, &TimingPlot::setKernelsOnly);
    connect(timing_, &TimingPlot::kernelsOnlyChanged, kernelsOnly, &QCheckBox::setChecked);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(kernelsOnly);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(timing_);
    all->addWidget(scroll, 1);
    connect(&runs_, &RunTableModel::tickedChanged, this, &StagesPanel::showTicked);
    showTicked();
}

void StagesPanel::showTicked() {
    QVector<TimingSeries> series;
    for (const RunRow& row : runs_.ticked(runs_.analysis()))
        series.push_back(
            {QStringLiteral("%1  %2").arg(row.number).arg(QString::fromStdString(row.run->variant.id)),
             row.run->timings, row.run->wall_nanoseconds});
    timing_->setRuns(series);
}

}  // namespace ks::ui
