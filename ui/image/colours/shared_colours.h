#pragma once

#include <QObject>
#include <QString>

#include "ui/base/colour_map.h"
#include "ui/image/view/level_of_detail.h"

class QSettings;

namespace ks::ui {

class DetectorView;

/// Colour map, scale and reduction that several views have in common: a change in one view, or here, reaches
/// all. While the limits are automatic each view finds its own from the common percentile.
class SharedColours : public QObject {
    Q_OBJECT
  public:
    explicit SharedColours(QObject* parent = nullptr) : QObject(parent) {}

    /// The view takes over the common settings at once; it leaves when it is destroyed, or with detach.
    void attach(DetectorView* view);
    void detach(DetectorView* view);

    const ColourMap& map() const { return map_; }
    const ColourScale& scale() const { return scale_; }
    Reduction reduction() const { return reduction_; }
    void setMap(const ColourMap& map);
    void setScale(const ColourScale& scale);
    void setReduction(Reduction reduction);

    /// Under `group`/map, kind, low, high, automatic, percentile, reduction.
    void save(QSettings& settings, const QString& group) const;
    /// What is missing or makes no sense stays as it is.
    void restore(const QSettings& settings, const QString& group);

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
