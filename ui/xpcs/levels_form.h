#pragma once

#include <QString>
#include <QWidget>
#include <optional>

#include "core/data/partition/partition_builder.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ks::ui::xpcs {

/// Parses edges: "0.01, 0.02, 0.03" for contiguous levels, "0.01-0.015, 0.02-0.025" for levels with gaps.
/// Throws ks::Error(input) that quotes what cannot be read.
Levels parseLevels(const QString& text);
QString levelsText(const Levels& levels);

/// The recipe of a partition: radial levels by one of several rules, sectors, and static bins
/// within dynamic ones.
class LevelsForm : public QWidget {
    Q_OBJECT
  public:
    enum Spacing { Linear, Logarithmic, WidthAndGap, Edges };

    explicit LevelsForm(QWidget* parent = nullptr);

    /// Proposes rings that fill about three quarters of a frame of height x width around the beam
    /// of the geometry.
    void propose(const Geometry& geometry, std::size_t height, std::size_t width);
    /// Levels keep their unit and numbers if possible; q is converted to pixels if the geometry is
    /// no longer complete.
    void setGeometry(const Geometry& geometry);
    /// Throws ks::Error(input) that says what is wrong with the fields.
    PartitionRecipe recipe() const;
    /// Contents of the fields, whether or not they form a valid recipe.
    struct Fields {
        int spacing = Linear, rings = 1, sectors = 1, staticRadial = 1, staticSector = 1;
        bool inQ = false;
        double from = 0, to = 0, width = 0, gap = 0, start = 0;
        QString edges;
        bool operator==(const Fields&) const = default;
    };
    Fields fields() const;
    /// The radial levels described by the fields. Throws ks::Error(input) that says what is wrong with them.
    static Levels levels(const Fields& fields);
    /// Emits nothing.
    void setFields(const Fields& fields);
    /// Shows the recipe: as equal widths if its levels have them, otherwise by their edges. Emits nothing.
    /// @param made the fields from which it was made: their rule is shown if it still produces these levels
    void setRecipe(const PartitionRecipe& recipe, const std::optional<Fields>& made = {});

  signals:
    void changed();

  private:
    void fillFields();
    void layOut();
    void connectParts();
    void showRule();
    /// Shows the rule of the fields if it produces the levels.
    void showMade(const Fields& made, const Levels& levels);
    void unitChosen();
    double converted(double value, bool toQ) const;
    void showEdges(const QString& text);
    void setUnit(bool inQ);
    void setBoxes(double from, double to, double width, double gap);

    Geometry geometry_;
    QComboBox *unit_, *spacing_;
    QDoubleSpinBox *from_, *to_, *width_, *gap_, *start_;
    QSpinBox *n_, *sectors_, *staticRadial_, *staticSector_;
    QLineEdit* edges_;
    QLabel *toLabel_, *widthLabel_, *edgesLabel_, *fromLabel_;
    bool inQ_ = false, setting_ = false;
};

}  // namespace ks::ui::xpcs
