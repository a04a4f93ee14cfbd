#include "core/fit/least_squares.h"

#include <fmt/format.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace ks::fit {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t max_iterations = 200;
/// Smallest share of a parameter's curvature that other parameters may leave it.
constexpr double smallest_pivot = 1e-10;

bool is_used(double x, double y, double error) {
    return std::isfinite(x) && std::isfinite(y) && std::isfinite(error) && error > 0;
}

/// The points that are used, contiguous.
struct Used {
    std::vector<std::size_t> at;  ///< positions in Points
    std::vector<double> x, y, error;

    explicit Used(const Points& points) {
        const std::size_t n = std::min({points.x.size(), points.y.size(), points.error.size()});
        for (std::size_t i = 0; i < n; ++i) {
            if (!is_used(points.x[i], points.y[i], points.error[i])) continue;
            at.push_back(i);
            x.push_back(points.x[i]);
            y.push_back(points.y[i]);
            error.push_back(points.error[i]);
        }
    }
};

/// Maps a free variable u to a parameter within its bounds, as MINUIT does; u = 0 is not at a bound.
class Bounded {
  public:
    Bounded(const Parameter& parameter, double start)
        : lower_(parameter.lower), upper_(parameter.upper), scale_(1) {
        if (lower_ && !upper_) scale_ = std::max(std::abs(start - *lower_), 1e-300);
        if (upper_ && !lower_) scale_ = std::max(std::abs(*upper_ - start), 1e-300);
    }
    double inner(double value) const {
        if (lower_ && upper_) {
            const double at = 2 * (value - *lower_) / (*upper_ - *lower_) - 1;
            return std::asin(std::clamp(at, -0.999, 0.999));
        }
        const double from = lower_ ? value - *lower_ : upper_ ? *upper_ - value : value;
        if (!lower_ && !upper_) return value;
        const double w = 1 + std::max(from, 1e-3 * scale_) / scale_;
        return std::sqrt(w * w - 1);
    }
    double value(double u) const {
        if (lower_ && upper_) return *lower_ + (*upper_ - *lower_) / 2 * (std::sin(u) + 1);
        if (!lower_ && !upper_) return u;
        // sqrt(u^2 + 1) - 1 without cancellation
        const double from = scale_ * u * u / (std::sqrt(u * u + 1) + 1);
        return lower_ ? *lower_ + from : *upper_ - from;
    }
    double slope(double u) const {
        if (lower_ && upper_) return (*upper_ - *lower_) / 2 * std::cos(u);
        if (!lower_ && !upper_) return 1;
        const double up = scale_ * u / std::sqrt(u * u + 1);
        return lower_ ? up : -up;
    }
    bool is_at_bound(double value) const {
        const double near = lower_ && upper_ ? 1e-6 * (*upper_ - *lower_) : 1e-6 * scale_;
        return (lower_ && value - *lower_ <= near) || (upper_ && *upper_ - value <= near);
    }

  private:
    std::optional<double> lower_, upper_;
    double scale_;
};

/// One minimisation, as GSL's callbacks see it.
struct Minimised {
    const Function& function;
    const Used& used;
    std::vector<double> parameters;  ///< all
    std::vector<std::size_t> free;   ///< positions of the free ones
    std::vector<Bounded> bounded;    ///< of the free ones
    // Values and derivatives of the last evaluation: GSL asks for them one after the other.
    std::vector<double> u, residuals, jacobian;

