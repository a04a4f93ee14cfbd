#pragma once

#include <cstddef>
#include <vector>

#include "core/particles/problem.h"

namespace ks::particles {

/// Coordinates and weights as the fast variants use them. A coordinate v becomes (v - centre) * scale, in
/// double, and is then rounded: the same for sources and targets, so that points that coincide still do.
/// Then, with r in the new unit, a term is
///   rbf        2^(-r^2) c,                      scale = sqrt(log2(e) / 2) / sigma, weight 1
///   laplace    (1 / r) c weight,                scale = a power of 2, weight = scale / (4 pi)
///   helmholtz  e^(2 pi i turns r) / r c weight, the same and turns = k / (2 pi scale)
struct Scaling {
    Place centre{};
    double scale = 1, weight = 1, turns = 0;

    double apply(double value, std::size_t axis) const { return (value - centre[axis]) * scale; }
};
Scaling scaling_of(const SumProblem& problem);

/// Sources in the scaled unit: x, y, z, weight of each one after another, and imaginary parts where there are
/// some.
template <class T>
struct PackedSources {
    std::vector<T> xyzw, weight_im;
};
template <class T>
PackedSources<T> pack_sources(const SumProblem& problem, const Scaling& scaling);

/// What targets are made from, in the scaled unit. On planes: the coordinates along a side for x, then y,
/// then z, and the three fixed ones: x of yz, y of xz, z of xy. At points: x, then y, then z of points first
/// .. first + count.
template <class T>
std::vector<T> pack_places(const SumProblem& problem, const Scaling& scaling, std::size_t first,
                           std::size_t count);

}  // namespace ks::particles
