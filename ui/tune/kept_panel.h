#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/devices/user_tuning.h"
#include "ui/base/jobs.h"
#include "ui/tune/kept_model.h"

class QLabel;
class QTableView;
class QToolButton;

namespace ks::ui::tune {

/// The user's table of tuned values, from which rows can be removed. The file is read and written in jobs.
class KeptPanel : public QWidget {
    Q_OBJECT
  public:
    explicit KeptPanel(Jobs& jobs, QWidget* parent = nullptr);

    /// Reads the table anew: the command line may have changed it.
    void refresh();
    /// Puts a row into the table: changed() or failed() tells of its end.
    void keep(const TunedRow& row);
    void forgetSelected();
    void forgetAll();

    KeptModel& model() { return *model_; }
    QTableView& table() { return *table_; }
    QToolButton& forget() { return *forget_; }
    QToolButton& forgetEvery() { return *forgetAll_; }
    /// What stands in the place of rows.
    QString message() const;

  signals:
    /// The rows are other ones, or were read again.
    void changed();
    void failed(const ks::Error& error);

  private:
    struct Table {
        std::vector<TunedRow> rows;
        QString whyNotRead;
    };
    void build();
    /// Changes the table, and shows what it is then.
    void work(const std::function<void(UserTuning&)>& change);
    void showTable(Table table);
    void showButtons();

    Jobs& jobs_;
    KeptModel* model_;
    QTableView* table_;
    QLabel* message_;
    QToolButton *forget_, *forgetAll_;
    int changes_ = 0;  ///< that were asked for
};

}  // namespace ks::ui::tune