    void evaluate(const gsl_vector* at) {
        const std::size_t n = free.size();
        if (u.size() == n && !residuals.empty()) {
            bool same = true;
            for (std::size_t k = 0; k < n; ++k) same = same && u[k] == gsl_vector_get(at, k);
            if (same) return;
        }
        u.resize(n);
        std::vector<double> slope(n), gradient(parameters.size());
        for (std::size_t k = 0; k < n; ++k) {
            u[k] = gsl_vector_get(at, k);
            parameters[free[k]] = bounded[k].value(u[k]);
            slope[k] = bounded[k].slope(u[k]);
        }
        residuals.resize(used.x.size());
        jacobian.resize(used.x.size() * n);
        for (std::size_t i = 0; i < used.x.size(); ++i) {
            const double value = function(used.x[i], parameters, gradient);
            const double residual = (value - used.y[i]) / used.error[i];
            // So large that the step is refused.
            residuals[i] = std::isfinite(residual) ? residual : 1e100;
            for (std::size_t k = 0; k < n; ++k) {
                const double derivative = gradient[free[k]] * slope[k] / used.error[i];
                jacobian[i * n + k] = std::isfinite(derivative) ? derivative : 0;
            }
        }
    }
    static int values(const gsl_vector* at, void* self, gsl_vector* out) {
        auto& me = *static_cast<Minimised*>(self);
        me.evaluate(at);
        for (std::size_t i = 0; i < me.residuals.size(); ++i) gsl_vector_set(out, i, me.residuals[i]);
        return GSL_SUCCESS;
    }
    static int derivatives(const gsl_vector* at, void* self, gsl_matrix* out) {
        auto& me = *static_cast<Minimised*>(self);
        me.evaluate(at);
        const std::size_t n = me.free.size();
        for (std::size_t i = 0; i < me.residuals.size(); ++i)
            for (std::size_t k = 0; k < n; ++k) gsl_matrix_set(out, i, k, me.jacobian[i * n + k]);
        return GSL_SUCCESS;
    }
};

/// Whether no direction of a parameter lowers the sum of squares noticeably.
bool is_minimum(const Minimised& at) {
    const std::size_t n = at.free.size();
    double length = 0;
    for (const double residual : at.residuals) length += residual * residual;
    for (std::size_t k = 0; k < n; ++k) {
        double along = 0, column = 0;
        for (std::size_t i = 0; i < at.residuals.size(); ++i) {
            along += at.jacobian[i * n + k] * at.residuals[i];
            column += at.jacobian[i * n + k] * at.jacobian[i * n + k];
        }
        if (along * along > 1e-8 * column * length + 1e-20 * column) return false;
    }
    return true;
}

struct Minimum {
    bool converged = false;
    bool at_bound = false;
    double chi2 = std::numeric_limits<double>::infinity();
    std::vector<double> values;
    std::string bound_parameter = {};
};

Minimum minimum_from(const Task& task, const Used& used, const std::vector<std::size_t>& free,
                     const std::vector<double>& start) {
    Minimised state{task.function, used, start, free, {}, {}, {}, {}};
    const std::size_t n = free.size(), points = used.x.size();
    const std::unique_ptr<gsl_vector, void (*)(gsl_vector*)> at(gsl_vector_alloc(n), gsl_vector_free);
    for (std::size_t k = 0; k < n; ++k) {
        state.bounded.emplace_back(task.parameters[free[k]], start[free[k]]);
        gsl_vector_set(at.get(), k, state.bounded[k].inner(start[free[k]]));
    }
    state.evaluate(at.get());
    Minimum found;
    found.values = state.parameters;
    if (std::ranges::any_of(state.residuals, [](double r) { return r == 1e100; })) return found;

    gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf callbacks{};
    callbacks.f = Minimised::values;
    callbacks.df = Minimised::derivatives;
    callbacks.n = points;
    callbacks.p = n;
    callbacks.params = &state;
    const std::unique_ptr<gsl_multifit_nlinear_workspace, void (*)(gsl_multifit_nlinear_workspace*)> work(
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, points, n),
        gsl_multifit_nlinear_free);
    gsl_multifit_nlinear_init(at.get(), &callbacks, work.get());
    int info = 0;
    const int outcome =
        gsl_multifit_nlinear_driver(max_iterations, 1e-9, 1e-12, 0, nullptr, nullptr, &info, work.get());
    state.evaluate(gsl_multifit_nlinear_position(work.get()));
    found.values = state.parameters;
    found.chi2 = 0;
    for (const double residual : state.residuals) found.chi2 += residual * residual;
    // No progress from a minimum is success.
    found.converged = std::isfinite(found.chi2) && (outcome == GSL_SUCCESS || is_minimum(state));
    for (std::size_t k = 0; k < n; ++k)
        if (!found.at_bound && state.bounded[k].is_at_bound(found.values[free[k]])) {
            found.at_bound = true;
            found.bound_parameter = task.parameters[free[k]].name;
        }
    return found;
}

