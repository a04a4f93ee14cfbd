#pragma once

#include <QStringList>
#include <QWidget>
#include <array>

#include "core/run/parameter_spec.h"
#include "ui/particles/field.h"
#include "ui/shell/value_slider.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSettings;
class QSpinBox;

namespace ks::ui::particles {

class SourceSet;

/// What is summed and where: kernel, sigma and wavenumber with sliders, and the planes of targets.
class SumForm : public QWidget {
    Q_OBJECT
  public:
    explicit SumForm(QWidget* parent = nullptr);

    /// Ids of the parameters that fill() sets.
    static QStringList parameters();
    void fill(ParameterSet& parameters) const;
    /// What is given of parameters(). Emits changed().
    void apply(const ParameterSet& given);

    QString kernel() const;
    void setKernel(const QString& kernel);
    ks::particles::PlaneGrid planes() const;
    /// Emits nothing.
    void setPlanes(const ks::particles::PlaneGrid& planes);
    void setOffset(Plane plane, double at);
    /// Distance over which a source matters: sigma, else a tenth of the planes' side.
    double range() const;
    /// The sliders reach what makes sense at the size of the sources' box. Emits nothing.
    void setSources(const SourceSet* sources);

    ValueSlider& sigma() { return *sigma_; }
    ValueSlider& wavenumber() { return *wavenumber_; }
    QSpinBox& side() { return *side_; }
    QDoubleSpinBox& low() { return *low_; }
    QDoubleSpinBox& high() { return *high_; }
    QDoubleSpinBox& offset(Plane plane) { return *offsets_[static_cast<std::size_t>(plane)]; }
    QPushButton& fitButton() { return *fit_; }

    /// "live: 31 ms at 400 x 400"; empty: nothing.
    void setLive(const QString& text);
    QString live() const;

    void save(QSettings& settings) const;
    void restore(QSettings& settings);

    /// Planes around(); sigma and wavenumber, too, where theirs would show nothing at the size of the box.
    /// Emits nothing.
    void fitTo(const SourceSet& sources);
    /// Planes through the middle of the sources' box, as wide as it.
    static ks::particles::PlaneGrid around(const SourceSet& sources, std::size_t side);

  public slots:
    void reset();

  signals:
    /// With every move of a hand, or by apply().
    void changed();
    void fitRequested();

  private:
    void edited();
    void showKernel();
    QDoubleSpinBox* coordinate(const QString& name, const QString& tip);

    QLabel* live_;
    QComboBox* kernel_;
    ValueSlider *sigma_, *wavenumber_;
    QSpinBox* side_;
    QDoubleSpinBox *low_, *high_;
    std::array<QDoubleSpinBox*, 3> offsets_{};
    QPushButton* fit_;
    bool setting_ = false;
};

}  // namespace ks::ui::particles
