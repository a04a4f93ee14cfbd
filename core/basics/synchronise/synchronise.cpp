#include "core/basics/synchronise/synchronise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo synchronise_info() {
    using parameter::whole;
    return {
        .id = "synchronise",
        .title = "Synchronisation",
        .description =
            "Barriers with local and global fences, events across two queues, and a race between groups",
        .parameters = {
            whole("groups", "Groups", "", 4, 1, 65536, "Work-groups"),
            whole("local_size", "Local size", "work-items", 8, 1, 4096, "Work-items per group"),
            whole("repeats", "Repeats", "", 8, 1, 1000, "Number of times the race is run"),
            whole("increments", "Increments", "", 100000, 1, 1e6, "Increments of the race counter per group"),
            seed_parameter()}};
}

std::shared_ptr<const Problem> load_synchronise(const Request& request, const Progress&) {
    const auto number = [&](const char* id) {
        return static_cast<std::size_t>(integer(request.parameters, id));
    };
    auto problem = std::make_shared<SynchroniseProblem>();
    problem->groups = number("groups");
    problem->local_size = number("local_size");
    problem->repeats = number("repeats");
    problem->increments = number("increments");
    if (problem->items() > std::size_t{1} << 22)
        throw Error(ErrorKind::input,
                    fmt::format("{} work-items are too many for a table, which lists at most {}",
                                problem->items(), std::size_t{1} << 22),
                    "groups");
    Random random(number("seed"), 1);
    for (std::size_t i = 0; i < problem->items(); ++i)
        problem->values.push_back(static_cast<std::uint32_t>(random.next() >> 32));
    return problem;
}

/// The column of that name; does not throw: empty if it is missing or of another type.
std::span<const std::uint32_t> whole_column(const Run& run, const char* name) {
    const Dataset* const found = run.result.find(name);
    if (found == nullptr || found->values.type() != ElementType::u32) return {};
    return found->values.as<std::uint32_t>();
}

/// The first error in a trace; empty if there is none.
std::optional<std::string> wrong_in_trace(const SynchroniseProblem& problem, const Run& run) {
    const auto before = whole_column(run, "before"), after = whole_column(run, "after"),
               by_local = whole_column(run, "by_local"), by_global = whole_column(run, "by_global");
    const std::size_t n = problem.items();
    if (before.size() != n || after.size() != n || by_local.size() != n || by_global.size() != n)
        return fmt::format("the result does not have the trace of {} work-items", n);
    for (std::size_t item = 0; item < n; ++item) {
        const std::uint32_t right = problem.values[problem.neighbour(item)];
        if (by_local[item] != right || by_global[item] != right)
            return fmt::format(
                "work-item {} read {} (local fence) and {} (global fence) from its neighbour, expected {}",
                item, by_local[item], by_global[item], right);
    }
    const std::size_t size = problem.local_size;
    for (std::size_t first = 0; first < n; first += size)
        for (const bool later : {false, true}) {
            const std::set<std::uint32_t> tickets(
                (later ? after : before).begin() + static_cast<std::ptrdiff_t>(first),
                (later ? after : before).begin() + static_cast<std::ptrdiff_t>(first + size));
            const std::size_t lowest = later ? size : 0;
            if (tickets.size() != size || *tickets.begin() != lowest ||
                *tickets.rbegin() != lowest + size - 1)
                return fmt::format("the tickets of group {} {} the barrier are not {} to {}", first / size,
                                   later ? "after" : "before", lowest, lowest + size - 1);
        }
    return std::nullopt;
}

/// The same for the times of commands.
std::optional<std::string> wrong_in_events(const Run& run) {
    const auto awaited = whole_column(run, "awaited"), queue = whole_column(run, "queue"),
               barrier = whole_column(run, "barrier");
    std::vector<std::span<const double>> times;
    for (const char* name : {"queued", "submitted", "started", "ended"}) {
        const Dataset* const found = run.result.find(name);
        if (found == nullptr || found->values.type() != ElementType::f64 ||
            found->values.size() != queue.size() || awaited.size() != queue.size() ||
            barrier.size() != queue.size() || queue.empty())
            return "the times of the commands are missing or incomplete";
        times.push_back(found->values.as<double>());
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (barrier[i] != 0 && std::isnan(times[0][i])) continue;
        if (!(times[0][i] <= times[1][i] && times[1][i] <= times[2][i] && times[2][i] <= times[3][i]))
            return fmt::format(
                "the times of command {} are not in the order queued, submitted, started, ended", i);
        bool behind_barrier = false;
        for (std::size_t k = i; k-- > 0;) {
            if (queue[k] == queue[i] && barrier[k] != 0) behind_barrier = true;
            const bool ordered = queue[k] == queue[i] && (queue[i] != unordered_queue || behind_barrier);
            if (barrier[k] == 0 && barrier[i] == 0 && (ordered || awaited[i] == k) &&
                times[2][i] < times[3][k])
                return fmt::format("command {} started before command {} had ended", i, k);
        }
    }
    return std::nullopt;
}