/// The inverse of a symmetric matrix [n][n] by Cholesky's method after scaling to a unit diagonal. Returns
/// the position of a row that depends on others, or n.
std::size_t invert(std::vector<double>& matrix, std::size_t n) {
    std::vector<double> scale(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double diagonal = matrix[i * n + i];
        if (!(diagonal > 0) || !std::isfinite(diagonal)) return i;
        scale[i] = 1 / std::sqrt(diagonal);
    }
    std::vector<double> lower(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i * n + j] * scale[i] * scale[j];
            for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
            if (i == j) {
                if (!(sum > smallest_pivot)) return i;
                lower[i * n + i] = std::sqrt(sum);
            } else {
                lower[i * n + j] = sum / lower[j * n + j];
            }
        }
    for (std::size_t column = 0; column < n; ++column) {
        std::vector<double> x(n, 0.0);
        x[column] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k) x[i] -= lower[i * n + k] * x[k];
            x[i] /= lower[i * n + i];
        }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower[k * n + i] * x[k];
            x[i] /= lower[i * n + i];
        }
        for (std::size_t i = 0; i < n; ++i) matrix[i * n + column] = x[i] * scale[i] * scale[column];
    }
    return n;
}

/// J / error at the used points, [point][free parameter].
std::vector<double> weighted_derivatives(const Task& task, const Used& used,
                                         const std::vector<std::size_t>& free,
                                         const std::vector<double>& values) {
    std::vector<double> jacobian(used.x.size() * free.size()), gradient(values.size());
    for (std::size_t i = 0; i < used.x.size(); ++i) {
        task.function(used.x[i], values, gradient);
        for (std::size_t k = 0; k < free.size(); ++k)
            jacobian[i * free.size() + k] = gradient[free[k]] / used.error[i];
    }
    return jacobian;
}

/// The sandwich covariance of solved(); `inverse` is H^-1. Returns the number of groups, 0 if there are too
/// few.
std::size_t from_groups(const Task& task, const Used& used, const std::vector<double>& jacobian,
                        const std::vector<double>& inverse, std::size_t n, std::vector<double>& covariance) {
    std::vector<const std::vector<double>*> groups;
    for (const std::vector<double>& group : task.groups) {
        const auto is_known = [&group](std::size_t at) {
            return at < group.size() && std::isfinite(group[at]);
        };
        if (std::ranges::all_of(used.at, is_known)) groups.push_back(&group);
    }
    const std::size_t count = groups.size();
    if (count < 2) return 0;
    std::vector<double> mean(used.at.size(), 0.0);
    for (const std::vector<double>* group : groups)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += (*group)[used.at[i]] / static_cast<double>(count);
    covariance.assign(n * n, 0.0);
    for (const std::vector<double>* group : groups) {
        std::vector<double> slope(n, 0.0), shift(n, 0.0);
        for (std::size_t i = 0; i < mean.size(); ++i) {
            const double deviation = ((*group)[used.at[i]] - mean[i]) / used.error[i];
            for (std::size_t k = 0; k < n; ++k) slope[k] += jacobian[i * n + k] * deviation;
        }
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) shift[k] += inverse[k * n + j] * slope[j];
        const double share = 1 / (static_cast<double>(count) * static_cast<double>(count - 1));
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) covariance[k * n + j] += shift[k] * shift[j] * share;
    }
    return count;
}

