#include "ui/plots/export_plot.h"

#include "ui/plots/figure_export.h"

namespace ks::ui {

void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite) {
    exportFigure(plot, path, overwrite, {}, {});
}

}  // namespace ks::ui
