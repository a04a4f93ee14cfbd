#pragma once

#include <QObject>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/spots/signal/intermediate.h"
#include "core/spots/thresholds.h"

namespace ks::ui {
class Jobs;
}

namespace ks::ui::spots {

/// Input of an intermediate image.
struct PictureInput {
    std::shared_ptr<const Array> frame;
    std::shared_ptr<const std::vector<std::uint8_t>> ignore;  ///< [y][x], never changed; null: no mask
    ks::spots::Thresholds thresholds;
    ks::spots::Intermediate kind = ks::spots::Intermediate::image;
    double limit =
        std::numeric_limits<double>::infinity();  ///< values greater than or equal to this are invalid
    int number = 0;                               ///< number of the frame
};

/// Makes intermediate images as jobs: the newest input wins.
class PictureMaker : public QObject {
    Q_OBJECT
  public:
    explicit PictureMaker(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}
    ~PictureMaker() override;

    /// A running job is finished first, so that a drag shows intermediate results; of the waiting inputs only
    /// the newest is processed.
    void make(const PictureInput& input);
    /// Cancels everything.
    void drop();
    bool busy() const { return progress_ != nullptr; }

  signals:
    void made(const ks::ui::spots::PictureInput& input, const std::shared_ptr<const ks::Array>& image);
    void failed(const ks::Error& error);

  private:
    void start(const PictureInput& input);
    void next();

    Jobs& jobs_;
    std::shared_ptr<Progress> progress_;  ///< of the running job
    std::shared_ptr<const PictureInput> waiting_;
};

}  // namespace ks::ui::spots
