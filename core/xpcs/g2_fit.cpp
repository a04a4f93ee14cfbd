#include "core/xpcs/g2_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/io/csv/csv.h"
#include "core/io/files/atomic_file.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/correlation.h"

namespace ks::xpcs {
namespace {

constexpr const char* no_fit = "none";

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

std::string unit_of(int power, const std::string& time) {
    if (power == 0) return {};
    if (power == -1) return "1/" + time;
    return fmt::format("1/{}^{}", time, -power);
}

Dataset of_bins(const char* name, const char* title, std::string unit, const std::vector<double>& values) {
    return {name,     title, std::move(unit), DataKind::overlay, Array::of<double>({values.size()}, values),
            {"label"}};
}

/// The statistic of each fit, NaN where it did not converge.
template <class Get>
std::vector<double> of_converged(const std::vector<fit::Fit>& fits, Get get) {
    std::vector<double> values;
    for (const fit::Fit& one : fits)
        values.push_back(one.status.state == fit::State::converged ? static_cast<double>(get(one))
                                                                   : nan_value);
    return values;
}

/// The rate's reciprocal and its error, by propagation: tau_err / tau = gamma_err / gamma.
struct Times {
    std::vector<double> tau, error;

    Times(const std::vector<fit::Fit>& fits, const fit::Model& model) {
        const auto found = std::ranges::find(model.parameters, model.rate, &fit::Parameter::name);
        const auto at = static_cast<std::size_t>(found - model.parameters.begin());
        const bool has_rate = found != model.parameters.end();
        tau = of_converged(fits,
                           [&](const fit::Fit& one) { return has_rate ? 1 / one.values[at] : nan_value; });
        error = of_converged(fits, [&](const fit::Fit& one) {
            return has_rate ? one.errors[at] / (one.values[at] * one.values[at]) : nan_value;
        });
    }
};

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
            fitted[bin * curves.delays + delay] = model.function(
                static_cast<double>(delay) * curves.frame_time.value_or(1), one.values, gradient);
    }
    const std::string time = curves.frame_time ? "s" : "frames", rate = curves.frame_time ? "s" : "frame";
    const Times times(fits, model);
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
    all.push_back(of_bins("fit_tau", "relaxation time", time, times.tau));
    all.push_back(of_bins("fit_tau_errors", "standard error of the relaxation time", time, times.error));
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
    for (std::size_t k = 0; k < n; ++k)
        parameters.push_back({{"name", model.parameters[k].name},
                              {"unit", unit_of(model.powers_of_time[k], rate)},
                              {"fixed", model.parameters[k].fixed}});
    const auto number_or_null = [](double value) {
        return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    };
    for (std::size_t bin = 0; bin < bins; ++bin) {
        nlohmann::json of_values = nlohmann::json::object(), of_errors = nlohmann::json::object();
        for (std::size_t k = 0; k < n; ++k) {
            of_values[model.parameters[k].name] = number_or_null(values[bin * n + k]);
            of_errors[model.parameters[k].name] = number_or_null(errors[bin * n + k]);
        }
        rows.push_back({{"status", fits[bin].status.text()},
                        {"values", of_values},
                        {"errors", of_errors},
                        {"tau", number_or_null(times.tau[bin])},
                        {"tau_error", number_or_null(times.error[bin])}});
    }
    result.facts["fit"] = {{"model", model.name},      {"formula", model.formula}, {"unit_of_t", time},
                           {"parameters", parameters}, {"rate", model.rate},       {"bins", rows}};
}

/// The numbers of a fit as the result has them.
struct StoredFit {
    const nlohmann::json& facts;
    std::vector<std::string> names, units, status;
    std::vector<double> values, errors, tau, tau_errors, chi2_red;

