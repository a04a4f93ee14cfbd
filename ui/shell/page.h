#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "ui/base/jobs.h"
#include "ui/base/picture_place.h"
#include "ui/files/open_file.h"
#include "ui/plots/export_plot.h"
#include "ui/runs/desk.h"
#include "ui/shell/drawer.h"
#include "ui/shell/session/page_state.h"

namespace ks::ui {

class History;
class SessionGeometry;
class SessionMask;

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

/// The runs that a plot shows.
struct PlotRuns {
    std::vector<int> numbers = {};  ///< in the table of runs
    bool preview = false;           ///< the live preview, too
};

/// A plot of a page with its name in menus.
struct NamedPlot {
    QString title;
    const ExportablePlot* plot;
    /// File name without suffix: "g2". Empty: the plot's figureName().
    QString leaf = {};
    /// Of a measurement instead of runs: describes its device and values; may be empty.
    std::function<QString()> measured = {};
    /// Of the runs that it shows now; null: the live preview if there is one, otherwise the ticked runs.
    std::function<PlotRuns()> ofRuns = {};
    QString fileName() const { return leaf.isEmpty() ? plot->figureName() : leaf; }
};

class VariantTimer;

/// The kernels that a page shows.
struct KernelChoice {
    QString analysis, variant;  ///< ids; no variant: the one of the next run
};

/// The centre of the window. A new page adds a folder ui/FOLDER whose file FOLDER_page.cpp defines
/// `std::unique_ptr<ks::ui::Page> makePage(ks::ui::PageContext&)` in namespace ks::ui::FOLDER; the build
/// collects them. A page that shows an analysis is an AnalysisPage; others work with what is on the desk.
class Page : public QWidget {
    Q_OBJECT
  public:
    /// Which state of a page, and for how long it is kept.
    enum class Scope {
        settings,  ///< how the page shows things, whatever is open: from one start to the next
        session,  ///< of the open file, apart from settings, mask and geometry: for session and project files
        file,  ///< the part of `session` that the user has changed and that belongs to the file alone: bins
        anyFile,  ///< the part of `session` that does not depend on the file: models of fits
        expected  ///< for setState() only: announces a state
    };
    /// @param analyses that the page shows, the current one first; empty: it runs none
    explicit Page(QStringList analyses = {}) : analyses_(std::move(analyses)) {}

    const QStringList& analyses() const { return analyses_; }
    /// The current one of analyses(), "xpcs"; empty: there is none, and nothing is run.
    QString analysis() const { return analyses_.value(current_); }
    /// Selects another one of analyses(): emits analysisChanged().
    void choose(const QString& analysis);

    virtual QString title() const = 0;  ///< on the page's tab
    /// Key of the page in settings and sessions.
    virtual QString id() const = 0;
    /// Name of its part of the tutorial: "xpcs".
    virtual QString manual() const { return id(); }
    /// Position of its tab: lower is further left, and the lowest is shown first.
    virtual int order() const { return 100; }
    /// Whether the page can use a file. A file without frames is opened only if some page accepts it, judging
    /// by its name and tree. Called on the window's thread: reads nothing.
    virtual bool accepts(const OpenFile& /*file*/) const { return false; }
    /// Whether a file that other pages also accept is most likely meant for this one.
    virtual bool prefers(const OpenFile& /*file*/) const { return false; }
    /// Columns of the CSV files that it accepts, for messages: "x, y, z"; empty: it accepts none.
    virtual QString tableColumns() const { return {}; }
    /// For the dialog Open: "Frames (*.h5 *.hdf5)". Filters named by several pages are shown once.
    virtual QStringList fileFilters() const { return {}; }
    /// Widgets for the tabs Data (below the tree) and Set-up (above the form) of the dock; null: none. The
    /// window owns them.
    virtual QWidget* dataWidget() { return nullptr; }
    virtual QWidget* inputWidget() { return nullptr; }

