#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/progress.h"

namespace ks::ui {
class ImagePanel;
class Jobs;
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
    ~IntermediateImage() override;

    /// Frame, mask, thresholds or selection have changed: recomputes the image in a job. A running one is
    /// finished first, so that a drag shows intermediate results; of the waiting inputs only the newest is
    /// processed.
    void make();
    /// Cancels the computation.
    void drop();

  signals:
    /// What the image shows: "Index of dispersion, frame 4"; empty: the frame itself.
    void noteChanged(const QString& note);
    void failed(const ks::Error& error);

  private:
    struct Input;
    void start(const std::shared_ptr<const Input>& input);
    void next();
    void show(const Input& input, const std::shared_ptr<const Array>& made);
    double limit() const;

    ImagePanel& image_;
    const ThresholdForm& form_;
    const SessionMask& mask_;
    Jobs& jobs_;
    std::shared_ptr<Progress> progress_;  ///< of the running job
    std::shared_ptr<const Input> waiting_;
};

}  // namespace ks::ui::spots
