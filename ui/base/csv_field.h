#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cmath>
#include <string>

#include "core/record/run_table.h"

namespace ks::ui {

/// The shortest text that reads back as the same value; "nan" for an undefined value, nothing for a missing
/// one. A number with at most 12 digits that was rounded twice, such as the delay 9 x 0.001 s, is written as
/// that number: "0.009".
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
