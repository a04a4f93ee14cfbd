#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/io/files/file_record.h"
#include "core/run/registry.h"
#include "ui/files/open_file.h"
#include "ui/kernels/kernel_drafts.h"
#include "ui/shell/session/kept_runs.h"
#include "ui/shell/session/notice_bar.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/session/session_store.h"

class QSettings;
class QWidget;

namespace ks::ui {

class FileSession;
class AnalysisPage;
class Page;
class RequestForm;
class RunQueue;
class RunTableModel;
struct RunRow;
class SaveFolders;
struct PageContext;

/// Objects that a session stores and restores. All but the registry outlive it.
struct SessionParts {
    FileSession& files;
    RequestForm& request;
    RunTableModel& runs;
    RunQueue& queue;
    const PageContext& context;
    std::shared_ptr<const Registry> registry;
    QSettings& settings;
    SaveFolders& folders;
};

/// Keeps the contents of a window from one start to the next: collects its state, stores it while the user
/// works, and restores it from the session or from a project. It follows the signals of these objects, and
/// requests changes to the window's own parts by its own signals.
class WindowSession : public QObject {
    Q_OBJECT
  public:
    enum class Begin { bySetting, empty };
    /// A change is in the file after this time plus the time of writing.
    static constexpr int keepEveryMs = 2000;

    /// @param window parent of its questions; owns this object
    WindowSession(const SessionParts& parts, QWidget* window);
    ~WindowSession() override;

    /// Stores the session in this folder from now on, and restores its contents if wanted.
    /// @param page the page of this analysis is shown instead of the one in the session; empty: that of the
    /// session
    void begin(const QString& folder, Begin how, const QString& page = {});
    bool kept() const { return store_ != nullptr; }
    /// Place of this window's session; empty: none is stored.
    QString sessionFile() const { return store_ ? store_->file() : QString(); }

    SessionDocument document() const;
    void openProject(const QString& path);
    /// Sessions that were not restored, newest first, as of the last search: those of other windows that have
    /// ended, and previous ones.
    const std::vector<OtherSession>& others() const { return others_; }
    /// Searches for them in a job; othersChanged() follows.
    void lookForOthers();
    /// Opens another session; that of this window is put aside.
    void openOther(const QString& file);
    void discardOther(const QString& file);
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
    /// Runs go into the folder NAME_runs next to it.
    void saveProject(const QString& path, bool overwrite);
    void saveProject();
    void saveProjectAs();
    const QString& project() const { return project_; }

    SessionQuestions& questions() { return questions_; }
    /// False: the user stays.
    bool mayClose();
    /// The process is about to end, without a question: writes the session, kernel texts and settings.
    void keepForEnd();
    /// The user saved a run to a file.
    void runSaved(const std::shared_ptr<const Run>& run) { saved_.push_back(run); }

    /// A page became visible and has its file: opens the one that it was stored with, if that is not the open
    /// one.
    void pageShown(const Page& page);

  signals:
    /// The session is restored: file, masks, runs.
    void broughtBack();
    void projectSaved(const QString& path);
    /// The session was written.
    void written();
    /// File > New: a new, empty window is to replace this one.
    void newWanted();
    /// The page of an analysis is to be shown.
    void pageWanted(const QString& analysis);
    /// A user's kernel is to be shown in the editor.
    void kernelWanted(const QString& analysis, const QString& file);
    /// kernelsFolder() has changed.
    void kernelsFolderChanged();
    /// The session is about to be written: related settings should be, too.
    void aboutToWrite();
    /// For the status bar; empty: clears the message.
    /// @param milliseconds 0: until the next message
    void message(const QString& text, int milliseconds = 0);
    void warned(const QString& sentence, const QString& details = {});
    /// A notice, shown until noticeEnded().
    void noticed(const ks::ui::Notice& notice);
    void noticeEnded(const QString& id);
    void othersChanged();
    void failed(const ks::Error& error);

  private:
    void fileOpens(const OpenFile& file);
    /// Data files that the user did not open and that are not demos: a project needs permission to name them.
    QStringList unknown(const QStringList& files) const;
    void geometryLeaves();
    void geometryComes();
    void collectGeometries(SessionDocument& document) const;
    bool needsFile(const Page& page) const;
    void fileLeaves(Page* page);
    /// Parameters of an analysis (of_data()) that differ from the defaults: those of the page's file.
    ParameterSet ofData(const AnalysisPage& page, const QString& analysis) const;
    void leaveParameters(LeftFiles& left, const AnalysisPage& page, const std::string& file) const;
    /// Sets parameters to those stored for the file, the others to their defaults.
    void takeParameters(AnalysisPage& page, const std::string& file);
    void fileComes(Page* page);
    void fileGiven(Page* page);
    void setProject(const QString& path);
    QString projectProposal() const;
    void read(const QString& path, bool own);
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
    void tellGone(const QString& gone);
    void tellOthers();
    /// One notice for all sessions that were not restored and for which nothing has been decided.
    void showOthers();
    /// The session stays where it is, without further notices.
    void keepOther(const QString& file);
    void askToDelete(const OtherSession& session);
    void tellKernels();
    void endOpening();
    void lookWhetherBack();
    QStringList unsavedWork() const;
    QStringList unsavedOfFiles(const SessionDocument& now) const;
    bool isSaved(const RunRow& row) const;
    bool mayLose();
    bool mayLoseKernels();
    /// Geometry, mask and bins changed here are replaced by those of the project, with a warning.
    void joinProject(SessionDocument& project, QStringList& warnings) const;
    /// State to keep for all files when others replace the open ones.
    LeftFiles leftOfAll() const;

    SessionParts parts_;
    SessionQuestions questions_;
    QString folder_;  ///< of all sessions; empty: none is stored or will be
    QString before_;  ///< file of the session put aside by a start with an empty window
    std::shared_ptr<SessionStore> store_;
    std::vector<OtherSession> others_;
    std::vector<OtherSession> told_;  ///< of them, in the notice
    QString opened_;                  ///< one of the others, which this session replaces once it is stored
    std::function<std::vector<KernelDrafts::Draft>()> keepKernels_;
    KeptRuns* runs_;
    QTimer timer_, back_;
    QElapsedTimer since_;
    std::optional<SessionDocument> last_;  ///< that was written
    quint64 age_ = 0;
    bool writing_ = false, again_ = false;      ///< again: something changed while it was written
    QString documentFailure_;                   ///< why the session could not be written; empty: it could
    std::optional<SessionDocument> ofProject_;  ///< as it was when the project was read or written
    QString project_;
    std::optional<FileRecord> projectThen_;  ///< its file, as this window read or wrote it
    std::vector<std::weak_ptr<const Run>> saved_;

    LeftFiles left_;
    bool leaves_ = false;  ///< a page is between its previous file and the next

    // State that waits during a restore.
    bool reading_ = false;
    std::string opening_;                                      ///< the data file being opened; empty: none
    std::map<std::string, PageState> waiting_;                 ///< by analysis, for the pages' file
    std::string waitingFor_;                                   ///< name of that file
    std::map<std::string, nlohmann::json> waitingGeometries_;  ///< by name of their files
    std::string gone_, goneObject_;                            ///< missing data
    ReadDocument goneOf_;                                      ///< that names them
    QString triedFor_;   ///< page whose own file was requested last; empty: none since the restore
    QString givenPage_;  ///< to be shown instead of the one of the session
    QStringList warnings_;
};

/// The folder of the user's sessions.
QString sessionsFolder();

}  // namespace ks::ui
