#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <vector>

namespace ks::ui {

/// One bin of a partition.
struct BinRow {
    int label = 0;  ///< 1..n
    double q = 0;   ///< 1/angstrom; NaN where unknown
    std::size_t pixels = 0;
    QColor colour;
    bool on = true;
    bool operator==(const BinRow&) const = default;
};

/// The bins of a partition: colour and label, q, number of pixels, and whether the bin takes part.
class BinTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { LabelColumn, QColumn, PixelsColumn, OnColumn, ColumnCount };

    explicit BinTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Switches of bins with the same label are kept where `keepSwitches`.
    void setBins(std::vector<BinRow> rows, bool keepSwitches);
    const std::vector<BinRow>& bins() const { return rows_; }
    std::vector<int> labelsOff() const;
    void setAll(bool on);

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
