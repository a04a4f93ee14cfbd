#include "ui/shell/kernel_window.h"
#include "ui/kernels/access/access_panel.h"

#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/kernels/assembly_view.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/user_kernels.h"
#include "ui/shell/kernel_trials.h"
#include "ui/shell/workbench.h"

namespace ks::ui {

KernelWindow::KernelWindow(Workbench& bench, QWidget* parent)
    : QWidget(parent, Qt::Window),
      bench_(bench),
      panel_(new KernelPanel),
      trials_(new KernelTrials(bench, this)) {
    setWindowTitle(tr("Kernels \u2013 Kernelscope"));
    setLayout(inRows({panel_}));
    resize(QSize(1100, 760).boundedTo(screen()->availableSize() * 9 / 10));
    makeMeasure();
    makeActions();
    const auto takeRuns = [this] { panel_->setRuns(bench_.runs.rows()); };
    const auto takeCatalogue = [this] {
        panel_->setCatalogue(bench_.desk.catalogue());
        follow();
    };
    connect(&bench_.desk, &Desk::catalogueChanged, this, takeCatalogue);
    connect(&bench_.queue, &RunQueue::runAdded, this, takeRuns);
    connect(&bench_.runs, &RunTableModel::rowsRemoved, this, takeRuns);
    connect(&bench_.request, &RequestForm::changed, this, &KernelWindow::follow);
    connect(&bench_.pageRuns, &PageRuns::changed, this, &KernelWindow::follow);
    followTrials();
    followAssembly();
    takeCatalogue();
    takeRuns();
}

void KernelWindow::makeActions() {
    const auto add = [this](const QString& text, const QKeySequence& key) {
        auto* made = new QAction(text, this);
        made->setShortcut(key);
        addAction(made);
        return made;
    };
    QAction* const close = add(tr("C&lose"), QKeySequence(Qt::CTRL | Qt::Key_W));
    connect(close, &QAction::triggered, this, &QWidget::close);
    QAction* const manual = add(tr("&Manual"), QKeySequence(Qt::Key_F1));
    connect(manual, &QAction::triggered, this, &KernelWindow::manualWanted);
    auto* bar = new QMenuBar;
    layout()->setMenuBar(bar);
    QMenu* const kernel = bar->addMenu(tr("&Kernel"));
    for (QAction* one : panel_->userKernels().kernelActions()) {
        kernel->addAction(one);
        // Escape also closes bars and lists.
        if (one->shortcut() != QKeySequence(Qt::Key_Escape)) one->setShortcutContext(Qt::WindowShortcut);
        connect(one, &QAction::triggered, panel_, [this] { panel_->showTab(KernelPanel::Tab::edit); });
    }
    kernel->addSeparator();
    kernel->addAction(measure_);
    kernel->addSeparator();
    kernel->addAction(close);
    bar->addMenu(tr("&Edit"))->addActions(panel_->userKernels().editActions());
    bar->addMenu(tr("&Help"))->addAction(manual);
}

void KernelWindow::makeMeasure() {
    measure_ = new QAction(tr("Measure in the Lab"), this);
    measure_->setObjectName(QStringLiteral("measureInLab"));
    measure_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F7));
    measure_->setToolTip(
        tr("Open the Lab page (Ctrl+F7) to compare this kernel with its base on the same problem; a built-in "
           "kernel is compared with the baseline"));
    connect(measure_, &QAction::triggered, this, &KernelWindow::measure);
    addAction(measure_);
    auto* button = new QToolButton;
    button->setDefaultAction(measure_);
    button->setAutoRaise(true);
    panel_->tabs().setCornerWidget(button);
}

