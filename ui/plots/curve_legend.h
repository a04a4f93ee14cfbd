#pragma once

#include <qcustomplot.h>
#include <QString>
#include <QVector>

namespace ks::ui {

/// A curve that stands for all of its bin or run.
struct LegendEntry {
    QCPGraph* curve = nullptr;  ///< its name is the text
    QString brief;              ///< instead of the name where room is short; empty: the name, elided
};

/// Lays out the legend of a figure that is drawn for an export: beside the axes where few entries leave them
/// their width, otherwise in columns below them. There bins are told by their numbers alone where their names
/// would take more than a quarter of the height, and what does not fit even then is counted ("+ 4").
void placeLegend(QCustomPlot& plot, const QVector<LegendEntry>& bins, const QVector<LegendEntry>& runs);

}  // namespace ks::ui
