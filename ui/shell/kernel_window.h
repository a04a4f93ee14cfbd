#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "core/run/verdict.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/shell/page_runs.h"

class QAction;

namespace ks::ui {

class KernelTrials;

/// The kernels of the analysis that is looked at on the page in sight, in a window of their own. Where the
/// page knows none, those that it showed last.
class KernelWindow : public QWidget {
    Q_OBJECT
  public:
    /// All but the parent outlive it.
    KernelWindow(const RunParts& parts, const PageRuns& pageRuns, QWidget* parent = nullptr);

    /// Raises it with this view of the variant that is chosen on the page in sight.
    void showKernel(KernelPanel::Tab tab);
    /// The same with a copy of it in the editor.
    void editCopy();
    KernelPanel& panel() { return *panel_; }
    QAction& measureAction() { return *measure_; }

  signals:
    void failed(const ks::Error& error);
    /// A trial of a kernel failed. @param seen this window shows why
    void trialFailed(const ks::Error& error, bool seen);
    void trialPassed();
    /// A place of a result, on the page of its analysis.
    void resultPlaceWanted(const QString& analysis, const ks::VerdictPlace& place);
    /// The kernel that is shown is to be timed beside its base, or beside the yardstick.
    void measurementWanted(const ks::ui::Measurement& wanted);
    /// F1.
    void manualWanted();

  private:
    void makeActions();
    void makeMeasure();
    void measure();
    void follow();
    void followAssembly();
    void followTrials();

    RunParts parts_;
    const PageRuns& pageRuns_;
    KernelPanel* panel_;
    KernelTrials* trials_;
    QAction* measure_ = nullptr;
    int assemblyJob_ = 0;  ///< of the worker; 0: none is under way
};

}  // namespace ks::ui
