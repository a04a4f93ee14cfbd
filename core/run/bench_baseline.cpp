#include "core/run/bench_baseline.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"
#include "core/base/quantile.h"
#include "core/io/files/file_text.h"
#include "core/run/bench_statistics.h"
#include "core/run/build_log.h"
#include "core/run/parameters/sizes_text.h"

namespace ks {
namespace {

nlohmann::json program_json(const BuildLog& build) {
    return {{"source_file", build.source_file},
            {"text_hash", build.text_hash},
            {"options", build.options},
            {"entry_points", build.entry_points}};
}

nlohmann::json row_json(const BenchRow& row) {
    nlohmann::json json{{"id", row.variant.id},
                        {"title", row.variant.title},
                        {"source_file", row.variant.source_file},
                        {"program_hash", program_hash(row.builds)},
                        {"programs", nlohmann::json::array()},
                        {"baseline", row.variant.baseline}};
    if (row.variant.from_user()) json["counts_of"] = row.variant.base;
    if (!row.text_mark.empty()) json["text_mark"] = row.text_mark;
    for (const BuildLog& build : row.builds) json["programs"].push_back(program_json(build));
    if (const auto product = row.facts.find("product"); product != row.facts.end())
        json["product"] = *product;
    if (!row.given.empty()) json["given"] = row.given;
    if (row.failure && !row.failure->details.empty()) json["details"] = row.failure->details;
    if (row.failed) json["failed"] = true;
    if (!row.not_run.empty())
        json["not_run"] = row.not_run;
    else
        json["first_run"] = to_json(row.first);
    json["samples"] = nlohmann::json::array();
    for (const BenchSample& sample : row.samples) json["samples"].push_back(to_json(sample));
    if (!row.tuned.empty()) json["tuned"] = row.tuned;
    if (row.launches > 0) {
        json["launches"] = row.launches;
        json["host_per_launch_ns"] = row.host_per_launch;
    }
    json["verdict"] = to_json(row.verdict);
    if (row.ceiling) json["ceiling"] = to_json(*row.ceiling);
    return json;
}

/// Adds the ranks by one of the times to the JSON rows of a point, which have its order.
void add_ranks(nlohmann::json& rows, const BenchPoint& point, const BenchPlan& plan, const char* key,
               double BenchSample::*time) {
    const std::vector<Rank> ranks = orders_of(point, plan, time).ranks();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i].last > 0)
            rows[i][key] = {ranks[i].first, ranks[i].last};
        else if (!point.rows[i].samples.empty())
            rows[i][key] = nullptr;  // timed, but wrong
    }
}

nlohmann::json rows_json(const BenchPoint& point, const BenchPlan& plan) {
    nlohmann::json rows = nlohmann::json::array();
    for (const BenchRow& row : point.rows) rows.push_back(row_json(row));
    add_ranks(rows, point, plan, "rank_kernel", &BenchSample::kernel);
    if (!plan.kernels_only) add_ranks(rows, point, plan, "rank_total", &BenchSample::total);
    return rows;
}

/// The repeats needed for a significant order of a point's rows, where there are fewer; else null.
nlohmann::json needed_json(const BenchPoint& point, const BenchPlan& plan) {
    const std::size_t needed = repeats_needed(point, plan);
    return needed > 0 ? nlohmann::json(needed) : nlohmann::json();
}

/// @param where "samples[2]", counted from 0
void require_times(const BenchSample& sample, const std::string& where, const std::string& variant) {
    const auto require = [&](const std::string& field, double time) {
        require_time(time, fmt::format("{}.{} of {}", where, field, variant));
    };
    const auto visit = [&require](const char* field, const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const double&>) require(field, value);
    };
    fields(visit, sample);
}

