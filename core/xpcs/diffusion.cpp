#include "core/xpcs/diffusion.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace ks::xpcs {
namespace {

constexpr double boltzmann = 1.380649e-23;  ///< J/K, exact in the SI

}  // namespace

Dispersion dispersion(const FitTable& table, const std::vector<double>& q, const std::vector<bool>& used) {
    Dispersion found;
    found.per_second = table.unit_of_t == "s";
    if (!table.has_rate) return found;
    std::vector<double> x, tau, tau_error, rate, rate_error;
    for (std::size_t bin = 0; bin < table.bins.size() && bin < q.size(); ++bin) {
        const BinFit& one = table.bins[bin];
        if (!one.converged || (!used.empty() && !used[bin])) continue;
        x.push_back(q[bin]);
        tau.push_back(one.tau);
        tau_error.push_back(one.tau_error);
        const auto [value, error] = table.of("gamma", bin);
        rate.push_back(value);
        rate_error.push_back(error);
    }
    found.tau = fit::power_law({x, tau, tau_error});
    found.gamma = fit::power_law({x, rate, rate_error});
    if (const auto law = fit::power_law({x, rate, rate_error}, 2.0)) {
        const double square = law->pivot * law->pivot;
        found.diffusion = WithError{law->amplitude / square, law->amplitude_error / square};
        found.diffusion_chi2_reduced = law->chi2_reduced;
    }
    return found;
}

WithError hydrodynamic_radius(const WithError& diffusion, double temperature, double viscosity) {
    const double radius = boltzmann * temperature / (6 * std::numbers::pi * viscosity * diffusion.value);
    return {radius, radius * diffusion.error / diffusion.value};
}

}  // namespace ks::xpcs
