#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "ui/files/open_file.h"
#include "ui/kernels/kernel_drafts.h"
#include "ui/shell/session/kept_runs.h"
#include "ui/shell/session/other_sessions.h"
#include "ui/shell/session/page_work.h"
#include "ui/shell/session/run_kernels.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/session/session_store.h"
#include "ui/shell/session/window_project.h"

class QWidget;

namespace ks::ui {

class AnalysisPage;
class Page;
struct Workbench;

/// Keeps the contents of a window from one start to the next: collects its state, stores it while the user
/// works, and restores it from the session or from a project. It follows the signals of these objects, and
/// requests changes to the window's own parts by its own signals.
class WindowSession : public QObject {
    Q_OBJECT
  public:
    enum class Begin { bySetting, empty };
    /// A change is in the file after this time plus the time of writing.
    static constexpr int keepEveryMs = 2000;

    /// @param bench outlives it
    /// @param window parent of its questions; owns this object
    WindowSession(Workbench& bench, QWidget* window);
    ~WindowSession() override;

    /// Stores the session in this folder from now on, and restores its contents if wanted.
    /// @param page the page of this analysis is shown instead of the one in the session; empty: that of the
    /// session
    void begin(const QString& folder, Begin how, const QString& page = {});
    bool kept() const { return store_ != nullptr; }
    /// Place of this window's session; empty: none is stored.
    QString sessionFile() const { return store_ ? store_->file() : QString(); }

    SessionDocument document() const;
    /// What is written for the next start.
    SessionDocument toKeep() const;
    void openProject(const QString& path);
    OtherSessions& others() { return *others_; }
    /// Opens another session; that of this window is put aside.
    void openOther(const QString& file);
    /// The data named `gone` are here now: their stored state is restored.
    void locate(const QString& gone, const QString& found);
    /// Folder for kernel texts that are not saved to a file; empty: none.
    QString kernelsFolder() const { return store_ ? store_->kernelsFolder() : QString(); }
    /// Stores unsaved kernel texts, and reports which could not be stored: the user is asked about those
    /// before the end.
    void setKernelTexts(std::function<std::vector<KernelDrafts::Draft>()> keep) {
        keepKernels_ = std::move(keep);
    }
    /// The stored text of this kernel is in the editor: its notice ends.
    void kernelShown(const QString& file);
    WindowProject& project() { return *project_; }
    RunKernels& runKernels() { return *runKernels_; }

    SessionQuestions& questions() { return questions_; }
    /// False: the user stays, or saves a project first: then the window is closed again once that is written.
    bool mayClose();
    /// How the window is closed again, for the next mayClose() only; without it, by closeWanted(). Called
    /// from the event loop.
    void setCloseAgain(std::function<void()> close) { closeAgain_ = std::move(close); }
    /// The process is about to end, without a question: writes the session, kernel texts and settings.
    void keepForEnd();

    /// A page became visible and has its file: opens the one that it was stored with, if that is not the open
    /// one. While a session or project comes back, the page stays visible if the user chose it.
    void pageShown(const Page& page);

  signals:
    /// The session is restored: file, masks, runs.
    void broughtBack();
    /// The session was written.
    void written();
    /// File > New: a new, empty window is to replace this one.
    void newWanted();
    /// The work was saved when the window was closed: it is to be closed now.
    void closeWanted();
    /// The page of an analysis is to be shown.
    void pageWanted(const QString& analysis);
    /// A user's kernel is to be shown in the editor.
    void kernelWanted(const QString& analysis, const QString& file);
    /// kernelsFolder() has changed.
    void kernelsFolderChanged();
    /// The session is about to be written: related settings should be, too.
    void aboutToWrite();

