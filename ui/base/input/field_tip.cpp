#include "ui/base/input/field_tip.h"

#include <QLineEdit>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QTimer>
#include <QToolTip>
#include <QWidget>
#include <utility>

namespace ks::ui {
namespace {

constexpr int shownMs = 10000;

}  // namespace

// Later: the focus that goes to the next field would hide it.
void tellAtField(QWidget& field, const QString& why) {
    QTimer::singleShot(0, &field, [at = QPointer<QWidget>(&field), why] {
        if (at) QToolTip::showText(at->mapToGlobal(QPoint(0, at->height())), why, at, {}, shownMs);
    });
}

void tellProblems(QLineEdit& field, std::function<QString(const QString&)> problemOf) {
    QObject::connect(&field, &QLineEdit::editingFinished, &field,
                     [line = &field, problemOf = std::move(problemOf)] {
                         if (!line->isVisible() || !line->isModified()) return;
                         if (const QString why = problemOf(line->text()); !why.isEmpty())
                             tellAtField(*line, why);
                     });
}

}  // namespace ks::ui
