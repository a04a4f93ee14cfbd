#include "core/particles/reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/particles/result.h"

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

using Complex = std::complex<double>;

/// g of a pair; its gradient at the target along the vector v from the source to it; and the magnitudes of g
/// and grad g and of their derivatives by r: |d^2 g| is at most `bend` in any direction.
struct Term {
    Complex g, along;  ///< grad g = along v
    double size = 0, slope = 0, bend = 0;
    double rate = 0;  ///< slope / size, also where both are too small for a double
};

Term term_of(const SumSettings& settings, double r2) {
    const double r = std::sqrt(r2);
    switch (settings.kernel) {
        case Kernel::rbf: {
            const double variance = settings.sigma * settings.sigma, g = std::exp(-r2 / (2 * variance));
            const double rate = r / variance;
            return {g, -g / variance, g, g * rate, g / variance + g * rate * rate, rate};
        }
        case Kernel::laplace: {
            const double g = 1 / (4 * std::numbers::pi * r);
            return {g, -g / r2, g, g / r, 2 * g / r2, 1 / r};
        }
        case Kernel::helmholtz:
            break;
    }
    const double size = 1 / (4 * std::numbers::pi * r), k = settings.wavenumber;
    const Complex g = size * Complex(std::cos(k * r), std::sin(k * r));
    const double rate = 1 / r + std::abs(k);
    return {g, Complex(-1 / r, k) / r * g, size, size * rate, size * (rate * rate + 1 / r2), rate};
}

/// Running sums of one target.
class TargetSums {
  public:
    explicit TargetSums(const SumProblem& problem)
        : sources_(problem.sources()),
          quantities_(problem.quantities()),
          // A term below this counts as nothing in the precision.
          min_(problem.settings().precision == Precision::f32 ? 1e-30 : 1e-290),
          smallest_(problem.settings().precision == Precision::f32 ? std::numeric_limits<float>::min()
                                                                   : std::numeric_limits<double>::min()),
          floor_(problem.settings().precision == Precision::f32 ? 1e-32 : 1e-295),
          singular_(problem.settings().singular()),
          re_(problem.n_vectors() * quantities_),
          im_(re_.size()),
          scale_(re_.size()),
          terms_(re_.size()),
          nothing_(re_.size()) {}

    /// @param length mean distance of source and target from the centre of the coordinates
    void add(std::size_t source, const Term& term, const Place& v, double length) {
        // For f, then for each of its three derivatives.
        const double sizes[] = {term.size, term.slope}, nothings[] = {min_, min_ * term.rate};
        const double scales[] = {sizes[0] + term.slope * length + nothings[0],
                                 sizes[1] + term.bend * length + nothings[1]};
        matters_ |= singular_ || term.size > 1e-3;
        for (std::size_t vector = 0, row = 0; vector < sources_.n_vectors(); ++vector) {
            const std::vector<double>& im = sources_.im(vector);
            const Complex weight(sources_.re(vector)[source], im.empty() ? 0 : im[source]);
            const double size = im.empty() ? std::abs(weight.real()) : std::abs(weight);
            for (std::size_t quantity = 0; quantity < quantities_; ++quantity, ++row) {
                const Complex h = quantity == 0 ? term.g : term.along * v[quantity - 1];
                re_[row].add(h.real() * weight.real() - h.imag() * weight.imag());
                im_[row].add(h.real() * weight.imag() + h.imag() * weight.real());
                const std::size_t kind = quantity == 0 ? 0 : 1;
                scale_[row] += size * scales[kind] + floor_;
                terms_[row] += size * sizes[kind];
                nothing_[row] += size * nothings[kind] + smallest_;
            }
        }
    }

    std::vector<ExactSum> values() const {
        std::vector<ExactSum> sums;
        for (std::size_t row = 0; row < re_.size(); ++row)
            sums.push_back(
                {re_[row].value(), im_[row].value(), scale_[row], matters_ ? terms_[row] : 0, nothing_[row]});
        return sums;
    }

  private:
    const PointSet& sources_;
    std::size_t quantities_;
    double min_;
    /// Products below the smallest normal number lose their digits, or are 0; and what the scale needs in
    /// order that such a loss is within the tolerance of the precision.
    double smallest_, floor_;
    bool singular_, matters_ = false;
    std::vector<CompensatedSum> re_, im_;
    std::vector<double> scale_, terms_, nothing_;
};

}  // namespace

TermSizes term_sizes(const SumSettings& settings, double r2) {
    const Term term = term_of(settings, r2);
    return {term.size, term.slope};
}

ExactSums exact_sums(const SumProblem& problem, std::size_t target) {
    const PointSet& sources = problem.sources();
    const Place place = problem.target(target);
    TargetSums sums(problem);
    // Double keeps the given coordinates exactly; differences of large ones lose some digits.
    double given = 0;
    if (problem.settings().precision == Precision::f64)
        for (const double centre : problem.centre()) given = std::max(given, std::abs(centre));
    const double of_target = problem.from_centre(place) / 2 + given;
    std::uint64_t skipped = 0;
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const Place v{place[0] - sources.x[j], place[1] - sources.y[j], place[2] - sources.z[j]};
        const double r2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (r2 == 0 && problem.settings().singular())
            ++skipped;
        else
            sums.add(
                j, term_of(problem.settings(), r2), v,
                std::max(problem.reach() / 2,
                         of_target + problem.from_centre({sources.x[j], sources.y[j], sources.z[j]}) / 2));
    }
    return {sums.values(), skipped};
}

Result run_reference(const SumProblem& problem, HostContext& context) {
    Stopwatch watch;
    // Targets between checks for cancellation: a million pairs take about 50 ms.
    const std::size_t at_once = std::clamp<std::size_t>((std::size_t{1} << 20) / problem.n_sources(), 1, 256);
    const std::size_t targets = problem.n_targets(), parts = problem.parts();
    Array values(ElementType::f64, {problem.n_rows(), targets});
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
                             const ExactSums sums = exact_sums(problem, t);
                             for (std::size_t i = 0; i < sums.of.size(); ++i) {
                                 out[i * parts * targets + t] = sums.of[i].re;
                                 if (parts == 2) out[(2 * i + 1) * targets + t] = sums.of[i].im;
                             }
                             if (sums.skipped > 0) skipped += sums.skipped;
                         }
                     });
    }
    context.progress.report(1, "sum");
    add(context.timings, {"sum", StageKind::host, watch.lap(), 0, problem.pairs(), 1});
    return to_result(problem, values, skipped, context.timings);
}

}  // namespace ks::particles
