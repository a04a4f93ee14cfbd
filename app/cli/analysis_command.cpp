#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/base/threads.h"
#include "core/input/frame_input.h"
#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/io/files/same_file.h"
#include "core/ranks/shared_run.h"
#include "core/record/names_read.h"
#include "core/run/errors/told_warnings.h"
#include "core/run/parameters/parameter_names.h"
#include "core/run/repeats/repeats.h"
#include "core/run/user/shown_variant.h"
#include "core/wire/wire.h"

namespace ks::cli {
namespace {

/// Where the results of a run go, and what its geometry is read from.
struct OutputOptions {
    std::string out, csv, csv_form;
    std::string repeats;               ///< "average" or "separate"; empty: the data are one series
    std::string geometry;              ///< a file that gives parameters of the geometry; empty: none
    std::vector<std::string> further;  ///< per row of Analysis::further_files
    bool overwrite = false, progress = false, json = false;
};

const std::string average_of_repeats = "average", separate_repeats = "separate";

/// Whether the analysis has frames and the parameters of their geometry.
bool has_geometry(const AnalysisInfo& info) {
    return std::ranges::any_of(info.inputs, [](const InputSpec& one) { return one.role == "frames"; }) &&
           std::ranges::all_of(io::geometry_parameters(), [&info](const ParameterSpec& wanted) {
               return std::ranges::find(info.parameters, wanted.id, &ParameterSpec::id) !=
                      info.parameters.end();
           });
}

void add_output_options(CLI::App& command, const Analysis& analysis, OutputOptions& options) {
    const AnalysisInfo& info = analysis.info();
    command
        .add_option("--out", options.out,
                    "HDF5 file to write the run to" +
                        (info.other_files.empty() ? std::string() : ", or " + info.other_files))
        ->type_name("RUN.h5")
        ->group("Output");
    add_text(command, "--csv,--table", options.csv, "CSV file for the curves or the table", "FILE.csv")
        ->group("Output");
    if (!analysis.csv_forms.empty()) {
        std::string ids, titles;
        for (const CsvForm& form : analysis.csv_forms) {
            ids += (ids.empty() ? "" : "|") + form.id;
            titles += fmt::format("{}{}: {}", titles.empty() ? "" : "; ", form.id, form.title);
        }
        add_text(command, "--csv-form", options.csv_form,
                 fmt::format("Form of --csv ({}) (default: {})", titles, analysis.csv_forms.front().id), ids)
            ->group("Output");
    }
    options.further.resize(analysis.further_files.size());
    for (std::size_t i = 0; i < options.further.size(); ++i)
        add_text(command, analysis.further_files[i].option, options.further[i],
                 analysis.further_files[i].help, analysis.further_files[i].type)
            ->group("Output");
    command.add_flag("--overwrite", options.overwrite, "Replace existing files")->group("Output");
    command.add_flag("--json", options.json, "Print the record of the run as JSON instead of the summary")
        ->group("Output");
    command.add_flag("--progress", options.progress, "Print progress as lines")->group("Output");
}

/// The options that name output files, with these files, without those that were not given.
std::vector<std::pair<std::string, std::string>> named_outputs(const Analysis& analysis,
                                                               const OutputOptions& options) {
    std::vector<std::pair<std::string, std::string>> all{{"--out", options.out}, {"--csv", options.csv}};
    for (std::size_t i = 0; i < options.further.size(); ++i) {
        const FurtherFile& file = analysis.further_files[i];
        if (file.suffixes.empty()) all.emplace_back(file.option, options.further[i]);
        for (const std::string& suffix : file.suffixes)
            if (!options.further[i].empty()) all.emplace_back(file.option, options.further[i] + suffix);
    }
    std::erase_if(all, [](const auto& one) { return one.second.empty(); });
    return all;
}

/// How --csv is written. Throws ks::Error(input) for a form that does not exist, or without --csv.
const auto& csv_writer(const Analysis& analysis, const OutputOptions& options) {
    if (options.csv_form.empty()) return analysis.save_csv;
    const auto form = std::ranges::find(analysis.csv_forms, options.csv_form, &CsvForm::id);
    if (form == analysis.csv_forms.end()) {
        std::vector<std::string> ids;
        for (const CsvForm& one : analysis.csv_forms) ids.push_back(one.id);
        throw Error(ErrorKind::input,
                    fmt::format("expected {}, found '{}'", fmt::join(ids, " or "), options.csv_form),
                    "--csv-form");
    }
    if (options.csv.empty()) throw Error(ErrorKind::input, "--csv-form needs --csv FILE", options.csv_form);
    return form->save;
}

/// Throws ks::Error(input) for a file that the run of this request, or an average of such runs, does not
/// have.
void require_further(const Analysis& analysis, const OutputOptions& options, const Request& request,
                     bool of_average = false) {
    for (std::size_t i = 0; i < options.further.size(); ++i) {
        if (options.further[i].empty()) continue;
        const FurtherFile& file = analysis.further_files[i];
        const std::string why = of_average && !file.of_averages
                                    ? "is not written for an average of repeats; use --repeats separate"
                                    : file.why_not(request);
        if (!why.empty()) throw Error(ErrorKind::input, file.option + " " + why, options.further[i]);
    }
}

/// Throws ks::Error(input) if an output cannot be written, or would replace a file that the command reads.
/// @param read by all runs of the command
void require_outputs(const Analysis& analysis, const OutputOptions& options, const io::FilesRead& read) {
    csv_writer(analysis, options);
    const auto outputs = named_outputs(analysis, options);
    for (const auto& [option, output] : outputs) require_no_kernel(option, output, {}, {});
    require_separate(outputs, read, options.overwrite);
}

/// What the runs of a command read.
/// @param names of each run, from names_read()
io::FilesRead files_read(io::NamesRead names, const OutputOptions& options) {
    if (!options.geometry.empty()) names["geometry"] = options.geometry;
    return io::FilesRead(std::move(names));
}

void write_outputs(Session& session, const Analysis& analysis, const OutputOptions& options, const Run& run) {
    if (named_outputs(analysis, options).empty()) return;
    session.progress().report(0, "write");
    std::vector<std::string> written;
    if (!options.out.empty()) {
        analysis.save(run, options.out, options.overwrite, session.progress());
        written.push_back(options.out);
    }
    const auto write_table = [&](const std::string& file, const auto& save) {
        if (file.empty()) return;
        try {
            save(run, file, options.overwrite, session.progress());
        } catch (const Error& error) {
            if (written.empty()) throw;
            const std::string before =
                fmt::format("{} {} already written and {} complete", fmt::join(written, " and "),
                            written.size() == 1 ? "was" : "were", written.size() == 1 ? "is" : "are");
            throw Error(error.kind(), error.message(), error.where().empty() ? file : error.where(),
                        error.hint().empty() ? before : error.hint() + "; " + before, error.details());
        }
        written.push_back(file);
    };
    write_table(options.csv, csv_writer(analysis, options));
    for (std::size_t i = 0; i < options.further.size(); ++i)
        write_table(options.further[i], analysis.further_files[i].save);
}

/// The share of each device in a run that several devices shared; else an empty list.
nlohmann::json devices_record(const Run& run) {
    nlohmann::json devices = nlohmann::json::array();
    for (const DeviceShare& share : run.devices) devices.push_back(ks::to_json(share));
    return devices;
}

nlohmann::json record(const Run& run) {
    nlohmann::json timings = nlohmann::json::array();
    for (const Timing& timing : run.timings) timings.push_back(ks::to_json(timing));
    nlohmann::json inputs = nlohmann::json::object();
    for (const auto& [role, input] : run.request.inputs) inputs[role] = input.name;
    nlohmann::json json{{format_key, formats::run.version},
                        {"analysis", run.request.analysis},
                        {"inputs", inputs},
                        {"parameters", to_json(run.request.parameters)},
                        {"defines", run.request.defines},
                        {"tuned", run.tuned},
                        {"memory_limit", run.request.memory_limit ? nlohmann::json(*run.request.memory_limit)
                                                                  : nlohmann::json()},
                        {"variant", run.variant.id},
                        {"device", ks::to_json(run.device)},
                        {"devices", devices_record(run)},
                        {"facts", run.result.facts},
                        {"warnings", run.result.warnings},
                        {"timings", timings},
                        {"verdict", ks::to_json(run.verdict)},
                        {"wall_nanoseconds", run.wall_nanoseconds},
                        {"device_bytes_peak", run.device_bytes_peak},
                        {"threads", compute_threads()},
                        {"started", run.started},
                        {"version", run.version}};
    if (has_other_text(run)) {
        json["text_mark"] = text_mark(run.request.kernel_source);
        json["kernel_file"] = run.request.kernel_file;
    }
    return json;
}

void print_run(const Run& run, const std::string& summary) {
    fmt::print("{}{}", printable_lines(summary), summary.empty() || summary.ends_with('\n') ? "" : "\n");
    fmt::print("{}{}", ranks_text(run), stages_text(run.timings));
    fmt::print("{} on {}, {} end to end", printable(shown_variant(run)), run.device.title(),
               time_text(static_cast<double>(run.wall_nanoseconds)));
    if (const auto limit = thread_limit())
        fmt::print(", at most {} {} on the host", *limit, *limit == 1 ? "thread" : "threads");
    if (run.device_bytes_peak > 0) fmt::print(", {} of device memory", bytes_text(run.device_bytes_peak));
    fmt::print("\n");
    if (!run.devices.empty() && !run.devices.front().rank)
        fmt::print("devices: {}\n", printable(shares_text(run.devices)));
    if (!run.tuned.empty()) {
        std::string values;
        for (const auto& [name, value] : run.tuned) values += fmt::format(" {}={}", name, value);
        fmt::print("definitions from your table of tuned values:{}\n", values);
    }
    if (!run.request.kernel_source.empty()) {
        std::string values;
        for (const auto& [name, value] : compiled_defines(run)) values += fmt::format(" {}={}", name, value);
        if (!values.empty()) fmt::print("compiled with{}\n", printable(values));
    }
    if (run.request.check != CheckMode::none) fmt::print("check: {}\n", printable(line_of(run.verdict)));
}

/// Tells warnings, and prints the record or the summary of a run.
void show_run(const Analysis& analysis, const OutputOptions& options, const Run& run) {
    for (const std::string& warning : told_warnings(run)) warn(warning);
    if (options.json)
        fmt::print("{}\n", dump_json(record(run), 2));
    else
        print_run(run, analysis.summary(run));
}

void require_verdict(const Run& run) {
    if (run.verdict.state == Verdict::State::fail)
        throw Error(ErrorKind::run,
                    fmt::format("the result differs from the reference: {}", run.verdict.text),
                    has_other_text(run) ? shown_variant(run) : std::string());
    if (run.request.check == CheckMode::full && run.verdict.state == Verdict::State::unchecked)
        throw Error(ErrorKind::run, fmt::format("the requested check was {}", line_of(run.verdict)));
}

/// What the options of a command say about its runs.
struct RunOptions {
    const RequestOptions& how;
    const InputOptions& inputs;
    const ParameterOptions& parameters;

