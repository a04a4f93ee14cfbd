#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/bench_report.h"
#include "app/cli/output.h"
#include "app/cli/quantities.h"
#include "core/base/quantile.h"
#include "core/data/count_text.h"
#include "core/judge/questions.h"
#include "core/run/build_log.h"
#include "core/run/parameters/sizes_text.h"

namespace ks::cli {
namespace {

/// Median with the quartiles: "38.2 ms [37.9 .. 38.6 ms]".
std::string spread_text(const BenchRow& row, double BenchSample::*field) {
    const std::vector<double> list = row.times(field);
    return fmt::format("{} [{} .. {}]", time_text(quantile(list, 0.5)), time_text(quantile(list, 0.25)),
                       time_text(quantile(list, 0.75)));
}

/// A wrong kernel is not faster than another.
std::string ratio_text(const BenchRow& row, const BenchRow* baseline, double BenchSample::*field) {
    const double mine = row.median(field);
    if (baseline == nullptr || mine <= 0 || is_wrong(row) || is_wrong(*baseline)) return "-";
    const double ratio = baseline->median(field) / mine;
    return ratio >= 99.95 ? fmt::format("{:.0f} x", ratio) : fmt::format("{:.3g} x", ratio);
}

std::string verdict_text(const Verdict& verdict) {
    if (verdict.state == Verdict::State::unchecked) return "unchecked";
    if (const std::optional<double> error = judged_error(verdict))
        return fmt::format("{}, largest error {:.1e} (tolerance {:.0e}) in {}", name_of(verdict.state),
                           *error, verdict.tolerance, verdict.where.empty() ? "all values" : verdict.where);
    return verdict.state == Verdict::State::fail
               ? fmt::format("{}, {}", name_of(verdict.state), without_verdict(verdict.text))
               : fmt::format("{}, exact", name_of(verdict.state));
}

/// The programs compiled for each variant.
std::string programs(const BenchPoint& point) {
    std::string text;
    for (const BenchRow& row : point.rows)
        for (const BuildLog& build : row.builds)
            text += fmt::format("{:<20} {}  {:<40} {}\n", row.variant.id, build.text_hash, build.source_file,
                                fmt::join(build.entry_points, ", "));
    if (text.empty()) return text;
    return "\nPrograms: variant, hash of the source with its includes, file, kernels (the file of --json "
           "also has the build options)\n" +
           text;
}

constexpr const char* between_sizes = "  ";

/// The sizes of a point whose ids are in `ids`, or those whose ids are not.
ParameterSet chosen(const ParameterSet& sizes, const std::vector<std::string>& ids, bool among) {
    ParameterSet some;
    for (const auto& size : sizes)
        if ((std::ranges::find(ids, size.first) != ids.end()) == among) some.insert(size);
    return some;
}

const char* what_runs_begin_with(BenchFrom from) {
    switch (from) {
        case BenchFrom::device:
            return "--from device: after the first run the input stays on the device";
        case BenchFrom::memory:
            return "--from memory: each run uploads the input from host memory";
        case BenchFrom::file:
            break;
    }
    return "--from file: each run reads the input again, from files that are in the system's cache";
}

std::string header(const BenchReport& report, const std::vector<std::string>& varied) {
    std::string text =
        fmt::format("bench {} on {} ({}), driver {}\nhost: {}\n", report.plan.analysis, report.device.name,
                    report.device.platform_name.empty() ? report.device.type : report.device.platform_name,
                    report.device.driver.empty() ? "none" : report.device.driver, report.host.name);
    if (!report.devices.empty())
        text += fmt::format("each run is shared by {}\n", fmt::join(report.devices, ", "));
    text += sizes_text(chosen(report.points.front().sizes, varied, false), between_sizes);
    for (const auto& [name, value] : report.plan.defines)
        text += fmt::format("{}{}={}", text.ends_with('\n') ? "" : between_sizes, name, value);
    if (report.started.empty()) return text + "\nnothing ran\n";
    if (report.plan.kernels_only)
        return text + fmt::format(
                          "\n--kernels-only: the kernel launches of one whole run of each variant, repeated "
                          "back to back\n{} in series, with the variants in turn (warm-up runs before: {}); "
                          "times are medians with [quartiles]; version {}\n",
                          count_text(report.plan.repeats, "repeat"), report.plan.warmups, report.version);
    text += fmt::format("\n{}", what_runs_begin_with(report.plan.from));
    return text + fmt::format(
                      "\n{} with the variants in turn (warm-up runs before: {}); times are medians "
                      "with [quartiles]; version {}\n",
                      count_text(report.plan.repeats, "repeat"), report.plan.warmups, report.version);
}

/// Rates as shares of the device's ceilings; empty if no row has one.
std::string shares(const BenchReport& report, const BenchPoint& point) {
    std::string text;
    for (const BenchRow& row : point.rows)
        if (row.ceiling) text += fmt::format("{:<20} {}\n", row.variant.id, row.ceiling->text);
    if (text.empty()) return text;
    return fmt::format("\nKernels relative to the ceilings, which were measured at {}:\n{}",
                       report.ceilings_started, text);
}

/// "1"; "2-4" if tied with others; empty without samples.
std::string rank_text(const Rank& rank) {
    if (rank.last == 0) return {};
    return rank.first == rank.last ? fmt::format("{}", rank.first)
                                   : fmt::format("{}-{}", rank.first, rank.last);
}

/// Which variants were run less often than announced; empty if none was.
std::string fewer_runs(const BenchPoint& point, const BenchPlan& plan) {
    std::string text;
    for (const BenchRow& row : point.rows)
        if (has_fewer_runs(row, plan))
            text += fmt::format("{} was run {} instead of {}, because one run takes longer than {} s.\n",
                                row.variant.id, count_text(row.samples.size(), "time"), plan.repeats,
                                slow_run_seconds);
    return text;
}

std::string times(const BenchPoint& point, const BenchPlan& plan) {
    const char* const line = "{:<20} {:>3} {:>34} {:>10} {:>10} {:>10} {:>10} {:>34} {:>6} {:>10} {:>12}\n";
    std::string text = fmt::format(fmt::runtime(line), "variant", "n", "kernel", "read", "upload", "download",
                                   "host", "end to end", "rank", "first run", "its upload");
    const std::vector<Rank> ranks = orders_of(point, plan, &BenchSample::total).ranks();
    for (std::size_t i = 0; i < point.rows.size(); ++i) {
        const BenchRow& row = point.rows[i];
        if (row.samples.empty()) continue;
        text += fmt::format(fmt::runtime(line), row.variant.id, row.samples.size(),
                            spread_text(row, &BenchSample::kernel), time_text(row.median(&BenchSample::read)),
                            time_text(row.median(&BenchSample::upload)),
                            time_text(row.median(&BenchSample::download)),
                            time_text(row.median(&BenchSample::host)), spread_text(row, &BenchSample::total),
                            rank_text(ranks[i]), time_text(row.first.total), time_text(row.first.upload));
    }
    return text + fewer_runs(point, plan);
}

/// Why there are ties; empty if there are enough repeats.
std::string too_few(const BenchPoint& point, const BenchPlan& plan) {
    const std::size_t needed = repeats_needed(point, plan);
    if (needed == 0) return {};
    return fmt::format("No ranking is significant: at least {} repeats are needed.\n", needed);
}

/// Times of launches that were repeated alone, next to the whole run that they come from.
std::string kernel_times(const BenchPoint& point, const BenchPlan& plan) {
    const char* const line = "{:<20} {:>4} {:>9} {:>34} {:>6} {:>16} {:>16} {:>16}\n";
    std::string text = fmt::format(fmt::runtime(line), "variant", "n", "launches", "repetition", "rank",
                                   "host per launch", "kernels in run", "whole run");
    const std::vector<Rank> ranks = orders_of(point, plan, &BenchSample::kernel).ranks();
    for (std::size_t i = 0; i < point.rows.size(); ++i) {
        const BenchRow& row = point.rows[i];
        if (row.samples.empty()) continue;
        text += fmt::format(fmt::runtime(line), row.variant.id, row.samples.size(), row.launches,
                            spread_text(row, &BenchSample::kernel), rank_text(ranks[i]),
                            time_text(quantile(row.host_per_launch, 0.5)), time_text(row.first.kernel),
                            time_text(row.first.total));
    }
    return text;
}

/// What speed-ups refer to.
std::string baseline_name(const BenchPoint& point) {
    if (const BenchRow* const base = point.baseline()) return "vs " + base->variant.id;
    const BenchRow* const row = point.baseline_row();
    return row && !row->samples.empty() && !row->given.empty() ? "no baseline: --define" : "no baseline";
}

/// Speed-up over the baseline, and the check.
std::string kernel_ratios(const BenchPoint& point) {
    const BenchRow* base = point.baseline();
    std::string text = fmt::format("{:<20} {:>24}   check\n", "variant", baseline_name(point));
    for (const BenchRow& row : point.rows)
        if (!row.samples.empty())
            text += fmt::format("{:<20} {:>24}   {}\n", row.variant.id,
                                ratio_text(row, base, &BenchSample::kernel), verdict_text(row.verdict));
    return text;
}

std::string ratios(const BenchPoint& point, const std::string& reference) {
    const BenchRow* base = point.baseline();
    const BenchRow* host = point.best_host(reference);
    const std::string base_name = baseline_name(point);
    const std::string host_name = host == nullptr ? "no other host variant" : "vs " + host->variant.id;
    std::string text =
        fmt::format("{:<20} {:^29}   {:^29}\n{:<20} {:>14} {:>14}   {:>14} {:>14}   check\n", "", base_name,
                    host_name, "variant", "kernel", "end to end", "kernel", "end to end");
    for (const BenchRow& row : point.rows) {
        if (row.samples.empty()) continue;
        text += fmt::format("{:<20} {:>14} {:>14}   {:>14} {:>14}   {}\n", row.variant.id,
                            ratio_text(row, base, &BenchSample::kernel),
                            ratio_text(row, base, &BenchSample::total),
                            ratio_text(row, host, &BenchSample::kernel),
                            ratio_text(row, host, &BenchSample::total), verdict_text(row.verdict));
    }
    return text;
}

std::string products(const BenchPoint& point) {
    std::string text;
    for (const BenchRow& row : point.rows)
        if (!row.text_mark.empty())
            text += fmt::format("{:<20} {} {}\n", row.variant.id,
                                row.variant.from_user() ? "text" : "other source", row.text_mark);
    for (const BenchRow& row : point.rows)
        if (const auto product = row.facts.find("product"); product != row.facts.end())
            text += fmt::format("{:<20} computes products with {}\n", row.variant.id,
                                product->get<std::string>());
    for (const BenchRow& row : point.rows)
        for (const auto& [name, value] : row.tuned)
            text += fmt::format("{:<20} definition from your table of tuned values: {}={}\n", row.variant.id,
                                name, value);
    return text;
}

/// The compiler's messages that the table already has, by variant: at further sizes they are mostly the same.
using Messages = std::set<std::pair<std::string, std::string>>;

/// Variants that were not run, with the reasons; with the compiler's messages unless they are in `before`,
/// to which they are added.
std::string not_run(const BenchPoint& point, Messages& before) {
    std::string text;
    for (const BenchRow& row : point.rows) {
        if (row.not_run.empty()) continue;
        text +=
            fmt::format("{:<20} {}: {}\n", row.variant.id, is_wrong(row) ? "wrong" : "not run", row.not_run);
        if (row.failure && before.emplace(row.variant.id, row.failure->details).second)
            text += indented(row.failure->details);
    }
    return text;
}

constexpr const char* what_repetitions_are =
    "Repetition: from the start of the first kernel or fill to the end of the last, according to device "
    "events.\nHost per launch: additional time of a series on the host compared with the device, divided by "
    "the number of launches.\nRank: by repetition.\n\n";

constexpr const char* what_times_are =
    "First run: includes kernel builds, unless cached, and uploads.\nKernel: sum of the kernel times "
    "according to device events; for host variants, sum of the stages.\nRank: by end-to-end time; a range "
    "such as 1-2 is a tie: these variants may differ only by chance. Another order is that of this process: "
    "in another\none, similar kernels may have the opposite order, because the addresses of their buffers "
    "differ.\n\n";

std::string slopes(const BenchReport& report) {
    if (report.slopes.empty()) return {};
    std::string text =
        "\nSlope of log(time) against log(size): 2 means four times as long at twice the size\n" +
        fmt::format("{:<20} {:<14} {:>6} {:>8} {:>11}\n", "variant", "size", "points", "kernel",
                    "end to end");
    for (const BenchSlope& slope : report.slopes)
        text += fmt::format("{:<20} {:<14} {:>6} {:>8.2f} {:>11.2f}{}{}\n", slope.variant, slope.size,
                            slope.points, slope.kernel, slope.total, slope.others.empty() ? "" : "   ",
                            sizes_text(slope.others, between_sizes));
    return text;
}

}  // namespace

std::string bench_table(const BenchReport& report, const std::string& reference) {
    const std::vector<std::string> varied = varied_sizes(report.points);
    std::string text = header(report, varied);
    Messages messages;
    if (report.started.empty()) {
        for (const BenchPoint& point : report.points) text += not_run(point, messages);
        return text;
    }
    if (report.points.size() == 1) {
        const BenchPoint& point = report.points.front();
        if (report.plan.kernels_only)
            return text + "\n" + kernel_times(point, report.plan) + too_few(point, report.plan) +
                   what_repetitions_are + kernel_ratios(point) + shares(report, point) + products(point) +
                   programs(point) + not_run(point, messages);
        return text + "\n" + times(point, report.plan) + too_few(point, report.plan) + what_times_are +
               ratios(point, reference) + shares(report, point) + products(point) + programs(point) +
               not_run(point, messages);
    }
    std::string compiled;
    for (const BenchPoint& point : report.points) {
        text += "\n" + sizes_text(chosen(point.sizes, varied, true), between_sizes) + "\n";
        text += (report.plan.kernels_only ? kernel_times(point, report.plan) : times(point, report.plan)) +
                too_few(point, report.plan) + "\n" +
                (report.plan.kernels_only ? kernel_ratios(point) : ratios(point, reference));
        text += shares(report, point) + products(point);
        if (const std::string now = programs(point); now != compiled) {
            text += now;
            compiled = now;
        }
        text += not_run(point, messages);
    }
    return text + slopes(report) + "\n" + (report.plan.kernels_only ? what_repetitions_are : what_times_are);
}

namespace {

std::string change_text(const RatioInterval& ratio) {
    if (!ratio.known())
        return fmt::format("not known: both the baseline and this benchmark need at least {} runs",
                           runs_of_lists_apart);
    return fmt::format("[{} .. {}] {}", factor_text(ratio.low), factor_text(ratio.high),
                       ratio.above(1)   ? "significantly slower"
                       : ratio.below(1) ? "significantly faster"
                                        : "no significant change");
}

}  // namespace

std::string changes_table(const BenchBaseline& baseline, const BenchReport& report,
                          const std::vector<BenchTimeChanges>& times) {
    const std::vector<std::string> varied = varied_sizes(report.points);
    std::string text = fmt::format(
        "\nChanges since {} ({}, version {}, {}): ratio of the times now / then, with its 99 % confidence "
        "interval\n",
        baseline.file, baseline.started, baseline.version, baseline.device.name);
    for (const std::string& difference : differences_of_machine(baseline, report)) text += difference + "\n";
    text += fmt::format("{:<20} {:<11} {:>10} {:>10}   {}\n", "variant", "time", "then", "now", "now / then");
    for (const BenchTimeChanges& time : times)
        for (const BenchChange& change : time.changes) {
            text += fmt::format("{:<20} {:<11} ", change.variant, time.name);
            if (change.not_compared.empty())
                text += fmt::format("{:>10} {:>10}   {} {}", time_text(change.before), time_text(change.now),
                                    factor_text(change.ratio.value), change_text(change.ratio));
            else
                text += change.not_compared;
            if (change.other_text) text += ", with a changed source";
            if (change.wrong_then)
                text += ", but its result was wrong in the baseline, so that time is of other work";
            if (const std::string sizes = sizes_text(chosen(change.sizes, varied, true), between_sizes);
                !sizes.empty())
                text += between_sizes + sizes;
            text += "\n";
        }
    return text;
}

}  // namespace ks::cli
