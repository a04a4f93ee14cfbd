#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <memory>
#include <optional>
#include <vector>

#include "ui/particles/plane_maps.h"
#include "ui/runs/run_choice.h"
#include "ui/shell/analysis_page.h"

class QAction;
class QComboBox;
class QToolButton;

namespace ks::ui {
class CurvePlot;
class ElidedLabel;
}  // namespace ks::ui

namespace ks::ui::particles {

class CostPanel;
class MapForm;
class ReferenceMaker;
class SourcesPanel;
class SumForm;

/// Particle sums on the planes xy, xz and yz as three linked maps with one scale, profiles through a point
/// below, and the error against host.reference. Edits are recomputed at once.
class ParticlesPage : public AnalysisPage {
    Q_OBJECT
  public:
    explicit ParticlesPage(PageContext& context);
    ~ParticlesPage() override;

    QString title() const override { return tr("Particles"); }
    int order() const override { return 40; }
    /// CSV files with columns of points, NumPy files, and HDF5 files with the datasets x, y and z.
    bool accepts(const OpenFile& file) const override;
    /// A NumPy file with three to five columns of floats.
    bool prefers(const OpenFile& file) const override;
    QString tableColumns() const override { return QStringLiteral("x, y, z"); }
    QStringList fileFilters() const override;
    std::vector<Demo> demos() const override;
    OwnParameters ownParameters() const override;
    void resetParameters() override;
    QWidget* dataWidget() override;
    QWidget* inputWidget() override;
    std::function<std::any()> reader(const OpenFile& file) const override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    void closeFile() override;
    QString missing() const override;
    void apply(const ParameterSet& given) override;
    void fill(Request& request) const override;
    void fillOwn(ParameterSet& parameters) const override;
    FileValues fileValues() const override;
    void formEdited(const QStringList& /*ids*/) override { edited(); }
    void setOutdated(const QStringList& labels) override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    bool working() const override;
    void cancel() override;
    void setRuns(const std::vector<RunRow>& runs) override;
    void runChanged(const RunRow& row) override;
    bool showPlace(const VerdictPlace& place) override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    QList<QAction*> editActions() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    const std::shared_ptr<const SourceSet>& sources() const { return sources_; }
    /// Run, rate and verdict; for an error or a difference the maxima and their positions.
    QString status() const;
    /// Milliseconds from an edit to the maps that show it; negative: not yet.
    double latency() const { return latency_; }

  private:
    // particles_page.cpp
    void makeActions();
    void makeCentre();
    QWidget* makeBar();
    void connectParts();
    void connectMaps();
    void takeSources(std::shared_ptr<const SourceSet> sources);
    void edited();
    void takeKept();
    void setSettings(const nlohmann::json& kept);
    // particles_page_cost.cpp
    CostPanel* makeCost();
    /// For synthetic problems like the page's: in the unit box, with the kernel width scaled in proportion.
    SizeLists costProblem() const;
    // particles_page_show.cpp
    void chooseRuns();
    bool ofThisFile(const Run& run) const;
    void showChoices();
    void showFields();
    void showScale();
    void showMaps();
    void takePicture(std::shared_ptr<const MapPicture> picture);
    void painted();
    void showProfile();
    void showStatus();
    void forgetSources();
    void showEmptyTexts();
    void startReference();
    void takeReference(std::shared_ptr<const Run> run);
    void blink();
    void readOut(const PlanePosition& position);
    Shown shownNow() const;
    const RunRow* ofStatus() const;  ///< null: nothing is shown
    QString rateText(const Run& run) const;
    QString nameOfRun(int index) const;

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const SourceSet> sources_;
    RunChoice runs_;
    std::vector<RunRow> all_;                 ///< RunChoice::shown()
    std::shared_ptr<const Run> referenceOf_;  ///< made by maker_
    std::string stem_;                        ///< the chosen quantity; another result may lack it
    std::optional<PlanePosition> picked_;
    ParameterSet fitted_;                  ///< values set from the box of the sources
    std::optional<PageState> waiting_;     ///< to be applied when the sources arrive
    QString unread_;                       ///< why the given file could not be read; empty: it could
    QStringList outdated_;                 ///< labels of parameters whose values differ from the newest run's
    bool making_ = false, again_ = false;  ///< a picture is being made; another one is to follow
    bool restoring_ = false;               ///< values are set by the program
    mutable QElapsedTimer edited_,
        asked_;                         ///< since the first edit not yet in a request; of the newest request
    std::shared_ptr<const Run> timed_;  ///< the preview that has not been painted yet
    QElapsedTimer since_;               ///< since the edit that it answers
    bool timing_ = false;               ///< its picture is ready and is painted next
    QStringList live_;                  ///< times of the previews that answer one edit
    QElapsedTimer told_;                ///< since that edit
    double latency_ = -1;
    int scaleBefore_ = -1;  ///< scale before an error was shown; negative: no error is shown
    QRectF profileSeen_;    ///< ranges of the profiles that the user did not set

    PlaneMaps* maps_;
    CurvePlot* profile_;
    CostPanel* cost_;
    SumForm* form_;
    MapForm* look_;
    SourcesPanel* panel_;
    ReferenceMaker* maker_;
    QWidget* inputs_;
    QComboBox *shown_, *field_, *part_, *scale_;  ///< shown_: indexed by Shown; field_: data: the stem
    ElidedLabel *status_, *error_;
    QToolButton* measure_;  ///< hidden if the ceilings of the device are known, or there are none
    std::vector<PlaneFigure> figures_;
    QHash<QString, QAction*> actions_;
};

}  // namespace ks::ui::particles
