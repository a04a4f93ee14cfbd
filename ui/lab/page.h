#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::lab {

std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::lab
