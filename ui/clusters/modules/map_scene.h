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

/// What a map of a module shows. Lengths are in pixels (x, y) of the module.
struct MapScene {
    std::shared_ptr<const ModuleViewData> data;  ///< null: nothing
    std::vector<QRgb> colours;  ///< [digi]; of several digis of a pixel, that of the first is drawn
    std::vector<QLineF> outlines,
        others;  ///< outlines of clusters; dashed outlines of another run's clusters
    std::vector<QPointF> centroids;
    std::vector<std::uint32_t> marked;              ///< digis drawn with a rim
    std::vector<QLineF> arrows;                     ///< from the centre of one pixel to that of another
    std::function<QString(std::size_t digi)> text;  ///< drawn in pixels that are large enough
    /// Next to the map: a scale, or words for colours.
    std::optional<ColourScale> scale;
    QString scaleTitle;
    std::vector<std::pair<QRgb, QString>> words;
};

/// The digis with the clusters of a run.
MapScene clusterScene(std::shared_ptr<const ModuleViewData> data, Colouring colouring, const ColourMap& map,
                      bool dark);
/// Labels after a round of the published loop; digis changed by the round have a rim. Data and trace must be
/// of the same slot.
MapScene roundScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t round,
                    bool dark);
/// Union-find after a step: colours give the depth of a digi, arrows point to its parent.
MapScene treeScene(std::shared_ptr<const ModuleViewData> data, const StepTrace& trace, std::size_t step,
                   const ColourMap& map, bool dark);

}  // namespace ks::ui::clusters
