#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/run/repeats/repeats.h"
#include "ui/shell/frames/frames_page.h"
#include "ui/xpcs/bins.h"
#include "ui/xpcs/fit/curve_fits.h"
#include "ui/xpcs/run_curves.h"
#include "ui/xpcs/series/pairs_of_inputs.h"

namespace ks::ui {
class CurvePlot;
class ProfilePanel;
class DiskStates;
class WatchedInputs;
}  // namespace ks::ui

namespace ks::ui::xpcs {

class CorrectionForm;
class FitForm;
class FitResults;
class FramesPanel;
class RepeatsPanel;
class StabilityPanel;
class TauPanel;
class TwoTimePanel;

/// The detector image with the bins on top, I(q) with their edges, g2 curves of the ticked runs or of a
/// preview with their fits, and the two-time map of the selected bin.
class XpcsPage : public FramesPage {
    Q_OBJECT
  public:
    explicit XpcsPage(PageContext& context);
    ~XpcsPage() override;

    QString title() const override { return tr("XPCS"); }
    std::vector<Demo> demos() const override;
    OwnParameters ownParameters() const override;
    int order() const override { return 10; }
    void setFile(std::shared_ptr<const OpenFile> file) override;
    bool useObject(const QString& path) override;
    QString missing() const override;
    bool renewInputs() override;
    InputState inputState() const override;
    void fill(Request& request) const override;
    void fillOwn(ParameterSet& parameters) const override;
    void apply(const ParameterSet& given) override;
    FileValues fileValues() const override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    void setRuns(const std::vector<RunRow>& runs) override;
    void runChanged(const RunRow& row) override;
    bool showPlace(const VerdictPlace& place) override;
    std::vector<NamedPlot> plots() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;
    std::optional<PageState> ofRequest(const Request& request, const Geometry& geometry,
                                       MaskState& drawn) const override;

    PartitionForm& partitionForm() { return bins_->form(); }
    BinTableModel& bins() { return bins_->model(); }
    CurvePlot& curves() { return *curves_; }
    CorrectionForm& correction() { return *correction_; }
    FitForm& fitForm() { return *fitForm_; }
    FitResults& fitResults() { return *fitResults_; }
    TauPanel& tau() { return *tau_; }
    FramesPanel& frames() { return *frames_; }
    StabilityPanel& stability() { return *stability_; }
    RepeatsPanel& repeatsPanel() { return *repeatsPanel_; }
    const CurveFits& fits() const { return *fits_; }
    TwoTimePanel& twoTimePanel() { return *twoTimePanel_; }
    MapPlot& twoTime() { return *twoTime_; }
    /// Why there is no map of the selected bin yet, and what to do; empty: there is one, or no
    /// bin is selected.
    const QString& noMapText() const { return noMap_; }
    ProfilePanel& profile() { return *profile_; }
    EdgeTool& edgeTool() { return bins_->edgeTool(); }
    const std::shared_ptr<const QPartition>& partition() const { return bins_->partition(); }
    int pickedBin() const { return picked_; }

    /// As the form's buttons, without a file dialog.
    void importLabels(const QString& path) { partitionForm().setDataset(path); }
    void exportLabels(const QString& path, bool overwrite) { bins_->exportLabels(path, overwrite); }

  public slots:
    /// Label of the bin whose two-time map is wanted. If no ticked run has it, a job is requested to compute
    /// it; if there is no run of these bins, the plot says what to do.
    void pickBin(int label);

  signals:
    /// Another partition is shown.
    void partitionShown();
    void labelsExported(const QString& path);

