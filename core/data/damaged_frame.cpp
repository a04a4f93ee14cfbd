#include "core/data/damaged_frame.h"

#include <fmt/format.h>

#include "core/base/printable.h"

namespace ks {

DamagedFrame::DamagedFrame(std::size_t frame, const std::string& why, const std::string& where)
    : Error(ErrorKind::input, fmt::format("frame {} cannot be read: {}", frame, why), where,
            "the file may be truncated or damaged"),
      frame_(frame),
      why_(why) {}

std::string frame_list(const std::vector<std::size_t>& frames) {
    constexpr std::size_t most = 20;
    std::vector<std::string> names;
    for (const std::size_t frame : frames) names.push_back(std::to_string(frame));
    return listed(names, most);
}

}  // namespace ks
