#include "core/basics/matmul/matmul_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/data/not_numbers.h"
#include "core/data/sample.h"

namespace ks::basics {
namespace {

constexpr double sampled_multiply_adds = 1e8;

/// The largest error of a row in units of the norms, and its position.
struct RowError {
    double error = 0;
    std::size_t column = 0;
};

/// Norm of each column of B, [column].
std::vector<double> column_norms(const MatmulProblem& problem, const Progress& progress) {
    const std::size_t n = problem.size();
    std::vector<double> norms(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (k % rows_at_once(n) == 0) progress.check();
        for (std::size_t j = 0; j < n; ++j) {
            const double value = problem.b()[k * n + j];
            norms[j] += value * value;
        }
    }
    for (double& norm : norms) norm = std::sqrt(norm);
    return norms;
}

RowError error_of_row(const MatmulProblem& problem, std::span<const float> found,
                      const std::vector<double>& norms, std::size_t row, const Progress& progress) {
    const std::size_t n = problem.size();
    std::vector<double> exact(n);
    exact_row(problem, row, exact, progress);
    double norm_of_row = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const double value = problem.a()[row * n + k];
        norm_of_row += value * value;
    }
    norm_of_row = std::sqrt(norm_of_row);
    RowError worst;
    for (std::size_t j = 0; j < n; ++j) {
        const double distance = std::abs(static_cast<double>(found[row * n + j]) - exact[j]);
        double error = distance == 0 ? 0 : distance / (norm_of_row * norms[j]);
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        if (error > worst.error) worst = {error, j};
    }
    return worst;
}

}  // namespace

double matmul_tolerance(std::size_t size, const Variant& variant) {
    const double root = std::sqrt(static_cast<double>(size));
    double of_products = 0;
    for (const auto& [dataset, tolerance] : variant.tolerances)
        if (dataset == "c") of_products = tolerance * std::min(1.0, 10 / root);
    return of_products + 4 * root * 0x1p-24;
}

Verdict check_matmul(const MatmulProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    Verdict verdict;
    const std::size_t n = problem.size();
    verdict.tolerance = matmul_tolerance(n, run.variant);
    const Dataset* const c = run.result.find("c");
    if (c == nullptr || c->values.type() != ElementType::f32 ||
        c->values.shape() != std::vector<std::size_t>{n, n})
        return failed("c", fmt::format("expected {0} x {0} values in c", n), verdict);
    const auto found = c->values.as<float>();
    const auto wanted = static_cast<std::size_t>(
        std::max(1.0, sampled_multiply_adds / (static_cast<double>(n) * static_cast<double>(n))));
    const Sample sample(n, mode == CheckMode::full ? n : wanted);
    const std::size_t rows = sample.places();
    const std::vector<double> norms = column_norms(problem, progress);
    std::vector<RowError> errors(rows);
    constexpr std::size_t at_once = 64;
    for (std::size_t first = 0; first < rows; first += at_once) {
        progress.report(static_cast<double>(first) / static_cast<double>(rows), "check");
        parallel_for(std::min(at_once, rows - first), compute_threads(), progress, [&](std::size_t i) {
            errors[first + i] = error_of_row(problem, found, norms, sample[first + i], progress);
        });
    }
    const auto worst = std::ranges::max_element(errors, {}, &RowError::error);
    verdict.samples = rows * n;
    verdict.worst_error = worst->error;
    const std::size_t row = sample[static_cast<std::size_t>(worst - errors.begin())];
    verdict.where = fmt::format("c, row {}, column {}", row, worst->column);
    const bool pass = worst->error <= verdict.tolerance;
    verdict.state = !pass             ? Verdict::State::fail
                    : sample.is_all() ? Verdict::State::pass
                                      : Verdict::State::sampled;
    verdict.text = fmt::format(
        "{}: the largest error among {} of {} is {:.2g}, relative to the product of the row and "
        "column norms (tolerance {:.2g}); it is in row {}, column {} of c",
        pass ? "pass" : "fail", verdict.samples, count_text(n * n, "element"), worst->error,
        verdict.tolerance, row, worst->column);
    if (const auto [nans, first] = count_nan(found, progress); nans > 0) {
        verdict.state = Verdict::State::fail;  // also where none of them was sampled
        verdict.text =
            fmt::format("fail: {} of {} {} NaN, the first in row {}, column {} of c", nans,
                        count_text(n * n, "element"), nans == 1 ? "is" : "are", first / n, first % n);
    }
    return verdict;
}

}  // namespace ks::basics
