#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <vector>

#include "core/devices/user_tuning.h"

namespace ks::ui::tune {

/// The user's table of tuned values.
class KeptModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column {
        VariantColumn,
        ValuesColumn,
        SpeedUpColumn,
        DeviceColumn,
        FoundColumn,
        ForColumn,
        ColumnCount
    };

    explicit KeptModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRows(std::vector<TunedRow> rows);
    const std::vector<TunedRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    static QString text(const TunedRow& row, int column);

    std::vector<TunedRow> rows_;
};

/// "element=u16, size 65536 to 262143": the problems that tuned values are for; empty: all of the analysis.
QString problemsText(const TunedFor& of);

}  // namespace ks::ui::tune
