#include "core/particles/treecode/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.h"

namespace ks::particles {
namespace {

/// Relative errors that were measured with so many digits: the largest of several distributions of points,
/// sizes and signs of weights.
struct Measured {
    double digits, potential, gradient;
};

constexpr Measured of_rbf[] = {{4, 4e-2, 4e-1},  {6, 6e-3, 6e-2},  {8, 1e-3, 1e-2},  {10, 1e-4, 1e-3},
                               {12, 8e-6, 8e-5}, {14, 1e-6, 1e-5}, {18, 1e-8, 1e-7}, {22, 1e-9, 1e-8}};
constexpr Measured of_laplace[] = {{4, 9e-3, 2e-2},  {6, 6e-4, 2e-3},  {8, 5e-5, 1e-4},  {10, 4.4e-6, 1e-5},
                                   {12, 4e-7, 1e-6}, {16, 1e-8, 1e-7}, {20, 1e-10, 1e-9}};

std::span<const Measured> measured(Kernel kernel) {
    if (kernel == Kernel::rbf) return of_rbf;
    return of_laplace;
}

/// The tolerance is to be so many times what was measured at least.
constexpr double margin = 2;

/// Throws ks::Error(input) where float sums are further off than the tolerance.
void require_within_floats(const SumSettings& settings) {
    const double reached = settings.gradient ? 1e-5 : 3e-6;
    if (settings.precision == Precision::f64 || settings.tolerance >= reached) return;
    throw Error(ErrorKind::input,
                fmt::format("f32 reaches a tolerance of {:g}{}, {:g} is asked for: choose the precision f64",
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
        fmt::format("a treecode reaches a tolerance of {:.0e} here, {:g} is asked for",
                    margin * (settings.gradient ? std::max(last.potential, last.gradient) : last.potential),
                    settings.tolerance),
        "tolerance", "choose a larger tolerance or a variant that is exact");
}

}  // namespace ks::particles
