#pragma once

#include <QWidget>

#include "ui/kernels/kernel_panel.h"

namespace ks::ui {

class KernelTrials;
class PageRuns;
class RequestForm;
class RunSession;
class RunTableModel;
class WorkerClient;

/// The kernels of the page in sight in a window of their own.
class KernelWindow : public QWidget {
    Q_OBJECT
  public:
    /// All but the parent outlive it.
    KernelWindow(WorkerClient& worker, RunSession& session, RunTableModel& runs, RequestForm& request,
                 const PageRuns& pageRuns, QWidget* parent = nullptr);

    /// Raises it with this view of the variant that the next run takes.
    void showKernel(KernelPanel::Tab tab);
    /// The same with a copy of it in the editor.
    void editCopy();
    KernelPanel& panel() { return *panel_; }

  signals:
    void failed(const ks::Error& error);
    /// F1.
    void manualWanted();

  private:
    void follow();
    void followAssembly(WorkerClient& worker, RunSession& session);

    RunTableModel& runs_;
    RequestForm& request_;
    KernelPanel* panel_;
    KernelTrials* trials_;
    int assemblyJob_ = 0;  ///< of the worker; 0: none is under way
};

}  // namespace ks::ui
