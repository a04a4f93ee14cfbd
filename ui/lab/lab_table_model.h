#pragma once

#include <QString>
#include <array>
#include <vector>

#include "ui/base/ordered_table_model.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// All numbers of the benchmarks that are compared: a row for each variant at each point of each of them.
class LabTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        VariantColumn,
        SourceColumn,
        SizesColumn,
        RankColumn,
        KernelColumn,
        KernelLowColumn,
        KernelHighColumn,
        TotalColumn,
        TotalLowColumn,
        TotalHighColumn,
        RatioColumn,
        RatioLowColumn,
        RatioHighColumn,
        SinceColumn,
        SinceLowColumn,
        SinceHighColumn,
        VerdictColumn,
        WhereColumn,
        WorstColumn,
        BytesColumn,
        OperationsColumn,
        ShareColumn,
        UploadColumn,
        DownloadColumn,
        HostColumn,
        ReadColumn,
        BuildColumn,
        FirstColumn,
        SamplesColumn,
        ColumnCount
    };

    explicit LabTableModel(QObject* parent = nullptr) : OrderedTableModel(parent) {}

    using Numbers = std::array<double, ColumnCount>;
    /// The numbers of each entry. Takes time: ratios with their intervals are among them.
    /// @param all that changes are counted from: the first one that was opened and has the row
    static std::vector<Numbers> numbersOf(const std::vector<Entry>& entries, const ComparedList& all);
    /// The same without ratios.
    static std::vector<Numbers> numbersOf(const std::vector<Entry>& entries);
    /// @param numbers of each entry
    void setEntries(std::vector<Entry> entries, std::vector<Numbers> numbers);
    const std::vector<Entry>& entries() const { return entries_; }

    int columnCount(const QModelIndex& parent = {}) const override;
    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    const ColumnText& columnText(int column) const override;
    bool isWords(int column) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    QString words(const Entry& entry, int column) const;

    std::vector<Entry> entries_;
    std::vector<Numbers> numbers_;
    std::vector<std::string> varied_;  ///< sizes that differ
};

}  // namespace ks::ui::lab
