#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "tests/core/particles/particle_fixture.h"

namespace ks::tests {

/// Points with weights of both signs: "cube", "sphere" (its surface), "clusters" (eight, of unlike sizes),
/// "line" (across all axes), "plane" (without any thickness).
inline PointsPtr points_in(const std::string& shape, std::size_t n, unsigned seed) {
    std::mt19937_64 generator(seed);
    const auto uniform = [&generator] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
    const auto normal = [&uniform] {
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
    };
    auto set = std::make_shared<PointSet>();
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 3> at{uniform(), uniform(), uniform()};
        if (shape == "plane") at[2] = 0.5;
        if (shape == "line") at = {at[0], 0.3 + 0.2 * at[0], 0.5 - 0.4 * at[0]};
        if (shape == "sphere") {
            at = {normal(), normal(), normal()};
            const double r = std::hypot(at[0], at[1], at[2]);
            for (double& x : at) x = 0.5 + x / r / 2;
        }
        if (shape == "clusters") {
            const double c = std::floor(8 * at[0]), width = 0.01 * (1 + c);
            at = {0.5 + 0.3 * std::cos(2.4 * c) + width * normal(),
                  0.5 + 0.3 * std::sin(2.4 * c) + width * normal(), 0.1 + 0.1 * c + width * normal()};
        }
        set->x.push_back(at[0]);
        set->y.push_back(at[1]);
        set->z.push_back(at[2]);
        set->weight.push_back(2 * uniform() - 1);
    }
    return set;
}

}  // namespace ks::tests
