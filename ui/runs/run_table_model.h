#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/io/series/file_states.h"
#include "core/run/registry.h"
#include "core/run/run.h"

namespace ks::ui {

class TextFaults;

/// A run in the table, with the number that it keeps for as long as the window is open.
struct RunRow {
    int number = 0;
    std::shared_ptr<const Run> run;
    bool ticked = false;
    bool checking = false;
    // Of addRun():
    QStringList files = {};  ///< that the run reads, whole paths
    QString data = {};       ///< name of the first of them: "FILE" or "FILE::/path"; empty: none
    QString setup = {};      ///< Analysis::setup_text()
    QStringList changed =
        {};  ///< "Maximum delay = 100 frames": what differs from its default and has an effect
    /// Of the inputs beside the data, by role: equal inputs of two runs have equal numbers.
    std::map<std::string, int> inputs = {};
};

/// Its check found values that are not those of the definition.
bool isWrong(const RunRow& row);
/// For tables: the largest relative error, "1.0e-07"; "differs" for a wrong result if its values must equal
/// the reference, or if something else is wrong; "accesses" if that is all that is known to be wrong.
QString errorText(const Verdict& verdict);
/// For legends and titles: "run 3", "run 3 (wrong)"; without a number "preview", "preview (wrong)".
QString runLabel(const RunRow& row);

/// All runs of this session, newest first.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// What is compared first: a narrow table shows it without being scrolled.
    enum Column {
        NumberColumn,
        AnalysisColumn,
        VariantColumn,
        KernelColumn,
        TotalColumn,
        SpeedUpColumn,
        VerdictColumn,
        SetupColumn,
        ChangedColumn,
        DataColumn,
        DeviceColumn,
        ErrorColumn,
        TimeColumn,
        ColumnCount
    };

    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Who knows what the runs to come were asked for; without it their set-up stays empty.
    void setRegistry(std::shared_ptr<const Registry> registry) { registry_ = std::move(registry); }

    /// Texts whose runs are wrong, those to come as well; without it none is.
    /// @param faults outlives it
    void setTextFaults(TextFaults& faults);
    /// Tells of a run of a kernel of the user's own whether its text is another one now: such runs say so.
    void setFormerText(std::function<bool(const Run&)> isFormer) { isFormerText_ = std::move(isFormer); }
    /// Texts of kernels may have changed.
    void lookAtTexts() { remark(); }

