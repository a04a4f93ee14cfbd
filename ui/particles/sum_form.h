#pragma once

#include <QStringList>
#include <QWidget>

#include "core/run/parameter_spec.h"
#include "ui/base/parameter_form.h"
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
    /// Applies the given values of parameters(). Emits changed().
    void apply(const ParameterSet& given);

    QString kernel() const;
    void setKernel(const QString& kernel);
    ks::particles::PlaneGrid planes() const;
    /// Why there are no such planes; empty: there are.
    QString whyNoPlanes() const;
    /// Emits nothing.
    void setPlanes(const ks::particles::PlaneGrid& planes);
    void setOffset(Plane plane, double at);
    /// Distance within which a source matters: sigma, otherwise a tenth of the planes' side.
    double range() const;
    /// Sets the ranges of the sliders to what is reasonable for the sources' box. Emits nothing.
    void setSources(const SourceSet* sources);

    ValueSlider& sigma() const;
    ValueSlider& wavenumber() const;
    NumberBox& side() const;
    NumberBox& offset(Plane plane) const;

    /// "live: 31 ms at 400 x 400"; empty: nothing.
    void setLive(const QString& text);
    QString live() const;

    /// Records edits as steps of the history, which must outlive the form.
    void keepSteps(History& history);
    /// Records what setPlanes() and fitTo() did as a step, because the user requested it.
    void noteStep();
    /// Does not record it as a step.
    void settle();

    /// Sets the planes to around(), and also sigma and wavenumber if their values would show nothing at the
    /// size of the box. Emits nothing.
    void fitTo(const SourceSet& sources);
    /// Planes through the middle of the sources' box, as wide as the box.
    static ks::particles::PlaneGrid around(const SourceSet& sources, std::size_t side);

  public slots:
    void reset();
    /// The values that reset() sets.
    ParameterSet plain() const;

  signals:
    /// On every user edit, or by apply().
    void changed();
    void fitRequested();

  private:
    void edited();
    void showKernel();
    /// Says under the fields if there are no such planes.
    void showPlanes();
    double number(const char* id) const;

    ParameterForm* form_;
    QLabel *live_, *refusal_;
    QPushButton* fit_;
    std::unique_ptr<ParameterSteps> steps_;
};

}  // namespace ks::ui::particles