std::optional<std::string> wrong_in_race(const SynchroniseProblem& problem, const Run& run) {
    const auto plain = whole_column(run, "plain"), atomic = whole_column(run, "atomic");
    const std::size_t right = problem.groups * problem.increments;
    if (plain.size() != problem.repeats || atomic.size() != problem.repeats)
        return fmt::format("expected {} of the race in the result, found {} with += and {} with atomic_add",
                           count_text(problem.repeats, "repeat"), plain.size(), atomic.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (atomic[i] != right)
            return fmt::format("in repeat {}, atomic_add counted {}, expected {}", i, atomic[i], right);
        if (plain[i] < 1 || plain[i] > right)
            return fmt::format("in repeat {}, += counted {}, expected 1 to {}", i, plain[i], right);
    }
    return std::nullopt;
}

Verdict check_synchronise(const SynchroniseProblem& problem, const Run& run, CheckMode, Progress&) {
    Verdict verdict;
    const bool race = run.result.find("plain") != nullptr;
    std::optional<std::string> wrong = race ? wrong_in_race(problem, run) : wrong_in_trace(problem, run);
    if (!race && !wrong && !run.variant.on_host()) wrong = wrong_in_events(run);
    verdict.samples = race ? problem.repeats : problem.items();
    verdict.where = race ? "plain" : "before";
    verdict.state = wrong ? Verdict::State::fail : Verdict::State::pass;
    verdict.text = wrong  ? "fail: " + *wrong
                   : race ? fmt::format("pass: atomic_add counted correctly in {}; += may miss increments",
                                        count_text(problem.repeats, "repeat"))
                          : fmt::format("pass: each of {} waited and read its neighbour's value",
                                        count_text(problem.items(), "work-item"));
    return verdict;
}

Result one_after_the_other(const SynchroniseProblem& problem, HostContext& context) {
    Stopwatch watch;
    BarrierTrace trace;
    for (std::size_t item = 0; item < problem.items(); ++item) {
        const auto ticket = static_cast<std::uint32_t>(item % problem.local_size);
        trace.before.push_back(ticket);
        trace.after.push_back(ticket + static_cast<std::uint32_t>(problem.local_size));
        trace.by_local.push_back(problem.values[problem.neighbour(item)]);
    }
    trace.by_global = trace.by_local;
    add(context.timings, {.stage = "trace", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return barrier_result(problem, trace, {});
}

/// Where the work-items of the first groups are at each of the 2 n steps of their group's counter,
/// [item][step]: 0 before the barrier, 1 waiting at it, 2 past it.
void add_picture(Result& result, const SynchroniseProblem& problem, const BarrierTrace& trace) {
    constexpr std::size_t most_items = 512;
    const std::size_t size = problem.local_size, steps = 2 * size;
    if (size > most_items) return;
    const std::size_t items = std::min(problem.items(), most_items / size * size);
    std::vector<std::uint8_t> states(items * steps, 0);
    for (std::size_t item = 0; item < items; ++item)
        for (std::size_t step = trace.before[item]; step < steps; ++step)
            states[item * steps + step] = step >= trace.after[item] ? 2 : 1;
    result.datasets.push_back({"picture",
                               "Waiting (0 before, 1 at, 2 past the barrier)",
                               "",
                               DataKind::image,
                               Array::of<std::uint8_t>({items, steps}, states),
                               {"", ""}});
}

/// State of each command over the total time, [command][column]: 0 none, 1 queued, 2 submitted, 3 running.
Dataset time_line(const std::vector<CommandTimes>& commands) {
    constexpr std::size_t columns = 512;
    double end = 0;
    for (const CommandTimes& command : commands)
        if (std::isfinite(command.ended)) end = std::max(end, command.ended);
    std::vector<std::uint8_t> states(commands.size() * columns, 0);
    for (std::size_t row = 0; row < commands.size(); ++row) {
        const CommandTimes& command = commands[row];
        for (std::size_t column = 0; column < columns; ++column) {
            // A command shorter than a column is still shown.
            const double from = static_cast<double>(column) * end / columns, to = from + end / columns;
            if (!(to > command.queued && from <= command.ended)) continue;
            states[row * columns + column] = to > command.started ? 3 : to > command.submitted ? 2 : 1;
        }
    }
    return {"time_line",
            fmt::format("Timeline, {:.0f} us (1 queued, 2 submitted, 3 running)", end * 1e-3),
            "",
            DataKind::image,
            Array::of<std::uint8_t>({commands.size(), columns}, states),
            {"", ""}};
}

/// The times of the commands, one row each, as columns and as a text.
void add_commands(Result& result, const std::vector<CommandTimes>& commands) {
    std::vector<std::uint32_t> numbers, queues, awaited, barriers;
    std::vector<double> queued, submitted, started, ended;
    std::string text = fmt::format("{:<4}{:<32}{:>6}{:>12}{:>12}{:>12}{:>12}  {}\n", "", "times in us",
                                   "queue", "queued", "submitted", "started", "ended", "waits for");
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const CommandTimes& command = commands[i];
        numbers.push_back(static_cast<std::uint32_t>(i));
        queues.push_back(command.queue);
        awaited.push_back(command.awaited);
        barriers.push_back(command.barrier ? 1 : 0);
        queued.push_back(command.queued * 1e-3);
        submitted.push_back(command.submitted * 1e-3);
        started.push_back(command.started * 1e-3);
        ended.push_back(command.ended * 1e-3);
        text += fmt::format("{:<4}{:<32}{:>6}{:>12.1f}{:>12.1f}{:>12.1f}{:>12.1f}  {}\n", i, command.name,
                            command.queue, queued.back(), submitted.back(), started.back(), ended.back(),
                            command.barrier        ? "all before"
                            : command.awaited == i ? ""
                                                   : fmt::format("{}", command.awaited));
    }
    result.datasets.push_back(time_line(commands));
    add_values(result, "command", "Command", "", DataKind::axis, numbers);
    add_values(result, "queue", "Queue", "", DataKind::table, queues, "command");
    add_values(result, "awaited", "Waits for (own number: none)", "", DataKind::table, awaited, "command");
    add_values(result, "barrier", "Barrier", "", DataKind::table, barriers, "command");
    add_values(result, "queued", "Queued", "us", DataKind::table, queued, "command");
    add_values(result, "submitted", "Submitted", "us", DataKind::table, submitted, "command");
    add_values(result, "started", "Started", "us", DataKind::table, started, "command");
    add_values(result, "ended", "Ended", "us", DataKind::table, ended, "command");
    text += fmt::format(
        "\nQueues 1 and 2 run their commands in order; queue {} runs them in any order, except for its "
        "barrier.\n",
        unordered_queue);
    result.datasets.push_back(text_dataset("events", "Events within a queue and across queues", text));
}

}  // namespace

