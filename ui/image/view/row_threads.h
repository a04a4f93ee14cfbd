#pragma once

#include <algorithm>
#include <cstddef>

#include "core/base/parallel.h"

namespace ks::ui {

/// Calls use(first, end) for parts of [0, n), each of `minimum` or more, on several threads and returns when
/// all are done. The data they read cannot change meanwhile, as the caller waits.
template <class Use>
void inParts(std::size_t n, std::size_t minimum, Use&& use) {
    const std::size_t maximum = std::min<std::size_t>(compute_threads(), 8);
    const std::size_t parts = std::clamp<std::size_t>(n / std::max<std::size_t>(minimum, 1), 1, maximum);
    parallel_for(parts, static_cast<unsigned>(parts),
                 [&](std::size_t k) { use(n * k / parts, n * (k + 1) / parts); });
}

}  // namespace ks::ui
