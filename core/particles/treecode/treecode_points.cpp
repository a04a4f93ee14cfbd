#include "core/particles/treecode/treecode_points.h"

#include <algorithm>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

constexpr std::size_t at_once = 32768;

template <class Work>
void over_points(std::size_t n, unsigned threads, const Work& work) {
    parallel_for((n + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t i = some * at_once; i < std::min(n, (some + 1) * at_once); ++i) work(i);
    });
}

template <class T>
Coordinates<T> places_of(const PointSet& points, const Scaling& scaling, unsigned threads) {
    Coordinates<T> places;
    const std::vector<double>* const from[] = {&points.x, &points.y, &points.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        places.of[axis].resize(points.size());
        over_points(points.size(), threads, [&](std::size_t i) {
            places.of[axis][i] = static_cast<T>(scaling.apply((*from[axis])[i], axis));
        });
    }
    return places;
}

}  // namespace

template <class T>
Coordinates<T> source_places(const SumProblem& problem, const Scaling& scaling, unsigned threads) {
    return places_of<T>(problem.sources(), scaling, threads);
}

template <class T>
Coordinates<T> target_places(const SumProblem& problem, const Scaling& scaling, unsigned threads) {
    if (!problem.on_planes() && !problem.on_grid()) return places_of<T>(problem.points(), scaling, threads);
    Coordinates<T> places;
    for (RawVector<T>& values : places.of) values.resize(problem.n_targets());
    over_points(problem.n_targets(), threads, [&](std::size_t i) {
        const Place place = problem.target(i);
        for (std::size_t axis = 0; axis < 3; ++axis)
            places.of[axis][i] = static_cast<T>(scaling.apply(place[axis], axis));
    });
    return places;
}

std::size_t numbers_beside(const SumProblem& problem, std::size_t vectors) {
    return vectors - 1 + (problem.sources().is_complex() ? vectors : 0);
}

template <class T>
void pack_in_order(const SumProblem& problem, const Scaling& scaling, const Coordinates<T>& sorted,
                   std::span<const std::uint32_t> order, std::size_t first_vector, std::size_t vectors,
                   std::span<T> xyzw, std::span<T> more, unsigned threads) {
    const PointSet& sources = problem.sources();
    const std::vector<double>& first = sources.re(first_vector);
    std::vector<const std::vector<double>*> others;
    for (std::size_t v = first_vector + 1; v < first_vector + vectors; ++v) others.push_back(&sources.re(v));
    if (sources.is_complex())
        for (std::size_t v = first_vector; v < first_vector + vectors; ++v) others.push_back(&sources.im(v));
    over_points(order.size(), threads, [&](std::size_t i) {
        const std::size_t row = order[i];
        T* const to = xyzw.data() + 4 * i;
        for (std::size_t axis = 0; axis < 3; ++axis) to[axis] = sorted.of[axis][i];
        to[3] = static_cast<T>(first[row] * scaling.weight);
        for (std::size_t k = 0; k < others.size(); ++k)
            more[i * others.size() + k] =
                others[k]->empty() ? T{0} : static_cast<T>((*others[k])[row] * scaling.weight);
    });
}

template Coordinates<float> source_places(const SumProblem&, const Scaling&, unsigned);
template Coordinates<double> source_places(const SumProblem&, const Scaling&, unsigned);
template Coordinates<float> target_places(const SumProblem&, const Scaling&, unsigned);
template Coordinates<double> target_places(const SumProblem&, const Scaling&, unsigned);
template void pack_in_order(const SumProblem&, const Scaling&, const Coordinates<float>&,
                            std::span<const std::uint32_t>, std::size_t, std::size_t, std::span<float>,
                            std::span<float>, unsigned);
template void pack_in_order(const SumProblem&, const Scaling&, const Coordinates<double>&,
                            std::span<const std::uint32_t>, std::size_t, std::size_t, std::span<double>,
                            std::span<double>, unsigned);

}  // namespace ks::particles
