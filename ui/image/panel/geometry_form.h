#pragma once

#include <QWidget>
#include <optional>

#include "core/data/geometry.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace ks::ui {

/// The geometry in use: the file's, as it was changed by hand, by a tool on the image, or by a refinement.
/// Where the file has none, the fields are empty and may be filled in.
class GeometryForm : public QWidget {
    Q_OBJECT
  public:
    explicit GeometryForm(QWidget* parent = nullptr);

    /// Takes over the file's geometry; without one the beam is put in the middle of height x width pixels.
    void setFile(const std::optional<Geometry>& geometry, std::size_t height, std::size_t width);
    const Geometry& geometry() const { return geometry_; }
    /// What stands in the form.
    struct State {
        Geometry geometry;
        bool swapped = false;
        bool operator==(const State&) const = default;
    };
    State state() const { return {geometry_, swapped()}; }
    /// Emits changed(true).
    void setState(const State& state);
    /// Differs from what the file says (also by exchanged x and y).
    bool edited() const;
    /// Where the beam is, is known: from the file or by hand.
    bool located() const { return file_.has_value() || edited(); }
    bool swapped() const;
    /// As a click on the box. Without effect where the file has no geometry.
    void setSwapped(bool swapped);
    /// From a tool or a refinement; emits changed(final).
    void setGeometry(const Geometry& geometry, bool final);
    /// One line below the fields (a hint or what a refinement found); empty: none. `swap` offers to exchange
    /// x and y.
    void setNote(const QString& text, bool swap = false);
    QString note() const;
    /// Rings that are drawn beside those of bins: empty (none), "q" (round steps of q), or the name of a
    /// calibrant.
    QString rings() const;
    void setRings(const QString& rings);
    /// As if its button were switched by hand; tools that end by themselves switch it off.
    void setPicking(bool picking, bool ring);

  signals:
    /// @param final false while a hand is still moving
    void changed(bool final);
    /// A tool on the image is wanted, or no longer.
    void pickBeamToggled(bool on);
    void fitRingToggled(bool on);
    void ringsChosen(const QString& rings);
    /// Rings are counted from 1.
    void refineRequested(const QString& calibrant, int firstRing, int lastRing);

  private:
    void show();
    void edited(double value);
    QWidget* refinePanel();

    std::optional<Geometry> file_;
    Geometry start_, geometry_;
    QDoubleSpinBox *wavelength_, *distance_, *x_, *y_, *pixelX_, *pixelY_;
    QComboBox* rings_;
    QToolButton *swap_, *pick_, *ring_, *refine_, *reset_;
    QLabel* note_;
    bool showing_ = false;
};

}  // namespace ks::ui