Status undetermined(const std::string& parameter, Reason reason) {
    return {.state = State::undetermined, .parameter = parameter, .reason = reason};
}

/// Fills covariance, errors, residuals and statistics at values that minimise chi2.
void complete(Fit& fit, const Task& task, const Used& used, const std::vector<std::size_t>& free) {
    const std::size_t n = free.size(), all = task.parameters.size();
    const std::vector<double> jacobian = weighted_derivatives(task, used, free, fit.values);
    std::vector<double> covariance(n * n, 0.0);
    for (std::size_t i = 0; i < used.x.size(); ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                covariance[k * n + j] += jacobian[i * n + k] * jacobian[i * n + j];
    // A search for the minimum that strayed ends where the curve is flat, with errors of any size.
    constexpr double least_effect = 1e-6;  // of such a change, in standard errors of the curve
    for (std::size_t k = 0; k < n; ++k) {
        const Parameter& parameter = task.parameters[free[k]];
        const double change = std::max({1.0, std::abs(fit.values[free[k]]), std::abs(parameter.start)});
        if (change * std::sqrt(covariance[k * n + k]) < least_effect) {
            fit.status = undetermined(parameter.name, Reason::without_effect);
            return;
        }
    }
    if (const std::size_t row = invert(covariance, n); row < n) {
        fit.status = undetermined(task.parameters[free[row]].name, Reason::singular);
        return;
    }
    const std::vector<double> inverse = covariance;
    fit.groups = from_groups(task, used, jacobian, inverse, n, covariance);
    fit.errors.assign(all, undefined);
    fit.covariance.assign(all * all, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
        fit.errors[free[k]] = std::sqrt(covariance[k * n + k]);
        for (std::size_t j = 0; j < n; ++j) fit.covariance[free[k] * all + free[j]] = covariance[k * n + j];
    }
    fit.residuals.assign(task.points.y.size(), undefined);
    std::vector<double> gradient(all);
    fit.chi2 = 0;
    for (std::size_t i = 0; i < used.x.size(); ++i) {
        const double residual = (used.y[i] - task.function(used.x[i], fit.values, gradient)) / used.error[i];
        fit.residuals[used.at[i]] = residual;
        fit.chi2 += residual * residual;
    }
    fit.degrees_of_freedom = used.x.size() - n;
    fit.chi2_reduced =
        fit.degrees_of_freedom > 0 ? fit.chi2 / static_cast<double>(fit.degrees_of_freedom) : undefined;
    fit.aic = fit.chi2 + 2 * static_cast<double>(n);
    // Errors from weights are too small by at least this factor if the curve scatters more than they say.
    const double excess = fit.groups == 0 && fit.chi2_reduced > 1 ? std::sqrt(fit.chi2_reduced) : 1;
    for (const std::size_t k : free) {
        const Parameter& parameter = task.parameters[k];
        if (!std::isfinite(fit.values[k]) || !std::isfinite(fit.errors[k])) {
            fit.status = undetermined(parameter.name, Reason::singular);
            return;
        }
        if (parameter.significance &&
            std::abs(fit.values[k]) < *parameter.significance * fit.errors[k] * excess) {
            fit.status = undetermined(parameter.name, Reason::insignificant);
            return;
        }
    }
}

/// GSL ends the process on an error unless its handler is off.
void let_gsl_return_errors() {
    static std::once_flag once;
    std::call_once(once, [] { gsl_set_error_handler_off(); });
}

}  // namespace

std::string Status::text() const {
    const char* why = "";
    switch (reason) {
        case Reason::none:
            break;
        case Reason::singular:
            why = "the covariance is singular";
            break;
        case Reason::at_bound:
            why = "at its bound";
            break;
        case Reason::insignificant:
            why = "its error is too large to tell it from 0";
            break;
        case Reason::without_effect:
            why = "the curve does not depend on it";
            break;
    }
    switch (state) {
        case State::converged:
            return "converged";
        case State::undetermined:
            return fmt::format("not determined: {} ({})", parameter, why);
        case State::too_few_points:
            return fmt::format("too few points: {} for {} parameters", points, unknown);
        case State::not_converged:
            break;
    }
    return "did not converge";
}

