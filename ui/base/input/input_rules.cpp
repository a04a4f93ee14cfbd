#include "ui/base/input/input_rules.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <clocale>
#include <utility>

#include "ui/base/input/field_tip.h"
#include "ui/base/number_box.h"

namespace ks::ui {
namespace {

bool holdsValue(const QObject& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) ||
           (qobject_cast<const QAbstractSlider*>(&widget) && !qobject_cast<const QScrollBar*>(&widget));
}

constexpr const char* startsWork = "startsWork";

/// DecimalBox::refusal() of a number field.
QString refusalOf(const QWidget* field) {
    if (const auto* box = dynamic_cast<const DecimalBox*>(field)) return box->refusal();
    if (const auto* box = dynamic_cast<const WholeBox*>(field)) return box->refusal();
    return {};
}

/// Commits what is being typed into a number or text field.
/// @return whether it is taken as it is; otherwise the user is told at the field
bool commitTyped() {
    QWidget* const focus = QApplication::focusWidget();
    if (auto* box = qobject_cast<QAbstractSpinBox*>(focus)) {
        const QString refusal = refusalOf(box);
        if (!refusal.isEmpty()) tellAtField(*box, refusal);
        box->interpretText();
        return refusal.isEmpty();
    }
    auto* const list = qobject_cast<QComboBox*>(focus);  // has the focus of its line
    QLineEdit* const line = list ? list->lineEdit() : qobject_cast<QLineEdit*>(focus);
    // A completion sets the text, after which Qt takes it for unmodified.
    if (line && (line->isModified() || line->completer())) emit line->editingFinished();
    return true;
}

bool isHeldForFields(const QObject& starter) {
    if (starter.property(startsWork).toBool()) return true;
    const auto* button = qobject_cast<const QToolButton*>(&starter);
    return button && button->defaultAction() && button->defaultAction()->property(startsWork).toBool();
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
                return !commitTyped() && isHeldForFields(*object);
            case QEvent::FocusOut:
                // By a press, which comes next; the field itself tells the user.
                if (const auto* widget = qobject_cast<QWidget*>(object))
                    refused_ = static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason &&
                               !refusalOf(widget).isEmpty();
                return false;
            case QEvent::MouseButtonPress: {
                // Buttons of a tool bar and tabs do not take the focus.
                const auto* widget = qobject_cast<QWidget*>(object);
                if (!widget) return false;
                const bool refused =
                    std::exchange(refused_, false) || (leavesField(*widget) && !commitTyped());
                return refused && isHeldForFields(*widget);
            }
            default:
                return false;
        }
    }

  private:
    bool refused_ = false;  ///< the field that the press leaves did not take what was typed
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

void holdForFields(QObject& starter, bool holds) {
    starter.setProperty(startsWork, holds);
}

void showLabelsAsPlainText(QApplication& application) {
    application.installEventFilter(new PlainLabels(&application));
}

}  // namespace ks::ui
