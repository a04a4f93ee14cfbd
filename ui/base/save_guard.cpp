#include "ui/base/save_guard.h"

#include <QWidget>

namespace ks::ui {

SaveGuard* SaveGuard::of(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (auto* found = widget->findChild<SaveGuard*>({}, Qt::FindDirectChildrenOnly)) return found;
    return nullptr;
}

void SaveGuard::setSucceeded() {
    if (failed_) emit mended(*std::exchange(failed_, std::nullopt));
}

SaveGuard::Names filesRead(const QWidget* widget, SaveGuard::Names more) {
    if (const SaveGuard* guard = SaveGuard::of(widget)) more.merge(guard->read());
    return more;
}

void reportSaveFailed(const QWidget* widget, const Error& error) {
    if (SaveGuard* guard = SaveGuard::of(widget)) guard->setFailed(error);
}

void reportSaveSucceeded(const QWidget* widget) {
    if (SaveGuard* guard = SaveGuard::of(widget)) guard->setSucceeded();
}

}  // namespace ks::ui
