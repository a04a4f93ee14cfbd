#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/cache_folder.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/quantile.h"
#include "core/base/utc_time.h"
#include "core/data/count_text.h"
#include "core/io/files/atomic_file.h"
#include "core/run/parameters/whole_number.h"
#include "core/tune/tune_file.h"
#include "core/tune/tuner.h"

namespace ks::cli {
namespace {

constexpr std::size_t shown_rows = 10;

std::string defines_text(const Defines& defines) {
    std::string text;
    for (const auto& [name, value] : defines)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text.empty() ? "none" : text;
}

std::string time_of(const std::vector<double>& samples) {
    return samples.empty() ? "-" : time_text(quantile(samples, 0.5));
}

/// Rows with a cost, best first.
std::vector<const TuneRow*> by_cost(const TuneReport& report) {
    std::vector<const TuneRow*> rows;
    for (const TuneRow& row : report.rows)
        if (row.cost()) rows.push_back(&row);
    std::ranges::stable_sort(rows, {}, [](const TuneRow* row) { return *row->cost(); });
    return rows;
}

std::string outcome(const TuneReport& report) {
    if (!report.best) return "Only the default configuration could be timed.\n";
    const std::string verdict =
        report.runs_needed() > 0
            ? fmt::format("not significant: {} repeats are too few, at least {} are needed",
                          report.usual.samples.size(), report.runs_needed())
        : report.order() == Order::shorter ? "significantly faster than the default (p <= 0.01)"
        : report.order() == Order::longer  ? "significantly slower than the default (p <= 0.01)"
                                           : "not significantly different from the default";
    const std::string interval =
        report.ratio.known()
            ? fmt::format(" [{} .. {}]", factor_text(report.ratio.low), factor_text(report.ratio.high))
            : "";
    // A configuration that is tied or slower must not be called the best.
    const char* const what =
        report.order() == Order::shorter
            ? "Best"
            : "No configuration is significantly faster than the default. The fastest in the search";
    return fmt::format(
        "\n{}: {}: it takes {}{} of the default's time ({} against {}, both measured again), {}.\n", what,
        defines_text(report.rows.at(*report.best).defines), factor_text(report.ratio.value), interval,
        time_of(report.rows.at(*report.best).samples), time_of(report.usual.samples), verdict);
}

/// "2 failed and 1 was wrong"
std::string unusable(const TuneReport& report) {
    const auto wrong = std::ranges::count_if(report.rows, &TuneRow::wrong);
    const auto failed =
        std::ranges::count_if(report.rows, [](const TuneRow& row) { return !row.cost() && !row.wrong; });
    return fmt::format("{} failed and {} {} wrong", failed, wrong, wrong == 1 ? "was" : "were");
}

/// The best configurations next to the default, those that could not be used, and the outcome.
std::string tune_table(const TuneReport& report) {
    const std::vector<const TuneRow*> rows = by_cost(report);
    std::string text = fmt::format(
        "tune {} {} on {}, driver {}\n{}{}{} of {} {} the rules; {} {} tried, of which {}; version "
        "{}\n\n{:<52} {:>12} {:>12} {:>13}\n",
        report.plan.analysis, report.plan.variant, report.device.name, report.device.driver, report.of.kind,
        report.of.kind.empty() ? "" : "\n", report.valid, count_text(report.combinations, "combination"),
        report.valid == 1 ? "satisfies" : "satisfy", report.rows.size(),
        report.rows.size() == 1 ? "was" : "were", unusable(report), report.version, "configuration",
        "/ default", "time", "default then");
    for (std::size_t i = 0; i < std::min(rows.size(), shown_rows); ++i)
        text += fmt::format("{:<52} {:>12.3f} {:>12} {:>13}\n", defines_text(rows[i]->defines),
                            *rows[i]->cost(), time_of(rows[i]->tried), time_of(rows[i]->default_then));
    if (rows.size() > shown_rows)
        text += fmt::format("and {}\n", count_text(rows.size() - shown_rows, "slower configuration"));
    std::set<std::string> told;  // most configurations fail with the messages of another one
    for (const TuneRow& row : report.rows) {
        if (row.not_timed.empty()) continue;
        text += fmt::format("{:<52} {}: {}\n", defines_text(row.defines), row.wrong ? "wrong" : "not timed",
                            printable(row.not_timed));
        if (row.failure && told.insert(row.failure->details).second) text += indented(row.failure->details);
    }
    if (!rows.empty())
        text +=
            "/ default: median of the ratios of single runs to the default's run just before each; it can "
            "differ from the ratio of the medians next to it\n";
    return text + fmt::format("default: {}\n", defines_text(report.usual.defines)) + outcome(report);
}

/// The user's table, one line per row.
std::string tuned_rows_text(const std::vector<TunedRow>& rows) {
    std::string text;
    for (const TunedRow& row : rows) {
        std::string of = row.of.kind;
        if (row.of.size_class)
            of += fmt::format("{}size {} to {}", of.empty() ? "" : ", ",
                              std::uint64_t{1} << (2 * *row.of.size_class),
                              (std::uint64_t{1} << (2 * *row.of.size_class + 2)) - 1);
        text += printable(fmt::format("{}/{}: {} ({:.2f} x, {}) on {}, driver {}: {}", row.of.analysis,
                                      row.of.variant, defines_text(row.defines), row.speed_up, row.found,
                                      row.device, row.driver, of)) +
                "\n";
    }
    return text;
}

struct TuneOptions {
    std::string variant, device, json, memory_limit, check = "sample", method = "full";
    std::vector<std::string> space, constraints;
    std::int64_t budget = 1000, seed = 1, repeats = 15;
    double time_limit = 60;
    bool keep = false, progress = false;
};

struct TableOptions {
    bool list = false;
    std::string forget;
};

void add_options(CLI::App& command, TuneOptions& options) {
    add_text(command, "--variant", options.variant, "Variant whose definitions are tuned", "ID")->required();
    add_texts(command, "--space", options.space,
              "Values of a definition to try (default: those that it allows); may be repeated", "NAME=V,V,V");
    add_texts(command, "--constraint", options.constraints,
              "Condition on the values, in addition to the variant's own rules; may be repeated",
              "EXPRESSION");
    add_text(command, "--method", options.method,
             "All configurations, a random selection, or simulated annealing (default full)",
             "full|random|anneal");
    add_number(command, "--budget", options.budget, "Maximum number of configurations to try (default 1000)",
               "N", 1, 1000000);
    add_number(command, "--search-seed", options.seed, "Seed of the methods random and anneal (default 1)",
               "N", 0, 1000000000);
    add_number(command, "--repeat", options.repeats,
               "Timed runs of the best configuration and of the default in the final comparison; with fewer "
               "than 8, it is not significant (default 15)",
               "N", 1, 1000000);
    add_text(command, "--check", options.check, "How each configuration's result is checked (default sample)",
             "none|sample|full");
    add_number(command, "--time-limit", options.time_limit,
               "Time limit for each of your own kernels, in seconds (default 60)", "SECONDS", 0.1, 1e6);
    add_text(command, "--device", options.device,
             "Index of a device or part of its name, as listed by `devices`", "DEVICE");
    add_text(command, "--memory-limit", options.memory_limit, "Maximum device memory to use", "BYTES");
    add_text(command, "--json", options.json,
             "File for all samples, updated after each configuration; configurations already in it "
             "are not tried again",
             "FILE");
    command.add_flag("--keep", options.keep,
                     "Save the best configuration in your table of tuned values if it is significantly "
                     "faster than the default");
    command.add_flag("--progress", options.progress, "Print progress as lines");
}

std::map<std::string, std::vector<std::string>> parse_space(const std::vector<std::string>& texts) {
    std::map<std::string, std::vector<std::string>> space;
    for (const auto& [name, list] : parse_pairs(texts, "--space", "NAME=V,V,V")) {
        std::istringstream stream(list);
        for (std::string value; std::getline(stream, value, ',');) space[name].push_back(in_digits(value));
    }
    return space;
}

/// Each size with its single value.
ParameterSet one_of_each(const Analysis& analysis, const SizeLists& given) {
    ParameterSet sizes;
    for (const auto& [id, values] : given) {
        if (values.size() != 1)
            throw Error(ErrorKind::input, "tuning uses a single problem: give only one value",
                        option_name(id));
        sizes[id] = values.front();
    }
    return analysis.benchmark_sizes(sizes);
}

/// Whether no configuration of the space could be tried because none compiles, not even the default: it is no
/// row, so that there are fewer rows than configurations if it is one of them.
bool none_builds(const TuneReport& report) {
    return !report.rows.empty() && report.rows.size() >= report.valid &&
           std::ranges::all_of(report.rows, [](const TuneRow& row) {
               return row.failure && row.failure->kind == ErrorKind::build;
           });
}

void keep(const TuneReport& report) {
    if (const std::string why = why_not_kept(report); !why.empty()) {
        fmt::print("Nothing was saved: {}.\n", printable(why));
        return;
    }
    UserTuning table(data_folder());
    table.keep(tuned_row(report, utc_now()));
    fmt::print("Saved in {}: similar runs use these values from now on.\n", printable(table.file().string()));
}

int run_tune_command(Session& session, const Analysis& analysis, const TuneOptions& options,
                     const SizeOptions& sizes) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    TunePlan plan;
    plan.analysis = analysis.info().id;
    plan.variant = options.variant;
    plan.device = options.device;
    plan.sizes = one_of_each(analysis, sizes.given());
    if (!options.memory_limit.empty()) plan.memory_limit = parse_bytes(options.memory_limit);
    plan.space = parse_space(options.space);
    plan.rules = options.constraints;
    plan.method = tune_method_from(options.method);
    plan.budget = static_cast<std::size_t>(options.budget);
    plan.seed = static_cast<std::uint64_t>(options.seed);
    plan.repeats = static_cast<std::size_t>(options.repeats);
    plan.check = check_mode_from(options.check);
    plan.kernel_limit = options.time_limit;
    std::optional<TuneReport> before;
    if (!options.json.empty()) {
        before = read_tuning(options.json);
        require_output(options.json, true);
    }
    const auto write = [&options](const TuneReport& report) {
        if (!options.json.empty()) io::write_text(options.json, tune_json(report), true);
    };
    const TuneReport report = [&] {
        try {
            return run_tune(session.engine(), plan, before, session.progress(), write);
        } catch (const OtherTuning& error) {
            throw Error(error.kind(), error.message(), "--json", "give another file");
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::cancelled || !std::filesystem::exists(options.json)) throw;
            throw Error(
                ErrorKind::cancelled, error.message(), {},
                options.json + " contains what has been tried so far; repeat the command to continue");
        }
    }();
    session.terminal().clear();
    fmt::print("{}", tune_table(report));
    if (options.keep) keep(report);
    if (none_builds(report))
        throw Error(ErrorKind::build, "none of the configurations compiles", plan.variant,
                    "the table gives the compiler's messages");
    return 0;
}

