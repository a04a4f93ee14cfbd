#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "core/run/verdict.h"
#include "ui/base/input/tab_order.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/shell/page_runs.h"
#include "ui/shell/variant_timer.h"

class QAction;

namespace ks::ui {

class KernelTrials;
struct Workbench;

/// The kernels of the visible page's analysis in a separate window. If the page has no kernels, the previous
/// ones stay.
class KernelWindow : public QWidget {
    Q_OBJECT
  public:
    /// @param bench outlives it
    explicit KernelWindow(Workbench& bench, QWidget* parent = nullptr);

    /// Raises it with this view of the variant chosen on the visible page.
    void showKernel(KernelPanel::Tab tab);
    /// The same with a copy of the variant in the editor.
    void editCopy();
    KernelPanel& panel() { return *panel_; }
    QAction& measureAction() { return *measure_; }

  signals:
    /// A kernel trial failed.
    /// @param seen this window shows why
    void trialFailed(const ks::Error& error, bool seen);
    void trialPassed();
    /// Requests to show a place of a result, on the page of its analysis.
    void resultPlaceWanted(const QString& analysis, const ks::VerdictPlace& place);
    /// Requests to time the displayed kernel against its base, or against the baseline.
    void measurementWanted(const ks::ui::Measurement& wanted);
    /// F1.
    void manualWanted();

  protected:
    bool focusNextPrevChild(bool next) override {
        return moveFocus(*this, next) || QWidget::focusNextPrevChild(next);
    }

  private:
    void makeActions();
    void makeMeasure();
    void measure();
    void follow();
    void followAssembly();
    void followTrials();

    Workbench& bench_;
    KernelPanel* panel_;
    KernelTrials* trials_;
    QAction* measure_ = nullptr;
};

}  // namespace ks::ui
