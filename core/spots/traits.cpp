#include "core/spots/analysis.h"

namespace ks::spots {

Traits traits_of(const SpotProblem& problem) {
    const Thresholds& thresholds = problem.thresholds();
    const bool extended = thresholds.algorithm == Algorithm::dispersion_extended;
    return {{"algorithm", std::string(extended ? "dispersion_extended" : "dispersion")},
            {"element", std::string(name_of(problem.type()))},
            {"kernel_x", std::int64_t{thresholds.kernel_x}},
            {"kernel_y", std::int64_t{thresholds.kernel_y}},
            {"size", static_cast<std::int64_t>(problem.frames() * problem.height() * problem.width())}};
}

}  // namespace ks::spots
