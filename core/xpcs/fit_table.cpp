#include "core/xpcs/fit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.h"
#include "core/data/count_text.h"
#include "core/record/made_after_run.h"
#include "core/record/run_table.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/files/csv_number.h"

namespace ks::xpcs {
namespace {

/// @param power of the unit of time
/// @param time "s" or "frame"
std::string unit_of(int power, const std::string& time) {
    if (power == 0) return {};
    if (power == 1) return time == "frame" ? "frames" : time;
    if (power > 1) return fmt::format("{}^{}", time, power);
    if (power == -1) return "1/" + time;
    return fmt::format("1/{}^{}", time, -power);
}

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

bool FitTable::lacks_rate() const {
    return !has_rate && std::ranges::find(parameters, fit::rate_name, &Parameter::name) != parameters.end();
}

std::pair<double, double> FitTable::of(const std::string& name, std::size_t bin) const {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    if (found == parameters.end()) return {nan_value, nan_value};
    const auto at = static_cast<std::size_t>(found - parameters.begin());
    return {bins[bin].values[at], bins[bin].errors[at]};
}

std::string unit_of_parameter(const fit::Model& model, std::size_t index, bool seconds) {
    return unit_of(model.powers_of_time.at(index), seconds ? "s" : "frame");
}

FitTable fit_table(const fit::Model& model, const std::vector<fit::Fit>& fits, bool seconds) {
    const std::size_t n = model.parameters.size();
    FitTable table{.formula = model.formula, .unit_of_t = seconds ? "s" : "frames"};
    for (std::size_t k = 0; k < n; ++k)
        table.parameters.push_back({model.parameters[k].name, unit_of_parameter(model, k, seconds)});
    const auto found = std::ranges::find(model.parameters, model.rate, &fit::Parameter::name);
    table.has_rate = found != model.parameters.end();
    const auto rate = static_cast<std::size_t>(found - model.parameters.begin());
    for (const fit::Fit& one : fits) {
        BinFit bin{.status = one.status.text(),
                   .converged = one.status.state == fit::State::converged,
                   .values = std::vector<double>(n, nan_value),
                   .errors = std::vector<double>(n, nan_value),
                   .tau = nan_value,
                   .tau_error = nan_value,
                   .chi2_reduced = nan_value,
                   .aic = nan_value,
                   .groups = one.groups};
        if (bin.converged) {
            bin.values = one.values;
            bin.errors = one.errors;
            bin.chi2_reduced = one.chi2_reduced;
            bin.aic = one.aic;
            if (table.has_rate) {
                // By propagation: tau_err / tau = gamma_err / gamma.
                bin.tau = 1 / one.values[rate];
                bin.tau_error = one.errors[rate] / (one.values[rate] * one.values[rate]);
            }
        }
        table.bins.push_back(std::move(bin));
    }
    return table;
}

std::optional<FitTable> fit_table(const Run& run) {
    const auto fact = run.result.facts.find("fit");
    if (fact == run.result.facts.end()) return std::nullopt;
    FitTable table{.formula = fact->at("formula").get<std::string>(),
                   .unit_of_t = fact->at("unit_of_t").get<std::string>(),
                   .has_rate = !fact->at("rate").get<std::string>().empty()};
    for (const nlohmann::json& one : fact->at("parameters"))
        table.parameters.push_back({one.at("name").get<std::string>(), one.at("unit").get<std::string>()});
    const auto numbers = [&run](const char* name) { return run.result.at(name).values.to_doubles(); };
    const std::vector<double> values = numbers("fit_values"), errors = numbers("fit_errors"),
                              tau = numbers("fit_tau"), tau_errors = numbers("fit_tau_errors"),
                              chi2_red = numbers("fit_chi2_red"), aic = numbers("fit_aic"),
                              state = numbers("fit_state"), groups = numbers("fit_groups");
    const std::size_t bins = fact->at("bins").size(), n = table.parameters.size();
    if (values.size() != bins * n || errors.size() != bins * n)
        throw Error(ErrorKind::run, "the sizes of the fit's datasets do not match each other");
    for (const auto* one : {&tau, &tau_errors, &chi2_red, &aic, &state, &groups})
        if (one->size() != bins)
            throw Error(ErrorKind::run, "the sizes of the fit's datasets do not match each other");
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto first = static_cast<std::ptrdiff_t>(bin * n), end = first + static_cast<std::ptrdiff_t>(n);
        table.bins.push_back({.status = fact->at("bins").at(bin).at("status").get<std::string>(),
                              .converged = state[bin] == 0,
                              .values = {values.begin() + first, values.begin() + end},
                              .errors = {errors.begin() + first, errors.begin() + end},
                              .tau = tau[bin],
                              .tau_error = tau_errors[bin],
                              .chi2_reduced = chi2_red[bin],
                              .aic = aic[bin],
                              .groups = static_cast<std::size_t>(std::max(groups[bin], 0.0))});
    }
    return table;
}

std::string fit_csv(const FitTable& table, const std::vector<double>& q) {
    std::string text =
        "bin,q,gamma,gamma_err,tau,tau_err,beta,beta_err,baseline,baseline_err,chi2_red,status\n";
    for (std::size_t bin = 0; bin < table.bins.size(); ++bin) {
        const bool has_q = bin < q.size() && !std::isnan(q[bin]);
        fmt::format_to(std::back_inserter(text), "{},{}", bin + 1, has_q ? csv_number(q[bin]) : "");
        const auto put = [&](double value, double error) {
            fmt::format_to(std::back_inserter(text), ",{},{}", csv_number(value), csv_number(error));
        };
        const auto put_parameter = [&](const char* name) {
            const auto [value, error] = table.of(name, bin);
            put(value, error);
        };
        const BinFit& one = table.bins[bin];
        put_parameter("gamma");
        put(one.tau, one.tau_error);
        put_parameter("beta");
        put_parameter("baseline");
        fmt::format_to(std::back_inserter(text), ",{},{}\n", csv_number(one.chi2_reduced), one.status);
    }
    return text;
}

std::string fit_text(const Run& run) {
    const std::optional<FitTable> found = fit_table(run);
    if (!found) return {};
    constexpr std::size_t shown = 40;
    const FitTable& table = *found;
    const char* const later = run.result.facts.contains(made_after_run) ? ", chosen after the run" : "";
    std::string text =
        fmt::format("fit of g2 by {}, t in {}{}\n{:>5}", table.formula, table.unit_of_t, later, "bin");
    for (const FitTable::Parameter& one : table.parameters)
        text +=
            fmt::format(" {:>22}", one.unit.empty() ? one.name : fmt::format("{} ({})", one.name, one.unit));
    if (table.has_rate) text += fmt::format(" {:>22}", fmt::format("tau ({})", table.unit_of_t));
    text += fmt::format(" {:>9}  status\n", "chi2_red");
    for (std::size_t bin = 0; bin < std::min(table.bins.size(), shown); ++bin) {
        const BinFit& one = table.bins[bin];
        text += fmt::format("{:>5}", bin + 1);
        for (std::size_t k = 0; k < one.values.size(); ++k)
            text += fmt::format(" {:>22}", with_error(one.values[k], one.errors[k]));
        if (table.has_rate) text += fmt::format(" {:>22}", with_error(one.tau, one.tau_error));
        text += fmt::format(" {:>9}  {}\n",
                            std::isnan(one.chi2_reduced) ? "-" : fmt::format("{:.3g}", one.chi2_reduced),
                            one.status);
    }
    if (table.bins.size() > shown)
        text += fmt::format("      ... {}\n", count_text(table.bins.size() - shown, "more bin"));
    if (table.lacks_rate())
        text += fmt::format("      {} is no rate in this formula, so no tau is derived from it\n",
                            fit::rate_name);
    return text;
}

void write_fit_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const std::optional<FitTable> table = fit_table(run);
    if (!table) throw Error(ErrorKind::run, "the run has no fit", out.string());
    const Dataset* const q = run.result.find("q");
    io::write_run_table(run, out, fit_csv(*table, q ? q->values.to_doubles() : std::vector<double>()),
                        overwrite, progress);
}

}  // namespace ks::xpcs
