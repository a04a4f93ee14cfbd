#include "ui/base/input/input_rules.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QTabBar>
#include <clocale>

namespace ks::ui {
namespace {

bool holdsValue(const QObject& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) ||
           (qobject_cast<const QAbstractSlider*>(&widget) && !qobject_cast<const QScrollBar*>(&widget));
}

class InputRules : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        switch (event->type()) {
            case QEvent::Polish:
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
                if (auto* box = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget()))
                    box->interpretText();
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
