#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <limits>
#include <vector>

namespace ks::ui {

/// One bin of a partition.
struct BinRow {
    int label = 0;  ///< 1..n
    double q = 0;   ///< 1/angstrom; NaN if unknown
    std::size_t pixels = 0;
    QColor colour;
    bool on = true;
    double phi = 0;  ///< degrees; NaN if unknown
    double counts =
        std::numeric_limits<double>::quiet_NaN();  ///< mean of the displayed frame; NaN if unknown
    QString name = {};                             ///< set by the user; empty: none
    bool operator==(const BinRow&) const = default;
};

/// The bins of a partition: colour and label (or name), q, azimuth, number of pixels, mean counts, and
/// whether the bin is included in the run.
class BinTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { LabelColumn, QColumn, PhiColumn, PixelsColumn, CountsColumn, OnColumn, ColumnCount };

    explicit BinTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Names and on/off states of bins with the same label are kept if `keepSwitches`.
    void setBins(std::vector<BinRow> rows, bool keepSwitches);
    const std::vector<BinRow>& bins() const { return rows_; }
    std::vector<int> labelsOff() const;
    void setAll(bool on);
    /// Turns these labels off and all others on.
    void setOff(const std::vector<int>& labels);
    /// counts[b] belongs to label b + 1.
    void setCounts(const std::vector<double>& counts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void switched();

  private:
    std::vector<BinRow> rows_;
};

}  // namespace ks::ui
