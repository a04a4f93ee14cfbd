#include "ui/tune/kept_tuning.h"

#include <QDir>
#include <QTimer>
#include <QUrl>
#include <optional>
#include <utility>

#include "core/io/files/atomic_file.h"
#include "core/tune/tune_file.h"
#include "ui/base/jobs.h"

namespace ks::ui::tune {
namespace {

constexpr int writeAfterMs = 2000;

/// Ids of analyses have no hyphens; that of a variant of the user's can have any characters.
QString leafOf(const TuneReport& report) {
    const QByteArray variant = QUrl::toPercentEncoding(QString::fromStdString(report.plan.variant));
    return QStringLiteral("tuning-%1-%2.json")
        .arg(QString::fromStdString(report.plan.analysis), QString::fromLatin1(variant));
}

/// Result of a reading job.
struct Kept {
    std::vector<std::shared_ptr<const TuneReport>> reports;
    std::vector<Error> leftOut;
};

}  // namespace

KeptTuning::KeptTuning(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs), later_(new QTimer(this)) {
    later_->setSingleShot(true);
    later_->setInterval(writeAfterMs);
    connect(later_, &QTimer::timeout, this, &KeptTuning::writeNow);
}

KeptTuning::~KeptTuning() {
    writeNow();
}

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

void KeptTuning::write(std::shared_ptr<const TuneReport> report) {
    const QString leaf = leafOf(*report);
    written_.insert(leaf);
    std::erase_if(waiting_, [&](const auto& one) { return one.first == leaf; });
    waiting_.emplace_back(leaf, std::move(report));
    if (!later_->isActive()) later_->start();
}

void KeptTuning::writeNow() {
    const auto waiting = std::exchange(waiting_, {});
    if (waiting.empty() || folder_.isEmpty()) return;
    try {
        if (!QDir().mkpath(folder_))
            throw Error(ErrorKind::input, "the folder for kept tunings cannot be created",
                        folder_.toStdString());
        for (const auto& [leaf, report] : waiting)
            io::write_text(QDir(folder_).filePath(leaf).toStdString(), tune_json(*report), true);
    } catch (const Error& error) {
        emit failed(Error(error.kind(), "the tuning could not be kept: " + error.message(), error.where(),
                          error.hint(), error.details()));
    }
}

}  // namespace ks::ui::tune