/// "all", "spots" or "spots/tile".
std::size_t forget(UserTuning& table, const std::string& what) {
    if (what == "all") return table.forget({}, {});
    const std::size_t slash = what.find('/');
    return table.forget(what.substr(0, slash), slash == std::string::npos ? "" : what.substr(slash + 1));
}

int show_table(const TableOptions& options) {
    UserTuning table(data_folder());
    if (!options.forget.empty()) {
        const std::size_t removed = forget(table, options.forget);
        fmt::print("{} {} removed\n", count_text(removed, "row"), removed == 1 ? "was" : "were");
        return 0;
    }
    if (!options.list)
        throw Error(ErrorKind::input, "expected the name of an analysis, --list or --forget", "tune",
                    "kernelscope-cli tune --help lists the analyses and options");
    if (const std::string why = table.why_not_read(); !why.empty())
        throw Error(ErrorKind::input, why, {}, "`tune --forget all` removes it");
    fmt::print("{}", table.rows().empty() ? "there are no tuned values\n" : tuned_rows_text(table.rows()));
    return 0;
}

}  // namespace

void add_tune(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* tune =
        root.add_subcommand("tune", "Find definitions of a variant that suit a device and a kind of problem");
    tune->require_subcommand(0, 1);
    auto table = std::make_shared<TableOptions>();
    tune->add_flag("--list", table->list, "List your table of tuned values");
    add_text(*tune, "--forget", table->forget, "Remove rows of that table", "all|ANALYSIS|ANALYSIS/VARIANT");
    commands.push_back({tune, [table](Session&) { return show_table(*table); }});
    for (const Analysis& analysis : registry.analyses()) {
        if (!analysis.has_benchmark()) continue;
        const AnalysisInfo& info = analysis.info();
        CLI::App* command = tune->add_subcommand(info.id, "Variants of " + info.title);
        auto options = std::make_shared<TuneOptions>();
        add_options(*command, *options);
        auto sizes = std::make_shared<SizeOptions>(*command, info.benchmark);
        commands.push_back({command, [options, sizes, &analysis](Session& session) {
                                return run_tune_command(session, analysis, *options, *sizes);
                            }});
    }
}

}  // namespace ks::cli
