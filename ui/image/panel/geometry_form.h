#pragma once

#include <QWidget>
#include <array>
#include <utility>

#include "core/data/geometry.h"
#include "ui/base/number_box.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace ks::ui {

class SessionGeometry;

/// A field for a length of the geometry, where 0 means "unknown". A step changes the third digit and never
/// leads to "unknown", which is typed; a step up from there leads to 1.
class LengthField : public DecimalBox {
  public:
    using DecimalBox::DecimalBox;

    void stepBy(int steps) override;
};

/// A field for a wavelength in angstrom that also accepts a photon energy: "12.4 keV", "8048 eV".
class WavelengthBox : public LengthField {
  public:
    using LengthField::LengthField;

    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
};

/// The fields of the geometry in use, shared by all pages. Where the file has none, they are empty and can
/// be filled in.
class GeometryForm : public QWidget {
    Q_OBJECT
  public:
    /// @param session not owned, outlives the form
    explicit GeometryForm(SessionGeometry& session, QWidget* parent = nullptr);

    /// The geometry shown and edited.
    SessionGeometry& session() { return session_; }
    /// One line below the fields (a hint or the result of a refinement); empty: none. `swap` offers to
    /// exchange x and y. When the geometry changes, it is replaced by what is still lacking, if anything.
    void setNote(const QString& text, bool swap = false);
    QString note() const;
    /// Rings drawn in addition to those of bins: empty (none), "q" (round steps of q), or the name
    /// of a calibrant.
    QString rings() const;
    void setRings(const QString& rings);
    /// As if the user had toggled the buttons; for tools that end on their own.
    void setPicking(bool picking, bool ring);

  signals:
    /// A tool on the image is to be started or ended.
    void pickBeamToggled(bool on);
    void fitRingToggled(bool on);
    void ringsChosen(const QString& rings);
    /// A geometry file of pyFAI was chosen.
    void loadRequested(const QString& path);
    void saveRequested(const QString& path);
    /// Rings are counted from 1.
    void refineRequested(const QString& calibrant, int firstRing, int lastRing);

  private:
    void layOut();
    void connectParts();
    void begin();
    void follow();
    /// What the file does not state and was not filled in, for a note; empty: nothing.
    QString lacking() const;
    void show();
    void typed();
    void showNote();
    QWidget* refinePanel();
    void askLoad();
    void askSave();
    std::array<std::pair<QDoubleSpinBox*, double Geometry::*>, 6> boxes() const;

    SessionGeometry& session_;
    QDoubleSpinBox *wavelength_, *distance_, *x_, *y_, *pixelX_, *pixelY_;
    QComboBox* rings_;
    QToolButton *swap_, *pick_, *ring_, *refine_, *load_, *save_, *reset_;
    QLabel* note_ = nullptr;
    QString noteText_;
    bool noteSwaps_ = false;
    bool wasSwapped_ = false, showing_ = false;
};

}  // namespace ks::ui
