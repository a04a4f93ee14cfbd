#include "core/basics/elementwise/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/record/result_file.h"
#include "core/record/run_record.h"
#include "core/run/analysis_parts.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

constexpr std::size_t sampled_elements = 100'000;
/// Coefficients beyond this could overflow, which no check could tell from an error.
constexpr double largest_coefficient = 1e30;

AnalysisInfo elementwise_info(const char* id, const char* title, const char* description,
                              std::vector<ParameterSpec> own) {
    AnalysisInfo info;
    info.id = id;
    info.title = title;
    info.description = description;
    info.group = group;
    info.parameters = {parameter::whole("size", "Size", "elements", 1 << 20, 1, parameter::unbounded,
                                        "Elements of a vector")};
    for (ParameterSpec& spec : own) info.parameters.push_back(std::move(spec));
    info.parameters.push_back(seed_parameter());
    info.benchmark = info.parameters;
    info.reference = "host.reference";
    return info;
}

std::size_t elementwise_size(const Request& request) {
    return static_cast<std::size_t>(integer(request.parameters, "size"));
}

std::uint64_t elementwise_seed(const Request& request) {
    return static_cast<std::uint64_t>(integer(request.parameters, "seed"));
}

std::shared_ptr<const Problem> load_multiply(const Request& request, Progress&,
                                             std::shared_ptr<const Problem> previous) {
    previous.reset();
    return std::make_shared<ElementwiseProblem>(elementwise_size(request), elementwise_seed(request));
}

std::shared_ptr<const Problem> load_map(const Request& request, Progress&,
                                        std::shared_ptr<const Problem> previous) {
    previous.reset();
    return std::make_shared<ElementwiseProblem>(elementwise_size(request), elementwise_seed(request),
                                                static_cast<float>(real(request.parameters, "k1")),
                                                static_cast<float>(real(request.parameters, "k2")));
}

Verdict check_elementwise(const ElementwiseProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress) {
    Verdict verdict;
    if (mode == CheckMode::none) return verdict;
    const Dataset* const found = run.result.find("c");
    if (found == nullptr || found->values.type() != ElementType::f32 ||
        found->values.size() != problem.size()) {
        verdict.state = Verdict::State::fail;
        verdict.where = "c";
        verdict.text = fmt::format("fail: expected {} values in c", problem.size());
        return verdict;
    }
    const auto values = found->values.as<float>();
    const std::size_t step =
        mode == CheckMode::full ? 1 : std::max<std::size_t>(1, problem.size() / sampled_elements);
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < problem.size(); i += step, ++verdict.samples) {
        if (i % (std::size_t{1} << 20) == 0) progress.check();
        const double exact = problem.exact(i);
        const bool right = problem.is_product()
                               ? values[i] == static_cast<float>(exact)
                               : std::abs(static_cast<double>(values[i]) - exact) <= problem.allowed(i);
        if (right) continue;
        if (wrong++ == 0) first = i;
    }
    verdict.worst_error = wrong == 0 ? 0 : 1;
    verdict.where = fmt::format("c, element {}", first);
    verdict.state = wrong > 0   ? Verdict::State::fail
                    : step == 1 ? Verdict::State::pass
                                : Verdict::State::sampled;
    const char* const asked = problem.is_product() ? "are the same bits as the reference"
                                                   : "are within 1.2e-7 (|k1 a| + |k2 b|) of the reference";
    verdict.text = wrong == 0
                       ? fmt::format("pass: {} of {} values {}", verdict.samples, problem.size(), asked)
                       : fmt::format("fail: {} of {} values differ from the reference, first at element {}",
                                     wrong, verdict.samples, first);
    return verdict;
}

std::optional<CeilingShare> elementwise_share(const ElementwiseProblem& problem, double kernel_nanoseconds,
                                              const Ceilings& ceilings) {
    return share_of(static_cast<double>(problem.bytes()) * 1e9 / kernel_nanoseconds, ceilings,
                    ceiling_ids::copy, "copies in device memory");
}

std::string elementwise_setup(const Run& run) {
    const auto size = run.request.parameters.find("size");
    return size == run.request.parameters.end() ? std::string() : to_text(size->second) + " elements";
}

Result combine_on_host(const Problem& any, HostContext& context, unsigned threads) {
    const auto& problem = dynamic_cast<const ElementwiseProblem&>(any);
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

std::unique_ptr<Analysis> elementwise_analysis(
    AnalysisInfo info,
    std::shared_ptr<const Problem> (*load)(const Request&, Progress&, std::shared_ptr<const Problem>)) {
    return analysis_of<ElementwiseProblem>({.info = std::move(info),
                                            .load = load,
                                            .check = check_elementwise,
                                            .save = io::write_result,
                                            .open = io::read_run_record,
                                            .save_csv = io::write_result_table,
                                            .setup_text = elementwise_setup,
                                            .ceiling_share = elementwise_share});
}

}  // namespace

ElementwiseProblem::ElementwiseProblem(std::size_t size, std::uint64_t seed)
    : seed_(seed),
      is_product_(true),
      a_(exercise_values(size, seed, 1)),
      b_(exercise_values(size, seed, 2)) {}

ElementwiseProblem::ElementwiseProblem(std::size_t size, std::uint64_t seed, float k1, float k2)
    : seed_(seed),
      is_product_(false),
      k1_(k1),
      k2_(k2),
      a_(exercise_values(size, seed, 1)),
      b_(exercise_values(size, seed, 2)) {}

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
    if (const auto seconds = seconds_of(timings))
        result.facts["gigabytes_per_second"] = static_cast<double>(problem.bytes()) * 1e-9 / *seconds;
    return result;
}

std::unique_ptr<Analysis> make_multiply() {
    return elementwise_analysis(
        elementwise_info("multiply", "Multiplication of elements",
                         "Multiplies two vectors element by element: the C loop and the kernel in its place",
                         {}),
        load_multiply);
}

std::unique_ptr<Analysis> make_map() {
    return elementwise_analysis(
        elementwise_info("map", "Map", "Applies k1 a + k2 b to each pair of elements of two vectors",
                         {parameter::number("k1", "k1", "", 2, -largest_coefficient, largest_coefficient,
                                            "Coefficient of the first vector"),
                          parameter::number("k2", "k2", "", 3, -largest_coefficient, largest_coefficient,
                                            "Coefficient of the second vector")}),
        load_map);
}

std::vector<HostVariant> elementwise_on_host() {
    std::vector<HostVariant> all;
    for (const char* analysis : {"multiply", "map"}) {
        Variant reference;
        reference.analysis = analysis;
        reference.id = "host.reference";
        reference.title = "A loop in C++";
        reference.description = "one thread; each value in double, then rounded to float";
        reference.source_file = "core/basics/elementwise/elementwise.cpp";
        reference.rank = 1;

        Variant threads = reference;
        threads.id = "host.threads";
        threads.title = "The loop on all threads";
        threads.description = "pieces of 262144 elements on the threads of the host";
        threads.rank = 10;
        all.push_back({reference, [](const Problem& problem, HostContext& context) {
                           return combine_on_host(problem, context, 1);
                       }});
        all.push_back({threads, [](const Problem& problem, HostContext& context) {
                           return combine_on_host(problem, context, context.threads);
                       }});
    }
    return all;
}

}  // namespace ks::basics
