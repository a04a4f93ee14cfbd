#include "core/xpcs/g2_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/data/frame_ranges.h"
#include "core/io/csv/csv.h"
#include "core/record/made_after_run.h"
#include "core/record/made_elsewhere.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/fit_table.h"

namespace ks::xpcs {
namespace {

constexpr const char* no_fit = "none";
constexpr const char* kept_groups = "fit_group_g2";
/// Curves of groups that take more memory are not kept.
constexpr std::size_t most_kept_groups = std::size_t{128} << 20;

/// NAME -> number from "gamma=10,beta=0.2".
std::map<std::string, double> named_values(const ParameterSet& set, const std::string& id) {
    std::map<std::string, double> values;
    const auto found = set.find(id);
    if (found == set.end() || text(set, id) == no_fit) return values;
    std::string rest = text(set, id);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string pair = rest.substr(0, comma);
        rest.erase(0, comma + 1);
        const std::size_t equals = pair.find('=');
        const std::optional<double> value = equals == std::string::npos
                                                ? std::nullopt
                                                : io::csv_number(std::string_view(pair).substr(equals + 1));
        if (!value || !std::isfinite(*value) || equals == 0)
            throw Error(ErrorKind::input,
                        fmt::format("expected NAME=VALUE,... such as gamma=10,baseline=1, found '{}'", pair),
                        id);
        if (!values.emplace(pair.substr(0, equals), *value).second)
            throw Error(ErrorKind::input, fmt::format("{} is given twice", pair.substr(0, equals)), id);
    }
    return values;
}

void set_values(fit::Model& model, const std::map<std::string, double>& values, const std::string& id,
                bool fixed) {
    for (const auto& [name, value] : values) {
        const auto parameter = std::ranges::find(model.parameters, name, &fit::Parameter::name);
        if (parameter == model.parameters.end()) {
            std::vector<std::string> names;
            for (const fit::Parameter& one : model.parameters) names.push_back(one.name);
            throw Error(ErrorKind::input,
                        fmt::format("the model {} has no parameter {}", model.formula, name), id,
                        fmt::format("its parameters are {}", fmt::join(names, ", ")));
        }
        if ((parameter->lower && value < *parameter->lower) ||
            (parameter->upper && value > *parameter->upper))
            throw Error(
                ErrorKind::input,
                fmt::format("expected {} {}{}{}, found {}", name,
                            parameter->lower ? fmt::format("of at least {}", *parameter->lower) : "",
                            parameter->lower && parameter->upper ? " and " : "",
                            parameter->upper ? fmt::format("of at most {}", *parameter->upper) : "", value),
                id);
        parameter->start = value;
        parameter->fixed = fixed;
    }
}

Dataset of_bins(const char* name, const char* title, std::string unit, const std::vector<double>& values) {
    return {name,     title, std::move(unit), DataKind::overlay, Array::of<double>({values.size()}, values),
            {"label"}};
}

/// The statistic of each fit, NaN where it did not converge.
template <class Get>
std::vector<double> of_converged(const std::vector<fit::Fit>& fits, Get get) {
    std::vector<double> values;
    values.reserve(fits.size());
    for (const fit::Fit& one : fits)
        values.push_back(one.status.state == fit::State::converged ? static_cast<double>(get(one))
                                                                   : nan_value);
    return values;
}

void add_datasets(Result& result, const fit::Model& model, const std::vector<fit::Fit>& fits,
                  const CurvesToFit& curves) {
    const std::size_t bins = fits.size(), n = model.parameters.size();
    std::vector<double> values(bins * n, nan_value), errors(bins * n, nan_value),
        covariance(bins * n * n, nan_value), fitted(bins * curves.delays, nan_value),
        residuals(bins * curves.delays, nan_value), gradient(n);
    std::vector<std::uint8_t> states;
    std::vector<std::int32_t> points, left_out, groups;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const fit::Fit& one = fits[bin];
        states.push_back(static_cast<std::uint8_t>(one.status.state));
        points.push_back(static_cast<std::int32_t>(one.points));
        left_out.push_back(static_cast<std::int32_t>(one.left_out));
        groups.push_back(static_cast<std::int32_t>(one.groups));
        if (one.status.state != fit::State::converged) continue;
        std::ranges::copy(one.values, values.begin() + static_cast<std::ptrdiff_t>(bin * n));
        std::ranges::copy(one.errors, errors.begin() + static_cast<std::ptrdiff_t>(bin * n));
        std::ranges::copy(one.covariance, covariance.begin() + static_cast<std::ptrdiff_t>(bin * n * n));
        std::ranges::copy(one.residuals,
                          residuals.begin() + static_cast<std::ptrdiff_t>(bin * curves.delays));
        for (std::size_t delay = 0; delay < curves.delays; ++delay)
            fitted[bin * curves.delays + delay] = model.function(curves.time(delay), one.values, gradient);
    }
    const FitTable table = fit_table(model, fits, curves.frame_time.has_value());
    std::vector<double> tau, tau_errors;
    for (const BinFit& one : table.bins) {
        tau.push_back(one.tau);
        tau_errors.push_back(one.tau_error);
    }
    auto& all = result.datasets;
    const auto curve = [&](const char* name, const char* title, const std::vector<double>& of) {
        all.push_back({name,
                       title,
                       "",
                       DataKind::overlay,
                       Array::of<double>({bins, curves.delays}, of),
                       {"label", "delay"}});
    };
    curve("fit_g2", "fitted g2", fitted);
    curve("fit_residuals", "(g2 - fit) / error", residuals);
    all.push_back({"fit_values",
                   "fitted parameters",
                   "",
                   DataKind::overlay,
                   Array::of<double>({bins, n}, values),
                   {"label", ""}});
    all.push_back({"fit_errors",
                   "standard errors of the fitted parameters",
                   "",
                   DataKind::overlay,
                   Array::of<double>({bins, n}, errors),
                   {"label", ""}});
    all.push_back({"fit_covariance",
                   "covariance of the fitted parameters",
                   "",
                   DataKind::overlay,
                   Array::of<double>({bins, n, n}, covariance),
                   {"label", "", ""}});
    all.push_back(of_bins("fit_tau", "relaxation time", table.unit_of_t, tau));
    all.push_back(
        of_bins("fit_tau_errors", "standard error of the relaxation time", table.unit_of_t, tau_errors));
    all.push_back(of_bins("fit_chi2_red", "chi2 per degree of freedom", "",
                          of_converged(fits, [](const fit::Fit& one) { return one.chi2_reduced; })));
    all.push_back(of_bins("fit_degrees_of_freedom", "degrees of freedom", "",
                          of_converged(fits, [](const fit::Fit& one) { return one.degrees_of_freedom; })));
    all.push_back(of_bins("fit_aic", "Akaike's criterion", "",
                          of_converged(fits, [](const fit::Fit& one) { return one.aic; })));
    const auto whole = [&](const char* name, const char* title, const auto& of) {
        using T = typename std::decay_t<decltype(of)>::value_type;
        all.push_back({name, title, "", DataKind::overlay, Array::of<T>({bins}, of), {"label"}});
    };
    whole("fit_state", "status of the fit", states);
    whole("fit_points", "fitted points", points);
    whole("fit_left_out", "points left out of the fit", left_out);
    whole("fit_groups", "groups of pixels that give the errors", groups);

