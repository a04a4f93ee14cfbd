#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Fits of curves y(x). Nothing here knows what the curves mean.
namespace ks::fit {

/// The value of a model at x. Writes the derivative with respect to each parameter into `gradient`.
using Function =
    std::function<double(double x, std::span<const double> parameters, std::span<double> gradient)>;

struct Parameter {
    std::string name;
    double start = 1;
    std::optional<double> lower = {}, upper = {};  ///< inclusive
    bool fixed = false;                            ///< keeps its start value
    /// The fit means nothing if the value is closer to 0 than this number of standard errors.
    std::optional<double> significance = {};
};

/// Points [point] with one standard error each. A point with a value that is not finite, or with an error
/// that is not finite or not above 0, is left out.
struct Points {
    std::span<const double> x, y, error;
};

enum class State { converged, undetermined, too_few_points, not_converged };
enum class Reason { none, singular, at_bound, insignificant, without_effect };

/// The outcome of a fit.
struct Status {
    State state = State::converged;
    std::string parameter = {};           ///< undetermined: the parameter that is not determined
    Reason reason = Reason::none;         ///< undetermined: why
    std::size_t points = 0, unknown = 0;  ///< too few points: their number, and that of free parameters

    /// "converged", "not determined: gamma (at its bound)"; without commas.
    std::string text() const;
};

struct Fit {
    Status status;
    // Meaningful if the status is `converged`:
    std::vector<double> values;      ///< [parameter]
    std::vector<double> errors;      ///< [parameter]: standard errors; NaN for fixed parameters
    std::vector<double> covariance;  ///< [parameter][parameter]; 0 for fixed parameters
    double chi2 = 0;
    double chi2_reduced = 0;  ///< chi2 / degrees of freedom; NaN without degrees of freedom
    double aic = 0;           ///< Akaike's criterion for known errors: chi2 + 2 (number of free parameters)
    std::size_t degrees_of_freedom = 0;
    std::vector<double> residuals;  ///< [point]: (y - model) / error; NaN where left out
    // Always:
    std::size_t points = 0, left_out = 0;
    std::size_t groups = 0;  ///< number of groups from which the errors were estimated; 0: from the weights
};

struct Task {
    Function function;
    std::vector<Parameter> parameters;
    Points points;
    /// Start values [start][parameter] in the place of Parameter::start. The next one is tried if the fit
    /// from the previous one does not converge inside the bounds, or if its chi2_reduced is above `enough`;
    /// the best fit counts. Empty: Parameter::start.
    std::vector<std::vector<double>> starts = {};
    /// Absent: any.
    std::optional<double> enough = {};
    /// Puts equivalent values into a defined order (two exponentials); absent: there are none.
    std::function<void(std::span<double>)> ordered = {};
    /// Independent estimates [group][point] of the same curve, whose mean is close to y. With two or more,
    /// errors and covariance come from their spread, which includes correlations between points. A group that
    /// is not finite at a point that is used is ignored.
    std::vector<std::vector<double>> groups = {};
};

/// Weighted least squares by the Levenberg-Marquardt method, with weights 1 / error^2. Without groups, the
/// covariance is (J^T W J)^-1 with the derivatives J; it is not scaled by chi2_reduced. With K groups of
/// residuals r_k from their mean, it is the sandwich H^-1 B H^-1, H = J^T W J, B = sum s_k s_k^T / (K (K -
/// 1)), s_k = J^T W r_k. Never throws for numbers; the status says what happened.
Fit solved(const Task& task);

/// y = amplitude (x / pivot)^exponent.
struct PowerLaw {
    double pivot = 0;  ///< weighted geometric mean of x, where amplitude and exponent are not correlated
    double amplitude = 0, amplitude_error = 0;
    double exponent = 0, exponent_error = 0;
    double chi2_reduced = 0;  ///< NaN for two points
    std::size_t points = 0;
};

/// A weighted line in log y against log x; the error of log y is error / y. Points whose x or y is not above
/// 0, and those without an error, are left out. Nothing if fewer than two different x remain.
/// @param exponent fixed to this value, if given; its error is then 0, and a single point is enough
std::optional<PowerLaw> power_law(const Points& points, std::optional<double> exponent = {});

}  // namespace ks::fit
