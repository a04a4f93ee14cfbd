#include "ui/particles/source_set.h"

#include <QObject>
#include <QStringList>
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
    for (std::size_t vector = 0; vector < points_.n_vectors(); ++vector) ranges_.push_back(rangeOf(vector));
    if (ranges_.empty()) ranges_.emplace_back();
}

SourceSet::Range SourceSet::rangeOf(std::size_t vector) const {
    Range range;
    const std::vector<double>& re = points_.re(vector);
    for (std::size_t i = 0; i < size(); ++i) {
        const double magnitude = weight(i, vector);
        range.heaviest = i == 0 ? magnitude : std::max(range.heaviest, magnitude);
        range.lightest = i == 0 ? magnitude : std::min(range.lightest, magnitude);
        range.min = i == 0 ? re[i] : std::min(range.min, re[i]);
        range.max = i == 0 ? re[i] : std::max(range.max, re[i]);
    }
    return range;
}

double SourceSet::extent() const {
    double longest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) longest = std::max(longest, high_[axis] - low_[axis]);
    return longest > 0 ? longest : 1;
}

double SourceSet::weight(std::size_t source, std::size_t vector) const {
    const double re = points_.re(vector)[source];
    const std::vector<double>& im = points_.im(vector);
    return im.empty() ? std::abs(re) : std::hypot(re, im[source]);
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
    QStringList lines;
    for (std::size_t vector = 0; vector < ranges_.size(); ++vector) {
        const Range& one = ranges_[vector];
        const QString number = ranges_.size() > 1 ? QStringLiteral(" %1").arg(vector + 1) : QString();
        lines << (points_.im(vector).empty()
                      ? QObject::tr("real weights%1, %2").arg(number, range(one.min, one.max))
                      : QObject::tr("complex weights%1, |w| %2")
                            .arg(number, range(one.lightest, one.heaviest)));
    }
    return lines.join(QLatin1Char('\n'));
}

QString SourceSet::describe(std::size_t source, std::size_t vector) const {
    QString text =
        QObject::tr("source %1 at (%2, %3, %4)")
            .arg(source)
            .arg(positionText(points_.x[source], extent()), positionText(points_.y[source], extent()),
                 positionText(points_.z[source], extent()));
    if (assumed_) return text;
    const QString number = formatNumber(points_.re(vector)[source], 4);
    text += ranges_.size() > 1 ? QObject::tr(", weight %1: %2").arg(vector + 1).arg(number)
                               : QObject::tr(", weight %1").arg(number);
    if (const std::vector<double>& all = points_.im(vector); !all.empty()) {
        const double im = all[source];
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

std::vector<SourceDot> sourceDots(const SourceSet& sources, std::size_t maximum, std::size_t vector) {
    const PointSet& points = sources.points();
    const std::vector<double>&re = points.re(vector), &im = points.im(vector);
    const double heaviest = sources.heaviest(vector);
    const ColourMap phases = ColourMap::cyclic();
    std::vector<SourceDot> dots;
    const std::size_t step =
        std::max<std::size_t>(1, (sources.size() + maximum - 1) / std::max<std::size_t>(maximum, 1));
    const double smaller = crowding(sources.size() / step);
    for (std::size_t i = 0; i < sources.size(); i += step) {
        const double share = heaviest > 0 ? sources.weight(i, vector) / heaviest : 0;
        SourceDot dot{{points.x[i], points.y[i], points.z[i]},
                      smaller * std::max(minRadius, maxRadius * std::sqrt(share)),
                      0,
                      i};
        if (!im.empty()) {
            const double angle = std::atan2(im[i], re[i]);
            dot.colour = phases.at(0.5 + angle / (2 * std::numbers::pi));
        } else {
            dot.colour = re[i] < 0 ? 0xff000000 : 0xffffffff;
        }
        dots.push_back(dot);
    }
    std::stable_sort(dots.begin(), dots.end(),
                     [](const SourceDot& a, const SourceDot& b) { return a.radius > b.radius; });
    return dots;
}

}  // namespace ks::ui::particles
