// Undo and redo of the window: their actions, the list of steps, and the page where a step was done.

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/history_panel.h"
#include "ui/base/parameter_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/undo_keys.h"

namespace ks::ui {
namespace {

/// What is being typed into a field for a number is taken over.
void endTyping() {
    if (auto* box = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget())) box->interpretText();
}

}  // namespace

void MainWindow::makeHistory() {
    new UndoKeys(*this);
    formSteps_ = std::make_unique<ParameterSteps>(
        history(), &parameters(), [this] { return parameters().values(); },
        [this](const ParameterSet& values) { parameters().setValues(values); },
        [this](const ParameterSet& before, const ParameterSet& now) {
            return parameterChange(parameters().specs(), before, now);
        });
    connect(&parameters(), &ParameterForm::edited, this, [this] { formSteps_->edited(true); });
    connect(&history(), &History::indexChanged, this, &MainWindow::updateHistory);
    connect(&history(), &History::heldChanged, this, &MainWindow::updateHistory);
    connect(&history(), &History::placeWanted, this, [this](QObject* place, bool anywhere) {
        if (anywhere && page() && page()->findChild<ImagePanel*>()) return;
        const auto at = std::ranges::find(files_.pages(), place);
        if (at != files_.pages().end()) tabs_->setCurrentIndex(static_cast<int>(at - files_.pages().begin()));
    });
    updateHistory();
}

void MainWindow::updateHistory() {
    const auto show = [this](const char* name, const QString& verb, bool can, const QString& step) {
        QAction* one = action(QLatin1String(name));
        one->setEnabled(can);
        one->setText(step.isEmpty() ? verb : tr("%1 %2").arg(verb, step));
    };
    show("undo", tr("&Undo"), history().canTakeBack(), history().undoText());
    show("redo", tr("&Redo"), history().canDoAgain(), history().redoText());
}

void MainWindow::undo() {
    endTyping();
    history().takeBack();
}

void MainWindow::redo() {
    endTyping();
    history().doAgain();
}

void MainWindow::showHistory() {
    if (!historyDialog_) {
        historyDialog_ = new QDialog(this);
        historyDialog_->setWindowTitle(tr("History"));
        auto* rows = new QVBoxLayout(historyDialog_);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->addWidget(new HistoryPanel(history(), historyDialog_));
        historyDialog_->resize(280, 360);
    }
    historyDialog_->show();
    historyDialog_->raise();
    historyDialog_->activateWindow();
}

}  // namespace ks::ui
