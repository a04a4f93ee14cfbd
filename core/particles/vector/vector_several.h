#pragma once

#include "core/particles/vector/vector_block.h"

namespace ks::particles {

/// The sums of a block with any number of vectors of weights and with gradients: g and its slope are computed
/// once per pair, kept in the L1 cache, and then weighted for every row of sums.
template <class T>
SumBlock<T> several_sums(const SumSettings& settings);

}  // namespace ks::particles
