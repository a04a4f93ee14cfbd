#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ks::io {

/// Called by readers of arrays with the shape before memory for the values is allocated: throws if it is not
/// the wanted one. Files may claim any shape.
using ShapeCheck = std::function<void(const std::vector<std::size_t>& shape)>;

}  // namespace ks::io
