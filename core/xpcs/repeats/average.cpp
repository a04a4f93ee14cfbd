#include "core/xpcs/repeats/average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/quantile.h"
#include "core/data/count_text.h"
#include "core/record/made_elsewhere.h"
#include "core/run/repeats/repeats.h"
#include "core/run/result.h"
#include "core/run/timing.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/repeats/same_bins.h"

namespace ks::xpcs {
namespace {

/// Datasets of a run that belong to its frames alone, not to an average.
bool is_of_one_run(const std::string& name) {
    return name == "two_time" || name == "monitor" || name.starts_with("pair") || name.starts_with("fit_") ||
           name.starts_with("stability_");
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

/// Why a repeat was computed otherwise than the first one, as far as both results say how.
std::string why_other_kind(const Result& first, const Result& other) {
    struct Kind {
        const char *fact, *name, *without;
    };
    // Whose frames are not normalised has no such fact.
    for (const Kind& kind : {Kind{"estimator", "estimator of g2", ""}, Kind{"errors", "kind of errors", ""},
                             Kind{"normalised", "normalisation", "none"}}) {
        const auto text = [&kind](const Result& result) {
            const auto found = result.facts.find(kind.fact);
            return found != result.facts.end() && found->is_string() ? found->get<std::string>()
                                                                     : std::string(kind.without);
        };
        const std::string mine = text(first), its = text(other);
        if (mine != its && !mine.empty() && !its.empty())
            return fmt::format("its {} is {}, that of the first repeat {}", kind.name, its, mine);
    }
    return {};
}

/// Why a repeat cannot be averaged with the first one; empty: it can.
std::string why_not_alike(const Run& first, const Run& other) {
    const Array &mine = first.result.at("g2").values, &its = other.result.at("g2").values;
    if (mine.shape().at(0) != its.shape().at(0))
        return fmt::format("it has {}, but the first repeat has {}", count_text(its.shape()[0], "bin"),
                           mine.shape()[0]);
    const Dataset *labels = first.result.find("labels"), *others = other.result.find("labels");
    if (labels && others && labels->values.shape() != others->values.shape())
        return fmt::format("its frames have {} pixels, but those of the first repeat {}",
                           shape_text(others->values), shape_text(labels->values));
    if (std::string why = why_other_bins(first.result, other.result); !why.empty()) return why;
    // What another program computed does not say how.
    if (!made_elsewhere(first) && !made_elsewhere(other))
        if (std::string why = why_other_kind(first.result, other.result); !why.empty()) return why;
    if (mine.shape().at(1) != its.shape().at(1))
        return fmt::format("it has {}, but the first repeat has {}", count_text(its.shape()[1], "delay"),
                           mine.shape()[1]);
    const std::optional<double> time = frame_time_of(first), its_time = frame_time_of(other);
    constexpr double relative = 1e-6;
    if (time.has_value() != its_time.has_value() ||
        (time && std::abs(*time - *its_time) > relative * std::abs(*time)))
        return fmt::format("its frame time is {}, but that of the first repeat is {}", time_text(its_time),
                           time_text(time));
    const auto is_same = [](double delay, double its_delay) {
        return std::abs(delay - its_delay) <= relative * std::abs(delay);
    };
    if (!std::ranges::equal(delays_of(first.result), delays_of(other.result), is_same) &&
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
        all.has_weight[delay] = curves.has_pairs(delay);
    return all;
}

bool is_error(double value) {
    return std::isfinite(value) && value > 0;
}

/// Datasets with the curves of all repeats that can be averaged: [repeat][bin][delay], weights
/// [repeat][delay], and of groups of pixels [repeat][bin][group][delay].
constexpr const char *each_g2 = "repeat_g2", *each_error = "repeat_g2_err",
                     *each_weighted = "repeat_weighted", *each_group = "repeat_group_g2";
/// Larger ones are not kept: the errors of fits then come from the errors of g2.
constexpr std::size_t most_of_groups = std::size_t{256} << 20;

/// Of the repeats that are part of an average, by the number of the curve: the mean over them of the curves
/// of each group; no groups where one has none.
GroupCurves mean_groups(const Result& result, const std::vector<std::size_t>& used) {
    GroupCurves mean;
    const Dataset* const kept = result.find(each_group);
    if (kept == nullptr || kept->values.rank() != 4 || kept->values.type() != ElementType::f64) return mean;
    const auto values = kept->values.as<double>();
    const std::size_t bins = kept->values.shape()[1], most = kept->values.shape()[2],
                      delays = kept->values.shape()[3];
    mean.bins.resize(bins);
    const auto row = [&](std::size_t curve, std::size_t bin, std::size_t group) {
        return values.subspan(((curve * bins + bin) * most + group) * delays, delays);
    };
    const auto groups_in = [&](std::size_t curve, std::size_t bin) {
        std::size_t n = 0;
        while (n < most && !std::ranges::all_of(row(curve, bin, n), [](double x) { return std::isnan(x); }))
            ++n;
        return n;
    };
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t groups = groups_in(used.front(), bin);
        // An invalid pixel of one repeat can change the number of groups.
        if (std::ranges::any_of(used, [&](std::size_t one) { return groups_in(one, bin) != groups; }))
            continue;
        mean.bins[bin].assign(groups, std::vector<double>(delays, 0));
        for (std::size_t group = 0; group < groups; ++group)
            for (const std::size_t one : used)
                for (std::size_t delay = 0; delay < delays; ++delay)
                    mean.bins[bin][group][delay] +=
                        row(one, bin, group)[delay] / static_cast<double>(used.size());
    }
    return mean;
}

void put(Result& result, Dataset dataset) {
    std::erase_if(result.datasets, [&](const Dataset& one) { return one.name == dataset.name; });
    result.datasets.push_back(std::move(dataset));
}

void keep_groups_of_each(const std::vector<Repeat>& repeats, Result& result) {
    std::vector<GroupCurves> all;
    std::size_t most = 0;
    for (const Repeat& one : repeats) {
        all.push_back(kept_groups_of(one.run));
        for (const auto& bin : all.back().bins) most = std::max(most, bin.size());
    }
    const std::vector<std::size_t>& shape = result.at("g2").values.shape();
    const std::size_t bins = shape[0], delays = shape[1], size = all.size() * bins * most * delays;
    if (size == 0 || size * sizeof(double) > most_of_groups) return;
    std::vector<double> values(size, nan_value);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t bin = 0; bin < all[i].bins.size(); ++bin)
            for (std::size_t group = 0; group < all[i].bins[bin].size(); ++group)
                std::ranges::copy(
                    all[i].bins[bin][group],
                    values.begin() + static_cast<std::ptrdiff_t>(((i * bins + bin) * most + group) * delays));
    put(result, {each_group,
                 "g2 of groups of pixels of each repeat",
                 "",
                 DataKind::overlay,
                 Array::of<double>({all.size(), bins, most, delays}, values),
                 {"", "label", "", "delay"}});
}

void keep_each(const std::vector<Repeat>& repeats, Result& result) {
    const std::vector<std::size_t>& shape = result.at("g2").values.shape();
    const std::size_t bins = shape[0], delays = shape[1];
    std::vector<double> g2, error;
    std::vector<std::uint8_t> weighted;
    for (const Repeat& one : repeats) {
        const RepeatedCurves curves = curves_of_repeat(one.run);
        g2.insert(g2.end(), curves.g2.begin(), curves.g2.end());
        error.insert(error.end(), curves.g2_err.begin(), curves.g2_err.end());
        for (const bool has : curves.has_weight) weighted.push_back(has ? 1 : 0);
    }
    const std::size_t n = repeats.size();
    put(result, {each_g2,
                 "g2(q, tau) of each repeat",
                 "",
                 DataKind::overlay,
                 Array::of<double>({n, bins, delays}, g2),
                 {"", "label", "delay"}});
    put(result, {each_error,
                 "error of g2 of each repeat",
                 "",
                 DataKind::overlay,
                 Array::of<double>({n, bins, delays}, error),
                 {"", "label", "delay"}});
    put(result, {each_weighted,
                 "delays with enough pairs of frames for a weight",
                 "",
                 DataKind::overlay,
                 Array::of<std::uint8_t>({n, delays}, weighted),
                 {"", "delay"}});
    keep_groups_of_each(repeats, result);
}

RepeatRow row_of(const Repeat& repeat) {
    RepeatRow row;
    row.name = repeat.name;
    const nlohmann::json& facts = repeat.run.result.facts;
    if (const auto out = facts.find("left_out_of_file"); out != facts.end() && out->is_string())
        row.left_out_frames = out->get<std::string>();
    if (const auto chosen = facts.find(chosen_fact); chosen != facts.end() && chosen->is_boolean())
        row.chosen = chosen->get<bool>();
    if (!repeat.run.files.empty()) row.modified = repeat.run.files.front().modified;
    return row;
}

/// Says of each repeat with a curve whether it is part of the average. Returns the numbers of the curves that
/// are.
std::vector<std::size_t> decide(std::vector<RepeatRow>& rows, const std::vector<double>& chi2) {
    const double median = quantile(chi2, 0.5), usual = std::max(median, 1.0);
    std::vector<std::size_t> used;
    for (RepeatRow& row : rows) {
        if (!row.curve) continue;
        const double own = chi2.at(*row.curve);
        row.chi2 = std::isfinite(own) ? std::optional(own) : std::nullopt;
        row.left_out.clear();
        if (row.chosen) {
            if (!*row.chosen) row.left_out = left_out_by_hand;
        } else if (chi2.size() >= 3 && own > outlier_factor * usual) {
            row.left_out = fmt::format(
                "its g2 is an outlier: chi2 per point is {:.3g}, but {:.3g} in the median", own, median);
        }
        if (row.left_out.empty()) used.push_back(*row.curve);
    }
    return used;
}

void require_two(const std::vector<RepeatRow>& rows, std::size_t used) {
    if (used >= 2) return;
    std::string details;
    for (const RepeatRow& row : rows)
        if (!row.left_out.empty()) details += fmt::format("{}: {}\n", row.name, row.left_out);
    throw Error(
        ErrorKind::input,
        fmt::format("an average needs at least two repeats, but {} {} left", used, used == 1 ? "is" : "are"),
        "repeats", "look at each of them alone", details);
}

/// The warnings of all repeats, once each. One that not all of them have says of which repeat it is.
std::vector<std::string> joined_warnings(const std::vector<Repeat>& repeats) {
    const auto has = [](const Repeat& one, const std::string& warning) {
        return std::ranges::find(one.run.result.warnings, warning) != one.run.result.warnings.end();
    };
    std::vector<std::string> all, of_one;
    for (const Repeat& one : repeats)
        for (const std::string& warning : one.run.result.warnings) {
            const bool common =
                std::ranges::all_of(repeats, [&](const Repeat& other) { return has(other, warning); });
            if (!common)
                of_one.push_back(fmt::format("{}: {}", one.name, warning));
            else if (&one == &repeats.front())
                all.push_back(warning);
        }
    all.insert(all.end(), of_one.begin(), of_one.end());
    return all;
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
    if (repeats.empty()) throw Error(ErrorKind::input, "there is no repeat to average", "repeats");
    std::vector<RepeatRow> rows;
    std::vector<Repeat> alike;
    for (Repeat& one : repeats) {
        progress.check();
        RepeatRow& row = rows.emplace_back(row_of(one));
        if (!alike.empty()) row.left_out = why_not_alike(alike.front().run, one.run);
        if (!row.left_out.empty()) continue;
        row.curve = alike.size();
        alike.push_back(std::move(one));
    }
    require_two(rows, alike.size());
    Run run = alike.front().run;
    run.result.facts.erase(chosen_fact);
    keep_each(alike, run.result);
    for (std::size_t i = 1; i < alike.size(); ++i) {
        const Run& other = alike[i].run;
        run.wall_nanoseconds += other.wall_nanoseconds;
        run.files.insert(run.files.end(), other.files.begin(), other.files.end());
        add_timings(run.timings, other.timings);
    }
    run.result.warnings = joined_warnings(alike);
    if (run.result.facts.contains("stability"))
        run.result.warnings.push_back(
            "an average of repeats is not tested for a change of the sample; compute the repeats separately");
    set_repeats(run.result, rows);
    std::vector<std::optional<bool>> chosen;
    chosen.reserve(rows.size());
    for (const RepeatRow& row : rows) chosen.push_back(row.chosen);
    return with_chosen_repeats(std::move(run), chosen, progress);
}

std::vector<RepeatedCurves> curves_of_repeats(const Run& average) {
    const Result& result = average.result;
    const Dataset *g2 = result.find(each_g2), *error = result.find(each_error),
                  *weighted = result.find(each_weighted);
    const bool whole = g2 && error && weighted && g2->values.rank() == 3 &&
                       g2->values.type() == ElementType::f64 && error->values.type() == ElementType::f64 &&
                       error->values.shape() == g2->values.shape() &&
                       weighted->values.type() == ElementType::u8 && weighted->values.rank() == 2 &&
                       weighted->values.shape()[0] == g2->values.shape()[0] &&
                       weighted->values.shape()[1] == g2->values.shape()[2];
    const std::vector<double> at = delays_of(result);
    if (!whole || at.size() != g2->values.shape()[2])
        throw Error(ErrorKind::run, "the run does not contain the curves of its repeats", {},
                    "compute the repeats again");
    const std::size_t n = g2->values.shape()[0], delays = at.size(), size = g2->values.shape()[1] * delays;
    const std::size_t first = static_cast<std::size_t>(
        std::ranges::find_if(at, [](double delay) { return delay > 0; }) - at.begin());
    std::vector<RepeatedCurves> all;
    for (std::size_t i = 0; i < n; ++i) {
        const auto values = g2->values.as<double>().subspan(i * size, size),
                   errors = error->values.as<double>().subspan(i * size, size);
        RepeatedCurves one{{values.begin(), values.end()}, {errors.begin(), errors.end()}, {}, first};
        for (const std::uint8_t has : weighted->values.as<std::uint8_t>().subspan(i * delays, delays))
            one.has_weight.push_back(has != 0);
        all.push_back(std::move(one));
    }
    return all;
}

Run with_chosen_repeats(Run run, const std::vector<std::optional<bool>>& chosen, Progress& progress) {
    const std::vector<RepeatedCurves> curves = curves_of_repeats(run);
    const std::vector<std::size_t> shape = run.result.at("g2").values.shape();
    std::vector<RepeatRow> rows = repeats_of(run);
    const auto with_curve =
        std::ranges::count_if(rows, [](const RepeatRow& row) { return row.curve.has_value(); });
    if (rows.size() != chosen.size() || static_cast<std::size_t>(with_curve) != curves.size() ||
        std::ranges::any_of(rows, [&](const RepeatRow& row) { return row.curve >= curves.size(); }))
        throw Error(ErrorKind::run, "the result does not say which repeats its curves are of", "repeats");
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].chosen = chosen[i];
    const std::vector<std::size_t> used = decide(rows, chi2_of(curves, shape[0], shape[1]));
    require_two(rows, used.size());
    std::vector<RepeatedCurves> used_curves;
    used_curves.reserve(used.size());
    for (const std::size_t one : used) used_curves.push_back(curves[one]);
    const AverageCurves average = average_of(used_curves, shape[0], shape[1]);
    Result& result = run.result;
    std::erase_if(result.datasets, [](const Dataset& one) { return is_of_one_run(one.name); });
    for (const char* fact : {"fit", "two_time_bin", "events", "repeats_chi2", "stability"})
        result.facts.erase(fact);
    replace(result, "g2", "g2(q, tau), mean of repeats", DataKind::curves, average.g2, shape);
    replace(result, "g2_err", "error of the weighted mean", DataKind::curves, average.g2_err, shape);
    replace(result, "g2_scatter", "error of the mean, from the scatter of the repeats", DataKind::overlay,
            average.scatter, shape);
    set_repeats(result, rows);
    if (average.chi2) result.facts["repeats_chi2"] = *average.chi2;
    add_fit(mean_groups(result, used), run, progress);
    return run;
}

std::optional<Run> repeat_of(const Run& average, std::size_t curve) {
    const Dataset *g2 = average.result.find(each_g2), *error = average.result.find(each_error);
    if (!g2 || !error || g2->values.rank() != 3 || g2->values.type() != ElementType::f64 ||
        error->values.type() != ElementType::f64 || error->values.shape() != g2->values.shape() ||
        curve >= g2->values.shape()[0])
        return std::nullopt;
    const std::vector<std::size_t> shape{g2->values.shape()[1], g2->values.shape()[2]};
    const std::size_t size = shape[0] * shape[1];
    const auto part = [&](const Dataset& whole) {
        const auto values = whole.values.as<double>().subspan(curve * size, size);
        return std::vector<double>(values.begin(), values.end());
    };
    Run one = average;
    replace(one.result, "g2", "g2(q, tau)", DataKind::curves, part(*g2), shape);
    replace(one.result, "g2_err", "error of g2", DataKind::curves, part(*error), shape);
    std::erase_if(one.result.datasets, [](const Dataset& dataset) {
        return dataset.name == "g2_scatter" || dataset.name.starts_with("repeat_") ||
               is_of_one_run(dataset.name);
    });
    for (const char* fact : {"fit", "repeats", "repeats_chi2", "stability"}) one.result.facts.erase(fact);
    return one;
}

std::string repeats_text(const Run& run) {
    const std::vector<RepeatRow> all = repeats_of(run);
    if (all.empty()) return {};
    std::string rows;
    if (const auto chi2 = run.result.facts.find("repeats_chi2");
        chi2 != run.result.facts.end() && chi2->is_number())
        rows = fmt::format("  scatter of the repeats: {:.2f} times their errors (chi2 {:.3g})\n",
                           std::sqrt(chi2->get<double>()), chi2->get<double>());
    for (const RepeatRow& row : all) {
        rows += fmt::format("  {}", row.name);
        if (row.chi2) rows += fmt::format(", chi2 per point {:.3g}", *row.chi2);
        if (!row.left_out_frames.empty()) rows += fmt::format(", without frames {}", row.left_out_frames);
        if (!row.left_out.empty()) rows += fmt::format(", left out: {}", row.left_out);
        rows += '\n';
    }
    return fmt::format("{}\n{}", average_text(run), rows);
}

}  // namespace ks::xpcs
