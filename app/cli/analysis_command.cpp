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
#include "core/input/input_files.h"
#include "core/io/files/same_file.h"
#include "core/ranks/shared_run.h"
#include "core/run/user/shown_variant.h"
#include "core/wire/wire.h"

namespace ks::cli {
namespace {

/// Where the results of a run go.
struct OutputOptions {
    std::string out, csv;
    std::vector<std::string> further;  ///< per row of Analysis::further_tables
    bool overwrite = false, progress = false, json = false;
};

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
    options.further.resize(analysis.further_tables.size());
    for (std::size_t i = 0; i < options.further.size(); ++i)
        add_text(command, analysis.further_tables[i].option, options.further[i],
                 analysis.further_tables[i].help, "FILE.csv")
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
    for (std::size_t i = 0; i < options.further.size(); ++i)
        all.emplace_back(analysis.further_tables[i].option, options.further[i]);
    std::erase_if(all, [](const auto& one) { return one.second.empty(); });
    return all;
}

void require_outputs(const Analysis& analysis, const OutputOptions& options, const Request& request) {
    for (std::size_t i = 0; i < options.further.size(); ++i) {
        if (options.further[i].empty()) continue;
        const FurtherTable& table = analysis.further_tables[i];
        if (const std::string why = table.why_not(request.parameters); !why.empty())
            throw Error(ErrorKind::input, table.option + " " + why, options.further[i]);
    }
    const auto outputs = named_outputs(analysis, options);
    for (const auto& [option, output] : outputs) {
        io::require_not_read(option, output, request);
        require_no_kernel(option, output, request.kernel_file, request.defines);
    }
    for (const auto& [option, output] : outputs) require_output(output, options.overwrite);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = i + 1; j < outputs.size(); ++j)
            if (io::is_same_file(outputs[i].second, outputs[j].second))
                throw Error(ErrorKind::input,
                            fmt::format("{} and {} name the same file", outputs[i].first, outputs[j].first),
                            outputs[i].second, "choose another name for one of them");
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
    write_table(options.csv, analysis.save_csv);
    for (std::size_t i = 0; i < options.further.size(); ++i)
        write_table(options.further[i], analysis.further_tables[i].save);
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
    return {{format_key, formats::run.version},
            {"analysis", run.request.analysis},
            {"inputs", inputs},
            {"parameters", to_json(run.request.parameters)},
            {"defines", run.request.defines},
            {"tuned", run.tuned},
            {"memory_limit",
             run.request.memory_limit ? nlohmann::json(*run.request.memory_limit) : nlohmann::json()},
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
}

void print_run(const Run& run, const std::string& summary) {
    fmt::print("{}{}", printable_lines(summary), summary.empty() || summary.ends_with('\n') ? "" : "\n");
    fmt::print("{}{}", ranks_text(run), stages_text(run.timings));
    fmt::print("{} on {}, {} end to end", run.variant.id, run.device.title(),
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

int run_analysis(Session& session, const Analysis& analysis, const OutputOptions& options,
                 const RequestOptions& how, const InputOptions& inputs, const ParameterOptions& parameters) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    Request request = how.request(analysis.info(), inputs.values(), parameters.given());
    request.last = true;
    Exchange* const exchange = session.exchange();
    const bool is_first = exchange == nullptr || exchange->is_first();
    if (is_first) require_outputs(analysis, options, request);
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

    for (const std::string& warning : run.result.warnings)
        tell(fmt::format("kernelscope-cli: warning: {}\n", printable(warning)));
    if (options.json)
        fmt::print("{}\n", dump_json(record(run), 2));
    else
        print_run(run, analysis.summary(run));
    if (run.verdict.state == Verdict::State::fail)
        throw Error(ErrorKind::run,
                    fmt::format("the result differs from the reference: {}", run.verdict.text));
    if (run.request.check == CheckMode::full && run.verdict.state == Verdict::State::unchecked)
        throw Error(ErrorKind::run, fmt::format("the requested check was {}", line_of(run.verdict)));
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
        if (!info.inputs.empty()) add_trust(*command);
        auto how = std::make_shared<RequestOptions>(*command);
        commands.push_back({.app = command,
                            .run =
                                [inputs, parameters, options, how, &analysis](Session& session) {
                                    return run_analysis(session, analysis, *options, *how, *inputs,
                                                        *parameters);
                                },
                            .over_ranks = true});
    }
}

}  // namespace ks::cli
