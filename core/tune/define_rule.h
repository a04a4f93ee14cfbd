#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/devices/device_info.h"

namespace ks {

/// What values of defines must fulfil together, in whole numbers: "WG_X * WG_Y <= work_group". There are
/// + - * / %, comparisons (== != < <= > >=), && and ||, and brackets, which bind as in C. Names are those of
/// defines, and of limits of the device: work_group (items of its largest group), local_bytes, compute_units.
class DefineRule {
  public:
    /// Throws ks::Error(input) where the text is no rule, or has other names than `known`.
    DefineRule(std::string text, const std::vector<std::string>& known);

    const std::string& text() const { return text_; }
    /// The names in it, each once.
    const std::vector<std::string>& names() const { return names_; }
    /// Throws ks::Error(input) where a name has no whole number as its value, or something is divided by 0.
    bool holds(const std::map<std::string, std::string>& values) const;

  private:
    std::string text_;
    std::vector<std::string> names_;
};

/// Values by their names in rules.
std::map<std::string, std::string> limits_of(const DeviceInfo& device);

}  // namespace ks
