#include "ui/runs/desk.h"

#include <utility>

namespace ks::ui {

Desk::Desk(std::shared_ptr<const Registry> registry) : registry_(std::move(registry)) {}

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

void Desk::setOpenRequests(std::vector<OpenRequest> open) {
    open_ = std::move(open);
    emit openRequestsChanged();
}

}  // namespace ks::ui
