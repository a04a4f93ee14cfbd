#pragma once

#include <QString>

#include "core/run/registry.h"
#include "ui/shell/analysis_page.h"

namespace ks::ui {

/// Path where demoFile() puts the data.
QString demoFolder();

/// Synthetic data of an analysis in the user's cache folder, generated if they are not there yet. Throws
/// ks::Error.
QString demoFile(const Registry& registry, const QString& analysis, const Demo& demo);

}  // namespace ks::ui
