#include "core/basics/atomics/atomics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <limits>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

constexpr std::uint32_t every_bit = std::numeric_limits<std::uint32_t>::max();

/// Combines the calls on a counter, in any order.
enum class Joined { sum, last, minimum, maximum, all_bits, any_bit, parity };

struct FunctionRow {
    const char* name;
    Joined joined;
    std::uint32_t initial;
};

/// In the order of AtomicFunction.
constexpr std::array<FunctionRow, 12> functions = {{{"add", Joined::sum, 0},
                                                    {"sub", Joined::sum, 0},
                                                    {"xchg", Joined::last, 0},
                                                    {"inc", Joined::sum, 0},
                                                    {"dec", Joined::sum, 0},
                                                    {"cmpxchg", Joined::sum, 0},
                                                    {"min", Joined::minimum, every_bit},
                                                    {"max", Joined::maximum, 0},
                                                    {"and", Joined::all_bits, every_bit},
                                                    {"or", Joined::any_bit, 0},
                                                    {"xor", Joined::parity, 0},
                                                    {"or_by_cmpxchg", Joined::any_bit, 0}}};

const FunctionRow& row_of(AtomicFunction function) {
    return functions[static_cast<std::size_t>(function)];
}

std::uint32_t joined(Joined by, std::uint32_t a, std::uint32_t b) {
    switch (by) {
        case Joined::sum:
            return a + b;
        case Joined::last:
            return b;
        case Joined::minimum:
            return std::min(a, b);
        case Joined::maximum:
            return std::max(a, b);
        case Joined::all_bits:
            return a & b;
        case Joined::any_bit:
            return a | b;
        case Joined::parity:
            return a ^ b;
    }
    return 0;
}

AnalysisInfo atomics_info() {
    using namespace parameter;
    AnalysisInfo info;
    info.id = "atomics";
    info.title = "Atomic functions";
    info.description =
        "Rates of atomic functions versus the number of work-items per counter, in local and global memory";
    std::vector<std::string> names;
    names.reserve(std::size(functions));
    for (const FunctionRow& row : functions) names.emplace_back(row.name);
    info.parameters = {
        choice("function", "Function", names, "Function that work-items call on their counter"),
        whole("items", "Work-items", "", 65536, 1, 1 << 24, "Number of work-items"),
        whole("calls", "Calls", "", 4, 1, 65536, "Calls per work-item"),
        optional_whole("items_per_counter", "Items per counter", "work-items", "from 1 to all", 1, 1 << 24,
                       "Work-items that share a counter"),
        whole("repeats", "Repeats", "", 5, 1, 1000, "Number of repeats; the median is reported"),
        seed_parameter()};
    return info;
}

/// A single launch should be short. Compare-exchange loops take far longer if many items share a counter.
void require_short(const AtomicsProblem& problem) {
    const bool loops =
        problem.function == AtomicFunction::cmpxchg || problem.function == AtomicFunction::or_by_cmpxchg;
    const std::uint64_t most = loops ? 1 << 20 : 1 << 24;
    if (problem.operations() <= most) return;
    throw Error(
        ErrorKind::input,
        fmt::format("{} work-items with {} calls each are too many: {} allows at most {} calls in total",
                    problem.items, problem.calls, name_of(problem.function), most),
        "calls",
        problem.items <= most
            ? "choose at most " + count_text(most / problem.items, "call") + " per work-item"
            : fmt::format("choose at most {} work-items", most / problem.calls));
}

