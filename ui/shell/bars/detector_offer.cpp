#include "ui/shell/bars/detector_offer.h"

#include <QFileInfo>
#include <QSettings>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ui/files/open_file.h"
#include "ui/image/mask/mask_state.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/file_session.h"

namespace ks::ui {
namespace {

const QString detectorNotice = QStringLiteral("same detector");

/// Whether pixels are ignored that the file's own mask does not ignore, or the other way round.
bool hasOwnMask(const SessionMask& mask) {
    const std::optional<MaskState> state = mask.keep();
    return state && (state->changed || (state->mask.size() > 0 && !state->ofFile));
}

}  // namespace

DetectorOffer::DetectorOffer(FileSession& files, SessionMask& mask, SessionGeometry& geometry,
                             QSettings& settings, NoticeBar& notices, QObject* parent)
    : QObject(parent),
      files_(files),
      mask_(mask),
      geometry_(geometry),
      settings_(settings),
      notices_(notices) {
    connect(&files_, &FileSession::fileComes, this, &DetectorOffer::remember);
    connect(&files_, &FileSession::fileChanged, this, [this] { notices_.remove(detectorNotice); });
    connect(&mask_.editor(), &RegionEditor::frameChanged, this, &DetectorOffer::compare,
            Qt::QueuedConnection);
    connect(&mask_, &SessionMask::settled, this, &DetectorOffer::compare, Qt::QueuedConnection);
}

void DetectorOffer::remember() {
    comes_ = true;
    const std::shared_ptr<const OpenFile>& file = geometry_.file();
    if (!file || !file->frames) return;
    Set now{file->path, file->frames->height(), file->frames->width(), {}, {}};
    const std::vector<std::uint8_t>* const drawn = mask_.drawn();
    if (mask_.file() == file && drawn != nullptr && hasOwnMask(mask_))
        now.mask = PixelMask{now.height, now.width, *drawn};
    if (geometry_.edited()) now.geometry = geometry_.geometry();
    if (now.mask || now.geometry) set_ = std::move(now);
}

void DetectorOffer::compare() {
    const std::shared_ptr<const OpenFile>& file = files_.file();
    // Only once the picture of the file is there, since what was drawn on it earlier comes back with it.
    if (!comes_ || !set_ || !file || !file->frames || geometry_.file() != file || mask_.file() != file ||
        mask_.drawn() == nullptr || mask_.awaited())
        return;
    comes_ = false;
    if (file->path == set_->path || file->frames->height() != set_->height ||
        file->frames->width() != set_->width)
        return;
    maskMissing_ = set_->mask && !hasOwnMask(mask_);
    geometryMissing_ = set_->geometry && !geometry_.edited() && geometry_.geometry() != *set_->geometry;
    if (!maskMissing_ && !geometryMissing_) return;
    if (settings_.value(detectorAlwaysKey, false).toBool()) return use();
    const QString before = QFileInfo(set_->path).fileName();
    const QString what = maskMissing_ && geometryMissing_ ? tr("mask and geometry")
                         : maskMissing_                   ? tr("mask")
                                                          : tr("geometry");
    notices_.put({detectorNotice,
                  tr("The frames of %1 have the same shape as those of %2")
                      .arg(QFileInfo(file->path).fileName(), before),
                  {{tr("Use %1 of %2").arg(what, before), [this] { use(); }},
                   {tr("Always"),
                    [this] {
                        settings_.setValue(detectorAlwaysKey, true);
                        use();
                    }}},
                  [] {}});
}

void DetectorOffer::use() {
    if (!set_) return;
    if (maskMissing_) mask_.editor().load(*set_->mask);
    if (geometryMissing_) geometry_.setGeometry(*set_->geometry, true);
    maskMissing_ = geometryMissing_ = false;
    notices_.remove(detectorNotice);
}

}  // namespace ks::ui
