#pragma once

#include <QWidget>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

class RunTableModel;

/// The stage bars of the ticked runs on one time axis: those of the analysis that is looked at, as times of
/// different ones do not compare. The switch beside them leaves the kernels alone.
class StagesPanel : public QWidget {
    Q_OBJECT
  public:
    explicit StagesPanel(RunTableModel& runs, QWidget* parent = nullptr);

    TimingPlot& timing() { return *timing_; }

  private:
    void showTicked();

    RunTableModel& runs_;
    TimingPlot* timing_;
};

}  // namespace ks::ui
