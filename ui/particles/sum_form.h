#pragma once

#include <QStringList>
#include <QWidget>

#include "core/run/parameter_spec.h"
#include "ui/base/parameter_steps.h"
#include "ui/base/value_slider.h"
#include "ui/particles/field.h"

class QLabel;
class QPushButton;

namespace ks::ui {
class NumberBox;
class ParameterForm;
}  // namespace ks::ui

namespace ks::ui::particles {

class SourceSet;

/// What is summed and where: the parameters of the analysis that have a section.
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

    ValueSlider& sigma() const;
    ValueSlider& wavenumber() const;
    NumberBox& side() const;
    NumberBox& offset(Plane plane) const;

    /// "live: 31 ms at 400 x 400"; empty: nothing.
    void setLive(const QString& text);
    QString live() const;

    /// Changes by hand become steps of the history, which outlives the form.
    void keepSteps(History& history);
    /// What setPlanes() and fitTo() did is a step, as a hand asked for it.
    void noteStep();
    /// It is none.
    void settle();

    /// Planes around(); sigma and wavenumber, too, where theirs would show nothing at the size of the box.
    /// Emits nothing.
    void fitTo(const SourceSet& sources);
    /// Planes through the middle of the sources' box, as wide as it.
    static ks::particles::PlaneGrid around(const SourceSet& sources, std::size_t side);

  public slots:
    void reset();
    /// What reset() sets.
    ParameterSet plain() const;

  signals:
    /// With every move of a hand, or by apply().
    void changed();
    void fitRequested();

  private:
    void edited();
    void showKernel();
    double number(const char* id) const;

    ParameterForm* form_;
    QLabel* live_;
    QPushButton* fit_;
    std::unique_ptr<ParameterSteps> steps_;
};

}  // namespace ks::ui::particles
