#pragma once

#include <QString>
#include <QStringList>

namespace ks::ui {

// Filters for file dialogs, from the formats in io::frame_formats().

/// "TITLE (*.h5 ... *.npy)" of all formats.
QString formatsFilter(const QString& title);
/// "TITLE (*.csv *.h5 ...)" of files that can hold tables: CSV and suitable formats.
/// @param objects only formats with objects
QString tablesFilter(const QString& title, bool objects);
/// For opening frames: all formats in one line, then each of them.
QStringList frameFilters();
/// For opening images such as masks: all formats, then all files.
QString imageFilters(const QString& title);
/// For saving images: one line per format, with its first suffix.
QString saveFilters();

}  // namespace ks::ui
