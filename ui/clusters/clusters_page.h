#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/clusters/cluster_table_model.h"
#include "ui/clusters/digi_loader.h"
#include "ui/runs/run_choice.h"
#include "ui/shell/analysis_page.h"

class QComboBox;

namespace ks::ui {
class FilteredTable;
class FrameSlider;
}  // namespace ks::ui

namespace ks::ui::clusters {

class DetectorForm;
class DifferencePanel;
class ModuleOverview;
class ModulePane;

/// The modules of an event next to the pixels of the selected one; tables, histograms, steps of the
/// algorithms and the difference of two runs below. While steps are shown, union-find's trees replace the
/// overview if there is no room for both. Events, rows and labels are counted from 0, as in files.
class ClustersPage : public AnalysisPage {
    Q_OBJECT
  public:
    explicit ClustersPage(PageContext& context);
    ~ClustersPage() override;

    QString title() const override { return tr("Clusters"); }
    int order() const override { return 30; }
    /// CSV files with columns of digis, and HDF5 files with the datasets module, x, y and adc.
    bool accepts(const OpenFile& file) const override;
    QString tableColumns() const override { return QStringLiteral("module, x, y, adc"); }
    QStringList fileFilters() const override;
    std::vector<Demo> demos() const override;
    OwnParameters ownParameters() const override;
    void resetParameters() override;
    QWidget* inputWidget() override;
    std::function<std::any()> reader(const OpenFile& file) const override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    void closeFile() override;
    QString missing() const override;
    FileValues fileValues() const override;
    InputState inputState() const override { return {file_ && !digis_ && unread_.isEmpty()}; }
    void apply(const ParameterSet& given) override;
    void fill(Request& request) const override;
    void fillOwn(ParameterSet& parameters) const override;
    void setOutdated(const QStringList& labels) override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    void setRuns(const std::vector<RunRow>& runs) override;
    bool showPlace(const VerdictPlace& place) override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    /// Parts of the drawer.
    enum class Part { clusters, modules, histograms, steps, difference };
    void show(Part part);
    using QWidget::show;
    bool stepping() const;  ///< whether the steps are shown

    const std::shared_ptr<const DigiSet>& digis() const { return digis_; }
    /// The displayed run; null: none.
    std::shared_ptr<const RunClusters> shown() const { return a_.run; }
    std::optional<std::size_t> slot() const { return slot_; }
    std::optional<std::size_t> picked() const;  ///< cluster of the displayed run
    QString status() const;

  public slots:
    /// Shows a module in an event.
    void pickSlot(std::size_t slot);
    /// Selects a cluster of the displayed run. @param look show its module and scroll to it
    void pickCluster(std::optional<std::size_t> cluster, bool look);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeCentre();
    QWidget* makeTop();
    void connectParts();
    void arrange();
    void forgetDigis();
    void readDigis();
    void takeDigis(std::shared_ptr<const DigiSet> digis);
    void edited();
    void changeLayout();
    void lookAtKept();
    void setSettings(const nlohmann::json& kept);
    void decode();
    void takeRuns(std::vector<ShownRun> shown);
    bool ofThisFile(const Run& run) const;
    void showEventOf(std::size_t event);
    void showTables();
    void showScope();
    QString scopeLeaf() const;  ///< "event0_module3": the scope of the list in names of files
    void showModule();
    void showStatus();
    /// What the CSV of the differences says about the two runs; empty: nothing.
    QString noteOfDifference() const;
    /// Of the shown ones, apart from a preview; null: there is none.
    std::shared_ptr<const RunClusters> newestRun() const;
    /// What a badge says about a run: "outdated (Connectivity)"; empty: nothing.
    QString noteOf(const ShownRun& shown) const;
    QString noClustersText() const;
    void showNotes();
    void showEmptyTexts();
    void pickDifference(int item);

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const DigiSet> digis_;
    RunChoice runs_;
    std::vector<ShownRun> all_;              ///< newest first: a preview, then runs of this file
    ShownRun a_, b_;                         ///< the first two
    std::shared_ptr<const DigiSet> tabled_;  ///< shown in the tables
    QString noClusters_;                     ///< in place of the clusters, as noClustersText()
    std::size_t event_ = 0;
    std::optional<std::size_t> slot_;
    QString unread_;                    ///< why the given file could not be read; empty: it could
    QString differenceNote_;            ///< as noteOfDifference()
    QStringList outdated_;              ///< labels of parameters whose values differ from the newest run's
    std::optional<PageState> waiting_;  ///< to be applied when the digis arrive

    ClusterTableModel clusters_;
    ModuleTableModel modules_;
    ModuleOverview* overview_;
    ModulePane* pane_;
    ClusterPlots* plots_;
    FilteredTable *clusterTable_, *moduleTable_;
    DifferencePanel* difference_;
    FrameSlider* events_;
    QComboBox *quantity_, *scope_;
    QWidget* left_ = nullptr;
    DetectorForm* detector_;
};

}  // namespace ks::ui::clusters
