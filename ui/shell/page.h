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
#include "core/run/request.h"
#include "ui/base/jobs.h"
#include "ui/base/picture_place.h"
#include "ui/files/open_file.h"
#include "ui/plots/export_plot.h"
#include "ui/runs/desk.h"
#include "ui/runs/run_session.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/drawer.h"
#include "ui/shell/session/page_state.h"

class QAction;
class QSettings;
class QSplitter;

namespace ks::ui {

class History;
class SessionGeometry;
class SessionMask;
struct MaskState;

/// Shared objects that the window lends to its pages. It outlives them.
struct PageContext {
    /// @param registry null: that of the program
    explicit PageContext(Jobs& jobsOfWindow, std::shared_ptr<const Registry> registry = nullptr);

    Jobs& jobs;
    std::shared_ptr<Desk> desk;
    std::shared_ptr<SessionMask> mask;          ///< of the open file, the same on all pages
    std::shared_ptr<SessionGeometry> geometry;  ///< of the newest file with frames, the same on all pages
    std::shared_ptr<History> history;           ///< of mask, bins, geometry and parameters
};

/// A plot of a page with its name in menus.
struct NamedPlot {
    QString title;
    const ExportablePlot* plot;
    /// File name without suffix: "g2". Empty: the plot's figureName().
    QString leaf = {};
    QString fileName() const { return leaf.isEmpty() ? plot->figureName() : leaf; }
};

/// Synthetic data, made by the analysis' generator.
struct Demo {
    ParameterSet parameters = {};  ///< of AnalysisInfo::generator; absent ones have their defaults
    QString suffix = QStringLiteral("h5");
    QString name = {};   ///< distinguishes the demos of an analysis; part of the file name
    QString title = {};  ///< in the list of further demos
};

/// Variants of an analysis to be timed together, and their data.
struct Measurement {
    QString analysis;
    QStringList variants;     ///< ids
    bool onPageData = false;  ///< on the data open on the analysis' page; otherwise on a generated problem
    ParameterSet sizes = {};  ///< of the generated problem; absent ones have their defaults
};

/// The kernels that a page shows.
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
    /// A request reduced by reduce().
    enum class Reduced { noPreviews, whole, part };

    /// The current analysis, "xpcs"; empty: the page has none, and nothing is run.
    virtual QString analysis() const = 0;
    /// The analyses of the page, including analysis().
    virtual QStringList analyses() const;
    /// Selects another one of analyses(): emits analysisChanged().
    virtual void choose(const QString& /*analysis*/) {}
    /// False: the page works without a file, whatever is open.
    virtual bool needsFile() const { return true; }
    /// Key of the page in settings and sessions.
    virtual QString id() const { return analysis(); }
    /// Name of its part of the tutorial: "xpcs".
    virtual QString manual() const { return id(); }
    virtual QString title() const = 0;  ///< on the page's tab
    /// Position of its tab: lower is further left, and the lowest is shown first.
    virtual int order() const { return 100; }
    /// Whether the page can use a file. A file without frames is opened only if some page accepts it, judging
    /// by its name and tree. Called on the window's thread: reads nothing.
    virtual bool accepts(const OpenFile& file) const { return file.frames != nullptr; }
    /// Whether a file that other pages also accept is most likely meant for this one.
    virtual bool prefers(const OpenFile& /*file*/) const { return false; }
    /// Columns of the CSV files that it accepts, for messages: "x, y, z"; empty: it accepts none.
    virtual QString tableColumns() const { return {}; }
    /// For the dialog Open: "Frames (*.h5 *.hdf5)". Filters named by several pages are shown once.
    virtual QStringList fileFilters() const;
    /// Data opened by File > Demo while the page is visible; nothing: there are none.
    virtual std::optional<Demo> demo() const { return Demo{}; }
    /// Additional data in File > Further demos.
    virtual std::vector<Demo> furtherDemos() const { return {}; }
    /// Parameters that the page edits itself: the form omits them, fill() sets them.
    virtual QStringList ownParameters() const { return {}; }
    /// Own parameters set by newly opened data, where they differ from the defaults of the analysis.
    virtual ParameterSet ownDefaults() const { return {}; }
    /// Own parameters as at the first start.
    virtual void resetParameters() {}
    /// Widgets for the tabs Data (below the tree) and Set-up (above the form) of the dock; null: none. The
    /// window owns them.
    virtual QWidget* dataWidget() { return nullptr; }
    virtual QWidget* inputWidget() { return nullptr; }