std::shared_ptr<const Problem> load_atomics(const Request& request, const Progress& progress) {
    auto problem = std::make_shared<AtomicsProblem>();
    const auto count = [&](const char* id) {
        return static_cast<std::size_t>(integer(request.parameters, id));
    };
    const std::string function = text(request.parameters, "function");
    const auto found = std::ranges::find(functions, function, &FunctionRow::name);
    problem->function = static_cast<AtomicFunction>(found - functions.begin());
    problem->items = count("items");
    problem->calls = count("calls");
    problem->repeats = count("repeats");
    require_short(*problem);
    problem->contentions.clear();
    if (const auto given = optional_integer(request.parameters, "items_per_counter")) {
        problem->contentions.push_back(static_cast<std::size_t>(*given));
        if (problem->contentions.front() > problem->items)
            throw Error(ErrorKind::input,
                        fmt::format("{} work-items per counter are more than the {} work-items in total",
                                    *given, problem->items),
                        "items per counter",
                        fmt::format("choose at most {} work-items per counter", problem->items));
    } else {
        for (std::size_t c = 1; c < problem->items; c *= 2) problem->contentions.push_back(c);
        problem->contentions.push_back(problem->items);
    }
    problem->operands = exercise_integers(problem->items, seed_of(request), 1, progress);
    return problem;
}

/// The operand of a call, added to or combined with the counter.
std::uint32_t effect_of(const AtomicsProblem& problem, std::size_t item, std::size_t call) {
    switch (problem.function) {
        case AtomicFunction::sub:
            return 0 - problem.operand(item, call);
        case AtomicFunction::inc:
            return 1;
        case AtomicFunction::dec:
            return every_bit;
        default:
            return problem.operand(item, call);
    }
}

/// The required value of a counter; not for `xchg`, where several are possible.
std::uint32_t expected_counter(const AtomicsProblem& problem, std::size_t contention, std::size_t counter) {
    const FunctionRow& row = row_of(problem.function);
    std::uint32_t value = row.initial;
    const std::size_t end = std::min(problem.items, (counter + 1) * contention);
    for (std::size_t item = counter * contention; item < end; ++item)
        for (std::size_t call = 0; call < problem.calls; ++call)
            value = joined(row.joined, value, effect_of(problem, item, call));
    return value;
}

/// Whether `value` was written to this counter by `xchg`.
bool written_to(const AtomicsProblem& problem, std::size_t contention, std::size_t counter,
                std::uint32_t value) {
    return value > 0 && value <= problem.operations() && (value - 1) / problem.calls / contention == counter;
}

/// For `xchg`: each written value was returned exactly once or is still in its counter,
/// and nothing else was returned.
std::uint32_t right_exchanges(const AtomicsProblem& problem, std::size_t contention,
                              std::span<const std::uint32_t> counters,
                              std::span<const std::uint32_t> returned) {
    std::vector<std::uint8_t> right(counters.size(), 1), seen(problem.operations(), 0);
    const auto see = [&](std::uint32_t value) {
        if (seen[value - 1]++ != 0) right[(value - 1) / problem.calls / contention] = 0;
    };
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const std::uint32_t value = returned[i];
        if (value == 0) continue;
        // what follows the calls of the items belongs to the other memory
        const bool by_item = i < problem.operations();
        const std::size_t counter = i % problem.items / contention;
        if (value > problem.operations() || (by_item && !written_to(problem, contention, counter, value))) {
            if (by_item) right[counter] = 0;
            continue;
        }
        see(value);
    }
    for (std::size_t counter = 0; counter < counters.size(); ++counter)
        if (written_to(problem, contention, counter, counters[counter]))
            see(counters[counter]);
        else
            right[counter] = 0;
    for (std::size_t value = 0; value < seen.size(); ++value)
        if (seen[value] != 1) right[value / problem.calls / contention] = 0;
    return static_cast<std::uint32_t>(std::ranges::count(right, std::uint8_t{1}));
}

