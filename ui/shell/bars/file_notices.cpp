#include "ui/shell/bars/file_notices.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include "core/io/series/series.h"
#include "ui/base/jobs.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/file_session.h"

namespace ks::ui {
namespace {

const QString missingNotice = QStringLiteral("missing frames"),
              changedNotice = QStringLiteral("changed on disk");

struct Missing {
    std::size_t frames = 0, looked = 0;
};

/// Frames without values in the file, among the first ones, as many as can be examined in a second.
Missing missingOf(const FrameSource& source) {
    constexpr qint64 longest = 1000;
    QElapsedTimer since;
    since.start();
    Missing found;
    for (; found.looked < source.frames() && !since.hasExpired(longest); ++found.looked)
        found.frames += source.written(found.looked) ? 0 : 1;
    return found;
}

}  // namespace

FileNotices::FileNotices(FileSession& files, Jobs& jobs, NoticeBar& notices, QObject* parent)
    : QObject(parent), files_(files), jobs_(jobs), notices_(notices) {
    connect(&files_, &FileSession::opened, this, &FileNotices::lookForMissing);
    connect(&files_, &FileSession::changedOnDisk, this, &FileNotices::showChanged);
    connect(&files_, &FileSession::restoredOnDisk, this, [this] { notices_.remove(changedNotice); });
    connect(&files_, &FileSession::fileChanged, this, [this] {
        for (const QString& id : {missingNotice, changedNotice}) notices_.remove(id);
    });
}

void FileNotices::lookForMissing() {
    const std::shared_ptr<FrameSource> frames = files_.file()->frames;
    if (!frames) return;
    jobs_.start(
        Jobs::Lane::files, this, missingNotice, [frames] { return missingOf(*frames); },
        [this, frames](const Missing& found) {
            if (!files_.file() || files_.file()->frames != frames || found.frames == 0) return;
            const bool all = found.looked == frames->frames();
            notices_.put({missingNotice,
                          (all ? tr("There are no data for %1 of %2 frames")
                               : tr("There are no data for %1 of the first %2 frames"))
                              .arg(found.frames)
                              .arg(found.looked),
                          {},
                          [] {}});
        },
        [](const Error&) {});  // whoever needs the frames reports what is wrong with them
}

void FileNotices::showChanged(const QString& changed) {
    const QString leaf = QFileInfo(changed).fileName();
    if (!io::is_there(changed.toStdString()))
        return notices_.put(
            {changedNotice,
             tr("%1 no longer exists on disk; its earlier contents are still shown").arg(leaf),
             {},
             [] {}});
    notices_.put(
        {changedNotice,
         tr("%1 changed on disk since it was opened; its earlier contents are still shown").arg(leaf),
         {{tr("Reopen"), [this] { files_.reopen(); }}},
         [] {}});
}

}  // namespace ks::ui
