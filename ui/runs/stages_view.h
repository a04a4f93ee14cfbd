#pragma once

#include <QWidget>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

/// Stage bars on one time axis that scroll where they are many, with the switch that leaves the kernels
/// alone.
class StagesView : public QWidget {
    Q_OBJECT
  public:
    /// @param name for those who do not see it; the plot says it where it is empty
    explicit StagesView(const QString& name, QWidget* parent = nullptr);

    TimingPlot& timing() { return *timing_; }

  private:
    TimingPlot* timing_;
};

}  // namespace ks::ui
