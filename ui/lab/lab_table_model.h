#pragma once

#include <QString>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/base/ordered_table_model.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// All results of the compared benchmarks: one row per variant and point of each benchmark, grouped by
/// problem. The first size columns are those that differ between the rows.
class LabTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        VariantColumn,
        SourceColumn,
        TunedColumn,
        FirstSizeColumn,
        LastSizeColumn = FirstSizeColumn + 3,
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
        AgainstColumn,
        SinceColumn,
        SinceLowColumn,
        SinceHighColumn,
        SinceTextColumn,
        VerdictColumn,
        WhereColumn,
        WorstColumn,
        BytesColumn,
        OperationsColumn,
        ShareColumn,
        CountsColumn,
        UploadColumn,
        DownloadColumn,
        HostColumn,
        ReadColumn,
        BuildColumn,
        FirstColumn,
        SamplesColumn,
        TextColumn,
        ProblemColumn,
        ColumnCount
    };

    explicit LabTableModel(QObject* parent = nullptr);

    using Numbers = std::array<double, ColumnCount>;
    /// The numbers of each entry. Takes time: they include ratios with their intervals.
    /// @param all the benchmarks; changes are relative to the first opened one that has the row
    static std::vector<Numbers> numbersOf(const std::vector<Entry>& entries, const ComparedList& all);
    /// The same without ratios.
    static std::vector<Numbers> numbersOf(const std::vector<Entry>& entries);
    /// @param numbers of each entry
    /// @param specs of the analysis' sizes, for their names
    void setEntries(std::vector<Entry> entries, std::vector<Numbers> numbers,
                    const std::vector<ParameterSpec>& specs = {});
    /// The text_mark() of the current text of each of the user's kernels, by id: rows measured here with
    /// another text are marked.
    void setPresentTexts(PresentTexts marks);
    const std::vector<Entry>& entries() const { return entries_; }

    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    /// Of tied ranks.
    std::pair<double, double> range(int item, int column) const override;
    std::vector<int> groups() const override;
    std::vector<std::string> csvKeys(int column) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    /// A size that differs between the rows.
    struct Size {
        std::string id, key, name, unit, about;
    };
    void chooseSizes(const std::vector<ParameterSpec>& specs);
    const Size* sizeOf(int column) const;  ///< null: not a size column
    double sizeNumber(const Entry& entry, const Size& size) const;
    bool isOfFormerText(const Entry& entry) const;
    QString words(const Entry& entry, int column) const;
    QString furtherSizes(const Entry& entry) const;

    std::vector<Entry> entries_;
    std::vector<Numbers> numbers_;
    std::vector<std::unique_ptr<const Size>> sizes_;  ///< in the order of their columns
    std::vector<std::string> rest_;                   ///< further sizes that differ
    PresentTexts presentTexts_;
    bool further_ = false;  ///< other differences distinguish the problems
    bool sameFrom_ = true;
    bool tuned_ = false;           ///< a row used values from the user's table of tuned values
    bool countsOfBase_ = false;    ///< a row is of a user's kernel
    bool severalAgainst_ = false;  ///< speed-ups are relative to different variants
    bool textsDiffered_ = false;   ///< a row was timed with another text in the opened report
    bool texts_ = false;           ///< a row has the mark of its kernel's text
};

}  // namespace ks::ui::lab
