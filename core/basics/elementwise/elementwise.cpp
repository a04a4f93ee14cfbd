#include "core/basics/elementwise/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// How texts name an operation and its results.
struct Words {
    const char *formula, *stage, *value, *compute;
};
const Words& words_of(Elementwise::Kind kind) {
    // In the order of Elementwise::Kind.
    static const std::array<Words, 3> all{{{"c = a + b", "add", "sum", "add"},
                                           {"c = a b", "multiply", "value", "compute"},
                                           {"c = k1 a + k2 b", "combine", "value", "compute"}}};
    return all[static_cast<std::size_t>(kind)];
}

/// AnalysisFunctions::load. @param elementwise_from reads what is computed
auto loaded_by(Elementwise (*elementwise_from)(const ParameterSet&)) {
    return made_by([elementwise_from](const Request& request, const Progress& progress) {
        return std::make_shared<ElementwiseProblem>(size_of(request), seed_of(request),
                                                    elementwise_from(request.parameters), progress);
    });
}

Verdict check_elementwise(const ElementwiseProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress) {
    const char* const what = words_of(problem.what().kind).value;
    const ElementWords words =
        problem.is_combination()
            ? ElementWords{what, "is within 1.2e-7 (|k1 a| + |k2 b|) of the reference",
                           "are within 1.2e-7 (|k1 a| + |k2 b|) of the reference"}
            : ElementWords{what, "has the same bits as the reference", "have the same bits as the reference"};
    return check_elements<float>(
        run, problem.size(), mode, progress, words,
        [&problem](float value, std::size_t i) { return problem.error(value, i); }, problem.tolerance());
}

Result combine_on_host(const ElementwiseProblem& problem, HostContext& context, unsigned threads) {
    require_within(context.memory_limit, problem.bytes(),
                   fmt::format("three vectors of {} elements", problem.size()), context.request.analysis);
    constexpr std::size_t piece = std::size_t{1} << 18;
    Array values = Array::undefined(ElementType::f32, {problem.size()});
    const auto c = values.as<float>();
    Stopwatch watch;
    parallel_for((problem.size() + piece - 1) / piece, threads, context.progress, [&](std::size_t part) {
        for (std::size_t i = part * piece; i < std::min(problem.size(), (part + 1) * piece); ++i)
            c[i] = static_cast<float>(problem.exact(i));
    });
    add(context.timings, {.stage = problem.what().stage(),
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = problem.bytes(),
                          .operations = problem.size()});
    return elementwise_result(problem, std::move(values), context.timings);
}

Exercise elementwise(int place, Elementwise::Kind kind, AnalysisInfo info,
                     Elementwise (*elementwise_from)(const ParameterSet&)) {
    const Words& words = words_of(kind);
    return exercise(
        place, "core/basics/elementwise/elementwise.cpp",
        {.info = std::move(info),
         .load = loaded_by(elementwise_from),
         .check = check_elementwise,
         .setup_text = elements_text,
         .ceiling_share = share_of_copies(&ElementwiseProblem::bytes)},
        {
            {"host.reference", 1, "A loop in C++",
             fmt::format("One thread computes each {} in double and rounds it to float.", words.value),
             [](const ElementwiseProblem& problem, HostContext& context) {
                 return combine_on_host(problem, context, 1);
             }},
            {"host.threads", 10, "The loop on all threads",
             fmt::format("All host threads {} pieces of 262144 elements.", words.compute),
             [](const ElementwiseProblem& problem, HostContext& context) {
                 return combine_on_host(problem, context, context.threads);
             }},
        });
}

}  // namespace

const char* Elementwise::stage() const {
    return words_of(kind).stage;
}

ElementwiseProblem::ElementwiseProblem(std::size_t size, std::uint64_t seed, const Elementwise& what,
                                       const Progress& progress)
    : seed_(seed),
      what_(what),
      a_(exercise_values(size, seed, 1, progress)),
      b_(exercise_values(size, seed, 2, progress)) {}

double ElementwiseProblem::exact(std::size_t i) const {
    const double a = a_[i], b = b_[i];
    if (is_combination()) return static_cast<double>(what_.k1) * a + static_cast<double>(what_.k2) * b;
    return what_.kind == Elementwise::Kind::product ? a * b : a + b;
}

double ElementwiseProblem::error(float value, std::size_t i) const {
    if (!is_combination()) return relative_error(value, static_cast<float>(exact(i)));
    constexpr double smallest_normal = 0x1p-126;
    const double distance = std::abs(static_cast<double>(value) - exact(i)) - 3 * smallest_normal;
    if (distance <= 0) return 0;
    const double error = distance / (std::abs(static_cast<double>(what_.k1) * a_[i]) +
                                     std::abs(static_cast<double>(what_.k2) * b_[i]));
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

Result elementwise_result(const ElementwiseProblem& problem, Array c, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back(
        {"c", words_of(problem.what().kind).formula, "", DataKind::curves, std::move(c), {""}});
    result.facts = {{"elements", problem.size()}};
    add_rate(result, problem.bytes(), timings);
    return result;
}

std::vector<Exercise> elementwise_exercises() {
    using Kind = Elementwise::Kind;
    const auto coefficient = [](const char* id, double value, const char* help) {
        return parameter::number(id, id, "", value, -largest_coefficient, largest_coefficient, help);
    };
    return {
        elementwise(
            1, Kind::sum,
            {.id = "vector_add",
             .title = "Vector addition",
             .description = "Adds two vectors element by element: a first kernel, with three buffers",
             .parameters = {size_parameter(),
                            parameter::optional_whole("local_size", "Local size", "work-items",
                                                      "left to the driver", 1, 65536, "Work-items per group"),
                            seed_parameter()}},
            [](const ParameterSet& set) {
                Elementwise sum;
                if (const auto local = optional_integer(set, "local_size"))
                    sum.local_size = static_cast<std::size_t>(*local);
                return sum;
            }),
        elementwise(
            2, Kind::product,
            {.id = "multiply",
             .title = "Element-wise product",
             .description = "Multiplies two vectors element by element: a C loop and the equivalent kernel",
             .parameters = {size_parameter(), seed_parameter()}},
            [](const ParameterSet&) { return Elementwise{Kind::product}; }),
        elementwise(
            3, Kind::combination,
            {.id = "map",
             .title = "Map",
             .description = "Applies k1 a + k2 b to each pair of elements of two vectors",
             .parameters = {size_parameter(), coefficient("k1", 2, "Coefficient of the first vector"),
                            coefficient("k2", 3, "Coefficient of the second vector"), seed_parameter()}},
            [](const ParameterSet& set) {
                return Elementwise{Kind::combination, static_cast<float>(real(set, "k1")),
                                   static_cast<float>(real(set, "k2"))};
            })};
}

}  // namespace ks::basics
