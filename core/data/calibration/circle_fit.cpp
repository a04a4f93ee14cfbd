#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/data/calibration/calibration.h"
#include "core/data/geometry.h"

namespace ks {
namespace {

using Points = Eigen::Matrix2Xd;

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorKind::input, message, "circle", "choose points spread along an arc");
}

/// Sum of squared distances to the circle around `centre`, whose best radius is the mean distance.
double cost(const Points& points, const Eigen::Vector2d& centre) {
    const Eigen::VectorXd distance = (points.colwise() - centre).colwise().norm();
    return (distance.array() - distance.mean()).square().sum();
}

/// Least squares of x^2 + y^2 - 2 a x - 2 b y - c (Kasa); underestimates the radius of short arcs.
Eigen::Vector2d algebraic_centre(const Points& points) {
    Eigen::MatrixX3d system(points.cols(), 3);
    system << 2.0 * points.transpose(), Eigen::VectorXd::Ones(points.cols());
    const Eigen::VectorXd square = points.colwise().squaredNorm();
    return system.colPivHouseholderQr().solve(square).head<2>();
}

/// Damped Gauss-Newton in the centre only; the radius is the mean distance (variable projection).
Eigen::Vector2d geometric_centre(const Points& points, Eigen::Vector2d centre) {
    double best = cost(points, centre), damping = 1e-6;
    for (int step = 0; step < 500 && damping < 1e12; ++step) {
        const Points away = points.colwise() - centre;
        const Eigen::RowVectorXd distance = away.colwise().norm();
        if (!(distance.minCoeff() > 0)) break;
        const Points unit = away.array().rowwise() / distance.array();
        const Eigen::RowVectorXd residual = distance.array() - distance.mean();
        const Points jacobian = -(unit.colwise() - Eigen::Vector2d(unit.rowwise().mean()));
        Eigen::Matrix2d normal = jacobian * jacobian.transpose();
        normal.diagonal() *= 1 + damping;
        const Eigen::Vector2d move = normal.ldlt().solve(-jacobian * residual.transpose());
        if (!move.allFinite()) break;
        if (const double next = cost(points, centre + move); next < best) {
            centre += move;
            best = next;
            damping = std::max(damping / 10, 1e-15);
            if (move.norm() < 1e-13 * distance.mean()) break;
        } else {
            damping *= 10;
        }
    }
    return centre;
}

}  // namespace

CircleFit fit_circle(std::span<const ImagePoint> given) {
    if (given.size() < 3) refuse(fmt::format("a circle needs at least 3 points, found {}", given.size()));
    Points points(2, static_cast<Eigen::Index>(given.size()));
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
        const ImagePoint& point = given[static_cast<std::size_t>(i)];
        points.col(i) << point.x, point.y;
    }
    if (!points.allFinite()) refuse("the points of a circle must have finite coordinates");
    // Relative to the mean and in units of the spread, so that no digits are lost in the far corner
    // of a detector.
    const Eigen::Vector2d mean = points.rowwise().mean();
    points.colwise() -= mean;
    const double spread = std::sqrt(points.squaredNorm() / static_cast<double>(points.cols()));
    if (!(spread > 1e-12 * (1 + mean.norm()))) refuse("all points are identical");
    points /= spread;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> scatter(points * points.transpose());
    if (!(scatter.eigenvalues()[0] > 1e-16 * scatter.eigenvalues()[1])) refuse("all points are on one line");
    const Eigen::Vector2d centre = geometric_centre(points, algebraic_centre(points));
    const double radius = (points.colwise() - centre).colwise().norm().mean();
    constexpr double straight = 1e6;  // an arc that bends by less than 1e-7 of its length
    if (!(radius < straight)) refuse("the points are almost on one line");
    return {mean.x() + spread * centre.x(), mean.y() + spread * centre.y(), spread * radius,
            spread * std::sqrt(cost(points, centre) / static_cast<double>(points.cols())), given.size()};
}

CircleFit fit_ring(std::span<const ImagePoint> given, double aspect) {
    const RingAxes unit = RingAxes::of(1, aspect);
    std::vector<ImagePoint> points(given.begin(), given.end());
    for (ImagePoint& point : points) {
        point.x /= unit.x;
        point.y /= unit.y;
    }
    CircleFit fit = fit_circle(points);
    fit.x *= unit.x;
    fit.y *= unit.y;
    return fit;
}

}  // namespace ks