    nlohmann::json parameters = nlohmann::json::array(), rows = nlohmann::json::array();
    const auto number_or_null = [](double value) {
        return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    };
    for (std::size_t k = 0; k < n; ++k)
        parameters.push_back({{"name", model.parameters[k].name},
                              {"unit", table.parameters[k].unit},
                              {"fixed", model.parameters[k].fixed},
                              {"lower", number_or_null(model.parameters[k].lower.value_or(nan_value))},
                              {"upper", number_or_null(model.parameters[k].upper.value_or(nan_value))}});
    for (std::size_t bin = 0; bin < bins; ++bin) {
        nlohmann::json of_values = nlohmann::json::object(), of_errors = nlohmann::json::object();
        for (std::size_t k = 0; k < n; ++k) {
            of_values[model.parameters[k].name] = number_or_null(values[bin * n + k]);
            of_errors[model.parameters[k].name] = number_or_null(errors[bin * n + k]);
        }
        rows.push_back({{"status", fits[bin].status.text()},
                        {"values", of_values},
                        {"errors", of_errors},
                        {"tau", number_or_null(tau[bin])},
                        {"tau_error", number_or_null(tau_errors[bin])}});
    }
    result.facts["fit"] = {{"model", model.name},          {"formula", model.formula},
                           {"unit_of_t", table.unit_of_t}, {"parameters", parameters},
                           {"rate", model.rate},           {"bins", rows}};
}

