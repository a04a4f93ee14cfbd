#include "ui/runs/desk.h"

#include <utility>

#include "ui/runs/run_table_model.h"

namespace ks::ui {

Desk::Desk(std::shared_ptr<const Registry> registry)
    : registry_(std::move(registry)), unkept_(new UnkeptWork(this)), textFaults_(new TextFaults(this)) {}

const std::vector<RunRow>& Desk::runs() const {
    static const std::vector<RunRow> none;
    return runs_ ? runs_->rows() : none;
}

void Desk::setCatalogue(const wire::Catalogue& catalogue) {
    catalogue_ = catalogue;
    emit catalogueChanged();
    emit ceilingsChanged();
}

void Desk::takeCeilings(const Ceilings& measured) {
    std::erase_if(catalogue_.ceilings, [&measured](const Ceilings& older) {
        return same_ceilings(older.device, measured.device);
    });
    catalogue_.ceilings.push_back(measured);
    emit ceilingsChanged();
}

void Desk::setMeasurable(bool now) {
    if (std::exchange(measurable_, now) != now) emit measurableChanged(now);
}

void Desk::setRuns(const RunTableModel& runs) {
    runs_ = &runs;
    connect(&runs, &RunTableModel::rowsInserted, this, &Desk::runsChanged);
    connect(&runs, &RunTableModel::rowsRemoved, this, &Desk::runsChanged);
    connect(&runs, &RunTableModel::dataChanged, this, &Desk::runsChanged);
    emit runsChanged();
}

void Desk::setOpenRequests(std::vector<OpenRequest> open) {
    open_ = std::move(open);
    emit openRequestsChanged();
}

}  // namespace ks::ui
