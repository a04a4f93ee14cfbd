#pragma once

#include <QWidget>
#include <functional>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

class RunTableModel;
struct RunRow;

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

/// The stage bars of the ticked runs on one time axis: those of the analysis that is looked at, as times of
/// different ones do not compare. The switch beside them leaves the kernels alone.
class StagesPanel : public StagesView {
    Q_OBJECT
  public:
    explicit StagesPanel(RunTableModel& runs, QWidget* parent = nullptr);

    /// @param mark "outdated (Size)" or nothing, of each ticked run
    void setMark(std::function<QString(const RunRow& run)> mark);

  public slots:
    /// The inputs of the next run have changed.
    void showMarks();

  private:
    void showTicked();
    QString markOf(const RunRow& row) const;
    QVector<TimingSeries> ticked() const;

    RunTableModel& runs_;
    std::function<QString(const RunRow& run)> mark_;
};

}  // namespace ks::ui
