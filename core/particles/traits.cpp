#include "core/particles/analysis.h"

namespace ks::particles {

Traits traits_of(const SumProblem& problem) {
    const SumSettings& settings = problem.settings();
    const std::string kernel = settings.kernel == Kernel::rbf       ? "rbf"
                               : settings.kernel == Kernel::laplace ? "laplace"
                                                                    : "helmholtz";
    return {{"kernel", kernel},
            {"precision", std::string(settings.precision == Precision::f32 ? "f32" : "f64")},
            {"gradient", std::string(settings.gradient ? "on" : "off")},
            {"vectors", static_cast<std::int64_t>(problem.n_vectors())},
            {"weights", std::string(problem.sources().is_complex() ? "complex" : "real")},
            {"targets", std::string(problem.on_planes() ? "planes"
                                    : problem.on_grid() ? "cube"
                                                        : "points")},
            {"size", static_cast<std::int64_t>(problem.pairs())}};
}

}  // namespace ks::particles
