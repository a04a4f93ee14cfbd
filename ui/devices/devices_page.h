#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/devices/device_property.h"
#include "ui/shell/page.h"

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace ks::ui::devices {

class CeilingBars;

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

/// All platforms and devices side by side, with the properties they report and their measured peak rates. It
/// runs no analysis.
class DevicesPage : public Page {
    Q_OBJECT
  public:
    explicit DevicesPage(PageContext& context);
    ~DevicesPage() override;

    QString id() const override { return QStringLiteral("devices"); }
    QString title() const override { return tr("Devices"); }
    int order() const override { return 90; }
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    PropertyModel& properties() { return *model_; }
    QTableView& table() { return *table_; }
    QLineEdit& search() { return *search_; }
    QComboBox& measured() { return *measured_; }
    QToolButton& measure() { return *measure_; }
    CeilingBars& bars() { return *bars_; }
    /// Visible rows, without titles.
    int found() const;
    /// Writes all devices and their properties as `kernelscope-cli devices` prints them. Atomic; JSON or
    /// text, by the suffix of the path. Throws ks::Error(input).
    void exportTo(const QString& path, bool overwrite) const;
    /// Selected cells with the names of their rows, tab-separated.
    QString selectedText() const;

  private:
    QWidget* makeTable();
    QWidget* makeCeilings();
    void showDevices();
    void showCeilings();
    void showMeasurable();
    void fitTable();
    void askExport();

    std::shared_ptr<Desk> desk_;
    PropertyModel* model_;
    QSortFilterProxyModel* rows_;
    QTableView* table_;
    QLineEdit* search_;
    QComboBox* measured_;
    QToolButton* measure_;
    CeilingBars* bars_;
};

}  // namespace ks::ui::devices
