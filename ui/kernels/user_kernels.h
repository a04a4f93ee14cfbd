#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"
#include "core/run/variant.h"
#include "ui/kernels/kernel_documents.h"
#include "ui/kernels/kernel_drafts.h"
#include "ui/kernels/trial/kernel_trial.h"
#include "ui/kernels/watched_file.h"

class QAction;
class QLabel;
class QLayout;
class QListWidget;
class QPushButton;

namespace ks::ui {

class AccessPanel;
class DefineFields;
class FindBar;
class KernelEditor;
class LineBar;
class TrialBar;
class TrialHistory;
class TrialView;
class UserKernelList;

/// The user's own kernels of one analysis: their list, and one of them to be edited. F7 saves it and asks for
/// a run, Shift+F7 saves it and checks its accesses; what came of that is shown below the text, messages of
/// the compiler and faults at their lines. Files are written where that was asked for; a text that is left or
/// closed without is kept in memory and among the drafts.
class UserKernels : public QWidget {
    Q_OBJECT
  public:
    explicit UserKernels(QWidget* parent = nullptr);
    /// Keeps what is not saved among the drafts.
    ~UserKernels() override;

    /// Where they lie; at first user_variants_folder().
    void setFolder(const QString& folder);
    /// @param variants of the analysis on the device @param kernelFiles texts by path
    void setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                     const std::map<std::string, std::string>& kernelFiles);
    /// Copies a variant under a name, and opens the copy. Failures are told by failed().
    bool copy(const Variant& of, const QString& name);
    /// A name that is not taken: "gram.tiled-2".
    QString freeName(const Variant& of) const;
    /// Opens another one; what was edited stays unsaved.
    bool open(const QString& name);
    /// The same by its file, which may be gone where an unsaved text of it is kept.
    bool openFile(const QString& file);
    QString name() const;
    /// Id of the variant that is open; empty: none is.
    QString openId() const;
    /// Why the open one cannot be run as its file is; empty: it can, or that is not known yet.
    QString fault() const;
    bool save();
    /// Where texts that are not saved yet are kept, and come back from, as what is not saved. Empty: nowhere.
    void setDraftsFolder(const QString& folder);
    /// Keeps what is not saved, of all kernels that were opened, among the drafts.
    /// @return what could not be kept
    std::vector<KernelDrafts::Draft> keepTexts();
    void run();
    /// Judges the open kernel in a process of its own, by oclgrind too, once the worker has nothing to do.
    void checkAccesses();
    /// Ends the trial and the check that are under way.
    void cancel();
    /// Where accesses are checked: the index of an OpenCL device; empty: there is none.
    void setDevice(const QString& device) { device_ = device; }
    /// Whether the worker runs something, for whomever.
    void setWorkerBusy(bool busy);
    void rename(const QString& to);
    void remove();

    /// What a trial can work on; the first is taken unless a hand chose another one.
    void setDataChoices(const std::vector<TrialDataChoice>& choices);

    /// What came of the newest trial, where its kernel isOpen().
    bool isOpen(const KernelTrial& trial) const;
    void setRunning(const QString& step);
    void setResult(const TrialResult& result);
    void setError(const Error& error);

    /// What came of a trial, whether its kernel is open or not, for the list of the last ones.
    void keep(const KernelTrial& trial, const TrialResult& result);
    void keep(const KernelTrial& trial, const Error& error);

    /// What copyWanted() would copy.
    void setCopied(const QString& variant);

    QListWidget& list();
    KernelEditor& editor() { return *editor_; }
    DefineFields& defines() { return *defines_; }
    QLabel& result();
    QLabel& notice() { return *notice_; }
    /// Says whose text cannot be kept, while that is so.
    QLabel& unkept() { return *unkept_; }
    QListWidget& messages();
    TrialBar& bar() { return *bar_; }
    TrialHistory& history() { return *history_; }
    TrialView& trial() { return *trial_; }
    AccessPanel& accesses() { return *access_; }
    /// For a menu: save, run, check accesses, cancel.
    const QList<QAction*>& kernelActions() const { return kernelActions_; }
    /// Undo, redo, find, replace, go to line, comments.
    const QList<QAction*>& editActions() const { return editActions_; }
    FindBar& findBar() { return *find_; }
    LineBar& lineBar() { return *line_; }
    QPushButton& reloadButton() { return *reload_; }
    QPushButton& keepButton() { return *keep_; }

