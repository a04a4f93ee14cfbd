#pragma once

#include <QString>
#include <QWidget>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ui/xpcs/fit/curve_fits.h"

class QComboBox;
class QLabel;

namespace ks::ui {
class CurvePlot;
}

namespace ks::ui::xpcs {

class OptionalNumber;

/// Relaxation times, rates or contrasts against q with a power law, the diffusion coefficient, and the
/// hydrodynamic radius for a temperature and a viscosity.
class TauPanel : public QWidget {
    Q_OBJECT
  public:
    enum Shown { Tau, Gamma, GammaOfSquare, Beta };

    explicit TauPanel(QWidget* parent = nullptr);

    /// @param hint what to do if there are none
    /// @param standing that they are outdated, or of a preview; empty: neither
    void setFits(const std::vector<FittedRun>& fits, const QString& hint, const QString& standing = {});
    Shown shown() const;
    void setShown(Shown shown);
    CurvePlot& plot() { return *plot_; }
    /// What the fits say: exponent, diffusion coefficient, radius; a line per run. The first line says
    /// whether they are outdated.
    QString resultText() const;

    nlohmann::json keep() const;
    /// Nothing in it is trusted.
    void bringBack(const nlohmann::json& kept);

  signals:
    void changed();

  private:
    void show();
    QString resultOf(const FittedRun& run) const;

    std::vector<FittedRun> fits_;
    QString hint_, standing_;
    QComboBox* shown_;
    OptionalNumber *temperature_, *viscosity_;
    CurvePlot* plot_;
    QLabel* result_;
};

}  // namespace ks::ui::xpcs
