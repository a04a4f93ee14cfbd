#include "core/basics/printf/printf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo printf_info() {
    return {.id = "printf",
            .title = "Kernel output (printf)",
            .description = "Every work-item prints its number and its value, in no guaranteed order",
            .parameters = {
                parameter::whole("items", "Work-items", "", 8, 1, 4096, "Work-items that print a line"),
                seed_parameter()}};
}

std::shared_ptr<const Problem> load_printf(const Request& request, const Progress& progress) {
    auto problem = std::make_shared<PrintfProblem>();
    const auto items = static_cast<std::size_t>(integer(request.parameters, "items"));
    for (const float value : exercise_values(items, seed_of(request), 1, progress))
        problem->values.push_back(static_cast<std::int32_t>((value + 1) * 50));
    return problem;
}

/// Including line ends.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

std::string all_hellos(const PrintfProblem& problem) {
    std::string text;
    for (std::size_t i = 0; i < problem.values.size(); ++i) text += hello_of(i, problem.values[i]);
    return text;
}

/// The lines as a multiset: their order is undefined.
Verdict check_printf(const PrintfProblem& problem, const Run& run, CheckMode, Progress&) {
    Verdict verdict;
    const Dataset* const output = run.result.find("output");
    std::vector<std::string> found =
        output == nullptr ? std::vector<std::string>() : lines_of(text_of(*output));
    std::vector<std::string> wanted = lines_of(all_hellos(problem));
    std::ranges::sort(found);
    std::ranges::sort(wanted);
    std::vector<std::string> missing, unknown;
    std::ranges::set_difference(wanted, found, std::back_inserter(missing));
    std::ranges::set_difference(found, wanted, std::back_inserter(unknown));
    verdict.samples = wanted.size();
    verdict.where = "output";
    const bool pass = missing.empty() && unknown.empty();
    verdict.state = pass ? Verdict::State::pass : Verdict::State::fail;
    const std::string lines = count_text(wanted.size(), "line");
    verdict.text =
        pass ? fmt::format("pass: {} {} printed once", lines, wanted.size() == 1 ? "was" : "were each")
             : fmt::format("fail: {} of {} {} missing, and {} {} printed", missing.size(), lines,
                           missing.size() == 1 ? "is" : "are", count_text(unknown.size(), "unexpected line"),
                           unknown.size() == 1 ? "was" : "were");
    return verdict;
}

Result print_on_host(const PrintfProblem& problem, HostContext& context) {
    Stopwatch watch;
    const std::string output = all_hellos(problem);
    add(context.timings, {.stage = "print", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return printf_result(output);
}

/// The number after `before`; empty if there is none.
std::optional<std::int32_t> number_behind(std::string_view line, std::string_view before) {
    const std::size_t at = line.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    line.remove_prefix(at + before.size());
    std::int32_t number = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

}  // namespace

std::string hello_of(std::size_t item, std::int32_t value) {
    return fmt::format("Hello from kernel #{}, got value: {}\n", item, value);
}

Result printf_result(const std::string& output) {
    std::vector<std::int32_t> items, values;
    for (const std::string& line : lines_of(output)) {
        const auto item = number_behind(line, "kernel #"), value = number_behind(line, "got value: ");
        if (!item || !value) continue;
        items.push_back(*item);
        values.push_back(*value);
    }
    Result result;
    add_values(result, "item", "Work-item, in the order of the lines", "", DataKind::table, items);
    add_values(result, "value", "Value", "", DataKind::table, values);
    result.datasets.push_back(text_dataset("output", "Kernel output", output));
    result.facts = {{"lines", items.size()}, {"in_order", std::ranges::is_sorted(items)}};
    return result;
}

std::vector<Exercise> printf_exercises() {
    return {exercise(
        10, "core/basics/printf/printf.cpp",
        {
            .info = printf_info(),
            .load = made_by(load_printf),
            .check = check_printf,
        },
        {
            {"host.reference", 10, "Lines in order",
             "One thread formats the lines of all work-items, in the order of their numbers.", print_on_host},
        })};
}

}  // namespace ks::basics
