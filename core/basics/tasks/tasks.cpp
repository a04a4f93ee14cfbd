#include "core/basics/tasks/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

AnalysisInfo tasks_info() {
    return {.id = "tasks",
            .title = "Data or task parallel",
            .description = "The same small tasks as work-items of one launch, and with one launch per task",
            .parameters = {
                parameter::whole("size", "Tasks", "", 4096, 1, 1 << 20, "Number of independent tasks"),
                parameter::whole("steps", "Steps", "", 256, 1, 1 << 20, "Sequential steps per task"),
                parameter::choice("queue", "Queue", {"in_order", "any_order"},
                                  "Whether single-task launches run in order, or may run concurrently"),
                seed_parameter()}};
}

std::shared_ptr<const Problem> load_tasks(const Request& request, const Progress& progress) {
    return std::make_shared<TasksProblem>(
        size_of(request), static_cast<std::size_t>(integer(request.parameters, "steps")), seed_of(request),
        text(request.parameters, "queue") == "any_order", progress);
}

/// The kernel's step, written independently for the host.
std::uint32_t advanced(std::uint32_t x, std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
        x = x * 1664525U + 1013904223U;
        x ^= x >> 15;
    }
    return x;
}

Verdict check_tasks(const TasksProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    return check_elements<std::uint32_t>(
        run, problem.size(), mode, progress, {"number", "equals the reference", "equal the reference"},
        [&](std::uint32_t found, std::size_t task) {
            return relative_error(found, advanced(problem.x()[task], problem.steps()));
        });
}

std::string tasks_setup(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    if (!set.contains("size") || !set.contains("steps")) return {};
    return fmt::format("{}, {}", count_text(static_cast<std::uint64_t>(integer(set, "size")), "task"),
                       count_text(static_cast<std::uint64_t>(integer(set, "steps")), "step"));
}

Result tasks_by(const TasksProblem& problem, HostContext& context, unsigned threads) {
    constexpr std::size_t at_once = 256;
    require_within(context.memory_limit, 2 * problem.bytes(),
                   fmt::format("numbers of {} tasks", problem.size()), "tasks");
    Array c = Array::undefined(ElementType::u32, {problem.size()});
    const auto out = c.as<std::uint32_t>();
    Stopwatch watch;
    parallel_for((problem.size() + at_once - 1) / at_once, threads, context.progress, [&](std::size_t part) {
        const std::size_t first = part * at_once;
        for (std::size_t task = first; task < std::min(first + at_once, problem.size()); ++task)
            out[task] = advanced(problem.x()[task], problem.steps());
    });
    const std::uint64_t nanoseconds = watch.lap();
    add(context.timings, {.stage = "advance",
                          .kind = StageKind::host,
                          .nanoseconds = nanoseconds,
                          .bytes = 2 * problem.bytes(),
                          .operations = problem.operations()});
    return tasks_result(std::move(c), 0, nanoseconds);
}

Result tasks_in_a_loop(const TasksProblem& problem, HostContext& context) {
    return tasks_by(problem, context, 1);
}

Result tasks_on_threads(const TasksProblem& problem, HostContext& context) {
    return tasks_by(problem, context, context.threads);
}

}  // namespace

TasksProblem::TasksProblem(std::size_t size, std::size_t steps, std::uint64_t seed, bool in_any_order,
                           const Progress& progress)
    : steps_(steps),
      seed_(seed),
      in_any_order_(in_any_order),
      x_(exercise_integers(size, seed, 1, progress)) {}

Result tasks_result(Array c, std::size_t launches, std::uint64_t nanoseconds) {
    Result result;
    const std::size_t tasks = c.size();
    result.datasets.push_back({"c", "Final value of each task", "", DataKind::curves, std::move(c), {""}});
    result.facts = {{"tasks", tasks},
                    {"launches", launches},
                    {"nanoseconds_per_task", static_cast<double>(nanoseconds) / static_cast<double>(tasks)}};
    return result;
}

std::vector<Exercise> tasks_exercises() {
    return {exercise(
        17, "core/basics/tasks/tasks.cpp",
        {.info = tasks_info(), .load = made_by(load_tasks), .check = check_tasks, .setup_text = tasks_setup},
        {
            {"host.reference", 1, "A loop in C++", "One thread computes one task after another.",
             tasks_in_a_loop},
            {"host.threads", 10, "Tasks on all threads", "All host threads compute tasks, 256 at a time.",
             tasks_on_threads},
        })};
}

}  // namespace ks::basics
