// Cost of a run against N.

#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/source_set.h"
#include "ui/particles/sum_form.h"

namespace ks::ui::particles {

CostPanel* ParticlesPage::makeCost() {
    auto* made = new CostPanel([this] { return costProblem(); });
    auto* sweep = new Sweep(this);
    connect(made, &CostPanel::wanted, sweep,
            [this, sweep](const std::vector<BenchPlan>& plans) { context_.desk->sweep(*sweep, plans); });
    connect(sweep, &Sweep::changed, made, &CostPanel::setRunning);
    connect(
        sweep, &Sweep::rowDone, made,
        [made](std::size_t, const ParameterSet& sizes, const BenchRow& row) { made->addRow(sizes, row); });
    connect(sweep, &Sweep::ready, made, &CostPanel::setReport);
    connect(context_.desk.get(), &Desk::offered, made,
            [this, made](const QString& of, const std::vector<Offer>& offers, const Variant* next) {
                if (of != analysis()) return;
                made->setOffers(offers);
                made->setVariant(next);
            });
    connect(made, &CostPanel::cancelled, this, &Page::cancelWanted);
    connect(made, &CostPanel::failed, this, &Page::failed);
    connect(&made->plot(), &CurvePlot::pointHovered, this, &Page::cursorMoved);
    return made;
}

SizeLists ParticlesPage::costProblem() const {
    ParameterSet own;
    form_->fill(own);
    const double extent = sources_ ? sources_->extent() : 1;
    SizeLists sizes;
    sizes["kernel"] = {own.at("kernel")};
    sizes["sigma"] = {real(own, "sigma") / extent};
    sizes["wavenumber"] = {real(own, "wavenumber") * extent};
    const bool isComplex = sources_ && sources_->points().is_complex();
    sizes["weights"] = {std::string(isComplex ? "complex" : "signed")};
    if (sources_) sizes["vectors"] = {static_cast<std::int64_t>(sources_->points().n_vectors())};
    for (const char* ofWindow : {"precision", "gradient", "tolerance"}) sizes[ofWindow] = {};
    return sizes;
}

}  // namespace ks::ui::particles
