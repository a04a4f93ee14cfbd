#pragma once

#include <QCoreApplication>
#include <QLocale>

namespace ks::ui::spots {

/// "1 spot", "2,912 spots".
inline QString spotsText(std::size_t n) {
    if (n == 1) return QCoreApplication::translate("spots", "1 spot");
    return QCoreApplication::translate("spots", "%1 spots")
        .arg(QLocale(QLocale::English).toString(static_cast<qulonglong>(n)));
}

}  // namespace ks::ui::spots
