#include "ui/image/mask/frozen_mask.h"

#include <cstring>

namespace ks::ui {

Array runsOf(const std::vector<std::uint8_t>& ignore) {
    std::vector<std::uint32_t> runs;
    const std::size_t n = ignore.size();
    std::size_t at = 0;
    while (at < n) {
        // Eight free pixels at a time, as most of a mask is free.
        std::uint64_t eight = 0;
        while (at + 8 <= n && (std::memcpy(&eight, ignore.data() + at, 8), eight == 0)) at += 8;
        while (at < n && ignore[at] == 0) ++at;
        const std::size_t start = at;
        while (at < n && ignore[at] != 0) ++at;
        if (at > start) {
            runs.push_back(static_cast<std::uint32_t>(start));
            runs.push_back(static_cast<std::uint32_t>(at - start));
        }
    }
    return Array::of({runs.size() / 2, 2}, runs);
}

void FrozenMask::refresh(const std::vector<std::uint8_t>& ignore) const {
    if (fresh_) return;
    runs_ = runsOf(ignore);
    copy_.reset();
    fresh_ = true;
}

const Array& FrozenMask::runs(const std::vector<std::uint8_t>& ignore) const {
    refresh(ignore);
    return runs_;
}

std::shared_ptr<const std::vector<std::uint8_t>> FrozenMask::copy(
    const std::vector<std::uint8_t>& ignore) const {
    refresh(ignore);
    if (!copy_ && runs_.size() > 0) copy_ = std::make_shared<const std::vector<std::uint8_t>>(ignore);
    return copy_;
}

}  // namespace ks::ui
