#include "core/xpcs/repeats/average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/quantile.h"
#include "core/run/result.h"
#include "core/run/timing.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/g2_fit.h"

namespace ks::xpcs {
namespace {

/// Datasets of a run that belong to its frames alone, not to an average.
bool is_of_one_run(const std::string& name) {
    return name == "two_time" || name.starts_with("pair") || name.starts_with("fit_");
}

std::string shape_text(const Array& values) {
    std::string text;
    for (const std::size_t size : values.shape())
        text += fmt::format("{}{}", text.empty() ? "" : " x ", size);
    return text;
}

std::optional<double> frame_time_of(const Run& run) {
    const auto found = run.result.facts.find("frame_time");
    if (found == run.result.facts.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
}

std::string time_text(std::optional<double> seconds) {
    return seconds ? fmt::format("{:g} s", *seconds) : "not known";
}

/// Whether the points of both are means over the same delays. If different frames were left out, the mean
/// delays of the points differ slightly.
bool has_same_points(const Result& first, const Result& other) {
    const std::optional<Rebinning> mine = Rebinning::of(first), its = Rebinning::of(other);
    return mine && its && mine->per_decade == its->per_decade && mine->delays == its->delays;
}

/// Why a repeat cannot be averaged with the first one; empty: it can.
std::string why_not_alike(const Run& first, const Run& other) {
    const Array &mine = first.result.at("g2").values, &its = other.result.at("g2").values;
    if (mine.shape().at(0) != its.shape().at(0))
        return fmt::format("it has {} bins, but the first repeat has {}", its.shape()[0], mine.shape()[0]);
    const Dataset *labels = first.result.find("labels"), *others = other.result.find("labels");
    if (labels && others && labels->values.shape() != others->values.shape())
        return fmt::format("its frames have {} pixels, but those of the first repeat {}",
                           shape_text(others->values), shape_text(labels->values));
    if (mine.shape().at(1) != its.shape().at(1))
        return fmt::format("it has {} delays, but the first repeat has {}", its.shape()[1], mine.shape()[1]);
    const std::optional<double> time = frame_time_of(first), its_time = frame_time_of(other);
    constexpr double relative = 1e-6;
    if (time.has_value() != its_time.has_value() ||
        (time && std::abs(*time - *its_time) > relative * std::abs(*time)))
        return fmt::format("its frame time is {}, but that of the first repeat is {}", time_text(its_time),
                           time_text(time));
    const Dataset *delay = first.result.find("delay"), *its_delay = other.result.find("delay");
    if (delay && its_delay && !(delay->values == its_delay->values) &&
        !has_same_points(first.result, other.result))
        return "its delays are not those of the first repeat";
    return {};
}

RepeatedCurves curves_of_repeat(const Run& run) {
    const CurvesToFit curves = curves_of(run, {});
    RepeatedCurves all{{curves.g2.begin(), curves.g2.end()},
                       run.result.at("g2_err").values.to_doubles(),
                       std::vector<bool>(curves.delays)};
    all.first = 0;
    while (all.first < curves.delays && !(curves.time(all.first) > 0)) ++all.first;
    for (std::size_t delay = 0; delay < curves.delays; ++delay)
        all.has_weight[delay] = curves.pairs[delay] >= min_pairs;
    return all;
}

bool is_error(double value) {
    return std::isfinite(value) && value > 0;
}

/// The mean over the repeats of the curves of each group; no groups where a repeat has none.
GroupCurves mean_groups(const std::vector<Repeat>& repeats) {
    GroupCurves mean;
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        GroupCurves one = kept_groups_of(repeats[i].run);
        if (i == 0) {
            mean = std::move(one);
            continue;
        }
        one.bins.resize(mean.bins.size());
        for (std::size_t bin = 0; bin < mean.bins.size(); ++bin) {
            auto& groups = mean.bins[bin];
            // An invalid pixel of one repeat can change the number of groups.
            if (groups.size() != one.bins[bin].size()) groups.clear();
            for (std::size_t group = 0; group < groups.size(); ++group)
                for (std::size_t delay = 0; delay < groups[group].size(); ++delay)
                    groups[group][delay] += one.bins[bin][group][delay];
        }
    }
    for (auto& bin : mean.bins)
        for (auto& curve : bin)
            for (double& value : curve) value /= static_cast<double>(repeats.size());
    return mean;
}

/// What happened to a repeat, as a row of the fact "repeats".
nlohmann::json row_of(const std::string& name, std::optional<double> chi2, const std::string& left_out) {
    nlohmann::json row{{"name", name}};
    if (chi2 && std::isfinite(*chi2)) row["chi2"] = *chi2;
    if (!left_out.empty()) row["left_out"] = left_out;
    return row;
}

/// Adds the times of one more run, which began at another time.
void add_timings(std::vector<Timing>& rows, const std::vector<Timing>& more) {
    for (const Timing& one : more) {
        const auto same = std::ranges::find_if(rows, [&one](const Timing& row) {
            return row.stage == one.stage && row.kind == one.kind && row.device == one.device;
        });
        if (same == rows.end()) {
            rows.push_back(one);
            continue;
        }
        same->nanoseconds += one.nanoseconds;
        same->bytes += one.bytes;
        same->operations += one.operations;
        same->launches += one.launches;
    }
    for (Timing& row : rows) row.spans.clear();
}

void replace(Result& result, const std::string& name, const std::string& title, DataKind kind,
             const std::vector<double>& values, const std::vector<std::size_t>& shape) {
    Dataset dataset{name, title, "", kind, Array::of<double>(shape, values), {"label", "delay"}};
    for (Dataset& one : result.datasets)
        if (one.name == name) {
            dataset.errors = one.errors;
            one = std::move(dataset);
            return;
        }
    result.datasets.push_back(std::move(dataset));
}

}  // namespace

AverageCurves average_of(std::span<const RepeatedCurves> curves, std::size_t bins, std::size_t delays) {
    const std::size_t size = bins * delays;
    std::size_t first = 0, compared = 0;
    for (const RepeatedCurves& one : curves) first = std::max(first, one.first);
    double ratios = 0;
    AverageCurves average{std::vector<double>(size, nan_value), std::vector<double>(size, nan_value),
                          std::vector<double>(size, nan_value)};
    for (std::size_t at = 0; at < size; ++at) {
        double weights = 0, sum = 0;
        std::size_t n = 0;
        bool weighted = true;
        for (const RepeatedCurves& one : curves)
            if (std::isfinite(one.g2[at])) {
                ++n;
                weighted = weighted && one.has_weight[at % delays] && is_error(one.g2_err[at]);
            }
        const auto weight = [&](const RepeatedCurves& one) {
            if (!std::isfinite(one.g2[at])) return 0.0;
            return weighted ? 1 / (one.g2_err[at] * one.g2_err[at]) : 1.0;
        };
        if (n == 0) continue;
        for (const RepeatedCurves& one : curves)
            if (const double w = weight(one); w > 0) {
                weights += w;
                sum += w * one.g2[at];
            }
        const double mean = sum / weights;
        double squares = 0;
        for (const RepeatedCurves& one : curves)
            if (const double w = weight(one); w > 0) squares += w * (one.g2[at] - mean) * (one.g2[at] - mean);
        average.g2[at] = mean;
        if (n > 1) average.scatter[at] = std::sqrt(squares / (weights * static_cast<double>(n - 1)));
        average.g2_err[at] = weighted ? 1 / std::sqrt(weights) : average.scatter[at];
        if (weighted && n > 1 && at % delays >= first) {
            ratios += squares / static_cast<double>(n - 1);
            ++compared;
        }
    }
    if (compared > 0) average.chi2 = ratios / static_cast<double>(compared);
    return average;
}

std::vector<double> chi2_of(std::span<const RepeatedCurves> curves, std::size_t bins, std::size_t delays) {
    std::vector<double> sums(curves.size(), 0), values(curves.size());
    std::size_t points = 0;
    for (std::size_t at = 0; at < bins * delays; ++at) {
        const bool usable = std::ranges::all_of(curves, [&](const RepeatedCurves& one) {
            return at % delays >= one.first && one.has_weight[at % delays] && std::isfinite(one.g2[at]) &&
                   is_error(one.g2_err[at]);
        });
        if (!usable) continue;
        ++points;
        for (std::size_t i = 0; i < curves.size(); ++i) values[i] = curves[i].g2[at];
        const double median = quantile(values, 0.5);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const double deviation = (curves[i].g2[at] - median) / curves[i].g2_err[at];
            sums[i] += deviation * deviation;
        }
    }
    for (double& one : sums) one = points > 0 ? one / static_cast<double>(points) : nan_value;
    return sums;
}

