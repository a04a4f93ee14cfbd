#pragma once

#include <QPointer>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/partition/q_partition.h"
#include "ui/base/history.h"
#include "ui/image/panel/image_panel.h"
#include "ui/runs/run_choice.h"
#include "ui/shell/analysis_page.h"
#include "ui/xpcs/bins_panel.h"
#include "ui/xpcs/partition_form.h"
#include "ui/xpcs/partition_maker.h"
#include "ui/xpcs/two_time.h"

namespace ks::ui {
class CurvePlot;
class EdgeTool;
class MapPlot;
class ProfilePanel;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// The detector image with the bins on top, I(q) with their edges, g2 curves of the ticked runs or of a
/// preview, and the two-time map of the selected bin.
class XpcsPage : public AnalysisPage {
    Q_OBJECT
  public:
    explicit XpcsPage(PageContext& context);
    ~XpcsPage() override;

    QString title() const override { return tr("XPCS"); }
    std::vector<Demo> demos() const override;
    OwnParameters ownParameters() const override;
    int order() const override { return 10; }
    QWidget* inputWidget() override { return inputs_; }
    void apply(const ParameterSet& given) override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    void closeFile() override { setFile(nullptr); }
    bool useObject(const QString& path) override;
    QString missing() const override;
    bool renewInputs() override;
    std::map<std::string, FileRecord> inputRecords() const override;
    void fill(Request& request) const override;
    void fillOwn(ParameterSet& parameters) const override;
    FileValues fileValues() const override;
    void setOutdated(const QStringList& labels) override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    void setRuns(const std::vector<RunRow>& runs) override;
    void runChanged(const RunRow& row) override;
    bool showPlace(const VerdictPlace& place) override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    QList<QAction*> editActions() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;
    std::optional<PageState> ofRequest(const Request& request, const Geometry& geometry,
                                       MaskState& drawn) const override;

    ImagePanel& imagePanel() { return *image_; }
    DetectorView& image() { return image_->view(); }
    PartitionForm& partitionForm() { return *form_; }
    BinTableModel& bins() { return bins_->model(); }
    CurvePlot& curves() { return *curves_; }
    MapPlot& twoTime() { return *twoTime_; }
    /// Why there is no map of the selected bin yet, and what to do; empty: there is one, or no
    /// bin is selected.
    const QString& noMapText() const { return noMap_; }
    ProfilePanel& profile() { return *profile_; }
    EdgeTool& edgeTool() { return *edges_; }
    const std::shared_ptr<const QPartition>& partition() const { return made_.partition; }
    int pickedBin() const { return picked_; }

    /// As the form's buttons, without a file dialog.
    void importLabels(const QString& path);
    void exportLabels(const QString& path, bool overwrite);

  public slots:
    /// Label of the bin whose two-time map is wanted. If no ticked run has it, a job is requested to compute
    /// it; if there is no run of these bins, the plot says what to do.
    void pickBin(int label);

  signals:
    /// Another partition is shown.
    void partitionShown();
    void labelsExported(const QString& path);

  private:
    void keepBins(PageState& state) const;
    void bringBackBins(const PageState& state);
    void makeCentre();
    void connectParts();
    void connectPartition();
    void edited();
    /// Handles an edit, possibly made on another page.
    void editedSomewhere();
    void keepSteps();
    enum class BinsMade { withTheMask, atOnce };
    /// Once the mask is known, so that the bins are not made twice.
    void makePartition(BinsMade when = BinsMade::withTheMask);
    void showPartition(const Partitioned& made);
    void partitionFailed(const Error& error);
    void dragRecipe(const PartitionRecipe& recipe, bool final);
    void dragEdge(int edge, double position, bool final);
    void showRings();
    void showBands();
    void showLabels();
    void showCounts();
    void showCurves();
    void showTwoTime();
    bool showMapOf(const RunRow& row);
    bool hasMap(int label) const;
    /// Requests the map if a run can provide it. Returns the text to show in the plot meanwhile.
    QString askForMap(int label);
    /// Why no run of these bins can provide the map; empty: one can, or there is no run.
    QString whyNoMap(int label) const;
    void mapEnded(int asked, const std::optional<Error>& why);
    /// Ticked runs of the current bins, newest first.
    std::vector<const RunRow*> runsOfTheseBins() const;
    void binsSwitched();
    void showVisibleBins();
    void askExport();
    void askImport();
    QStringList labelDatasets() const;
    bool drawsBins() const { return form_->choice().source == PartitionChoice::Drawn; }
    std::optional<PartitionRecipe> recipe() const;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    Partitioned made_;
    RunChoice runs_;
    TwoTimeMaps maps_;
    int picked_ = 0;
    bool makesMap_ = true;         ///< whether the variant of the next run makes maps
    int mapsAsked_ = 0;            ///< number of requested maps
    bool mapWaits_ = false;        ///< the newest requested map is pending
    bool expecting_ = false;       ///< bins are about to be restored
    std::vector<int> waitingOff_;  ///< labels of bins to turn off once these are made
    std::optional<Error> noBins_;  ///< why there are no bins, as reported
    QString noMap_;                ///< why the map of the selected bin is missing
    QString binsOf_;               ///< source of the bins in the table
    QStringList outdated_;         ///< labels of parameters whose values differ from the newest run's
    bool quiet_ = false;           ///< inputs are changed by the program
    bool binsWait_ = false;        ///< bins are made once the mask is known, or no frame could be read
    bool editWaits_ = false;       ///< mask or geometry was edited while another page was shown
    bool byHand_ = false;          ///< the newest change of the inputs came from the user, not from a file

    ImagePanel* image_;
    CurvePlot *curves_, *errors_;
    MapPlot* twoTime_;
    ProfilePanel* profile_;
    PartitionForm* form_;
    QWidget* inputs_;
    BinsPanel* bins_;
    EdgeTool* edges_;
    PartitionMaker* maker_;

    /// The user's choice of bins.
    struct BinChoice {
        PartitionForm::Fields form;
        std::vector<int> off;  ///< labels that are turned off
        bool operator==(const BinChoice&) const = default;
    };
    BinChoice proposed_;  ///< proposed for the file, before any edit
    BinChoice binChoice() const;
    void setBinChoice(const BinChoice& choice);
    static Undoable<BinChoice>::Name binChange(const BinChoice& before, const BinChoice& now);
    std::unique_ptr<Undoable<BinChoice>> steps_;
    std::optional<std::vector<int>> offWaits_;  ///< for the bins being made
};

}  // namespace ks::ui::xpcs
