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

/// What the plots take from a run.
struct RunSpots {
    QString name;        ///< "run 7", or "preview"
    bool wrong = false;  ///< its check failed: it is named also where it stands alone
    std::vector<ks::spots::Spot> spots;
    QVector<double> frame, signal, count, sum, resolution;  ///< a value a frame; NaN: missing or unknown
};
/// Nothing where the run has no whole table of spots and frames.
std::optional<RunSpots> runSpots(const RunRow& row);

}  // namespace ks::ui::spots
