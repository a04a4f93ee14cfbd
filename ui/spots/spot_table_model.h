#pragma once

#include <vector>

#include "core/spots/spot.h"
#include "ui/base/column_filter.h"
#include "ui/base/ordered_table_model.h"

namespace ks::ui::spots {

/// The spots of a run, one row each. A spot is an index of spots(); the numeric value of its frames is
/// the first one.
class SpotTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        NumberColumn,  ///< 1 for spot 0
        FramesColumn,  ///< first to last frame, numbered as in the file
        XColumn,
        YColumn,
        ZColumn,
        PixelsColumn,
        SumColumn,
        PeakColumn,
        BackgroundColumn,
        SignificanceColumn,  ///< see significance()
        DColumn,
        QColumn,
        VarXColumn,
        VarYColumn,
        VarZColumn,
        SaturatedColumn,
        KeptColumn,
        ColumnCount
    };
    explicit SpotTableModel(QObject* parent = nullptr) : OrderedTableModel(parent) {}

    /// @param firstFrame number in the file of frame 0 of the spots. All spots are accepted; the
    /// order is kept.
    void setSpots(std::vector<ks::spots::Spot> spots, int firstFrame);
    const std::vector<ks::spots::Spot>& spots() const { return spots_; }
    int firstFrame() const { return firstFrame_; }
    int spotAt(int row) const { return itemAt(row); }

    double number(int spot, int column) const override;
    double lastFrame(int spot) const;  ///< number in the file
    QString text(int spot, int column) const override;
    std::pair<double, double> range(int spot, int column) const override;
    std::vector<std::string> csvKeys(int column) const override;
    const ColumnText& columnText(int column) const override;
    bool isWords(int column) const override { return column == KeptColumn; }

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    std::vector<ks::spots::Spot> spots_;
    int firstFrame_ = 0;
};

/// Counts above the background in units of the counting error of the sum: (sum - n background) / sqrt(sum).
/// The error of the background is not included. NaN without a background or counts.
double significance(const ks::spots::Spot& spot);

/// Names for conditions on the columns: their keys, and the reasons for dropping a spot ("ice"). A condition
/// on "frame" holds if it holds for any frame of the spot.
FilterNames spotFilterNames();

}  // namespace ks::ui::spots
