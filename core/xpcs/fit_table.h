#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/fit/g2_models.h"
#include "core/run/run.h"

namespace ks::xpcs {

/// The fit of one bin. Numbers are NaN unless it converged.
struct BinFit {
    std::string status;
    bool converged = false;
    std::vector<double> values, errors;  ///< [parameter]
    double tau = 0, tau_error = 0;       ///< NaN for a model without a rate
    double chi2_reduced = 0, aic = 0;
    std::size_t groups = 0;  ///< of pixels that the errors come from; 0: not from groups
};

/// The numbers of a fit of all bins, as tables and files give them.
struct FitTable {
    struct Parameter {
        std::string name, unit;
    };
    std::string formula;
    std::string unit_of_t;  ///< "s", or "frames" of the file
    std::vector<Parameter> parameters = {};
    bool has_rate = false;  ///< gamma is 1 / tau
    std::vector<BinFit> bins = {};

    /// There is a gamma, but it is no rate, so that no tau is derived from it.
    bool lacks_rate() const;
    /// Value and error of a parameter of a bin; NaN if the model has no such parameter.
    std::pair<double, double> of(const std::string& name, std::size_t bin) const;
};

/// Unit of the parameter of that index: "1/s", or "1/frame"; empty: none.
/// @param seconds whether t is in seconds
std::string unit_of_parameter(const fit::Model& model, std::size_t index, bool seconds);

/// @param fits of each bin, by the model
/// @param seconds whether t is in seconds
FitTable fit_table(const fit::Model& model, const std::vector<fit::Fit>& fits, bool seconds);
/// The fit that a run contains; nothing without one.
std::optional<FitTable> fit_table(const Run& run);

/// Lines of bin,q,gamma,gamma_err,tau,tau_err,beta,beta_err,baseline,baseline_err,chi2_red,status, with that
/// header. q is empty where unknown, other values are "nan".
/// @param q of each bin in 1/angstrom, NaN if unknown; empty: of none
std::string fit_csv(const FitTable& table, const std::vector<double>& q);

/// The fit of a run as a table with one row per bin; empty without a fit.
std::string fit_text(const Run& run);
/// Writes fit_csv(), atomically. Throws ks::Error(run) without a fit.
void write_fit_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::xpcs