void KernelWindow::measure() {
    const QString analysis = panel_->analysis(), id = panel_->variant();
    if (id.isEmpty()) return;  // it cannot be run, as the header says
    const auto& offers = bench_.desk.catalogue().offers;
    const auto known = offers.find(analysis.toStdString());
    if (known == offers.end() || known->second.empty()) return;
    // The edited text is measured; if it cannot be saved, the reason is shown there. One that is not in view
    // is neither measured nor saved.
    if (id == panel_->userKernels().id() && !panel_->userKernels().save()) return;
    const std::vector<Offer>& all = known->second.at(bench_.request.devicePosition().value_or(0));
    const auto isIt = [&id](const Offer& one) { return one.variant.id == id.toStdString(); };
    const auto shown = std::ranges::find_if(all, isIt);
    QStringList variants(id);
    if (shown != all.end())
        for (const Offer& one : all)
            if (!isIt(one) &&
                (shown->variant.from_user() ? one.variant.id == shown->variant.base : one.variant.baseline))
                variants << QString::fromStdString(one.variant.id);
    const QVariant data = panel_->userKernels().bar().data().currentData();
    emit measurementWanted(trials_->measurement(
        analysis, variants,
        data.isValid() ? std::optional(static_cast<TrialData>(data.toInt())) : std::nullopt));
}

void KernelWindow::followTrials() {
    trials_->follow(panel_->userKernels());
    connect(trials_, &KernelTrials::failed, this, [this](const Error& error, bool shown) {
        emit trialFailed(error, shown && isVisible() && !isMinimized());
    });
    AccessPanel& accesses = panel_->userKernels().accesses();
    connect(&bench_.queue, &RunQueue::busyChanged, &accesses, &AccessPanel::setWorkerBusy);
    accesses.setWorkerBusy(bench_.queue.busy());
    connect(trials_, &KernelTrials::passed, this, &KernelWindow::trialPassed);
    connect(trials_, &KernelTrials::placeWanted, this, &KernelWindow::resultPlaceWanted);
    // The message is shown next to the text; the main window shows it if that is not visible.
    connect(&panel_->userKernels(), &UserKernels::failed, this, [this](const Error& error) {
        if (!panel_->userKernels().isVisible()) emit bench_.messages.failed(error);
    });
}

void KernelWindow::followAssembly() {
    AssemblyView& view = panel_->assembly();
    connect(&view, &AssemblyView::wanted, this, [this, &view](const AssemblyRequest& wanted) {
        bench_.desk.ask<wire::AssemblyJob>(
            &view, {wanted},
            {.answer = [&view](const auto& made) { view.setAssembly(*made); },
             .failed = [&view](const Error& error) { view.setNote(QString::fromUtf8(error.what())); }});
    });
}

void KernelWindow::follow() {
    QString analysis = bench_.pageRuns.kernelChoice().analysis;
    const std::vector<AnalysisInfo>& all = bench_.desk.catalogue().analyses;
    if (analysis.isEmpty() && !all.empty()) analysis = QString::fromStdString(all.front().id);
    if (analysis.isEmpty()) return;
    const auto shown = std::ranges::find(all, analysis.toStdString(), &AnalysisInfo::id);
    if (shown != all.end())
        setWindowTitle(tr("Kernels of %1 \u2013 Kernelscope").arg(QString::fromStdString(shown->title)));
    panel_->setAnalysis(analysis, bench_.request.devicePosition());
    panel_->userKernels().bar().setDataChoices(trials_->dataChoices(analysis));
}

void KernelWindow::editCopy() {
    follow();
    panel_->setVariant(bench_.pageRuns.kernelChoice().variant);
    panel_->editCopy();
    showKernel(KernelPanel::Tab::edit);
}

void KernelWindow::showKernel(KernelPanel::Tab tab) {
    follow();
    // So that the user returns to the kernel being edited.
    const bool edits = isVisible() && tab == KernelPanel::Tab::source &&
                       panel_->tabs().currentIndex() == static_cast<int>(KernelPanel::Tab::edit);
    if (!edits) {
        // The editor still has the kernel that was open in it.
        if (tab != KernelPanel::Tab::edit || !panel_->chooseEdited())
            panel_->setVariant(bench_.pageRuns.kernelChoice().variant);
        panel_->showTab(tab);
    }
    show();
    raise();
    activateWindow();
}

}  // namespace ks::ui
