#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "ui/spots/picture_maker.h"

namespace ks::ui {
class ImagePanel;
class SessionMask;
}  // namespace ks::ui

namespace ks::ui::spots {

class ThresholdForm;

/// The intermediate image that the form of the thresholds chooses, in the place of the frame: the index of
/// dispersion, for example. Nothing where the form chooses the frame itself.
class IntermediateImage : public QObject {
    Q_OBJECT
  public:
    /// All outlive it.
    IntermediateImage(ImagePanel& image, const ThresholdForm& form, const SessionMask& mask, Jobs& jobs,
                      QObject* parent = nullptr);

    /// Frame, mask, thresholds or choice are other ones: makes it anew in a job.
    void make();
    /// What is being made is not wanted any more.
    void drop();

  signals:
    /// What the image shows: "Index of dispersion, frame 4"; empty: the frame itself.
    void noteChanged(const QString& note);
    void failed(const ks::Error& error);

  private:
    void show(const PictureInput& input, const std::shared_ptr<const Array>& made);
    double limit() const;

    ImagePanel& image_;
    const ThresholdForm& form_;
    const SessionMask& mask_;
    PictureMaker* maker_;
};

}  // namespace ks::ui::spots