    /// Reads what the page needs from a file besides its frames, before anything is replaced, so that a file
    /// that cannot be read has no effect. Runs in a job and throws ks::Error(input); the result becomes the
    /// file's `content`. Null: nothing is read.
    virtual std::function<std::any()> reader(const OpenFile& /*file*/) const { return nullptr; }
    /// Gives the page a file that it accepts; called when the page is visible, not while another one is.
    virtual void setFile(std::shared_ptr<const OpenFile> file) = 0;
    /// Removes the file given by setFile(): the page is as before its first file.
    virtual void closeFile() {}
    /// An object of the file other than frames that was double-clicked in the tree; false: the page has no
    /// use for it.
    virtual bool useObject(const QString& /*path*/) { return false; }
    /// What is missing before a run can start, as a sentence; empty if it can.
    virtual QString missing() const = 0;
    /// Applies own parameters given from outside, for the open file.
    virtual void apply(const ParameterSet& /*given*/) {}
    /// Run (F5) starts the page's own work, which missing() may prevent, instead of a run.
    virtual bool startsItself() const { return false; }
    virtual void start() {}
    /// The page has no use for the dock and takes its space.
    virtual bool hidesDock() const { return false; }
    /// A file for the page of an analysis was opened while this page is visible. True: it works with data of
    /// other pages, and stays visible.
    virtual bool takesDataOf(const QString& /*analysis*/) { return false; }
    /// For a page that times variants: chooses these, and starts nothing. False: the page times none.
    virtual bool propose(const Measurement& /*wanted*/) { return false; }
    /// Starts to read again those displayed files besides the open one that have changed on disk since they
    /// were read; inputsChanged() follows. False: none has changed.
    virtual bool renewInputs() { return false; }
    /// The files besides the open one that the page has read, by the role of the input.
    virtual std::map<std::string, FileRecord> inputRecords() const { return {}; }
    /// Inputs and own parameters of the next run. Only called if nothing is missing.
    virtual void fill(Request& request) const = 0;
    /// Current own parameters, for a comparison with those of a run; without those that only select
    /// additional results, and with the types of their specs.
    virtual void fillOwn(ParameterSet& /*parameters*/) const {}
    /// Traits of the file's data, for Variant::takes, in addition to the parameters: "element".
    virtual Traits traits() const { return {}; }
    /// Values that the open file gives for optional parameters, by id: "0.001 s"; empty: it gives none.
    virtual QHash<QString, QString> saidByFile() const { return {}; }
    /// Fields of the form have changed. The preview follows them, or the page marks its display as outdated.
    virtual void formEdited(const QStringList& /*ids*/) { emit previewWanted(); }
    /// Labels of the inputs, parameters, variant or device in which the next run would differ from the newest
    /// visible run; empty: no difference.
    virtual void setOutdated(const QStringList& /*labels*/) {}
    /// Reduces the work to about `share` (0 to 1) of the whole, so that a result appears while the user is
    /// still dragging; all of it if share >= 1.
    virtual Reduced reduce(Request& /*request*/, double /*share*/) const { return Reduced::noPreviews; }
    /// A result of reduce(), shown instead of the runs and marked as a preview; null: the runs again.
    virtual void setPreview(std::shared_ptr<const Run> /*run*/) {}
    /// The page's own work that Cancel stops.
    virtual bool working() const { return false; }
    virtual void cancel() {}
    /// Ticked runs of this analysis, newest first.
    virtual void setRuns(const std::vector<RunRow>& runs) = 0;
    /// A ticked run of this analysis was checked: its row holds another Run with the same number and result.
    virtual void setChecked(const RunRow& /*row*/) {}
    /// A ticked run of this analysis has additional results, from a job requested by supplementWanted().
    virtual void setSupplemented(const RunRow& /*row*/) {}
    /// Goes to a place of a result named by a verdict: a bin, a pixel, a module, a target. False: the page
    /// has no such place now.
    virtual bool showPlace(const VerdictPlace& /*place*/) { return false; }
    /// The kernels that Ctrl+K shows; no analysis: the page has none.
    virtual KernelChoice kernelChoice() const { return {analysis(), {}}; }
    /// The first is the page's main plot: Ctrl+E exports it, and a run's CSV has its name.
    virtual std::vector<NamedPlot> plots() const = 0;
    /// For the menu Edit. Visible while the page is.
    virtual QList<QAction*> editActions() const { return {}; }
    /// All visible pictures of the page, in page coordinates. A page that shows data has at least one.
    virtual std::vector<PicturePlace> pictures() const { return {}; }
    /// Plots and tables below the picture or at its right.
    Drawer& drawer() const { return *drawer_; }
    void setDrawerOpen(bool open);
    bool drawerOpen() const { return drawerOpen_; }
    /// Size of the drawer if the user has set it, at the right of the picture and below it.
    struct DrawerShares {
        std::optional<double> beside = {}, below = {};
        bool operator==(const DrawerShares&) const = default;
    };
    const DrawerShares& drawerShares() const { return shares_; }
    /// Nothing: the size proposed by the page.
    void setDrawerShares(const DrawerShares& shares);
    /// In the page's own group; its keys "parameters" and "drawer" belong to the window.
    virtual void save(QSettings& settings) const = 0;
    virtual void restore(QSettings& settings) = 0;
    /// State of the page apart from its settings, the mask and the geometry: for the session and for project
    /// files.
    virtual PageState keep() const { return {}; }
    /// Restores the result of keep(), after setFile() with the same file, or without a file if none was open.
    /// Nothing in it is trusted: invalid entries are ignored. Values that depend on data still being read are
    /// applied when those arrive.
    virtual void bringBack(const PageState& /*state*/) {}
    /// The part of keep() that the user has changed and that belongs to the file alone: its bins. Nothing:
    /// they are as in the file.
    virtual std::optional<PageState> keepOfFile() const { return std::nullopt; }
    /// Restores the result of keepOfFile(), after setFile() with a file of the same name; of a result of
    /// keep() only that part. As untrusted as in bringBack().
    virtual void bringBackOfFile(const PageState& /*state*/) {}
    /// The state for bringBackOfFile() that turns the page's inputs into those of a request on the open file;
    /// nothing: it has none besides data and mask.
    /// @param geometry of the request
    /// @param drawn the mask of the request, in the shape of the frames, to which bins drawn by hand are
    /// added
    virtual std::optional<PageState> ofRequest(const Request& /*request*/, const Geometry& /*geometry*/,
                                               MaskState& /*drawn*/) const {
        return std::nullopt;
    }
    /// Announces the state that bringBack() or bringBackOfFile() will pass after the next setFile(), so that
    /// nothing is read or computed only to be replaced.
    virtual void expect(const PageState& /*state*/) {}

