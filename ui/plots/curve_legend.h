#pragma once

#include <optional>

#include <qcustomplot.h>
#include <QString>
#include <QVector>

namespace ks::ui {

/// A curve that represents all curves of its bin or run.
struct LegendEntry {
    QCPGraph* curve = nullptr;  ///< its name is the text
    QString brief;              ///< used instead of the name where space is short; empty: the name, elided
    std::optional<int> bin;     ///< named by this number if it does not fit
};

/// Lays out the legend of a figure drawn for an export: next to the axes if there are few entries and the
/// axes keep their width, otherwise in columns below them. There bins get their brief names if the full ones
/// do not fit, then smaller letters. What still does not fit is named in one line ("not listed: bins 13-15").
/// The legend takes at most about a third of the figure.
/// @param heading what the brief names are, in front of them: "bin, q (1/\u00c5)"; may be empty
/// @param always the full names do not say it either
void placeLegend(QCustomPlot& plot, const QVector<LegendEntry>& bins, const QVector<LegendEntry>& runs,
                 const QString& heading, bool always);

/// Moves the legend next to the axes, so that it never covers data.
void moveLegendBeside(QCustomPlot& plot);

/// "1-3, 7": ranges of ascending numbers.
QString rangesText(const QVector<int>& numbers);

}  // namespace ks::ui
