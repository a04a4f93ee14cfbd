#include <algorithm>
#include <utility>

#include "ui/lab/comparison.h"
#include "ui/lab/lab_tabs.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/size_plots.h"

namespace ks::ui::lab {
namespace {

void showSizes(const LabView& view, SizePlots& plots) {
    std::vector<BenchPoint> points;
    // Benchmarks with one point each show no growth, even if their points differ.
    const auto grows = [](const auto& one) { return !varied_sizes(one->report.points).empty(); };
    if (std::ranges::any_of(view.all, grows))
        for (const auto& one : view.all)
            for (BenchPoint point : one->report.points) {
                for (BenchRow& row : point.rows) {
                    row.variant.id = variantText(*one, row, view.texts).toStdString();
                    if (view.all.size() > 1) row.variant.id += ", " + one->nameWhere(row).toStdString();
                }
                points.push_back(std::move(point));
            }
    plots.setEmptyText(
        QObject::tr("Enter several values for a size, such as 256, 512, 1024, then press Run (F5) to see how "
                    "the times grow"));
    plots.setPoints(points, view.sizes);
}

}  // namespace

LabTab sizesTab(const LabParts&) {
    auto* plots = new SizePlots;
    return {
        {QObject::tr("Sizes"),
         QObject::tr("Kernel time against the size for which several values were entered, with the slope of "
                     "each variant"),
         plots,
         {{QObject::tr("Time against size"), &plots->times(), QStringLiteral("sizes")},
          {QObject::tr("Rate against size"), &plots->rates(), QStringLiteral("rates")}}},
        [plots](const LabView& view) { showSizes(view, *plots); },
        true};
}

}  // namespace ks::ui::lab
