#pragma once

#include <QWidget>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "ui/base/column_filter.h"
#include "ui/base/ordered_table_model.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace ks::ui {

/// A table with a line above for conditions on its columns, the number of rows and the export. An item is
/// what a row of the model shows.
class FilteredTable : public QWidget {
    Q_OBJECT
  public:
    struct Texts {
        QString name;       ///< accessible, of the table: "Clusters"
        QString items;      ///< what is counted, in the plural: "clusters"
        QString filterTip;  ///< of the line
        QString leaf;       ///< proposed for the CSV file, without suffix
        QString item = {};  ///< the singular of `items`, where one is counted with it
    };
    /// @param model goes later than the table
    FilteredTable(OrderedTableModel& model, FilterNames names, Texts texts, QWidget* parent = nullptr);
    ~FilteredTable() override;

    /// Puts a widget at the left of the filter line.
    void addChoice(QWidget* choice);
    /// The items are other ones. @param hint what to do where there are none
    /// @param known that there are none is a result, and counted
    void refresh(const QString& hint, bool known = false);
    /// Columns have other names than before; the conditions are read again.
    void setNames(FilterNames names);
    /// Items that the line of conditions is asked about; empty: all. Holds until the items of the model are
    /// other ones. @param none what to say where none is left
    void setAccepted(std::function<bool(int item)> accepts, const QString& none = {});
    /// Columns that are shown where nobody has chosen by hand; empty: all.
    void setShownColumns(std::function<bool(int column)> shown);

    /// Marks an item and scrolls to it, without a signal; -1, or one that is left out: none.
    void select(int item);
    int selected() const;  ///< the current item, or -1
    void setFilterText(const QString& text);
    QString filterText() const;
    QString message() const;  ///< what is wrong with the filter; empty: nothing
    QString counts() const;   ///< "312 of 346 clusters"
    QString hint() const;     ///< in the empty table

    /// The visible rows with all columns at full precision; unknown values are empty fields.
    std::string csv() const;
    /// Throws ks::Error(input) as io::write_text does, and where a file would be replaced that is read.
    void exportCsv(const std::filesystem::path& path, bool overwrite) const;
    /// Of what the rows are where they are no run's, in the export: the title of its dialog and the proposed
    /// name say so. Empty: of a run. @param leaf added to that name: "preview_frame3"
    void setOrigin(const QString& words, const QString& leaf);
    QString exportTitle() const;  ///< "Export spots of the preview of frame 3"
    QString exportLeaf() const;   ///< "spots_preview_frame3.csv"
    /// Files that exportCsv() refuses to replace, by what they are read as.
    void setRead(std::map<std::string, std::string> read) { read_ = std::move(read); }
    /// Selected rows and shown columns as text between tabs, with the header.
    void copySelected() const;

    QTableView& view() { return *view_; }
    QSize sizeHint() const override { return {480, 220}; }

  signals:
    /// A click or a key went to this item.
    void picked(int item);
    /// The set of rows is another one, or their order.
    void rowsChanged();
    /// The export by its button failed.
    void failed(const ks::Error& error);

  protected:
    /// As setAccepted(), for a refresh() that follows.
    void holdAccepted(std::function<bool(int item)> accepts, const QString& none = {});
    /// As how many counts() gives all items; nothing: as many as the model has.
    void setTotal(std::optional<std::size_t> total);
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    bool isKnown(int column) const;  ///< in some item
    void build();
    void buildView();
    void applyFilters();
    void chooseRows();
    void showColumns();
    void showCounts();
    void fitColumns();
    void colourMessage();
    void columnMenu(const QPoint& at);
    void exportByDialog();

    OrderedTableModel& model_;
    FilterNames names_;
    Texts texts_;
    ColumnFilter filter_;
    std::function<bool(int)> accepts_, shown_;
    std::vector<std::optional<bool>> chosen_;  ///< columns, by hand
    QString hint_, none_, origin_, originLeaf_;
    std::optional<std::size_t> total_;
    std::map<std::string, std::string> read_;
    bool known_ = false;
    bool quiet_ = false;      ///< select() is at work
    bool announced_ = false;  ///< this press has emitted picked()
    QHBoxLayout* line_;
    QTableView* view_;
    QLabel *empty_, *counts_, *message_;
    QLineEdit* text_;
    QToolButton* export_;
};

/// Every column of a model by its key, for conditions.
FilterNames filterNames(const OrderedTableModel& model, const QString& example);

}  // namespace ks::ui
