#pragma once

#include <QWidget>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
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

/// A table with a line above it: conditions on its columns, the number of rows and the export. An item is the
/// object that a row of the model shows.
class FilteredTable : public QWidget {
    Q_OBJECT
  public:
    struct Texts {
        QString name;       ///< accessible name of the table: "Clusters"
        QString items;      ///< the counted items, plural: "clusters"
        QString filterTip;  ///< tool tip of the filter line
        QString leaf;       ///< proposed name of the CSV file, without suffix
        QString item = {};  ///< singular of `items`, if counts use it
    };
    /// @param model is destroyed after the table
    FilteredTable(OrderedTableModel& model, FilterNames names, Texts texts, QWidget* parent = nullptr);
    ~FilteredTable() override;

    /// Puts a widget at the left of the filter line.
    void addChoice(QWidget* choice);
    /// Puts a widget below the table.
    void addBelow(QWidget* widget);
    /// Call when the items are other ones.
    /// @param hint what to do if there are none
    /// @param known an empty table is a result, and is counted
    void refresh(const QString& hint, bool known = false);
    /// The column names have changed; the conditions are parsed again.
    void setNames(FilterNames names);
    /// Items that the filter is applied to; empty: all. Holds until the model has other items.
    /// @param none text to show if none is left
    /// @param leaf names the accepted items in the proposed name of an export, "event0"; empty: "filtered"
    void setAccepted(std::function<bool(int item)> accepts, const QString& none = {},
                     const QString& leaf = {});
    /// Columns that are shown unless the user has chosen; empty: all.
    void setShownColumns(std::function<bool(int column)> shown);

    /// Marks an item and scrolls to it without emitting a signal; -1, or an item that is filtered out: none.
    void select(int item);
    int selected() const;  ///< the current item, or -1
    void setFilterText(const QString& text);
    QString filterText() const;
    QString message() const;  ///< what is wrong with the filter; empty: nothing
    QString counts() const;   ///< "312 of 346 clusters", and the remark
    QString hint() const;     ///< shown in the empty table
    /// Name of the table in TableStates.
    const QString& leaf() const { return texts_.leaf; }
    /// Filter, order and columns as far as the user has chosen them; empty: nothing.
    virtual nlohmann::json keep() const;
    /// Restores the result of keep(); null: of a table in which nothing was chosen. Nothing in it is trusted.
    /// A filter that names columns which the table does not have yet is applied once it has them.
    virtual void bringBack(const nlohmann::json& kept);

    /// The visible rows with all columns at full precision; unknown values are empty fields.
    std::string csv() const;
    /// Throws ks::Error(input) as io::write_text does, and where the file to be replaced is in use as input.
    void exportCsv(const std::filesystem::path& path, bool overwrite) const;
    /// Origin of rows that do not come from a run, for the title of the export dialog and the proposed name.
    /// Empty: from a run.
    /// @param leaf added to that name: "preview_frame3"
    void setOrigin(const QString& words, const QString& leaf);
    /// File with the data of the rows where these need not be the open ones: proposed names begin with its
    /// name; empty: the rows are of no data. Nothing: of the open data.
    void setData(const std::optional<QString>& file) { data_ = file; }
    QString exportProposal() const;  ///< the proposed path
    QString exportTitle() const;     ///< "Export 78 of 302 spots of the preview of frame 3"
    QString exportLeaf() const;      ///< "spots_preview_frame3_filtered.csv"
    /// What csv() says about an item in a last column "note", which exists if there is such a text:
    /// "preview", "outdated (Wavelength)".
    void setNote(std::function<QString(int item)> note) { note_ = std::move(note); }
    /// Files that exportCsv() refuses to replace, with the role in which each is read.
    void setRead(std::map<std::string, std::string> read) { read_ = std::move(read); }
    /// Selected rows and visible columns as tab-separated text, with the header.
    void copySelected() const;

    QTableView& view() { return *view_; }
    QSize sizeHint() const override { return {480, 220}; }

  signals:
    /// The user selected this item by mouse or keyboard.
    void picked(int item);
    /// The set of rows or their order has changed.
    void rowsChanged();
    /// Exporting with the table's button failed.
    void failed(const ks::Error& error);

  protected:
    /// Like setAccepted(), but without the refresh(), which the caller makes.
    void holdAccepted(std::function<bool(int item)> accepts, const QString& none = {});
    /// Total number of items in counts(); nothing: those of the model.
    void setTotal(std::optional<std::size_t> total);
    /// Said after the counts, about items that the table does not have; empty: nothing.
    void setRemark(const QString& text, const QString& tip = {});
    /// The user has chosen something that keep() contains.
    void remember();
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    std::size_t allItems() const;  ///< of counts()
    QString counted() const;       ///< "312 of 346 clusters"
    bool isPartial() const;        ///< not all items have a visible row
    /// What an export writes: "302 spots", "78 of 302 spots".
    QString exportedItems() const;
    bool isKnown(int column) const;  ///< for at least one item
    void build();
    void buildView();
    void applyFilters();
    /// Now, or once its columns are known.
    void applyKeptFilter(const QString& text);
    void chooseRows();
    void showColumns();
    void showCounts();
    /// For the title, the texts of the column and what the model shows in their place.
    int fittingWidth(int column) const;
    void fitColumns();
    /// Columns whose texts have changed become wider if they must, unless the user has resized them.
    void widenColumns(int first, int last);
    void colourMessage();
    void columnMenu(const QPoint& at);
    int columnOf(const std::string& key) const;  ///< or -1
    void exportByDialog();

    OrderedTableModel& model_;
    FilterNames names_;
    Texts texts_;
    ColumnFilter filter_;
    std::function<bool(int)> accepts_, shown_;
    std::function<QString(int)> note_;
    std::vector<std::optional<bool>> chosen_;  ///< columns, chosen by the user
    std::vector<int> fitted_;                  ///< widths of the columns if the user resizes none
    QString hint_, none_, acceptedLeaf_, origin_, originLeaf_, remark_;
    std::optional<std::size_t> total_;
    std::map<std::string, std::string> read_;
    std::optional<QString> data_;
    bool known_ = false;
    bool restored_ = false;   ///< from the TableStates around it
    QString waiting_;         ///< a restored filter whose columns are not known yet
    bool quiet_ = false;      ///< select() is running
    bool announced_ = false;  ///< this press has emitted picked()
    QHBoxLayout* line_ = nullptr;
    QTableView* view_;
    QLabel *empty_, *counts_, *message_;
    QLineEdit* text_;
    QToolButton* export_;
};

/// All columns of a model by their keys, for conditions.
FilterNames filterNames(const OrderedTableModel& model, const QString& example);

}  // namespace ks::ui
