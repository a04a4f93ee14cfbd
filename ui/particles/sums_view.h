#pragma once

#include <QHash>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/particles/plane_maps.h"
#include "ui/runs/run_table_model.h"

class QAction;
class QComboBox;
class QToolButton;

namespace ks::ui {
class CurvePlot;
class ElidedLabel;
struct PageContext;
}  // namespace ks::ui

namespace ks::ui::particles {

class MapForm;
class ReferenceMaker;

/// The sums of runs: maps of the three planes with a bar that chooses what they show, profiles through a
/// point, and the error against host.reference.
class SumsView : public QWidget {
    Q_OBJECT
  public:
    /// @param look of the maps; it and the page, whose shortcuts these are, outlive the view
    SumsView(PageContext& context, MapForm& look, QWidget& page);
    ~SumsView() override;

    /// Null: none. @param fade distance from a plane at which dots are faint
    void setSources(std::shared_ptr<const SourceSet> sources, double fade);
    /// Drops what belongs to the sources before: the selected point and the reference.
    void forget();
    /// As RunChoice::shown(): newest first. @param live there is a preview
    void setRuns(std::vector<RunRow> runs, bool live);
    /// These are the same runs, some of them with other verdicts or results.
    void renewRuns(std::vector<RunRow> runs);
    /// @param text why the newest run does not match the next one; empty: it does
    void setOutdated(const QString& text);
    /// How the mark of a run is found: "wrong, outdated (Sigma)", or nothing.
    void setMarks(std::function<QString(const RunRow& row, bool isNewest)> markOf) {
        markOf_ = std::move(markOf);
    }
    /// Selects a point of the maps, through which the profiles go.
    void pick(const PlanePosition& position);
    /// The selected point; nullopt: none was selected.
    const std::optional<PlanePosition>& picked() const { return picked_; }

    /// What is shown besides the newest result: "older", "difference", "error"; empty: that result.
    std::string shownBeside() const;
    /// Shows it again as soon as there are runs for it; the reference of an error is computed again.
    void showBeside(const std::string& what);
    /// What the maps show is not yet what they are to show, since the latter takes long to draw.
    bool behind() const { return behind_; }
    /// Gives up what is being drawn: the maps are empty until something else is to be shown.
    void stopDrawing();

    PlaneMaps& maps() const { return *maps_; }
    CurvePlot& profile() const { return *profile_; }
    ReferenceMaker& reference() const { return *maker_; }
    /// For the menu Edit.
    QList<QAction*> editActions() const;
    QAction* action(const char* name) const { return actions_.value(QLatin1String(name)); }
    /// Run, rate and verdict; for an error or a difference the maxima and their positions.
    QString status() const;

    /// Adds how results are shown.
    void keepSettings(nlohmann::json& kept) const;
    void setSettings(const nlohmann::json& kept);

  signals:
    void cursorMoved(const QString& text);
    /// The computation of the reference has begun, advanced or ended.
    void referenceChanged();
    /// The error map is of a run of which only a sample of the values, or none, has been checked.
    void fullCheckWanted(int number);
    /// behind() has another value.
    void behindChanged();
    /// The next picture shows this run.
    void pictured(std::shared_ptr<const ks::Run> run);
    /// The newest picture is on the screen.
    void painted();
    void failed(const ks::Error& error);

  private:
    void makeActions();
    void describeParts();
    QLayout* makeBar();
    void connectParts();
    void showAll();
    void showChoices();
    void showFields();
    void showScale();
    void showMaps();
    /// No picture is being made any more.
    void endDrawing();
    void setBehind(bool behind);
    /// @param why there is none, where it was asked for; empty otherwise
    void takePicture(std::shared_ptr<const MapPicture> picture, const QString& why = {});
    void showProfile();
    /// What is wrong with a run: "wrong, outdated (Sigma)"; empty: nothing.
    QString noteOf(std::size_t index) const;
    /// Marks the maps and the profiles, for figures as well.
    void showNote();
    void showStatus();
    void showError();
    bool hasReference() const;
    void startReference();
    void takeReference(std::shared_ptr<const Run> run);
    void blink();
    void takeWanted();
    void readOut(const PlanePosition& position);
    Shown shownNow() const;
    void choose(Shown what);
    const RunRow* ofStatus() const;  ///< null: nothing is shown
    QString rateText(const Run& run) const;
    QString nameOfRun(std::size_t index) const;

    PageContext& context_;
    MapForm& look_;
    QWidget& page_;
    std::shared_ptr<const SourceSet> sources_;
    std::vector<RunRow> all_;  ///< newest first
    bool live_ = false;
    std::shared_ptr<const Run> referenceOf_;  ///< made by maker_
    std::optional<Shown> wanted_;  ///< by showBeside(); none: it is shown, or the user chose another
    std::string stem_;             ///< the chosen quantity; another result may lack it
    std::optional<PlanePosition> picked_;
    std::function<QString(const RunRow& row, bool isNewest)> markOf_;
    QString outdated_;                     ///< why the newest run does not match the next one
    bool making_ = false, again_ = false;  ///< a picture is being made; another one is to follow
    std::shared_ptr<std::atomic<bool>> stopped_ = nullptr;  ///< of the picture that is being made
    QTimer slow_;                                           ///< until the maps count as behind
    bool behind_ = false;
    std::optional<int> scaleBefore_;  ///< scale before an error was shown; none: no error is shown
    QRectF profileSeen_;              ///< ranges of the profiles that the user did not set

    PlaneMaps* maps_;
    CurvePlot* profile_;
    ReferenceMaker* maker_;
    QComboBox *shown_, *field_, *part_, *scale_;  ///< shown_: indexed by Shown; field_: data: the stem
    ElidedLabel *status_, *error_;
    QToolButton* measure_;  ///< hidden if the ceilings of the device are known, or there are none
    QHash<QString, QAction*> actions_;
};

}  // namespace ks::ui::particles