/// Files of earlier versions lack some of the entries.
BenchRow row_of(const nlohmann::json& json) {
    BenchRow row;
    row.variant.id = json.at("id").get<std::string>();
    row.variant.title = json.value("title", std::string());
    row.variant.source_file = json.value("source_file", std::string());
    row.variant.baseline = json.value("baseline", false);
    // A user's variant; its file may have changed since, or be on another computer.
    row.variant.base = json.value("counts_of", std::string());
    if (!row.variant.base.empty()) row.variant.user_file = row.variant.source_file;
    row.text_mark = json.value("text_mark", std::string());
    row.given = json.value("given", row.given);
    row.not_run = json.value("not_run", std::string());
    row.failed = json.value("failed", false);
    if (const auto details = json.find("details"); details != json.end())
        row.failure = {ErrorKind::build, details->get<std::string>()};
    if (json.contains("first_run")) {
        row.first = from_json<BenchSample>(json.at("first_run"), "the first run");
        require_times(row.first, "first_run", row.variant.id);
    }
    row.samples.reserve(json.at("samples").size());
    for (const nlohmann::json& sample : json.at("samples"))
        row.samples.push_back(from_json<BenchSample>(sample, "a sample"));
    for (std::size_t i = 0; i < row.samples.size(); ++i)
        require_times(row.samples[i], fmt::format("samples[{}]", i), row.variant.id);
    row.tuned = json.value("tuned", row.tuned);
    for (const nlohmann::json& program : json.value("programs", nlohmann::json::array())) {
        BuildLog build;
        build.source_file = program.value("source_file", std::string());
        build.text_hash = program.value("text_hash", std::string());
        build.options = program.value("options", std::string());
        build.entry_points = program.value("entry_points", build.entry_points);
        row.builds.push_back(std::move(build));
    }
    if (json.contains("verdict")) row.verdict = from_json<Verdict>(json.at("verdict"), "a verdict");
    if (json.contains("ceiling")) row.ceiling = from_json<CeilingShare>(json.at("ceiling"), "a ceiling");
    return row;
}

BenchBaseline::Point point_of(const nlohmann::json& sizes, const nlohmann::json& variants) {
    BenchBaseline::Point point{sizes, {}};
    point.rows.reserve(variants.size());
    for (const nlohmann::json& variant : variants) {
        point.rows.push_back(row_of(variant));
        // Which of both is meant cannot be known.
        if (point.find(point.rows.back().variant.id) != &point.rows.back())
            throw Error(ErrorKind::input, fmt::format("expected each variant of a size once, found {} twice",
                                                      point.rows.back().variant.id));
    }
    return point;
}

BenchBaseline baseline_of(const nlohmann::json& json) {
    BenchBaseline baseline;
    baseline.analysis = json.at("analysis").get<std::string>();
    baseline.started = json.at("started").get<std::string>();
    baseline.version = json.at("version").get<std::string>();
    baseline.from = json.value("from", name_of(BenchFrom::device));
    baseline.kernels_only = json.value("kernels_only", false);
    baseline.device = from_json<DeviceInfo>(json.at("device"), "the device");
    if (json.contains("host")) baseline.host = from_json<DeviceInfo>(json.at("host"), "the host");
    if (json.contains("load") && json.at("load").is_number()) baseline.load = json.at("load").get<double>();
    // Missing in the oldest files.
    baseline.defines = json.value("defines", std::map<std::string, std::string>());
    if (json.contains("points"))
        for (const nlohmann::json& point : json.at("points")) {
            const nlohmann::json& sizes = point.at("sizes");
            if (std::ranges::find(baseline.points, sizes, &BenchBaseline::Point::sizes) !=
                baseline.points.end())
                throw Error(ErrorKind::input, fmt::format("expected each size once, found {} twice",
                                                          sizes_text(parameter_set_from(sizes))));
            baseline.points.push_back(point_of(sizes, point.at("variants")));
        }
    else
        baseline.points.push_back(point_of(json.at("sizes"), json.at("variants")));
    return baseline;
}

[[noreturn]] void refuse(const BenchBaseline& baseline, const std::string& what, const std::string& then,
                         const std::string& now) {
    throw Error(ErrorKind::input,
                fmt::format("the baseline has {0} {1}, but this benchmark has {0} {2}", what, then, now),
                baseline.file);
}

std::string text_of(const std::map<std::string, std::string>& defines) {
    std::string text;
    for (const auto& [name, value] : defines)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text.empty() ? "none" : text;
}

