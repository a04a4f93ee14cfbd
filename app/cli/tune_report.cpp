#include "app/cli/tune_report.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/cli/quantities.h"
#include "core/base/printable.h"
#include "core/base/quantile.h"

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
    const char* const what = report.order() == Order::shorter
                                 ? "Best"
                                 : "The default is the best. The fastest other configuration";
    return fmt::format(
        "\n{}: {}: it takes {}{} of the default's time ({} against {}, both measured again), {}.\n", what,
        defines_text(report.rows.at(*report.best).defines), factor_text(report.ratio.value), interval,
        time_of(report.rows.at(*report.best).samples), time_of(report.usual.samples), verdict);
}

}  // namespace

std::string tune_table(const TuneReport& report) {
    const std::vector<const TuneRow*> rows = by_cost(report);
    std::string text = fmt::format(
        "tune {} {} on {}, driver {}\n{}{}{} of {} combinations satisfy the rules; {} were tried, of which "
        "{} failed or were wrong; version {}\n\n{:<52} {:>12} {:>12} {:>13}\n",
        report.plan.analysis, report.plan.variant, report.device.name, report.device.driver, report.of.kind,
        report.of.kind.empty() ? "" : "\n", report.valid, report.combinations, report.rows.size(),
        report.rows.size() - rows.size(), report.version, "configuration", "/ default", "time",
        "default then");
    for (std::size_t i = 0; i < std::min(rows.size(), shown_rows); ++i)
        text += fmt::format("{:<52} {:>12.3f} {:>12} {:>13}\n", defines_text(rows[i]->defines),
                            *rows[i]->cost(), time_of(rows[i]->tried), time_of(rows[i]->default_then));
    if (rows.size() > shown_rows)
        text += fmt::format("and {} slower configurations\n", rows.size() - shown_rows);
    for (const TuneRow& row : report.rows)
        if (!row.not_timed.empty())
            text +=
                fmt::format("{:<52} not timed: {}\n", defines_text(row.defines), printable(row.not_timed));
    return text + fmt::format("default: {}\n", defines_text(report.usual.defines)) + outcome(report);
}

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

}  // namespace ks::cli
