#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/tune/tuning_space.h"

namespace ks {

/// Which configurations of a space are tried.
enum class TuneMethod {
    full,    ///< all, in order
    random,  ///< some, each once
    anneal   ///< from one neighbour to the next, and now and then to a slower one
};
const char* name_of(TuneMethod method);
/// Throws ks::Error(input) for an unknown name.
TuneMethod tune_method_from(const std::string& name);

/// How long a configuration takes, in whatever unit, above 0; nothing where it cannot be used.
using CostOf = std::function<std::optional<double>(std::size_t configuration)>;

/// Asks for the costs of at most `budget` configurations, each once. The same seed asks for the same ones
/// where the costs are the same. @param start the first of `anneal`
void search(const TuningSpace& space, TuneMethod method, std::size_t budget, std::uint64_t seed,
            std::size_t start, const CostOf& cost_of);

}  // namespace ks