/// "size = 100000": the sizes that are not the same in `other`.
std::string only_there(const nlohmann::json& sizes, const nlohmann::json& other) {
    nlohmann::json differing = nlohmann::json::object();
    for (const auto& [id, value] : sizes.items())
        if (const auto same = other.find(id); same == other.end() || *same != value) differing[id] = value;
    const std::string text = sizes_text(parameter_set_from(differing));
    return text.empty() ? "none" : text;
}

/// The baseline's point with these sizes; null where there is none.
const BenchBaseline::Point* find(const BenchBaseline& baseline, const ParameterSet& sizes) {
    const nlohmann::json wanted = to_json(sizes);
    const auto found = std::ranges::find(baseline.points, wanted, &BenchBaseline::Point::sizes);
    return found == baseline.points.end() ? nullptr : &*found;
}

std::string why_not_compared(const BenchBaseline::Point* then, const BenchRow& row) {
    if (then == nullptr) return "these sizes are not in the baseline";
    const BenchRow* const known = then->find(row.variant.id);
    if (known == nullptr) return "not in the baseline";
    if (known->samples.empty()) return "not run in the baseline";
    return row.samples.empty() ? "not run now: " + row.not_run : std::string();
}

std::set<std::string> text_hashes(const BenchRow& row) {
    std::set<std::string> hashes;
    for (const BuildLog& build : row.builds)
        if (!build.text_hash.empty()) hashes.insert(build.text_hash);
    return hashes;
}

}  // namespace

bool is_other_text(const BenchRow& then, const BenchRow& now) {
    const std::set<std::string> before = text_hashes(then), after = text_hashes(now);
    // Versions of the program, whose built-in kernels differ, are meant to be compared.
    const bool own = now.variant.from_user() || !then.text_mark.empty() || !now.text_mark.empty();
    return own && !before.empty() && !after.empty() && before != after;
}

namespace {

BenchChange change_of(const BenchBaseline::Point* then, const BenchRow& row, const ParameterSet& sizes,
                      double BenchSample::*time) {
    BenchChange change{row.variant.id, sizes, why_not_compared(then, row)};
    if (!change.not_compared.empty()) return change;
    const BenchRow& known = *then->find(row.variant.id);
    change.other_text = is_other_text(known, row);
    change.wrong_then = is_wrong(known);
    const std::vector<double> before = known.times(time), now = row.times(time);
    change.before = quantile(before, 0.5);
    change.now = quantile(now, 0.5);
    if (!(change.before > 0) || !(change.now > 0)) {
        change.not_compared = change.before > 0 ? "its time is 0 now" : "its time in the baseline is 0";
        return change;
    }
    change.ratio = ratio_of_medians(before, now, Taken::apart);
    return change;
}

}  // namespace

const BenchRow* BenchBaseline::Point::find(const std::string& variant) const {
    const auto found =
        std::ranges::find_if(rows, [&](const BenchRow& row) { return row.variant.id == variant; });
    return found == rows.end() ? nullptr : &*found;
}

BenchBaseline BenchBaseline::read(const std::filesystem::path& file) {
    const std::string text = io::small_text(file, "a benchmark report", io::largest_report);
    const nlohmann::json json = parse_report(text, file, "benchmark report", {"analysis", "repeats"},
                                             "`bench --json` writes benchmark reports");
    std::optional<std::string> number;
    if (json.contains(format_key)) number = dump_json(json.at(format_key));
    require_known(formats::bench, number, file.string());
    try {
        BenchBaseline baseline = baseline_of(json);
        baseline.file = file.string();
        return baseline;
    } catch (const std::exception& error) {
        throw Error(ErrorKind::input, std::string("the benchmark report is damaged: ") + problem_of(error),
                    file.string());
    }
}

