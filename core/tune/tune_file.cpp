#include "core/tune/tune_file.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"
#include "core/io/files/file_text.h"
#include "core/run/bench_statistics.h"

namespace ks {
namespace {

/// @param where "rows[3].samples_ns"
void require_times(const std::vector<double>& samples, const std::string& where) {
    for (std::size_t i = 0; i < samples.size(); ++i)
        require_time(samples[i], fmt::format("{}[{}]", where, i));
}

}  // namespace

std::string tune_json(const TuneReport& report) {
    nlohmann::json json = to_json(report);
    json["program"] = "kernelscope-cli";
    json[format_key] = formats::tune.version;
    return dump_json(json, 1) + "\n";
}

TuneReport tune_report_from(const nlohmann::json& json) {
    auto report = from_json<TuneReport>(json, "a tuning");
    if (!report.best) return report;
    if (*report.best >= report.rows.size())
        throw Error(ErrorKind::run, fmt::format("the index of the best row must be below {}, found {}",
                                                report.rows.size(), *report.best));
    const std::vector<double>& samples = report.rows[*report.best].samples;
    if (!samples.empty() && !report.usual.samples.empty())
        report.ratio = ratio_of_medians(report.usual.samples, samples);
    return report;
}

std::optional<TuneReport> read_tuning(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return std::nullopt;
    const std::string text = io::small_text(file, "a tuning report", io::largest_report);
    const nlohmann::json json = parse_report(text, file, "tuning report",
                                             {"combinations", "rows", "program_hash"}, "give another name");
    std::optional<std::string> number;
    if (json.contains(format_key)) number = dump_json(json.at(format_key));
    require_known(formats::tune, number, file.string());
    try {
        TuneReport report = tune_report_from(json);
        require_times(report.usual.samples, "default.samples_ns");
        for (std::size_t i = 0; i < report.rows.size(); ++i)
            require_times(report.rows[i].samples, fmt::format("rows[{}].samples_ns", i));
        return report;
    } catch (const std::exception& error) {
        throw Error(ErrorKind::input, std::string("the tuning report is damaged: ") + problem_of(error),
                    file.string());
    }
}

}  // namespace ks
