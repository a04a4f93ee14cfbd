#pragma once

#include <memory>

#include "ui/shell/page.h"

namespace ks::ui::particles {

/// Particle sums: three linked maps of the planes xy, xz and yz, profiles, and the error
/// against the reference.
std::unique_ptr<Page> makePage(PageContext& context);

}  // namespace ks::ui::particles
