#pragma once

#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "ui/xpcs/fit/curve_fits.h"

class QLabel;

namespace ks::ui {
class FilteredTable;
}

namespace ks::ui::xpcs {

class FitTableModel;

/// The table of fitted bins, which can be filtered, sorted, copied and saved.
class FitResults : public QWidget {
    Q_OBJECT
  public:
    explicit FitResults(QWidget* parent = nullptr);

    /// @param hint what to do if there are none
    /// @param standing that they are outdated, or of a preview, for a line above the table; empty: neither
    void setFits(const std::vector<FittedRun>& fits, const QString& hint, const QString& standing = {});
    /// Of fits that are not of the open file: "run 4 of a.h5", in the title and the name of an export. Empty:
    /// of the open file.
    /// @param file of their data
    void setOrigin(const QString& runs, const QString& file);
    /// What the CSV says about each row of the run with this number, 0 for a preview.
    void setNote(std::function<QString(int run)> note) { note_ = std::move(note); }
    FilteredTable& table() { return *table_; }
    FitTableModel& model() { return *model_; }
    /// Marks the row of a bin without emitting a signal.
    void select(int bin);

  signals:
    /// The user selected the row of a bin.
    void picked(int bin);
    void failed(const ks::Error& error);

  private:
    void makeTable(const std::vector<FittedRun>& fits);

    std::function<QString(int)> note_;
    QLabel* standing_;
    FitTableModel* model_ = nullptr;
    FilteredTable* table_ = nullptr;
};

}  // namespace ks::ui::xpcs