  private:
    void fileOpens(const OpenFile& file);
    /// Data files that the user did not open and that are not demos: a project needs permission to name them.
    QStringList unknown(const QStringList& files) const;
    /// The identity under which the state of a file is stored that the open one replaces: reopened under its
    /// name, its state goes on.
    std::string leavingAs(const OpenFile& before) const;
    void geometryLeaves();
    void geometryComes();
    void collectGeometries(SessionDocument& document) const;
    void collectWork(SessionDocument& document) const;
    bool needsFile(const Page& page) const;
    void fileLeaves(Page* page);
    /// Parameters of an analysis (of_data()) that differ from the defaults: those of the page's file.
    ParameterSet ofData(const AnalysisPage& page, const QString& analysis) const;
    void leaveParameters(LeftFiles& left, const AnalysisPage& page, const std::string& file) const;
    /// Sets parameters to those stored for the file, the others to their defaults.
    void takeParameters(AnalysisPage& page, const std::string& file);
    void fileComes(Page* page);
    void fileGiven(Page* page);
    void read(const QString& path, bool own);
    /// Something is being read that changes the window when it is there.
    bool comesBack() const { return reading_ || !opening_.empty() || back_.isActive(); }
    void showPageOf(const QString& analysis);
    /// What the user did since read() takes the place of what a document for an empty window says.
    void keepUsers(SessionDocument& document) const;
    void take(const QString& path, bool own, ReadDocument read, QStringList changed);
    void bringBack(const SessionDocument& document);
    /// Inputs of the runs in the table.
    void moveInputs(const MovedFiles& moved);
    void clear();
    /// Throws ks::Error(input) as SessionStore does.
    void takeStore();
    void keepNow();
    /// Why it could not be stored.
    struct Unkept {
        std::optional<Error> document, runs;
    };
    Unkept keepAtOnce();
    void setDocumentFailure(const QString& why);
    void tellKeeping();
    /// Says that a project is not opened in place of what the window holds, since its data were not found.
    /// @param written names of the data when it was saved, the absolute one first
    void refuseGone(const QString& project, const QString& gone, const std::vector<std::string>& written);
    /// Empty pages say what they lack. @param text "Not read: %1"; empty: nothing @param file its path
    void setLack(const QString& text, const std::string& file);
    void tellGone(const QString& gone);
    /// Which files of the project were not read, since the user did not agree.
    void tellRefused();
    void readRefused();
    /// Moves the state of the open data to those that are left: the data of the project take their place.
    void leaveOpenData(SessionDocument& document, const SessionDocument& project) const;
    void tellKernels();
    void showUntoldKernels();
    void endOpening();
    void lookWhetherBack();
    /// How many runs could not be read, and why.
    QString lostRunsText() const;
    /// Asks about runs and measurements that have not finished.
    bool mayStop() const;
    /// @param afterSave called later if the user saves the project first
    bool mayLose(const std::function<void()>& afterSave);
    bool mayLoseKernels();
    bool mayLoseResults();
    /// Geometry, mask and bins changed here are replaced by those of the project, with a warning.
    void joinProject(SessionDocument& project, QStringList& warnings) const;
    /// State to keep for all files when others replace the open ones.
    LeftFiles leftOfAll() const;

    Workbench& bench_;
    SessionQuestions questions_;
    OtherSessions* others_;
    WindowProject* project_;
    RunKernels* runKernels_;
    QString folder_;  ///< of all sessions; empty: none is stored or will be
    std::shared_ptr<SessionStore> store_;
    QString opened_;  ///< one of the others, which this session replaces once it is stored
    std::function<std::vector<KernelDrafts::Draft>()> keepKernels_;
    std::function<void()> closeAgain_;
    bool stops_ = false;                              ///< the user has agreed to end the runs in progress
    std::vector<KernelDrafts::Draft> untoldKernels_;  ///< kept at the last end
    std::set<QString> seenKernels_;                   ///< files of those that were shown since
    KeptRuns* runs_;
    PageWork work_;
    QTimer timer_, back_;
    QElapsedTimer since_;
    std::optional<SessionDocument> last_;  ///< that was written
    quint64 age_ = 0;
    bool writing_ = false, again_ = false;  ///< again: something changed while it was written
    QString documentFailure_;               ///< why the session could not be written; empty: it could

    LeftFiles left_;
    QString apartFrom_;  ///< name of the open file if it leads to other data than before; empty: it does not
    bool leaves_ = false;  ///< a page is between its previous file and the next

    // State that waits during a restore.
    bool reading_ = false;
    SessionDocument before_;                      ///< contents of the window when the reading began
    bool hadDevices_ = false;                     ///< then
    QString usersFile_;                           ///< opened while the session was being read; empty: none
    const Page* shown_ = nullptr;                 ///< by pageShown()
    bool leads_ = false;                          ///< pageWanted() is being emitted
    bool pageChosen_ = false;                     ///< by the user, since the reading began
    std::map<std::string, PageState> atWaiting_;  ///< of the pages in waiting_, when these began to wait
    std::string opening_;                         ///< the data file being opened; empty: none
    std::map<std::string, PageState> waiting_;    ///< by analysis, for the pages' file
    std::string waitingFor_;                      ///< name of that file
    std::map<std::string, std::string> waitingWork_;           ///< on the pages, by name
    std::map<std::string, nlohmann::json> waitingGeometries_;  ///< by name of their files
    std::string gone_, goneObject_;                            ///< missing data
    ReadDocument goneOf_;                                      ///< that names them
    QString triedFor_;   ///< page whose own file was requested last; empty: none since the restore
    QString givenPage_;  ///< to be shown instead of the one of the session
    QStringList warnings_;
    std::set<std::string> missingFolders_;  ///< of the runs of the project that is being opened
};

/// The folder of the user's sessions.
QString sessionsFolder();

}  // namespace ks::ui
