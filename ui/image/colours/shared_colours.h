#pragma once

#include <QObject>
#include <nlohmann/json.hpp>
#include <string>

#include "ui/base/colour_map.h"
#include "ui/image/view/level_of_detail.h"

namespace ks::ui {

class DetectorView;

/// Colour map, scale and reduction shared by several views: a change in one view, or here, applies to all.
/// With automatic limits each view computes its limits from the common percentile.
class SharedColours : public QObject {
    Q_OBJECT
  public:
    explicit SharedColours(QObject* parent = nullptr) : QObject(parent) {}

    /// The view adopts the shared settings at once. It leaves when destroyed, or with detach().
    void attach(DetectorView* view);
    void detach(DetectorView* view);

    const ColourMap& map() const { return map_; }
    const ColourScale& scale() const { return scale_; }
    Reduction reduction() const { return reduction_; }
    void setMap(const ColourMap& map);
    void setScale(const ColourScale& scale);
    void setReduction(Reduction reduction);

    /// Keys: `prefix` with map, kind, low, high, automatic, percentile, reduction.
    nlohmann::json settings(const std::string& prefix) const;
    /// Missing or invalid values leave the setting as it is.
    void setSettings(const nlohmann::json& kept, const std::string& prefix);

  signals:
    void mapChanged(const ks::ui::ColourMap& map);
    void scaleChanged(const ks::ui::ColourScale& scale);
    void reductionChanged(ks::ui::Reduction reduction);

  private:
    ColourMap map_;
    ColourScale scale_;
    Reduction reduction_ = Reduction::max;
};

}  // namespace ks::ui
