#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace ks {

/// What FrameSource::read() throws where the file has values of a frame that cannot be decoded: a chunk that
/// is cut, or has other bytes than were written. Frames beside it may be sound.
class DamagedFrame : public Error {
  public:
    /// @param frame the first of those that were asked for that is damaged, as the source counts them
    DamagedFrame(std::size_t frame, const std::string& why, const std::string& where);

    std::size_t frame() const { return frame_; }
    const std::string& why() const { return why_; }

  private:
    std::size_t frame_;
    std::string why_;
};

/// "4, 7, 9"; of many the first twenty "and 34 more".
std::string frame_list(const std::vector<std::size_t>& frames);

}  // namespace ks
