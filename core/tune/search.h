#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/tune/tuning_space.h"

namespace ks {

/// How configurations of a space are selected.
enum class TuneMethod {
    full,    ///< all, in order
    random,  ///< a random selection without repetition
    anneal   ///< from neighbour to neighbour, occasionally to a slower one
};
const char* name_of(TuneMethod method);
/// Throws ks::Error(input) for an unknown name.
TuneMethod tune_method_from(const std::string& name);

/// The time of a configuration, in any unit, above 0; nothing where it cannot be used.
using CostOf = std::function<std::optional<double>(std::size_t configuration)>;

/// Requests the costs of at most `budget` configurations, each once. The same seed gives the same sequence
/// for the same costs. @param start the first one for `anneal`
void search(const TuningSpace& space, TuneMethod method, std::size_t budget, std::uint64_t seed,
            std::size_t start, const CostOf& cost_of);

}  // namespace ks
