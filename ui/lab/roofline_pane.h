#pragma once

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "core/devices/device_info.h"

class QLabel;
class QToolButton;

namespace ks::ui {
class Desk;
}

namespace ks::ui::lab {

class RooflinePlot;
struct LabView;

/// The roofline, with a line about what it does not show, and a button that measures missing ceilings.
class RooflinePane : public QWidget {
    Q_OBJECT
  public:
    /// @param desk outlives it
    explicit RooflinePane(Desk& desk, QWidget* parent = nullptr);

    void show(const LabView& view);

    RooflinePlot& plot() { return *plot_; }
    QToolButton& measure() { return *measure_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showLegend();

    Desk& desk_;
    std::vector<std::pair<QString, int>> sources_;  ///< of the points, with their colours
    std::optional<DeviceInfo> lacking_;             ///< a device that is present and has no ceilings
    RooflinePlot* plot_;
    QLabel *legend_, *note_;  ///< the colours of sources, if there are several; what is not shown
    QToolButton* measure_;
};

}  // namespace ks::ui::lab
