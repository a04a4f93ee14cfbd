#pragma once

#include <span>

#include "core/particles/problem.h"
#include "core/particles/scaling.h"
#include "core/particles/treecode/cluster_tree.h"

namespace ks::particles {

/// Points in the unit of Scaling, rounded to T as in all fast variants.
template <class T>
Coordinates<T> source_places(const SumProblem& problem, const Scaling& scaling, unsigned threads);
template <class T>
Coordinates<T> target_places(const SumProblem& problem, const Scaling& scaling, unsigned threads);

/// pack_sources() for sources in the order of a tree, into memory of their size.
/// @param sorted their coordinates
template <class T>
void pack_in_order(const SumProblem& problem, const Scaling& scaling, const Coordinates<T>& sorted,
                   std::span<const std::uint32_t> order, std::size_t first_vector, std::size_t vectors,
                   std::span<T> xyzw, std::span<T> more, unsigned threads);
/// Numbers per source in `more`.
std::size_t numbers_beside(const SumProblem& problem, std::size_t vectors);

}  // namespace ks::particles
