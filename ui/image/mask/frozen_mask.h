#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/array.h"

namespace ks::ui {

/// An edited mask as requests and jobs take it, made anew only after it was edited: a moving slider does not
/// read the whole mask each time.
class FrozenMask {
  public:
    void changed() { fresh_ = false; }
    /// Runs of ignored pixels over the flattened image: u32 [n][2] of start and length; n is 0 where none is.
    const Array& runs(const std::vector<std::uint8_t>& ignore) const;
    /// A copy that stays as it is while the mask is edited; null where no pixel is ignored.
    std::shared_ptr<const std::vector<std::uint8_t>> copy(const std::vector<std::uint8_t>& ignore) const;

  private:
    void refresh(const std::vector<std::uint8_t>& ignore) const;

    mutable bool fresh_ = false;
    mutable Array runs_;
    mutable std::shared_ptr<const std::vector<std::uint8_t>> copy_;
};

/// @param ignore anything but 0: ignore
Array runsOf(const std::vector<std::uint8_t>& ignore);

}  // namespace ks::ui
