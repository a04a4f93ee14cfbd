#pragma once

#include <QString>

#include "core/run/registry.h"

namespace ks::ui {

/// A synthetic speckle series in the user's cache folder; made where it is not there yet. Throws ks::Error.
QString demoFile(const Registry& registry);

}  // namespace ks::ui
