#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <any>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/devices/ceilings.h"
#include "core/run/bench.h"
#include "core/run/engine.h"
#include "core/run/request.h"
#include "core/tune/tuner.h"
#include "ui/base/jobs.h"
#include "ui/base/picture_place.h"
#include "ui/files/open_file.h"
#include "ui/plots/export_plot.h"
#include "ui/runs/run_session.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/drawer.h"
#include "ui/shell/session/page_state.h"

class QAction;
class QSettings;
class QSplitter;

namespace ks::wire {
struct Catalogue;
}

namespace ks::ui {

class History;
class SessionGeometry;
class SessionMask;
struct MaskState;

/// What the window lends to its pages. It outlives them.
struct PageContext {
    explicit PageContext(Jobs& jobsOfWindow);

    Jobs& jobs;
    std::shared_ptr<SessionMask> mask;          ///< of the file that is open, the same on all pages
    std::shared_ptr<SessionGeometry> geometry;  ///< of the newest file with frames, the same on all pages
    std::shared_ptr<History> history;           ///< of mask, bins, geometry and parameters
};

/// A plot of a page with the name that menus show.
struct NamedPlot {
    QString title;
    const ExportablePlot* plot;
    /// Of its files, without suffix: "g2". Empty: the plot's figureName().
    QString leaf = {};
    QString fileName() const { return leaf.isEmpty() ? plot->figureName() : leaf; }
};

/// Synthetic data, as the analysis' generator makes them.
struct Demo {
    ParameterSet parameters = {};  ///< of AnalysisInfo::generator; what is absent takes its default
    QString suffix = QStringLiteral("h5");
    QString name = {};   ///< tells one from another of the analysis; part of the file's name
    QString title = {};  ///< in the list of further ones
};

/// What the next run of a page would be.
struct OpenRequest {
    QString page;  ///< its title
    Request request;
    QString lacking = {};  ///< what it still needs, as a sentence: the request is empty but for its analysis
};

/// Variants of an analysis that are to be timed side by side, and on what.
struct Measurement {
    QString analysis;
    QStringList variants;     ///< ids
    bool onPageData = false;  ///< on what the analysis' page has open; else on a generated problem
    ParameterSet sizes = {};  ///< of that; what is absent takes its default
};

/// Whose kernels are looked at from a page.
struct KernelChoice {
    QString analysis, variant;  ///< ids; no variant: the one of the next run
};

/// The centre of the window for one analysis. A new analysis adds a folder ui/FOLDER with page.h that
/// declares `std::unique_ptr<ks::ui::Page> makePage(ks::ui::PageContext&)` in namespace ks::ui::FOLDER; the
/// build collects them.
class Page : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    /// What reduce() left of a request.
    enum class Reduced { noPreviews, whole, part };

    /// Of the analysis that is worked with, "xpcs"; empty: the page has none, and nothing is run.
    virtual QString analysis() const = 0;
    /// Those that the page is for, analysis() among them.
    virtual QStringList analyses() const;
    /// Works with another one of analyses(): analysisChanged().
    virtual void choose(const QString& /*analysis*/) {}
    /// False: the page works without a file, whatever is open.
    virtual bool needsFile() const { return true; }
    /// Under which settings and sessions keep the page.
    virtual QString id() const { return analysis(); }
    /// Name of its part of the tutorial: "xpcs".
    virtual QString manual() const { return id(); }
    virtual QString title() const = 0;  ///< on the page's tab
    /// Place of its tab: lower is further left, and the lowest is shown first.
    virtual int order() const { return 100; }
    /// Whether the page can use a file. One without frames is opened where some page says yes; such a page
    /// judges by its name and tree. Called on the window's thread: reads nothing.
    virtual bool accepts(const OpenFile& file) const { return file.frames != nullptr; }
    /// Whether a file that other pages accept too is most likely meant for this one.
    virtual bool prefers(const OpenFile& /*file*/) const { return false; }
    /// Columns of the CSV files that it accepts, for sentences: "x, y, z"; empty: it accepts none.
    virtual QString tableColumns() const { return {}; }
    /// For the dialog Open: "Frames (*.h5 *.hdf5)". Those that several pages name are shown once.
    virtual QStringList fileFilters() const;
    /// What File > Demo opens while the page is shown; nothing: there is none.
    virtual std::optional<Demo> demo() const { return Demo{}; }
    /// What File > Further demos offers beside it.
    virtual std::vector<Demo> furtherDemos() const { return {}; }
    /// Parameters that the page edits itself: the form leaves them out, fill() sets them.
    virtual QStringList ownParameters() const { return {}; }
    /// Own parameters that the open data begin with where these differ from the defaults of the analysis.
    virtual ParameterSet ownDefaults() const { return {}; }
    /// Own parameters as at the first start.
    virtual void resetParameters() {}
    /// Widgets for the tabs Data (below the tree) and Setup (above the form) of the dock; null: none. The
    /// window owns them.
    virtual QWidget* dataWidget() { return nullptr; }
    virtual QWidget* inputWidget() { return nullptr; }

