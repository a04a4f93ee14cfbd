#pragma once

#include <QVector>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/spots/spot.h"
#include "ui/plots/histogram_bins.h"
#include "ui/plots/histogram_plot.h"
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

}  // namespace ks::ui::spots
