#include "core/basics/elementwise/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Coefficients beyond this could overflow, which a check could not distinguish from an error.
constexpr double largest_coefficient = 1e30;

std::shared_ptr<const Problem> load_map(const Request& request, const Progress& progress) {
    return std::make_shared<ElementwiseProblem>(size_of(request), seed_of(request),
                                                static_cast<float>(real(request.parameters, "k1")),
                                                static_cast<float>(real(request.parameters, "k2")), progress);
}

Verdict check_elementwise(const ElementwiseProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress) {
    const auto right = [&problem](float value, std::size_t i) {
        const double exact = problem.exact(i);
        return problem.is_product() ? value == static_cast<float>(exact)
                                    : std::abs(static_cast<double>(value) - exact) <= problem.allowed(i);
    };
    return check_elements<float>(
        run, problem.size(), mode, progress,
        {"values", problem.is_product() ? "have the same bits as the reference"
                                        : "are within 1.2e-7 (|k1 a| + |k2 b|) of the reference"},
        right);
}

Result combine_on_host(const ElementwiseProblem& problem, HostContext& context, unsigned threads) {
    require_within(context.memory_limit, problem.bytes(),
                   fmt::format("three vectors of {} elements", problem.size()), context.request.analysis);
    constexpr std::size_t piece = std::size_t{1} << 18;
    Array values(ElementType::f32, {problem.size()});
    const auto c = values.as<float>();
    Stopwatch watch;
    parallel_for((problem.size() + piece - 1) / piece, threads, context.progress, [&](std::size_t part) {
        for (std::size_t i = part * piece; i < std::min(problem.size(), (part + 1) * piece); ++i)
            c[i] = static_cast<float>(problem.exact(i));
    });
    add(context.timings, {.stage = problem.is_product() ? "multiply" : "combine",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = problem.bytes(),
                          .operations = problem.size()});
    return elementwise_result(problem, std::move(values), context.timings);
}

Exercise elementwise(int place, AnalysisInfo info, decltype(AnalysisFunctions::load) load) {
    return exercise(place, "core/basics/elementwise/elementwise.cpp",
                    {.info = std::move(info),
                     .load = std::move(load),
                     .check = check_elementwise,
                     .setup_text = elements_text,
                     .ceiling_share = share_of_copies(&ElementwiseProblem::bytes)},
                    {
                        {"host.reference", 1, "A loop in C++",
                         "one thread computes each value in double and rounds it to float",
                         [](const ElementwiseProblem& problem, HostContext& context) {
                             return combine_on_host(problem, context, 1);
                         }},
                        {"host.threads", 10, "The loop on all threads",
                         "all host threads compute pieces of 262144 elements",
                         [](const ElementwiseProblem& problem, HostContext& context) {
                             return combine_on_host(problem, context, context.threads);
                         }},
                    });
}

}  // namespace

ElementwiseProblem::ElementwiseProblem(std::size_t size, std::uint64_t seed, const Progress& progress)
    : seed_(seed),
      is_product_(true),
      a_(exercise_values(size, seed, 1, progress)),
      b_(exercise_values(size, seed, 2, progress)) {}

ElementwiseProblem::ElementwiseProblem(std::size_t size, std::uint64_t seed, float k1, float k2,
                                       const Progress& progress)
    : seed_(seed),
      is_product_(false),
      k1_(k1),
      k2_(k2),
      a_(exercise_values(size, seed, 1, progress)),
      b_(exercise_values(size, seed, 2, progress)) {}

double ElementwiseProblem::exact(std::size_t i) const {
    const double a = a_[i], b = b_[i];
    return is_product_ ? a * b : static_cast<double>(k1_) * a + static_cast<double>(k2_) * b;
}

double ElementwiseProblem::allowed(std::size_t i) const {
    if (is_product_) return 0;
    constexpr double rounded = 1.2e-7, smallest_normal = 0x1p-126;
    return rounded *
               (std::abs(static_cast<double>(k1_) * a_[i]) + std::abs(static_cast<double>(k2_) * b_[i])) +
           3 * smallest_normal;
}

Result elementwise_result(const ElementwiseProblem& problem, Array c, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c",
                               problem.is_product() ? "c = a b" : "c = k1 a + k2 b",
                               "",
                               DataKind::curves,
                               std::move(c),
                               {""}});
    result.facts = {{"elements", problem.size()}};
    add_rate(result, problem.bytes(), timings);
    return result;
}

std::vector<Exercise> elementwise_exercises() {
    const auto coefficient = [](const char* id, double value, const char* help) {
        return parameter::number(id, id, "", value, -largest_coefficient, largest_coefficient, help);
    };
    return {elementwise(2,
                        {.id = "multiply",
                         .title = "Element-wise product",
                         .description =
                             "Multiplies two vectors element by element: a C loop and the equivalent kernel",
                         .parameters = {size_parameter(), seed_parameter()}},
                        made_of_size_and_seed<ElementwiseProblem>()),
            elementwise(
                3,
                {.id = "map",
                 .title = "Map",
                 .description = "Applies k1 a + k2 b to each pair of elements of two vectors",
                 .parameters = {size_parameter(), coefficient("k1", 2, "Coefficient of the first vector"),
                                coefficient("k2", 3, "Coefficient of the second vector"), seed_parameter()}},
                made_by(load_map))};
}

}  // namespace ks::basics
