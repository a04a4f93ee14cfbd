#include "ui/shell/help/whats_this.h"

#include <QAction>
#include <QApplication>
#include <QFormLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QWhatsThis>
#include <QWidget>

namespace ks::ui {

namespace {

QString ownText(const QWidget& widget) {
    for (const QString& text : {widget.whatsThis(), widget.toolTip(), widget.statusTip()})
        if (!text.isEmpty()) return text;
    return {};
}

/// Of the first part with a text.
QString textOfParts(const QWidget& widget) {
    if (QString text = ownText(widget); !text.isEmpty()) return text;
    for (const QObject* child : widget.children())
        if (const auto* part = qobject_cast<const QWidget*>(child); part && !part->isWindow())
            if (QString text = textOfParts(*part); !text.isEmpty()) return text;
    return {};
}

QString textOfTab(const QTabBar& bar, const QPoint& at) {
    const int below = bar.tabAt(at), tab = below >= 0 ? below : bar.currentIndex();
    if (tab < 0) return {};
    for (const QString& text : {bar.tabWhatsThis(tab), bar.tabToolTip(tab)})
        if (!text.isEmpty()) return text;
    const auto* tabs = qobject_cast<const QTabWidget*>(bar.parentWidget());
    return tabs && tabs->widget(tab) ? textOfParts(*tabs->widget(tab)) : QString();
}

/// Of the first visible item at a position in a layout.
QString textOfItem(QLayoutItem* item) {
    while (item && item->layout() && item->layout()->count() > 0) item = item->layout()->itemAt(0);
    return item && item->widget() ? textOfParts(*item->widget()) : QString();
}

/// Of the field next to a label: in a form the one in its row, otherwise the next widget.
QString textOfField(const QLabel& label, const QLayout* layout) {
    if (!layout) return {};
    auto* own = const_cast<QLabel*>(&label);
    if (const auto* form = qobject_cast<const QFormLayout*>(layout)) {
        int row = -1;
        QFormLayout::ItemRole role = QFormLayout::FieldRole;
        form->getWidgetPosition(own, &row, &role);
        if (row >= 0 && role == QFormLayout::LabelRole)
            return textOfItem(form->itemAt(row, QFormLayout::FieldRole));
    } else if (const int at = layout->indexOf(own); at >= 0) {
        return textOfItem(layout->itemAt(at + 1));
    }
    for (int i = 0; i < layout->count(); ++i)
        if (QString text = textOfField(label, layout->itemAt(i)->layout()); !text.isEmpty()) return text;
    return {};
}

}  // namespace

QString whatsThisOf(const QWidget& widget, const QPoint& at) {
    for (const QWidget* one = &widget; one && !one->isWindow(); one = one->parentWidget()) {
        if (QString text = ownText(*one); !text.isEmpty()) return text;
        if (const auto* bar = qobject_cast<const QTabBar*>(one))
            if (QString text = textOfTab(*bar, one == &widget ? at : QPoint(-1, -1)); !text.isEmpty())
                return text;
        const auto* label = qobject_cast<const QLabel*>(one);
        if (!label || !label->parentWidget()) continue;
        if (const QString text = label->buddy() ? ownText(*label->buddy())
                                                : textOfField(*label, label->parentWidget()->layout());
            !text.isEmpty())
            return text;
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
    const QString text = whatsThisOf(*widget, static_cast<QHelpEvent*>(event)->pos());
    if (text.isEmpty()) return false;
    event->accept();
    if (type == QEvent::WhatsThis)
        QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), text, widget);
    return true;
}

}  // namespace ks::ui
