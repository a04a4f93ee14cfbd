#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/element_type.h"
#include "core/devices/device_info.h"

namespace ks {

/// Defines that suit a kernel on a kind of device and element type.
struct TuningRow {
    std::string variant;                         ///< variant id
    std::string device;                          ///< part of a device name, or "CPU", "GPU", or "" for all
    std::string element;                         ///< "u8", or "" for all
    std::map<std::string, std::string> defines;  ///< NAME -> value
};

/// Rows of data; the most specific match wins per define: a device name beats a device type beats "", and at
/// equal device an element beats "".
class TuningTable {
  public:
    explicit TuningTable(std::vector<TuningRow> rows) : rows_(std::move(rows)) {}
    std::map<std::string, std::string> lookup(const std::string& variant, const DeviceInfo& device,
                                              ElementType element) const;

  private:
    std::vector<TuningRow> rows_;
};

}  // namespace ks
