#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace ks::ui {

/// Mask and bins drawn by hand as files keep them: runs of equal pixels over the flattened image [y][x].
struct MaskState {
    std::size_t height = 0, width = 0;
    Array mask{ElementType::u32, {0, 2}};  ///< [n][2]: start and length of what is ignored
    Array bins{ElementType::u32, {0, 3}};  ///< [n][3]: start, length and label
    int binCount = 0;
    bool ofFile = false;   ///< the file's own mask has become the mask
    bool changed = false;  ///< of a mask of the file: it was changed by hand since
    /// More than the file's own mask.
    bool byHand() const { return changed || (mask.size() > 0 && !ofFile) || bins.size() > 0; }
    bool operator==(const MaskState&) const = default;
};

/// [n][3] as in MaskState::bins. @param labels 0: in no bin
Array labelRuns(const std::vector<std::int32_t>& labels);

// [y][x]. They throw ks::Error(input) for runs that are none of such an image.

/// Looks at the runs without unpacking them.
void requireSound(const MaskState& state);
/// 1: ignore
std::vector<std::uint8_t> maskOf(const MaskState& state);
std::vector<std::int32_t> binsOf(const MaskState& state);

}  // namespace ks::ui
