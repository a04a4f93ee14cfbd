#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ui/shell/page.h"

namespace ks::ui {

/// Creates one page of a window.
using MakePage = std::function<std::unique_ptr<Page>(PageContext&)>;

/// The pages of those folders of ui/ that contain a page.h.
std::vector<MakePage> collectedPages();

}  // namespace ks::ui
