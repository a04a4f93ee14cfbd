#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace ks::ui {

/// Mask and hand-drawn bins in the form saved to files: runs of equal pixels over the flattened image [y][x].
struct MaskState {
    std::size_t height = 0, width = 0;
    Array mask{ElementType::u32, {0, 2}};  ///< [n][2]: start and length of each ignored run
    Array bins{ElementType::u32, {0, 3}};  ///< [n][3]: start, length and label
    int binCount = 0;
    bool ofFile = false;   ///< the mask comes from the file's own mask
    bool changed = false;  ///< the file's mask was edited since it was loaded
    /// Something other than the unchanged mask of the file.
    bool byHand() const { return changed || (mask.size() > 0 && !ofFile) || bins.size() > 0; }
    bool operator==(const MaskState&) const = default;
};

/// [n][3] as in MaskState::bins. @param labels 0: in no bin
Array labelRuns(const std::vector<std::int32_t>& labels);

// [y][x]. Throw ks::Error(input) for runs that do not fit such an image.

/// Validates the runs without unpacking them.
void requireSound(const MaskState& state);
/// 1: ignored
std::vector<std::uint8_t> maskOf(const MaskState& state);
std::vector<std::int32_t> binsOf(const MaskState& state);

}  // namespace ks::ui