    explicit StoredFit(const Result& result) : facts(result.facts.at("fit")) {
        for (const nlohmann::json& one : facts.at("parameters")) {
            names.push_back(one.at("name").get<std::string>());
            units.push_back(one.at("unit").get<std::string>());
        }
        for (const nlohmann::json& one : facts.at("bins"))
            status.push_back(one.at("status").get<std::string>());
        values = result.at("fit_values").values.to_doubles();
        errors = result.at("fit_errors").values.to_doubles();
        tau = result.at("fit_tau").values.to_doubles();
        tau_errors = result.at("fit_tau_errors").values.to_doubles();
        chi2_red = result.at("fit_chi2_red").values.to_doubles();
        const std::size_t bins = status.size(), all = bins * names.size();
        if (values.size() != all || errors.size() != all || tau.size() != bins || tau_errors.size() != bins ||
            chi2_red.size() != bins)
            throw Error(ErrorKind::run, "the sizes of the fit's datasets do not match each other");
    }
    bool has_rate() const { return !facts.at("rate").get<std::string>().empty(); }
    /// Value and error of a parameter; NaN if the model has no such parameter.
    std::pair<double, double> of(const std::string& name, std::size_t bin) const {
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) return {nan_value, nan_value};
        const std::size_t at = bin * names.size() + static_cast<std::size_t>(found - names.begin());
        return {values[at], errors[at]};
    }
};

