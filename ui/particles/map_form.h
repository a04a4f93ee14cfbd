#pragma once

#include <QWidget>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "ui/particles/map_colours.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace ks::ui::particles {

/// How the maps are coloured: colour map, limits, isolines.
class MapForm : public QWidget {
    Q_OBJECT
  public:
    explicit MapForm(QWidget* parent = nullptr);

    QString mapName() const;
    void setMapName(const QString& name);
    /// nullopt: they follow the values, because they are not locked or cannot be used.
    std::optional<std::pair<double, double>> limits() const;
    /// Locked ones, even if they cannot be used; nullopt: they are not locked.
    std::optional<std::pair<double, double>> typedLimits() const;
    void setTypedLimits(const std::optional<std::pair<double, double>>& limits);
    bool locked() const;
    /// Angles have a fixed colour map and fixed limits: nothing to choose.
    void setAngles(bool angles);
    /// The limits in effect; shown while they are not locked.
    void showLimits(double low, double high);
    IsolineChoice isolines() const;
    void setIsolines(const IsolineChoice& choice);

    QCheckBox& lock() { return *lock_; }
    QSpinBox& count() { return *count_; }
    QDoubleSpinBox& step() { return *step_; }
    QComboBox& spacing() { return *spacing_; }

    nlohmann::json settings() const;
    void setSettings(const nlohmann::json& kept);

  public slots:
    void setLocked(bool locked);
    void setIsolinesVisible(bool visible);

  signals:
    void changed();
    void lockedChanged(bool locked);

  private:
    void describeFields();
    void layOut();
    void showSpacing();
    /// Why locked limits cannot be used.
    void showRefusal();

    QComboBox *map_, *spacing_;
    QCheckBox* lock_;
    QDoubleSpinBox *low_, *high_, *step_;
    QSpinBox* count_;
    QLabel* refusal_;
    bool visible_ = false, showing_ = false;
};

}  // namespace ks::ui::particles
