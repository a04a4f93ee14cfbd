#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/spots/spot.h"

namespace ks::ui::spots {

/// The spots of a run, a row each. The model itself leaves out and orders rows: a proxy would ask for a
/// QVariant a comparison. A row is a place in the table, a spot is an index of spots(); only sort() and
/// setAccepted() change which row a spot has.
class SpotTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column {
        NumberColumn,  ///< 1 for spot 0
        FramesColumn,  ///< first to last frame, numbers in the file
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
        KeptColumn,
        ColumnCount
    };
    /// A double for sorting and copying at full precision; NaN where unknown. Frames: the first.
    static constexpr int numberRole = Qt::UserRole;

    explicit SpotTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// @param firstFrame number in the file of frame 0 of the spots. All are accepted; the order stays.
    void setSpots(std::vector<ks::spots::Spot> spots, int firstFrame);
    const std::vector<ks::spots::Spot>& spots() const { return spots_; }
    int firstFrame() const { return firstFrame_; }
    /// Rows are the spots that `accepts` is true for; an empty function: all.
    void setAccepted(const std::function<bool(int spot)>& accepts);

    /// Spots in the order of the rows.
    const std::vector<int>& rows() const { return rows_; }
    int spotAt(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// Row of a spot, or -1 where it is left out.
    int rowOf(int spot) const;

    double number(int spot, Column column) const;
    double lastFrame(int spot) const;  ///< number in the file
    QString text(int spot, Column column) const;
    static QString whyText(ks::spots::Dropped why);
    /// Title with its unit: "Sum (counts)".
    static QString title(Column column);
    static QString story(Column column);    ///< tool tip of the header
    static const char* key(Column column);  ///< name in filters and in CSV: "sum"

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Stable: equal values keep the order that they had. Unknown values are last in both orders. Column -1:
    /// the order of the result.
    void sort(int column, Qt::SortOrder order) override;

  private:
    void arrange();  ///< order_ by the column of the last sort
    void place();    ///< at_ from rows_

    std::vector<ks::spots::Spot> spots_;
    std::vector<int> order_;        ///< all spots as sorted: those left out come back to their places
    std::vector<int> rows_;         ///< spot of a row
    std::vector<std::int32_t> at_;  ///< row of a spot, or -1
    int firstFrame_ = 0, sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// Counts above the background in units of the counting error of the sum: (sum - n background) / sqrt(sum).
/// The error of the background itself is not in it. NaN without a background or counts.
double significance(const ks::spots::Spot& spot);

}  // namespace ks::ui::spots
