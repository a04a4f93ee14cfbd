#include "core/xpcs/stability/stability_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/record/run_table.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/files/csv_number.h"

namespace ks::xpcs {
namespace {

constexpr const char* fact_name = "stability";

std::size_t delays_of_segments(const std::vector<BinStability>& bins) {
    for (const BinStability& bin : bins)
        if (!bin.segments.empty()) return bin.segments.front().g2.size();
    return 0;
}

/// [bin][segment][delay]
std::vector<double> joined(const std::vector<BinStability>& bins, std::size_t segments, std::size_t delays,
                           std::vector<double> Curve::*part) {
    std::vector<double> all(bins.size() * segments * delays, nan_value);
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        for (std::size_t i = 0; i < bins[bin].segments.size(); ++i)
            std::ranges::copy(bins[bin].segments[i].*part,
                              all.begin() + static_cast<std::ptrdiff_t>((bin * segments + i) * delays));
    return all;
}

void add_datasets(Result& result, const std::vector<BinStability>& bins, const Segments& segments) {
    const std::size_t delays = delays_of_segments(bins);
    std::vector<double> p, t2, frame;
    nlohmann::json rows = nlohmann::json::array();
    for (const BinStability& bin : bins) {
        p.push_back(bin.strongest ? bin.strongest->p : nan_value);
        t2.push_back(bin.strongest ? bin.strongest->t2 : nan_value);
        frame.push_back(bin.strongest ? static_cast<double>(segments.first_of(bin.strongest->first))
                                      : nan_value);
        nlohmann::json row = {{"text", change_text(bin, segments)}};
        if (bin.strongest) row["segment"] = bin.strongest->first;
        if (!bin.why_not.empty()) row["not_tested"] = bin.why_not;
        rows.push_back(std::move(row));
    }
    const auto add = [&result](const char* name, const char* title, Array values,
                               std::vector<std::string> axes) {
        result.datasets.push_back({name, title, "", DataKind::overlay, std::move(values), std::move(axes)});
    };
    const std::vector<std::size_t> shape{bins.size(), segments.count, delays};
    add("stability_g2", "g2 of each segment",
        Array::taken<double>(shape, joined(bins, segments.count, delays, &Curve::g2)), {"label", "", ""});
    add("stability_g2_err", "standard error of g2 of each segment",
        Array::taken<double>(shape, joined(bins, segments.count, delays, &Curve::error)), {"label", "", ""});
    add("stability_p", "probability of such a change without one", Array::of<double>({bins.size()}, p),
        {"label"});
    add("stability_t2", "Hotelling's T^2 of the strongest change", Array::of<double>({bins.size()}, t2),
        {"label"});
    add("stability_frame", "first frame after the strongest change", Array::of<double>({bins.size()}, frame),
        {"label"});
    result.facts[fact_name] = {{"segments", segments.count},
                               {"frames_per_segment", segments.length},
                               {"first_frame", segments.first},
                               {"stride", segments.reduction.stride},
                               {"average", segments.reduction.average},
                               {"level", change_level},
                               {"bins", std::move(rows)}};
}

struct KeptStability {
    Segments segments;
    std::vector<BinStability> bins;
};

/// Of a result, for example of a saved run; nothing without segments.
std::optional<KeptStability> stability_in(const Result& result) {
    const auto fact = result.facts.find(fact_name);
    if (fact == result.facts.end()) return std::nullopt;
    KeptStability kept{{.count = fact->at("segments").get<std::size_t>(),
                        .length = fact->at("frames_per_segment").get<std::size_t>(),
                        .first = fact->at("first_frame").get<std::size_t>(),
                        .reduction = {.stride = fact->at("stride").get<std::size_t>(),
                                      .average = fact->at("average").get<std::size_t>()}},
                       {}};
    const Array &g2 = result.at("stability_g2").values, &error = result.at("stability_g2_err").values;
    const std::vector<double> values = g2.to_doubles(), errors = error.to_doubles(),
                              p = result.at("stability_p").values.to_doubles(),
                              t2 = result.at("stability_t2").values.to_doubles();
    const nlohmann::json& rows = fact->at("bins");
    const std::size_t bins = rows.size(), segments = kept.segments.count;
    if (g2.rank() != 3 || g2.shape() != error.shape() || g2.shape()[0] != bins || p.size() != bins ||
        t2.size() != bins || g2.shape()[1] != segments)
        throw Error(ErrorKind::input, "the sizes of the datasets of segments do not match each other",
                    fact_name);
    const std::size_t delays = g2.shape()[2];
    const auto part = [delays](const std::vector<double>& of, std::size_t at) {
        const auto from = of.begin() + static_cast<std::ptrdiff_t>(at * delays);
        return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(delays));
    };
    for (std::size_t bin = 0; bin < bins; ++bin) {
        BinStability one;
        for (std::size_t i = 0; i < segments; ++i)
            one.segments.push_back({part(values, bin * segments + i), part(errors, bin * segments + i)});
        const bool empty = std::ranges::all_of(one.segments, [](const Curve& curve) {
            return std::ranges::all_of(curve.g2, [](double value) { return std::isnan(value); });
        });
        if (empty) one.segments.clear();
        one.why_not = rows.at(bin).value("not_tested", std::string());
        if (const auto segment = rows.at(bin).find("segment"); segment != rows.at(bin).end())
            one.strongest = ChangePoint{segment->get<std::size_t>(), t2[bin], p[bin]};
        kept.bins.push_back(std::move(one));
    }
    return kept;
}

}  // namespace

