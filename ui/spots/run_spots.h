#pragma once

#include <QVector>
#include <optional>
#include <vector>

#include "core/spots/spot.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui::spots {

/// What the plots need of a run.
struct RunSpots {
    QString name;        ///< "run 7", or "preview"
    bool wrong = false;  ///< its check failed: then it is named even if it is the only run
    std::vector<ks::spots::Spot> spots;
    QVector<double> frame, signal, count, sum, resolution;  ///< one value per frame; NaN: missing or unknown
};
/// nullopt if the run has no complete table of spots and frames.
std::optional<RunSpots> runSpots(const RunRow& row);

/// "1 spot", "2,912 spots".
QString spotsText(std::size_t n);

}  // namespace ks::ui::spots
