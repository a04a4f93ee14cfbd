#pragma once

#include <QListWidget>
#include <QSignalBlocker>

namespace ks::ui::xpcs {

/// Data of an item of a list of bins: the label of its bin.
inline constexpr int labelRole = Qt::UserRole;

/// Makes the item of this bin the current one, or none if there is none. Emits nothing.
inline void selectLabel(QListWidget& list, int label) {
    const QSignalBlocker quiet(&list);
    list.setCurrentRow(-1);
    for (int row = 0; row < list.count(); ++row)
        if (list.item(row)->data(labelRole).toInt() == label) list.setCurrentRow(row);
}

}  // namespace ks::ui::xpcs
