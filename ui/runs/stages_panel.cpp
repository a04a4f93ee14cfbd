#include "ui/runs/stages_panel.h"

#include "core/run/user/shown_variant.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

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
