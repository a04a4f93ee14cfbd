#include "core/particles/treecode/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.h"

namespace ks::particles {
namespace {

/// Rms errors relative to the rms of the sums for each number of digits: the largest over five distributions
/// of points, both signs of weights, several widths and wavenumbers.
struct Measured {
    double digits, potential, gradient;
};

// tests/bench/bench_treecode_error.cpp, 1000 points in leaves of 25; from 16 digits on, 400 in leaves of 40
// and four times the measured error, since few clusters are separated there.
constexpr Measured of_rbf[] = {{3, 6.5e-2, 6.1e-2}, {4, 2.6e-2, 2.2e-2},   {5, 9e-3, 4.8e-3},
                               {6, 2.5e-3, 6.8e-4}, {7, 1.6e-3, 4.5e-4},   {8, 3.1e-4, 9.4e-5},
                               {9, 1.1e-4, 4.5e-5}, {10, 3.8e-5, 1.1e-5},  {11, 1.7e-5, 6e-6},
                               {12, 4e-6, 1.5e-6},  {14, 4.3e-7, 4e-7},    {16, 2e-7, 1e-7},
                               {20, 2e-9, 2e-9},    {24, 1.2e-11, 1.2e-11}};
/// For Laplace, and for Helmholtz with k of 5 and of 15.
constexpr Measured of_waves[] = {{3, 7.9e-3, 2.6e-2},  {4, 2.1e-3, 9.9e-3},   {5, 4.4e-4, 2.3e-3},
                                 {6, 1.5e-4, 8.7e-4},  {7, 4.5e-5, 3.6e-4},   {8, 1.6e-5, 1e-4},
                                 {9, 3.1e-6, 2.1e-5},  {10, 1.6e-6, 1.1e-5},  {11, 5.3e-7, 3.1e-6},
                                 {12, 1.8e-7, 1.4e-6}, {14, 5.4e-8, 2.1e-7},  {16, 2e-8, 4e-8},
                                 {20, 1e-9, 1e-9},     {24, 3.2e-11, 3.2e-11}};

std::span<const Measured> measured(Kernel kernel) {
    return kernel == Kernel::rbf ? std::span<const Measured>(of_rbf) : std::span<const Measured>(of_waves);
}

/// Minimum ratio of the tolerance to the measured error: with 20 times as many points, whose trees are
/// deeper, errors were three to four times as large.
constexpr double margin = 5;

/// Throws ks::Error(input) if the error of float sums exceeds the tolerance.
void require_within_floats(const SumSettings& settings) {
    const double reached = settings.gradient ? 1e-5 : 3e-6;
    if (settings.precision == Precision::f64 || settings.tolerance >= reached) return;
    throw Error(
        ErrorKind::input,
        fmt::format(
            "f32 only reaches a tolerance of {:g}{}, but {:g} was requested; choose the precision f64",
            reached, settings.gradient ? " with gradients" : "", settings.tolerance),
        "tolerance");
}

}  // namespace

Accuracy accuracy_of(const SumSettings& settings) {
    require_within_floats(settings);
    for (const Measured& row : measured(settings.kernel)) {
        const double error = settings.gradient ? std::max(row.potential, row.gradient) : row.potential;
        if (margin * error > settings.tolerance) continue;
        Accuracy accuracy;
        accuracy.digits = row.digits;
        accuracy.cut = 2 * row.digits;
        return accuracy;
    }
    const Measured& last = measured(settings.kernel).back();
    throw Error(
        ErrorKind::input,
        fmt::format("a treecode only reaches a tolerance of {:.0e} here, but {:g} was requested",
                    margin * (settings.gradient ? std::max(last.potential, last.gradient) : last.potential),
                    settings.tolerance),
        "tolerance", "choose a larger tolerance or an exact variant");
}

}  // namespace ks::particles
