#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"
#include "core/run/variant.h"
#include "ui/kernels/trial/kernel_trial.h"
#include "ui/kernels/unsaved_kernels.h"
#include "ui/kernels/watched_file.h"

class QAction;

namespace ks::ui {

class AccessPanel;
class ElidedLabel;
class NoticeLabel;
class KernelEditor;
class KernelHead;
class TrialBar;
class TrialHistory;
class TrialView;
class UserKernelList;

/// The user's kernels of one analysis: their list, and an editor for one of them. F7 saves it and requests a
/// run, Shift+F7 saves it and checks its accesses; the result is shown below the text, compiler messages and
/// faults at their lines. Files are written only on request; a text that is left or closed unsaved is kept in
/// memory and among the drafts.
class UserKernels : public QWidget {
    Q_OBJECT
  public:
    explicit UserKernels(QWidget* parent = nullptr);
    /// Keeps unsaved texts among the drafts.
    ~UserKernels() override;

    /// Their folder; initially user_variants_folder().
    void setFolder(const QString& folder);
    /// @param variants of the analysis on the device
    /// @param kernelFiles texts by path
    void setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                     const std::map<std::string, std::string>& kernelFiles);
    /// Copies a variant under a name, and opens the copy. Emits failed() on failure.
    bool copy(const Variant& of, const QString& name);
    /// Opens another one; the edited text stays unsaved. Of a file that cannot be read, the reason is in view
    /// in place of a text, and it can be renamed and deleted.
    bool open(const QString& name);
    /// The same by its file, which need not exist if an unsaved text of it is kept.
    bool openFile(const QString& file);
    QString name() const;
    /// Id of the open variant; empty: none is open.
    QString id() const;
    /// Its file; empty: none is open.
    std::string file() const { return file_.file().toStdString(); }
    /// The variant whose texts are in view where the editor is not. If it is another one, a key shows the
    /// text in the editor first, instead of writing or running it unseen.
    void setShown(const QString& variant) { shown_ = variant; }
    /// Why the open one cannot be run in its saved form; empty: it can, or that is not known yet.
    QString fault() const;
    /// The text of a kernel that is not saved, with the user's included files inserted; nothing: its file has
    /// the text.
    std::optional<std::string> unsavedText(const QString& file) const;
    /// The text of the newest trial of the open kernel, or without a trial the edited one, with the user's
    /// included files inserted: compiler messages refer to its lines.
    std::string triedText() const;
    bool save();
    /// Where unsaved texts are kept and restored from, again as unsaved ones. Empty: nowhere.
    void setDraftsFolder(const QString& folder);
    /// Keeps all unsaved texts among the drafts.
    /// @return the texts that could not be kept
    std::vector<KernelDrafts::Draft> keepTexts();
    void run();
    /// Judges the open kernel in a separate process, including oclgrind, once the worker is idle.
    void checkAccesses();
    /// Cancels the running trial and check.
    void cancel();
    /// Device of the access check: the index of an OpenCL device; empty: there is none.
    void setDevice(const QString& device);
    /// The choices of an analysis' page, as in AccessPlan, for access checks with the page's data.
    using PageChoices = std::function<QStringList(const QString& analysis)>;
    void setPageChoices(PageChoices choices) { pageChoices_ = std::move(choices); }
    void rename(const QString& to);
    void remove();

    /// Current step of the newest trial, whichever kernel is open: it names that of the trial.
    void setStep(const QString& what);
    /// The newest trial has ended, whichever kernel is open.
    void endTrial();
    /// Result of the newest trial of a kernel that isOpen().
    bool isOpen(const KernelTrial& trial) const;
    void setResult(const TrialResult& result);
    void setError(const Error& error);
    /// More is known of the faults of texts, see TrialHistory::setKnownFaults().
    void showFaults();

    UserKernelList& list() { return *list_; }
    KernelEditor& editor() { return *editor_; }
    TrialBar& bar() { return *bar_; }
    TrialHistory& history() { return *history_; }
    TrialView& trial() { return *trial_; }
    AccessPanel& accesses() { return *access_; }
    /// For a menu: save, run, check accesses, cancel.
    const QList<QAction*>& kernelActions() const { return kernelActions_; }
    /// Undo, redo, find, replace, go to line, comments.
    const QList<QAction*>& editActions() const { return editActions_; }

