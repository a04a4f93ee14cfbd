#include "core/basics/buffers/buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/host_memory.h"
#include "core/base/stopwatch.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo buffers_info() {
    return {.id = "buffers",
            .title = "Buffers",
            .description = "Creation, transfer and kernel times for each kind of buffer",
            .parameters = {parameter::whole("elements", "Elements", "", 1 << 20, 1, parameter::unbounded,
                                            "Floats per buffer"),
                           parameter::whole("repeats", "Repeats", "", 5, 1, 1000,
                                            "Number of repeats; the median is reported"),
                           parameter::flag("write_to_read_only", "Write to a READ_ONLY buffer", true,
                                           "Test what happens when a kernel writes to a READ_ONLY buffer"),
                           seed_parameter()}};
}

std::shared_ptr<const Problem> load_buffers(const Request& request, const Progress& progress) {
    auto problem = std::make_shared<BuffersProblem>();
    problem->values = exercise_values(static_cast<std::size_t>(integer(request.parameters, "elements")),
                                      seed_of(request), 1, progress);
    problem->repeats = static_cast<std::size_t>(integer(request.parameters, "repeats"));
    problem->write_to_read_only = boolean(request.parameters, "write_to_read_only");
    return problem;
}

/// Doubling is exact: every value must be correct in every kind of buffer.
Verdict check_buffers(const BuffersProblem& problem, const Run& run, CheckMode, Progress&) {
    Verdict verdict;
    const Dataset* const correct = run.result.find("correct");
    const std::size_t kinds = run.variant.on_host() ? 1 : 9;
    verdict.where = "correct";
    if (correct == nullptr || correct->values.type() != ElementType::u32 || correct->values.size() != kinds)
        return failed(
            "correct",
            fmt::format("expected one count of correct values per kind of buffer ({} in total)", kinds));
    const auto counts = correct->values.as<std::uint32_t>();
    const auto wrong =
        std::ranges::count_if(counts, [&](auto count) { return count != problem.values.size(); });
    verdict.samples = kinds * problem.values.size();
    verdict.state = wrong == 0 ? Verdict::State::pass : Verdict::State::fail;
    verdict.text =
        wrong == 0
            ? fmt::format("pass: {} {} correct in {} of buffers", count_text(problem.values.size(), "value"),
                          problem.values.size() == 1 ? "is" : "are", count_text(kinds, "kind"))
            : fmt::format("fail: values are wrong in {} of {} of buffers", wrong, count_text(kinds, "kind"));
    return verdict;
}

std::string buffers_setup(const Run& run) {
    const auto elements = run.request.parameters.find("elements");
    return elements == run.request.parameters.end() ? std::string() : to_text(elements->second) + " elements";
}

Result double_on_host(const BuffersProblem& problem, HostContext& context) {
    require_within(context.memory_limit, 2 * problem.bytes(),
                   fmt::format("two buffers of {} floats", problem.values.size()), "buffers");
    BufferRow row{.name = "host memory"};
    std::vector<double> created, computed;
    row.correct = static_cast<std::uint32_t>(problem.values.size());
    for (std::size_t i = 0; i < problem.repeats; ++i) {
        context.progress.check();
        Stopwatch watch;
        std::vector<float> doubled(problem.values);
        created.push_back(static_cast<double>(watch.lap()));
        for (float& value : doubled) value *= 2;
        const std::uint64_t spent = watch.lap();
        computed.push_back(static_cast<double>(spent));
        row.correct = std::min(row.correct, right_values(problem, doubled));
        add(context.timings, {.stage = "double", .kind = StageKind::host, .nanoseconds = spent});
    }
    std::ranges::sort(created);
    std::ranges::sort(computed);
    row.create = created[created.size() / 2];
    row.kernel = computed[computed.size() / 2];
    return buffers_result(problem, {row}, {});
}

}  // namespace

std::uint32_t right_values(const BuffersProblem& problem, std::span<const float> doubled) {
    std::uint32_t right = 0;
    for (std::size_t i = 0; i < doubled.size(); ++i)
        if (doubled[i] == 2 * problem.values[i]) ++right;
    return right;
}

Result buffers_result(const BuffersProblem& problem, const std::vector<BufferRow>& rows,
                      const std::string& read_only) {
    Result result;
    const auto times = [&](const char* name, const char* title, double BufferRow::*time) {
        std::vector<double> column;
        for (const BufferRow& row : rows) column.push_back(row.*time * 1e-3);
        add_values(result, name, title, "us", DataKind::table, column, "kind");
    };
    times("create", "Creation", &BufferRow::create);
    times("to_device", "Host to device", &BufferRow::to_device);
    times("kernel", "Kernel", &BufferRow::kernel);
    times("to_host", "Device to host", &BufferRow::to_host);
    std::vector<std::uint32_t> correct;
    for (const BufferRow& row : rows) correct.push_back(row.correct);
    add_values(result, "correct", "Correct values", "", DataKind::table, correct, "kind");
    std::string names;
    for (const BufferRow& row : rows) names += row.name + '\n';
    result.datasets.push_back(text_dataset("kind", "Kind", names));

    std::string kinds = fmt::format("{:<28}{:>12}{:>12}{:>12}{:>12}\n", "medians in us", "creation",
                                    "to device", "kernel", "to host");
    for (const BufferRow& row : rows)
        kinds += fmt::format("{:<28}{:>12.1f}{:>12.1f}{:>12.1f}{:>12.1f}\n", row.name, row.create * 1e-3,
                             row.to_device * 1e-3, row.kernel * 1e-3, row.to_host * 1e-3);
    result.datasets.push_back(text_dataset("kinds", "Kinds of buffers", kinds));
    if (!read_only.empty())
        result.datasets.push_back(
            text_dataset("read_only", "Kernel that writes to a READ_ONLY buffer", read_only));
    result.facts = {{"elements", problem.values.size()}, {"repeats", problem.repeats}};
    return result;
}

std::vector<Exercise> buffers_exercises() {
    return {exercise(11, "core/basics/buffers/buffers.cpp",
                     {.info = buffers_info(),
                      .load = made_by(load_buffers),
                      .check = check_buffers,
                      .setup_text = buffers_setup},
                     {
                         {"host.reference", 10, "A copy on the host",
                          "One thread copies the values and doubles them.", double_on_host},
                     })};
}

}  // namespace ks::basics
