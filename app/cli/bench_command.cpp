#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/bench_report.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/ranks/shared_bench.h"
#include "core/run/bench.h"
#include "core/run/bench_baseline.h"
#include "core/run/user/user_includes.h"

namespace ks::cli {
namespace {

struct BenchOptions {
    std::string variants = "all", device, json, memory_limit, check = "full", sweep = "product",
                from = "device", baseline, fail_if_slower;
    std::vector<std::string> defines, kernel_sources;
    std::int64_t repeats = 20, warmups = 1;
    double time_limit = 60;
    bool kernels_only = false, overwrite = false, progress = false;
};

void add_options(CLI::App& command, BenchOptions& options) {
    add_text(command, "--variants", options.variants, "Ids of the variants to time, or all", "all|ID,ID");
    add_number(
        command, "--repeat", options.repeats,
        "Timed runs of each variant; with fewer than 8 for two variants, or 10 for three, no ranking is "
        "significant (default 20)",
        "N", 1, 1000000);
    add_number(command, "--warmup", options.warmups, "Warm-up runs in addition to the first run (default 1)",
               "N", 0, 1000000);
    add_text(command, "--device", options.device,
             "Index of a device or part of its name, as listed by `devices`; or `host`", "DEVICE");
    add_texts(command, "--define", options.defines,
              "Set a definition in all kernels that have it; may be repeated", "NAME=VALUE");
    add_texts(command, "--kernel-source", options.kernel_sources,
              "Kernel file to use in place of a variant's own; may be repeated, once per variant",
              "VARIANT=FILE.cl");
    add_text(command, "--memory-limit", options.memory_limit,
             "Maximum memory to use on the device or, for host.* variants, on the host", "BYTES");
    add_text(command, "--check", options.check, "How each variant's result is checked (default full)",
             "none|sample|full");
    add_text(command, "--sweep", options.sweep,
             "If several sizes are given as lists: time every combination (product), or vary one size "
             "at a time (default product)",
             "product|one-by-one");
    add_text(command, "--from", options.from,
             "Where each run takes its input from: left on the device by the previous run, uploaded from "
             "host memory, or read from a file (default device)",
             "memory|device|file");
    command.add_flag("--kernels-only", options.kernels_only,
                     "Repeat only the kernel launches of one run, queued back to back");
    add_number(command, "--time-limit", options.time_limit,
               "Time limit for each of your own kernels, in seconds (default 60)", "SECONDS", 0.1, 1e6);
    add_text(command, "--json", options.json, "File to write all samples to", "FILE");
    add_text(command, "--baseline", options.baseline,
             "Earlier --json file to compare with; significant changes are reported", "FILE");
    add_text(command, "--fail-if-slower", options.fail_if_slower,
             "Exit with an error if a kernel, or a run end to end, is significantly slower than the "
             "baseline (p <= 0.01), and by more than this percentage",
             "PERCENT");
    command.add_flag("--overwrite", options.overwrite, "Replace an existing file");
    command.add_flag("--progress", options.progress, "Print progress as lines");
}

std::vector<std::string> variant_ids(const std::string& text) {
    std::vector<std::string> ids;
    if (text == "all") return ids;
    std::istringstream stream(text);
    for (std::string id; std::getline(stream, id, ',');)
        if (!id.empty()) ids.push_back(id);
    if (ids.empty()) throw Error(ErrorKind::input, "expected `all` or ids separated by commas", "--variants");
    return ids;
}

/// "10%" or "10": 0.1.
double parse_percent(const std::string& text) {
    const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
    std::size_t used = 0;
    double value = -1;
    try {
        value = std::stod(number, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used == 0 || used != number.size() || !(value >= 0 && value <= 1e6))
        throw Error(ErrorKind::input, fmt::format("expected a percentage, found \"{}\"", text),
                    "--fail-if-slower");
    return value / 100;
}

/// Prints what has changed. @return the error if something exceeds the limit; nothing if nothing does
std::optional<Error> compare(const BenchBaseline& baseline, const BenchReport& report,
                             std::optional<double> limit) {
    const std::vector<BenchTimeChanges> times{
        {"kernel", changes_since(baseline, report, &BenchSample::kernel)},
        {"end to end", changes_since(baseline, report, &BenchSample::total)}};
    fmt::print("{}", changes_table(baseline, report, times));
    if (!limit) return std::nullopt;
    for (const BenchTimeChanges& time : times)
        for (const BenchChange& change : time.changes) {
            if (!change.not_compared.empty()) continue;
            if (change.wrong_then) {
                warn(fmt::format(
                    "{}, {}: cannot tell whether it is slower: its result was wrong in the baseline",
                    change.variant, time.name));
                continue;
            }
            if (!change.ratio.known())
                warn(
                    fmt::format("{}, {}: cannot tell whether it is slower: both the baseline and this "
                                "benchmark need at least {} runs",
                                change.variant, time.name, runs_of_lists_apart));
            if (change.ratio.above(1 + *limit))
                return Error(
                    ErrorKind::run,
                    fmt::format("the {} time is {} [{} .. {}] times as long as in {}, so it is more than "
                                "{:.0f} % longer",
                                time.name, factor_text(change.ratio.value), factor_text(change.ratio.low),
                                factor_text(change.ratio.high), baseline.file, *limit * 100),
                    change.variant);
        }
    return std::nullopt;
}

/// Gives the reason for the one requested variant, or for the first of several.
Error nothing_ran(const BenchReport& report) {
    std::vector<const BenchRow*> rows;
    for (const BenchPoint& point : report.points)
        for (const BenchRow& row : point.rows) rows.push_back(&row);
    if (rows.empty())
        return Error(ErrorKind::input, "there are no variants on " + report.device.title(), "bench");
    const BenchRow& first = *rows.front();
    if (rows.size() == 1) return Error(ErrorKind::input, first.not_run, first.variant.id);
    return Error(ErrorKind::input,
                 fmt::format("none of the variants ran on {}; for example, {}: {}", report.device.title(),
                             first.variant.id, first.not_run),
                 "bench", "the table gives the reason for each");
}

BenchPlan plan_of(const Analysis& analysis, const BenchOptions& options, const SizeOptions& sizes) {
    BenchPlan plan;
    plan.analysis = analysis.info().id;
    plan.sizes = sizes.given();
    plan.sweep = sweep_from(options.sweep);
    plan.from = bench_from_named(options.from);
    plan.kernels_only = options.kernels_only;
    plan.variants = variant_ids(options.variants);
    plan.device = options.device;
    plan.repeats = static_cast<std::size_t>(options.repeats);
    plan.warmups = static_cast<std::size_t>(options.warmups);
    if (!options.memory_limit.empty()) plan.memory_limit = parse_bytes(options.memory_limit);
    plan.check = check_mode_from(options.check);
    plan.kernel_limit = options.time_limit;
    plan.defines = parse_pairs(options.defines, "--define");
    for (const auto& [id, file] : parse_pairs(options.kernel_sources, "--kernel-source", "VARIANT=FILE.cl")) {
        require_shipped(id);
        plan.kernel_sources[id] = {file, read_kernel_source(file, plan.defines)};
        if (!options.json.empty())
            require_no_kernel("--json", options.json, file, plan.defines, "kernel source of " + id);
    }
    if (!options.json.empty()) require_no_kernel("--json", options.json, {}, {});
    return plan;
}

int run_bench_command(Session& session, const Analysis& analysis, const BenchOptions& options,
                      const SizeOptions& sizes) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    const BenchPlan plan = plan_of(analysis, options, sizes);
    const bool writes = session.exchange() == nullptr || session.exchange()->is_first();
    if (!options.json.empty() && writes) require_output(options.json, options.overwrite);
    if (options.baseline.empty() && !options.fail_if_slower.empty())
        throw Error(ErrorKind::input, "needs --baseline FILE", "--fail-if-slower");
    std::optional<BenchBaseline> baseline;
    std::optional<double> limit;
    if (!options.baseline.empty()) {
        baseline = BenchBaseline::read(options.baseline);
        if (!options.json.empty())
            io::require_not_read("--json", options.json, {{"baseline", options.baseline}});
    }
    if (!options.fail_if_slower.empty()) {
        limit = parse_percent(options.fail_if_slower);
        if (plan.repeats < runs_of_lists_apart)
            throw Error(ErrorKind::input,
                        fmt::format("{} {} too few to show a significant change", plan.repeats,
                                    plan.repeats == 1 ? "repeat is" : "repeats are"),
                        "--fail-if-slower", fmt::format("give --repeat {} or more", runs_of_lists_apart));
    }
    if (baseline) baseline->require_comparable(plan, bench_points(analysis, plan));

    Request as_given;
    for (const auto& [id, values] : plan.sizes) as_given.parameters[id] = values.front();
    warn_of_idle(analysis, as_given);
    Exchange* const exchange = session.exchange();
    const std::optional<BenchReport> made =
        exchange == nullptr ? run_bench(session.engine(), plan, session.progress())
                            : run_bench_over_ranks(session.engine(), *exchange, plan, session.progress());
    if (exchange != nullptr) exchange->told("over", {});
    if (!made) return 0;
    const BenchReport& report = *made;
    session.progress().check();
    session.terminal().clear();
    if (!options.json.empty()) io::write_text(options.json, bench_text(report), options.overwrite);
    fmt::print("{}", bench_table(report, analysis.info().reference));
    if (exchange != nullptr)
        fmt::print(
            "\n{} ranks: the time of a stage is that of the slowest rank; the end-to-end time ends when rank "
            "0 has joined all results\n",
            exchange->size());
    const bool ran = std::ranges::any_of(report.points, [](const BenchPoint& point) {
        return std::ranges::any_of(point.rows, [](const BenchRow& row) { return !row.samples.empty(); });
    });
    // What could be compared is compared, whatever happened to the rest.
    const std::optional<Error> slower = ran && baseline ? compare(*baseline, report, limit) : std::nullopt;
    for (const BenchPoint& point : report.points)
        for (const BenchRow& row : point.rows) {
            // Without a reason it ran to the end, and its result was compared.
            if (is_wrong(row) && row.not_run.empty())
                throw Error(ErrorKind::run, "the result differs from the reference: " + row.verdict.text,
                            row.variant.id);
            if (!row.failed) continue;
            const BenchFailure failure = row.failure.value_or(BenchFailure());
            throw Error(failure.kind, row.not_run, row.variant.id, {}, failure.details);
        }
    if (slower) throw *slower;
    if (!ran) throw nothing_ran(report);
    return 0;
}

}  // namespace

void add_bench(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* bench = add_group(root, commands, "bench", "Time the variants of an analysis side by side");
    for (const Analysis& analysis : registry.analyses()) {
        if (!analysis.has_benchmark()) continue;
        const AnalysisInfo& info = analysis.info();
        CLI::App* command = bench->add_subcommand(info.id, "Variants of " + info.title);
        auto options = std::make_shared<BenchOptions>();
        add_options(*command, *options);
        auto sizes = std::make_shared<SizeOptions>(*command, info.benchmark);
        commands.push_back(
            {.app = command,
             .run = [options, sizes, &analysis](
                        Session& session) { return run_bench_command(session, analysis, *options, *sizes); },
             .over_ranks = true});
    }
}

}  // namespace ks::cli
