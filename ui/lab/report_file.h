#pragma once

#include <memory>
#include <string>

#include "core/run/registry.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// Reads a file that `bench --json` or the page Lab wrote. Sizes that its version did not know have their
/// defaults. Throws ks::Error(input) where it is none, is damaged, or of an analysis that there is not.
std::shared_ptr<Compared> readReport(const std::string& path, const Registry& registry);

}  // namespace ks::ui::lab
