#include "ui/shell/window_history.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QVBoxLayout>

#include "ui/base/history_panel.h"
#include "ui/base/parameter_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/window_keys.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

/// Commits a number being typed: this may come from the menu, not only from a shortcut.
void endTyping() {
    if (auto* box = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget())) box->interpretText();
}

void showStep(QAction& action, const QString& verb, bool can, const QString& step) {
    action.setEnabled(can);
    action.setText(step.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, step));
}

}  // namespace

WindowHistory::WindowHistory(Workbench& bench, const WindowActions& actions, QWidget& window)
    : history_(*bench.context.history),
      files_(bench.files),
      undo_(*actions.find(QStringLiteral("undo"))),
      redo_(*actions.find(QStringLiteral("redo"))),
      window_(window),
      formSteps_(
          history_, &bench.request.parameters(),
          [&form = bench.request.parameters()] { return form.values(); },
          [&form = bench.request.parameters()](const ParameterSet& values) { form.setValues(values); },
          [&form = bench.request.parameters()](const ParameterSet& before, const ParameterSet& now) {
              return parameterChange(form.specs(), before, now);
          }) {
    new WindowKeys(window);
    connect(&bench.request.parameters(), &ParameterForm::edited, this, [this] { formSteps_.edited(true); });
    connect(&bench.request, &RequestForm::filled, this, [this] { formSteps_.settle(); });
    connect(actions.find(QStringLiteral("history")), &QAction::triggered, this, &WindowHistory::showList);
    connect(&undo_, &QAction::triggered, this, [this] {
        endTyping();
        history_.takeBack();
    });
    connect(&redo_, &QAction::triggered, this, [this] {
        endTyping();
        history_.doAgain();
    });
    connect(&history_, &History::indexChanged, this, &WindowHistory::showActions);
    connect(&history_, &History::heldChanged, this, &WindowHistory::showActions);
    connect(&history_, &History::placeWanted, this, &WindowHistory::showPlace);
    showActions();
}

WindowHistory::~WindowHistory() {
    delete list_;
}

void WindowHistory::showActions() {
    showStep(undo_, tr("&Undo"), history_.canTakeBack(), history_.undoText());
    showStep(redo_, tr("&Redo"), history_.canDoAgain(), history_.redoText());
}

void WindowHistory::showPlace(QObject* place, bool anywhere) {
    const Page* shown = files_.page();
    if (anywhere && shown && shown->findChild<ImagePanel*>()) return;
    if (const auto* page = qobject_cast<Page*>(place)) emit pageWanted(page->id());
}

void WindowHistory::showList() {
    if (!list_) {
        list_ = new QDialog(&window_);
        list_->setWindowTitle(tr("History"));
        auto* rows = new QVBoxLayout(list_);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->addWidget(new HistoryPanel(history_, list_));
        list_->resize(280, 360);
    }
    list_->show();
    list_->raise();
    list_->activateWindow();
}

}  // namespace ks::ui
