#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/input/input_files.h"
#include "core/record/saved_run.h"
#include "core/run/errors/told_warnings.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/repeats/average.h"

namespace ks::cli {
namespace {

struct FitOptions {
    std::vector<std::string> files;
    std::string out, csv, csv_form, fit_csv;
    bool average = false, overwrite = false;

    std::vector<std::pair<std::string, std::string>> outputs() const {
        std::vector<std::pair<std::string, std::string>> all{
            {"--out", out}, {"--csv", csv}, {"--fit-csv", fit_csv}};
        std::erase_if(all, [](const auto& one) { return one.second.empty(); });
        return all;
    }
};

/// Before anything is read: outputs that could replace an input or each other are refused.
void check_outputs(const FitOptions& options) {
    const auto outputs = options.outputs();
    if (options.files.size() > 1 && !options.average && !outputs.empty())
        throw Error(ErrorKind::input, fmt::format("{} needs one run, or --average, but there are {} runs",
                                                  outputs.front().first, options.files.size()));
    io::NamesRead names;
    for (std::size_t i = 0; i < options.files.size(); ++i)
        names[fmt::format("run {}", i + 1)] = options.files[i];
    const io::FilesRead read(std::move(names));
    require_separate(outputs, read, options.overwrite);
}

const CsvForm& csv_form(const Analysis& analysis, const std::string& id) {
    if (id.empty()) return analysis.csv_forms.front();
    const auto form = std::ranges::find(analysis.csv_forms, id, &CsvForm::id);
    if (form == analysis.csv_forms.end())
        throw Error(ErrorKind::input, fmt::format("expected long or wide, found '{}'", id), "--csv-form");
    return *form;
}

Run opened(const Registry& registry, const std::string& file) {
    Run run = open_run(registry, file);
    if (run.request.analysis != "xpcs")
        throw Error(ErrorKind::input,
                    fmt::format("expected a run of xpcs, found one of {}", run.request.analysis), file);
    return run;
}

Run average_of(const Registry& registry, const FitOptions& options, Progress& progress) {
    std::vector<Repeat> repeats;
    for (std::size_t i = 0; i < options.files.size(); ++i) {
        const std::string& file = options.files[i];
        std::error_code failure;
        for (std::size_t j = 0; j < i; ++j)
            if (std::filesystem::equivalent(file, options.files[j], failure))
                throw Error(ErrorKind::input, "it is the same file as " + options.files[j], file);
        Run run = opened(registry, file);
        if (run.result.facts.contains("repeats"))
            throw Error(ErrorKind::input, "the run is an average itself", file);
        repeats.push_back({file, std::move(run)});
    }
    return xpcs::average_of_repeats(std::move(repeats), progress);
}

int fit(Session& session, const FitOptions& options, const ParameterOptions& parameters) {
    const InterruptCancels guard(session.progress());
    const Registry& registry = session.registry();
    const Analysis& analysis = registry.analysis("xpcs");
    check_outputs(options);
    const CsvForm& form = csv_form(analysis, options.csv_form);
    const std::optional<fit::Model> model = xpcs::fit_model(parameters.given());
    if (!model && !options.fit_csv.empty())
        throw Error(ErrorKind::input, "--fit-csv needs --fit, which names the model");
    std::vector<std::string> files = options.files;
    if (options.average) files = {"average"};
    for (const std::string& file : files) {
        Run run =
            options.average ? average_of(registry, options, session.progress()) : opened(registry, file);
        if (model) run = xpcs::with_fit(run, {.model = *model}, session.progress());
        if (!options.out.empty()) analysis.save(run, options.out, options.overwrite, session.progress());
        if (!options.csv.empty()) form.save(run, options.csv, options.overwrite, session.progress());
        if (!options.fit_csv.empty())
            xpcs::write_fit_csv(run, options.fit_csv, options.overwrite, session.progress());
        session.terminal().clear();
        if (files.size() > 1) fmt::print("{}\n", printable(file));
        for (const std::string& warning : told_warnings(run)) warn(warning);
        fmt::print("{}", printable_lines(analysis.summary(run)));
    }
    return 0;
}

}  // namespace

void add_fit(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "fit", "Fit or average g2 of saved runs, or of results of other programs (APS 8-ID, ESRF)");
    auto options = std::make_shared<FitOptions>();
    command
        ->add_option("runs", options->files,
                     "Saved runs of xpcs, or results in the layout of APS 8-ID or ESRF")
        ->required()
        ->type_name("RUN.h5");
    auto parameters = std::make_shared<ParameterOptions>(*command, xpcs::fit_parameters(), "Fit");
    command->add_flag("--average", options->average, "Average the runs as repeats of a measurement");
    add_text(*command, "--out", options->out, "HDF5 file to write the result to", "NEW.h5");
    add_text(*command, "--csv", options->csv, "CSV file for the curves", "FILE.csv");
    add_text(*command, "--csv-form", options->csv_form, "Form of --csv (default: long)", "long|wide");
    add_text(*command, "--fit-csv", options->fit_csv, "CSV file for the fit, with one row per bin",
             "FILE.csv");
    command->add_flag("--overwrite", options->overwrite, "Replace existing files");
    add_trust(*command);
    commands.push_back(
        {command, [options, parameters](Session& session) { return fit(session, *options, *parameters); }});
}

}  // namespace ks::cli
