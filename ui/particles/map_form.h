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
    /// What the maps are drawn with; null: there are none. A chosen colour map that they do not have cannot
    /// be changed meanwhile, and the field names theirs; nor can the limits of angles.
    void setDrawn(const MapColours* drawn);
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
    void describeMap();

    QString chosen_;  ///< colour map for values of one sign
    QString fixed_;   ///< name of the colour map that is drawn instead; empty: the chosen one is
    QString whyFixed_;
    QComboBox *map_, *spacing_;
    QCheckBox* lock_;
    QDoubleSpinBox *low_, *high_, *step_;
    QSpinBox* count_;
    QLabel* refusal_;
    bool visible_ = false, showing_ = false;
};

}  // namespace ks::ui::particles
