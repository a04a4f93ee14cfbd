#include "ui/shell/help/whats_this.h"

#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QToolButton>
#include <QWhatsThis>
#include <QWidget>

namespace ks::ui {

QString whatsThisOf(const QWidget& widget) {
    for (const QWidget* one = &widget; one && !one->isWindow(); one = one->parentWidget()) {
        if (!one->whatsThis().isEmpty()) return one->whatsThis();
        if (!one->toolTip().isEmpty()) return one->toolTip();
        if (!one->statusTip().isEmpty()) return one->statusTip();
    }
    return {};
}

WhatsThisAnswers::WhatsThisAnswers(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

void WhatsThisAnswers::fillActions(QObject& root) {
    for (QAction* action : root.findChildren<QAction*>()) {
        if (!action->whatsThis().isEmpty() || action->isSeparator() || action->menu()) continue;
        const QString tip = action->statusTip().isEmpty() ? action->toolTip() : action->statusTip();
        action->setWhatsThis(tip);
    }
}

bool WhatsThisAnswers::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type != QEvent::QueryWhatsThis && type != QEvent::WhatsThis) return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || !widget->whatsThis().isEmpty() || widget->inherits("QMenu") ||
        widget->inherits("QMenuBar"))
        return false;
    const QString text = whatsThisOf(*widget);
    if (text.isEmpty()) return false;
    event->accept();
    if (type == QEvent::WhatsThis)
        QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), text, widget);
    return true;
}

}  // namespace ks::ui
