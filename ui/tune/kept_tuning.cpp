#include "ui/tune/kept_tuning.h"

#include <QDir>
#include <QFile>
#include <QUrl>
#include <optional>
#include <utility>

#include "core/io/files/atomic_file.h"
#include "core/tune/tune_file.h"
#include "ui/base/jobs.h"
#include "ui/runs/unkept_work.h"

namespace ks::ui::tune {
namespace {

/// Ids of analyses have no hyphens; that of a variant of the user's can have any characters.
QString leafOf(const TuneReport& report) {
    const QByteArray variant = QUrl::toPercentEncoding(QString::fromStdString(report.plan.variant));
    return QStringLiteral("tuning-%1-%2.json")
        .arg(QString::fromStdString(report.plan.analysis), QString::fromLatin1(variant));
}

/// Of a tuning in progress.
QString partOf(const TuneReport& report) {
    QString leaf = leafOf(report);
    return leaf.insert(leaf.size() - 5, QStringLiteral(".part"));  // before ".json"
}

/// Result of a reading job.
struct Kept {
    std::vector<std::shared_ptr<const TuneReport>> reports;
    std::vector<Error> leftOut;
};

}  // namespace

KeptTuning::KeptTuning(Jobs& jobs, UnkeptWork& unkept, QObject* parent)
    : QObject(parent), jobs_(jobs), unkept_(unkept) {}

void KeptTuning::want() {
    if (folder_.isEmpty() || std::exchange(wanted_, true)) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept tuning"),
        [folder = folder_] {
            Kept kept;
            // Newest first unless reversed.
            for (const QString& leaf : QDir(folder).entryList({QStringLiteral("tuning*.json")}, QDir::Files,
                                                              QDir::Time | QDir::Reversed))
                try {
                    if (std::optional<TuneReport> read =
                            read_tuning(QDir(folder).filePath(leaf).toStdString()))
                        kept.reports.push_back(std::make_shared<const TuneReport>(std::move(*read)));
                } catch (const Error& error) {
                    kept.leftOut.push_back(error);
                }
            return kept;
        },
        [this](const Kept& kept) {
            std::vector<std::shared_ptr<const TuneReport>> older = kept.reports;
            std::erase_if(older, [this](const auto& one) { return written_.contains(leafOf(*one)); });
            if (!older.empty()) emit found(older);
            for (const Error& error : kept.leftOut)
                emit failed(Error(error.kind(), "a kept tuning is ignored: " + error.message(), error.where(),
                                  error.hint(), error.details()));
        });
}

void KeptTuning::write(const std::shared_ptr<const TuneReport>& report) {
    const QString part = partOf(*report);
    unkept_.remove(part);
    put(leafOf(*report), report, part);
    unkept_.writeNow();
}

void KeptTuning::writePart(const std::shared_ptr<const TuneReport>& report) {
    put(partOf(*report), report, {});
}

/// @param removed name of a file that is not needed any more; empty: none
void KeptTuning::put(const QString& leaf, const std::shared_ptr<const TuneReport>& report,
                     const QString& removed) {
    written_.insert(leafOf(*report));
    if (folder_.isEmpty()) return;
    const QString title = tr("the tuning of %1").arg(QString::fromStdString(report->plan.variant));
    unkept_.put(leaf, title, [leaf, removed, folder = folder_, report] {
        try {
            if (!QDir().mkpath(folder))
                throw Error(ErrorKind::input, "the folder for kept tunings cannot be created",
                            folder.toStdString());
            io::write_text(QDir(folder).filePath(leaf).toStdString(), tune_json(*report), true);
            if (!removed.isEmpty()) QFile::remove(QDir(folder).filePath(removed));
        } catch (const Error& error) {
            throw Error(error.kind(), "the tuning could not be kept: " + error.message(), error.where(),
                        error.hint(), error.details());
        }
    });
}

}  // namespace ks::ui::tune
