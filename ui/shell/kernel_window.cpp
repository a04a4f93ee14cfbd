#include "ui/shell/kernel_window.h"

#include <QAction>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/kernels/assembly_view.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/run_session.h"
#include "ui/runs/variant_picker.h"
#include "ui/runs/worker_client.h"
#include "ui/shell/kernel_trials.h"
#include "ui/shell/request_form.h"

namespace ks::ui {

KernelWindow::KernelWindow(WorkerClient& worker, RunSession& session, RunTableModel& runs,
                           RequestForm& request, const PageRuns& pageRuns, QWidget* parent)
    : QWidget(parent, Qt::Window),
      runs_(runs),
      request_(request),
      panel_(new KernelPanel),
      trials_(new KernelTrials(session, runs, pageRuns, this)) {
    setWindowTitle(tr("Kernels \u2013 Kernelscope"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(panel_);
    resize(QSize(1100, 760).boundedTo(screen()->availableSize() * 9 / 10));
    auto* leave = new QAction(tr("Close"), this);
    leave->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_W));
    addAction(leave);
    connect(leave, &QAction::triggered, this, &QWidget::close);
    auto* manual = new QAction(tr("Manual"), this);
    manual->setShortcut(QKeySequence(Qt::Key_F1));
    addAction(manual);
    connect(manual, &QAction::triggered, this, &KernelWindow::manualWanted);
    const auto takeRuns = [this] { panel_->setRuns(runs_.rows()); };
    connect(&worker, &WorkerClient::catalogueReady, this, [this](const wire::Catalogue& catalogue) {
        panel_->setCatalogue(catalogue);
        follow();
    });
    connect(&session, &RunSession::runAdded, this, takeRuns);
    connect(&runs_, &RunTableModel::rowsRemoved, this, takeRuns);
    connect(&request_, &RequestForm::changed, this, &KernelWindow::follow);
    trials_->follow(panel_->userKernels());
    followAssembly(worker, session);
    connect(&panel_->userKernels(), &UserKernels::failed, this, &KernelWindow::failed);
    panel_->setCatalogue(request_.catalogue());
    follow();
    takeRuns();
}

void KernelWindow::followAssembly(WorkerClient& worker, RunSession& session) {
    AssemblyView& view = panel_->assembly();
    connect(&view, &AssemblyView::wanted, this,
            [this, &view, &worker, &session](const AssemblyRequest& wanted) {
                // A newer job would end a run that is under way.
                if (session.busy() || session.previewing() || worker.currentJob() != 0)
                    return view.setNote(tr("Something else is under way: ask again after it."));
                assemblyJob_ = worker.assemble(wanted);
            });
    connect(&worker, &WorkerClient::assemblyReady, this, [this, &view](int job, const Assembly& made) {
        if (job != assemblyJob_) return;
        assemblyJob_ = 0;
        view.setAssembly(made);
    });
    connect(&worker, &WorkerClient::jobFailed, this, [this, &view](int job, const Error& error) {
        if (job != assemblyJob_) return;
        assemblyJob_ = 0;
        view.setNote(QString::fromUtf8(error.what()));
    });
}

void KernelWindow::follow() {
    const AnalysisInfo* const analysis = request_.analysis();
    if (!analysis) return;
    panel_->setAnalysis(QString::fromStdString(analysis->id), request_.devicePosition());
}

void KernelWindow::editCopy() {
    showKernel(KernelPanel::Tab::edit);
    panel_->editCopy();
}

void KernelWindow::showKernel(KernelPanel::Tab tab) {
    follow();
    panel_->setVariant(request_.variants().variant());
    panel_->showTab(tab);
    show();
    raise();
    activateWindow();
}

}  // namespace ks::ui
