#include "ui/devices/property_model.h"

#include <QFont>
#include <algorithm>
#include <utility>

#include "core/devices/device_id.h"

namespace ks::ui::devices {

void PropertyModel::setDevices(const std::vector<DeviceInfo>& devices,
                               const std::vector<std::vector<DeviceProperty>>& properties) {
    beginResetModel();
    devices_ = devices;
    rows_.clear();
    std::vector<std::string> groups;
    std::vector<Row> found;
    for (std::size_t device = 0; device < properties.size(); ++device)
        for (const DeviceProperty& one : properties[device]) {
            if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
            auto row = std::ranges::find_if(
                found, [&](const Row& known) { return known.id == one.id && known.group == one.group; });
            if (row == found.end())
                row = found.insert(found.end(),
                                   {one.id, one.label, one.group, std::vector<QString>(devices.size())});
            row->values[device] = QString::fromStdString(value_text(one));
        }
    for (const std::string& group : groups) {
        rows_.push_back({{}, group, group, {}});
        for (Row& row : found)
            if (row.group == group) rows_.push_back(std::move(row));
    }
    endResetModel();
}

int PropertyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PropertyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(devices_.size()) + 1;
}

QVariant PropertyModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == idRole) return QString::fromStdString(row.id);
    if (role == groupRole) return QString::fromStdString(row.group);
    const bool title = row.id.empty();
    if (role == Qt::FontRole && title) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (index.column() == 0) {
        if (role == Qt::DisplayRole) return QString::fromStdString(row.label);
        if (role == Qt::ToolTipRole && !title) return QString::fromStdString(row.id);
        return {};
    }
    if (title || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const QString& value = row.values[static_cast<std::size_t>(index.column() - 1)];
    if (role == Qt::ToolTipRole) return value.size() > 40 ? value : QString();
    return value.isEmpty() ? QStringLiteral("\u2013") : value;
}

QVariant PropertyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (section == 0) return role == Qt::DisplayRole ? tr("Property") : QVariant();
    const DeviceInfo& device = devices_[static_cast<std::size_t>(section - 1)];
    if (role == Qt::DisplayRole) return QString::fromStdString(DeviceId(device).text() + ": " + device.name);
    return role == Qt::ToolTipRole ? QString::fromStdString(device.title()) : QVariant();
}

Qt::ItemFlags PropertyModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return isTitle(index.row()) ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

}  // namespace ks::ui::devices
