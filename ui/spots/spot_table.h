#pragma once

#include <QWidget>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/error.h"
#include "core/run/run.h"
#include "ui/spots/spot_filter.h"
#include "ui/spots/spot_table_model.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace ks::ui::spots {

/// The table of the spots of one run with a row of filters above. A spot is its index in the result's table;
/// frames are numbers in the file.
class SpotTable : public QWidget {
    Q_OBJECT
  public:
    explicit SpotTable(QWidget* parent = nullptr);
    ~SpotTable() override;

    /// Null: an empty table that says what to do. Filters, order and shown columns stay. Throws
    /// ks::Error(run) where the result has no whole table of spots; the table is empty then.
    void setResult(std::shared_ptr<const Run> run);
    const std::vector<ks::spots::Spot>& spots() const { return model_.spots(); }
    /// The frame on the screen, for "this frame only": spots that have a signal pixel there.
    void setFrame(int frame);
    /// Marks a spot and scrolls to it, without a signal; -1, or a spot that a filter leaves out: none.
    void select(int spot);
    int selected() const;  ///< the current spot, or -1

    /// Spots that pass the filters, in the order of the rows.
    const std::vector<int>& visibleSpots() const { return model_.rows(); }
    void setKeptOnly(bool on);
    void setFrameOnly(bool on);
    bool keptOnly() const;
    bool frameOnly() const;
    /// As SpotFilter reads it. A wrong one is shown with message() and changes nothing else.
    void setFilterText(const QString& text);
    QString filterText() const;
    QString message() const;  ///< what is wrong with the filter; empty: nothing
    QString counts() const;   ///< "312 of 346 spots"

    /// The visible rows with all columns at full precision; unknown values are empty fields.
    std::string csv() const;
    /// Throws ks::Error(input) as io::write_text does.
    void exportCsv(const std::filesystem::path& path, bool overwrite) const;
    /// Selected rows and shown columns as text between tabs, with the header.
    void copySelected() const;

    SpotTableModel& model() { return model_; }
    QTableView& view() { return *view_; }
    QSize sizeHint() const override { return {560, 260}; }

  signals:
    /// A click or a key went to this spot.
    void picked(int spot);
    /// The set of rows is another one, or their order.
    void visibleSpotsChanged();
    /// The export by its button failed.
    void failed(const ks::Error& error);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void buildView();
    void applyFilters();
    void showColumns();
    void showCounts();
    void fitColumns();
    void colourMessage();
    void columnMenu(const QPoint& at);
    void exportByDialog();

    std::shared_ptr<const Run> run_;
    SpotTableModel model_;
    SpotFilter filter_;
    std::array<std::optional<bool>, SpotTableModel::ColumnCount> chosen_;  ///< by hand; else as data need it
    int frame_ = -1;
    bool quiet_ = false;      ///< select() is at work
    bool announced_ = false;  ///< this press has emitted picked()
    QTableView* view_;
    QLabel *empty_, *counts_, *message_;
    QCheckBox *kept_, *here_;
    QLineEdit* text_;
    QToolButton* export_;
};

}  // namespace ks::ui::spots
