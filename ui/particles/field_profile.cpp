#include "ui/particles/field_profile.h"

#include <QObject>

#include "ui/base/palette.h"

namespace ks::ui::particles {

QVector<CurveSeries> profilesOf(const MapPicture& picture, const PlanePosition& at, const QString& first,
                                const QString& second) {
    QVector<CurveSeries> curves;
    const auto target = picture.nearest(at.plane, at.at);
    if (!target) return curves;
    const PlaneAxes axes = axesOf(at.plane);
    const std::size_t side = picture.grid.side, plane = static_cast<std::size_t>(at.plane);
    const bool two = !picture.secondValues[plane].empty();
    for (const auto& [run, values] :
         {std::pair{first, &picture.values[plane]}, std::pair{second, &picture.secondValues[plane]}}) {
        if (values->empty()) continue;
        for (const bool alongFirst : {true, false}) {
            CurveSeries curve;
            const int along = alongFirst ? axes.first : axes.second,
                      across = alongFirst ? axes.second : axes.first;
            const double fixed = picture.grid.at(alongFirst ? target->j : target->i);
            curve.label =
                QObject::tr("along %1: %2 %3").arg(axisName(along), axisName(across), formatNumber(fixed, 4));
            curve.bin = alongFirst ? 1 : 2;
            curve.style = CurveStyle::line;
            if (two) curve.run = run;
            for (std::size_t k = 0; k < side; ++k) {
                const std::size_t i = alongFirst ? k : target->i, j = alongFirst ? target->j : k;
                curve.x << picture.grid.at(k);
                curve.y << double{(*values)[i * side + j]};
            }
            curves << curve;
        }
    }
    return curves;
}

}  // namespace ks::ui::particles
