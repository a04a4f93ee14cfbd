#include "ui/tune/kept_tuning.h"

#include <QDir>
#include <QTimer>
#include <optional>
#include <utility>

#include "core/io/files/atomic_file.h"
#include "core/tune/tune_file.h"
#include "ui/base/jobs.h"

namespace ks::ui::tune {
namespace {

constexpr int writeAfterMs = 2000;

}  // namespace

KeptTuning::KeptTuning(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs), later_(new QTimer(this)) {
    later_->setSingleShot(true);
    later_->setInterval(writeAfterMs);
    connect(later_, &QTimer::timeout, this, &KeptTuning::writeNow);
}

KeptTuning::~KeptTuning() {
    writeNow();
}

std::string KeptTuning::file() const {
    return QDir(folder_).filePath(QStringLiteral("tuning.json")).toStdString();
}

void KeptTuning::want() {
    if (folder_.isEmpty() || std::exchange(wanted_, true)) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("kept tuning"),
        [file = file()] {
            std::optional<TuneReport> read = read_tuning(file);
            return read ? std::make_shared<const TuneReport>(std::move(*read)) : nullptr;
        },
        [this](const std::shared_ptr<const TuneReport>& read) {
            if (read && !waiting_) emit found(read);
        },
        [this](const Error& error) {
            emit failed(Error(error.kind(), "a kept tuning is ignored: " + error.message(), error.where(),
                              error.hint(), error.details()));
        });
}

void KeptTuning::write(std::shared_ptr<const TuneReport> report) {
    wanted_ = true;  // the file is older than that
    waiting_ = std::move(report);
    if (!later_->isActive()) later_->start();
}

void KeptTuning::writeNow() {
    const auto report = std::exchange(waiting_, nullptr);
    if (!report || folder_.isEmpty()) return;
    try {
        if (!QDir().mkpath(folder_))
            throw Error(ErrorKind::input, "the folder for kept tunings cannot be created",
                        folder_.toStdString());
        io::write_text(file(), tune_json(*report), true);
    } catch (const Error& error) {
        emit failed(Error(error.kind(), "the tuning could not be kept: " + error.message(), error.where(),
                          error.hint(), error.details()));
    }
}

}  // namespace ks::ui::tune
