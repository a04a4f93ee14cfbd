#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/run/variant.h"

namespace ks {

using Defines = std::map<std::string, std::string>;

/// Values of one define to be tried.
struct TuningAxis {
    std::string name;
    std::vector<std::string> values;
};

/// All configurations of some defines that fulfil the rules.
class TuningSpace {
  public:
    /// All combinations. Throws ks::Error(input) if no combination fulfils the rules, if there are over a
    /// million combinations, or if a rule uses a value that is not a number.
    /// @param fixed values of other names in rules
    TuningSpace(std::vector<TuningAxis> axes, const std::vector<std::string>& rules, const Defines& fixed);

    const std::vector<TuningAxis>& axes() const { return axes_; }
    std::size_t size() const { return points_.size(); }
    std::size_t combinations() const { return combinations_; }
    Defines defines(std::size_t configuration) const;
    /// Configurations that differ in a single define, by the previous or the next value.
    std::vector<std::size_t> neighbours(std::size_t configuration) const;
    /// The configuration with the most values of `wanted`; the first of several.
    std::size_t nearest(const Defines& wanted) const;

  private:
    std::vector<TuningAxis> axes_;
    std::size_t combinations_ = 1;
    std::vector<std::vector<std::size_t>> points_;  ///< value indices per axis, in order
};

/// The space of a variant: the allowed values of its defines, replaced by `given`. Throws ks::Error(input)
/// for an unknown define, a value that is not allowed, a define without values, and as TuningSpace does.
TuningSpace space_of(const Variant& variant, const std::map<std::string, std::vector<std::string>>& given,
                     const std::vector<std::string>& further_rules, const DeviceInfo& device);

/// How configurations of a space are selected.
enum class TuneMethod {
    full,    ///< all, in order
    random,  ///< a random selection without repetition
    anneal   ///< from neighbour to neighbour, occasionally to a slower one
};
const char* name_of(TuneMethod method);
/// Throws ks::Error(input) for an unknown name.
TuneMethod tune_method_from(const std::string& name);

/// The time of a configuration, in any unit, above 0; nothing if it cannot be used.
using CostOf = std::function<std::optional<double>(std::size_t configuration)>;

/// Requests the costs of at most `budget` configurations, each once. The same seed gives the same sequence
/// for the same costs. @param start the first one for `anneal`
void search(const TuningSpace& space, TuneMethod method, std::size_t budget, std::uint64_t seed,
            std::size_t start, const CostOf& cost_of);

}  // namespace ks
