#include "core/record/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/json_text.h"
#include "core/base/trimmed.h"
#include "core/data/count_text.h"
#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/io/files/file_record.h"
#include "core/io/files/file_text.h"
#include "core/io/files/same_file.h"
#include "core/io/series/series.h"
#include "core/judge/questions.h"
#include "core/record/names_read.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "core/run/errors/told_warnings.h"
#include "core/run/tables/enum_names.h"

namespace ks {
namespace fs = std::filesystem;
namespace {

constexpr EnumNames<BatchRow::State, 4> states{{"done", "done before", "failed", "crashed"}};

/// The name of the data input: the analysis' first one.
const std::string& data_role(const Analysis& analysis) {
    return analysis.info().inputs.front().role;
}

Request request_for(const BatchPlan& plan, const BatchItem& item, const Analysis& analysis) {
    Request request = plan.request;
    request.inputs[data_role(analysis)] = {item.data};
    return request;
}

fs::path file_of(const std::string& data) {
    return io::DataName::parse(data).file;
}

bool same_file(const std::string& one, const std::string& other) {
    const io::DataName a = io::DataName::parse(one), b = io::DataName::parse(other);
    return a.object == b.object && (a.file == b.file || io::is_same_file(a.file, b.file));
}

std::optional<std::string> why_other_inputs(const Request& before, const Request& now) {
    for (const auto& [role, input] : now.inputs) {
        const auto found = before.inputs.find(role);
        if (found == before.inputs.end()) return "it was made without the input " + role;
        const InputRef& other = found->second;
        if (other.values != input.values || (other.name != input.name && !same_file(other.name, input.name)))
            return fmt::format("its {} input is {}", role, other.values ? "not a file" : other.name);
    }
    for (const auto& [role, input] : before.inputs)
        if (!now.inputs.contains(role))
            return fmt::format("it has an additional input {} {}", role, input.name);
    return std::nullopt;
}

std::optional<std::string> why_other_parameters(const ParameterSet& before, const ParameterSet& now) {
    const nlohmann::json there = to_json(before), here = to_json(now);
    for (const auto& [id, value] : here.items()) {
        const auto found = there.find(id);
        if (found == there.end()) return fmt::format("it has no parameter {}", id);
        if (*found != value)
            return fmt::format("{} was {} in that run and is {} now", id, dump_json(*found),
                               dump_json(value));
    }
    return std::nullopt;
}

/// Whether a file was written after its run.
bool changed_since(const fs::path& data, const fs::path& run) {
    std::error_code failure;
    const auto written = fs::last_write_time(data, failure);
    if (failure) return false;
    const auto made = fs::last_write_time(run, failure);
    return !failure && written > made;
}

std::string has_changed(const fs::path& file) {
    return fmt::format("{} has changed since that run", file.string());
}

/// Why the files of a run, including those that its inputs refer to, are no longer what it read.
/// @param file of the run
std::optional<std::string> why_other_files(const Run& before, const fs::path& file, const Request& request) {
    std::map<std::string, const FileRecord*> others;
    for (const FileRecord& record : before.files) others.emplace(record.file, &record);
    for (const auto& [role, input] : request.inputs) {
        if (input.values) continue;
        const fs::path named = file_of(input.name);
        const bool is_series = io::is_series(named);
        for (const fs::path& now : io::files_named(named)) {
            // Runs of older versions have no records; a later modification time is the only evidence.
            if (before.files.empty() && changed_since(now, file)) return has_changed(now);
            const FileRecord record = io::record_of(now);
            auto known = others.find(record.file);
            if (known == others.end())
                known = std::ranges::find_if(others, [&now](const auto& other) {
                    return fs::path(other.first).filename() == now.filename();
                });
            if (known == others.end()) {
                if (is_series && !before.files.empty()) return now.string() + " was not part of that run";
                continue;  // not a file: "rings:10,10,0,4,8"
            }
            if (!io::is_same_content(*known->second, record)) return has_changed(now);
            others.erase(known);
        }
    }
    for (const auto& [name, other] : others) {
        if (!io::is_there(name)) return name + " is missing now";
        if (!io::is_same_content(*other, io::record_of(name))) return has_changed(name);
    }
    return std::nullopt;
}

/// What exists of an item before it is run.
struct Found {
    std::optional<Run> run;
    std::string why_another;  ///< why the existing file is not the requested run
};

Found what_is_there(const BatchItem& item, const Request& request, const Engine& engine) {
    std::error_code ignored;
    if (!fs::exists(item.run, ignored)) return {};
    try {
        Run before = open_run(engine.registry(), item.run);
        if (const auto why =
                why_another_run(before, item.run, request, engine.registry().analysis(request.analysis)))
            return {std::nullopt, *why};
        return {std::move(before), {}};
    } catch (const Error& error) {
        return {std::nullopt, error.message()};
    }
}

void make(Engine& engine, const BatchPlan& plan, const BatchItem& item, Progress& progress, BatchRow& row) {
    const Analysis& analysis = engine.registry().analysis(plan.request.analysis);
    const Request request = request_for(plan, item, analysis);
    Found found = what_is_there(item, request, engine);
    if (!found.why_another.empty() && !plan.overwrite)
        throw Error(ErrorKind::input, "the file contains a different run: " + found.why_another,
                    item.run.string(), "use --overwrite to replace it");
    const bool made_now = !found.run;
    if (plan.csv && io::is_same_file(item.run, item.csv))
        throw Error(ErrorKind::input, "the run and its table would be the same file because of a link",
                    item.run.string(), "remove the link, or choose another folder");
    const io::FilesRead read(names_read(request));
    read.require_not("the batch", item.run);
    if (plan.csv) read.require_not("the batch", item.csv);
    const Run run = made_now ? engine.run(request, progress) : std::move(*found.run);
    row.state = made_now ? BatchRow::State::done : BatchRow::State::done_before;
    row.nanoseconds = run.wall_nanoseconds;
    if (made_now) row.warnings = told_warnings(run);
    std::error_code ignored;
    // Write the table first: an item counts as done only if both exist.
    if (plan.csv && (made_now || !fs::exists(item.csv, ignored)))
        analysis.save_csv(run, item.csv, made_now, progress);
    if (made_now) analysis.save(run, item.run, plan.overwrite, progress);
    if (run.verdict.state == Verdict::State::fail)
        throw Error(ErrorKind::run,
                    "the result differs from the reference: " + without_verdict(run.verdict.text));
}

}  // namespace

const char* name_of(BatchRow::State state) {
    return states.of(state);
}

BatchRow::State batch_state_from(const std::string& name) {
    return states.from(name, ErrorKind::run, "state of a batch item");
}

std::vector<std::string> read_batch_list(const fs::path& list) {
    std::string text = io::small_text(list, "a list of files", io::largest_report);
    // Editors of Windows put a byte-order mark before the first name.
    if (constexpr std::string_view mark = "\xEF\xBB\xBF"; text.starts_with(mark)) text.erase(0, mark.size());
    std::istringstream in(std::move(text));
    const fs::path folder = list.parent_path();
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) {
        const std::string name(trimmed(line));
        if (name.empty() || name.starts_with("#")) continue;
        all.push_back(fs::path(name).is_absolute() ? name : (folder / name).string());
    }
    if (all.empty())
        throw Error(ErrorKind::input, "expected one file name per line, found none", list.string());
    return all;
}

