#pragma once

#include <optional>

#include <qcustomplot.h>
#include <QString>
#include <QVector>

namespace ks::ui {

/// A curve that stands for all of its bin or run.
struct LegendEntry {
    QCPGraph* curve = nullptr;  ///< its name is the text
    QString brief;              ///< instead of the name where room is short; empty: the name, elided
    std::optional<int> bin;     ///< under which it is told where it is left out
};

/// Lays out the legend of a figure that is drawn for an export: beside the axes where few entries leave them
/// their width, otherwise in columns below them. There bins have their brief names where their full ones
/// would not fit, then smaller letters; and what does not fit even then is
/// named in one line ("not listed: bins 13-15"). All of it takes about a third of the figure at most.
/// @param heading what the brief names are: "bin, q (1/\u00c5)"; stands before them; may be empty
void placeLegend(QCustomPlot& plot, const QVector<LegendEntry>& bins, const QVector<LegendEntry>& runs,
                 const QString& heading);

/// "1-3, 7": ranges of ascending numbers.
QString rangesText(const QVector<int>& numbers);

}  // namespace ks::ui
