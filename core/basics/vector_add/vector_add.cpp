#include "core/basics/vector_add/vector_add.h"

#include <fmt/format.h>

#include <algorithm>
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

constexpr std::size_t sampled_sums = 100'000;

AnalysisInfo vector_add_info() {
    AnalysisInfo info;
    info.id = "vector_add";
    info.title = "Vector addition";
    info.description = "Adds two vectors element by element: the first kernel, with three buffers";
    info.group = group;
    info.parameters = {parameter::whole("size", "Size", "elements", 1 << 20, 1, parameter::unbounded,
                                        "Elements of a vector"),
                       parameter::optional_whole("local_size", "Local size", "work-items",
                                                 "left to the driver", 1, 65536, "Work-items of a group"),
                       seed_parameter()};
    info.benchmark = info.parameters;
    info.reference = "host.reference";
    return info;
}

std::shared_ptr<const Problem> load_vector_add(const Request& request, Progress&,
                                               std::shared_ptr<const Problem> previous) {
    previous.reset();
    const auto local = optional_integer(request.parameters, "local_size");
    return std::make_shared<VectorAddProblem>(
        static_cast<std::size_t>(integer(request.parameters, "size")),
        static_cast<std::uint64_t>(integer(request.parameters, "seed")),
        local ? std::optional(static_cast<std::size_t>(*local)) : std::nullopt);
}

/// A sum of two floats of the input is exact in double, so the nearest float is known.
float exact_sum(float a, float b) {
    return static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
}

/// Rounding to nearest is asked of every device: all sums are the same bits.
Verdict check_vector_add(const VectorAddProblem& problem, const Run& run, CheckMode mode,
                         Progress& progress) {
    Verdict verdict;
    if (mode == CheckMode::none) return verdict;
    const Dataset* const found = run.result.find("c");
    if (found == nullptr || found->values.type() != ElementType::f32 ||
        found->values.size() != problem.size()) {
        verdict.state = Verdict::State::fail;
        verdict.where = "c";
        verdict.text = fmt::format("fail: expected {} sums in c", problem.size());
        return verdict;
    }
    const auto sums = found->values.as<float>();
    const std::size_t step =
        mode == CheckMode::full ? 1 : std::max<std::size_t>(1, problem.size() / sampled_sums);
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < problem.size(); i += step, ++verdict.samples) {
        if (i % (std::size_t{1} << 20) == 0) progress.check();
        if (sums[i] == exact_sum(problem.a()[i], problem.b()[i])) continue;
        if (wrong++ == 0) first = i;
    }
    verdict.worst_error = wrong == 0 ? 0 : 1;
    verdict.where = fmt::format("c, element {}", first);
    verdict.state = wrong > 0   ? Verdict::State::fail
                    : step == 1 ? Verdict::State::pass
                                : Verdict::State::sampled;
    verdict.text = wrong == 0
                       ? fmt::format("pass: {} of {} sums are the same bits as the reference",
                                     verdict.samples, problem.size())
                       : fmt::format("fail: {} of {} sums differ from the reference, first at element {}",
                                     wrong, verdict.samples, first);
    return verdict;
}

std::optional<CeilingShare> vector_add_share(const VectorAddProblem& problem, double kernel_nanoseconds,
                                             const Ceilings& ceilings) {
    return share_of(static_cast<double>(problem.bytes()) * 1e9 / kernel_nanoseconds, ceilings,
                    ceiling_ids::copy, "copies in device memory");
}

std::string vector_add_setup(const Run& run) {
    const auto size = run.request.parameters.find("size");
    return size == run.request.parameters.end() ? std::string() : to_text(size->second) + " elements";
}

/// On `threads` threads.
Result add_on_host(const Problem& any, HostContext& context, unsigned threads) {
    const auto& problem = dynamic_cast<const VectorAddProblem&>(any);
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
                                   std::optional<std::size_t> local_size)
    : seed_(seed),
      local_size_(local_size),
      a_(exercise_values(size, seed, 1)),
      b_(exercise_values(size, seed, 2)) {}

Result vector_add_result(const VectorAddProblem& problem, Array sums, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c", "c = a + b", "", DataKind::curves, std::move(sums), {""}});
    result.facts = {{"elements", problem.size()}};
    if (const auto seconds = seconds_of(timings))
        result.facts["gigabytes_per_second"] = static_cast<double>(problem.bytes()) * 1e-9 / *seconds;
    return result;
}

std::unique_ptr<Analysis> make_vector_add() {
    return analysis_of<VectorAddProblem>({.info = vector_add_info(),
                                          .load = load_vector_add,
                                          .check = check_vector_add,
                                          .save = io::write_result,
                                          .open = io::read_run_record,
                                          .save_csv = io::write_result_table,
                                          .setup_text = vector_add_setup,
                                          .ceiling_share = vector_add_share});
}

std::vector<HostVariant> vector_add_on_host() {
    Variant reference;
    reference.analysis = "vector_add";
    reference.id = "host.reference";
    reference.title = "A loop in C++";
    reference.description = "one thread; each sum in double, then rounded to float";
    reference.source_file = "core/basics/vector_add/vector_add.cpp";
    reference.rank = 1;

    Variant threads = reference;
    threads.id = "host.threads";
    threads.title = "The loop on all threads";
    threads.description = "pieces of 262144 elements on the threads of the host";
    threads.rank = 10;
    return {{reference,
             [](const Problem& problem, HostContext& context) { return add_on_host(problem, context, 1); }},
            {threads, [](const Problem& problem, HostContext& context) {
                 return add_on_host(problem, context, context.threads);
             }}};
}

}  // namespace ks::basics
