#include "ui/base/tables/space_ticks.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace ks::ui {
namespace {

class SpaceTicks : public QObject {
  public:
    SpaceTicks(QAbstractItemView& view, int column) : QObject(&view), view_(view), column_(column) {
        view.installEventFilter(this);
    }

  private:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() != QEvent::KeyPress) return QObject::eventFilter(object, event);
        const auto* const key = static_cast<QKeyEvent*>(event);
        const QModelIndex box = view_.currentIndex().siblingAtColumn(column_);
        if (key->key() != Qt::Key_Space || key->modifiers() != Qt::NoModifier ||
            !box.flags().testFlag(Qt::ItemIsUserCheckable))
            return QObject::eventFilter(object, event);
        const bool ticked = box.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        view_.model()->setData(box, ticked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        return true;
    }

    QAbstractItemView& view_;
    int column_;
};

}  // namespace

void tickRowsBySpace(QAbstractItemView& view, int column) {
    new SpaceTicks(view, column);
}

}  // namespace ks::ui
