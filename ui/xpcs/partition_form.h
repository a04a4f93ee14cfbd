#pragma once

#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/data/partition/partition_builder.h"
#include "ui/xpcs/levels_form.h"

class QComboBox;

namespace ks::ui::xpcs {

/// Source of the bins.
struct PartitionChoice {
    enum Source { Rings, Labels, Drawn };
    Source source = Rings;
    PartitionRecipe recipe;  ///< for Rings
    QString dataset;         ///< for Labels: "FILE::PATH", or a file supported by io::read_labels
    QString problem;         ///< why there is no recipe; empty: there is one

    bool operator==(const PartitionChoice&) const = default;
};

/// The rings as the command line's --rings, if the recipe can be expressed that way: equal widths in pixels,
/// no gaps, one sector.
std::optional<ks::Rings> plainRings(const PartitionRecipe& recipe);

/// Form to choose the partition.
class PartitionForm : public QWidget {
    Q_OBJECT
  public:
    explicit PartitionForm(QWidget* parent = nullptr);

    /// Proposes rings that fill a frame of height x width, or the first of `datasets`.
    void propose(const Geometry& geometry, std::size_t height, std::size_t width,
                 const QStringList& datasets);
    PartitionChoice choice() const;
    /// Contents of the fields, without the geometry, which is in another form.
    struct Fields {
        PartitionChoice::Source source = PartitionChoice::Rings;
        LevelsForm::Fields levels;
        QString dataset;
        bool operator==(const Fields&) const = default;
    };
    Fields fields() const;
    /// Emits nothing.
    void setFields(const Fields& fields);
    /// Shows the choice and emits changed().
    /// @param made the ring fields from which the recipe was made; see LevelsForm::setRecipe()
    void setChoice(const PartitionChoice& choice, const std::optional<LevelsForm::Fields>& made = {});
    void setDataset(const QString& name);
    /// The geometry has changed: rings move. Emits nothing.
    void setGeometry(const Geometry& geometry);
    /// An edge was dragged. Emits nothing.
    void setRecipe(const PartitionRecipe& recipe);
    /// Whether there are bins to export.
    void setExportable(bool exportable) { export_->setEnabled(exportable); }
    /// One line at the bottom: number of pixels and bins, or an error.
    void setSummary(const QString& text) { summary_->setText(text); }
    QString summary() const { return summary_->text(); }

  signals:
    void changed();
    void importRequested();
    void exportRequested();

  private:
    void fillFields();
    void layOut();
    void connectParts();
    void showSource();
    void browse();

    QComboBox* source_;
    LevelsForm* levels_;
    QWidget *labelsPart_, *drawnPart_;
    QComboBox* dataset_;
    QPushButton *import_, *export_;
    QLabel* summary_;
    bool setting_ = false;
};

}  // namespace ks::ui::xpcs
