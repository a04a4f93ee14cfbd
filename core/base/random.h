#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace ks {

/// Random numbers that are the same with every standard library (whose distributions are not specified):
/// xoshiro256++ of Blackman and Vigna, seeded by splitmix64. `stream` selects independent sequences of one
/// seed, so that the rows of an image can be generated in parallel.
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t state = seed * 0x9e3779b97f4a7c15 + stream * 0xd1342543de82ef95 + 1;
        for (std::uint64_t& word : state_) {
            state += 0x9e3779b97f4a7c15;
            std::uint64_t z = state;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            word = z ^ (z >> 31);
        }
    }

    std::uint64_t next() {
        const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotate(state_[3], 45);
        return result;
    }

    /// In (0, 1).
    double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

    /// Two independent normal numbers of variance 1 (Box and Muller).
    std::pair<double, double> normal() {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        const double angle = 2.0 * std::numbers::pi * uniform();
        return {radius * std::cos(angle), radius * std::sin(angle)};
    }

    /// A Poisson-distributed number of mean >= 0, by inversion; if the mean is 30 or more, by the transformed
    /// rejection PTRS of Hoermann (1993).
    std::uint64_t poisson(double mean) {
        if (!(mean > 0)) return 0;
        return mean < 30 ? by_inversion(mean) : by_rejection(mean);
    }

  private:
    static std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

    std::uint64_t by_inversion(double mean) {
        double left = uniform(), probability = std::exp(-mean);
        std::uint64_t k = 0;
        // The tail beyond 400 counts is far below the resolution of `left` for means below 30.
        while (left > probability && k < 400) {
            left -= probability;
            probability *= mean / static_cast<double>(++k);
        }
        return k;
    }

    std::uint64_t by_rejection(double mean) {
        const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
        const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2.0);
        for (;;) {
            const double u = uniform() - 0.5, v = uniform();
            const double us = 0.5 - std::abs(u);
            const double k = std::floor((2.0 * a / us + b) * u + mean + 0.43);
            if (us >= 0.07 && v <= v_r) return static_cast<std::uint64_t>(k);
            if (k < 0 || (us < 0.013 && v > us)) continue;
            const double accept = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
            if (accept <= -mean + k * std::log(mean) - std::lgamma(k + 1.0))
                return static_cast<std::uint64_t>(k);
        }
    }

    std::uint64_t state_[4];
};

}  // namespace ks
