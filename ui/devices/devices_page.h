#pragma once

#include <memory>
#include <vector>

#include "ui/shell/page.h"

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace ks::ui::devices {

class CeilingBars;
class PropertyModel;

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
    QString missing() const override { return tr("the %1 page has nothing to run").arg(title()); }
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
