#include "ui/lab/kept_reports.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include "core/io/files/atomic_file.h"
#include "core/run/bench_baseline.h"
#include "ui/base/jobs.h"
#include "ui/lab/report_file.h"

namespace ks::ui::lab {
namespace {

QString leafOf(const std::string& analysis, std::size_t device) {
    return QStringLiteral("lab-%1-%2.json").arg(QString::fromStdString(analysis)).arg(device + 1);
}

QStringList leavesOf(const QString& folder, const std::string& analysis) {
    return QDir(folder).entryList({QStringLiteral("lab-%1-*.json").arg(QString::fromStdString(analysis))},
                                  QDir::Files, QDir::Name);
}

void removeAll(const QString& folder, const std::string& analysis, const QString& but = {}) {
    for (const QString& leaf : leavesOf(folder, analysis))
        if (leaf != but) QFile::remove(QDir(folder).filePath(leaf));
}

std::shared_ptr<Compared> readKept(const QString& file, const std::string& analysis,
                                   const Registry& registry) {
    std::shared_ptr<Compared> read = readReport(file.toStdString(), registry);
    if (read->report.plan.analysis != analysis)
        throw Error(ErrorKind::input,
                    "expected a measurement of " + analysis + ", found one of " + read->report.plan.analysis,
                    file.toStdString());
    read->kept = std::exchange(read->file, {});
    return read;
}

}  // namespace

KeptReports::KeptReports(Jobs& jobs, std::shared_ptr<const Registry> registry, QObject* parent)
    : QObject(parent), jobs_(jobs), registry_(std::move(registry)) {}

void KeptReports::open(const QString& folder) {
    folder_ = folder;
    static const QRegularExpression name(QStringLiteral("^lab-(\\w+)-\\d+\\.json$"));
    for (const QString& leaf : leavesOf(folder, "*"))
        if (const auto match = name.match(leaf); match.hasMatch())
            read(QDir(folder).filePath(leaf), match.captured(1));
}

void KeptReports::read(const QString& file, const QString& analysis) {
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [file, analysis = analysis.toStdString(), registry = registry_] {
            return readKept(file, analysis, *registry);
        },
        [this](const std::shared_ptr<Compared>& read) { emit found(read); },
        [this](const Error& error) {
            emit failed(Error(error.kind(), "a measurement that the Lab kept is left out: " + error.message(),
                              error.where()));
        });
}

void KeptReports::write(const BenchReport& report, std::size_t device) {
    if (folder_.isEmpty()) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [report, device, folder = folder_] {
            if (!QDir().mkpath(folder))
                throw Error(ErrorKind::input, "the folder of kept measurements cannot be made",
                            folder.toStdString());
            const QString leaf = leafOf(report.plan.analysis, device);
            io::write_text(QDir(folder).filePath(leaf).toStdString(), bench_text(report), true);
            // Those of further devices come after it.
            if (device == 0) removeAll(folder, report.plan.analysis, leaf);
            return 0;
        },
        [](int) {},
        [this](const Error& error) {
            emit failed(
                Error(error.kind(), "the measurement could not be kept: " + error.message(), error.where()));
        });
}

void KeptReports::clear(const std::string& analysis) {
    if (folder_.isEmpty()) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept measurement %1").arg(++job_),
        [analysis, folder = folder_] {
            removeAll(folder, analysis);
            return 0;
        },
        [](int) {});
}

}  // namespace ks::ui::lab
