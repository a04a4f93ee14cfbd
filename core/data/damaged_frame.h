#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace ks {

/// Thrown by FrameSource::read() if a frame's values cannot be decoded: a chunk is truncated, or its bytes
/// are not those that were written. Other frames may be intact.
class DamagedFrame : public Error {
  public:
    /// @param frame the first damaged one of the requested frames, numbered as in the source
    DamagedFrame(std::size_t frame, const std::string& why, const std::string& where);

    std::size_t frame() const { return frame_; }
    const std::string& why() const { return why_; }

  private:
    std::size_t frame_;
    std::string why_;
};

/// "4, 7, 9"; if there are many, the first twenty "and 34 more".
std::string frame_list(const std::vector<std::size_t>& frames);

}  // namespace ks
