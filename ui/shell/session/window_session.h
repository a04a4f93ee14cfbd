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
class Page;
class RequestForm;
class RunSession;
class RunTableModel;
struct RunRow;
class SaveFolders;
struct PageContext;

/// What a session collects from and brings back to. All but the registry outlive it.
struct SessionParts {
    FileSession& files;
    RequestForm& request;
    RunTableModel& runs;
    RunSession& running;
    const PageContext& context;
    std::shared_ptr<const Registry> registry;
    QSettings& settings;
    SaveFolders& folders;
};

/// Nothing of a window is lost between starts: collects what it holds, keeps it while the user works, and
/// brings it back, from the session or from a project. It follows the signals of the files; what concerns the
/// window's own parts it asks for by signals of its own.
class WindowSession : public QObject {
    Q_OBJECT
  public:
    enum class Begin { bySetting, empty };
    /// A change is in the file after this and the time of writing at most.
    static constexpr int keepEveryMs = 2000;

    /// @param window that its questions stand over; it owns this
    WindowSession(const SessionParts& parts, QWidget* window);
    ~WindowSession() override;

    /// Keeps the session in this folder from now on, and brings back what it holds where that is wanted.
    /// @param page of this analysis is shown in place of the one of the session; empty: that of the session
    void begin(const QString& folder, Begin how, const QString& page = {});
    bool kept() const { return store_ != nullptr; }
    /// Of the session of this window; empty: none is kept.
    QString sessionFile() const { return store_ ? store_->file() : QString(); }

    SessionDocument document() const;
    void openProject(const QString& path);
    /// Sessions that did not come back, newest first, as they were when they were last looked for: those of
    /// other windows that have ended, and those that were put aside.
    const std::vector<OtherSession>& others() const { return others_; }
    /// Looks for them in a job; othersChanged() follows.
    void lookForOthers();
    /// The session of this window is put aside for it.
    void openOther(const QString& file);
    void discardOther(const QString& file);
    /// The data that were named `gone` lie here now: what is kept of them comes back.
    void locate(const QString& gone, const QString& found);
    /// Where texts of kernels are kept that are in no file yet; empty: nowhere.
    QString kernelsFolder() const { return store_ ? store_->kernelsFolder() : QString(); }
    /// Keeps unsaved texts of kernels, and says which could not be kept: they are asked about before the end.
    void setKernelTexts(std::function<std::vector<KernelDrafts::Draft>()> keep) {
        keepKernels_ = std::move(keep);
    }
    /// The kept text of this kernel is in the editor: its notice ends.
    void kernelShown(const QString& file);
    /// Runs go into the folder NAME_runs beside it.
    void saveProject(const QString& path, bool overwrite);
    void saveProject();
    void saveProjectAs();
    const QString& project() const { return project_; }

    SessionQuestions& questions() { return questions_; }
    /// False: the user stays.
    bool mayClose();
    /// The process is about to end, without a question: writes the session, texts of kernels and settings.
    void keepForEnd();
    /// A run was written to a file by hand.
    void runSaved(const std::shared_ptr<const Run>& run) { saved_.push_back(run); }

    /// A page came in sight and has its file: opens the one that the page was kept with, where that is
    /// another one than the open one.
    void pageShown(const Page& page);

  signals:
    /// What was kept is here again: file, masks, runs.
    void broughtBack();
    void projectSaved(const QString& path);
    /// The session was written.
    void written();
    /// File > New: a window that begins empty is wanted in place of this one.
    void newWanted();
    /// The page of an analysis is to be shown.
    void pageWanted(const QString& analysis);
    /// A kernel of the user's own is to be shown in the editor.
    void kernelWanted(const QString& analysis, const QString& file);
    /// kernelsFolder() is another one.
    void kernelsFolderChanged();
    /// The session is about to be written: settings that stand beside it should be now.
    void aboutToWrite();
    /// For the status bar; empty: what it said has ended. @param milliseconds 0: until the next one
    void message(const QString& text, int milliseconds = 0);
    void warned(const QString& sentence, const QString& details = {});
    /// Something holds until noticeEnded().
    void noticed(const ks::ui::Notice& notice);
    void noticeEnded(const QString& id);
    void othersChanged();
    void failed(const ks::Error& error);