void BenchBaseline::require_comparable(const BenchPlan& plan, const std::vector<ParameterSet>& sizes) const {
    if (analysis != plan.analysis) refuse(*this, "the analysis", analysis, plan.analysis);
    if (from != name_of(plan.from))
        refuse(*this, "runs with", "--from " + from, std::string("--from ") + name_of(plan.from));
    const auto what = [](bool kernels) { return kernels ? "the kernels only" : "whole runs"; };
    if (kernels_only != plan.kernels_only)
        refuse(*this, "times of", what(kernels_only), what(plan.kernels_only));
    if (defines != plan.defines) refuse(*this, "the definitions", text_of(defines), text_of(plan.defines));
    const auto is_known = [&](const ParameterSet& some) { return find(*this, some) != nullptr; };
    if (std::ranges::any_of(sizes, is_known)) return;
    const nlohmann::json then = points.empty() ? nlohmann::json::object() : points.front().sizes;
    const nlohmann::json now = to_json(sizes.front());
    refuse(*this, "the sizes", only_there(then, now), only_there(now, then));
}

nlohmann::json bench_json(const BenchReport& report) {
    nlohmann::json json{{"program", "kernelscope-cli"},
                        {format_key, formats::bench.version},
                        {"version", report.version},
                        {"started", report.started},
                        {"analysis", report.plan.analysis},
                        {"device", to_json(report.device)},
                        {"driver", report.device.driver},
                        {"host", to_json(report.host)},
                        {"load", report.load ? nlohmann::json(*report.load) : nlohmann::json()},
                        {"from", name_of(report.plan.from)},
                        {"kernels_only", report.plan.kernels_only},
                        {"repeats", report.plan.repeats},
                        {"warmups", report.plan.warmups},
                        {"memory_limit", report.plan.memory_limit ? nlohmann::json(*report.plan.memory_limit)
                                                                  : nlohmann::json()},
                        {"check", name_of(report.plan.check)},
                        {"defines", report.plan.defines}};
    if (report.points.size() == 1) {
        json["sizes"] = to_json(report.points.front().sizes);
        json["variants"] = rows_json(report.points.front(), report.plan);
        json["ranks_need_repeats"] = needed_json(report.points.front(), report.plan);
    } else {
        json["sweep"] = name_of(report.plan.sweep);
        json["varied"] = varied_sizes(report.points);
        json["points"] = nlohmann::json::array();
        for (const BenchPoint& point : report.points)
            json["points"].push_back({{"sizes", to_json(point.sizes)},
                                      {"variants", rows_json(point, report.plan)},
                                      {"ranks_need_repeats", needed_json(point, report.plan)}});
        json["slopes"] = nlohmann::json::array();
        for (const BenchSlope& slope : report.slopes) json["slopes"].push_back(to_json(slope));
    }
    if (!report.ceilings_started.empty()) json["ceilings_started"] = report.ceilings_started;
    return json;
}

std::string bench_text(const BenchReport& report) {
    return dump_json(bench_json(report), 1) + "\n";
}

std::vector<std::string> differences_of_machine(const BenchBaseline& baseline, const BenchReport& now) {
    constexpr double a_process = 0.5;
    std::vector<std::string> all;
    const auto compare = [&all](const char* what, const std::string& then, const std::string& current) {
        if (then != current && !then.empty())
            all.push_back(fmt::format("Different {}: {} for the baseline, {} now.", what, then, current));
    };
    compare("devices", baseline.device.name, now.device.name);
    compare("drivers", baseline.device.driver, now.device.driver);
    if (baseline.host) compare("machines", baseline.host->name, now.host.name);
    const double then = baseline.load.value_or(0), current = now.load.value_or(0);
    if (std::abs(then - current) > a_process)
        all.push_back(
            fmt::format("The machine was busier {}: {:.1f} processes were running before the baseline, "
                        "{:.1f} before this benchmark.",
                        then > current ? "for the baseline" : "now", then, current));
    return all;
}

std::vector<BenchChange> changes_since(const BenchBaseline& baseline, const BenchReport& now,
                                       double BenchSample::*time) {
    std::vector<BenchChange> changes;
    for (const BenchPoint& point : now.points)
        for (const BenchRow& row : point.rows)
            changes.push_back(change_of(find(baseline, point.sizes), row, point.sizes, time));
    return changes;
}

}  // namespace ks
