#include "core/particles/scaling.h"

#include <cmath>
#include <numbers>

namespace ks::particles {

Scaling scaling_of(const SumProblem& problem) {
    const SumSettings& settings = problem.settings();
    Scaling scaling;
    scaling.centre = problem.centre();
    if (!settings.singular()) {
        scaling.scale = std::sqrt(std::numbers::log2e / 2) / settings.sigma;
        return scaling;
    }
    if (problem.half_extent() > 0) scaling.scale = std::ldexp(1.0, -std::ilogb(problem.half_extent()));
    scaling.weight = scaling.scale / (4 * std::numbers::pi);
    if (settings.kernel == Kernel::helmholtz)
        scaling.turns = settings.wavenumber / (2 * std::numbers::pi * scaling.scale);
    return scaling;
}

template <class T>
PackedSources<T> pack_sources(const SumProblem& problem, const Scaling& scaling) {
    const PointSet& sources = problem.sources();
    PackedSources<T> packed;
    packed.xyzw.resize(4 * sources.size());
    for (std::size_t j = 0; j < sources.size(); ++j) {
        T* const to = packed.xyzw.data() + 4 * j;
        to[0] = static_cast<T>(scaling.apply(sources.x[j], 0));
        to[1] = static_cast<T>(scaling.apply(sources.y[j], 1));
        to[2] = static_cast<T>(scaling.apply(sources.z[j], 2));
        to[3] = static_cast<T>(sources.weight[j] * scaling.weight);
    }
    for (const double weight : sources.weight_im)
        packed.weight_im.push_back(static_cast<T>(weight * scaling.weight));
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
    packed.reserve(3 * count);
    const std::vector<double>* const from[] = {&problem.points().x, &problem.points().y, &problem.points().z};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = first; i < first + count; ++i) put((*from[axis])[i], axis);
    return packed;
}

template PackedSources<float> pack_sources(const SumProblem&, const Scaling&);
template PackedSources<double> pack_sources(const SumProblem&, const Scaling&);
template std::vector<float> pack_places(const SumProblem&, const Scaling&, std::size_t, std::size_t);
template std::vector<double> pack_places(const SumProblem&, const Scaling&, std::size_t, std::size_t);

}  // namespace ks::particles
