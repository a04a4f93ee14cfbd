#include "core/particles/pair_ceiling.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/particles/treecode/treecode_result.h"

namespace ks::particles {
namespace {

struct Needs {
    double exp2, rsqrt, sin, multiply_adds;  ///< per pair
    const char *unit, *each;                 ///< of the functions
};

Needs needs_of(Kernel kernel) {
    switch (kernel) {
        case Kernel::rbf:
            return {1, 0, 0, 2, "exponentials", "one exponential"};
        case Kernel::laplace:
            return {0, 1, 0, 2, "reciprocal roots", "one reciprocal root"};
        case Kernel::helmholtz:
            break;
    }
    return {0, 1, 2, 4, "roots, sines and cosines", "one root, sine and cosine"};
}

}  // namespace

std::optional<PairCeiling> pair_ceiling(const SumSettings& settings, const Ceilings& ceilings) {
    if (settings.precision != Precision::f32) return std::nullopt;
    const Needs needs = needs_of(settings.kernel);
    double functions = 0;
    for (const auto& [count, id] :
         {std::pair{needs.exp2, ceiling_ids::exp2}, std::pair{needs.rsqrt, ceiling_ids::rsqrt},
          std::pair{needs.sin, ceiling_ids::sin}})
        if (count > 0) functions += count / ceilings.median(id);
    const double multiply_adds = 2 * needs.multiply_adds / ceilings.median(ceiling_ids::fma_f32);
    if (std::isnan(functions) || std::isnan(multiply_adds)) return std::nullopt;
    if (functions >= multiply_adds) return PairCeiling{1 / functions, needs.unit, needs.each};
    return PairCeiling{1 / multiply_adds, "multiply-adds",
                       fmt::format("{:.0f} multiply-adds", needs.multiply_adds)};
}

std::string share_text(double pairs_per_second, const PairCeiling& ceiling) {
    const double share = pairs_per_second / ceiling.pairs_per_second;
    if (share >= 1.005) return fmt::format("{:.3g} x the ceiling of {} per pair", share, ceiling.each);
    if (share < 0.0995) return fmt::format("{:.2g} % of the ceiling of {}", 100 * share, ceiling.unit);
    return fmt::format("{:.0f} % of the ceiling of {}", 100 * share, ceiling.unit);
}

std::optional<CeilingShare> share_of_pairs(const SumProblem& problem, const Variant& variant,
                                           double kernel_nanoseconds, const Ceilings& ceilings) {
    const auto maximum = pair_ceiling(problem.settings(), ceilings);
    if (is_approximate(variant)) return std::nullopt;  // does not sum all pairs
    if (!maximum || !(kernel_nanoseconds > 0)) return std::nullopt;
    const double rate = static_cast<double>(problem.pairs()) * 1e9 / kernel_nanoseconds;
    return CeilingShare{rate / maximum->pairs_per_second, share_text(rate, *maximum)};
}

}  // namespace ks::particles
