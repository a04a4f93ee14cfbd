#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ks::io {

/// What a reader of arrays calls with the shape before it takes memory for the values: throws where that is
/// not the wanted one. Files claim any shape.
using ShapeCheck = std::function<void(const std::vector<std::size_t>& shape)>;

}  // namespace ks::io