Fit solved(const Task& task) {
    let_gsl_return_errors();
    const Used used(task.points);
    Fit fit;
    fit.points = used.x.size();
    fit.left_out = task.points.y.size() - used.x.size();
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < task.parameters.size(); ++k)
        if (!task.parameters[k].fixed) free.push_back(k);
    // As many points as parameters have a solution, but no sign of whether the model is right.
    if (used.x.size() <= free.size()) {
        fit.status = {.state = State::too_few_points, .points = used.x.size(), .unknown = free.size()};
        return fit;
    }
    std::vector<std::vector<double>> starts = task.starts;
    if (starts.empty()) starts.emplace_back();
    Minimum best;
    for (std::vector<double>& start : starts) {
        start.resize(task.parameters.size(), undefined);
        for (std::size_t k = 0; k < start.size(); ++k)
            if (task.parameters[k].fixed || std::isnan(start[k])) start[k] = task.parameters[k].start;
        Minimum found;
        if (free.empty()) {
            found = {true, false, 0, start};
        } else {
            found = minimum_from(task, used, free, start);
        }
        const auto is_good = [](const Minimum& one) { return one.converged && !one.at_bound; };
        if (best.values.empty() ||
            std::pair(is_good(found), -found.chi2) > std::pair(is_good(best), -best.chi2))
            best = found;
        const auto freedom = static_cast<double>(used.x.size() - free.size());
        if (is_good(best) && (!task.enough || best.chi2 <= *task.enough * freedom)) break;
    }
    fit.values = best.values;
    if (!best.converged) {
        fit.status = {.state = State::not_converged};
        return fit;
    }
    if (best.at_bound) {
        fit.status = undetermined(best.bound_parameter, Reason::at_bound);
        return fit;
    }
    if (task.ordered) task.ordered(fit.values);
    complete(fit, task, used, free);
    return fit;
}

std::optional<PowerLaw> power_law(const Points& points, std::optional<double> exponent) {
    std::vector<double> x, y, weight;
    for (std::size_t i = 0; i < points.y.size(); ++i) {
        if (!is_used(points.x[i], points.y[i], points.error[i]) || points.x[i] <= 0 || points.y[i] <= 0)
            continue;
        const double error = points.error[i] / points.y[i];
        x.push_back(std::log(points.x[i]));
        y.push_back(std::log(points.y[i]));
        weight.push_back(1 / (error * error));
    }
    double total = 0, mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        total += weight[i];
        mean_x += weight[i] * x[i];
        mean_y += weight[i] * y[i];
    }
    if (x.empty()) return std::nullopt;
    mean_x /= total;
    mean_y /= total;
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += weight[i] * (x[i] - mean_x) * (x[i] - mean_x);
        xy += weight[i] * (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (!exponent && !(xx > 0)) return std::nullopt;
    PowerLaw law;
    law.points = x.size();
    law.exponent = exponent ? *exponent : xy / xx;
    law.exponent_error = exponent ? 0 : 1 / std::sqrt(xx);
    law.pivot = std::exp(mean_x);
    law.amplitude = std::exp(mean_y);
    law.amplitude_error = law.amplitude / std::sqrt(total);
    const std::size_t unknown = exponent ? 1 : 2;
    double chi2 = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = y[i] - mean_y - law.exponent * (x[i] - mean_x);
        chi2 += weight[i] * residual * residual;
    }
    law.chi2_reduced = x.size() > unknown ? chi2 / static_cast<double>(x.size() - unknown) : undefined;
    return law;
}

}  // namespace ks::fit
