#include "core/record/saved_run.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "core/base/printable.h"
#include "core/io/describe_contents.h"
#include "core/io/files/temporary_folder.h"
#include "core/record/changed_files.h"
#include "core/record/made_after_run.h"
#include "core/record/made_elsewhere.h"
#include "core/record/moved_inputs.h"
#include "core/record/run_record.h"
#include "core/run/errors/told_warnings.h"
#include "core/run/user/shown_variant.h"

namespace ks {
namespace {

namespace fs = std::filesystem;
using io::info_row;

Result as_saved(const Analysis& analysis, const Run& run, Progress& progress) {
    const io::TemporaryFolder folder("kernelscope");
    analysis.save(run, folder.path() / "run.h5", false, progress);
    return analysis.open(folder.path() / "run.h5").result;
}

std::string index_text(const std::vector<std::size_t>& shape, std::size_t at) {
    std::string text;
    for (std::size_t i = shape.size(); i-- > 0; at /= shape[i])
        text = fmt::format("[{}]", at % shape[i]) + text;
    return text;
}

/// The analysis whose result another program wrote into the file; null: there is none.
const Analysis* analysis_of_other(const Registry& registry, const fs::path& file) {
    for (const Analysis& analysis : registry.analyses())
        if (analysis.is_other_result && analysis.is_other_result(file)) return &analysis;
    return nullptr;
}

std::string difference(const Dataset& before, const Dataset& now) {
    const std::size_t size = size_of(before.values.type()), n = before.values.size();
    const std::span<const std::byte> a = before.values.bytes(), b = now.values.bytes();
    std::size_t count = 0, first = n;
    for (std::size_t i = 0; i < n; ++i)
        if (std::memcmp(a.data() + i * size, b.data() + i * size, size) != 0) {
            ++count;
            first = std::min(first, i);
        }
    return visit_element(before.values.type(), [&](auto zero) {
        using T = decltype(zero);
        return fmt::format("{} differs in {} of {} values, first at {}: {} before, {} now", before.name,
                           count, n, index_text(before.values.shape(), first), before.values.as<T>()[first],
                           now.values.as<T>()[first]);
    });
}

}  // namespace

bool holds_result(const Registry& registry, const fs::path& file) {
    return io::holds_run(file) || analysis_of_other(registry, file) != nullptr;
}

Run open_run(const Registry& registry, const fs::path& file) {
    try {
        const Analysis* const other = io::holds_run(file) ? nullptr : analysis_of_other(registry, file);
        Run run = other ? other->open_other(file) : registry.analysis(io::recorded_analysis(file)).open(file);
        describe_run(registry, run);  // code that shows the run relies on the kinds of its values
        return run;
    } catch (const Error& error) {
        if (!error.where().empty()) throw;
        throw Error(error.kind(), error.message(), file.string(), error.hint(), error.details());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw Error(ErrorKind::input, std::string("the saved run is damaged: ") + problem_of(error),
                    file.string());
    }
}

std::string describe_run(const Registry& registry, const Run& run) {
    const Analysis& analysis = registry.analysis(run.request.analysis);
    const AnalysisInfo& info = analysis.info();
    if (const auto layout = made_elsewhere(run)) {
        std::string text = info_row("result", "in the layout of " + *layout);
        for (const std::string& warning : told_warnings(run)) text += info_row("warning", warning);
        return text + analysis.summary(run);
    }
    std::string text = info_row("variant", fmt::format("{} on {}", shown_variant(run), run.device.title()));
    if (!run.devices.empty()) text += info_row("devices", shares_text(run.devices));
    text += info_row("started", fmt::format("{}, by Kernelscope {}",
                                            run.started.empty() ? "unknown" : run.started, run.version));
    for (const InputSpec& spec : info.inputs)
        if (const auto input = run.request.inputs.find(spec.role); input != run.request.inputs.end())
            text += info_row(spec.role,
                             input->second.values
                                 ? fmt::format("{}values in the run, {}",
                                               input->second.name.empty() ? "" : input->second.name + ", ",
                                               fmt::join(input->second.values->shape(), " x "))
                                 : input->second.name);
    const ParameterSet usual = defaults(info.parameters);
    std::vector<std::string> changed;
    for (const ParameterSpec& spec : info.parameters)
        if (const auto set = run.request.parameters.find(spec.id);
            set != run.request.parameters.end() && set->second != usual.at(spec.id))
            changed.push_back(fmt::format("{} {}", spec.id, to_text(spec, set->second)));
    for (const auto& [name, value] : run.request.defines) changed.push_back(name + "=" + value);
    for (const auto& [name, value] : run.tuned) changed.push_back(name + "=" + value + " (tuned)");
    text += info_row("parameters",
                     changed.empty() ? "all defaults" : fmt::format("{}", fmt::join(changed, ", ")));
    if (!run.request.kernel_source.empty())
        text += info_row("kernel", run.request.kernel_file.empty() ? "a source typed by the user"
                                                                   : run.request.kernel_file);
    text += info_row("check", run.verdict.text.empty() ? name_of(run.verdict.state) : run.verdict.text);
    for (const std::string& warning : told_warnings(run)) text += info_row("warning", warning);
    text += info_row("end to end", fmt::format("{:.3f} ms", static_cast<double>(run.wall_nanoseconds) / 1e6));
    text += registry.analysis(run.request.analysis).added_text(run);
    return text + stages_text(run.timings);
}

void require_repeatable(const Run& run, const fs::path& file) {
    const auto layout = made_elsewhere(run);
    if (!layout) return;
    const std::string own = run.files.empty() ? std::string() : run.files.front().file;
    throw Error(ErrorKind::input,
                fmt::format("a result in the layout of {} does not say what it was computed from, so that it "
                            "cannot be repeated",
                            *layout),
                file.empty() ? own : file.string());
}

Request repeated_request(const Registry& registry, const Run& run, const fs::path& file,
                         const std::map<std::string, std::string>& inputs) {
    require_repeatable(run, file);
    Request request = run.request;
    request.check = CheckMode::none;
    request.user_tuned = false;  // with the recorded values, whatever the table contains now
    request.defines.insert(run.tuned.begin(), run.tuned.end());
    const AnalysisInfo& info = registry.analysis(request.analysis).info();
    for (const auto& [role, name] : inputs) {
        const auto input = request.inputs.find(role);
        if (input == request.inputs.end()) {
            std::vector<std::string> roles;
            for (const auto& [known, ref] : request.inputs) roles.push_back(known);
            throw Error(ErrorKind::input, "the run has no input \"" + role + "\"", file.string(),
                        "available inputs: " + joined(roles));
        }
        input->second = {name};
    }
    for (const InputSpec& spec : info.inputs)
        if (const auto input = request.inputs.find(spec.role);
            input != request.inputs.end() && spec.names_file(input->second) && inputs.contains(spec.role))
            require_there(input->second.name, spec.role);
        else if (input != request.inputs.end() && spec.names_file(input->second))
            input->second.name = present_input(run, spec.role, file);
    return request;
}

std::optional<std::string> first_difference(const Result& before, const Result& now) {
    for (const Dataset& dataset : before.datasets) {
        const Dataset* other = now.find(dataset.name);
        if (other == nullptr) return dataset.name + " is missing now";
        if (dataset.values == other->values) continue;
        if (dataset.values.type() != other->values.type() || dataset.values.shape() != other->values.shape())
            return fmt::format("{} is {} [{}] now, but was {} [{}]", dataset.name,
                               name_of(other->values.type()), fmt::join(other->values.shape(), ", "),
                               name_of(dataset.values.type()), fmt::join(dataset.values.shape(), ", "));
        return difference(dataset, *other);
    }
    for (const Dataset& dataset : now.datasets)
        if (before.find(dataset.name) == nullptr) return dataset.name + " did not exist before";
    return std::nullopt;
}

namespace {

/// The run without the datasets that `marked` names as made after it; null: it names none.
std::shared_ptr<const Run> without_later(const Run& run, const Result& marked) {
    const auto names = marked.facts.find(made_after_run);
    if (names == marked.facts.end() || !names->is_array()) return nullptr;
    auto left = std::make_shared<Run>(run);
    std::erase_if(left->result.datasets, [&names](const Dataset& one) {
        return std::ranges::find(*names, nlohmann::json(one.name)) != names->end();
    });
    left->result.facts.erase(made_after_run);
    return left;
}

}  // namespace

std::optional<std::string> difference_of_repeat(const Analysis& analysis, const Run& before, const Run& now,
                                                Progress& progress) {
    if (const auto left = without_later(before, before.result))
        return difference_of_repeat(analysis, *left, *without_later(now, before.result), progress);
    if (!first_difference(before.result, now.result)) return std::nullopt;
    std::optional<std::string> difference =
        first_difference(as_saved(analysis, before, progress), as_saved(analysis, now, progress));
    if (const auto changed = changed_files(before, now); difference && !changed.empty())
        *difference += "; " + text_of(changed);
    return difference;
}

}  // namespace ks
