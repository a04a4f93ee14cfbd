#include "ui/base/input/tab_order.h"

#include <QRect>
#include <QWidget>
#include <algorithm>
#include <vector>

namespace ks::ui {
namespace {

/// Whether two widgets stand beside each other: of the lower one, half is at the height of the other.
bool areInOneRow(const QWidget& one, const QWidget& other) {
    const QRect a = one.geometry(), b = other.geometry();
    const int shared = std::min(a.bottom(), b.bottom()) - std::max(a.top(), b.top()) + 1;
    return 2 * shared >= std::min(a.height(), b.height());
}

/// The visible children, row by row.
std::vector<QWidget*> read(const QWidget& parent) {
    std::vector<QWidget*> children;
    for (QObject* one : parent.children())
        if (auto* child = qobject_cast<QWidget*>(one); child && !child->isWindow() && child->isVisible())
            children.push_back(child);
    std::ranges::stable_sort(children, {}, [](const QWidget* child) { return child->y(); });
    for (auto row = children.begin(); row != children.end();) {
        const auto end = std::find_if_not(row, children.end(),
                                          [row](const QWidget* one) { return areInOneRow(**row, *one); });
        std::stable_sort(row, end, [](const QWidget* a, const QWidget* b) { return a->x() < b->x(); });
        row = end;
    }
    return children;
}

void add(const QWidget& parent, QList<QWidget*>& order) {
    for (QWidget* child : read(parent)) {
        if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isEnabled() && !child->focusProxy())
            order << child;
        add(*child, order);
    }
}

}  // namespace

QList<QWidget*> tabOrder(const QWidget& window) {
    QList<QWidget*> order;
    add(window, order);
    return order;
}

bool moveFocus(const QWidget& window, bool next) {
    const QList<QWidget*> order = tabOrder(window);
    const qsizetype at = order.indexOf(window.focusWidget());
    if (at < 0) return false;
    const qsizetype to = (at + (next ? 1 : order.size() - 1)) % order.size();
    order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

}  // namespace ks::ui
