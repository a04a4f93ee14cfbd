#include "ui/particles/map_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ui/base/palette.h"
#include "ui/image/overlay/isolines.h"
#include "ui/image/view/row_threads.h"

namespace ks::ui::particles {
namespace {

double largestOf(const Field& field) {
    double largest = 0;
    for (const Plane plane : allPlanes) {
        const auto at = static_cast<std::size_t>(plane);
        for (std::size_t k = 0; k < field.re[at].size(); ++k)
            largest =
                std::max(largest, std::hypot(field.re[at][k], field.im[at].empty() ? 0 : field.im[at][k]));
    }
    return largest;
}

double step(const ks::particles::PlaneGrid& grid) {
    return grid.side > 1 ? (grid.high - grid.low) / static_cast<double>(grid.side - 1) : 0;
}

// Logarithms are taken of magnitudes.
bool folded(PlaneValues& values) {
    const bool negative = std::ranges::any_of(values, [](const std::vector<float>& plane) {
        return std::ranges::any_of(plane, [](float v) { return v < 0; });
    });
    for (std::size_t plane = 0; negative && plane < values.size(); ++plane)
        for (float& value : values[plane]) value = std::abs(value);
    return negative;
}

bool isStopped(const PictureInput& input) {
    return input.stopped && input.stopped->load();
}

void requireWanted(const PictureInput& input) {
    if (isStopped(input)) throw Error(ErrorKind::cancelled, "the maps were stopped");
}

/// Images and lines of all planes. Computed on several threads, because the user waits for them.
void draw(MapPicture& picture, const PictureInput& input) {
    const double maximum =
        picture.colours.angles ? std::numbers::pi : std::numeric_limits<double>::infinity();
    const double grid = step(picture.grid);
    const QPointF corner(picture.grid.low, picture.grid.low);
    const std::size_t side = picture.grid.side, planes = picture.values.size(),
                      levels = picture.levels.size();
    std::vector<std::vector<QPolygonF>> lines(planes * levels);
    inParts(planes * (levels + 1), 1, [&](std::size_t first, std::size_t end) {
        for (std::size_t piece = first; piece < end; ++piece) {
            const std::size_t plane = piece % planes, level = piece / planes;
            const std::vector<float>& values = picture.values[plane];
            if (isStopped(input)) return;
            if (level == levels) {
                picture.images[plane] = picture.colours.image(values, side);
                continue;
            }
            lines[plane * levels + level] = isolines(values, side, side, picture.levels[level], maximum);
            for (QPolygonF& line : lines[plane * levels + level])
                for (QPointF& point : line) point = corner + point * grid;
        }
    });
    requireWanted(input);
    for (std::size_t k = 0; k < lines.size(); ++k)
        for (QPolygonF& line : lines[k])
            picture.lines[k / levels].push_back({picture.levels[k % levels], std::move(line)});
}

}  // namespace

FieldError errorOf(const Field& values, const Field& reference) {
    requireComparable(values, reference);
    FieldError found;
    const double minimum = 1e-6 * largestOf(reference);
    for (const Plane plane : allPlanes) {
        const auto at = static_cast<std::size_t>(plane);
        const bool isComplex = !values.im[at].empty();
        for (std::size_t k = 0; k < values.re[at].size(); ++k) {
            const double a = reference.re[at][k], b = isComplex ? reference.im[at][k] : 0;
            const double error = std::hypot(values.re[at][k] - a, isComplex ? values.im[at][k] - b : 0.0),
                         size = std::hypot(a, b), relative = size > minimum ? error / size : 0;
            const PlanePoint here{plane, k / values.grid.side, k % values.grid.side};
            // NaN is worse than any error.
            if (error > found.absolute || std::isnan(error)) {
                found.absolute = std::isnan(error) ? HUGE_VAL : error;
                found.worst = here;
            }
            if (relative > found.relative) {
                found.relative = relative;
                found.worstRelative = here;
            }
        }
    }
    return found;
}

QPointF placeOf(const Field& field, const PlanePoint& point) {
    return {field.grid.at(point.i), field.grid.at(point.j)};
}

QString placeText(const Field& field, const PlanePoint& point) {
    const PlaneAxes axes = axesOf(point.plane);
    const QPointF place = placeOf(field, point);
    std::array<double, 3> at{};
    at[static_cast<std::size_t>(axes.first)] = place.x();
    at[static_cast<std::size_t>(axes.second)] = place.y();
    at[static_cast<std::size_t>(axes.normal)] = field.offset(point.plane);
    const double extent = field.grid.high - field.grid.low;
    return QStringLiteral("%1 (%2, %3, %4)")
        .arg(nameOf(point.plane), positionText(at[0], extent), positionText(at[1], extent),
             positionText(at[2], extent));
}

std::optional<PlanePoint> MapPicture::nearest(Plane plane, const QPointF& at) const {
    const double one = step(grid);
    const auto index = [&](double v) { return one != 0 ? std::round((v - grid.low) / one) : 0.0; };
    const double i = index(at.x()), j = index(at.y()), last = static_cast<double>(grid.side) - 1;
    if (!(i >= 0 && j >= 0 && i <= last && j <= last)) return std::nullopt;
    return PlanePoint{plane, static_cast<std::size_t>(i), static_cast<std::size_t>(j)};
}

std::shared_ptr<const MapPicture> makePicture(const PictureInput& input) {
    const auto fieldIn = [&](const std::shared_ptr<const Run>& run) {
        requireWanted(input);
        return run ? fieldOf(*run, input.stem) : nullptr;
    };
    std::shared_ptr<const Field> field = fieldIn(input.shown == Shown::second ? input.second : input.first);
    if (!field) return nullptr;
    auto picture = std::make_shared<MapPicture>();
    Part part = field->info.isComplex ? input.part : Part::value;
    if (field->info.isComplex && part == Part::value) part = Part::magnitude;
    PlaneValues& values = picture->values;
    if (input.shown == Shown::difference || input.shown == Shown::error) {
        const bool error = input.shown == Shown::error;
        const auto other = fieldIn(error ? input.reference : input.second);
        if (!other) return nullptr;
        picture->error = errorOf(*field, *other);
        const QString of = field->info.title;
        auto changed = std::make_shared<Field>(*difference(*field, *other));
        if (error) {
            part = Part::magnitude;
            changed->info.title = QStringLiteral("%1 \u2212 reference").arg(of);
        }
        field = changed;
    } else if (input.shown == Shown::first) {
        if (const auto other = fieldIn(input.second); other && comparable(*field, *other))
            picture->secondValues = valuesOf(*other, part);
    }
    requireWanted(input);
    values = valuesOf(*field, part);
    requireWanted(input);
    picture->title = partTitle(field->info, part);
    if (input.kind == ScaleKind::log && part != Part::phase && folded(values)) {
        picture->title = QStringLiteral("|%1|").arg(picture->title);
        folded(picture->secondValues);
    }
    picture->grid = field->grid;
    picture->colours = coloursFor(values, part, input.kind, input.mapName, input.limits);
    // Errors and differences are mostly rounding noise, which would have a line around every target.
    if (!picture->error) picture->levels = levelsOf(picture->colours, input.isolines);
    requireWanted(input);
    draw(*picture, input);
    picture->field = std::move(field);
    return picture;
}

}  // namespace ks::ui::particles
