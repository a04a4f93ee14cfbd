#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::spots {

/// Diffraction spots: image with signal and boxes, thresholds with a live result, table and statistics.
std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::spots