    /// Reads what the page needs of a file beside its frames, so that one that cannot be read takes nothing's
    /// place. Runs in a job and throws ks::Error(input); what it returns is the file's `content`. Null:
    /// nothing is read.
    virtual std::function<std::any()> reader(const OpenFile& /*file*/) const { return nullptr; }
    /// A file that the page accepts; called when the page is shown, not while another one is.
    virtual void setFile(std::shared_ptr<const OpenFile> file) = 0;
    /// What setFile() gave is taken away: the page is as before its first file.
    virtual void closeFile() {}
    /// Object of the file that was double-clicked in the tree and is no frames; false: no use for it.
    virtual bool useObject(const QString& /*path*/) { return false; }
    /// What a run still needs, as a sentence; empty where it can start.
    virtual QString missing() const = 0;
    /// Own parameters that were given from outside, for the file that is open.
    virtual void apply(const ParameterSet& /*given*/) {}
    /// Run (F5) starts work of the page's own, which missing() may keep from starting, and no run.
    virtual bool startsItself() const { return false; }
    virtual void start() {}
    /// The page has no use for what the dock shows: it leaves its room to the page.
    virtual bool hidesDock() const { return false; }
    /// The next run of a page without data; of one that starts itself those of the others, when it is shown.
    virtual void setOpenRequests(const std::vector<OpenRequest>& /*open*/) {}
    /// A file for the page of an analysis was opened while this one is in sight. True: it works with data of
    /// other pages, and stays in sight.
    virtual bool takesDataOf(const QString& /*analysis*/) { return false; }
    /// Of a page that times variants: chooses these, and starts nothing. False: the page times none.
    virtual bool propose(const Measurement& /*wanted*/) { return false; }
    /// Where the page may keep files of its own from one start to the next; what it kept there comes back.
    virtual void setKeptFolder(const QString& /*folder*/) {}
    /// Begins to read anew what it shows of files beside the open one, where these changed on the disk since
    /// it read them: inputsChanged() follows. False: none did.
    virtual bool renewInputs() { return false; }
    /// What the page read of such files, by the role of the input.
    virtual std::map<std::string, FileRecord> inputRecords() const { return {}; }
    /// Inputs and own parameters of the next run. Only called where nothing is missing.
    virtual void fill(Request& request) const = 0;
    /// Own parameters as they are now, for a comparison with those of a run; without those that only choose
    /// what more a run brings, and with the types of their specs.
    virtual void fillOwn(ParameterSet& /*parameters*/) const {}
    /// What the device offers for the analysis, with reasons where a variant cannot be used now.
    virtual void setOffers(const std::vector<Offer>& /*offers*/) {}
    /// The variant of the next run; null: none can run, or none is known yet.
    virtual void setVariant(const Variant* /*next*/) {}
    /// What the file's data are, for Variant::takes, beside the parameters: "element".
    virtual Traits traits() const { return {}; }
    /// What the open file says of parameters that are left to it, by id: "0.001 s"; empty: it says nothing.
    virtual QHash<QString, QString> saidByFile() const { return {}; }
    /// Fields of the form took other values. The preview follows them, or the page says of what is shown that
    /// it does not.
    virtual void formEdited(const QStringList& /*ids*/) { emit previewWanted(); }
    /// The newest run that is shown has other inputs, parameters, variant or device, by these labels, than
    /// the next one would have; empty: the same.
    virtual void setOutdated(const QStringList& /*labels*/) {}
    /// Takes away work until about `share` (0 to 1) of the whole is left, so that a result comes while a hand
    /// is still moving; the whole where share >= 1.
    virtual Reduced reduce(Request& /*request*/, double /*share*/) const { return Reduced::noPreviews; }
    /// A result of reduce(), shown instead of the runs and marked as a preview; null: the runs again.
    virtual void setPreview(std::shared_ptr<const Run> /*run*/) {}
    /// Work of the page's own that Cancel stops.
    virtual bool working() const { return false; }
    virtual void cancel() {}
    /// Ticked runs of this analysis, newest first.
    virtual void setRuns(const std::vector<RunRow>& runs) = 0;
    /// A ticked run of this analysis was checked: its row holds another Run of the same number and result.
    virtual void setChecked(const RunRow& /*row*/) {}
    /// A ticked run of this analysis has more results than before, by a job that supplementWanted() asked
    /// for.
    virtual void setSupplemented(const RunRow& /*row*/) {}
    /// Goes to a place of a result that a verdict names: a bin, a pixel, a module, a target. False: the page
    /// has no such place now.
    virtual bool showPlace(const VerdictPlace& /*place*/) { return false; }
    /// Whose kernels Ctrl+K shows; no analysis: the page knows none.
    virtual KernelChoice kernelChoice() const { return {analysis(), {}}; }
    /// The first is the page's main one: Ctrl+E exports it, and a run's CSV has its name.
    virtual std::vector<NamedPlot> plots() const = 0;
    /// A benchmark that sweepWanted() asked for has begun (of several plans each one), or all have ended;
    /// rows and report of a plan.
    virtual void setSweeping(bool /*running*/) {}
    virtual void addSweepRow(std::size_t /*point*/, const ParameterSet& /*sizes*/, const BenchRow& /*row*/) {}
    virtual void setSweep(const BenchReport& /*report*/) {}
    /// A tuning that tuneWanted() asked for has begun or ended; its report with the rows from number `first`
    /// on, after each configuration, and the whole in the end.
    virtual void setTuning(bool /*running*/) {}
    virtual void addTuned(std::size_t /*first*/, const TuneReport& /*part*/) {}
    virtual void setTuned(const TuneReport& /*report*/) {}
    /// Texts of the worker's kernel files by path: "gpu/runtime/polynomial.cl".
    virtual void setKernelFiles(const std::map<std::string, std::string>& /*texts*/) {}
    /// What the worker told at its start, also when it was started anew.
    virtual void setCatalogue(const wire::Catalogue& /*catalogue*/) {}
    /// Devices of the worker, the host last, with what each says of itself: properties[device].
    virtual void setDevices(const std::vector<DeviceInfo>& /*devices*/,
                            const std::vector<std::vector<DeviceProperty>>& /*properties*/) {}
    /// What devices can do at most, as far as it was measured.
    virtual void setCeilings(const std::vector<Ceilings>& /*all*/) {}
    /// Whether ceilingsWanted() would have an effect now: not while something else is measured or run.
    virtual void setMeasurable(bool /*now*/) {}
    /// For the menu Edit. Shown while the page is.
    virtual QList<QAction*> editActions() const { return {}; }
    /// Of all pictures of the page that are in sight, in coordinates of the page. A page that shows data has
    /// one at least.
    virtual std::vector<PicturePlace> pictures() const { return {}; }
    /// Plots and tables below the picture, or at its right.
    Drawer& drawer() const { return *drawer_; }
    void setDrawerOpen(bool open);
    bool drawerOpen() const { return drawerOpen_; }
    /// How much of the page the drawer takes where a hand chose it, at the right of the picture and below it.
    struct DrawerShares {
        std::optional<double> beside = {}, below = {};
        bool operator==(const DrawerShares&) const = default;
    };
    const DrawerShares& drawerShares() const { return shares_; }
    /// Nothing: as large as the page proposes.
    void setDrawerShares(const DrawerShares& shares);
    /// In a group of the page's own; its keys "parameters" and "drawer" are the window's.
    virtual void save(QSettings& settings) const = 0;
    virtual void restore(QSettings& settings) = 0;
    /// What it holds beside its settings, the mask and the geometry: for the session and for project files.
    virtual PageState keep() const { return {}; }
    /// What keep() gave, after setFile() with the same file, or without a file where none was open. Nothing
    /// of it is trusted: what has no meaning is left out. Values that need what a job still reads wait for
    /// it.
    virtual void bringBack(const PageState& /*state*/) {}
    /// Of keep() what was changed by hand and is of the file alone: its bins. Nothing: they are as the file
    /// says.
    virtual std::optional<PageState> keepOfFile() const { return std::nullopt; }
    /// What keepOfFile() gave, after setFile() with a file of the same name; of what keep() gave only that
    /// part. No more trusted than with bringBack().
    virtual void bringBackOfFile(const PageState& /*state*/) {}
    /// What bringBackOfFile() takes so that the page's inputs become those of a request on the open file;
    /// nothing: it has none beside data and mask.
    /// @param geometry of the request
    /// @param drawn the mask of the request, of the frames' shape, to which bins drawn by hand are added
    virtual std::optional<PageState> ofRequest(const Request& /*request*/, const Geometry& /*geometry*/,
                                               MaskState& /*drawn*/) const {
        return std::nullopt;
    }
    /// What bringBack() or bringBackOfFile() will give after the next setFile(): nothing need be read or made
    /// before that would be thrown away then.
    virtual void expect(const PageState& /*state*/) {}

