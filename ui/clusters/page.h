#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::clusters {

/// Pixel clusters: modules of the detector, the pixels of one of them, the algorithms step by step,
/// tables and histograms.
std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::clusters
