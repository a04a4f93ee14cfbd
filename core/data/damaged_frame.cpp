#include "core/data/damaged_frame.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace ks {

DamagedFrame::DamagedFrame(std::size_t frame, const std::string& why, const std::string& where)
    : Error(ErrorKind::input, fmt::format("frame {} cannot be read: {}", frame, why), where,
            "the file may be truncated or damaged"),
      frame_(frame),
      why_(why) {}

std::string frame_list(const std::vector<std::size_t>& frames) {
    constexpr std::size_t most = 20;
    const std::size_t shown = std::min(frames.size(), most);
    std::string list = fmt::format("{}", fmt::join(std::span(frames).first(shown), ", "));
    if (shown < frames.size()) list += fmt::format(" and {} more", frames.size() - shown);
    return list;
}

}  // namespace ks
