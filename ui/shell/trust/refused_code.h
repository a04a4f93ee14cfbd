#pragma once

#include <QString>
#include <QStringList>

#include "core/run/analysis.h"
#include "core/run/parameter_spec.h"

class QSettings;

namespace ks::ui {

// Expressions of projects that the user did not allow to be compiled. They stay in their fields, but are not
// compiled before the user has been asked again. The settings store them from one start to the next.

/// @param project its file
/// @param texts values of parameters
void keepRefused(QSettings& settings, const QString& project, const QStringList& texts);

/// Values of these parameters that are unknown code; empty: there is none.
QStringList unknownTexts(const Analysis& analysis, const ParameterSet& parameters);

/// The project with the expressions in these parameters; empty: they may be compiled, since none was refused,
/// or the code as a whole was allowed since (core/run/user/trusted_code.h).
QString refusedProject(const QSettings& settings, const Analysis& analysis, const ParameterSet& parameters);

}  // namespace ks::ui
