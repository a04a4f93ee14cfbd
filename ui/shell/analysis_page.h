#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/repeats/repeats.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "ui/runs/queued_job.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/page.h"

namespace ks::ui {

struct MaskState;

/// Synthetic data, made by the analysis' generator.
struct Demo {
    ParameterSet parameters = {};  ///< of AnalysisInfo::generator; absent ones have their defaults
    QString suffix = QStringLiteral("h5");
    QString name = {};   ///< distinguishes the demos of an analysis; part of the file name
    QString title = {};  ///< in the list of further demos
};

/// Parameters that a page edits itself: the form omits them, AnalysisPage::fill() sets them.
struct OwnParameters {
    QStringList ids = {};
    /// Values for newly opened data where they differ from the defaults of the analysis.
    ParameterSet ofData = {};
};

/// What the open file contributes to the next run, besides inputs.
struct FileValues {
    /// Of its data, for Variant::takes, in addition to the parameters: "element".
    Traits traits = {};
    /// For optional parameters, by id: "0.001 s"; empty: it gives none.
    QHash<QString, QString> parameters = {};
    /// Replaces parameters that mean "as in the open file" by its values, so that two sets can be compared.
    /// Valid until the inputs change; null: there are none.
    std::function<void(ParameterSet&)> resolve = {};
};

/// A page that shows an analysis: its data, and the results of its runs.
class AnalysisPage : public Page {
    Q_OBJECT
  public:
    using Page::Page;
    /// A request reduced by reduce(): `most`, like `part`, but no more is previewed.
    enum class Reduced { noPreviews, whole, part, most };

    QString id() const override { return analysis(); }
    bool accepts(const OpenFile& file) const override { return file.frames != nullptr; }
    QStringList fileFilters() const override;

