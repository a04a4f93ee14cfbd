#pragma once

#include <QTextBrowser>
#include <optional>
#include <vector>

#include "core/devices/device_info.h"
#include "core/kernels/occupancy.h"
#include "core/run/build_log.h"

namespace ks::ui {

/// Resource usage of the kernels of a run, and how many of their groups fit on a compute unit at the same
/// time.
class ResourcesView : public QTextBrowser {
    Q_OBJECT
  public:
    explicit ResourcesView(QWidget* parent = nullptr);

    /// @param title of the run; empty: there is none
    void setBuilds(const QString& title, const std::vector<BuildLog>& builds, const DeviceInfo& device,
                   const std::optional<ComputeUnitLimits>& limits);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showBuilds();
    QString tableOf(const BuildLog& build) const;

    QString title_;
    std::vector<BuildLog> builds_;
    DeviceInfo device_;
    std::optional<ComputeUnitLimits> limits_;
};

}  // namespace ks::ui