  signals:
    // Of a page that is not shown, only `failed` has an effect.
    /// The inputs are other ones, or one became whole: run may be possible now.
    void inputsChanged();
    /// The page wants a run (a recording of one module).
    void runRequested();
    /// More results of a run of the table are wanted. Runs go first.
    void supplementWanted(const ks::ui::Supplement& wanted);
    /// A hand is changing the inputs: a preview is wanted of what they are now.
    void previewWanted();
    /// What demo() gives is to be opened.
    void demoRequested();
    /// Another one of analyses() is worked with.
    void analysisChanged();
    /// Variants are to be timed, plan after plan; one that names no device on that of the window, a size that
    /// has no values with what the form says. That is to end.
    void sweepWanted(const std::vector<ks::BenchPlan>& plans);
    void cancelWanted();
    /// Configurations of a variant are to be tried. `before`: what was tried already; null: nothing.
    void tuneWanted(const ks::TunePlan& plan, std::shared_ptr<const ks::TuneReport> before);
    /// A run of another page is to be made there, with the parameters, the variant and the device of this
    /// one; the inputs are those of that page.
    void runElsewhereWanted(const ks::Request& request);
    /// A place of a result of another page is to be shown there.
    void placeWanted(const QString& analysis, const ks::VerdictPlace& place);
    /// The page of an analysis shall take the open file, where it can and has not, without being shown.
    void dataWanted(const QString& analysis);
    /// What a device can do at most is to be measured.
    void ceilingsWanted(const ks::DeviceInfo& device);
    /// What is below the cursor; empty: nothing.
    void cursorMoved(const QString& text);
    /// How the tool in use works; empty: none is.
    void hint(const QString& text);
    void failed(const ks::Error& error);
    /// What failed() said holds no more.
    void mended(const ks::Error& error);