    Request request(const AnalysisInfo& info, const OutputOptions& options,
                    const std::map<std::string, InputRef>& files) const {
        ParameterSet given = parameters.given();
        if (!options.geometry.empty()) io::add_geometry_file(given, files.at("frames"), options.geometry);
        return how.request(info, files, given);
    }
};

/// "run.h5" of "scan_7.h5" -> "run_scan_7.h5"; an empty name stays empty.
std::string name_for(const std::string& output, const std::string& data) {
    if (output.empty()) return output;
    const std::filesystem::path path(output);
    const std::string leaf =
        fmt::format("{}_{}{}", path.stem().string(), io::DataName::parse(data).file.stem().string(),
                    path.extension().string());
    return (path.parent_path() / leaf).string();
}

OutputOptions outputs_for(OutputOptions options, const std::string& data) {
    options.out = name_for(options.out, data);
    options.csv = name_for(options.csv, data);
    for (std::string& file : options.further) file = name_for(file, data);
    return options;
}

/// Throws ks::Error(input) if outputs of two repeats are the same file, whichever options name them.
void require_different(const Analysis& analysis, const std::vector<OutputOptions>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            for (const auto& [option, output] : named_outputs(analysis, outputs[i]))
                for (const auto& [other_option, other] : named_outputs(analysis, outputs[k]))
                    if (io::is_same_file(output, other))
                        throw Error(ErrorKind::input,
                                    option == other_option
                                        ? fmt::format("{} of two repeats would be the same file", option)
                                        : fmt::format("{} of one repeat and {} of another one would be the "
                                                      "same file",
                                                      option, other_option),
                                    output, "rename one of the data files");
}

Run run_repeat(Session& session, const Analysis& analysis, const OutputOptions& options,
               const Request& request) {
    require_further(analysis, options, request);
    Run run = run_own_apart(session, request);
    session.progress().check();
    require_verdict(run);
    return run;
}

/// Each of several repeats as a run, or their average.
int run_repeats(Session& session, const Analysis& analysis, const OutputOptions& options,
                const RunOptions& given) {
    if (session.exchange() != nullptr)
        throw Error(ErrorKind::input, "repeats cannot be computed by several processes", "--repeats");
    const bool separate = options.repeats == separate_repeats;
    const AnalysisInfo& info = analysis.info();
    const auto files = given.inputs.of_repeats();
    std::vector<OutputOptions> outputs;
    for (const auto& one : files) {
        const std::string& data = one.at(info.inputs.front().role).name;
        outputs.push_back(separate ? outputs_for(options, data) : options);
    }
    if (separate) require_different(analysis, outputs);
    // Before anything is run: an output must not replace a repeat that is read later.
    io::NamesRead names_of_all;
    for (std::size_t i = 0; i < files.size(); ++i)
        names_of_all.merge(
            names_read(given.how.request(info, files[i], {}), fmt::format(" of repeat {}", i + 1)));
    const io::FilesRead read = files_read(std::move(names_of_all), options);
    for (std::size_t i = 0; i < (separate ? outputs.size() : 1); ++i)
        require_outputs(analysis, outputs[i], read);
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const auto& one : files) names.push_back(one.at(info.inputs.front().role).name);
    const auto request_of = [&](std::size_t i) {
        Request request = given.request(info, options, files[i]);
        if (i == 0) warn_of_idle(analysis, request);
        return request;
    };
    const auto number_of = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    if (separate) {
        std::vector<UnusableRepeat> unusable;
        for_each_repeat(
            names,
            [&](const std::string& name, Progress&) {
                const std::size_t i = number_of(name);
                const Run run = run_repeat(session, analysis, outputs[i], request_of(i));
                write_outputs(session, analysis, outputs[i], run);
                session.terminal().clear();
                if (!options.json) fmt::print("{}\n", printable(name));
                show_run(analysis, options, run);
            },
            unusable, session.progress());
        session.terminal().clear();
        if (unusable.size() == names.size()) throw Error(unusable.front().error);
        for (const UnusableRepeat& one : unusable)
            warn(fmt::format("{} was left out: {}", one.name, one.error.what()));
        return unusable.empty() ? 0 : 1;
    }
    require_further(analysis, options, given.request(info, options, files.front()), true);
    const Run average = average_of_set(
        analysis, {names},
        [&](const std::string& name, Progress&) {
            const std::size_t i = number_of(name);
            return run_repeat(session, analysis, outputs[i], request_of(i));
        },
        WhenCancelled::dropped, session.progress());
    write_outputs(session, analysis, options, average);
    session.terminal().clear();
    show_run(analysis, options, average);
    return 0;
}

int run_analysis(Session& session, const Analysis& analysis, const OutputOptions& options,
                 const RunOptions& given) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    if (!options.repeats.empty() && options.repeats != average_of_repeats &&
        options.repeats != separate_repeats)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} or {}, found '{}'", average_of_repeats, separate_repeats,
                                options.repeats),
                    "--repeats");
    if (!options.repeats.empty()) return run_repeats(session, analysis, options, given);
    Request request = given.request(analysis.info(), options, given.inputs.values());
    request.last = true;
    Exchange* const exchange = session.exchange();
    const bool is_first = exchange == nullptr || exchange->is_first();
    if (is_first) {
        require_outputs(analysis, options, files_read(names_read(request), options));
        require_further(analysis, options, request);
    }
    warn_of_idle(analysis, request);
    const std::optional<Run> made =
        exchange == nullptr ? run_own_apart(session, request)
                            : run_over_ranks(session.engine(), *exchange, request, session.progress());
    if (!made) {
        exchange->told("over", {});
        return 0;
    }
    const Run& run = *made;
    session.progress().check();
    write_outputs(session, analysis, options, run);
    session.terminal().clear();
    show_run(analysis, options, run);
    require_verdict(run);
    if (exchange != nullptr) exchange->told("over", {});
    return 0;
}

}  // namespace

