#pragma once

#include <QString>
#include <deque>
#include <string>
#include <vector>

#include "ui/base/ordered_table_model.h"
#include "ui/xpcs/fit/curve_fits.h"

namespace ks::ui::xpcs {

/// The fits as a table with a row per bin and run. Its first columns are those of ks::xpcs::fit_csv(), in CSV
/// files with their units: "gamma (1/s)"; of several runs after that of the run.
class FitTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    /// @param fits whose parameters the table has; those of all runs are the same
    explicit FitTableModel(const std::vector<FittedRun>& fits, QObject* parent = nullptr);

    /// Whether these fits have the columns of the table.
    bool suits(const std::vector<FittedRun>& fits) const;
    /// Requires suits().
    void setFits(const std::vector<FittedRun>& fits);
    /// Columns that the table shows first: errors are in the column of their value, too.
    bool isShown(int column) const;
    int bin(int item) const;  ///< label
    int run(int item) const;  ///< its number; 0: a preview
    bool converged(int item) const { return fit(item).converged; }

    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    std::vector<std::string> csvKeys(int column) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    enum class Kind { run, bin, q, value, error, tau, tauError, chi2, aic, source, status };
    struct Column {
        Kind kind;
        std::string parameter = {};  ///< of value and error
    };
    struct Row {
        std::size_t run, bin;
    };
    struct Shape {
        std::vector<std::string> names, units;
        std::string time;
        bool rate = false, severalRuns = false;
        bool operator==(const Shape&) const = default;
    };
    static Shape shapeOf(const std::vector<FittedRun>& fits);
    const ks::xpcs::BinFit& fit(int item) const;
    void add(Column column, const QString& name, const std::string& unit, const QString& about,
             const std::string& key, bool words = false);
    const char* kept(const std::string& text);

    Shape shape_;
    std::vector<Column> columns_;
    std::vector<ColumnText> texts_;
    std::deque<std::string> strings_;  ///< of the columns' texts
    std::vector<FittedRun> fits_;
    std::vector<Row> rows_;
};

}  // namespace ks::ui::xpcs