  signals:
    void trialWanted(const ks::ui::KernelTrial& trial);
    /// The newest trial is to end.
    void cancelWanted();
    /// A copy of a variant is wanted, which whoever knows the chosen one gives by copy().
    void copyWanted();
    /// A line of a kernel file of the program.
    void placeWanted(const ks::SourcePlace& place);
    /// The place of the newest result's largest error.
    void worstPlaceWanted();
    /// Another one is edited: the id of its variant.
    void opened(const QString& id);
    /// One was added, removed or renamed.
    void listChanged();
    void failed(const ks::Error& error);
    /// The text of a draft is in the editor now, or equals the file's.
    void draftTaken(const QString& file);
    /// Whose text cannot be kept for the next start, and why; empty: all is kept.
    void keepingChanged(const QString& sentence);
    /// The compiler refused the open kernel, that of variant `id`, in the newest trial.
    void buildFailed(const QString& id, const ks::Error& error);

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    QWidget* makeEditor();
    QLayout* makeTop();
    QWidget* makeSide();
    void connectParts();
    void connectAccesses();
    void makeActions();
    void makeEditActions();
    void showRunning();
    void fillList();
    void showOpen();
    void readHeader();
    void setDefine(const QString& name, const QString& value);
    void markDefines(const std::map<std::string, std::string>& compiled);
    void takeOutside(const QString& text);
    void askRename();
    void askRemove();
    void saveText();
    void noteEdited();
    void keepDrafts();
    void setUnkept(const QString& sentence);
    /// Of the open kernel.
    void dropDraft();
    void takeDraft();
    /// The document that is shown was left unsaved when its file held this text.
    void resume(const QString& before);
    std::optional<KernelDrafts::Draft> unsavedOf(const QString& file) const;
    QString id() const;  ///< of the open one
    const Variant* base() const;
    /// Says it where the hand is, and to whoever listens.
    void tell(const Error& error);
    /// Whether what is written below the text is of that text.
    void showAge();
    /// The same after files may have changed that the text includes.
    void lookAtIncludes();
    /// A text of the open kernel with its own included files in their places.
    std::string withIncludes(const QString& text) const;
    std::string file() const { return file_.file().toStdString(); }
    /// Calls a function, and tells what it throws.
    template <class Do>
    bool guardedBy(const Do& act);

    QString analysis_;
    std::vector<Variant> variants_;
    std::map<std::string, std::string> kernelFiles_;
    std::map<QString, QString> openBefore_;  ///< file of the kernel that was open last, by analysis
    WatchedFile file_;
    struct Resolved {
        QString text;
        std::string whole;  ///< with its own included files
    };
    std::optional<Resolved> ran_, judged_;  ///< by the newest trial and check of the open kernel
    bool ranIncludes_ = false;              ///< files that the newest trial included were changed since
    std::map<std::string, std::string> compiled_;  ///< defines of that, which its text does not choose
    std::optional<QString> outside_;               ///< text of the file, where it is neither ours nor taken
    std::string baseId_;
    QTimer header_, draft_;
    KernelDrafts drafts_;
    std::set<QString> pending_;  ///< files whose drafts are not as their texts are
    QString device_;
    quint64 trials_ = 0;  ///< so far
    QList<QAction*> kernelActions_, editActions_;
    UserKernelList* list_;
    QLabel *what_, *notice_, *unkept_;
    QWidget* conflict_;
    QPushButton *reload_, *keep_;
    TrialBar* bar_;
    TrialHistory* history_;
    DefineFields* defines_;
    KernelEditor* editor_;
    FindBar* find_;
    LineBar* line_;
    TrialView* trial_;
    AccessPanel* access_;
    KernelDocuments documents_;
};

}  // namespace ks::ui