  signals:
    void trialWanted(const ks::ui::KernelTrial& trial);
    /// The newest trial is to be cancelled.
    void cancelWanted();
    /// A copy of the chosen variant is wanted: the receiver calls copy() with it.
    void copyWanted();
    /// A line of a kernel file of the program.
    void placeWanted(const ks::SourcePlace& place);
    /// The place of the newest result's largest error.
    void worstPlaceWanted();
    /// Another one is edited: the id of its variant.
    void opened(const QString& id);
    /// The reason why the open one cannot be run, see fault().
    void faultChanged();
    /// The file of one was renamed: the ids of its variant.
    void renamed(const QString& analysis, const QString& from, const QString& to);
    /// One was added, removed or renamed.
    void listChanged();
    /// An access check found faults in a text.
    /// @param textMark text_mark() of the text with its included files
    /// @param faults as in AccessResult
    void accessesWrong(const QString& analysis, const QString& textMark, const QStringList& faults);
    void failed(const ks::Error& error);
    /// The editor now shows the text of a draft, or one equal to the file's.
    void draftTaken(const QString& file);
    /// Which text cannot be kept for the next start, and why; empty: all are kept.
    void keepingChanged(const QString& sentence);
    /// The compiler rejected the open kernel, that of variant `id`, in the newest trial.
    void buildFailed(const QString& id, const ks::Error& error);

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    void build();
    void connectParts();
    void makeActions();
    void showRunning();
    void fillList();
    void showOpen();
    /// Opens the file without its text where it cannot be read.
    void readFile(const QString& file);
    /// Whether the text of a kernel is in the editor; otherwise says why not.
    bool hasText();
    void readHeader();
    void markLines(const TrialResult& result);
    void takeOutside(const QString& text);
    void askRename();
    void askRemove();
    /// Throws ks::Error(input) if an unsaved text of this file is kept, whether or not the file exists.
    void requireNoUnsaved(const QString& file) const;
    /// Moves the edited text to the trash, as a file "NAME-unsaved.cl". Throws ks::Error if it cannot be
    /// written.
    void trashText() const;
    /// The document equals the file.
    void setUnmodified();
    /// After a step: a text that was typed back to that of the file is not unsaved.
    void noteEqual();
    /// Neither this text nor the other program's needs a decision any more.
    void showConflict();
    void endConflict();
    void keepDrafts();
    void takeDraft();
    /// The displayed document was left unsaved when its file had this text.
    void resume(const QString& before);
    /// Shows a text above the editor.
    void note(const QString& text);
    /// Shows the error next to the text, and emits failed().
    void tell(const Error& error);
    /// The text or the device has changed since tell(): its message may no longer apply.
    void dropRefusal();
    /// Updates whether the results below the text are for the current text.
    void showAge();
    /// The same after files included by the text may have changed.
    void lookAtIncludes();
    /// A text of a kernel with the user's included files inserted.
    std::string withIncludes(const std::string& file, const std::string& text) const;
    /// The same for a text of the open kernel, as it would be saved.
    std::string withIncludes(const QString& text) const;
    /// The edited text as it would be saved, or unencoded if it cannot be saved.
    std::string edited() const;
    /// Whether the user sees the open text, here or as the shown variant; otherwise says why nothing was
    /// done.
    bool isInView();
    /// Calls a function, and reports any error it throws.
    template <class Do>
    bool guardedBy(const Do& act);

    QString analysis_;
    std::map<std::string, std::string> kernelFiles_;
    std::map<QString, QString> openBefore_;  ///< file of the kernel that was open last, by analysis
    WatchedFile file_;
    struct Resolved {
        QString text;
        std::string whole;  ///< with the user's included files
    };
    std::optional<Resolved> ran_;         ///< by the newest trial of the open kernel
    std::map<QString, Resolved> judged_;  ///< by the newest check of each kernel, by file
    bool ranIncludes_ = false;            ///< files included in the newest trial have changed since
    QString unread_;                      ///< why the open file cannot be read; empty: its text is shown
    std::optional<QString> outside_;      ///< text of the file that was neither written nor accepted here
    QTimer header_;
    QString device_;
    QString shown_;            ///< id; empty: none
    QString fault_;            ///< at the last faultChanged()
    PageChoices pageChoices_;  ///< none: checks have no choices
    quint64 trials_ = 0;       ///< so far
    QList<QAction*> kernelActions_, editActions_;
    UserKernelList* list_;
    NoticeLabel *notice_, *unkept_;
    bool isRefusal_ = false;  ///< the notice is of tell()
    QWidget* conflict_;       ///< asks which text is used while there is one in outside_
    ElidedLabel* question_;   ///< in it
    TrialBar* bar_;
    TrialHistory* history_;
    KernelHead* head_;
    KernelEditor* editor_;
    TrialView* trial_;
    AccessPanel* access_;
    UnsavedKernels unsaved_;
};

}  // namespace ks::ui