Verdict check_atomics(const AtomicsProblem& problem, const Run& run, CheckMode, Progress& progress) {
    Verdict verdict;
    const auto fail = [&](const std::string& where, const std::string& why) {
        if (verdict.state == Verdict::State::fail) return;
        verdict.state = Verdict::State::fail;
        verdict.where = where;
        verdict.text = "fail: " + why;
    };
    const std::size_t rows = problem.contentions.size();
    const auto column = [&](const char* name) {
        const Dataset* const found = run.result.find(name);
        if (found != nullptr && found->values.type() == ElementType::u32 && found->values.size() == rows)
            return found->values.as<std::uint32_t>();
        fail(name, fmt::format("{} does not have {}", name, count_text(rows, "row")));
        return std::span<const std::uint32_t>();
    };
    const auto right = column("right"), first = column("first_counter");
    if (verdict.state == Verdict::State::fail) return verdict;
    for (std::size_t i = 0; i < rows; ++i) {
        progress.check();
        const std::size_t contention = problem.contentions[i], counters = problem.counters(contention);
        verdict.samples += counters;
        const bool first_right = problem.function == AtomicFunction::xchg
                                     ? written_to(problem, contention, 0, first[i])
                                     : first[i] == expected_counter(problem, contention, 0);
        if (right[i] == counters && first_right) continue;
        const std::size_t correct = std::min<std::size_t>(right[i], first_right ? counters : counters - 1);
        fail("counters with " + count_text(contention, "item"),
             fmt::format("only {} of {} with {} each {} correct", correct, count_text(counters, "counter"),
                         count_text(contention, "item"), correct == 1 ? "is" : "are"));
    }
    if (verdict.state == Verdict::State::fail) return verdict;
    verdict.state = Verdict::State::pass;
    verdict.text = fmt::format("pass: {} {} correct, after {} of {} for each number of items per counter",
                               count_text(verdict.samples, "counter"), verdict.samples == 1 ? "is" : "are",
                               count_text(problem.operations(), "call"), name_of(problem.function));
    return verdict;
}

std::string atomics_setup(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    if (!set.contains("function") || !set.contains("items")) return {};
    return fmt::format("{}, {}", text(set, "function"),
                       count_text(static_cast<std::uint64_t>(integer(set, "items")), "work-item"));
}

/// One call on the host; the value it returned.
std::uint32_t call_on_host(AtomicFunction function, std::atomic_ref<std::uint32_t> counter,
                           std::uint32_t value) {
    constexpr auto order = std::memory_order_relaxed;
    const auto loop = [&](auto next) {
        std::uint32_t was = counter.load(order);
        while (!counter.compare_exchange_weak(was, next(was), order)) {
        }
        return was;
    };
    switch (function) {
        case AtomicFunction::add:
            return counter.fetch_add(value, order);
        case AtomicFunction::sub:
            return counter.fetch_sub(value, order);
        case AtomicFunction::xchg:
            return counter.exchange(value, order);
        case AtomicFunction::inc:
            return counter.fetch_add(1, order);
        case AtomicFunction::dec:
            return counter.fetch_sub(1, order);
        case AtomicFunction::cmpxchg:
            return loop([&](std::uint32_t was) { return was + value; });
        case AtomicFunction::min:
            return loop([&](std::uint32_t was) { return std::min(was, value); });
        case AtomicFunction::max:
            return loop([&](std::uint32_t was) { return std::max(was, value); });
        case AtomicFunction::and_:
            return counter.fetch_and(value, order);
        case AtomicFunction::or_:
            return counter.fetch_or(value, order);
        case AtomicFunction::xor_:
            return counter.fetch_xor(value, order);
        case AtomicFunction::or_by_cmpxchg: {
            std::uint32_t was = counter.load(order);
            while ((was | value) != was && !counter.compare_exchange_weak(was, was | value, order)) {
            }
            return was;
        }
    }
    return 0;
}

ContentionRow count_on_host(const AtomicsProblem& problem, std::size_t contention, HostContext& context) {
    constexpr std::size_t piece = 1024;
    const bool keeps = problem.function == AtomicFunction::xchg;
    std::vector<std::uint32_t> counters(problem.counters(contention)),
        returned(keeps ? problem.operations() : 0);
    std::vector<double> times;
    for (std::size_t i = 0; i <= problem.repeats; ++i) {
        std::ranges::fill(counters, initial_of(problem.function));
        Stopwatch watch;
        parallel_for(
            (problem.items + piece - 1) / piece, context.threads, context.progress, [&](std::size_t part) {
                const std::size_t end = std::min(problem.items, (part + 1) * piece);
                for (std::size_t item = part * piece; item < end; ++item)
                    for (std::size_t call = 0; call < problem.calls; ++call) {
                        const std::uint32_t was =
                            call_on_host(problem.function, std::atomic_ref(counters[item / contention]),
                                         problem.operand(item, call));
                        if (keeps) returned[call * problem.items + item] = was;
                    }
            });
        const std::uint64_t spent = watch.lap();
        if (i > 0) times.push_back(static_cast<double>(spent));
        add(context.timings, {.stage = "call",
                              .kind = StageKind::host,
                              .nanoseconds = spent,
                              .operations = problem.operations()});
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], right_counters(problem, contention, counters, returned),
            counters.front()};
}

