#include "core/particles/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/data/not_numbers.h"
#include "core/particles/reference.h"
#include "core/particles/result.h"
#include "core/particles/treecode/treecode_result.h"

namespace ks::particles {
namespace {

constexpr double sampled_pairs = 2e7;
constexpr std::size_t min_sampled = 64;

/// Tolerance of the scaled error: the difference that rounded terms may make, in units of ExactSum::scale.
double usual_tolerance(const SumProblem& problem) {
    return problem.settings().precision == Precision::f32 ? 2e-6 : 1e-12;
}

double tolerance_of(const SumProblem& problem, const Run& run) {
    for (const auto& [name, tolerance] : run.variant.tolerances)
        if (name == "potential") return tolerance;
    return usual_tolerance(problem);
}

void keep_largest(std::vector<double>& into, const std::vector<double>& from) {
    if (into.size() < from.size()) into.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void merge(SumErrors& into, const SumErrors& from) {
    into.targets += from.targets;
    into.absolute = std::max(into.absolute, from.absolute);
    into.distinct += from.distinct;
    into.skipped += from.skipped;
    into.relative = std::max(into.relative, from.relative);
    into.gradient = std::max(into.gradient, from.gradient);
    into.of_terms = std::max(into.of_terms, from.of_terms);
    keep_largest(into.errors, from.errors);
    keep_largest(into.largest, from.largest);
    if (from.scaled > into.scaled || into.targets == from.targets) {
        into.scaled = from.scaled;
        into.worst = from.worst;
        into.stem = from.stem;
    }
}

std::string place_text(const SumProblem& problem, const SumErrors& errors) {
    const Place place = problem.target(errors.worst);
    const std::string of =
        problem.n_vectors() * problem.quantities() == 1 ? "" : stems_of(problem)[errors.stem] + " of ";
    return fmt::format("{}target {} at ({:.6g}, {:.6g}, {:.6g})", of, errors.worst, place[0], place[1],
                       place[2]);
}

/// A relative error is meaningful only if the sum exceeds the rounding of its terms.
std::string relative_text(const SumErrors& errors, const SumProblem& problem) {
    const std::size_t potentials = errors.targets * problem.n_vectors();
    if (errors.distinct == 0) return " (all sums are below their rounding error)";
    return fmt::format(", largest relative error {:.2g}{}", errors.relative,
                       errors.distinct < potentials ? " where the sum exceeds its rounding error" : "");
}

/// Errors of the sums of one target.
SumErrors errors_at(const SumProblem& problem, std::span<const double> values, std::size_t target) {
    const std::size_t targets = problem.n_targets(), parts = problem.parts();
    const ExactSums exact = exact_sums(problem, target);
    SumErrors all;
    all.skipped = exact.skipped;
    all.errors.resize(exact.of.size());
    all.largest.resize(exact.of.size());
    for (std::size_t stem = 0; stem < exact.of.size(); ++stem) {
        const ExactSum& sum = exact.of[stem];
        const double* const found = values.data() + stem * parts * targets + target;
        double error = std::hypot(found[0] - sum.re, parts == 2 ? found[targets] - sum.im : 0);
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        const double size = std::hypot(sum.re, sum.im);
        const double scaled = error == 0 ? 0 : error / sum.scale;
        const std::size_t counted = stem == 0 ? 1 : 0;
        all.largest[stem] = size;
        if (error > sum.nothing) {
            all.errors[stem] = error;
            if (sum.terms > 0) all.of_terms = std::max(all.of_terms, error / sum.terms);
        }
        if (stem % problem.quantities() == 0) {
            const bool distinct = size > usual_tolerance(problem) * sum.scale;
            merge(all, {.targets = counted,
                        .absolute = error,
                        .relative = distinct ? error / size : 0,
                        .distinct = distinct ? std::size_t{1} : 0,
                        .scaled = scaled,
                        .worst = target,
                        .stem = stem});
        } else {
            merge(all,
                  {.targets = counted, .gradient = error, .scaled = scaled, .worst = target, .stem = stem});
        }
    }
    // For a gradient the largest derivative: a single one may be 0 by symmetry.
    for (std::size_t first = 1; problem.quantities() == 4 && first < exact.of.size(); first += 4) {
        const auto derivatives = std::span(all.largest).subspan(first, 3);
        std::ranges::fill(derivatives, std::ranges::max(derivatives));
    }
    return all;
}

/// Whether the rounding of single precision can make such errors: of sums that cancel, of coordinates that it
/// resolves too coarsely, and of sums that it cannot hold. Larger ones have another cause.
bool rounding_explains(const SumErrors& errors, const SumProblem& problem, double tolerance) {
    const auto exceeds = [](double sum) { return sum > std::numeric_limits<float>::max(); };
    return errors.scaled <= tolerance || !problem.warnings.empty() ||
           std::ranges::any_of(errors.largest, exceeds);
}

/// Explains errors above `acceptable_loss`; else empty. Sums that cancel almost completely are as good in
/// double as they can be.
std::string loss_text(const SumErrors& errors, const SumProblem& problem, double tolerance) {
    const bool single = problem.settings().precision == Precision::f32;
    const double of_largest = single ? errors.of_largest() : 0, loss = std::max(of_largest, errors.of_terms);
    if (loss <= acceptable_loss) return {};
    const char* const hint = single && rounding_explains(errors, problem, tolerance) ? "; choose f64" : "";
    const bool finite = std::isfinite(errors.absolute) && std::isfinite(errors.gradient);
    if (!std::isfinite(loss))
        return fmt::format("; {}{}", finite ? "all exact sums are 0 there" : "a sum is infinite there", hint);
    return fmt::format("; the error is {:.2g} of {}, more than {:.0e}{}", loss,
                       of_largest >= errors.of_terms ? "the largest sum" : "the terms of its target",
                       acceptable_loss, hint);
}

}  // namespace

double SumErrors::of_largest() const {
    double worst_of_all = 0;
    for (std::size_t i = 0; i < errors.size(); ++i)
        if (errors[i] > 0) worst_of_all = std::max(worst_of_all, errors[i] / largest[i]);
    return worst_of_all;
}

SumErrors compare_sums(const SumProblem& problem, const Array& sums, const Sample& sample,
                       Progress& progress) {
    const auto values = sums.as<double>();
    const std::size_t compared = sample.places(), at_once = 256;
    const std::size_t blocks = (compared + at_once - 1) / at_once;
    const unsigned threads = compute_threads();
    std::vector<SumErrors> found(blocks);
    const auto compare = [&](std::size_t block) {
        SumErrors& errors = found[block];
        for (std::size_t i = block * at_once; i < std::min(compared, (block + 1) * at_once); ++i)
            merge(errors, errors_at(problem, values, sample[i]));
    };
    const std::size_t round = 16 * std::size_t{threads};
    for (std::size_t first = 0; first < blocks; first += round) {
        progress.report(static_cast<double>(first) / static_cast<double>(blocks), "check");
        parallel_for(std::min(round, blocks - first), threads, progress,
                     [&](std::size_t i) { compare(first + i); });
    }
    progress.report(1, "check");
    SumErrors all;
    for (const SumErrors& errors : found) merge(all, errors);
    return all;
}

namespace {

/// The run reports this number as skipped pairs.
/// @param exact of all targets
void require_skipped(Verdict& verdict, const Run& run, std::uint64_t exact) {
    const auto fact = run.result.facts.find("skipped_pairs");
    if (fact == run.result.facts.end() || verdict.state == Verdict::State::fail) return;
    const auto found = fact->get<std::uint64_t>();
    if (found == exact) return;
    verdict.state = Verdict::State::fail;
    verdict.text =
        fmt::format("fail: the sums are right, but {} at r = 0 {} reported as skipped, expected {}",
                    count_text(found, "pair"), found == 1 ? "is" : "are", exact);
}

/// At the targets of a sample, with the requested tolerance.
Verdict check_approximate(const SumProblem& problem, const Run& run, const Array& sums, const Sample& sample,
                          Progress& progress) {
    std::atomic<std::uint64_t> skipped = 0;
    const std::size_t n = sample.places(), rows = problem.n_rows(), at_once = 64;
    std::vector<double> exact(rows * n), found(rows * n);
    const auto values = sums.as<double>();
    parallel_for((n + at_once - 1) / at_once, compute_threads(), progress, [&](std::size_t some) {
        for (std::size_t i = some * at_once; i < std::min(n, (some + 1) * at_once); ++i) {
            const ExactSums of_target = exact_sums(problem, sample[i]);
            skipped += of_target.skipped;
            for (std::size_t row = 0; row < rows; ++row) {
                const ExactSum& sum = of_target.of[row / problem.parts()];
                exact[row * n + i] = row % problem.parts() == 0 ? sum.re : sum.im;
                found[row * n + i] = values[row * problem.n_targets() + sample[i]];
            }
        }
    });
    const RelativeErrors errors = relative_errors(problem, exact, found, n);
    Verdict verdict;
    verdict.samples = n;
    verdict.tolerance = problem.settings().tolerance;
    verdict.worst_error = errors.largest();
    const bool pass = errors.largest() <= verdict.tolerance, of_gradient = errors.gradient > errors.potential;
    verdict.where = of_gradient ? "gradients" : "potentials";
    verdict.state = !pass                      ? Verdict::State::fail
                    : n == problem.n_targets() ? Verdict::State::pass
                                               : Verdict::State::sampled;
    verdict.text = fmt::format(
        "{}: the rms error of the potentials is {:.2g} of their rms{} (tolerance {:g}), checked at {} of {} "
        "targets",
        pass ? "pass" : "fail", errors.potential,
        problem.settings().gradient
            ? fmt::format(", and that of the gradients {:.2g} of theirs", errors.gradient)
            : "",
        verdict.tolerance, n, problem.n_targets());
    if (n == problem.n_targets()) require_skipped(verdict, run, skipped);
    return verdict;
}

}  // namespace

Verdict check_sums(const SumProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    Verdict verdict;
    if (mode == CheckMode::none) return verdict;
    verdict.tolerance = tolerance_of(problem, run);
    try {
        const Array sums = sums_of(run.result, problem);
        std::size_t wanted = problem.n_targets();
        if (mode == CheckMode::sample)
            wanted =
                std::max(min_sampled,
                         static_cast<std::size_t>(sampled_pairs / static_cast<double>(problem.n_sources())));
        const Sample sample(problem.n_targets(), wanted);
        // No correct sum is NaN, whether its target was sampled or not.
        const std::string nan = nan_text(std::span<const double>(sums.as<double>()), progress);
        if (is_approximate(run.variant)) {
            verdict = check_approximate(problem, run, sums, sample, progress);
            if (!nan.empty()) {
                verdict.state = Verdict::State::fail;
                verdict.text = "fail: " + nan;
            }
            return verdict;
        }
        const SumErrors errors = compare_sums(problem, sums, sample, progress);
        verdict.samples = errors.targets;
        verdict.worst_error = errors.scaled;
        verdict.where = place_text(problem, errors);
        verdict.place = {{"target", errors.worst}};
        const std::string loss = loss_text(errors, problem, verdict.tolerance);
        const bool pass = errors.scaled <= verdict.tolerance && loss.empty();
        verdict.state = !pass                                   ? Verdict::State::fail
                        : errors.targets == problem.n_targets() ? Verdict::State::pass
                                                                : Verdict::State::sampled;
        const std::string gradients =
            problem.settings().gradient ? fmt::format(", largest error of gradients {:.2g}", errors.gradient)
                                        : "";
        verdict.text = fmt::format(
            "{}: largest absolute error {:.2g}{}{}, checked at {} of {}; relative to the sum of the "
            "magnitudes of the terms and their slopes the largest error is {:.2g} (tolerance {:.0e}), for "
            "{}{}",
            pass ? "pass" : "fail", errors.absolute, relative_text(errors, problem), gradients,
            errors.targets, count_text(problem.n_targets(), "target"), errors.scaled, verdict.tolerance,
            verdict.where, loss);
        if (errors.targets == problem.n_targets()) require_skipped(verdict, run, errors.skipped);
        if (!nan.empty()) {
            verdict.state = Verdict::State::fail;
            verdict.text = "fail: " + nan;
            if (std::isinf(errors.scaled)) verdict.text += "; one of them is the sum for " + verdict.where;
        }
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::run) throw;
        verdict.state = Verdict::State::fail;  // a dataset is missing or has another size
        verdict.where = error.where();
        verdict.text = error.what();
    }
    return verdict;
}

}  // namespace ks::particles
