#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>

#include "core/data/geometry.h"
#include "core/data/pixel_mask.h"

class QSettings;

namespace ks::ui {

class FileSession;
class NoticeBar;
class SessionGeometry;
class SessionMask;

/// Whether the next file of the same detector gets mask and geometry without a question.
inline constexpr const char* detectorAlwaysKey = "detector/always";

/// A mask and a geometry belong to a detector: if the user has drawn a mask or changed the geometry, the next
/// file with frames of the same shape is offered both, by a notice with one button. Nothing is offered for
/// files whose own changes come back from an earlier time.
class DetectorOffer : public QObject {
    Q_OBJECT
  public:
    /// All outlive it.
    DetectorOffer(FileSession& files, SessionMask& mask, SessionGeometry& geometry, QSettings& settings,
                  NoticeBar& notices, QObject* parent);

  private:
    /// What the user has set for a file.
    struct Set {
        QString path;
        std::size_t height, width;
        std::optional<PixelMask> mask;
        std::optional<Geometry> geometry;
    };
    void remember();
    void compare();
    void use();

    FileSession& files_;
    SessionMask& mask_;
    SessionGeometry& geometry_;
    QSettings& settings_;
    NoticeBar& notices_;
    std::optional<Set> set_;
    bool comes_ = false;  ///< the open file has not been compared yet
    bool maskMissing_ = false, geometryMissing_ = false;
};

}  // namespace ks::ui
