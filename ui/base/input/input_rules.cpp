#include "ui/base/input/input_rules.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <clocale>

namespace ks::ui {
namespace {

bool holdsValue(const QObject& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) ||
           (qobject_cast<const QAbstractSlider*>(&widget) && !qobject_cast<const QScrollBar*>(&widget));
}

/// Commits what is being typed into a number or text field.
void commitTyped() {
    QWidget* const focus = QApplication::focusWidget();
    if (auto* box = qobject_cast<QAbstractSpinBox*>(focus)) return box->interpretText();
    auto* const list = qobject_cast<QComboBox*>(focus);  // has the focus of its line
    QLineEdit* const line = list ? list->lineEdit() : qobject_cast<QLineEdit*>(focus);
    // A completion sets the text, after which Qt takes it for unmodified.
    if (line && (line->isModified() || line->completer())) emit line->editingFinished();
}

/// Whether a press on this widget leaves the field with the focus. The list of a field's completer belongs to
/// it.
bool leavesField(const QWidget& pressed) {
    const QWidget* const focus = QApplication::focusWidget();
    return focus && focus != &pressed && !focus->isAncestorOf(&pressed) && !pressed.isAncestorOf(focus) &&
           pressed.window() == focus->window();
}

/// The Tab key leaves tables, whose cells the arrow keys reach, and texts that cannot be changed, and it
/// passes over hidden bars of tabs.
void letTabLeave(QObject& widget) {
    // It would hand the focus to its bar, which is in the order by itself, and which cannot take it if
    // hidden.
    if (auto* tabs = qobject_cast<QTabWidget*>(&widget)) tabs->setFocusPolicy(Qt::NoFocus);
    if (auto* view = qobject_cast<QAbstractItemView*>(&widget)) view->setTabKeyNavigation(false);
    if (auto* text = qobject_cast<QPlainTextEdit*>(&widget); text && text->isReadOnly())
        text->setTabChangesFocus(true);
}

class InputRules : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        switch (event->type()) {
            case QEvent::Polish:
                letTabLeave(*object);
                // Qt moves the focus before a filter sees the wheel event.
                if (holdsValue(*object))
                    if (auto& widget = static_cast<QWidget&>(*object); widget.focusPolicy() == Qt::WheelFocus)
                        widget.setFocusPolicy(Qt::StrongFocus);
                return false;
            case QEvent::Wheel:
                if (!holdsValue(*object) || static_cast<QWidget*>(object)->hasFocus()) return false;
                // When ignored, the event goes on to the parent.
                event->ignore();
                return true;
            case QEvent::Shortcut:
                commitTyped();
                return false;
            case QEvent::MouseButtonPress:
                // Buttons of a tool bar and tabs do not take the focus.
                if (const auto* widget = qobject_cast<QWidget*>(object); widget && leavesField(*widget))
                    commitTyped();
                return false;
            default:
                return false;
        }
    }
};

/// A tool tip is a label too, and is polished before its text is set.
class PlainLabels : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() != QEvent::Polish) return false;
        if (auto* label = qobject_cast<QLabel*>(object); label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
        return false;
    }
};

}  // namespace

void applyInputRules(QApplication& application) {
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    const QString name = QStringLiteral("inputRules");
    if (application.findChild<QObject*>(name, Qt::FindDirectChildrenOnly)) return;
    auto* rules = new InputRules(&application);
    rules->setObjectName(name);
    application.installEventFilter(rules);
}

void showLabelsAsPlainText(QApplication& application) {
    application.installEventFilter(new PlainLabels(&application));
}

}  // namespace ks::ui
