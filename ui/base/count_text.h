#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/printable.h"

namespace ks::ui {

/// "2,912"
inline QString grouped(std::size_t n) {
    return QLocale(QLocale::English).toString(static_cast<qulonglong>(n));
}

/// "1 spot", "2,912 spots".
/// @param many contains %1 for the number
inline QString counted(std::size_t n, const QString& one, const QString& many) {
    return n == 1 ? one : many.arg(grouped(n));
}

/// "a, b and 3 more"; see ks::listed().
inline QString listedText(const QStringList& names, std::size_t most, const char* between = ", ") {
    std::vector<std::string> all;
    for (const QString& one : names) all.push_back(one.toStdString());
    return QString::fromStdString(listed(all, most, between));
}

/// Those that say something.
inline QString joinedTexts(QStringList parts, const QString& between = QStringLiteral("; ")) {
    parts.removeAll(QString());
    return parts.join(between);
}

/// With its first letter as a capital.
inline QString capitalised(const QString& text) {
    return text.left(1).toUpper() + text.mid(1);
}

}  // namespace ks::ui