void keep_groups(Result& result, const GroupCurves& groups, std::size_t delays) {
    std::size_t most = 0;
    for (const auto& bin : groups.bins) most = std::max(most, bin.size());
    const std::size_t size = groups.bins.size() * most * delays;
    if (size == 0 || size * sizeof(double) > most_kept_groups) return;
    std::vector<double> values(size, nan_value);
    for (std::size_t bin = 0; bin < groups.bins.size(); ++bin)
        for (std::size_t group = 0; group < groups.bins[bin].size(); ++group)
            std::ranges::copy(groups.bins[bin][group],
                              values.begin() + static_cast<std::ptrdiff_t>((bin * most + group) * delays));
    result.datasets.push_back({kept_groups,
                               "g2 of groups of pixels",
                               "",
                               DataKind::overlay,
                               Array::of<double>({groups.bins.size(), most, delays}, values),
                               {"label", "", "delay"}});
}

/// Frames that a run left out, as numbers in its series.
/// @param count number of frames of its series
std::vector<std::size_t> left_out_frames(const Run& run, std::size_t count) {
    const nlohmann::json& facts = run.result.facts;
    if (const auto told = facts.find("left_out_of_series"); told != facts.end() && told->is_string())
        return frames_named(told->get<std::string>(), count, "left_out_of_series");
    // Runs of earlier versions have every frame from the first one on in their series.
    const ParameterSet& parameters = run.request.parameters;
    if (!facts.contains("left_out_frames") || !parameters.contains("leave_out")) return {};
    const auto first =
        parameters.contains("first_frame") ? static_cast<std::size_t>(integer(parameters, "first_frame")) : 0;
    std::vector<std::size_t> frames;
    constexpr std::size_t most = std::size_t{1} << 32;
    for (const std::size_t frame :
         frames_named(text(parameters, "leave_out"), std::min(first + count, most), "leave_out"))
        if (frame >= first) frames.push_back(frame - first);
    return frames;
}

/// Number of pairs of frames, or of sums of frames, at each delay or range of delays of a result.
/// @param left_out ascending
std::vector<std::size_t> pairs_at(const Result& result, std::size_t frames,
                                  const std::vector<std::size_t>& left_out) {
    const std::vector<double> at = delays_of(result);
    if (const auto averaging = MultiTau::of(result)) {
        std::vector<MultiTau::Point> points = averaging->points(frames, frames);
        if (points.size() < at.size())
            throw Error(ErrorKind::run, "the result has other delays than its levels and channels", "delay");
        points.resize(at.size());
        return averaging->pairs(points, frames, left_out);
    }
    const std::vector<std::size_t> all = pairs_by_delay(frames, left_out);
    std::vector<std::size_t> pairs;
    if (const auto rebinning = Rebinning::of(result)) {
        if (rebinning->delays > frames)
            throw Error(ErrorKind::run, "the result has more delays than frames", "rebin");
        for (const DelayRange& point : rebinning->points())
            pairs.push_back(std::accumulate(all.begin() + static_cast<std::ptrdiff_t>(point.begin),
                                            all.begin() + static_cast<std::ptrdiff_t>(point.end),
                                            std::size_t{0}));
        if (pairs.size() != at.size())
            throw Error(ErrorKind::run, "the result has other delays than its rebinning", "delay");
        return pairs;
    }
    for (const double delay : at) {
        if (!(delay >= 0) || delay >= static_cast<double>(frames))
            throw Error(ErrorKind::run,
                        fmt::format("the result has a delay of {} frames, but only {} frames", delay, frames),
                        "delay");
        pairs.push_back(all[static_cast<std::size_t>(delay)]);
    }
    return pairs;
}

}  // namespace

