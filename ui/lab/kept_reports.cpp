#include "ui/lab/kept_reports.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/data/short_number.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"
#include "core/run/bench_baseline.h"
#include "ui/base/jobs.h"
#include "ui/runs/unkept_work.h"

namespace ks::ui::lab {
namespace {

constexpr std::size_t mostBytes = 64U << 20;  ///< of a report, which the next start reads

/// Beginning of the names of an analysis' files. Ids of analyses have no hyphens.
QString beginOf(const std::string& analysis) {
    return QStringLiteral("lab-%1-").arg(QString::fromStdString(analysis));
}

QString leafOf(const std::string& analysis, std::size_t device) {
    return QStringLiteral("%1%2.json").arg(beginOf(analysis)).arg(device + 1);
}

QStringList leavesOf(const QString& folder, const std::string& analysis) {
    return QDir(folder).entryList({beginOf(analysis) + QStringLiteral("*.json")}, QDir::Files, QDir::Name);
}

void removeAll(const QString& folder, const std::string& analysis, const std::set<QString>& but = {}) {
    for (const QString& leaf : leavesOf(folder, analysis))
        if (!but.contains(leaf)) QFile::remove(QDir(folder).filePath(leaf));
}

/// Result of a reading job.
struct Kept {
    std::vector<std::shared_ptr<Compared>> reports;
    std::vector<Error> leftOut;
};

std::shared_ptr<Compared> readKept(const QString& file, const std::string& analysis,
                                   const Registry& registry) {
    std::shared_ptr<Compared> read = readReport(file.toStdString(), registry);
    if (read->report.plan.analysis != analysis)
        throw Error(ErrorKind::input,
                    "expected a measurement of " + analysis + ", found one of " + read->report.plan.analysis,
                    file.toStdString());
    read->kept = std::exchange(read->file, {});
    read->keptText = std::make_shared<const std::string>(
        io::small_text(file.toStdString(), "a benchmark report", io::largest_report));
    return read;
}

BenchReport reportOf(const BenchBaseline& kept) {
    BenchReport report;
    report.plan.analysis = kept.analysis;
    report.plan.from = bench_from_named(kept.from);
    report.plan.defines = kept.defines;
    report.device = kept.device;
    report.host = kept.host.value_or(DeviceInfo());
    report.started = kept.started;
    report.version = kept.version;
    for (const BenchBaseline::Point& point : kept.points)
        report.points.push_back({parameter_set_from(point.sizes), point.rows});
    return report;
}

/// @param own files of the same measurement; the first device's removes all others
void writeReport(const Compared& measured, std::size_t device, const QString& folder,
                 const std::set<QString>& own) {
    const BenchReport& report = measured.report;
    try {
        if (!QDir().mkpath(folder))
            throw Error(ErrorKind::input, "the folder for kept measurements cannot be created",
                        folder.toStdString());
        const QString leaf = leafOf(report.plan.analysis, device);
        // A report that was read may lack parts of its file.
        const std::string text = measured.keptText ? *measured.keptText : bench_text(report);
        if (text.size() > mostBytes)
            throw Error(ErrorKind::input,
                        "its report is " + std::to_string(text.size() >> 20) +
                            " MiB long, more than the limit of " + std::to_string(mostBytes >> 20) +
                            " MiB for kept reports",
                        {}, "save the report to a file with \"Save report\"");
        io::write_text(QDir(folder).filePath(leaf).toStdString(), text, true);
        // By name: times of files are those of a clock that may lag behind the clock of the process.
        if (device == 0) removeAll(folder, report.plan.analysis, own);
    } catch (const Error& error) {
        throw Error(error.kind(), "the measurement could not be kept: " + error.message(), error.where(),
                    error.hint(), error.details());
    }
}

/// A size outside the range of the benchmark is that of no measurement.
void requireSizes(const BenchPoint& point, const std::vector<ParameterSpec>& specs) {
    for (const auto& [id, value] : point.sizes) {
        const auto spec = std::ranges::find(specs, id, &ParameterSpec::id);
        if (spec == specs.end() || !spec->minimum) continue;
        const auto* const count = std::get_if<std::int64_t>(&value);
        const auto* const real = std::get_if<double>(&value);
        const double number = count ? static_cast<double>(*count) : real ? *real : *spec->minimum;
        if (!(number >= *spec->minimum) || !std::isfinite(number))
            throw Error(ErrorKind::input, "sizes." + id + ": expected at least " +
                                              short_number(*spec->minimum) + ", found " + to_text(value));
    }
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

KeptReports::KeptReports(Jobs& jobs, UnkeptWork& unkept, std::shared_ptr<const Registry> registry,
                         QObject* parent)
    : QObject(parent), jobs_(jobs), unkept_(unkept), registry_(std::move(registry)) {}

void KeptReports::setFolder(const QString& folder) {
    folder_ = folder;
    wanted_.clear();
}

void KeptReports::want(const std::string& analysis) {
    if (folder_.isEmpty() || !wanted_.insert(analysis).second) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [analysis, folder = folder_, registry = registry_] {
            Kept kept;
            for (const QString& leaf : leavesOf(folder, analysis)) try {
                    kept.reports.push_back(readKept(QDir(folder).filePath(leaf), analysis, *registry));
                } catch (const Error& error) {
                    kept.leftOut.push_back(error);
                }
            return kept;
        },
        [this](const Kept& kept) {
            for (const auto& report : kept.reports) emit found(report);
            for (const Error& error : kept.leftOut)
                emit failed(Error(error.kind(), "a kept Lab measurement is ignored: " + error.message(),
                                  error.where(), error.hint(), error.details()));
        });
}

void KeptReports::write(const std::shared_ptr<const Compared>& measured, std::size_t device) {
    if (folder_.isEmpty()) return;
    const std::string& analysis = measured->report.plan.analysis;
    wanted_.insert(analysis);
    const QString leaf = leafOf(analysis, device);
    std::shared_ptr<std::set<QString>>& own = own_[analysis];
    if (device == 0 || !own) {
        own = std::make_shared<std::set<QString>>();
        unkept_.removeAll(beginOf(analysis));  // of an earlier measurement
    }
    own->insert(leaf);
    const QString title =
        tr("the measurement of %1").arg(QString::fromStdString(registry_->analysis(analysis).info().title));
    unkept_.remove(leaf);
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [measured, device, folder = folder_, sofar = *own] {
            writeReport(*measured, device, folder, sofar);
            return 0;
        },
        // Also one that failed before this one was asked for, and was reported since.
        [this, leaf](int) { unkept_.remove(leaf); },
        [this, measured, device, folder = folder_, own, leaf, title](const Error& error) {
            if (own_[measured->report.plan.analysis] != own) return;  // another measurement has its place
            // Further devices' files may be there by the next attempt.
            unkept_.put(
                leaf, title,
                [measured, device, folder, own] { writeReport(*measured, device, folder, *own); }, error);
        });
}

void KeptReports::clear(const std::string& analysis) {
    if (folder_.isEmpty()) return;
    unkept_.removeAll(beginOf(analysis));
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [analysis, folder = folder_] {
            removeAll(folder, analysis);
            return 0;
        },
        [](int) {});
}

std::shared_ptr<Compared> readReport(const std::string& path, const Registry& registry) {
    const BenchBaseline kept = BenchBaseline::read(path);
    try {
        auto read = std::make_shared<Compared>(Compared{reportOf(kept), QString::fromStdString(path), true});
        registry.analysis(read->report.plan.analysis);  // that this program has it
        const std::vector<ParameterSpec>& specs =
            registry.analysis(read->report.plan.analysis).info().benchmark;
        for (const BenchPoint& point : read->report.points) requireSizes(point, specs);
        completeSizes(read->report, registry);
        return read;
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "this benchmark file is damaged: " + error.message(), path);
    }
}

}  // namespace ks::ui::lab
