#pragma once

#include <memory>
#include <string>

#include "core/run/registry.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// Reads a file written by `bench --json` or the page Lab. Sizes unknown to the version that wrote it have
/// their defaults. Throws ks::Error(input) if it is not such a file, is damaged, or is of an unknown
/// analysis.
std::shared_ptr<Compared> readReport(const std::string& path, const Registry& registry);

}  // namespace ks::ui::lab
