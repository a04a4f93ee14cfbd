#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ui/base/newest.h"
#include "ui/lab/lab_table_model.h"
#include "ui/shell/variant_timer.h"
#include "ui/tools/tool_page.h"

namespace ks::ui {
class ElidedLabel;
class FilteredTable;
}  // namespace ks::ui

namespace ks::ui::lab {

class KeptReports;
class PlanForm;
class ViewChoice;
struct LabTab;
struct LabView;

/// Compares the variants of any analysis: the settings at the left; times, stages, growth and roofline in the
/// middle; all results below. Reports can be saved, and earlier ones, or ones from other devices, opened next
/// to the measurements.
class LabPage : public ToolPage, public VariantTimer {
    Q_OBJECT
  public:
    explicit LabPage(PageContext& context);
    ~LabPage() override;

    QString id() const override { return QStringLiteral("lab"); }
    QString title() const override { return tr("Lab"); }
    int order() const override { return 95; }
    void start() override;
    bool takesDataOf(const QString& analysis) override;
    VariantTimer* timer() override { return this; }
    bool propose(const Measurement& wanted) override;
    TimedSizes timedSizes(const QString& analysis) const override;
    /// The choice of the selected row of the table, otherwise of the list at the left.
    KernelChoice kernelChoice() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    /// Benchmarks of the current analysis: those measured here, then those that were opened.
    ComparedList compared() const;
    /// Writes a report as `bench --json` does. Throws ks::Error(input).
    void saveReport(const Compared& report, const QString& path, bool overwrite) const;
    /// Reads a file written by `bench --json` or this page, in a job; ends with opened() or failed().
    void openReport(const QString& path);
    /// The same for several. An error about one of them applies until the next files are opened.
    void openReports(const QStringList& paths);
    void closeReports();
    /// Removes the measurements of the current analysis, also for the next start.
    void clear();
    /// Shows the measurement of the current analysis that the displayed one replaced, and the other way
    /// round.
    void showPrevious();

    PlanForm& form() { return *form_; }
    LabTableModel& model() { return *model_; }
    FilteredTable& table() { return *table_; }

  protected:
    void showEvent(QShowEvent* event) override;
    void refresh() override;
    QString leafOf() const override;

  private:
    /// One report per device.
    struct Measured {
        std::vector<std::shared_ptr<const Compared>> reports = {};

        bool empty() const;
        bool replaces() const;
    };
    /// Results of one analysis.
    struct Results {
        Newest<Measured> measured;
        Measured previous;  ///< replaced by the displayed one
        std::vector<std::shared_ptr<const Compared>> opened;
    };
    void followDesk();
    void takeOpenRequests();
    void setRunning(bool running);
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row);
    void takeReport(const BenchReport& report);
    /// Faults of texts become known: rows of such a text are wrong.
    void judgeTexts();
    QWidget* makeTable();
    void makeKept();
    void makeActions();
    Results& results() { return results_[analysisKey()]; }
    std::string analysisKey() const;
    /// Replaces the displayed report, which itself never changes, by the data received so far.
    void takeLive();
    void beginPlan();
    void showSubjects();
    void show(LabView view);
    void showColumns();
    void learnTraits();
    void askSave();
    void askOpen();
    /// @param opening counts the calls of openReports()
    void readReportOf(const QString& path, int opening);
    void showOnItsPage();
    void updateActions();
    /// Of the selected row of the table; null: none is selected.
    const Entry* chosenEntry() const;
    /// Measured here, and finished: a benchmark that was cancelled or whose worker ended has values as well.
    bool isSavable(const Compared& one) const;
    void askForData();
    void wantKept();
    /// Whether a page has the inputs open that the entry was timed on, for a benchmark made here or an opened
    /// report: the position of its largest error refers to them.
    bool hasPlace(const Entry& entry) const;

    std::shared_ptr<const Registry> registry_;
    Sweep* sweep_;
    std::map<std::string, Results> results_;  ///< by analysis
    std::map<std::string, ParameterSet>
        openPoints_;  ///< bench_points() of the data open on the pages, by analysis
    /// A report that could not be opened.
    struct Refused {
        QString path;
        int opening;
        Error error;
        Error said;  ///< of all reports of this opening that could not be opened
    };
    void tellRefused(int opening);
    std::vector<Refused> refused_;  ///< of which nothing is mended yet
    int openings_ = 0;
    std::vector<BenchPlan> plans_;     ///< plans to be measured
    std::optional<std::size_t> plan_;  ///< the one being measured
    std::shared_ptr<Compared> live_;   ///< the report being measured; null: none
    /// The problem whose traits the form has received.
    struct Known {
        std::string analysis;
        SizeLists sizes;
        std::optional<ParameterSet> parameters;
        bool operator==(const Known&) const = default;
    };
    std::optional<Known> known_;
    PresentTexts texts_;  ///< with which the tabs were drawn
    PlanForm* form_;
    std::vector<LabTab> shown_;   ///< in the order of the tabs
    ViewChoice* view_ = nullptr;  ///< which part of the comparison is drawn
    LabTableModel* model_;
    FilteredTable* table_;
    ElidedLabel* tableSubject_;
    KeptReports* kept_;
    std::size_t keptNow_ = 0;  ///< reports of the current measurement that have been kept
    QAction *saveAction_ = nullptr, *openAction_ = nullptr, *closeAction_ = nullptr, *clearAction_ = nullptr,
            *previousAction_ = nullptr, *showAction_ = nullptr, *placeAction_ = nullptr;
};

}  // namespace ks::ui::lab
