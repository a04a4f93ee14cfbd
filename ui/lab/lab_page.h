#pragma once

#include <QPointer>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/registry.h"
#include "ui/lab/lab_table_model.h"
#include "ui/shell/page.h"

class QComboBox;
class QMenu;
class QTabWidget;
class QTimer;

namespace ks::ui {
class ElidedLabel;
class FilteredTable;
class SizePlots;
class StagesView;
}  // namespace ks::ui

namespace ks::ui::lab {

class KeptReports;
class PlanForm;
class RooflinePane;
class RooflinePlot;
class StripPlot;
class ViewChoice;

/// Compares the variants of any analysis: the settings at the left; times, stages, growth and roofline in the
/// middle; all results below. Reports can be saved, and earlier ones, or ones from other devices, opened next
/// to the measurements. The page runs no analysis of its own: it times the variants of all of them.
class LabPage : public Page {
    Q_OBJECT
  public:
    explicit LabPage(PageContext& context);
    ~LabPage() override;

    QString id() const override { return QStringLiteral("lab"); }
    QString title() const override { return tr("Lab"); }
    int order() const override { return 95; }
    QString missing() const override;
    bool startsItself() const override { return true; }
    void start() override;
    bool takesDataOf(const QString& analysis) override;
    bool propose(const Measurement& wanted) override;
    QList<QAction*> editActions() const override { return actions_; }
    /// The choice of the selected row of the table, otherwise of the list at the left.
    KernelChoice kernelChoice() const override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    /// Benchmarks of the current analysis: those measured here, then those that were opened.
    ComparedList compared() const;
    /// Writes a report as `bench --json` does. Throws ks::Error(input).
    void saveReport(const Compared& report, const QString& path, bool overwrite) const;
    /// Reads a file written by `bench --json` or this page, in a job; ends with opened() or failed().
    void openReport(const QString& path);
    void closeReports();
    /// Removes the measurements of the current analysis, also for the next start.
    void clear();

    PlanForm& form() { return *form_; }
    StripPlot& times() { return *times_; }
    StagesView& stages() { return *stages_; }
    SizePlots& sizes() { return *sizes_; }
    RooflinePlot& roofline();
    LabTableModel& model() { return *model_; }
    FilteredTable& table() { return *table_; }
    QTabWidget& tabs() { return *tabs_; }
    QComboBox& time();
    /// The problems; if there are several, also all of them in groups, as the last entry.
    QComboBox& points();
    /// Message about problems that differ; empty: none.
    QString difference() const;
    /// The problem of the plots, and the one of all rows of the table; empty: there is none.
    QString subject() const;
    QString tableSubject() const;
    /// Which variants the roofline does not show, and why.
    QString rooflineNote() const;

  signals:
    void opened(const QString& path);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    /// Results of one analysis.
    struct Results {
        std::vector<std::shared_ptr<const Compared>> measured, opened;
    };
    void followDesk();
    void takeCatalogue();
    void takeOpenRequests();
    void setRunning(bool running);
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row);
    void takeReport(const BenchReport& report);
    QWidget* makeCentre();
    QWidget* makeTable();
    void makeKept();
    void makeActions();
    Results& results() { return results_[analysisKey()]; }
    std::string analysisKey() const;
    /// Replaces the displayed report, which itself never changes, by the data received so far.
    void takeLive();
    void beginPlan();
    /// The data that are drawn.
    struct Shown {
        std::vector<Entry> entries;                        ///< of all points
        std::vector<Entry> here = {};                      ///< of the chosen one, fastest first
        std::vector<std::vector<std::size_t>> ties = {};   ///< of `here`
        std::vector<LabTableModel::Numbers> numbers = {};  ///< of `entries`
    };
    void refresh();
    void showSubjects();
    void show(Shown shown);
    void showTimes(const Shown& shown);
    void showStages(const std::vector<Entry>& entries);
    void showSizes(const ComparedList& all);
    void showRoofline(const std::vector<Entry>& entries);
    void showColumns();
    /// Passes the current texts of the user's kernels to the table.
    void showPresentTexts();
    void measureCeilings();
    void learnTraits();
    int colourOf(const Compared& one) const;
    void askSave();
    void askOpen();
    void showOnItsPage();
    void updateActions();
    /// Measured here, and finished: a benchmark that was cancelled or whose worker ended has values as well.
    bool isSavable(const Compared& one) const;
    void askForData();
    void wantKept();
    /// Whether a page has the inputs open that the entry was timed on, for a benchmark made here or an opened
    /// report: the position of its largest error refers to them.
    bool hasPlace(const Entry& entry) const;

    Jobs& jobs_;
    std::shared_ptr<Desk> desk_;
    std::shared_ptr<const Registry> registry_;
    Sweep* sweep_;
    std::map<std::string, Results> results_;                                  ///< by analysis
    std::map<std::string, std::map<std::string, std::string>> presentTexts_;  ///< marks, by analysis and id
    std::map<std::string, ParameterSet>
        openPoints_;                   ///< bench_points() of the data open on the pages, by analysis
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
    PlanForm* form_;
    QWidget* side_ = nullptr;  ///< the form, scrollable
    QTabWidget* tabs_;
    ViewChoice* view_ = nullptr;  ///< which part of the comparison is drawn
    bool choosingScale_ = false;
    StripPlot* times_;
    StagesView* stages_;
    SizePlots* sizes_;
    RooflinePane* roofline_;
    LabTableModel* model_;
    FilteredTable* table_;
    ElidedLabel* tableSubject_;
    KeptReports* kept_;
    std::size_t keptNow_ = 0;  ///< reports of the current measurement that have been kept
    QTimer* later_;
    QList<QAction*> actions_;
    QAction *saveAction_ = nullptr, *openAction_ = nullptr, *closeAction_ = nullptr, *clearAction_ = nullptr,
            *showAction_ = nullptr, *placeAction_ = nullptr;
};

}  // namespace ks::ui::lab
