#pragma once

#include <cstddef>
#include <vector>

#include "core/particles/problem.h"

namespace ks::particles {

/// Coordinates and weights in the form the fast variants use. A coordinate v becomes (v - centre) * scale,
/// computed in double and then rounded. Sources and targets are treated alike, so that points that coincide
/// still do. With r in the new unit, a term is
///   rbf        2^(-r^2) c,                      scale = sqrt(log2(e) / 2) / sigma, weight 1
///   laplace    (1 / r) c weight,                scale = a power of 2, weight = scale / (4 pi)
///   helmholtz  e^(2 pi i turns r) / r c weight, the same and turns = k / (2 pi scale)
/// and its gradient, with v the vector from the source to the target in the new unit, is slope times
///   rbf        v 2^(-r^2) c,                                                        slope = -2 ln 2 scale
///   laplace    v / r (1 / r) (1 / r) c weight,                                      slope = -scale
///   helmholtz  v / r (1 / r - 2 pi i turns) e^(2 pi i turns r) / r c weight,        slope = -scale
struct Scaling {
    Place centre{};
    double scale = 1, weight = 1, turns = 0, slope = 0;

    double apply(double value, std::size_t axis) const { return (value - centre[axis]) * scale; }
};
Scaling scaling_of(const SumProblem& problem);

/// Sources in the scaled unit with `vectors` of their vectors of weights: x, y, z and the (real part of the)
/// first weight of each source in turn. `more` holds the other weights of each source: the real parts of the
/// other vectors, then, if any weight is complex, the imaginary parts of all.
template <class T>
struct PackedSources {
    std::vector<T> xyzw, more;
};
template <class T>
PackedSources<T> pack_sources(const SumProblem& problem, const Scaling& scaling, std::size_t first_vector,
                              std::size_t vectors);

/// The same for sources [begin, end) with all vectors, on one thread.
template <class T>
PackedSources<T> pack_part(const SumProblem& problem, const Scaling& scaling, std::size_t begin,
                           std::size_t end);

/// Coordinates from which targets are formed, in the scaled unit. On planes and in a cube: those along a side
/// for x, then y, then z, and for planes the three fixed ones: x of yz, y of xz, z of xy. At points: x, then
/// y, then z of the problem's points first .. first + count.
template <class T>
std::vector<T> pack_places(const SumProblem& problem, const Scaling& scaling, std::size_t first,
                           std::size_t count);

}  // namespace ks::particles