Result barrier_result(const SynchroniseProblem& problem, const BarrierTrace& trace,
                      const std::vector<CommandTimes>& commands) {
    Result result;
    std::vector<std::uint32_t> items, groups;
    for (std::size_t i = 0; i < problem.items(); ++i) {
        items.push_back(static_cast<std::uint32_t>(i));
        groups.push_back(static_cast<std::uint32_t>(i / problem.local_size));
    }
    add_values(result, "item", "Work-item", "", DataKind::axis, items);
    add_values(result, "group", "Group", "", DataKind::table, groups, "item");
    add_values(result, "before", "Ticket before the barrier", "", DataKind::table, trace.before, "item");
    add_values(result, "after", "Ticket after the barrier", "", DataKind::table, trace.after, "item");
    add_values(result, "by_local", "Neighbour, local fence", "", DataKind::table, trace.by_local, "item");
    add_values(result, "by_global", "Neighbour, global fence", "", DataKind::table, trace.by_global, "item");
    result.facts = {{"groups", problem.groups}, {"items_of_a_group", problem.local_size}};
    add_picture(result, problem, trace);
    if (!commands.empty()) add_commands(result, commands);
    return result;
}

Result race_result(const SynchroniseProblem& problem, const std::vector<std::uint32_t>& plain,
                   const std::vector<std::uint32_t>& atomic) {
    Result result;
    add_values(result, "plain", "Count with +=", "", DataKind::table, plain);
    add_values(result, "atomic", "Count with atomic_add", "", DataKind::table, atomic);
    const std::size_t right = problem.groups * problem.increments;
    const std::set<std::uint32_t> different(plain.begin(), plain.end());
    result.facts = {{"right", right}, {"different_results", different.size()}};
    result.datasets.push_back(text_dataset(
        "race", "Race between work-groups",
        fmt::format("Each of {} increments one counter {}: {} in total.\n+= "
                    "counted      {}\natomic_add gave {}\n",
                    count_text(problem.groups, "group"), count_text(problem.increments, "time"),
                    count_text(right, "increment"), fmt::join(plain, ", "), fmt::join(atomic, ", "))));
    return result;
}

std::vector<Exercise> synchronise_exercises() {
    return {exercise(16, "core/basics/synchronise/synchronise.cpp",
                     {
                         .info = synchronise_info(),
                         .load = made_by(load_synchronise),
                         .check = check_synchronise,
                     },
                     {
                         {"host.reference", 10, "One item after another",
                          "Computes the trace of work-items that run in the order of their numbers on both "
                          "sides of the barrier.",
                          one_after_the_other},
                     })};
}

}  // namespace ks::basics
