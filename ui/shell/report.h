#pragma once

#include <QDir>
#include <QString>
#include <QStringList>

#include "core/run/parameter_spec.h"

namespace ks::ui {

class MainWindow;

/// Drives the window without a user: opens `name` (empty: the demo of the page), runs the default variant
/// and, where that is quick, the yardstick, and writes pictures, the page's main plot and the run into
/// `folder`. Returns the files. `given` are parameters of the page ("swap_xy"). Throws ks::Error.
QStringList writeReport(MainWindow& window, const QString& name, const QDir& folder,
                        const ParameterSet& given = {});

}  // namespace ks::ui
