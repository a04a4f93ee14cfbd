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
class QToolButton;

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

/// Variants of any analysis side by side: what is timed at the left, times, stages, growth and roofline in
/// the middle, all numbers below. Reports can be kept as files, and files of earlier ones, or of other
/// devices, stand beside what is measured. It runs no analysis: it times variants of all of them.
class LabPage : public Page {
    Q_OBJECT
  public:
    explicit LabPage(PageContext& context);
    ~LabPage() override;

    QString analysis() const override { return {}; }
    QString id() const override { return QStringLiteral("lab"); }
    QString title() const override { return tr("Lab"); }
    int order() const override { return 95; }
    bool needsFile() const override { return false; }
    bool accepts(const OpenFile&) const override { return false; }
    QStringList fileFilters() const override { return {}; }
    std::optional<Demo> demo() const override { return std::nullopt; }
    void setFile(std::shared_ptr<const OpenFile>) override {}
    QString missing() const override;
    bool startsItself() const override { return true; }
    bool hidesDock() const override { return true; }
    void start() override;
    void setOpenRequests(const std::vector<OpenRequest>& open) override;
    bool takesDataOf(const QString& analysis) override;
    bool propose(const Measurement& wanted) override;
    void setKeptFolder(const QString& folder) override;
    void fill(Request&) const override {}
    void setRuns(const std::vector<RunRow>&) override {}
    void setCatalogue(const wire::Catalogue& catalogue) override;
    void setCeilings(const std::vector<Ceilings>& all) override;
    void setMeasurable(bool now) override;
    void setSweeping(bool running) override;
    void addSweepRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) override;
    void setSweep(const BenchReport& report) override;
    QList<QAction*> editActions() const override { return actions_; }
    /// Of the row that is chosen in the table, else in the list at the left.
    KernelChoice kernelChoice() const override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    void save(QSettings& settings) const override;
    void restore(QSettings& settings) override;
    PageState keep() const override;
    void bringBack(const PageState& state) override;

    /// Those of the analysis that is chosen: measured here first, then those that were opened.
    ComparedList compared() const;
    /// Writes a report as `bench --json` does. Throws ks::Error(input).
    void saveReport(const Compared& report, const QString& path, bool overwrite) const;
    /// Reads a file that `bench --json` or this page wrote, in a job; opened() or failed() tells of its end.
    void openReport(const QString& path);
    void closeReports();
    /// Takes away what was measured for the analysis that is chosen, also for the next start.
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
    /// The problems, and where there are several last all of them in groups.
    QComboBox& points();
    /// What is said of problems that differ; empty: nothing.
    QString difference() const;
    /// What the plots, and what all rows of the table are of; empty: there is nothing.
    QString subject() const;
    QString tableSubject() const;
    /// What the roofline leaves out, and why.
    QString rooflineNote() const;
    QToolButton& measureButton();

  signals:
    void opened(const QString& path);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    /// Of one analysis.
    struct Results {
        std::vector<std::shared_ptr<const Compared>> measured, opened;
    };
    QWidget* makeCentre();
    QWidget* makeTable();
    void makeKept();
    void makeActions();
    Results& results() { return results_[analysisKey()]; }
    std::string analysisKey() const;
    /// Puts what has come so far into the place of what is shown, which itself is never changed.
    void takeLive();
    void beginPlan();
    /// What is drawn.
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
    /// Tells the table which texts kernels of the user's own have now.
    void showPresentTexts();
    void measureCeilings();
    void learnTraits();
    int colourOf(const Compared& one) const;
    void askSave();
    void askOpen();
    void showOnItsPage();
    void updateActions();
    /// Measured here, and over: also what was cancelled, or whose worker ended, has values.
    bool isSavable(const Compared& one) const;
    void askForData();
    void wantKept();
    /// Whether a page has the inputs open that the entry was timed on, here or for a report that was opened:
    /// the place of its largest error is one of theirs.
    bool hasPlace(const Entry& entry) const;

    Jobs& jobs_;
    std::shared_ptr<const Registry> registry_;
    std::map<std::string, Results> results_;  ///< by analysis
    std::vector<DeviceInfo> devices_;
    std::map<std::string, std::map<std::string, std::string>> presentTexts_;  ///< marks, by analysis and id
    std::vector<Ceilings> ceilings_;
    std::map<std::string, ParameterSet> openPoints_;  ///< bench_points() of what pages have open, by analysis
    std::vector<BenchPlan> plans_;                    ///< that were asked for
    std::optional<std::size_t> plan_;                 ///< the one that is under way
    std::shared_ptr<Compared> live_;                  ///< the report that comes; null: none does
    /// The problem that the form has been told the traits of.
    struct Known {
        std::string analysis;
        SizeLists sizes;
        std::optional<ParameterSet> parameters;
        bool operator==(const Known&) const = default;
    };
    std::optional<Known> known_;
    bool measurable_ = false;
    PlanForm* form_;
    QWidget* side_ = nullptr;  ///< the form, scrolled
    QTabWidget* tabs_;
    ViewChoice* view_ = nullptr;  ///< what of the comparison is drawn
    bool choosingScale_ = false;
    StripPlot* times_;
    StagesView* stages_;
    SizePlots* sizes_;
    RooflinePane* roofline_;
    LabTableModel* model_;
    FilteredTable* table_;
    ElidedLabel* tableSubject_;
    KeptReports* kept_;
    std::size_t keptNow_ = 0;  ///< reports of the measurement under way that are kept
    QTimer* later_;
    QList<QAction*> actions_;
    QAction *saveAction_ = nullptr, *openAction_ = nullptr, *closeAction_ = nullptr, *clearAction_ = nullptr,
            *showAction_ = nullptr, *placeAction_ = nullptr;
};

}  // namespace ks::ui::lab
