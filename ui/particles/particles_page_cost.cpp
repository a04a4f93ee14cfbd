// Cost of a run against N.

#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/source_set.h"
#include "ui/particles/sum_form.h"

namespace ks::ui::particles {

CostPanel* ParticlesPage::makeCost() {
    auto* made = new CostPanel([this] { return costProblem(); });
    connect(made, &CostPanel::wanted, this, &Page::sweepWanted);
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

void ParticlesPage::setOffers(const std::vector<Offer>& offers) {
    cost_->setOffers(offers);
}

void ParticlesPage::setVariant(const Variant* next) {
    cost_->setVariant(next);
}

void ParticlesPage::setSweeping(bool running) {
    cost_->setRunning(running);
}

void ParticlesPage::addSweepRow(std::size_t, const ParameterSet& sizes, const BenchRow& row) {
    cost_->addRow(sizes, row);
}

void ParticlesPage::setSweep(const BenchReport& report) {
    cost_->setReport(report);
}

}  // namespace ks::ui::particles