std::vector<ParameterSpec> fit_parameters() {
    using parameter::words;
    std::vector<ParameterSpec> all{
        words("fit", "Fit", "", no_fit,
              "Model fitted to g2 of each bin: single, stretched, double, cumulant, or a formula of t whose "
              "other "
              "names are parameters"),
        words("fit_start", "Start values", "", no_fit,
              "Start values of the fit as NAME=VALUE,NAME=VALUE; rates are in 1/s, or per frame of the file "
              "without a frame time"),
        words("fit_fixed", "Fixed values", "", no_fit,
              "Parameters that the fit keeps, as NAME=VALUE,NAME=VALUE")};
    for (ParameterSpec& one : all) one.adds_results = true;
    return all;
}

std::optional<fit::Model> fit_model(const ParameterSet& parameters) {
    // Saved runs of earlier versions have no such parameter.
    if (!parameters.contains("fit") || text(parameters, "fit") == no_fit) return std::nullopt;
    fit::Model model = fit::g2_model(text(parameters, "fit"));
    const std::map<std::string, double> start = named_values(parameters, "fit_start"),
                                        fixed = named_values(parameters, "fit_fixed");
    for (const auto& [name, value] : start)
        if (fixed.contains(name))
            throw Error(ErrorKind::input, name + " cannot have both a start value and a fixed value",
                        "fit_fixed");
    set_values(model, start, "fit_start", false);
    set_values(model, fixed, "fit_fixed", true);
    if (!fixed.empty()) model.ordered = nullptr;  // equivalent values may not have the fixed ones
    if (!start.empty() && model.starts)
        model.starts = [estimated = model.starts, start,
                        parameters = model.parameters](const fit::Points& points) {
            auto all = estimated(points);
            for (std::vector<double>& one : all)
                for (std::size_t k = 0; k < parameters.size(); ++k)
                    if (const auto given = start.find(parameters[k].name); given != start.end())
                        one[k] = given->second;
            return all;
        };
    return model;
}

std::string why_no_fit(const ParameterSet& parameters) {
    const bool has_fit = parameters.contains("fit") && text(parameters, "fit") != no_fit;
    return has_fit ? "" : "needs a model; name one by --fit";
}

std::vector<IdleParameter> idle_fit_values(const Request& request) {
    std::vector<IdleParameter> idle;
    if (!why_no_fit(request.parameters).empty())
        for (const char* id : {"fit_start", "fit_fixed"})
            if (const auto given = request.parameters.find(id);
                given != request.parameters.end() && given->second != ParameterValue(std::string(no_fit)))
                idle.push_back({id, "it is used only with a fit"});
    return idle;
}

std::vector<fit::Fit> fit_curves(const fit::Model& model, const CurvesToFit& curves,
                                 const GroupCurves& groups, Progress& progress) {
    std::vector<double> times(curves.delays);
    for (std::size_t delay = 0; delay < curves.delays; ++delay) times[delay] = curves.time(delay);
    std::vector<fit::Fit> fits(curves.bins);
    parallel_for(curves.bins, compute_threads(), progress, [&](std::size_t bin) {
        const std::size_t from = bin * curves.delays;
        std::vector<double> errors(curves.g2_err.begin() + static_cast<std::ptrdiff_t>(from),
                                   curves.g2_err.begin() + static_cast<std::ptrdiff_t>(from + curves.delays));
        for (std::size_t delay = 0; delay < curves.delays; ++delay)
            if (times[delay] == 0 || !curves.has_pairs(delay) || !(times[delay] > 0) ||
                (!curves.left_out.empty() && curves.left_out[from + delay] != 0))
                errors[delay] = nan_value;
        fit::Task task{
            .function = model.function,
            .parameters = model.parameters,
            .points = {times, curves.g2.subspan(from, curves.delays), errors},
            .starts = {},
            .enough = model.enough,
            .ordered = model.ordered,
            .groups = bin < groups.bins.size() ? groups.bins[bin] : std::vector<std::vector<double>>()};
        if (model.starts) task.starts = model.starts(task.points);
        fits[bin] = fit::solved(task);
        // The points of g2 are correlated, so errors from their weights alone would be several times too
        // small.
        if (fits[bin].groups == 0 && curves.errors == WithoutGroups::none) {
            std::ranges::fill(fits[bin].errors, nan_value);
            std::ranges::fill(fits[bin].covariance, nan_value);
        }
    });
    return fits;
}

