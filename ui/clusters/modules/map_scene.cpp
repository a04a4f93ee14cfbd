#include "ui/clusters/modules/map_scene.h"

#include <algorithm>
#include <unordered_map>

#include <QCoreApplication>

#include "ui/clusters/digi_colours.h"

namespace ks::ui::clusters {
namespace {

constexpr std::uint32_t absent = 0xffffffff;
constexpr double fewDepths = 4;  ///< up to this depth the legend uses words, beyond it a scale

/// Without the darkest colours, which would be invisible on a dark ground.
QRgb depthColour(const ColourMap& map, const ColourScale& scale, double depth) {
    const double at = scale.position(depth);
    return map.at(scale.high > fewDepths ? at : 0.25 + 0.7 * at);
}

QPointF middle(const ModuleViewData::Digi& digi) {
    return {digi.x + 0.5, digi.y + 0.5};
}

/// [place], the digi in the view.
std::vector<std::uint32_t> digisOf(const ModuleViewData& data, const StepTrace& trace) {
    std::unordered_map<std::int64_t, std::uint32_t> byRow;
    for (std::size_t i = 0; i < data.digis.size(); ++i)
        byRow.emplace(data.digis[i].row, static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> digi(trace.size(), absent);
    for (std::size_t place = 0; place < trace.size(); ++place)
        if (const auto found = byRow.find(trace.row(place)); found != byRow.end())
            digi[place] = found->second;
    return digi;
}

}  // namespace

MapScene clusterScene(std::shared_ptr<const ModuleViewData> data, Colouring colouring, const ColourMap& map,
                      bool dark) {
    MapScene scene;
    if (!data) return scene;
    scene.data = data;
    const auto charges = std::make_shared<const std::vector<std::uint64_t>>(data->pixelCharges());
    if (colouring == Colouring::charge) {
        ColourScale scale;
        scale.automatic = false;
        scale.whole = true;
        scale.high =
            charges->empty()
                ? 1
                : std::max(1.0, static_cast<double>(*std::max_element(charges->begin(), charges->end())));
        scene.colours = coloursByCharge(*charges, map, scale);
        scene.scale = scale;
        scene.scaleTitle = QCoreApplication::translate("clusters", "adc");
    } else if (colouring == Colouring::cluster) {
        scene.colours = coloursByCluster(*data, dark);
    } else {
        scene.colours = coloursByStatus(*data, dark);
        for (const DigiStatus status : {DigiStatus::unclustered, DigiStatus::clustered, DigiStatus::duplicate,
                                        DigiStatus::cut, DigiStatus::invalid}) {
            const auto digis = std::count_if(data->digis.begin(), data->digis.end(),
                                             [status](const auto& digi) { return statusOf(digi) == status; });
            if (digis > 0)
                scene.words.emplace_back(statusColour(status, dark),
                                         QStringLiteral("%1: %2").arg(statusText(status)).arg(digis));
        }
    }
    scene.outlines = outlines(*data, data->clusterOf);
    for (const auto& cluster : data->clusters) scene.centroids.emplace_back(cluster.x, cluster.y);
    const bool charge = colouring == Colouring::charge;
    scene.text = [data, charges, charge](std::size_t digi) {
        const auto& one = data->digis[digi];
        return charge || one.label < 0 ? QString::number(qulonglong{(*charges)[digi]})
                                       : QString::number(one.label);
    };
    return scene;
}

MapScene roundScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t round,
                    bool dark) {
    MapScene scene;
    if (!data || !trace.hasLabels()) return scene;
    scene.data = data;
    const std::vector<std::uint32_t> digi = digisOf(*data, trace);
    const auto labels = trace.labels(round);
    scene.colours.assign(data->digis.size(), idleColour(dark));
    std::vector<std::uint32_t> group(data->digis.size(), ModuleViewData::noCluster);
    auto rows = std::make_shared<std::vector<std::int64_t>>(data->digis.size(), -1);
    for (std::size_t place = 0; place < digi.size(); ++place) {
        if (digi[place] == absent) continue;
        const auto label = static_cast<std::uint32_t>(labels[place]);
        scene.colours[digi[place]] = groupColour(label, dark);
        group[digi[place]] = label;
        (*rows)[digi[place]] = trace.row(label);
    }
    for (const std::uint32_t place : trace.changed(round))
        if (digi[place] != absent) scene.marked.push_back(digi[place]);
    scene.outlines = outlines(*data, group);
    // The label as shown to users: a row.
    scene.text = [rows](std::size_t i) { return (*rows)[i] < 0 ? QString() : QString::number((*rows)[i]); };
    return scene;
}

MapScene treeScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t step,
                   const ColourMap& map, bool dark) {
    MapScene scene;
    if (!data || !trace.hasParents()) return scene;
    scene.data = data;
    const std::vector<std::uint32_t> digi = digisOf(*data, trace);
    const auto parents = trace.parents(step);
    const auto depth = std::make_shared<const std::vector<std::uint32_t>>(trace.depths(step));
    ColourScale scale;
    scale.automatic = false;
    scale.whole = true;
    scale.high = depth->empty() ? 1 : std::max(1u, *std::max_element(depth->begin(), depth->end()));
    if (scale.high > fewDepths) {
        scene.scale = scale;
        scene.scaleTitle = QCoreApplication::translate("clusters", "depth");
    }
    for (int level = 0; scale.high <= fewDepths && level <= scale.high; ++level)
        scene.words.emplace_back(depthColour(map, scale, level),
                                 level == 0 ? QCoreApplication::translate("clusters", "root")
                                            : QCoreApplication::translate("clusters", "depth %1").arg(level));
    scene.colours.assign(data->digis.size(), idleColour(dark));
    auto depthOf = std::make_shared<std::vector<int>>(data->digis.size(), -1);
    for (std::size_t place = 0; place < digi.size(); ++place) {
        if (digi[place] == absent) continue;
        scene.colours[digi[place]] = depthColour(map, scale, (*depth)[place]);
        (*depthOf)[digi[place]] = static_cast<int>((*depth)[place]);
        const auto parent = static_cast<std::size_t>(parents[place]);
        if (parent != place && digi[parent] != absent)
            scene.arrows.emplace_back(middle(data->digis[digi[place]]), middle(data->digis[digi[parent]]));
    }
    scene.text = [depthOf](std::size_t i) {
        return (*depthOf)[i] < 0 ? QString() : QString::number((*depthOf)[i]);
    };
    return scene;
}

}  // namespace ks::ui::clusters
