#include "ui/image/colours/shared_colours.h"

#include <cmath>

#include <QSettings>
#include <QStringList>

#include "ui/image/view/detector_view.h"

namespace ks::ui {
namespace {

const QStringList kinds{QStringLiteral("linear"), QStringLiteral("log"), QStringLiteral("sqrt"),
                        QStringLiteral("arcsinh")};
const QStringList reductions{QStringLiteral("max"), QStringLiteral("mean"), QStringLiteral("min")};

}  // namespace

void SharedColours::attach(DetectorView* view) {
    view->setColourMap(map_);
    view->setColourScale(scale_);
    view->setReduction(reduction_);
    // The setters of the view and of this object ignore unchanged values, so no change loops.
    connect(this, &SharedColours::mapChanged, view, &DetectorView::setColourMap);
    connect(this, &SharedColours::scaleChanged, view, &DetectorView::setColourScale);
    connect(this, &SharedColours::reductionChanged, view, &DetectorView::setReduction);
    connect(view, &DetectorView::colourMapChanged, this, &SharedColours::setMap);
    connect(view, &DetectorView::colourScaleSet, this, &SharedColours::setScale);
    connect(view, &DetectorView::reductionChanged, this, &SharedColours::setReduction);
}

void SharedColours::detach(DetectorView* view) {
    disconnect(view);
    view->disconnect(this);
}

void SharedColours::setMap(const ColourMap& map) {
    if (map.name() == map_.name()) return;
    map_ = map;
    emit mapChanged(map_);
}

void SharedColours::setScale(const ColourScale& scale) {
    if (scale == scale_) return;
    scale_ = scale;
    emit scaleChanged(scale_);
}

void SharedColours::setReduction(Reduction reduction) {
    if (reduction == reduction_) return;
    reduction_ = reduction;
    emit reductionChanged(reduction_);
}

void SharedColours::save(QSettings& settings, const QString& group) const {
    const auto put = [&](const char* key, const QVariant& value) {
        settings.setValue(group + QLatin1Char('/') + QLatin1String(key), value);
    };
    put("map", map_.name());
    put("kind", kinds[static_cast<int>(scale_.kind)]);
    put("low", scale_.low);
    put("high", scale_.high);
    put("automatic", scale_.automatic);
    put("percentile", scale_.percentile);
    put("reduction", reductions[static_cast<int>(reduction_)]);
}

void SharedColours::restore(const QSettings& settings, const QString& group) {
    const auto get = [&](const char* key, const QVariant& otherwise) {
        return settings.value(group + QLatin1Char('/') + QLatin1String(key), otherwise);
    };
    const QString map = get("map", map_.name()).toString();
    if (ColourMap::names().contains(map)) setMap(ColourMap::named(map));

    ColourScale scale = scale_;
    const auto kind = kinds.indexOf(get("kind", QString()).toString());
    if (kind >= 0) scale.kind = static_cast<ScaleKind>(kind);
    const double low = get("low", scale.low).toDouble(), high = get("high", scale.high).toDouble();
    if (std::isfinite(low) && std::isfinite(high) && low < high) {
        scale.low = low;
        scale.high = high;
    }
    scale.automatic = get("automatic", scale.automatic).toBool();
    const double percentile = get("percentile", scale.percentile).toDouble();
    if (percentile >= 50 && percentile <= 100) scale.percentile = percentile;
    setScale(scale);

    const auto reduction = reductions.indexOf(get("reduction", QString()).toString());
    if (reduction >= 0) setReduction(static_cast<Reduction>(reduction));
}

}  // namespace ks::ui
