#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/array.h"

namespace ks::ui {

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
