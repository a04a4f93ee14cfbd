#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/devices/device_info.h"

namespace ks {

/// A condition on the values of defines, in whole numbers: "WG_X * WG_Y <= work_group". Operators are + - * /
/// %, comparisons (== != < <= > >=), && and ||, and brackets, with the precedence of C. Names are those of
/// defines, and of device limits: work_group (work-items of its largest group), local_bytes, compute_units.
class DefineRule {
  public:
    /// Throws ks::Error(input) if the text is not a valid rule, or contains names other than `known`.
    DefineRule(std::string text, const std::vector<std::string>& known);

    const std::string& text() const { return text_; }
    /// The distinct names in it.
    const std::vector<std::string>& names() const { return names_; }
    /// Throws ks::Error(input) if the value of a name is not a whole number, or there is a division by 0.
    bool holds(const std::map<std::string, std::string>& values) const;

  private:
    std::string text_;
    std::vector<std::string> names_;
};

/// Device limits by their names in rules.
std::map<std::string, std::string> limits_of(const DeviceInfo& device);

}  // namespace ks
