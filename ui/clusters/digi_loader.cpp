#include "ui/clusters/digi_loader.h"

#include <algorithm>
#include <unordered_set>

#include "core/io/digis/digi_file.h"
#include "core/run/host_backend.h"

namespace ks::ui::clusters {
namespace {

using ks::clusters::DetectorLayout;
using ks::clusters::layout_named;
using ks::clusters::ModuleDigis;

/// A tracker has hits in many modules; a few modules with small IDs may be anything.
constexpr std::size_t manyModules = 100;
constexpr std::uint32_t nearEdge = 4;  ///< pixels: a module with many hits has some this close to its edge

bool fits(const DetectorLayout& layout, std::uint32_t lastX, std::uint32_t lastY, std::uint64_t lastModule) {
    return lastX < layout.extent_x && lastY < layout.extent_y &&
           (!layout.fixed() || lastModule < layout.modules);
}

}  // namespace

const DetectorLayout& likelyLayout(const DigiTable& digis) {
    const DetectorLayout &phase1 = layout_named("phase1"), &timepix = layout_named("timepix");
    std::unordered_set<std::uint64_t> modules;
    std::uint32_t lastX = 0, lastY = 0;
    std::uint64_t lastModule = 0;
    for (std::size_t row = 0; row < digis.size(); ++row) {
        const std::uint64_t module = digis.module_id(row);
        if (phase1.is_invalid(module)) continue;
        modules.insert(module);
        lastModule = std::max(lastModule, module);
        lastX = std::max<std::uint32_t>(lastX, digis.x[row]);
        lastY = std::max<std::uint32_t>(lastY, digis.y[row]);
    }
    const bool toTheEdge = lastX + nearEdge >= phase1.extent_x && lastY + nearEdge >= phase1.extent_y;
    if ((modules.size() >= manyModules || toTheEdge) && fits(phase1, lastX, lastY, lastModule)) return phase1;
    // In any frame worth looking at, there are hits in the far half of the chip.
    if (std::max(lastX, lastY) >= timepix.extent_x / 2 && fits(timepix, lastX, lastY, lastModule))
        return timepix;
    return layout_named("free");
}

std::shared_ptr<const DigiSet> readDigiSet(const std::string& name, const std::string& layout) {
    Progress progress;
    io::DigiLimits limits;
    if (!layout.empty()) {
        const DetectorLayout& known = layout_named(layout);
        limits = {known.modules, known.extent_x, known.extent_y, known.invalid_ids};
    }
    DigiTable table = io::read_digis(name, limits, progress).digis;
    const DetectorLayout& shown = layout.empty() ? likelyLayout(table) : layout_named(layout);
    return std::make_shared<const DigiSet>(
        std::make_shared<const ModuleDigis>(std::move(table), shown, name));
}

std::shared_ptr<const DigiSet> inLayout(const DigiSet& digis, const std::string& layout) {
    return std::make_shared<const DigiSet>(std::make_shared<const ModuleDigis>(
        digis.digis().table(), layout_named(layout), digis.digis().name()));
}

ShownRun shownRun(const std::shared_ptr<const Run>& run, int number,
                  const std::shared_ptr<const DigiSet>& digis) {
    ShownRun shown{std::make_shared<const RunClusters>(run, number, digis), nullptr};
    const auto& parameters = run->request.parameters;
    const DetectorLayout& layout = layout_named(text(parameters, "layout"));
    ks::clusters::ClusterSettings settings = ks::clusters::settings_from(parameters, layout);
    if (settings.charge_cuts.empty()) return shown;
    settings.charge_cuts.clear();
    settings.record = {};
    const auto inItsLayout = layout.id == digis->layout().id ? digis : inLayout(*digis, layout.id);
    const ks::clusters::ClusterProblem problem(inItsLayout->shared(), settings);
    Progress progress;
    std::vector<Timing> timings;
    HostContext context{run->request, progress, timings, 2, std::uint64_t{1} << 32};
    shown.uncut = std::make_shared<const std::vector<ks::clusters::Cluster>>(
        ks::clusters::clusters_of(ks::clusters::run_union_find(problem, context)));
    return shown;
}

}  // namespace ks::ui::clusters
