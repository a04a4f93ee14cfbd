#pragma once

#include <QString>
#include <QWidget>
#include <optional>

#include "core/base/error.h"
#include "core/data/partition/partition_builder.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ks::ui::xpcs {

/// Edges as text: "0.01, 0.02, 0.03" for levels that touch, "0.01-0.015, 0.02-0.025" for ones with gaps.
/// Throws ks::Error(input) naming what cannot be read.
Levels parseLevels(const QString& text);
QString levelsText(const Levels& levels);

/// The recipe of a partition: radial levels by one of several rules, sectors, static bins within dynamic
/// ones.
class LevelsForm : public QWidget {
    Q_OBJECT
  public:
    enum Spacing { Linear, Logarithmic, WidthAndGap, Edges };

    explicit LevelsForm(QWidget* parent = nullptr);

    /// Rings that fill about three quarters of a frame of height x width around the geometry's beam.
    void propose(const Geometry& geometry, std::size_t height, std::size_t width);
    /// Levels keep their unit and numbers where they can: q becomes pixels where the geometry is no longer
    /// complete.
    void setGeometry(const Geometry& geometry);
    /// Throws ks::Error(input) with what is wrong with the fields.
    PartitionRecipe recipe() const;
    /// What stands in the fields, whether it makes a recipe or not.
    struct Fields {
        int spacing = Linear, rings = 1, sectors = 1, staticRadial = 1, staticSector = 1;
        bool inQ = false;
        double from = 0, to = 0, width = 0, gap = 0, start = 0;
        QString edges;
        bool operator==(const Fields&) const = default;
    };
    Fields fields() const;
    /// The radial levels that the fields say. Throws ks::Error(input) with what is wrong with them.
    static Levels levels(const Fields& fields);
    /// Emits nothing.
    void setFields(const Fields& fields);
    /// Shows it: by the rule of equal widths where its levels are such, else by their edges. Emits nothing.
    /// @param made the fields that made it once: their rule is shown where it still makes these levels
    void setRecipe(const PartitionRecipe& recipe, const std::optional<Fields>& made = {});

  signals:
    void changed();

  private:
    void showRule();
    /// The rule of the fields, where it makes the levels.
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
