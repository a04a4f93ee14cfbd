#pragma once

#include <QDir>
#include <QString>
#include <QStringList>
#include <functional>

#include "core/run/parameter_spec.h"

namespace ks::ui {

class MainWindow;

/// Drives the window without a user: opens `name` (empty: the demo of the page), runs the default variant
/// and, if its first second predicts less than ten, the baseline. Writes pictures, the page's main plot, the
/// run, and a list of what was run or skipped (report.txt) into `folder`. Returns the files. `given` are
/// parameters of the page ("swap_xy"); `say` gets a line before each run. Throws ks::Error.
QStringList writeReport(MainWindow& window, const QString& name, const QDir& folder,
                        const ParameterSet& given = {}, const std::function<void(const QString&)>& say = {});

}  // namespace ks::ui
