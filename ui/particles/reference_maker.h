#pragma once

#include <QObject>
#include <memory>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::ui {
class Jobs;
}

namespace ks::ui::particles {

/// Computes host.reference for the problem of a run, on the host's threads in the background. A newer request
/// replaces an older one.
class ReferenceMaker : public QObject {
    Q_OBJECT
  public:
    explicit ReferenceMaker(Jobs& jobs, QObject* parent = nullptr);
    ~ReferenceMaker() override;

    void start(const Request& request);
    void cancel();
    bool running() const { return progress_ != nullptr; }

  signals:
    void progress(double fraction);
    /// @param run the request with host.reference as its variant
    void made(std::shared_ptr<const ks::Run> run);
    /// Kind `cancelled` if it was stopped.
    void failed(const ks::Error& error);

  private:
    Jobs& jobs_;
    std::shared_ptr<Progress> progress_;
};

}  // namespace ks::ui::particles
