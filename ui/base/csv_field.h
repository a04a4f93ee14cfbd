#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cmath>
#include <string>

#include "core/record/run_table.h"

namespace ks::ui {

/// short_number(); nothing for a missing value.
std::string csvNumber(double value);

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
