#include "core/particles/treecode/treecode_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/particles/result.h"
#include "core/particles/scaling.h"
#include "core/particles/vector/vector_several.h"
#include "core/particles/vector/vector_sum.h"

namespace ks::particles {
namespace {

constexpr double pairs_of_measure = 1e7;
constexpr std::size_t min_measured = 50, max_measured = 256;
constexpr std::size_t sources_at_once = 8192;  // they stay in the L2 cache

/// Evenly spaced among all, starting in the middle of the first step.
std::vector<std::size_t> measured_targets(const SumProblem& problem) {
    const auto wanted = static_cast<std::size_t>(pairs_of_measure / static_cast<double>(problem.n_sources()));
    const std::size_t count = std::min(problem.n_targets(), std::clamp(wanted, min_measured, max_measured));
    std::vector<std::size_t> targets(count);
    for (std::size_t i = 0; i < count; ++i) targets[i] = (2 * i + 1) * problem.n_targets() / (2 * count);
    return targets;
}

std::string number_text(double value) {
    return fmt::format("{:.2g}", value);
}

}  // namespace

std::vector<double> direct_sums(const SumProblem& problem, const std::vector<std::size_t>& targets,
                                Progress& progress) {
    using Real = double;
    const Scaling scaling = scaling_of(problem);
    const std::size_t vectors = problem.n_vectors();
    const bool complex_weights = problem.sources().is_complex();
    const bool plain = problem.n_vectors() * problem.quantities() == 1;
    const SumBlock<Real> sum = plain ? plain_sums<Real>(problem.settings().kernel, complex_weights)
                                     : several_sums<Real>(problem.settings());
    const std::size_t rows = problem.n_rows(), n = targets.size(), blocks = (n + lanes - 1) / lanes;
    std::vector<Real> places(3 * blocks * lanes);
    for (std::size_t i = 0; i < blocks * lanes; ++i) {
        const Place place = problem.target(targets[std::min(i, n - 1)]);
        for (std::size_t axis = 0; axis < 3; ++axis)
            places[axis * blocks * lanes + i] = scaling.apply(place[axis], axis);
    }
    // Chunks of sources, whose sums are added in order.
    const std::size_t pieces = (problem.n_sources() + sources_at_once - 1) / sources_at_once;
    std::vector<std::vector<double>> of_pieces(pieces * blocks);
    parallel_for(pieces * blocks, compute_threads(), progress, [&](std::size_t i) {
        Block<Real> block;
        const std::size_t first = i % blocks * lanes;
        block.count = (std::min(lanes, n - first) + unit - 1) / unit * unit;
        for (std::size_t axis = 0; axis < 3; ++axis)
            block.at[axis] = places.data() + axis * blocks * lanes + first;
        block.clear(rows);
        const std::size_t begin = i / blocks * sources_at_once,
                          end = std::min(problem.n_sources(), begin + sources_at_once);
        const PackedSources<Real> packed = pack_part<Real>(problem, scaling, begin, end);
        sum(block,
            {packed.xyzw.data(), packed.more.data(), end - begin, vectors, complex_weights, scaling.turns});
        of_pieces[i] = std::move(block.sums);
    });
    std::vector<double> sums(rows * n);
    for (std::size_t i = 0; i < of_pieces.size(); ++i)
        for (std::size_t row = 0; row < rows; ++row) {
            const bool is_slope = row / problem.parts() % problem.quantities() != 0;
            const std::size_t first = i % blocks * lanes;
            for (std::size_t k = first; k < std::min(n, first + lanes); ++k)
                sums[row * n + k] += (is_slope ? scaling.slope : 1) * of_pieces[i][row * lanes + k - first];
        }
    return sums;
}

RelativeErrors relative_errors(const SumProblem& problem, std::span<const double> exact,
                               std::span<const double> found, std::size_t targets) {
    RelativeErrors errors;
    const std::size_t parts = problem.parts(), quantities = problem.quantities();
    for (std::size_t vector = 0; vector < problem.n_vectors(); ++vector)
        for (const bool of_gradient : {false, true}) {
            const std::size_t begin = (vector * quantities + (of_gradient ? 1 : 0)) * parts * targets,
                              end = (vector * quantities + (of_gradient ? quantities : 1)) * parts * targets;
            double off = 0, size = 0;
            for (std::size_t i = begin; i < end; ++i) {
                off += (found[i] - exact[i]) * (found[i] - exact[i]);
                size += exact[i] * exact[i];
            }
            if (off == 0) continue;
            const double error = std::isfinite(off) && size > 0 ? std::sqrt(off / size)
                                                                : std::numeric_limits<double>::infinity();
            double& largest = of_gradient ? errors.gradient : errors.potential;
            largest = std::max(largest, error);
        }
    return errors;
}

DirectSample direct_sample(const SumProblem& problem, Progress& progress) {
    DirectSample sample{measured_targets(problem), {}};
    sample.sums = direct_sums(problem, sample.targets, progress);
    return sample;
}

Result treecode_result(const SumProblem& problem, const TreecodeSums& sums, const DirectSample& sample,
                       const std::vector<Timing>& timings) {
    Result result = to_result(problem, sums.values, sums.skipped, timings);
    const std::vector<std::size_t>& targets = sample.targets;
    std::vector<double> found;
    found.reserve(sample.sums.size());
    for (std::size_t row = 0; row < problem.n_rows(); ++row)
        for (const std::size_t target : targets)
            found.push_back(sums.values.slice(row * problem.n_targets() + target, {1}).to_doubles().front());
    const RelativeErrors errors = relative_errors(problem, sample.sums, found, targets.size());

    const SumSettings& settings = problem.settings();
    result.facts["tolerance"] = settings.tolerance;
    // JSON has no infinity.
    if (std::isfinite(errors.potential)) result.facts["reached_error"] = errors.potential;
    if (settings.gradient && std::isfinite(errors.gradient))
        result.facts["reached_gradient_error"] = errors.gradient;
    result.facts["error_targets"] = targets.size();
    result.facts["far_pairs"] = sums.far_pairs;
    result.facts["near_pairs"] = sums.near_pairs;
    // With few points, few clusters are separated.
    constexpr std::size_t many = 2000;
    if (settings.kernel == Kernel::helmholtz && std::min(problem.n_sources(), problem.n_targets()) > many &&
        2 * sums.near_pairs > problem.pairs())
        result.warnings.push_back(
            fmt::format("the wavelength is short compared with the clusters, so {:.0f} % of the pairs were "
                        "summed directly",
                        100 * static_cast<double>(sums.near_pairs) / static_cast<double>(problem.pairs())));
    if (!(errors.largest() <= settings.tolerance))
        result.warnings.push_back(fmt::format(
            "the requested tolerance is {}, but the rms error of {} targets is {}; {}",
            number_text(settings.tolerance), targets.size(), number_text(errors.largest()),
            settings.precision == Precision::f32 ? "choose f64, or a smaller tolerance to lower the error"
                                                 : "choose a smaller tolerance to lower the error"));
    return result;
}

bool is_approximate(const Variant& variant) {
    return std::ranges::find(variant.tolerances, asked_tolerance, &Tolerance::dataset) !=
           variant.tolerances.end();
}

bool is_treecode(const std::string& id) {
    return id == "treecode" || id == "host.treecode";
}

}  // namespace ks::particles