std::vector<BatchItem> batch_items(const std::vector<std::string>& data, const fs::path& folder) {
    std::vector<BatchItem> items;
    std::map<std::string, std::string> taken;
    for (const std::string& name : data) {
        const io::DataName parsed = io::DataName::parse(name);
        // A folder may end in a slash.
        const fs::path file = parsed.file.has_filename() ? parsed.file : parsed.file.parent_path();
        std::string stem = file.stem().string() + parsed.object;
        std::ranges::replace(stem, '/', '_');
        const auto [at, first] = taken.emplace(stem, name);
        if (!first)
            throw Error(ErrorKind::input,
                        fmt::format("the run of {} would be written to {}, and so would the run of {}", name,
                                    (folder / (stem + ".h5")).string(), at->second),
                        "batch", "put the two files into separate lists with separate folders");
        items.push_back({name, folder / (stem + ".h5"), folder / (stem + ".csv")});
    }
    return items;
}

namespace {

/// The data file, or the files of a series; none if there is no such series, which the item's run will
/// report.
std::vector<fs::path> files_read_for(const BatchItem& item) {
    try {
        return io::files_named(file_of(item.data));
    } catch (const Error&) {
        return {};
    }
}

/// Throws if a run would replace a file that is read by way of another one. A file that holds a run already
/// is no such file: the data of all items are searched only for others.
void require_not_behind_links(const BatchPlan& plan) {
    io::NamesRead names = names_read(plan.request);
    for (const BatchItem& item : plan.items) names["data of " + item.data] = item.data;
    const io::FilesRead read(std::move(names));
    std::error_code failure;
    for (const BatchItem& item : plan.items)
        // Conflicts within one item are reported by run_item().
        if (fs::exists(item.run, failure) && !io::holds_run(item.run) && !io::way_to(item.data, item.run))
            read.require_not("the run of " + item.data, item.run);
}

}  // namespace

