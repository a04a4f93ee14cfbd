#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/particles/analysis.h"
#include "core/particles/check.h"
#include "core/particles/problem.h"
#include "core/particles/result.h"
#include "tests/core/run_on_host.h"

namespace ks::tests {

using PointsPtr = std::shared_ptr<const PointSet>;

/// Points of the C++ library's own generator, uniform in a cube, with real or complex weights of both signs.
inline PointsPtr random_points(std::size_t n, unsigned seed, bool complex_weights = false, double low = 0,
                               double high = 1) {
    std::mt19937_64 generator(seed);
    const auto uniform = [&](double from, double to) {
        return from + (to - from) * static_cast<double>(generator() >> 11) * 0x1p-53;
    };
    auto set = std::make_shared<PointSet>();
    for (std::size_t i = 0; i < n; ++i) {
        set->x.push_back(uniform(low, high));
        set->y.push_back(uniform(low, high));
        set->z.push_back(uniform(low, high));
        set->weight.push_back(uniform(-1, 1));
        if (complex_weights) set->weight_im.push_back(uniform(-1, 1));
    }
    return set;
}

/// The same points with that many vectors of weights; all but the second are complex where `complex_weights`
/// asks for it.
inline PointsPtr with_vectors(const PointsPtr& points, std::size_t vectors, bool complex_weights) {
    auto set = std::make_shared<PointSet>(*points);
    for (std::size_t v = 1; v < vectors; ++v) {
        const PointsPtr other =
            random_points(points->size(), 1000 + static_cast<unsigned>(v), complex_weights && v != 1);
        set->more.push_back({other->weight, other->weight_im});
    }
    return set;
}

inline PointsPtr points_of(const std::vector<std::array<double, 4>>& rows) {
    auto set = std::make_shared<PointSet>();
    for (const auto& [x, y, z, weight] : rows) {
        set->x.push_back(x);
        set->y.push_back(y);
        set->z.push_back(z);
        set->weight.push_back(weight);
    }
    return set;
}

inline particles::SumSettings settings_of(particles::Kernel kernel,
                                          particles::Precision precision = particles::Precision::f64,
                                          double sigma = 0.1, double wavenumber = 10) {
    return {kernel, sigma, wavenumber, precision};
}

/// A sum by its definition in long double with complex numbers: none of the program's code.
inline std::complex<long double> defined_sum(const particles::SumProblem& problem,
                                             const std::array<long double, 3>& at, std::size_t vector = 0) {
    using Real = long double;
    const PointSet& sources = problem.sources();
    const particles::SumSettings& how = problem.settings();
    const std::vector<double>& re = sources.re(vector);
    const std::vector<double>& im = sources.im(vector);
    std::complex<Real> sum = 0;
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const Real dx = at[0] - sources.x[j], dy = at[1] - sources.y[j], dz = at[2] - sources.z[j];
        const Real r = std::sqrt(dx * dx + dy * dy + dz * dz);
        std::complex<Real> g = std::exp(-r * r / (2 * Real(how.sigma) * how.sigma));
        if (how.kernel != particles::Kernel::rbf) {
            if (r == 0) continue;
            g = 1 / (4 * std::numbers::pi_v<Real> * r);
            if (how.kernel == particles::Kernel::helmholtz) g *= std::polar(Real(1), how.wavenumber * r);
        }
        sum += g * std::complex<Real>(re[j], im.empty() ? 0 : im[j]);
    }
    return sum;
}

inline std::complex<long double> defined_sum(const particles::SumProblem& problem, const particles::Place& at,
                                             std::size_t vector = 0) {
    return defined_sum(problem, std::array<long double, 3>{at[0], at[1], at[2]}, vector);
}

/// Its derivative along an axis by central differences of fourth order: no formula of a gradient.
inline std::complex<long double> defined_slope(const particles::SumProblem& problem,
                                               const particles::Place& at, std::size_t axis,
                                               std::size_t vector = 0) {
    const long double step = 1e-4L;
    const auto moved = [&](int steps) {
        std::array<long double, 3> place{at[0], at[1], at[2]};
        place[axis] += static_cast<long double>(steps) * step;
        return defined_sum(problem, place, vector);
    };
    return ((moved(1) - moved(-1)) * 8.0L - (moved(2) - moved(-2))) / (12 * step);
}

inline Run host_sum(const particles::SumProblem& problem, const std::string& variant) {
    return run_on_host(particles::host_variants(), problem, variant);
}

}  // namespace ks::tests
