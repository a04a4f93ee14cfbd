#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/data/geometry.h"
#include "core/data/q_partition.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QRadioButton;
class QSpinBox;
class QToolButton;

namespace ks::ui::xpcs {

/// Where the bins come from: rings in pixels, or labels of a dataset "FILE::PATH".
struct PartitionChoice {
    bool rings = true;
    Rings ring;
    QString dataset;
    bool swapped = false;  ///< x and y of the file's beam centre exchanged

    bool operator==(const PartitionChoice& other) const {
        return rings == other.rings && dataset == other.dataset && swapped == other.swapped &&
               ring.to_string() == other.ring.to_string();
    }
};

/// Form for the choice of the partition.
class PartitionForm : public QWidget {
    Q_OBJECT
  public:
    explicit PartitionForm(QWidget* parent = nullptr);

    /// Proposes rings around the beam (or the middle) that fill a frame of height x width, or the first of
    /// `datasets`.
    void propose(const std::optional<Geometry>& geometry, std::size_t height, std::size_t width,
                 const QStringList& datasets);
    PartitionChoice choice() const;
    /// As a click on the box: the rings move to the exchanged centre.
    void setSwapped(bool swapped);
    void setChoice(const PartitionChoice& choice);
    void setDataset(const QString& name);
    /// One line below: how many pixels and bins, or what is wrong.
    void setSummary(const QString& text);

  signals:
    void changed();

  private:
    void centreOnBeam();
    void showMode();
    void browse();

    std::optional<Geometry> geometry_;
    QRadioButton *ringsMode_, *labelsMode_;
    QWidget *ringsPart_, *labelsPart_;
    QDoubleSpinBox *x_, *y_, *r0_, *width_;
    QSpinBox* n_;
    QToolButton* beam_;
    QCheckBox* swap_;
    QComboBox* dataset_;
    QLabel* summary_;
    bool setting_ = false;
};

}  // namespace ks::ui::xpcs
