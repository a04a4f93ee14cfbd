#pragma once

#include <optional>
#include <string>

#include "core/devices/device_info.h"

namespace ks {

/// Which device of this machine: the host, or a position among the OpenCL devices. Contexts of one device are
/// alike.
class DeviceId {
  public:
    explicit DeviceId(const DeviceInfo& device) {
        if (device.type != "host" && device.index >= 0) index_ = device.index;
    }

    bool is_host() const { return !index_; }
    /// As requests and lists name it: "host", "0".
    std::string text() const { return index_ ? std::to_string(*index_) : "host"; }

    auto operator<=>(const DeviceId&) const = default;

  private:
    std::optional<int> index_;  ///< none: the host
};

}  // namespace ks
