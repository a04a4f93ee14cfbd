#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/devices/device_property.h"

namespace ks::ui::devices {

/// Properties reported by the devices: one row per property, one column per device, with rows of group titles
/// between them.
class PropertyModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// Id of a row: "max_work_item_sizes"; empty for a group title.
    static constexpr int idRole = Qt::UserRole;
    /// Group title of a row.
    static constexpr int groupRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// @param properties [device]
    void setDevices(const std::vector<DeviceInfo>& devices,
                    const std::vector<std::vector<DeviceProperty>>& properties);
    const std::vector<DeviceInfo>& devices() const { return devices_; }
    bool isTitle(int row) const { return rows_[static_cast<std::size_t>(row)].id.empty(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  private:
    struct Row {
        std::string id, label, group;
        std::vector<QString> values;  ///< [device]; empty: not reported
    };
    std::vector<DeviceInfo> devices_;
    std::vector<Row> rows_;
};

}  // namespace ks::ui::devices