    /// Reads what the page needs from a file besides its frames, before anything is replaced, so that a file
    /// that cannot be read has no effect. Runs in a job and throws ks::Error(input); the result becomes the
    /// file's `content`. Null: nothing is read.
    virtual std::function<std::any()> reader(const OpenFile& /*file*/) const { return nullptr; }
    /// Gives the page a file that it accepts; called when the page is visible, not while another one is.
    virtual void setFile(std::shared_ptr<const OpenFile> /*file*/) {}
    /// Removes the file given by setFile(): the page is as before its first file.
    virtual void closeFile() {}
    /// Whether a file is being read that the page may get: an empty page says so.
    void setOpening(bool opening);
    /// What an empty page lacks although a project names it: "Not read: rep_1.h5"; empty: nothing.
    void setLack(const QString& lack);
    /// An object of the file other than frames that was double-clicked in the tree; false: the page has no
    /// use for it.
    virtual bool useObject(const QString& /*path*/) { return false; }
    /// What is missing before Run (F5) can start, as a sentence; empty if it can. Here, for pages that only
    /// show something: that there is nothing to run.
    virtual QString missing() const;
    /// Run (F5) starts the page's own work, which missing() may prevent, instead of a run. Such a page has no
    /// use for the dock and takes its space.
    virtual bool startsItself() const { return false; }
    virtual void start() {}
    /// A file for the page of an analysis was opened while this page is visible. True: it works with data of
    /// other pages, and stays visible.
    virtual bool takesDataOf(const QString& /*analysis*/) { return false; }
    /// Null: the page times no variants.
    virtual VariantTimer* timer() { return nullptr; }
    /// The kernels that Ctrl+K shows; no analysis: the page has none.
    virtual KernelChoice kernelChoice() const { return {analysis(), {}}; }
    /// The first is the page's main plot: Ctrl+E exports it, and a run's CSV has its name.
    virtual std::vector<NamedPlot> plots() const = 0;
    /// For the menu Edit. Visible while the page is.
    virtual QList<QAction*> editActions() const { return {}; }
    /// All visible pictures of the page, in page coordinates. A page that shows data has at least one.
    virtual std::vector<PicturePlace> pictures() const { return {}; }
    struct Words {
        QString title, text;
    };
    /// What the tour says of the first one.
    const Words& tourWords() const { return tourWords_; }
    /// The page's state of a scope. Nothing: it has none, or nothing to keep. Of the settings it has all
    /// keys, with values of their types, null if not set.
    virtual std::optional<PageState> state(Scope /*scope*/) const { return std::nullopt; }
    /// Restores the result of state(): after setFile() with the same file, or without a file if none was
    /// open; of scope `file` after setFile() with a file of the same name, also from a state of `session`, of
    /// which only that part is taken. With `expected` before setFile(), which one of these follows, so that
    /// nothing is read or computed only to be replaced. Nothing in it is trusted: invalid entries are
    /// ignored. Values that depend on data still being read are applied when those arrive.
    virtual void setState(const PageState& /*state*/, Scope /*scope*/) {}
    /// Keys and roles in state(session) that are no work of their own: they say what is looked at, or belong
    /// to own parameters or to scope `file`. Everything else that differs from an empty window is kept or
    /// asked about before it is lost.
    const QStringList& keysWithoutWork() const { return keysWithoutWork_; }

    /// Plots and tables below the picture or at its right.
    Drawer& drawer() const { return *drawer_; }
    void setDrawerOpen(bool open);
    bool drawerOpen() const { return drawerOpen_; }
    /// The picture and the drawer take each other's size, and get their sizes back when called again.
    void swapPictureAndDrawer();
    /// Size of the drawer if the user has set it, at the right of the picture and below it.
    struct DrawerShares {
        std::optional<double> beside = {}, below = {};
        bool operator==(const DrawerShares&) const = default;
    };
    const DrawerShares& drawerShares() const { return shares_; }
    /// Nothing: the size proposed by the page.
    void setDrawerShares(const DrawerShares& shares);
  signals:
    // Of a page that is not shown, only `failed` has an effect.
    /// The inputs have changed or become complete: a run may be possible now.
    void inputsChanged();
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
    /// A file for the page is being opened, or no longer.
    void openingChanged();
    /// How to use the current tool; empty: no tool is in use.
    void hint(const QString& text);
    void failed(const ks::Error& error);
    /// The last failed() no longer applies.
    void mended(const ks::Error& error);

  protected:
    /// The parts of the page. The drawer is at the right of the picture if a picture of this aspect ratio
    /// (width over height) keeps its height there, otherwise below it, initially with this height, or with
    /// less in a low window.
    void setBody(QWidget* picture, std::vector<DrawerPart> parts, double aspect = 1, int drawerHeight = 200);
    bool isOpening() const { return opening_; }
    static QString openingText();
    /// As by setLack(), while no file is being opened.
    QString lack() const { return opening_ ? QString() : lack_; }
    void setKeysWithoutWork(const QStringList& keys) { keysWithoutWork_ = keys; }
    /// For a page whose pictures() are not pictures of data.
    void setTourWords(const Words& words) { tourWords_ = words; }
    void resizeEvent(QResizeEvent* event) override;
    /// For destructors: signals of the page's children, and of its widgets in docks, no longer reach the
    /// page, part of which may already be destroyed.
    void disconnectParts(const QList<QObject*>& docked = {});

  private:
    static Words wordsOfPicture();
    void placeDrawer();
    /// The user resized the drawer.
    void drawerMoved();
    std::optional<double>& shareOf(Qt::Orientation orientation) {
        return orientation == Qt::Horizontal ? shares_.beside : shares_.below;
    }

    QStringList analyses_, keysWithoutWork_;
    Words tourWords_ = wordsOfPicture();
    bool opening_ = false;
    QString lack_;
    qsizetype current_ = 0;  ///< of analyses_
    QSplitter* body_ = nullptr;
    Drawer* drawer_ = nullptr;
    double aspect_ = 1;
    int drawerHeight_ = 0;
    DrawerShares shares_;
    std::optional<DrawerShares> unswapped_;  ///< while picture and drawer are swapped
    std::optional<Qt::Orientation> placed_;  ///< the drawer size was computed for this one
    bool drawerOpen_ = true;
};

/// Creates one page of a window.
using MakePage = std::function<std::unique_ptr<Page>(PageContext&)>;

/// The pages of the folders of ui/.
std::vector<MakePage> collectedPages();

}  // namespace ks::ui
