#include "core/basics/vector_add/vector_add.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo vector_add_info() {
    return {.id = "vector_add",
            .title = "Vector addition",
            .description = "Adds two vectors element by element: a first kernel, with three buffers",
            .parameters = {size_parameter(),
                           parameter::optional_whole("local_size", "Local size", "work-items",
                                                     "left to the driver", 1, 65536, "Work-items per group"),
                           seed_parameter()}};
}

std::shared_ptr<const Problem> load_vector_add(const Request& request, const Progress& progress) {
    const auto local = optional_integer(request.parameters, "local_size");
    return std::make_shared<VectorAddProblem>(
        size_of(request), seed_of(request),
        local ? std::optional(static_cast<std::size_t>(*local)) : std::nullopt, progress);
}

/// The sum of two input floats is exact in double, so the nearest float is known.
float exact_sum(float a, float b) {
    return static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
}

/// Every device must round to nearest: all sums are the same bits.
Verdict check_vector_add(const VectorAddProblem& problem, const Run& run, CheckMode mode,
                         Progress& progress) {
    const auto right = [&problem](float sum, std::size_t i) {
        return sum == exact_sum(problem.a()[i], problem.b()[i]);
    };
    return check_elements<float>(run, problem.size(), mode, progress,
                                 {"sums", "have the same bits as the reference"}, right);
}

Result add_on_host(const VectorAddProblem& problem, HostContext& context, unsigned threads) {
    require_within(context.memory_limit, problem.bytes(),
                   fmt::format("three vectors of {} elements", problem.size()), "vector_add");
    constexpr std::size_t piece = std::size_t{1} << 18;
    Array sums(ElementType::f32, {problem.size()});
    const auto c = sums.as<float>();
    Stopwatch watch;
    parallel_for((problem.size() + piece - 1) / piece, threads, context.progress, [&](std::size_t part) {
        for (std::size_t i = part * piece; i < std::min(problem.size(), (part + 1) * piece); ++i)
            c[i] = exact_sum(problem.a()[i], problem.b()[i]);
    });
    add(context.timings, {.stage = "add",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = problem.bytes(),
                          .operations = problem.size()});
    return vector_add_result(problem, std::move(sums), context.timings);
}

}  // namespace

VectorAddProblem::VectorAddProblem(std::size_t size, std::uint64_t seed,
                                   std::optional<std::size_t> local_size, const Progress& progress)
    : seed_(seed),
      local_size_(local_size),
      a_(exercise_values(size, seed, 1, progress)),
      b_(exercise_values(size, seed, 2, progress)) {}

Result vector_add_result(const VectorAddProblem& problem, Array sums, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c", "c = a + b", "", DataKind::curves, std::move(sums), {""}});
    result.facts = {{"elements", problem.size()}};
    add_rate(result, problem.bytes(), timings);
    return result;
}

std::vector<Exercise> vector_add_exercises() {
    return {exercise(
        1, "core/basics/vector_add/vector_add.cpp",
        {.info = vector_add_info(),
         .load = made_by(load_vector_add),
         .check = check_vector_add,
         .setup_text = elements_text,
         .ceiling_share = share_of_copies(&VectorAddProblem::bytes)},
        {
            {"host.reference", 1, "A loop in C++",
             "one thread computes each sum in double and rounds it to float",
             [](const VectorAddProblem& problem, HostContext& context) {
                 return add_on_host(problem, context, 1);
             }},
            {"host.threads", 10, "The loop on all threads", "all host threads add pieces of 262144 elements",
             [](const VectorAddProblem& problem, HostContext& context) {
                 return add_on_host(problem, context, context.threads);
             }},
        })};
}

}  // namespace ks::basics
