#include "core/run/bench_baseline.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_text.h"
#include "core/base/quantile.h"

namespace ks {
namespace {

std::vector<double> times_of(const std::vector<BenchSample>& samples, double BenchSample::*time) {
    std::vector<double> times;
    times.reserve(samples.size());
    for (const BenchSample& sample : samples) times.push_back(sample.*time);
    return times;
}

BenchBaseline::Point point_of(const nlohmann::json& sizes, const nlohmann::json& variants) {
    BenchBaseline::Point point{sizes, {}};
    for (const nlohmann::json& variant : variants) {
        std::vector<BenchSample>& samples = point.samples[variant.at("id").get<std::string>()];
        samples.reserve(variant.at("samples").size());
        for (const nlohmann::json& sample : variant.at("samples"))
            samples.push_back(from_json<BenchSample>(sample, "a sample"));
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
    baseline.defines = json.at("defines").get<std::map<std::string, std::string>>();
    if (json.contains("points"))
        for (const nlohmann::json& point : json.at("points"))
            baseline.points.push_back(point_of(point.at("sizes"), point.at("variants")));
    else
        baseline.points.push_back(point_of(json.at("sizes"), json.at("variants")));
    return baseline;
}

[[noreturn]] void refuse(const BenchBaseline& baseline, const std::string& what, const std::string& then,
                         const std::string& now) {
    throw Error(ErrorKind::input,
                fmt::format("the baseline is of {} {}, and this benchmark of {}", what, then, now),
                baseline.file);
}

std::string text_of(const std::map<std::string, std::string>& defines) {
    std::string text;
    for (const auto& [name, value] : defines)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text.empty() ? "none" : text;
}

/// The point of the baseline with these sizes; null where there is none.
const BenchBaseline::Point* find(const BenchBaseline& baseline, const ParameterSet& sizes) {
    const nlohmann::json wanted = to_json(sizes);
    const auto found = std::ranges::find(baseline.points, wanted, &BenchBaseline::Point::sizes);
    return found == baseline.points.end() ? nullptr : &*found;
}

std::string why_not_compared(const BenchBaseline::Point* then, const BenchRow& row) {
    if (then == nullptr) return "the baseline has no such sizes";
    const auto known = then->samples.find(row.variant.id);
    if (known == then->samples.end()) return "it is not in the baseline";
    if (known->second.empty()) return "it was not run for the baseline";
    return row.samples.empty() ? "not run now: " + row.not_run : std::string();
}

BenchChange change_of(const BenchBaseline::Point* then, const BenchRow& row, const ParameterSet& sizes,
                      double BenchSample::*time) {
    BenchChange change{row.variant.id, sizes, why_not_compared(then, row)};
    if (!change.not_compared.empty()) return change;
    const std::vector<double> before = times_of(then->samples.at(row.variant.id), time),
                              now = times_of(row.samples, time);
    change.before = quantile(before, 0.5);
    change.now = quantile(now, 0.5);
    change.ratio = ratio_of_medians(before, now);
    return change;
}

}  // namespace

BenchBaseline BenchBaseline::read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) throw Error(ErrorKind::input, "could not be read", file.string());
    const nlohmann::json json = try_parse_json(text);
    if (!json.is_object() || !json.contains("analysis") || !json.contains("repeats"))
        throw Error(ErrorKind::input, "expected a file of a benchmark, found something else", file.string(),
                    "`bench --json` writes one");
    std::optional<std::string> number;
    if (json.contains(format_key)) number = json.at(format_key).dump();
    require_known(formats::bench, number, file.string());
    try {
        BenchBaseline baseline = baseline_of(json);
        baseline.file = file.string();
        return baseline;
    } catch (const std::exception& error) {
        throw Error(ErrorKind::input, std::string("this file of a benchmark is damaged: ") + error.what(),
                    file.string());
    }
}

void BenchBaseline::require_comparable(const BenchPlan& plan, const std::vector<ParameterSet>& sizes) const {
    if (analysis != plan.analysis) refuse(*this, "the analysis", analysis, plan.analysis);
    if (from != name_of(plan.from))
        refuse(*this, "runs", "--from " + from, std::string("--from ") + name_of(plan.from));
    const auto what = [](bool kernels) { return kernels ? "the kernels alone" : "all of a run"; };
    if (kernels_only != plan.kernels_only)
        refuse(*this, "times of", what(kernels_only), what(plan.kernels_only));
    if (defines != plan.defines)
        refuse(*this, "kernels with the definitions", text_of(defines), text_of(plan.defines));
    const auto is_known = [&](const ParameterSet& some) { return find(*this, some) != nullptr; };
    if (std::ranges::none_of(sizes, is_known))
        refuse(*this, "sizes", points.empty() ? "none" : points.front().sizes.dump(),
               to_json(sizes.front()).dump());
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