void require_separate(const BatchPlan& plan, const fs::path& list) {
    // The item that uses each file: inputs first, then outputs.
    std::map<std::string, const BatchItem*> owners;
    const std::string list_key = io::file_key(list);
    for (const BatchItem& item : plan.items)
        for (const fs::path& file : files_read_for(item)) owners.emplace(io::file_key(file), &item);
    for (const BatchItem& item : plan.items)
        for (const fs::path* output : {&item.run, &item.csv}) {
            if (output == &item.csv && !plan.csv) continue;
            const std::string key = io::file_key(*output);
            const auto [owner, is_new] = owners.emplace(key, &item);
            // Conflicts within one item are reported by run_item().
            if (key != list_key && (is_new || owner->second == &item)) continue;
            throw Error(ErrorKind::input,
                        fmt::format("this output of {} is a link and would replace {}", item.data,
                                    key == list_key ? "the list of the batch"
                                                    : "a file that belongs to " + owner->second->data),
                        output->string(), "remove the link, or choose another folder");
        }
    if (plan.overwrite) require_not_behind_links(plan);
}

std::optional<std::string> why_another_run(const Run& before, const fs::path& file, const Request& request,
                                           const Analysis& analysis) {
    if (before.request.analysis != request.analysis) return "it is a run of " + before.request.analysis;
    if (!request.variant.empty() && before.variant.id != request.variant)
        return fmt::format("it was made with variant {}", before.variant.id);
    if (before.request.defines != request.defines) return "it was made with different kernel definitions";
    if (before.request.kernel_source != request.kernel_source)
        return "it was made with a different kernel source";
    if (const auto why = why_other_inputs(before.request, request)) return why;
    const ParameterSet asked = checked(analysis.info().parameters, request.parameters);
    if (const auto why = why_other_parameters(before.request.parameters, asked)) return why;
    if (request.check != CheckMode::none && before.verdict.state == Verdict::State::unchecked)
        return "it was not checked";
    return why_other_files(before, file, request);
}

BatchRow run_item(Engine& engine, const BatchPlan& plan, const BatchItem& item, Progress& progress) {
    BatchRow row;
    row.data = item.data;
    row.run = item.run;
    try {
        progress.check();
        make(engine, plan, item, progress, row);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) throw;
        row.state = BatchRow::State::failed;
        row.why = error.what();
    } catch (const std::bad_alloc&) {
        row.state = BatchRow::State::failed;
        row.why = "there is not enough memory for this request";
    }
    return row;
}

Error stopped_batch(const Error& cancelled, const std::vector<BatchRow>& rows, std::size_t items) {
    const auto written = std::ranges::count(rows, BatchRow::State::done, &BatchRow::state);
    return {ErrorKind::cancelled,
            cancelled.message(),
            {},
            fmt::format("{} of {} {} written; repeat the command to continue", written,
                        count_text(items, "run"), written == 1 ? "was" : "were")};
}

std::vector<BatchRow> run_batch(const BatchPlan& plan, Progress& progress,
                                const std::function<BatchRow(const BatchItem&)>& run_one,
                                const std::function<void(const BatchRow&)>& each) {
    std::vector<BatchRow> rows;
    for (const BatchItem& item : plan.items) {
        try {
            progress.check();
            rows.push_back(run_one(item));
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::cancelled) throw;
            throw stopped_batch(error, rows, plan.items.size());
        }
        each(rows.back());
    }
    return rows;
}

}  // namespace ks
