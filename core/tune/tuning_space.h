#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/run/variant.h"

namespace ks {

using Defines = std::map<std::string, std::string>;

/// Values of one define that may be tried.
struct TuningAxis {
    std::string name;
    std::vector<std::string> values;
};

/// All configurations of some defines that fulfil the rules.
class TuningSpace {
  public:
    /// Every combination. Throws ks::Error(input) where none fulfils the rules, there are over a million
    /// combinations, or a rule asks for a number that is none.
    /// @param fixed values of what rules may name beside the axes
    TuningSpace(std::vector<TuningAxis> axes, const std::vector<std::string>& rules, const Defines& fixed);

    const std::vector<TuningAxis>& axes() const { return axes_; }
    std::size_t size() const { return points_.size(); }
    std::size_t combinations() const { return combinations_; }
    Defines defines(std::size_t configuration) const;
    /// Those that differ in one define alone, by the next value before or behind.
    std::vector<std::size_t> neighbours(std::size_t configuration) const;
    /// The one with most values of `wanted`, the first of several.
    std::size_t nearest(const Defines& wanted) const;

  private:
    std::vector<TuningAxis> axes_;
    std::size_t combinations_ = 1;
    std::vector<std::vector<std::size_t>> points_;  ///< indices of values by axis, in order
};

/// The space of a variant: the values that its defines allow, `given` in place of those. Throws
/// ks::Error(input) for an unknown define, a value that is not allowed, a define that is in none of them, and
/// as TuningSpace does.
TuningSpace space_of(const Variant& variant, const std::map<std::string, std::vector<std::string>>& given,
                     const std::vector<std::string>& further_rules, const DeviceInfo& device);

}  // namespace ks