  private:
    void fileOpens(const OpenFile& file);
    /// Those that the user did not open and that are no demos: a project that names them is asked about.
    QStringList unknown(const QStringList& files) const;
    void geometryLeaves();
    void geometryComes();
    void collectGeometries(SessionDocument& document) const;
    void fileLeaves(Page* page);
    /// Parameters of an analysis (of_data()), where they are not the defaults: those of the
    /// page's file.
    ParameterSet ofData(const Page& page, const QString& analysis) const;
    void leaveParameters(LeftFiles& left, const Page& page, const std::string& file) const;
    /// Parameters become those that were left with the file, the others their defaults.
    void takeParameters(Page& page, const std::string& file);
    void fileComes(Page* page);
    void fileGiven(Page* page);
    void setProject(const QString& path);
    QString projectProposal() const;
    void read(const QString& path, bool own);
    void take(const QString& path, bool own, ReadDocument read, QStringList changed);
    void bringBack(const SessionDocument& document);
    /// Inputs of the runs that are here.
    void moveInputs(const MovedFiles& moved);
    void clear();
    /// Throws ks::Error(input) as SessionStore does.
    void takeStore();
    void keepNow();
    /// Why it could not be kept.
    struct Unkept {
        std::optional<Error> document, runs;
    };
    Unkept keepAtOnce();
    void setDocumentFailure(const QString& why);
    void tellKeeping();
    void tellGone(const QString& gone);
    void tellOthers();
    /// One notice of all sessions that were not restored and that nothing was decided about.
    void showOthers();
    /// The session stays where it is and is told of no more.
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
    /// Geometry, mask and bins that were changed here give way to those of the project, not without a word.
    void joinProject(SessionDocument& project, QStringList& warnings) const;
    /// What is left of all files once others take the place of those that are open.
    LeftFiles leftOfAll() const;

    SessionParts parts_;
    SessionQuestions questions_;
    QString folder_;  ///< of all sessions; empty: none is kept, and none is to be
    QString before_;  ///< file of the session that an empty beginning put aside
    std::shared_ptr<SessionStore> store_;
    std::vector<OtherSession> others_;
    std::vector<OtherSession> told_;  ///< of them, in the notice
    QString opened_;  ///< one of the others, which this session takes the place of once it is kept
    std::function<std::vector<KernelDrafts::Draft>()> keepKernels_;
    KeptRuns* runs_;
    QTimer timer_, back_;
    QElapsedTimer since_;
    std::optional<SessionDocument> last_;  ///< that was written
    quint64 age_ = 0;
    bool writing_ = false, again_ = false;      ///< again: what changed while it was written
    QString documentFailure_;                   ///< why the session could not be written; empty: it could
    std::optional<SessionDocument> ofProject_;  ///< as it was when the project was read or written
    QString project_;
    std::optional<FileRecord> projectThen_;  ///< its file, as this window read or wrote it
    std::vector<std::weak_ptr<const Run>> saved_;

    LeftFiles left_;
    bool leaves_ = false;  ///< a page is between the file that it had and the next

    // What waits while it comes back.
    bool reading_ = false;
    std::string opening_;                       ///< the data file that is on its way; empty: none
    std::map<std::string, PageState> waiting_;  ///< by analysis, for the pages' file
    std::string waitingFor_;                    ///< name of that file
    std::map<std::string, nlohmann::json> waitingGeometries_;  ///< by name of their files
    std::string gone_, goneObject_;                            ///< data that are not there
    ReadDocument goneOf_;                                      ///< that names them
    QString triedFor_;   ///< page whose own file was asked for last; empty: none since all was brought back
    QString givenPage_;  ///< to be shown in place of the one of the session
    QStringList warnings_;
};

/// The folder that the user's sessions are kept in.
QString sessionsFolder();

}  // namespace ks::ui
