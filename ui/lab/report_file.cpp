#include "ui/lab/report_file.h"

#include "core/base/error.h"
#include "core/run/bench_baseline.h"

namespace ks::ui::lab {
namespace {

BenchReport reportOf(const BenchBaseline& kept) {
    BenchReport report;
    report.plan.analysis = kept.analysis;
    report.plan.from = bench_from_named(kept.from);
    report.plan.defines = kept.defines;
    report.device = kept.device;
    report.started = kept.started;
    report.version = kept.version;
    for (const BenchBaseline::Point& point : kept.points)
        report.points.push_back({parameter_set_from(point.sizes), point.rows});
    return report;
}

/// Files of earlier versions lack newer sizes, which then have their defaults: the same problem is recognised
/// as the same.
void completeSizes(BenchReport& report, const Registry& registry) {
    for (BenchPoint& point : report.points) try {
            point.sizes = registry.analysis(report.plan.analysis).benchmark_sizes(point.sizes);
        } catch (const Error&) {
            // Parameters and inputs of data that were open on a page are not sizes of a benchmark.
        }
}

}  // namespace

std::shared_ptr<Compared> readReport(const std::string& path, const Registry& registry) {
    const BenchBaseline kept = BenchBaseline::read(path);
    try {
        auto read = std::make_shared<Compared>(Compared{reportOf(kept), QString::fromStdString(path), true});
        registry.analysis(read->report.plan.analysis);  // that this program has it
        completeSizes(read->report, registry);
        return read;
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "this benchmark file is damaged: " + error.message(), path);
    }
}

}  // namespace ks::ui::lab
