#include "ui/particles/source_set.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/io/points/point_file.h"
#include "ui/base/colour_map.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/particles/field.h"

namespace ks::ui::particles {
namespace {

constexpr double minRadius = 2, maxRadius = 6.5, fewDots = 100;

const std::vector<double>& coordinates(const PointSet& points, std::size_t axis) {
    return axis == 0 ? points.x : axis == 1 ? points.y : points.z;
}

QString range(double from, double to) {
    return from == to ? formatNumber(from, 3)
                      : QStringLiteral("%1 .. %2").arg(formatNumber(from, 3), formatNumber(to, 3));
}

}  // namespace

SourceSet::SourceSet(PointSet points, bool assumed) : points_(std::move(points)), assumed_(assumed) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& along = coordinates(points_, axis);
        if (along.empty()) continue;
        const auto [low, high] = std::minmax_element(along.begin(), along.end());
        low_[axis] = *low;
        high_[axis] = *high;
    }
    for (std::size_t i = 0; i < size() && points_.has_weights(); ++i) {
        const double magnitude = weight(i);
        heaviest_ = i == 0 ? magnitude : std::max(heaviest_, magnitude);
        lightest_ = i == 0 ? magnitude : std::min(lightest_, magnitude);
        min_ = i == 0 ? points_.weight[i] : std::min(min_, points_.weight[i]);
        max_ = i == 0 ? points_.weight[i] : std::max(max_, points_.weight[i]);
    }
}

double SourceSet::extent() const {
    double longest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) longest = std::max(longest, high_[axis] - low_[axis]);
    return longest > 0 ? longest : 1;
}

double SourceSet::weight(std::size_t source) const {
    const double re = points_.weight[source];
    return points_.is_complex() ? std::hypot(re, points_.weight_im[source]) : std::abs(re);
}

QString SourceSet::countText() const {
    return counted(size(), QObject::tr("1 source"), QObject::tr("%1 sources"));
}

QString SourceSet::boxText() const {
    return QObject::tr("x %1\ny %2\nz %3")
        .arg(range(low_[0], high_[0]), range(low_[1], high_[1]), range(low_[2], high_[2]));
}

QString SourceSet::weightText() const {
    if (assumed_) return QObject::tr("no weights: all are 1");
    if (points_.is_complex()) return QObject::tr("complex weights, |w| %1").arg(range(lightest_, heaviest_));
    return QObject::tr("real weights, %1").arg(range(min_, max_));
}

QString SourceSet::describe(std::size_t source) const {
    QString text =
        QObject::tr("source %1 at (%2, %3, %4)")
            .arg(source)
            .arg(positionText(points_.x[source], extent()), positionText(points_.y[source], extent()),
                 positionText(points_.z[source], extent()));
    if (assumed_) return text;
    text += QObject::tr(", weight %1").arg(formatNumber(points_.weight[source], 4));
    if (points_.is_complex()) {
        const double im = points_.weight_im[source];
        text +=
            QStringLiteral(" %1 %2i").arg(im < 0 ? QChar(0x2212) : QChar('+'), formatNumber(std::abs(im), 4));
    }
    return text;
}

std::shared_ptr<const SourceSet> readSources(const std::string& name) {
    Progress progress;
    io::PointFile file = io::read_points(name, io::Weights::wanted, progress);
    return std::make_shared<const SourceSet>(std::move(file.points), file.weights_assumed);
}

double crowding(std::size_t dots) {
    return std::clamp(std::cbrt(fewDots / std::max(static_cast<double>(dots), 1.0)), 0.3, 1.0);
}

std::vector<SourceDot> sourceDots(const SourceSet& sources, std::size_t maximum) {
    const PointSet& points = sources.points();
    const ColourMap phases = ColourMap::cyclic();
    std::vector<SourceDot> dots;
    const std::size_t step =
        std::max<std::size_t>(1, (sources.size() + maximum - 1) / std::max<std::size_t>(maximum, 1));
    const double smaller = crowding(sources.size() / step);
    for (std::size_t i = 0; i < sources.size(); i += step) {
        const double share = sources.heaviest() > 0 ? sources.weight(i) / sources.heaviest() : 0;
        SourceDot dot{{points.x[i], points.y[i], points.z[i]},
                      smaller * std::max(minRadius, maxRadius * std::sqrt(share)),
                      0,
                      i};
        if (points.is_complex()) {
            const double angle = std::atan2(points.weight_im[i], points.weight[i]);
            dot.colour = phases.at(0.5 + angle / (2 * std::numbers::pi));
        } else {
            dot.colour = points.weight[i] < 0 ? 0xff000000 : 0xffffffff;
        }
        dots.push_back(dot);
    }
    std::stable_sort(dots.begin(), dots.end(),
                     [](const SourceDot& a, const SourceDot& b) { return a.radius > b.radius; });
    return dots;
}

}  // namespace ks::ui::particles
