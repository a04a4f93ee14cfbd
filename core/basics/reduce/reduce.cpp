#include "core/basics/reduce/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

constexpr const char* ones_fact = "ones";
constexpr const char* sum_fact = "sum_of_ones";

constexpr std::size_t reduced_at_once = std::size_t{1} << 18;

AnalysisInfo reduce_info() {
    return {.id = "reduce",
            .title = "Reduction",
            .description = "One value from a vector: sum, minimum or maximum",
            .parameters = {size_parameter(),
                           parameter::choice("operation", "Operation", {"sum", "min", "max"},
                                             "Operation on the elements"),
                           parameter::choice("type", "Type", {"f32", "u32"},
                                             "Floats, or 32-bit integers, whose sum is modulo 2^32"),
                           seed_parameter()}};
}

AnalysisInfo dot_info() {
    return {.id = "dot",
            .title = "Dot product",
            .description = "Sum of the element-wise products of two vectors: map and reduction in one kernel",
            .parameters = {size_parameter(), seed_parameter()}};
}

std::shared_ptr<const Problem> load_reduce(const Request& request, const Progress& progress) {
    const std::string operation = text(request.parameters, "operation");
    return std::make_shared<ReduceProblem>(size_of(request), seed_of(request),
                                           operation == "sum"   ? Reduction::sum
                                           : operation == "min" ? Reduction::min
                                                                : Reduction::max,
                                           text(request.parameters, "type") == "f32", progress);
}

/// The value of [first, last), and the squares of its terms: in double for floats, exactly for integers.
struct Reduced {
    double value = 0, squares = 0;
    std::uint32_t whole = 0;
};

template <class T>
T joined(Reduction operation, T a, T b) {
    return operation == Reduction::sum   ? static_cast<T>(a + b)
           : operation == Reduction::min ? std::min(a, b)
                                         : std::max(a, b);
}

Reduced reduced(const ReduceProblem& problem, std::size_t first, std::size_t last) {
    Reduced found;
    if (!problem.of_floats()) {
        found.whole = problem.whole()[first];
        for (std::size_t i = first + 1; i < last; ++i)
            found.whole = joined(problem.operation(), found.whole, problem.whole()[i]);
        return found;
    }
    found.value = problem.term(first);
    found.squares = found.value * found.value;
    for (std::size_t i = first + 1; i < last; ++i) {
        const double term = problem.term(i);
        found.value = joined(problem.operation(), found.value, term);
        found.squares += term * term;
    }
    return found;
}

Reduced reduced(const ReduceProblem& problem, unsigned threads, Progress& progress) {
    std::vector<Reduced> parts((problem.size() + reduced_at_once - 1) / reduced_at_once);
    parallel_for(parts.size(), threads, progress, [&](std::size_t part) {
        const std::size_t first = part * reduced_at_once;
        parts[part] = reduced(problem, first, std::min(problem.size(), first + reduced_at_once));
    });
    Reduced all = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) {
        all.whole = joined(problem.operation(), all.whole, parts[part].whole);
        all.value = joined(problem.operation(), all.value, parts[part].value);
        all.squares += parts[part].squares;
    }
    return all;
}

/// Empty if the result does not have one.
std::optional<SumOfOnes> sum_of_ones(const Result& result) {
    const auto ones = result.facts.find(ones_fact), sum = result.facts.find(sum_fact);
    if (ones == result.facts.end() || sum == result.facts.end() || !ones->is_number_unsigned())
        return std::nullopt;
    return SumOfOnes{.ones = ones->get<std::size_t>(),
                     .sum = sum->is_number() ? sum->get<float>() : std::numeric_limits<float>::quiet_NaN()};
}

Verdict check_reduce(const ReduceProblem& problem, const Run& run, CheckMode, Progress& progress) {
    Verdict verdict;
    const Dataset* const found = run.result.find("value");
    verdict.where = "value";
    const ElementType type = problem.of_floats() ? ElementType::f32 : ElementType::u32;
    if (found == nullptr || found->values.type() != type || found->values.size() != 1)
        return failed("value",
                      fmt::format("expected a single value of type {}", problem.of_floats() ? "f32" : "u32"));
    const Reduced exact = reduced(problem, compute_threads(), progress);
    verdict.samples = 1;
    if (!problem.of_floats()) {
        const std::uint32_t value = found->values.as<std::uint32_t>()[0];
        verdict.worst_error = relative_error(value, exact.whole);
        verdict.state = value == exact.whole ? Verdict::State::pass : Verdict::State::fail;
        verdict.text = value == exact.whole
                           ? fmt::format("pass: {} equals the reference", value)
                           : fmt::format("fail: the value is {}, expected {}", value, exact.whole);
        return verdict;
    }
    const float value = found->values.as<float>()[0];
    verdict.tolerance = problem.operation() == Reduction::sum ? reduce_tolerance(problem.size()) : 0;
    const double distance = std::abs(static_cast<double>(value) - exact.value);
    double error = distance == 0 ? 0 : distance / std::sqrt(exact.squares);
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    verdict.worst_error = error;
    const bool pass = error <= verdict.tolerance;
    verdict.state = pass ? Verdict::State::pass : Verdict::State::fail;
    verdict.text = fmt::format(
        "{}: the value, {:.9g}, differs from the reference by {:.2g} times the norm of the terms "
        "(tolerance {:.2g})",
        pass ? "pass" : "fail", value, error, verdict.tolerance);
    if (std::isnan(value)) verdict.text = fmt::format("fail: the value is NaN, expected {:.9g}", exact.value);
    if (const auto ones = sum_of_ones(run.result); ones && pass) {
        const std::string what = fmt::format(
            "{} of {}", problem.is_dot() ? "the dot product of two vectors" : "the sum of a vector",
            count_text(ones->ones, "one"));
        if (static_cast<double>(ones->sum) == static_cast<double>(ones->ones)) {
            verdict.text += fmt::format("; {} is right", what);
        } else {
            verdict.state = Verdict::State::fail;
            verdict.text =
                fmt::format("fail: {} is {:.9g}, expected {}: elements are left out or added more than once",
                            what, ones->sum, ones->ones);
        }
    }
    return verdict;
}

