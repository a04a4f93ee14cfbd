#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::tune {

std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::tune
