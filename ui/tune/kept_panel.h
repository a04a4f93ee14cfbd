#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QFileSystemWatcher>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/devices/user_tuning.h"
#include "ui/base/jobs.h"

class QLabel;
class QTableView;
class QToolButton;

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

/// The user's table of tuned values, from which rows can be removed. The file is read and written in jobs.
class KeptPanel : public QWidget {
    Q_OBJECT
  public:
    explicit KeptPanel(Jobs& jobs, QWidget* parent = nullptr);

    /// Reads the table again. From then on it is read by itself when the command line has changed it.
    void refresh();
    /// Adds a row to the table; ends with changed() or failed().
    void keep(const TunedRow& row);
    void forgetSelected();
    void forgetAll();

    KeptModel& model() { return *model_; }
    QTableView& table() { return *table_; }
    QToolButton& forget() { return *forget_; }
    /// Text shown if there are no rows.
    QString message() const;

  signals:
    /// The rows have changed, or were read again.
    void changed();
    void failed(const ks::Error& error);

  private:
    /// When a file was last written, and its size; nothing: there is none.
    using Written = std::optional<std::pair<QDateTime, qint64>>;
    struct Table {
        std::vector<TunedRow> rows;
        QString whyNotRead;
        Written written;  ///< of the file, before it was read
    };
    void build();
    void watch();
    /// Reads the table if another program wrote it.
    void look();
    static Written writtenNow();
    /// Changes the table and shows the result.
    void work(const std::function<void(UserTuning&)>& change);
    void showTable(Table table);
    void showButtons();

    Jobs& jobs_;
    KeptModel* model_;
    QTableView* table_;
    QLabel* message_;
    QToolButton *forget_, *forgetAll_;
    QFileSystemWatcher watcher_;
    QTimer settle_;
    Written written_;  ///< of the rows that are shown
    int changes_ = 0;  ///< jobs that were started
};

}  // namespace ks::ui::tune
