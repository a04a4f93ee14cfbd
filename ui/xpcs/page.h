#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::xpcs {

/// Photon correlation: image with bins, g2 curves, two-time map.
std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::xpcs
