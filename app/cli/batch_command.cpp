#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/batch_worker.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/data/count_text.h"
#include "core/ranks/shared_batch.h"
#include "core/record/batch.h"
#include "core/run/user/user_variant.h"

namespace ks::cli {
namespace {

struct BatchOptions {
    std::string list, out;
    std::optional<double> time_limit = {};
    bool csv = false, overwrite = false, progress = false, json = false;
};

/// The inputs other than the data files, which the list names.
std::vector<InputSpec> other_inputs(const AnalysisInfo& info) {
    return {info.inputs.begin() + 1, info.inputs.end()};
}

void add_options(CLI::App& command, BatchOptions& options) {
    command.add_option("list", options.list, "Text file with one data file per line; # starts a comment")
        ->required()
        ->type_name("LIST");
    command
        .add_option("--out", options.out,
                    "Folder for the runs; runs that it already contains are not repeated")
        ->required()
        ->type_name("FOLDER")
        ->group("Output");
    command
        .add_option("--time-limit", options.time_limit,
                    "Time limit per file in seconds; a file that exceeds it fails (default: no limit)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.1, 1e6));
    command.add_flag("--csv", options.csv, "Also write the curves or the table of each run as CSV")
        ->group("Output");
    command.add_flag("--overwrite", options.overwrite, "Replace runs that were made with different settings")
        ->group("Output");
    command.add_flag("--json", options.json, "Print the outcomes as JSON")->group("Output");
    command.add_flag("--progress", options.progress, "Print progress as lines")->group("Output");
}

std::string row_text(const BatchRow& row, std::size_t width) {
    const bool failed = is_failure(row.state);
    return fmt::format("{:<{}}  {:<11}  {}\n", printable(row.data), width, name_of(row.state),
                       failed ? printable(row.why) : time_text(static_cast<double>(row.nanoseconds)));
}

nlohmann::json json_of(const BatchRow& row) {
    const bool failed = is_failure(row.state);
    return {{"data", row.data},
            {"run", failed ? nlohmann::json() : nlohmann::json(row.run.string())},
            {"state", name_of(row.state)},
            {"why", row.why},
            {"warnings", row.warnings},
            {"nanoseconds", failed ? nlohmann::json() : nlohmann::json(row.nanoseconds)}};
}

/// Creates the folder if it does not exist.
void require_folder(const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (!std::filesystem::is_directory(folder))
        throw Error(
            ErrorKind::input,
            failure ? "the folder cannot be used: " + failure.message() : "expected a folder, found a file",
            folder.string());
}

int run_batch_command(Session& session, const BatchOptions& options, BatchPlan plan) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    if (is_user_variant(plan.request.variant)) plan.request = session.engine().with_user_text(plan.request);
    const std::vector<std::string> data = read_batch_list(options.list);
    plan.items = batch_items(data, options.out);
    plan.csv = options.csv;
    plan.overwrite = options.overwrite;
    Exchange* const exchange = session.exchange();
    require_folder(options.out);
    require_separate(plan, options.list);

    std::size_t width = 0, number = 0;
    for (const std::string& name : data) width = std::max(width, printable(name).size());
    // With several ranks, rank 0 has two threads; the one that runs items must not print.
    Progress unheard({}, session.progress());
    std::optional<std::chrono::milliseconds> limit;
    if (options.time_limit) limit.emplace(static_cast<std::int64_t>(*options.time_limit * 1000));
    BatchWorker worker(plan, exchange != nullptr && exchange->is_first() ? unheard : session.progress(),
                       limit);
    const auto run_one = [&worker](const BatchItem& item) { return worker.run(item); };
    const auto show = [&](const BatchRow& row) {
        session.terminal().clear();
        for (const std::string& warning : row.warnings) warn(fmt::format("{}: {}", row.data, warning));
        if (!options.json)
            fmt::print("{:>{}}/{}  {}", ++number, std::to_string(data.size()).size(), data.size(),
                       row_text(row, width));
        std::fflush(stdout);
    };
    const std::vector<BatchRow> rows =
        exchange == nullptr ? run_batch(plan, session.progress(), run_one, show)
                            : run_batch_over_ranks(*exchange, plan, session.progress(), run_one, show);
    if (exchange != nullptr) exchange->told("over", {});
    if (exchange != nullptr && !exchange->is_first()) return 0;
    if (options.json) {
        nlohmann::json all = nlohmann::json::array();
        for (const BatchRow& row : rows) all.push_back(json_of(row));
        fmt::print("{}\n", dump_json(all, 1));
    }
    const auto count = [&rows](BatchRow::State state) {
        return std::ranges::count(rows, state, &BatchRow::state);
    };
    const auto crashed = count(BatchRow::State::crashed), failed = count(BatchRow::State::failed) + crashed;
    if (!options.json)
        fmt::print("{} done, {} done before, {} failed{}\n", count(BatchRow::State::done),
                   count(BatchRow::State::done_before), failed,
                   crashed > 0 ? fmt::format(", of which {} crashed", crashed) : "");
    if (failed > 0)
        throw Error(ErrorKind::run, fmt::format("{} of {} failed", failed, count_text(rows.size(), "file")),
                    options.list, "repeat the command to try again");
    return 0;
}

}  // namespace

void add_batch(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* batch = add_group(root, commands, "batch", "Run an analysis on each file of a list");
    for (const Analysis& analysis : registry.analyses()) {
        const AnalysisInfo& info = analysis.info();
        if (!info.needs_input()) continue;
        CLI::App* command = batch->add_subcommand(info.id, info.description);
        auto options = std::make_shared<BatchOptions>();
        add_options(*command, *options);
        add_trust(*command);
        auto inputs = std::make_shared<InputOptions>(*command, other_inputs(info));
        auto parameters = std::make_shared<ParameterOptions>(*command, info.parameters, "Parameters");
        auto how = std::make_shared<RequestOptions>(*command);
        commands.push_back({.app = command,
                            .run =
                                [inputs, parameters, options, how, &info](Session& session) {
                                    BatchPlan plan;
                                    // Checked here, once, instead of for each file.
                                    plan.request =
                                        how->request(info, inputs->values(),
                                                     checked(info.parameters, parameters->given()));
                                    return run_batch_command(session, *options, std::move(plan));
                                },
                            .over_ranks = true});
    }
}

}  // namespace ks::cli
