#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/matmul/matmul_check.h"

namespace ks::basics {
namespace {

void require_room(const MatmulProblem& problem, const HostContext& context) {
    require_within(context.memory_limit, 3 * problem.bytes(),
                   fmt::format("three matrices of {0} x {0} floats", problem.size()), "matmul");
}

Result finished(const MatmulProblem& problem, Array c, Stopwatch& watch, HostContext& context) {
    add(context.timings, {.stage = "multiply",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .operations = static_cast<std::uint64_t>(problem.multiply_adds())});
    return matmul_result(problem, std::move(c), context.timings);
}

Result multiply_in_double(const MatmulProblem& problem, HostContext& context) {
    require_room(problem, context);
    const std::size_t n = problem.size();
    Array c = Array::undefined(ElementType::f32, {n, n});
    Stopwatch watch;
    parallel_for(n, context.threads, context.progress, [&](std::size_t row) {
        std::vector<double> sums(n);
        exact_row(problem, row, sums, context.progress);
        std::ranges::transform(sums, c.as<float>().begin() + static_cast<std::ptrdiff_t>(row * n),
                               [](double sum) { return static_cast<float>(sum); });
    });
    return finished(problem, std::move(c), watch, context);
}

/// The textbook triple loop: a row of A times a column of B, in float.
Result multiply_sequentially(const MatmulProblem& problem, HostContext& context) {
    require_room(problem, context);
    const std::size_t n = problem.size();
    const float *const a = problem.a().data(), *const b = problem.b().data();
    Array c = Array::undefined(ElementType::f32, {n, n});
    const auto out = c.as<float>();
    const std::size_t columns = rows_at_once(n);
    Stopwatch watch;
    for (std::size_t i = 0; i < n; ++i) {
        context.progress.report(static_cast<double>(i) / static_cast<double>(n), "multiply");
        for (std::size_t j = 0; j < n; ++j) {
            if (j % columns == 0) context.progress.check();
            float sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
    }
    return finished(problem, std::move(c), watch, context);
}

}  // namespace

std::size_t rows_at_once(std::size_t n) {
    return std::max<std::size_t>(1, (std::size_t{1} << 20) / n);
}

void exact_row(const MatmulProblem& problem, std::size_t row, std::span<double> sums,
               const Progress& progress) {
    const std::size_t n = problem.size();
    std::ranges::fill(sums, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
        if (k % rows_at_once(n) == 0) progress.check();
        const double a = problem.a()[row * n + k];
        const float* const b = problem.b().data() + k * n;
        for (std::size_t j = 0; j < n; ++j) sums[j] += a * static_cast<double>(b[j]);
    }
}

std::vector<HostRow> matmul_on_host() {
    return {
        {"host.reference", 10, "Rows in double precision",
         "All host threads compute one row of C at a time, with every product and sum in double.",
         multiply_in_double},
        {"host.sequential", 1, "Triple loop",
         "Step 0: one thread multiplies each row of A by each column of B, in float.", multiply_sequentially},
    };
}

}  // namespace ks::basics
