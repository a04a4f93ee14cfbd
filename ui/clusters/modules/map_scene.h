#pragma once

#include <QLineF>
#include <QPointF>
#include <QRgb>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/clusters/modules/module_view_data.h"
#include "ui/clusters/steps/step_trace.h"

namespace ks::ui::clusters {

enum class Colouring { charge, cluster, status };

/// What a map of a module shows; lengths are pixels (x, y) of the module.
struct MapScene {
    std::shared_ptr<const ModuleViewData> data;  ///< null: nothing
    std::vector<QRgb> colours;                   ///< [digi]
    std::vector<QLineF> outlines, others;        ///< of clusters; of those of another run, dashed
    std::vector<QPointF> centroids;
    std::vector<std::uint32_t> marked;              ///< digis with a rim
    std::vector<QLineF> arrows;                     ///< from the middle of a pixel to that of another
    std::function<QString(std::size_t digi)> text;  ///< in a pixel that is large enough
    /// Beside the map: a scale, or words for colours.
    std::optional<ColourScale> scale;
    QString scaleTitle;
    std::vector<std::pair<QRgb, QString>> words;
};

/// The digis with the clusters of a run.
MapScene clusterScene(std::shared_ptr<const ModuleViewData> data, Colouring colouring, const ColourMap& map,
                      bool dark);
/// Labels after a round of the published loop, digis that the round changed with a rim. Data and trace are of
/// one slot.
MapScene roundScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t round,
                    bool dark);
/// Union-find after a step: colours say how many parents are above a digi, arrows point at the parent.
MapScene treeScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t step,
                   const ColourMap& map, bool dark);

}  // namespace ks::ui::clusters
