#pragma once

#include <QByteArray>
#include <QString>
#include <cmath>
#include <string>

namespace ks::ui {

/// With 17 digits; "nan" for an undefined value.
inline std::string csvNumber(double value) {
    return std::isnan(value) ? "nan" : QByteArray::number(value, 'g', 17).toStdString();
}

/// Quoted where necessary.
inline std::string csvField(QString text) {
    if (!text.contains(',') && !text.contains('"')) return text.toStdString();
    return '"' + text.replace(QStringLiteral("\""), QStringLiteral("\"\"")).toStdString() + '"';
}

}  // namespace ks::ui