std::optional<CeilingShare> reduce_share(const ReduceProblem& problem, const Variant&,
                                         double kernel_nanoseconds, const Ceilings& ceilings) {
    return share_of(static_cast<double>(problem.bytes()) * 1e9 / kernel_nanoseconds, ceilings,
                    ceiling_ids::read, "device memory reads");
}

Result reduce_by(const ReduceProblem& problem, HostContext& context, unsigned threads) {
    require_within(context.memory_limit, problem.bytes(), fmt::format("{} elements", problem.size()),
                   context.request.analysis);
    Stopwatch watch;
    const Reduced found = reduced(problem, threads, context.progress);
    Array value(problem.of_floats() ? ElementType::f32 : ElementType::u32, {1});
    if (problem.of_floats())
        value.as<float>()[0] = static_cast<float>(found.value);
    else
        value.as<std::uint32_t>()[0] = found.whole;
    add(context.timings, {.stage = "reduce",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = problem.bytes(),
                          .operations = problem.size()});
    return reduce_result(problem, std::move(value), context.timings);
}

Exercise reduction(int place, AnalysisInfo info, decltype(AnalysisFunctions::load) load) {
    return exercise(place, "core/basics/reduce/reduce.cpp",
                    {.info = std::move(info),
                     .load = std::move(load),
                     .check = check_reduce,
                     .setup_text = elements_text,
                     .ceiling_share = reduce_share},
                    {
                        {"host.reference", 1, "A loop in C++",
                         "One thread combines floats in double, and integers exactly.",
                         [](const ReduceProblem& problem, HostContext& context) {
                             return reduce_by(problem, context, 1);
                         }},
                        {"host.threads", 10, "The loop on all threads",
                         "All host threads reduce pieces of 262144 elements; then the results of the pieces "
                         "are combined.",
                         [](const ReduceProblem& problem, HostContext& context) {
                             return reduce_by(problem, context, context.threads);
                         }},
                    });
}

}  // namespace

ReduceProblem::ReduceProblem(std::size_t size, std::uint64_t seed, Reduction operation, bool of_floats,
                             const Progress& progress)
    : seed_(seed), operation_(operation), of_floats_(of_floats) {
    if (of_floats)
        x_ = exercise_values(size, seed, 1, progress);
    else
        whole_ = exercise_integers(size, seed, 1, progress);
}

ReduceProblem::ReduceProblem(std::size_t size, std::uint64_t seed, const Progress& progress)
    : seed_(seed),
      operation_(Reduction::sum),
      of_floats_(true),
      x_(exercise_values(size, seed, 1, progress)),
      y_(exercise_values(size, seed, 2, progress)) {}

double ReduceProblem::term(std::size_t i) const {
    const double x = x_[i];
    return y_.empty() ? x : x * static_cast<double>(y_[i]);
}

double reduce_tolerance(std::size_t size) {
    return 4 * std::sqrt(static_cast<double>(size)) * 0x1p-24;
}

void add_sum_of_ones(Result& result, const SumOfOnes& sum) {
    result.facts[ones_fact] = sum.ones;
    result.facts[sum_fact] = sum.sum;
}

Result reduce_result(const ReduceProblem& problem, Array value, const std::vector<Timing>& timings) {
    Result result;
    result.facts = {{"elements", problem.size()}};
    if (problem.of_floats())
        result.facts["value"] = static_cast<double>(value.as<float>()[0]);
    else
        result.facts["value"] = value.as<std::uint32_t>()[0];
    const bool wraps = !problem.of_floats() && problem.operation() == Reduction::sum;
    if (wraps) result.facts["modulo"] = sums_modulo;
    add_rate(result, problem.bytes(), timings);
    const char* const title = problem.is_dot() ? "x y" : wraps ? "Sum modulo 2^32" : "Reduced value";
    result.datasets.push_back({"value", title, "", DataKind::curves, std::move(value), {""}});
    return result;
}

std::vector<Exercise> reduce_exercises() {
    return {reduction(4, reduce_info(), made_by(load_reduce)),
            reduction(5, dot_info(), made_of_size_and_seed<ReduceProblem>())};
}

}  // namespace ks::basics
