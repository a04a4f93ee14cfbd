#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/run/run.h"
#include "ui/particles/plane_maps.h"
#include "ui/runs/run_choice.h"
#include "ui/shell/analysis_page.h"

class QAction;

namespace ks::ui::particles {

class CostPanel;
class MapForm;
class SourcesPanel;
class SumForm;
class SumsView;

/// Times from an edit to the pictures of the previews that answer it.
class LiveTimes {
  public:
    /// Time runs from the first edit that no request contains yet.
    void edited() {
        if (!edited_.isValid()) edited_.start();
    }
    /// The edits until now get no preview.
    void dropEdits() { edited_.invalidate(); }
    /// A request contains the edits until now.
    void requested() {
        if (edited_.isValid()) asked_ = std::exchange(edited_, {});
    }
    /// A preview of the newest request; null: none is shown any more.
    void setPreview(std::shared_ptr<const Run> run);
    /// A picture of this run is ready and painted next.
    void pictured(const std::shared_ptr<const Run>& run);
    /// The picture with `side` x `side` targets per plane was painted. False: it answers no edit.
    bool painted(std::size_t side);
    /// The first sums of other data are not a response to an edit.
    void reset() { *this = {}; }

    /// "31 ms at 400 x 400, ...": of the previews that answer one edit; empty: none.
    QString text() const { return times_.join(QStringLiteral(", ")); }
    /// Milliseconds from the newest edit that was answered; negative: none was.
    double latency() const { return latency_; }

  private:
    QElapsedTimer edited_, asked_;      ///< since the first edit not yet in a request; of the newest request
    std::shared_ptr<const Run> timed_;  ///< the preview that has not been painted yet
    QElapsedTimer since_;               ///< since the edit that it answers
    bool timing_ = false;               ///< its picture is ready and is painted next
    QStringList times_;
    QElapsedTimer told_;  ///< since the edit that times_ answer
    double latency_ = -1;
};

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
    QWidget* inputWidget() override { return inputs_; }
    std::function<std::any()> reader(const OpenFile& file) const override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    void closeFile() override;
    QString missing() const override;
    InputState inputState() const override { return {file_ && !sources_ && unread_.isEmpty()}; }
    void apply(const ParameterSet& given) override;
    void fill(Request& request) const override;
    void fillOwn(ParameterSet& parameters) const override;
    FileValues fileValues() const override { return {.traits = {{"targets", std::string("planes")}}}; }
    void formEdited(const QStringList& /*ids*/, const ParameterSet& /*values*/) override { edited(); }
    void setOutdated(const QStringList& labels) override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    Work work() const override;
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
    double latency() const { return live_.latency(); }

  private:
    void connectParts();
    void fit();
    void takeSources(std::shared_ptr<const SourceSet> sources);
    void forgetSources();
    void edited();
    void showPlanes();
    void chooseRuns();
    void showEmptyTexts();
    void takeKept();
    /// What the user edits while a state waits stays.
    void keepEdit();
    nlohmann::json sums() const;  ///< parameters of the form
    bool ofThisFile(const Run& run) const;

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const SourceSet> sources_;
    RunChoice runs_;
    ParameterSet fitted_;               ///< values set from the box of the sources
    std::optional<PageState> waiting_;  ///< to be applied when the sources arrive
    nlohmann::json sumsThen_;           ///< when it began to wait, or was edited last
    QString unread_;                    ///< why the given file could not be read; empty: it could
    bool restoring_ = false;            ///< values are set by the program
    QStringList outdated_;              ///< in what the newest run differs from the next one
    mutable LiveTimes live_;

    SumForm* form_;
    MapForm* look_;
    SourcesPanel* panel_;
    QWidget* inputs_;
    SumsView* view_;
    CostPanel* cost_;
    std::vector<PlaneFigure> figures_;
};

}  // namespace ks::ui::particles
