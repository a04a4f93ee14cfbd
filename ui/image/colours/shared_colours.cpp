#include "ui/image/colours/shared_colours.h"

#include <QStringList>

#include "ui/base/json_read.h"
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

nlohmann::json SharedColours::settings(const std::string& prefix) const {
    return {{prefix + "map", map_.name().toStdString()},
            {prefix + "kind", kinds[static_cast<int>(scale_.kind)].toStdString()},
            {prefix + "low", scale_.low},
            {prefix + "high", scale_.high},
            {prefix + "automatic", scale_.automatic},
            {prefix + "percentile", scale_.percentile},
            {prefix + "reduction", reductions[static_cast<int>(reduction_)].toStdString()}};
}

void SharedColours::setSettings(const nlohmann::json& kept, const std::string& prefix) {
    const QString map = jsonText(kept, (prefix + "map").c_str(), map_.name());
    if (ColourMap::names().contains(map)) setMap(ColourMap::named(map));

    ColourScale scale = scale_;
    const auto kind = kinds.indexOf(jsonText(kept, (prefix + "kind").c_str()));
    if (kind >= 0) scale.kind = static_cast<ScaleKind>(kind);
    const double low = jsonNumber(kept, (prefix + "low").c_str(), scale.low),
                 high = jsonNumber(kept, (prefix + "high").c_str(), scale.high);
    if (low < high) {
        scale.low = low;
        scale.high = high;
    }
    scale.automatic = jsonBoolean(kept, (prefix + "automatic").c_str(), scale.automatic);
    const double percentile = jsonNumber(kept, (prefix + "percentile").c_str(), scale.percentile);
    if (percentile >= 50 && percentile <= 100) scale.percentile = percentile;
    setScale(scale);

    const auto reduction = reductions.indexOf(jsonText(kept, (prefix + "reduction").c_str()));
    if (reduction >= 0) setReduction(static_cast<Reduction>(reduction));
}

}  // namespace ks::ui