void add_stability(const CorrelationProblem& problem, Run& run, Progress& progress) {
    if (problem.is_part()) return;
    const std::optional<Segments> segments = segments_of(run.request.parameters, problem.frames());
    if (!segments) return;
    Stopwatch watch;
    std::uint64_t memory = available_memory();
    if (run.variant.on_host() && run.request.memory_limit)
        memory = std::min(memory, *run.request.memory_limit);
    add_datasets(run.result,
                 stability_of(problem, segments->count, memory, Workers{compute_threads(), progress}),
                 *segments);
    add(run.timings, {"stability", StageKind::host, watch.lap()});
    progress.report(1, "stability");
}

std::string why_no_stability(const ParameterSet& parameters) {
    return segments_asked_for(parameters) ? "" : "needs segments; give their number by --stability";
}

std::string stability_text(const Run& run) {
    const std::optional<KeptStability> kept = stability_in(run.result);
    if (!kept) return {};
    constexpr std::size_t shown = 40;
    std::size_t changed = 0, tested = 0;
    std::string rows;
    for (std::size_t bin = 0; bin < kept->bins.size(); ++bin) {
        const BinStability& one = kept->bins[bin];
        changed += one.changes() ? 1 : 0;
        tested += one.strongest ? 1 : 0;
        if (bin < shown) rows += fmt::format("{:>5}  {}\n", bin + 1, change_text(one, kept->segments));
    }
    if (kept->bins.size() > shown)
        rows += fmt::format("      ... {}\n", count_text(kept->bins.size() - shown, "more bin"));
    return fmt::format("stability in {} of {}: g2 changes in {} of {}\n{:>5}  test\n{}",
                       count_text(kept->segments.count, "segment"),
                       count_text(kept->segments.length, "frame"), changed, count_text(tested, "bin"), "bin",
                       rows);
}

std::string stability_csv(const std::vector<BinStability>& bins, const Segments& segments) {
    std::string text = "bin,segment,first_frame,last_frame,delay,g2,g2_err,p,change_frame\n";
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const BinStability& one = bins[bin];
        const std::string of_bin = fmt::format(
            "{},{}", csv_number(one.strongest ? one.strongest->p : nan_value),
            one.changes() ? std::to_string(segments.first_of(one.strongest->first)) : std::string());
        for (std::size_t i = 0; i < one.segments.size(); ++i)
            for (std::size_t delay = 0; delay < one.segments[i].g2.size(); ++delay)
                fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", bin + 1, i + 1,
                               segments.first_of(i), segments.last_of(i), delay,
                               csv_number(one.segments[i].g2[delay]),
                               csv_number(one.segments[i].error[delay]), of_bin);
    }
    return text;
}

void write_stability_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                         Progress& progress) {
    const std::optional<KeptStability> kept = stability_in(run.result);
    if (!kept) throw Error(ErrorKind::run, "the run has no segments", out.string());
    io::write_run_table(run, out, stability_csv(kept->bins, kept->segments), overwrite, progress);
}

}  // namespace ks::xpcs
