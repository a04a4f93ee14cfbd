#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
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

/// The frames for which a mask and bins were drawn: a file may contain datasets of several detectors, and may
/// be replaced by one with frames of another size.
struct MaskPlace {
    std::string file;
    std::optional<std::string>
        object;  ///< nothing: of a version that did not store it: any object of the file
    std::size_t height = 0, width = 0;
    bool operator==(const MaskPlace&) const = default;
    auto operator<=>(const MaskPlace&) const = default;  // NOLINT(modernize-use-nullptr)
};
using Masks = std::map<MaskPlace, MaskState>;
/// @param data "FILE" or "FILE::/path"
MaskPlace maskPlace(const std::string& data, const MaskState& state);
/// "FILE" or "FILE::/path"
std::string dataOf(const MaskPlace& place);
/// Renames the data of the masks. If the new name already has a mask of this size, that one remains.
void renameMasks(Masks& masks, const std::function<std::string(const std::string&)>& nameNow);

/// [n][3] as in MaskState::bins. @param labels 0: in no bin
Array labelRuns(const std::vector<std::int32_t>& labels);

// [y][x]. Throw ks::Error(input) for runs that do not fit such an image.

/// Validates the runs without unpacking them.
void requireSound(const MaskState& state);
/// 1: ignored
std::vector<std::uint8_t> maskOf(const MaskState& state);
std::vector<std::int32_t> binsOf(const MaskState& state);

/// An edited mask in the forms that requests and jobs use. Rebuilt only after an edit, so that a moving
/// slider does not scan the whole mask each time.
class FrozenMask {
  public:
    void changed() { fresh_ = false; }
    /// Runs of ignored pixels over the flattened image: u32 [n][2] of start and length; n is 0 if no
    /// pixel is ignored.
    const Array& runs(const std::vector<std::uint8_t>& ignore) const;
    /// A copy that later edits do not change; null if no pixel is ignored.
    std::shared_ptr<const std::vector<std::uint8_t>> copy(const std::vector<std::uint8_t>& ignore) const;

  private:
    void refresh(const std::vector<std::uint8_t>& ignore) const;

    mutable bool fresh_ = false;
    mutable Array runs_;
    mutable std::shared_ptr<const std::vector<std::uint8_t>> copy_;
};

/// @param ignore nonzero: ignored
Array runsOf(const std::vector<std::uint8_t>& ignore);

}  // namespace ks::ui
