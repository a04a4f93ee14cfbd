#include "core/particles/scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/parallel.h"
#include "core/base/threads.h"

namespace ks::particles {

Scaling scaling_of(const SumProblem& problem) {
    const SumSettings& settings = problem.settings();
    Scaling scaling;
    scaling.centre = problem.centre();
    if (!settings.singular()) {
        scaling.scale = std::sqrt(std::numbers::log2e / 2) / settings.sigma;
        scaling.slope = -2 * std::numbers::ln2 * scaling.scale;
        return scaling;
    }
    if (problem.reach() > 0) scaling.scale = std::ldexp(1.0, -std::ilogb(problem.reach()));
    scaling.weight = scaling.scale / (4 * std::numbers::pi);
    scaling.slope = -scaling.scale;
    if (settings.kernel == Kernel::helmholtz)
        scaling.turns = settings.wavenumber / (2 * std::numbers::pi * scaling.scale);
    return scaling;
}

namespace {

/// Weights of a source other than the real part of the first.
std::vector<const std::vector<double>*> other_weights(const PointSet& sources, std::size_t first_vector,
                                                      std::size_t vectors) {
    std::vector<const std::vector<double>*> others;
    for (std::size_t v = first_vector + 1; v < first_vector + vectors; ++v) others.push_back(&sources.re(v));
    if (sources.is_complex())
        for (std::size_t v = first_vector; v < first_vector + vectors; ++v) others.push_back(&sources.im(v));
    return others;
}

/// Writes sources [begin, end) to arrays that start with source `from`.
template <class T>
void pack(const SumProblem& problem, const Scaling& scaling, std::size_t first_vector,
          const std::vector<const std::vector<double>*>& others, std::size_t begin, std::size_t end,
          std::size_t from, PackedSources<T>& packed) {
    const PointSet& sources = problem.sources();
    for (std::size_t j = begin; j < end; ++j) {
        T* const to = packed.xyzw.data() + 4 * (j - from);
        to[0] = static_cast<T>(scaling.apply(sources.x[j], 0));
        to[1] = static_cast<T>(scaling.apply(sources.y[j], 1));
        to[2] = static_cast<T>(scaling.apply(sources.z[j], 2));
        to[3] = static_cast<T>(sources.re(first_vector)[j] * scaling.weight);
    }
    for (std::size_t i = 0; i < others.size(); ++i)
        for (std::size_t j = begin; j < std::min(end, others[i]->size()); ++j)
            packed.more[(j - from) * others.size() + i] = static_cast<T>((*others[i])[j] * scaling.weight);
}

}  // namespace

template <class T>
PackedSources<T> pack_sources(const SumProblem& problem, const Scaling& scaling, std::size_t first_vector,
                              std::size_t vectors) {
    const std::size_t n = problem.n_sources();
    const auto others = other_weights(problem.sources(), first_vector, vectors);
    PackedSources<T> packed;
    packed.xyzw.resize(4 * n);
    packed.more.resize(others.size() * n);
    Progress quiet;
    constexpr std::size_t at_once = 65536;
    parallel_for((n + at_once - 1) / at_once, compute_threads(), quiet, [&](std::size_t i) {
        pack(problem, scaling, first_vector, others, i * at_once, std::min(n, (i + 1) * at_once), 0, packed);
    });
    return packed;
}

template <class T>
PackedSources<T> pack_part(const SumProblem& problem, const Scaling& scaling, std::size_t begin,
                           std::size_t end) {
    const auto others = other_weights(problem.sources(), 0, problem.n_vectors());
    PackedSources<T> packed;
    packed.xyzw.resize(4 * (end - begin));
    packed.more.resize(others.size() * (end - begin));
    pack(problem, scaling, 0, others, begin, end, begin, packed);
    return packed;
}

template <class T>
std::vector<T> pack_places(const SumProblem& problem, const Scaling& scaling, std::size_t first,
                           std::size_t count) {
    std::vector<T> packed;
    const auto put = [&](double value, std::size_t axis) {
        packed.push_back(static_cast<T>(scaling.apply(value, axis)));
    };
    if (problem.on_planes()) {
        const PlaneGrid& planes = problem.planes();
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < planes.side; ++i) put(planes.at(i), axis);
        put(planes.x_of_yz, 0);
        put(planes.y_of_xz, 1);
        put(planes.z_of_xy, 2);
        return packed;
    }
    if (problem.on_grid()) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < problem.grid().side; ++i) put(problem.grid().at(i), axis);
        return packed;
    }
    packed.reserve(3 * count);
    const std::vector<double>* const from[] = {&problem.points().x, &problem.points().y, &problem.points().z};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = 0; i < count; ++i) put((*from[axis])[problem.first_target() + first + i], axis);
    return packed;
}

template PackedSources<float> pack_sources(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template PackedSources<double> pack_sources(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template PackedSources<float> pack_part(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template PackedSources<double> pack_part(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template std::vector<float> pack_places(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template std::vector<double> pack_places(const SumProblem&, const Scaling&, std::size_t, std::size_t);

}  // namespace ks::particles