  signals:
    // Of a page that is not shown, only `failed` has an effect.
    /// The inputs have changed or become complete: a run may be possible now.
    void inputsChanged();
    /// The page requests a run (a recording of one module).
    void runRequested();
    /// Requests additional results for a run in the table. Runs take precedence.
    void supplementWanted(const ks::ui::Supplement& wanted);
    /// The user is editing: requests a preview of the current inputs.
    void previewWanted();
    /// Requests to open the data of demo().
    void demoRequested();
    /// Another one of analyses() was selected.
    void analysisChanged();
    /// Requests the end of the page's benchmark or tuning.
    void cancelWanted();
    /// Requests a run on another page, with the parameters, the variant and the device of this one, but the
    /// inputs of that page.
    void runElsewhereWanted(const ks::Request& request);
    /// Requests to show a place of a result on another page.
    void placeWanted(const QString& analysis, const ks::VerdictPlace& place);
    /// Requests that the page of an analysis take the open file, if it can and has not, without being shown.
    void dataWanted(const QString& analysis);
    /// Values under the cursor; empty: nothing.
    void cursorMoved(const QString& text);
    /// How to use the current tool; empty: no tool is in use.
    void hint(const QString& text);
    void failed(const ks::Error& error);
    /// The last failed() no longer applies.
    void mended(const ks::Error& error);

  protected:
    /// The parts of the page. The drawer is at the right of the picture if a picture of this aspect ratio
    /// (width over height) keeps its height there, otherwise below it, initially with this height.
    void setBody(QWidget* picture, std::vector<DrawerPart> parts, double aspect = 1, int drawerHeight = 200);
    void resizeEvent(QResizeEvent* event) override;
    /// For destructors: signals of the page's children, and of its widgets in docks, no longer reach the
    /// page, part of which may already be destroyed.
    void disconnectParts(const QList<QObject*>& docked = {});
    /// "computed with other settings (Sigma strong, Gain, 2 more)", or nothing.
    /// @param named maximum number of labels that are listed
    static QString outdatedText(const QStringList& labels, qsizetype named = 3);

  private:
    void placeDrawer();
    /// The user resized the drawer.
    void drawerMoved();
    std::optional<double>& shareOf(Qt::Orientation orientation) {
        return orientation == Qt::Horizontal ? shares_.beside : shares_.below;
    }

    QSplitter* body_ = nullptr;
    Drawer* drawer_ = nullptr;
    double aspect_ = 1;
    int drawerHeight_ = 0;
    DrawerShares shares_;
    std::optional<Qt::Orientation> placed_;  ///< the drawer size was computed for this one
    bool drawerOpen_ = true;
};

}  // namespace ks::ui
