#include "core/run/sharing/device_share.h"

#include <fmt/format.h>

namespace ks {

std::string shares_text(const std::vector<DeviceShare>& shares) {
    std::string text;
    for (const DeviceShare& one : shares) {
        if (!text.empty()) text += ", ";
        text += text.empty() ? fmt::format("{} ({:.0f} % of the work", one.label, 100 * one.share)
                             : fmt::format("{} ({:.0f} %", one.label, 100 * one.share);
        text += one.failure.empty() ? ")" : ", failed)";
    }
    return text;
}

}  // namespace ks
