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

/// What an intermediate image is made of.
struct PictureInput {
    std::shared_ptr<const Array> frame;
    std::shared_ptr<const std::vector<std::uint8_t>> ignore;  ///< [y][x], never changed; null: none
    ks::spots::Thresholds thresholds;
    ks::spots::Intermediate kind = ks::spots::Intermediate::image;
    double limit = std::numeric_limits<double>::infinity();  ///< values of this and more are invalid
    int number = 0;                                          ///< of the frame
};

/// Makes intermediate images in jobs: the newest input wins.
class PictureMaker : public QObject {
    Q_OBJECT
  public:
    explicit PictureMaker(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}
    ~PictureMaker() override;

    /// One that is under way is finished first, so that something is shown while a hand keeps moving; of
    /// those that wait only the newest is made.
    void make(const PictureInput& input);
    /// Nothing is wanted any more.
    void drop();
    bool busy() const { return progress_ != nullptr; }

  signals:
    void made(const ks::ui::spots::PictureInput& input, const std::shared_ptr<const ks::Array>& image);
    void failed(const ks::Error& error);

  private:
    void start(const PictureInput& input);
    void next();

    Jobs& jobs_;
    std::shared_ptr<Progress> progress_;  ///< of the job under way
    std::shared_ptr<const PictureInput> waiting_;
};

}  // namespace ks::ui::spots
