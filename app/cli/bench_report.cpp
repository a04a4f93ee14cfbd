#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/bench.h"
#include "app/cli/quantities.h"
#include "core/base/formats.h"
#include "core/base/quantile.h"
#include "core/run/build_log.h"
#include "core/wire/wire.h"

namespace ks::cli {
namespace {

std::vector<double> values(const BenchRow& row, double BenchSample::*field) {
    std::vector<double> list;
    for (const BenchSample& sample : row.samples) list.push_back(sample.*field);
    return list;
}

double median(const BenchRow& row, double BenchSample::*field) {
    return quantile(values(row, field), 0.5);
}

/// Median with the quartiles: "38.2 ms [37.9 .. 38.6 ms]".
std::string spread_text(const BenchRow& row, double BenchSample::*field) {
    const std::vector<double> list = values(row, field);
    return fmt::format("{} [{} .. {}]", time_text(quantile(list, 0.5)), time_text(quantile(list, 0.25)),
                       time_text(quantile(list, 0.75)));
}

std::string ratio_text(const BenchRow& row, const BenchRow* yardstick, double BenchSample::*field) {
    const double mine = median(row, field);
    if (yardstick == nullptr || mine <= 0) return "-";
    const double ratio = median(*yardstick, field) / mine;
    return ratio >= 99.95 ? fmt::format("{:.0f} x", ratio) : fmt::format("{:.3g} x", ratio);
}

std::string verdict_text(const Verdict& verdict) {
    if (verdict.state == Verdict::State::unchecked) return "unchecked";
    return fmt::format("{}, worst {:.1e} of {:.0e} in {}", name_of(verdict.state), verdict.worst_error,
                       verdict.tolerance, verdict.where.empty() ? "all" : verdict.where);
}

/// What was compiled for each variant.
std::string programs(const BenchReport& report) {
    std::string text;
    for (const BenchRow& row : report.rows)
        for (const BuildLog& build : row.builds)
            text += fmt::format("{:<20} {}  {:<40} {}\n", row.variant.id, build.text_hash, build.source_file,
                                fmt::join(build.entry_points, ", "));
    if (text.empty()) return text;
    return "\nPrograms: variant, hash of the text with its includes, file, kernels (build options: "
           "--json)\n" +
           text;
}

nlohmann::json program_json(const BuildLog& build) {
    return {{"source_file", build.source_file},
            {"text_hash", build.text_hash},
            {"options", build.options},
            {"entry_points", build.entry_points}};
}

std::string header(const BenchReport& report) {
    std::string text =
        fmt::format("bench {} on {} ({}), driver {}\nhost: {}\n", report.plan.analysis, report.device.name,
                    report.device.platform_name.empty() ? report.device.type : report.device.platform_name,
                    report.device.driver.empty() ? "none" : report.device.driver, report.host.name);
    for (const auto& [id, value] : report.plan.sizes) text += fmt::format("{} = {}  ", id, to_text(value));
    for (const auto& [name, value] : report.plan.defines) text += fmt::format("{}={}  ", name, value);
    return text +
           fmt::format("\n{} repeats round robin after {} warm-ups; medians with [quartiles]; version {}\n\n",
                       report.plan.repeats, report.plan.warmups, report.version);
}

/// Of what the device can do at most; empty where no row has one.
std::string shares(const BenchReport& report) {
    std::string text;
    for (const BenchRow& row : report.rows)
        if (row.ceiling) text += fmt::format("{:<20} {}\n", row.variant.id, row.ceiling->text);
    if (text.empty()) return text;
    return fmt::format("\nKernels by the ceilings measured {}:\n{}", report.ceilings_started, text);
}

}  // namespace

std::string bench_table(const BenchReport& report, const std::string& reference) {
    std::string text = header(report);
    const char* const line = "{:<20} {:>3} {:>34} {:>10} {:>10} {:>10} {:>34} {:>10} {:>12}\n";
    text += fmt::format(fmt::runtime(line), "variant", "n", "kernel", "upload", "download", "host",
                        "end to end", "first run", "its upload");
    for (const BenchRow& row : report.rows) {
        if (row.samples.empty()) continue;
        text += fmt::format(
            fmt::runtime(line), row.variant.id, row.samples.size(), spread_text(row, &BenchSample::kernel),
            time_text(median(row, &BenchSample::upload)), time_text(median(row, &BenchSample::download)),
            time_text(median(row, &BenchSample::host)), spread_text(row, &BenchSample::total),
            time_text(row.first.total), time_text(row.first.upload));
    }
    text +=
        "First run: builds the kernels where none are cached, and uploads; later the data stay on the "
        "device.\n";
    text += "Kernel: sum of the kernels by device events; of host variants the sum of their stages.\n\n";

    const BenchRow* base = report.baseline();
    const BenchRow* host = report.best_host(reference);
    const std::string base_name = base == nullptr ? "no baseline" : "vs " + base->variant.id;
    const std::string host_name = host == nullptr ? "no other host variant" : "vs " + host->variant.id;
    text += fmt::format("{:<20} {:^29}   {:^29}\n{:<20} {:>14} {:>14}   {:>14} {:>14}   check\n", "",
                        base_name, host_name, "variant", "kernel", "end to end", "kernel", "end to end");
    for (const BenchRow& row : report.rows) {
        if (row.samples.empty()) continue;
        text += fmt::format("{:<20} {:>14} {:>14}   {:>14} {:>14}   {}\n", row.variant.id,
                            ratio_text(row, base, &BenchSample::kernel),
                            ratio_text(row, base, &BenchSample::total),
                            ratio_text(row, host, &BenchSample::kernel),
                            ratio_text(row, host, &BenchSample::total), verdict_text(row.verdict));
    }
    text += shares(report);
    for (const BenchRow& row : report.rows)
        if (const auto product = row.facts.find("product"); product != row.facts.end())
            text += fmt::format("{:<20} its product: {}\n", row.variant.id, product->get<std::string>());
    text += programs(report);
    for (const BenchRow& row : report.rows)
        if (!row.not_run.empty()) text += fmt::format("{:<20} not run: {}\n", row.variant.id, row.not_run);
    return text;
}

nlohmann::json bench_json(const BenchReport& report) {
    const auto sample_json = [](const BenchSample& sample) {
        nlohmann::json stages = nlohmann::json::array();
        for (const Timing& timing : sample.timings) stages.push_back(ks::to_json(timing));
        return nlohmann::json{{"kernel_ns", sample.kernel},
                              {"upload_ns", sample.upload},
                              {"download_ns", sample.download},
                              {"host_ns", sample.host},
                              {"read_ns", sample.read},
                              {"total_ns", sample.total},
                              {"stages", stages}};
    };
    nlohmann::json rows = nlohmann::json::array();
    for (const BenchRow& row : report.rows) {
        nlohmann::json json{{"id", row.variant.id},
                            {"title", row.variant.title},
                            {"source_file", row.variant.source_file},
                            {"program_hash", program_hash(row.builds)},
                            {"programs", nlohmann::json::array()},
                            {"baseline", row.variant.baseline}};
        for (const BuildLog& build : row.builds) json["programs"].push_back(program_json(build));
        if (const auto product = row.facts.find("product"); product != row.facts.end())
            json["product"] = *product;
        if (!row.not_run.empty())
            json["not_run"] = row.not_run;
        else
            json["first_run"] = sample_json(row.first);
        json["samples"] = nlohmann::json::array();
        for (const BenchSample& sample : row.samples) json["samples"].push_back(sample_json(sample));
        json["verdict"] = ks::to_json(row.verdict);
        if (row.ceiling) json["ceiling"] = {{"share", row.ceiling->share}, {"text", row.ceiling->text}};
        rows.push_back(std::move(json));
    }
    nlohmann::json report_json{
        {"program", "kernelscope-cli"},
        {format_key, formats::bench.version},
        {"version", report.version},
        {"started", report.started},
        {"analysis", report.plan.analysis},
        {"sizes", to_json(report.plan.sizes)},
        {"device", ks::to_json(report.device)},
        {"driver", report.device.driver},
        {"host", ks::to_json(report.host)},
        {"repeats", report.plan.repeats},
        {"warmups", report.plan.warmups},
        {"memory_limit",
         report.plan.memory_limit ? nlohmann::json(*report.plan.memory_limit) : nlohmann::json()},
        {"check", name_of(report.plan.check)},
        {"defines", report.plan.defines},
        {"variants", rows}};
    if (!report.ceilings_started.empty()) report_json["ceilings_started"] = report.ceilings_started;
    return report_json;
}

}  // namespace ks::cli