Result call_by_threads(const AtomicsProblem& problem, HostContext& context) {
    require_within(context.memory_limit, (3 * problem.items + 2 * problem.operations()) * 4,
                   fmt::format("counters of {} items", problem.items), "atomics");
    std::vector<ContentionRow> rows;
    for (const std::size_t contention : problem.contentions)
        rows.push_back(count_on_host(problem, contention, context));
    return atomics_result(problem, rows);
}

}  // namespace

const char* name_of(AtomicFunction function) {
    return row_of(function).name;
}

std::uint32_t initial_of(AtomicFunction function) {
    return row_of(function).initial;
}

std::uint32_t AtomicsProblem::operand(std::size_t item, std::size_t call) const {
    const std::uint32_t mixed = operands[item] + static_cast<std::uint32_t>(call);
    switch (function) {
        case AtomicFunction::xchg:
            return static_cast<std::uint32_t>(item * calls + call + 1);
        case AtomicFunction::and_:
            return ~(std::uint32_t{1} << mixed % 32);
        case AtomicFunction::or_:
        case AtomicFunction::or_by_cmpxchg:
            return std::uint32_t{1} << mixed % 32;
        default:
            return mixed;
    }
}

std::uint32_t right_counters(const AtomicsProblem& problem, std::size_t contention,
                             std::span<const std::uint32_t> counters,
                             std::span<const std::uint32_t> returned) {
    if (problem.function == AtomicFunction::xchg)
        return right_exchanges(problem, contention, counters, returned);
    std::uint32_t right = 0;
    for (std::size_t i = 0; i < counters.size(); ++i)
        if (counters[i] == expected_counter(problem, contention, i)) ++right;
    return right;
}

Result atomics_result(const AtomicsProblem& problem, const std::vector<ContentionRow>& rows) {
    Result result;
    std::vector<double> contentions, rates, times;
    std::vector<std::uint32_t> counters, right, first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        contentions.push_back(static_cast<double>(problem.contentions[i]));
        rates.push_back(1e3 * static_cast<double>(problem.operations()) / rows[i].nanoseconds);
        times.push_back(rows[i].nanoseconds * 1e-3);
        counters.push_back(static_cast<std::uint32_t>(problem.counters(problem.contentions[i])));
        right.push_back(rows[i].right_counters);
        first.push_back(rows[i].first_counter);
    }
    add_values(result, "items", "Items per counter", "", DataKind::axis, contentions);
    add_values(result, "rate", "Calls", "1/us", DataKind::curves, rates, "items");
    add_values(result, "time", "Time", "us", DataKind::table, times, "items");
    add_values(result, "counters", "Counters", "", DataKind::table, counters, "items");
    add_values(result, "right", "Correct counters", "", DataKind::table, right, "items");
    add_values(result, "first_counter", "Value of the first counter", "", DataKind::table, first, "items");
    result.facts = {{"work_items", problem.items},
                    {"calls_of_all", problem.operations()},
                    {"calls_per_us_on_most_counters", rates.front()},
                    {"calls_per_us_on_fewest_counters", rates.back()}};
    return result;
}

std::vector<Exercise> atomics_exercises() {
    return {exercise(15, "core/basics/atomics/atomics.cpp",
                     {.info = atomics_info(),
                      .load = made_by(load_atomics),
                      .check = check_atomics,
                      .setup_text = atomics_setup},
                     {
                         {"host.reference", 10, "std::atomic",
                          "All host threads make the calls with std::atomic_ref, in pieces of 1024 items.",
                          call_by_threads},
                     })};
}

}  // namespace ks::basics