namespace {

/// Errors of the mean over groups, [bin][delay]; NaN for bins without groups.
std::vector<double> spread_of(const GroupCurves& groups, std::size_t bins, std::size_t delays) {
    std::vector<double> errors(bins * delays, nan_value);
    for (std::size_t bin = 0; bin < std::min(bins, groups.bins.size()); ++bin) {
        const auto& curves = groups.bins[bin];
        const auto n = static_cast<double>(curves.size());
        for (std::size_t delay = 0; delay < delays && curves.size() > 1; ++delay) {
            double mean = 0, squares = 0;
            for (const std::vector<double>& curve : curves) mean += curve[delay] / n;
            for (const std::vector<double>& curve : curves)
                squares += (curve[delay] - mean) * (curve[delay] - mean);
            errors[bin * delays + delay] = std::sqrt(squares / (n * (n - 1)));
        }
    }
    return errors;
}

/// g2_err of a run, or the spread of the groups where its variant computes none.
std::vector<double> errors_to_fit(const Run& run, const GroupCurves& groups) {
    const Array& g2 = run.result.at("g2").values;
    return run.variant.computes("g2_err") ? run.result.at("g2_err").values.to_doubles()
                                          : spread_of(groups, g2.shape()[0], g2.shape()[1]);
}

}  // namespace

bool CurvesToFit::has_pairs(std::size_t delay) const {
    return pairs.empty() || pairs[delay] >= min_pairs;
}

CurvesToFit curves_of(const Run& run, const GroupCurves& groups) {
    const Dataset &g2 = run.result.at("g2"), &g2_err = run.result.at("g2_err");
    if (g2.values.rank() != 2 || g2_err.values.shape() != g2.values.shape())
        throw Error(ErrorKind::run, "expected g2 and its error as [bin][delay]", "g2");
    CurvesToFit curves{.bins = g2.values.shape()[0],
                       .delays = g2.values.shape()[1],
                       .g2 = g2.values.as<double>(),
                       .g2_err = errors_to_fit(run, groups),
                       .pairs = {},
                       .frame_time = {}};
    const nlohmann::json& facts = run.result.facts;
    if (const auto time = facts.find("frame_time"); time != facts.end() && time->is_number())
        curves.frame_time = time->get<double>();
    curves.at = delays_of(run.result);
    curves.step = frames_per_delay(run);
    if (curves.at.size() != curves.delays)
        throw Error(ErrorKind::run, "g2 and its delays have different shapes", "delay");
    if (made_elsewhere(run)) {
        // Other programs report the errors that follow from the weights.
        curves.errors = WithoutGroups::weights;
        if (const Dataset* const pairs = run.result.find(delay_pairs)) {
            const std::vector<double> numbers = pairs->values.to_doubles();
            if (numbers.size() != curves.delays)
                throw Error(ErrorKind::run, "g2 and its pairs of frames have different shapes", delay_pairs);
            curves.pairs.assign(numbers.begin(), numbers.end());
        }
        return curves;
    }
    const auto frames = facts.find("frames");
    if (frames == facts.end() || !frames->is_number_unsigned() || *frames < curves.delays)
        throw Error(ErrorKind::run, "the result does not say how many frames it has", "frames");
    const auto count = frames->get<std::size_t>();
    curves.pairs = pairs_at(run.result, count, left_out_frames(run, count));
    return curves;
}

GroupCurves kept_groups_of(const Run& run) {
    GroupCurves groups;
    const Dataset* const kept = run.result.find(kept_groups);
    const Dataset* const g2 = run.result.find("g2");
    if (!kept || !g2 || kept->values.rank() != 3 || kept->values.type() != ElementType::f64 ||
        kept->values.shape()[0] != g2->values.shape()[0] || kept->values.shape()[2] != g2->values.shape()[1])
        return groups;
    const std::size_t bins = kept->values.shape()[0], most = kept->values.shape()[1],
                      delays = kept->values.shape()[2];
    const auto values = kept->values.as<double>();
    groups.bins.resize(bins);
    for (std::size_t bin = 0; bin < bins; ++bin)
        for (std::size_t group = 0; group < most; ++group) {
            const auto row = values.subspan((bin * most + group) * delays, delays);
            if (std::ranges::all_of(row, [](double value) { return std::isnan(value); })) break;
            groups.bins[bin].emplace_back(row.begin(), row.end());
        }
    return groups;
}

