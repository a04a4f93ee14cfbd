#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ui/shell/page.h"

namespace ks::ui {

/// Makes one page of a window.
using MakePage = std::function<std::unique_ptr<Page>(PageContext&)>;

/// Those of the folders of ui/ that hold a page.h.
std::vector<MakePage> collectedPages();

}  // namespace ks::ui