void add_analyses(CLI::App& root, const Registry& registry, Commands& commands) {
    for (const Analysis& analysis : registry.analyses()) {
        const AnalysisInfo& info = analysis.info();
        CLI::App* command = root.add_subcommand(info.id, info.description);
        auto inputs = std::make_shared<InputOptions>(*command, info.inputs);
        auto parameters = std::make_shared<ParameterOptions>(*command, info.parameters, "Parameters");
        auto options = std::make_shared<OutputOptions>();
        add_output_options(*command, analysis, *options);
        if (analysis.average)
            add_text(
                *command, "--repeats", options->repeats,
                "Take several files, a folder, or a name with * or ? as repeats of a measurement: average "
                "writes the mean of their results without outliers, separate one result per file",
                fmt::format("{}|{}", average_of_repeats, separate_repeats))
                ->group("Input");
        if (has_geometry(info))
            add_text(*command, "--geometry", options->geometry,
                     "Geometry file of pyFAI (.poni); options such as --distance take precedence",
                     "FILE.poni")
                ->group("Parameters");
        if (!info.inputs.empty()) add_trust(*command);
        auto how = std::make_shared<RequestOptions>(*command);
        commands.push_back(
            {.app = command,
             .run =
                 [inputs, parameters, options, how, &analysis](Session& session) {
                     try {
                         return run_analysis(session, analysis, *options, {*how, *inputs, *parameters});
                     } catch (const Error& error) {
                         throw with_options(error, analysis.info().parameters);
                     }
                 },
             .over_ranks = true});
    }
}

}  // namespace ks::cli