void add_fit(const CorrelationProblem& problem, Run& run, Progress& progress) {
    if (problem.is_part()) return;
    const std::optional<fit::Model> model = fit_model(run.request.parameters);
    if (!model) return;
    const Dataset& g2 = run.result.at("g2");
    Stopwatch watch;
    std::uint64_t memory = available_memory() / 2;
    if (run.variant.on_host() && run.request.memory_limit)
        memory = std::min(memory, *run.request.memory_limit);
    progress.report(0, "fit");
    GroupCurves groups = group_curves(problem, MultiTau::of(run.result), memory, progress);
    if (const auto rebinning = Rebinning::of(run.result)) {
        const std::vector<std::size_t> pairs = problem.pairs();
        for (auto& bin : groups.bins)
            for (std::vector<double>& curve : bin) curve = rebinning->means(curve, pairs);
    }
    add(run.timings, {"correlate groups", StageKind::host, watch.lap()});
    const CurvesToFit curves{.bins = g2.values.shape()[0],
                             .delays = g2.values.shape()[1],
                             .g2 = g2.values.as<double>(),
                             .g2_err = errors_to_fit(run, groups),
                             .pairs = pairs_at(run.result, problem.frames(), problem.left_out()),
                             .frame_time = problem.frame_time,
                             .at = delays_of(run.result),
                             .step = static_cast<double>(problem.reduction.step())};
    const std::vector<fit::Fit> fits = fit_curves(*model, curves, groups, progress);
    add_datasets(run.result, *model, fits, curves);
    keep_groups(run.result, groups, curves.delays);
    if (groups.too_large > 0)
        run.result.warnings.push_back(
            fmt::format("the frames of {} {} do not fit into memory, so the values fitted there have no "
                        "error estimates",
                        groups.too_large, groups.too_large == 1 ? "bin" : "bins"));
    add(run.timings, {"fit", StageKind::host, watch.lap()});
    progress.report(1, "fit");
}

void add_fit(const GroupCurves& groups, Run& run, Progress& progress) {
    const std::optional<fit::Model> model = fit_model(run.request.parameters);
    if (!model) return;
    const CurvesToFit curves = curves_of(run, groups);
    const std::vector<fit::Fit> fits = fit_curves(*model, curves, groups, progress);
    add_datasets(run.result, *model, fits, curves);
    keep_groups(run.result, groups, curves.delays);
}

CurvesToFit ChosenFit::curves_of(const Run& run, const GroupCurves& groups) const {
    CurvesToFit curves = xpcs::curves_of(run, groups);
    if (!seconds) curves.frame_time.reset();
    if (!leaves_out) return curves;
    curves.left_out.assign(curves.bins * curves.delays, 0);
    for (std::size_t delay = 1; delay < curves.delays; ++delay) {
        const double x = curves.time(delay);
        for (std::size_t bin = 0; bin < curves.bins; ++bin)
            curves.left_out[bin * curves.delays + delay] = leaves_out(bin, x) ? 1 : 0;
    }
    return curves;
}

Run with_fit(const Run& run, const ChosenFit& chosen, Progress& progress) {
    const GroupCurves groups = kept_groups_of(run);
    if (groups.bins.empty() && !run.variant.computes("g2_err"))
        throw Error(ErrorKind::run, "the run has no errors of g2, which a fit needs");
    const CurvesToFit curves = chosen.curves_of(run, groups);
    const std::vector<fit::Fit> fits = fit_curves(chosen.model, curves, groups, progress);
    Run made = run;
    const auto is_of_fit = [](const Dataset& one) {
        return one.name.starts_with("fit_") && one.name != kept_groups;
    };
    std::erase_if(made.result.datasets, is_of_fit);
    add_datasets(made.result, chosen.model, fits, curves);
    nlohmann::json& after = made.result.facts[made_after_run] = nlohmann::json::array();
    for (const Dataset& one : made.result.datasets)
        if (is_of_fit(one)) after.push_back(one.name);
    return made;
}

}  // namespace ks::xpcs