Run average_of_repeats(std::vector<Repeat> repeats, Progress& progress) {
    nlohmann::json rows = nlohmann::json::array();
    std::vector<Repeat> alike;
    for (Repeat& one : repeats) {
        progress.check();
        const std::string why = alike.empty() ? std::string() : why_not_alike(alike.front().run, one.run);
        if (why.empty())
            alike.push_back(std::move(one));
        else
            rows.push_back(row_of(one.name, std::nullopt, why));
    }
    std::vector<RepeatedCurves> curves;
    for (const Repeat& one : alike) curves.push_back(curves_of_repeat(one.run));
    if (alike.empty()) throw Error(ErrorKind::input, "there is no repeat to average", "--repeats");
    const std::vector<std::size_t> shape = alike.front().run.result.at("g2").values.shape();
    const std::vector<double> chi2 = chi2_of(curves, shape[0], shape[1]);
    const double usual = std::max(quantile(chi2, 0.5), 1.0);
    std::vector<Repeat> used;
    std::vector<RepeatedCurves> used_curves;
    for (std::size_t i = 0; i < alike.size(); ++i) {
        std::string why;
        if (alike.size() >= 3 && chi2[i] > outlier_factor * usual)
            why = fmt::format("its g2 is an outlier: chi2 per point is {:.3g}, but {:.3g} in the median",
                              chi2[i], quantile(chi2, 0.5));
        rows.push_back(row_of(alike[i].name, chi2[i], why));
        if (!why.empty()) continue;
        used.push_back(std::move(alike[i]));
        used_curves.push_back(std::move(curves[i]));
    }
    if (used.size() < 2) {
        std::string details;
        for (const nlohmann::json& row : rows)
            if (row.contains("left_out"))
                details += fmt::format("{}: {}\n", row["name"].get<std::string>(),
                                       row["left_out"].get<std::string>());
        throw Error(ErrorKind::input,
                    fmt::format("an average needs at least two repeats, but {} {} left", used.size(),
                                used.size() == 1 ? "is" : "are"),
                    "--repeats", "use --repeats separate to see each of them", details);
    }
    const AverageCurves average = average_of(used_curves, shape[0], shape[1]);
    Run run = used.front().run;
    std::erase_if(run.result.datasets, [](const Dataset& one) { return is_of_one_run(one.name); });
    for (const char* fact : {"fit", "two_time_bin", "events"}) run.result.facts.erase(fact);
    replace(run.result, "g2", "g2(q, tau), mean of repeats", DataKind::curves, average.g2, shape);
    replace(run.result, "g2_err", "error of the weighted mean", DataKind::curves, average.g2_err, shape);
    replace(run.result, "g2_scatter", "error of the mean, from the scatter of the repeats", DataKind::overlay,
            average.scatter, shape);
    run.result.facts["repeats"] = rows;
    if (average.chi2) run.result.facts["repeats_chi2"] = *average.chi2;
    for (std::size_t i = 1; i < used.size(); ++i) {
        const Run& other = used[i].run;
        run.wall_nanoseconds += other.wall_nanoseconds;
        run.files.insert(run.files.end(), other.files.begin(), other.files.end());
        add_timings(run.timings, other.timings);
        for (const std::string& warning : other.result.warnings)
            if (std::ranges::find(run.result.warnings, warning) == run.result.warnings.end())
                run.result.warnings.push_back(warning);
    }
    for (const nlohmann::json& row : rows)
        if (row.contains("left_out"))
            run.result.warnings.push_back(fmt::format("{} was left out of the average: {}",
                                                      row["name"].get<std::string>(),
                                                      row["left_out"].get<std::string>()));
    add_fit(mean_groups(used), run, progress);
    return run;
}

std::string repeats_text(const Run& run) {
    const auto found = run.result.facts.find("repeats");
    if (found == run.result.facts.end() || !found->is_array()) return {};
    std::size_t used = 0;
    std::string rows;
    if (const auto chi2 = run.result.facts.find("repeats_chi2"); chi2 != run.result.facts.end())
        rows = fmt::format("  scatter of the repeats: {:.2f} times their errors (chi2 {:.3g})\n",
                           std::sqrt(chi2->get<double>()), chi2->get<double>());
    for (const nlohmann::json& row : *found) {
        if (!row.contains("left_out")) ++used;
        rows += fmt::format("  {}", row.value("name", ""));
        if (row.contains("chi2")) rows += fmt::format(", chi2 per point {:.3g}", row["chi2"].get<double>());
        if (row.contains("left_out")) rows += fmt::format(", left out: {}", row.value("left_out", ""));
        rows += '\n';
    }
    return fmt::format("average of {} of {} repeats\n{}", used, found->size(), rows);
}

}  // namespace ks::xpcs