  private:
    void makeCentre();
    void connectParts();
    void connectFields();
    /// Unit of the delays of a run of the open file with these parameters: "s" or "frames".
    std::string unitOfRun(const ParameterSet& parameters) const;
    /// The files of dark and flat field may be others.
    void watchFields();
    void connectBins();
    void edited() override { bins_->edit(); }
    void showOutdated() override;
    void dragEdge(int edge, double position, bool final);
    void showBands();
    void connectFits();
    void connectFrames();
    /// The next run or the pairs have changed.
    void followFrames();
    /// Passes the picked bin on to the plots. The tables keep what is selected in them.
    void showPick();
    /// From the pairs, which are there; null: they do not give it.
    std::shared_ptr<const Run> previewOfPairs(const Request& next);
    void showCurves();
    /// Runs whose curves are shown: the preview, or else the ticked ones.
    std::vector<RunRow> shownRuns() const;
    /// dataOfCurves() of the shown runs, by number.
    std::map<int, std::string> dataOfShown() const;
    /// Fits the curves anew.
    void fitCurves();
    void showFits();
    /// Fits of runs that are not of the open file get the labels of their curves: "run 4 of a.h5". Returns
    /// these labels.
    QStringList nameOthers(std::vector<FittedRun>& fits) const;
    /// The newest ticked average of these repeats, or of any; null: none is ticked.
    const RunRow* shownAverage() const;
    /// Its repeats with the choice by hand, which the average itself may not follow yet.
    std::vector<RepeatRow> rowsOf(const RunRow& average) const;
    void showRepeats();
    /// Requests another preview if the shown one is of a repeat that is previewed no longer.
    void followPreviewed();
    /// "live: press Run to keep these curves", or of which repeat alone the preview is.
    QString liveText(const QString& what) const;
    /// From a session or a project.
    /// @param chosen by hand: true, false or null for each of them
    /// Models of fits and what is shown of them, with any file.
    /// @param besideFile names of data are relative to the open file
    void keepFits(PageState& state, bool besideFile) const;
    void bringFitsBack(const nlohmann::json& values, bool besideFile);
    void bringRepeatsBack(const nlohmann::json& kept, const nlohmann::json& chosen);
    void chooseRepeats(int number, const std::vector<std::optional<bool>>& chosen);
    /// Ticked averages of the repeats of the next run, newest first.
    std::vector<const RunRow*> averages() const;
    /// The averages, or what they have read, may be others.
    void watchRepeats();
    /// Compares the averages with their files on disk.
    void compareRepeats();
    bool isOfFrames(const Run& run) const override;
    void showTwoTime();
    /// Labels of the settings in which a run differs from the next one.
    QStringList outdatedOf(const RunRow& row) const;
    bool showMapOf(const RunRow& row);
    /// The map of the picked bin that belongs to the preview; false: the pairs do not give it.
    bool showMapOfPreview();
    bool hasMap(int label) const;
    /// Requests the map if a run can provide it. Returns the text to show in the plot meanwhile.
    QString askForMap(int label);
    /// Why no run of these bins can provide the map; empty: one can, or there is no run.
    QString whyNoMap(int label) const;
    void mapEnded(int asked, const std::optional<Error>& why);
    /// Ticked runs of the current bins, newest first.
    std::vector<const RunRow*> runsOfTheseBins() const;
    /// The bins are others: those with a label that is gone cannot stay picked.
    void keepPick();

    Bins* bins_;
    CorrectionForm* correction_;
    WatchedInputs* fields_;    ///< the files of dark and flat field, without the open file
    DiskStates* repeatFiles_;  ///< of the averages, without files that are watched otherwise
    /// Of averages(): files that have changed since, and whether they are gone.
    std::map<std::shared_ptr<const Run>, std::map<std::string, bool>> changedRepeats_;
    std::map<std::string, bool> toldRepeats_;  ///< those of the newest average that were reported
    TwoTimeMaps maps_;
    int picked_ = 0;
    bool makesMap_ = true;    ///< whether the variant of the next run makes maps
    bool ownKernel_ = false;  ///< it is the user's
    int mapsAsked_ = 0;       ///< number of requested maps
    bool mapWaits_ = false;   ///< the newest requested map is pending
    QString noMap_;           ///< why the map of the selected bin is missing
    CurvePlot *curves_, *errors_;
    G2Curves shown_;      ///< without fits
    QString curvesNote_;  ///< of the plot of g2, without what is said about fits
    CurveFits* fits_;
    FitForm* fitForm_;
    FitResults* fitResults_;
    TauPanel* tau_;
    RepeatsPanel* repeatsPanel_;
    TwoTimePanel* twoTimePanel_;
    MapPlot* twoTime_;  ///< of the panel
    PlotRuns mapped_;   ///< of the two-time map
    /// The repeat of which a preview is: the open file, unless the average leaves it out; empty: there are no
    /// repeats.
    std::string previewed_;
    /// A choice of repeats that an average does not follow yet.
    struct Choice {
        int asked = 0;
        std::vector<std::optional<bool>> chosen;  ///< of each row
    };
    std::map<int, Choice> choosing_;  ///< by the number of the run
    int choicesAsked_ = 0;
    bool previewsOpenFile_ = true;
    ProfilePanel* profile_;
    PairsOfInputs* pairs_;
    FramesPanel* frames_;
    StabilityPanel* stability_;
    std::optional<Request> next_;  ///< the next run, where nothing is missing
};

}  // namespace ks::ui::xpcs
