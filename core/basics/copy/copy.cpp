#include "core/basics/copy/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo copy_info() {
    using namespace parameter;
    return {
        .id = "copy",
        .title = "Copy",
        .description =
            "Copies an array of 16-bit values in device memory, indexed in one to three dimensions",
        .parameters = {
            whole("depth", "Depth", "slices", 32, 1, unbounded, "Slices of the array"),
            whole("height", "Height", "rows", 512, 1, unbounded, "Rows per slice"),
            whole("width", "Width", "values", 1028, 1, unbounded, "Values per row"),
            whole("dimensions", "Dimensions", "", 3, 1, 3,
                  "Number of dimensions of the index range; 1 treats the array as one row, 2 as one slice"),
            seed_parameter()}};
}

std::string shape_text(const CopyShape& shape) {
    return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
}

std::shared_ptr<const Problem> load_copy(const Request& request, const Progress& progress) {
    auto problem = std::make_shared<CopyProblem>();
    const char* const lengths[] = {"depth", "height", "width"};
    for (std::size_t i = 0; i < 3; ++i)
        problem->shape[i] = static_cast<std::size_t>(integer(request.parameters, lengths[i]));
    const CopyShape& shape = problem->shape;
    const std::uint64_t need = array_bytes(sizeof(std::uint16_t), {shape[0], shape[1], shape[2]});
    if (const std::uint64_t room = available_memory() / 2; need > room)
        throw Error(ErrorKind::input,
                    fmt::format("an array of {} values and its copy exceed the {} available on the host",
                                shape_text(shape), memory_text(2 * room)),
                    "copy", smaller_shape(shape, room / sizeof(std::uint16_t)));
    problem->dimensions = static_cast<std::size_t>(integer(request.parameters, "dimensions"));
    problem->seed = seed_of(request);
    problem->values = exercise_shorts(shape[0] * shape[1] * shape[2], problem->seed, 1, progress);
    return problem;
}

/// Every value must equal the source's, and nothing past the end may have been written or read.
Verdict check_copy(const CopyProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    Verdict verdict = check_elements<std::uint16_t>(
        run, problem.count(), mode, progress, {"value", "is equal to the source", "are equal to the source"},
        [&problem](std::uint16_t value, std::size_t i) { return relative_error(value, problem.values[i]); });
    if (verdict.state == Verdict::State::fail) return verdict;
    for (const auto& [fact, what] :
         {std::pair{"written_behind_the_end", "written"}, {"read_behind_the_end", "read"}}) {
        const auto count = run.result.facts.value(fact, std::uint64_t{0});
        if (count == 0) continue;
        verdict.state = Verdict::State::fail;
        verdict.worst_error.reset();
        verdict.where = "past the end";
        verdict.text = fmt::format("fail: {} past the end of the array {} {}", count_text(count, "value"),
                                   count == 1 ? "was" : "were", what);
        break;
    }
    return verdict;
}

std::string copy_setup(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    if (!set.contains("depth") || !set.contains("height") || !set.contains("width")) return {};
    return fmt::format("{} x {} x {} values", integer(set, "depth"), integer(set, "height"),
                       integer(set, "width"));
}

/// @param copy fills the given array
template <class Copy>
Result timed_copy(const CopyProblem& problem, HostContext& context, const Copy& copy) {
    require_within(context.memory_limit, problem.moved(),
                   fmt::format("two arrays of {} values", problem.count()), "copy");
    Array copied = Array::undefined(ElementType::u16, {problem.shape[0], problem.shape[1], problem.shape[2]});
    Stopwatch watch;
    copy(copied.as<std::uint16_t>());
    add(context.timings, {.stage = "copy",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = problem.moved(),
                          .operations = problem.count()});
    return copy_result(problem, std::move(copied), {}, context.timings);
}

Result copy_by_loops(const CopyProblem& problem, HostContext& context) {
    return timed_copy(problem, context, [&](std::span<std::uint16_t> to) {
        const auto [depth, height, width] = seen_in(problem.dimensions, problem.shape);
        for (std::size_t z = 0; z < depth; ++z)
            for (std::size_t y = 0; y < height; ++y)
                for (std::size_t x = 0; x < width; ++x) {
                    const std::size_t i = (z * height + y) * width + x;
                    if (i % (std::size_t{1} << 20) == 0) context.progress.check();
                    to[i] = problem.values[i];
                }
    });
}

Result copy_by_memcpy(const CopyProblem& problem, HostContext& context) {
    return timed_copy(problem, context, [&](std::span<std::uint16_t> to) {
        constexpr std::size_t piece = std::size_t{1} << 19;
        const std::size_t n = problem.count();
        parallel_for((n + piece - 1) / piece, context.threads, context.progress, [&](std::size_t part) {
            const std::size_t first = part * piece, some = std::min(n - first, piece);
            std::memcpy(&to[first], &problem.values[first], some * sizeof(std::uint16_t));
        });
    });
}

}  // namespace

CopyShape seen_in(std::size_t dimensions, const CopyShape& shape) {
    if (dimensions == 1) return {1, 1, shape[0] * shape[1] * shape[2]};
    if (dimensions == 2) return {1, shape[0] * shape[1], shape[2]};
    return shape;
}

std::string smaller_shape(const CopyShape& shape, std::uint64_t values) {
    const std::uint64_t slice = array_bytes(1, {shape[1], shape[2]});
    if (values >= slice) return fmt::format("choose a depth of at most {}", values / slice);
    if (values >= shape[2])
        return fmt::format("choose a depth of 1 and a height of at most {}", values / shape[2]);
    return fmt::format("choose a depth and a height of 1 and a width of at most {}", values);
}

Result copy_result(const CopyProblem& problem, Array copied, const BehindTheEnd& behind,
                   const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c", "Copy", "", DataKind::image, std::move(copied), {"", "", ""}});
    result.facts = {{"values", problem.count()}};
    if (behind.written) result.facts["written_behind_the_end"] = *behind.written;
    if (behind.read) result.facts["read_behind_the_end"] = *behind.read;
    add_rate(result, problem.moved(), timings);
    return result;
}

std::vector<Exercise> copy_exercises() {
    return {
        exercise(12, "core/basics/copy/copy.cpp",
                 {.info = copy_info(),
                  .load = made_by(load_copy),
                  .check = check_copy,
                  .setup_text = copy_setup,
                  .ceiling_share = share_of_copies(&CopyProblem::moved)},
                 {
                     {"host.reference", 1, "Loops in C++",
                      "One thread copies value by value, with one nested loop per dimension of the range.",
                      copy_by_loops},
                     {"host.memcpy", 10, "std::memcpy",
                      "All host threads copy pieces of 1 MiB with std::memcpy.", copy_by_memcpy},
                 })};
}

}  // namespace ks::basics
