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

/// Shows the intermediate image selected in the threshold form in place of the frame: the index of
/// dispersion, for example. Does nothing if the form selects the frame itself.
class IntermediateImage : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    IntermediateImage(ImagePanel& image, const ThresholdForm& form, const SessionMask& mask, Jobs& jobs,
                      QObject* parent = nullptr);

    /// Frame, mask, thresholds or selection have changed: recomputes the image in a job.
    void make();
    /// Cancels the computation.
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