    /// False: the page works without a file, whatever is open.
    virtual bool needsFile() const { return true; }
    /// The first is opened by File > Demo while the page is visible, the others are in File > Further demos.
    virtual std::vector<Demo> demos() const { return {Demo{}}; }
    virtual OwnParameters ownParameters() const { return {}; }
    /// Own parameters as at the first start.
    virtual void resetParameters() {}
    /// What on the page uses a parameter of the form besides the next run: "Measure cost". Empty: nothing
    /// does.
    QString usedBy(const QString& parameter) const { return usedBy_.value(parameter); }
    /// Applies own parameters given from outside, for the open file.
    virtual void apply(const ParameterSet& /*given*/) {}
    /// Brings back choices of the page as they are now that apply() replaces and no run has in full; null:
    /// the page has none.
    std::function<void()> choicesBeyondRuns() const {
        return choicesBeyondRuns_ ? choicesBeyondRuns_() : nullptr;
    }
    /// Starts to read again those displayed files besides the open one that have changed on disk since they
    /// were read; inputsChanged() follows. False: none has changed.
    virtual bool renewInputs() { return false; }
    struct InputState {
        /// Inputs are being read or computed; inputsChanged() or previewWanted() follows at the end.
        bool awaited = false;
        /// The files besides the open one that the page has read, by the role of the input.
        std::map<std::string, DataFiles> files = {};
        /// Whether the input of this role that a run used, whatever its name, is the one that the next run
        /// would use. Valid until the inputs change; only called if nothing is missing. Null: only inputs of
        /// the same name are the same.
        std::function<bool(const Run& run, const std::string& role)> uses = {};
        /// Roles of inputs whose file is not there, so that no run can use it again.
        std::set<std::string> gone = {};
        /// What has become of the files that a visible average of these repeats has read: "scan_3.h5 has
        /// changed". Null: nothing is known.
        std::function<QStringList(const Run& run)> changedRepeats = {};
    };
    virtual InputState inputState() const { return {}; }
    /// Inputs and own parameters of the next run. Only called if nothing is missing, and once for each
    /// change.
    virtual void fill(Request& request) const = 0;
    /// Removes inputs of fill() that have no effect with the parameters of the request.
    void dropUnused(Request& request) const {
        if (dropUnused_) dropUnused_(request);
    }
    /// Current own parameters, for a comparison with those of a run; without those that only select
    /// additional results, and with the types of their specs.
    virtual void fillOwn(ParameterSet& /*parameters*/) const {}
    virtual FileValues fileValues() const { return {}; }
    /// Names of the data of the repeats of which the next run is the average, with the open file among them;
    /// empty: the next run is of the open file alone.
    const std::vector<std::string>& repeats() const { return repeats_.names; }
    /// With what the user has chosen for them.
    const RepeatSet& repeatSet() const { return repeats_; }
    /// Makes the open file one of these repeats. Only called if the analysis has an average.
    void setRepeats(const std::vector<std::string>& names) {
        takeRepeats(names);
        emit repeatsChanged();
    }
    /// Fields of the form have changed. The preview follows them, or the page marks its display as outdated.
    virtual void formEdited(const QStringList& /*ids*/, const ParameterSet& /*values*/) {
        emit previewWanted();
    }
    /// Labels of the inputs, parameters, variant or device in which the next run would differ from the newest
    /// visible run; empty: no difference.
    virtual void setOutdated(const QStringList& /*labels*/) {}
    /// Gives the page what setOutdated() would say if a given run of its data were the newest visible one.
    void setComparison(std::function<QStringList(const Run& run)> differing) {
        differing_ = std::move(differing);
    }
    /// Reduces the work to about `share` (0 to 1) of the whole, so that a result appears while the user is
    /// still dragging; all of it if share >= 1, or as much as the window can show and keep in memory.
    virtual Reduced reduce(Request& /*request*/, double /*share*/) const { return Reduced::noPreviews; }
    /// The result of a request if the page can compute it while a frame of the display lasts, from what it
    /// has computed before; null: the worker computes it.
    bool previewsAtOnce() const { return atOnce_ != nullptr; }
    std::shared_ptr<const Run> previewAtOnce(const Request& next) const {
        return atOnce_ ? atOnce_(next) : nullptr;
    }
    /// A result of reduce() or of previewAtOnce(), shown instead of the runs and marked as a preview; null:
    /// the runs again.
    virtual void setPreview(std::shared_ptr<const Run> /*run*/) {}
    /// Ticked runs of this analysis, newest first.
    virtual void setRuns(const std::vector<RunRow>& runs) = 0;
    /// A ticked run of this analysis was checked, or has additional results from a job requested by
    /// supplementWanted(): its row holds another Run with the same number.
    virtual void runChanged(const RunRow& /*row*/) {}
    /// Goes to a place of a result named by a verdict: a bin, a pixel, a module, a target. False: the page
    /// has no such place now.
    virtual bool showPlace(const VerdictPlace& /*place*/) { return false; }
    /// The state of scope `file` that turns the page's inputs into those of a request on the open file;
    /// nothing: it has none besides data and mask.
    /// @param geometry of the request
    /// @param drawn the mask of the request, in the shape of the frames, to which bins drawn by hand are
    /// added
    virtual std::optional<PageState> ofRequest(const Request& /*request*/, const Geometry& /*geometry*/,
                                               MaskState& /*drawn*/) const {
        return std::nullopt;
    }
    /// What is saved of a run in its place, for a job: with the fit that the page shows. Null: the run
    /// itself.
    std::function<Run()> asShown(const RunRow& row) const { return asShown_ ? asShown_(row) : nullptr; }
    /// Work of the page itself. `drawing`: results that it was given take long to draw, and what it shows is
    /// of others until then.
    enum class Work { none, computing, drawing };
    virtual Work work() const { return Work::none; }
    bool drawing() const { return work() == Work::drawing; }
    /// Whether there is something that cancel() stops.
    bool working() const { return work() != Work::none; }
    virtual void cancel() {}

