#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cmath>
#include <string>

#include "core/data/missing_value.h"
#include "core/record/run_table.h"

namespace ks::ui {

/// With 17 digits; "nan" for an undefined value, nothing for a missing one.
inline std::string csvNumber(double value) {
    if (is_missing(value)) return {};
    return std::isnan(value) ? "nan" : QByteArray::number(value, 'g', 17).toStdString();
}

/// Quoted where necessary.
inline std::string csvField(const QString& text) {
    return io::csv_field(text.toStdString());
}

/// The first line of a table, with its line end.
inline std::string csvHeader(const QStringList& titles) {
    std::string text;
    for (const QString& title : titles) text += (text.empty() ? "" : ",") + csvField(title);
    return text + '\n';
}

}  // namespace ks::ui