/// Two significant digits of the error decide how many digits of the value mean something.
std::string with_error(double value, double error) {
    if (std::isnan(value)) return "-";
    if (std::isnan(error)) return fmt::format("{:.5g}", value);
    if (!(error > 0) || value == 0) return fmt::format("{:.5g} +- {:.2g}", value, error);
    const int digits =
        static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(error))) + 2;
    return fmt::format("{:.{}g} +- {:.2g}", value, std::clamp(digits, 2, 12), error);
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
              "Start values of the fit as NAME=VALUE,NAME=VALUE; rates are in 1/s, or in 1/frame without a "
              "frame "
              "time"),
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
    for (std::size_t delay = 0; delay < curves.delays; ++delay)
        times[delay] = static_cast<double>(delay) * curves.frame_time.value_or(1);
    std::vector<fit::Fit> fits(curves.bins);
    parallel_for(curves.bins, compute_threads(), progress, [&](std::size_t bin) {
        const std::size_t from = bin * curves.delays;
        std::vector<double> errors(curves.g2_err.begin() + static_cast<std::ptrdiff_t>(from),
                                   curves.g2_err.begin() + static_cast<std::ptrdiff_t>(from + curves.delays));
        for (std::size_t delay = 0; delay < curves.delays; ++delay)
            if (delay == 0 || curves.pairs[delay] < min_pairs || !(times[delay] > 0))
                errors[delay] = nan_value;
        fit::Task task{
            .function = model.function,
            .parameters = model.parameters,
            .points = {times, curves.g2.subspan(from, curves.delays), errors},
            .starts = {},
            .ordered = model.ordered,
            .groups = bin < groups.bins.size() ? groups.bins[bin] : std::vector<std::vector<double>>()};
        if (model.starts) task.starts = model.starts(task.points);
        fits[bin] = fit::solved(task);
        // The points of g2 are correlated, so errors from their weights alone would be several times too
        // small.
        if (fits[bin].groups == 0) {
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

}  // namespace

void add_fit(const CorrelationProblem& problem, Run& run, Progress& progress) {
    if (problem.is_part()) return;
    const std::optional<fit::Model> model = fit_model(run.request.parameters);
    if (!model) return;
    const Dataset &g2 = run.result.at("g2"), &g2_err = run.result.at("g2_err");
    Stopwatch watch;
    std::uint64_t memory = available_memory() / 2;
    if (run.variant.on_host() && run.request.memory_limit)
        memory = std::min(memory, *run.request.memory_limit);
    progress.report(0, "fit");
    const GroupCurves groups = group_curves(problem, memory, progress);
    add(run.timings, {"correlate groups", StageKind::host, watch.lap()});
    const std::size_t bins = g2.values.shape()[0], delays = g2.values.shape()[1];
    // The weights of points without errors come from the groups, too.
    const std::vector<double> errors =
        run.variant.computes("g2_err") ? g2_err.values.to_doubles() : spread_of(groups, bins, delays);
    const CurvesToFit curves{.bins = bins,
                             .delays = delays,
                             .g2 = g2.values.as<double>(),
                             .g2_err = errors,
                             .pairs = problem.pairs(),
                             .frame_time = problem.frame_time};
    const std::vector<fit::Fit> fits = fit_curves(*model, curves, groups, progress);
    add_datasets(run.result, *model, fits, curves);
    if (groups.too_large > 0)
        run.result.warnings.push_back(
            fmt::format("the frames of {} {} do not fit into memory, so the values fitted there have no "
                        "error estimates",
                        groups.too_large, groups.too_large == 1 ? "bin" : "bins"));
    add(run.timings, {"fit", StageKind::host, watch.lap()});
    progress.report(1, "fit");
}

std::string fit_text(const Run& run) {
    if (!run.result.facts.contains("fit")) return {};
    constexpr std::size_t shown = 40;
    const StoredFit stored(run.result);
    const auto time = stored.facts.at("unit_of_t").get<std::string>();
    std::string text = fmt::format("fit of g2 by {}, t in {}\n{:>5}",
                                   stored.facts.at("formula").get<std::string>(), time, "bin");
    for (std::size_t k = 0; k < stored.names.size(); ++k)
        text += fmt::format(" {:>22}", stored.units[k].empty()
                                           ? stored.names[k]
                                           : fmt::format("{} ({})", stored.names[k], stored.units[k]));
    if (stored.has_rate()) text += fmt::format(" {:>22}", fmt::format("tau ({})", time));
    text += fmt::format(" {:>9}  status\n", "chi2_red");
    for (std::size_t bin = 0; bin < std::min(stored.status.size(), shown); ++bin) {
        text += fmt::format("{:>5}", bin + 1);
        for (const std::string& name : stored.names) {
            const auto [value, error] = stored.of(name, bin);
            text += fmt::format(" {:>22}", with_error(value, error));
        }
        if (stored.has_rate())
            text += fmt::format(" {:>22}", with_error(stored.tau[bin], stored.tau_errors[bin]));
        const double chi2 = stored.chi2_red[bin];
        text += fmt::format(" {:>9}  {}\n", std::isnan(chi2) ? "-" : fmt::format("{:.3g}", chi2),
                            stored.status[bin]);
    }
    if (stored.status.size() > shown)
        text += fmt::format("      ... {} more bins\n", stored.status.size() - shown);
    return text;
}

void write_fit_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    if (!run.result.facts.contains("fit")) throw Error(ErrorKind::run, "the run has no fit", out.string());
    const StoredFit stored(run.result);
    const Dataset* const q_list = run.result.find("q");
    const std::vector<double> q = q_list ? q_list->values.to_doubles() : std::vector<double>();
    const auto number = [](double value) {
        return std::isnan(value) ? std::string("nan") : fmt::format("{:.17g}", value);
    };
    std::string text =
        "bin,q,gamma,gamma_err,tau,tau_err,beta,beta_err,baseline,baseline_err,chi2_red,status\n";
    for (std::size_t bin = 0; bin < stored.status.size(); ++bin) {
        const bool has_q = bin < q.size() && !std::isnan(q[bin]);
        fmt::format_to(std::back_inserter(text), "{},{}", bin + 1, has_q ? number(q[bin]) : "");
        const auto put = [&](double value, double error) {
            fmt::format_to(std::back_inserter(text), ",{},{}", number(value), number(error));
        };
        const auto put_parameter = [&](const char* name) {
            const auto [value, error] = stored.of(name, bin);
            put(value, error);
        };
        put_parameter("gamma");
        put(stored.tau[bin], stored.tau_errors[bin]);
        put_parameter("beta");
        put_parameter("baseline");
        fmt::format_to(std::back_inserter(text), ",{},{}\n", number(stored.chi2_red[bin]),
                       stored.status[bin]);
    }
    io::write_text(out, text, overwrite, progress);
}

}  // namespace ks::xpcs
