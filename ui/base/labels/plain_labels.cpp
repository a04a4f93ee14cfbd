#include "ui/base/labels/plain_labels.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace ks::ui {
namespace {

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

void showLabelsAsPlainText(QApplication& application) {
    application.installEventFilter(new PlainLabels(&application));
}

}  // namespace ks::ui