  signals:
    /// The page requests a run (a recording of one module).
    void runRequested();
    /// Requests additional results for a run in the table. Runs take precedence.
    void supplementWanted(const ks::ui::Supplement& wanted);
    /// Requests the check of all values of a run in the table.
    void fullCheckWanted(int number);
    /// The user has chosen other repeats().
    void repeatsChanged();
    /// Emitted by the shell: the open file, which had changed on disk, is again as it was opened, and what
    /// could not be read meanwhile can be read now.
    void fileRestored();
    /// Another Run takes the place of the one with this number: the same repeats with another choice of them.
    void runAmended(int number, const std::shared_ptr<const ks::Run>& run);
    /// The inputs have changed, as inputsChanged() says, because the user is editing: requests a preview of
    /// the current ones.
    void previewWanted();
    /// The user has changed these parameters of the form on the page.
    void parametersChanged(const ks::ParameterSet& values);
    /// A file that the page has read besides the open one has changed on disk. The next run uses it as it is
    /// now.
    void inputChangedOnDisk(const QString& file);
    /// Such a file is as it was, or matters no more.
    void inputSettledOnDisk(const QString& file);
    /// Requests to open the data of the first one of demos().
    void demoRequested();

  public:
    /// "outdated (Sigma strong, Gain)", or nothing.
    static QString outdatedMark(const QStringList& labels);
    /// The mark of a figure of one run: "wrong, outdated (Gain)", or nothing.
    static QString runMark(bool wrong, const QStringList& outdated);
    /// The same for a note in words of its own: "wrong, computed with other settings (Gain)".
    static QString runMark(bool wrong, const QString& note);

  protected:
    /// As setRepeats(), but not chosen by the user.
    void takeRepeats(std::vector<std::string> names) { repeats_.names = std::move(names); }
    /// The choice of repeats by hand, by name, which stays for other sets with the same data; nothing: the
    /// outlier test decides.
    void chooseRepeat(const std::string& name, std::optional<bool> used) {
        if (used)
            repeats_.chosen[name] = *used;
        else
            repeats_.chosen.erase(name);
    }
    /// What dropUnused() does.
    void setDropUnused(std::function<void(Request& request)> drop) { dropUnused_ = std::move(drop); }
    /// What usedBy() gives.
    void setUsedBy(const QString& parameter, const QString& user) { usedBy_[parameter] = user; }
    /// What asShown() gives.
    void setAsShown(std::function<std::function<Run()>(const RunRow& row)> made) {
        asShown_ = std::move(made);
    }
    /// How the page computes previewAtOnce(); null: not now.
    void setAtOnce(std::function<std::shared_ptr<const Run>(const Request& next)> made) {
        atOnce_ = std::move(made);
    }
    /// How choicesBeyondRuns() are made.
    void setChoicesBeyondRuns(std::function<std::function<void()>()> made) {
        choicesBeyondRuns_ = std::move(made);
    }
    /// "computed with other settings (Sigma strong, Gain, 2 more)", or nothing.
    /// @param named maximum number of labels that are listed
    static QString outdatedText(const QStringList& labels, std::size_t named = 3);
    /// What the CSV of a table says about each row of a run: "the result is wrong; outdated (Gain)". Empty:
    /// nothing.
    /// @param number 0: a preview @param outdated labels of the settings that differ from the next run's
    static QString tableNote(const Run& run, int number, const QStringList& outdated);
    /// Labels in which the next run would differ from any run of the page's data; empty while the page is
    /// hidden.
    QStringList differing(const Run& run) const { return differing_ ? differing_(run) : QStringList(); }

  private:
    QHash<QString, QString> usedBy_;  ///< by parameter
    std::function<QStringList(const Run& run)> differing_;
    std::function<std::shared_ptr<const Run>(const Request& next)> atOnce_;
    std::function<std::function<void()>()> choicesBeyondRuns_;
    std::function<std::function<Run()>(const RunRow& row)> asShown_;
    std::function<void(Request& request)> dropUnused_;
    RepeatSet repeats_;
};

}  // namespace ks::ui