  protected:
    /// What the page consists of. The drawer stands at the right of the picture where a picture of this
    /// aspect (width over height) keeps its height there, else below, at first with this height.
    void setBody(QWidget* picture, std::vector<DrawerPart> parts, double aspect = 1, int drawerHeight = 200);
    void resizeEvent(QResizeEvent* event) override;
    /// For destructors: signals of the page's children, and of its widgets in docks, no longer reach the
    /// page, part of which may already be destroyed.
    void disconnectParts(const QList<QObject*>& docked = {});
    /// "of another set-up (Sigma strong, Gain, 2 more)", or nothing.
    /// @param named so many of the labels are named
    static QString outdatedText(const QStringList& labels, qsizetype named = 3);

  private:
    void placeDrawer();
    /// The drawer was made larger or smaller by hand.
    void drawerMoved();
    std::optional<double>& shareOf(Qt::Orientation orientation) {
        return orientation == Qt::Horizontal ? shares_.beside : shares_.below;
    }

    QSplitter* body_ = nullptr;
    Drawer* drawer_ = nullptr;
    double aspect_ = 1;
    int drawerHeight_ = 0;
    DrawerShares shares_;
    std::optional<Qt::Orientation> placed_;  ///< the drawer has its size for this one
    bool drawerOpen_ = true;
};

}  // namespace ks::ui
