#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fit/least_squares.h"
#include "core/xpcs/fit_table.h"

namespace ks::xpcs {

struct WithError {
    double value = 0, error = 0;  ///< one standard error
};

/// How rates depend on q. Its errors come from those of the rates.
struct Dispersion {
    std::optional<fit::PowerLaw> tau;    ///< tau = A q^n
    std::optional<fit::PowerLaw> gamma;  ///< gamma = A q^n
    /// D of gamma = D q^2, in angstrom^2/s, or in angstrom^2/frame where no frame time is known.
    std::optional<WithError> diffusion;
    double diffusion_chi2_reduced = 0;  ///< of gamma = D q^2; NaN for one point
    bool per_second = false;            ///< unit of D
};

/// Uses the bins whose fit converged, and which have q and an error.
/// @param q of each bin in 1/angstrom; NaN if unknown
/// @param used of each bin; empty: all
Dispersion dispersion(const FitTable& table, const std::vector<double>& q,
                      const std::vector<bool>& used = {});

/// Radius in m of a sphere that diffuses freely (Stokes and Einstein): kB T / (6 pi eta D).
/// @param diffusion in m^2/s @param temperature in K @param viscosity in Pa s; all above 0
WithError hydrodynamic_radius(const WithError& diffusion, double temperature, double viscosity);

}  // namespace ks::xpcs
