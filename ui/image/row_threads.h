#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <vector>

#include "core/run/threads.h"

namespace ks::ui {

/// Calls use(first, end) for parts of [0, n) on several threads, each of `least` or more, and returns when
/// all are done. What they read cannot change meanwhile: the caller waits.
template <class Use>
void inParts(std::size_t n, std::size_t least, Use&& use) {
    const std::size_t most = std::min<std::size_t>(compute_threads(), 8);
    const std::size_t parts = std::clamp<std::size_t>(n / std::max<std::size_t>(least, 1), 1, most);
    std::vector<std::future<void>> others;
    for (std::size_t k = 1; k < parts; ++k) {
        others.push_back(
            beside([&use, first = n * k / parts, end = n * (k + 1) / parts] { use(first, end); }));
    }
    use(std::size_t{0}, n / parts);
    for (auto& other : others) other.get();
}

}  // namespace ks::ui
