#include "ui/shell/window_history.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QUndoView>

#include "ui/base/layouts.h"
#include "ui/base/parameter_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/shell/window_actions.h"
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

bool isNumberField(const QWidget& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget.parentWidget());
}

/// Shortcuts of the window that a field would otherwise take: Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y in number
/// fields (text fields keep theirs), and Ctrl+E in all fields, where it would go to the end of the line.
class WindowKeys : public QObject {
  public:
    explicit WindowKeys(QWidget& window) : QObject(&window), window_(window) {
        QCoreApplication::instance()->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride) return false;
        const auto* widget = qobject_cast<QWidget*>(object);
        if (!widget || widget->window() != &window_) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) ||
                          key->keyCombination() == (Qt::CTRL | Qt::Key_Y);
        const bool exports = key->keyCombination() == (Qt::CTRL | Qt::Key_E);
        if (!(undo && isNumberField(*widget)) &&
            !(exports && (isNumberField(*widget) || qobject_cast<const QLineEdit*>(widget))))
            return false;
        event->ignore();
        return true;
    }

  private:
    QWidget& window_;
};

}  // namespace

WindowHistory::WindowHistory(Workbench& bench, const WindowActions& actions, QWidget& window)
    : history_(*bench.context.history),
      files_(bench.files),
      undo_(*actions.find(QStringLiteral("undo"))),
      redo_(*actions.find(QStringLiteral("redo"))),
      window_(window),
      request_(bench.request),
      formSteps_(
          history_, &bench.request.parameters(), [this] { return formState(); },
          [this](const FormState& state) { setFormState(state); },
          [&form = bench.request.parameters()](const FormState& before, const FormState& now) {
              const ParameterSteps::Name change = parameterChange(form.specs(), before.values, now.values);
              // Fields of two analyses may have the same id.
              return Undoable<FormState>::Name{change.text, now.analysis + QLatin1Char(' ') + change.field};
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

WindowHistory::FormState WindowHistory::formState() const {
    return {request_.shownAnalysis(), request_.parameters().values()};
}

void WindowHistory::setFormState(const FormState& state) {
    if (state.analysis != request_.shownAnalysis()) emit pageWanted(state.analysis);
    if (state.analysis == request_.shownAnalysis()) request_.parameters().setValues(state.values);
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
        auto* steps = named(new QUndoView(&history_), tr("Undo history"),
                            tr("Click a step to go back or forward to it"));
        steps->setEmptyLabel(tr("initial state"));
        steps->setAlternatingRowColors(true);
        connect(&history_, &History::heldChanged, steps, [steps](bool held) { steps->setEnabled(!held); });
        auto* hint = new QLabel(
            tr("Changes of mask, bins, geometry, parameters and fits; click a change to return to it."));
        hint->setWordWrap(true);
        hint->setForegroundRole(QPalette::PlaceholderText);
        list_->setLayout(inRows({{steps, 1}, hint}, {}, {8, 8, 8, 8}));
        list_->resize(280, 360);
    }
    list_->show();
    list_->raise();
    list_->activateWindow();
}

}  // namespace ks::ui
