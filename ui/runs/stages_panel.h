#pragma once

#include "ui/runs/stages_view.h"

namespace ks::ui {

class RunTableModel;

/// The stage bars of the ticked runs on one time axis: those of the analysis that is looked at, as times of
/// different ones do not compare. The switch beside them leaves the kernels alone.
class StagesPanel : public StagesView {
    Q_OBJECT
  public:
    explicit StagesPanel(RunTableModel& runs, QWidget* parent = nullptr);

  private:
    void showTicked();

    RunTableModel& runs_;
};

}  // namespace ks::ui