    /// Ticks the new run and, where `alone`, unticks all others of its analysis. Returns its number.
    /// @param number that was reserved for it; nothing: the next one
    int addRun(std::shared_ptr<const Run> run, bool alone, std::optional<int> number = {});
    /// A number for a run that is asked for now and comes later.
    int reserveNumber() { return ++last_; }
    /// A run of an earlier session, at the place of its number; where that is taken, with a new one. Returns
    /// the number.
    int bringBack(std::shared_ptr<const Run> run, int number, bool ticked);
    /// Highest number so far: the next run has the one after it.
    int lastNumber() const { return last_; }
    void setLastNumber(int number) { last_ = std::max(last_, number); }
    void removeRun(int number);
    void setTicked(int number, bool ticked);
    /// Ticks these runs and no others.
    void tickOnly(const QSet<int>& numbers);
    void setChecking(int number, bool checking);
    /// Replaces the run by one with this verdict: runs themselves never change.
    void setVerdict(int number, const Verdict& verdict);
    /// Puts another Run in the place of this one: the same with more results, or with files that lie
    /// elsewhere.
    void replaceRun(int number, std::shared_ptr<const Run> run);
    /// For a preview, which is not checked: the same with the verdict "fail" where its kernel is known to be
    /// wrong, because its text has faults, or because a run of the table is wrong that is of the same kernel,
    /// definitions and devices.
    std::shared_ptr<const Run> judgedPreview(const std::shared_ptr<const Run>& preview) const;
    const RunRow* find(int number) const;
    const std::vector<RunRow>& rows() const { return rows_; }
    int number(int row) const { return rows_[static_cast<std::size_t>(row)].number; }
    /// Ticked runs, newest first; of one analysis, where it is named.
    std::vector<RunRow> ticked(const QString& analysis = {}) const;
    /// The analysis that is looked at: runs of others are grey. Empty: all are.
    void setAnalysis(const QString& id);
    const QString& analysis() const { return analysis_; }
    /// The file that is open: runs of another one are grey and say so. Empty: none is of another one.
    /// @param record of the contents that it was opened with: runs of other contents are grey and say so, too
    /// @param name of the data, "FILE" or "FILE::/path"; empty: not known
    /// @param states of all files of the data, as it was opened with them
    void setFile(const QString& path, const FileRecord& record = {}, const QString& name = {},
                 const FileStates& states = {});
    /// The open file, and the first file of each run: all whose names are visible next to each other.
    std::vector<std::string> dataFiles() const;
    /// A file as it is named among dataFiles(): "scan.h5"; "b/scan.h5" if there is also "a/scan.h5".
    QString nameOf(const QString& file) const;
    /// The first file of a run as nameOf(), with the object in it where another run, or the open data, are of
    /// another object of the same file: "scan.h5::/entry/data". Empty: the run read no file.
    QString dataName(const RunRow& row) const;
    /// The run that the page of its analysis shows: the newest ticked one of the open file, as it was opened
    /// if there is one; otherwise the newest ticked one. Null: none is ticked.
    const RunRow* shownRun(const QString& analysis) const;
    /// Whether a run has the open file among its inputs, or no file at all.
    bool isOfFile(const RunRow& row) const;
    /// The same, and the file was as it was opened.
    bool isOfContents(const RunRow& row) const;
    /// "bins": the first input beside the data that is not the one of the newest ticked run of the open file;
    /// empty: the same ones.
    QString otherInput(const RunRow& row) const;
    /// Median compute time of the runs of the baseline with which `run` is compared, divided by that of
    /// `run`; nothing: its tool tip says why.
    std::optional<double> speedUp(const Run& run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void tickedChanged();

  private:
    /// The runs of the baseline variant with which the time of a run can be compared, newest first; if there
    /// are none, the reason for users.
    struct Baselines {
        std::vector<const RunRow*> runs = {};
        QString whyNone = {};
    };
    Baselines baselinesOf(const Run& run) const;
    int rowOf(int number) const;
    /// The open file, under any of its names.
    bool readsFile(const RunRow& row) const;
    const AnalysisInfo* infoOf(const Run& run) const;
    void describe(RunRow& row) const;
    void numberInputs(RunRow& row) const;
    /// Marks depend on what is ticked, on the file and on the page.
    void remark(const QList<int>& roles = {});
    QString text(const RunRow& row, int column) const;
    /// shown_variant(); "user.mine, former text 3f2a61" where its text is another one now.
    QString shownVariant(const Run& run) const;
    QVariant colour(const RunRow& row, int column) const;
    /// What the column says, and the run's warnings.
    QString tip(const RunRow& row, int column) const;
    QString ownTip(const RunRow& row, int column) const;
    /// All that the run was asked for and where.
    QString wholeTip(const RunRow& row) const;

    /// With the verdict that faults of its text leave it.
    std::shared_ptr<const Run> judged(std::shared_ptr<const Run> run) const;

    std::shared_ptr<const Registry> registry_;
    TextFaults* faults_ = nullptr;  ///< null: none are known
    std::function<bool(const Run&)> isFormerText_;
    std::vector<RunRow> rows_;
    QString analysis_, file_, data_;
    FileRecord record_;  ///< of file_
    FileStates states_;  ///< of file_ and the other files of the data
    /// Whether runs of file_ read these contents. Comparing the files of a long series takes time.
    mutable std::map<std::weak_ptr<const Run>, bool, std::owner_less<>> ofContents_;
    int last_ = 0;
};

/// Nanoseconds that the computation itself took: kernels, or the host's stages where there are none.
std::uint64_t computeNanoseconds(const Run& run);

}  // namespace ks::ui
