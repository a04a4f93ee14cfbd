#include "core/particles/reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "core/particles/result.h"
#include "core/run/stopwatch.h"

namespace ks::particles {
namespace {

class CompensatedSum {
  public:
    void add(double term) {
        const double next = sum_ + term;
        lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
        sum_ = next;
    }
    double value() const { return sum_ + lost_; }

  private:
    double sum_ = 0, lost_ = 0;
};

struct Term {
    double re = 0, im = 0;
    double size = 0;   ///< |g|
    double slope = 0;  ///< |dg/dr|
};

Term term_of(const SumSettings& settings, double r2) {
    const double r = std::sqrt(r2);
    switch (settings.kernel) {
        case Kernel::rbf: {
            const double variance = settings.sigma * settings.sigma, g = std::exp(-r2 / (2 * variance));
            return {g, 0, g, g * r / variance};
        }
        case Kernel::laplace: {
            const double g = 1 / (4 * std::numbers::pi * r);
            return {g, 0, g, g / r};
        }
        case Kernel::helmholtz:
            break;
    }
    const double g = 1 / (4 * std::numbers::pi * r), phase = settings.wavenumber * r;
    return {g * std::cos(phase), g * std::sin(phase), g, g * (1 / r + std::abs(settings.wavenumber))};
}

}  // namespace

ExactSum exact_sum(const SumProblem& problem, std::size_t target) {
    const SumSettings& settings = problem.settings();
    const PointSet& sources = problem.sources();
    const Place place = problem.target(target);
    const bool complex_weights = sources.is_complex();
    // Below this a term is nothing in the precision.
    const double least = settings.precision == Precision::f32 ? 1e-30 : 1e-290;
    // Double keeps all of the coordinates that were given; the differences of large ones lose some.
    double length = problem.half_extent();
    if (settings.precision == Precision::f64)
        for (const double centre : problem.centre())
            length = std::max(length, std::abs(centre) + problem.half_extent());
    CompensatedSum re, im;
    ExactSum sum;
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const double dx = place[0] - sources.x[j], dy = place[1] - sources.y[j], dz = place[2] - sources.z[j];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 == 0 && settings.singular()) {
            ++sum.skipped;
            continue;
        }
        const Term g = term_of(settings, r2);
        const double c_re = sources.weight[j], c_im = complex_weights ? sources.weight_im[j] : 0;
        re.add(g.re * c_re - g.im * c_im);
        im.add(g.re * c_im + g.im * c_re);
        const double weight = complex_weights ? std::hypot(c_re, c_im) : std::abs(c_re);
        sum.scale += weight * (g.size + g.slope * length + least);
    }
    sum.re = re.value();
    sum.im = im.value();
    return sum;
}

Result run_reference(const SumProblem& problem, HostContext& context) {
    Stopwatch watch;
    constexpr std::size_t at_once = 256;  // targets
    const std::size_t targets = problem.n_targets(), parts = problem.is_complex() ? 2 : 1;
    Array values(ElementType::f64, {parts, targets});
    const auto out = values.as<double>();
    std::atomic<std::uint64_t> skipped = 0;
    const std::size_t blocks = (targets + at_once - 1) / at_once, round = 64 * std::size_t{context.threads};
    for (std::size_t first = 0; first < blocks; first += round) {
        context.progress.report(static_cast<double>(first) / static_cast<double>(blocks), "sum");
        parallel_for(std::min(round, blocks - first), context.threads, context.progress,
                     [&](std::size_t block) {
                         const std::size_t start = (first + block) * at_once,
                                           stop = std::min(targets, start + at_once);
                         for (std::size_t t = start; t < stop; ++t) {
                             const ExactSum sum = exact_sum(problem, t);
                             out[t] = sum.re;
                             if (parts == 2) out[targets + t] = sum.im;
                             if (sum.skipped > 0) skipped += sum.skipped;
                         }
                     });
    }
    context.progress.report(1, "sum");
    add(context.timings, {"sum", StageKind::host, watch.lap(), 0, problem.pairs(), 1});
    return to_result(problem, values, skipped, context.timings);
}

}  // namespace ks::particles
