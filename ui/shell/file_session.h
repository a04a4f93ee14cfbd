#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "ui/files/file_watch.h"
#include "ui/files/open_file.h"
#include "ui/shell/analysis_page.h"
#include "ui/shell/trust/trust_questions.h"

class QSettings;

namespace ks::ui {

class RunTableModel;

/// A run contained in a file.
struct SavedRun {
    std::shared_ptr<const Run> run;
    std::optional<Error> lost;  ///< why it cannot be repeated: an input does not exist, or may not be read
};

/// The file is a project.
struct ProjectName {};

/// What a name leads to.
using FileContent = std::variant<SavedRun, OpenFile, ProjectName>;

/// Manages the open file, the visible page and the file that each page holds. Reads files in jobs, chooses
/// the page that takes a file, and gives the open file to a page when that becomes visible. It has no widget:
/// the owner of the pages follows its signals, and reports the visible page.
class FileSession : public QObject {
    Q_OBJECT
  public:
    /// All outlive it.
    /// @param settings stores the recent files
    /// @param runs receives a run that is opened
    FileSession(const PageContext& context, QSettings& settings, RunTableModel& runs);

    /// Leftmost first; not owned.
    void setPages(std::vector<Page*> pages);
    const std::vector<Page*>& pages() const { return pages_; }
    /// Those of them that show analyses.
    const std::vector<AnalysisPage*>& analysisPages() const { return analysisPages_; }
    /// A page becomes visible. If it has no use for the open file, the file that it holds, or can hold,
    /// becomes the open one again.
    void setPage(Page& page);
    /// The visible page; null: none yet.
    Page* page() const { return page_; }
    /// The same in the role of a page that shows an analysis; null if it is none.
    AnalysisPage* analysisPage() const { return page_ ? analysisPage(*page_) : nullptr; }
    AnalysisPage* analysisPage(const Page& page) const;
    /// The page whose current analysis is this one; null: there is none.
    AnalysisPage* pageOf(const QString& analysis) const;
    /// Gives the open file to the visible page if it accepts it and does not have it yet.
    void giveToPage();
    /// The same for the page of an analysis, visible or not.
    void giveTo(const QString& analysis);
    /// The file last given to the page: the open file, or another one if the page has no use for that.
    std::shared_ptr<const OpenFile> given(const Page& page) const { return given_.value(&page); }

    /// Null: nothing is open.
    const std::shared_ptr<const OpenFile>& file() const { return file_; }
    /// Name of the file that open() is reading, otherwise of the open file; empty: there is neither.
    QString newest() const { return !reading_.isEmpty() ? reading_ : file_ ? file_->name : QString(); }
    /// Whether a file is open that the visible page accepts.
    bool pageAccepts() const { return file_ && page_ && page_->accepts(*file_); }

    /// Opens FILE or FILE::/path: data, a saved run or a project. Ends with opened(), runOpened(),
    /// projectNamed() or notOpened(); a newer call makes an older one stale.
    void open(const QString& name);
    /// Opens several files as repeats of a measurement: names, folders, or names with * or ?, as
    /// io::repeats_named() reads them. The first one that can be read becomes the open file, and its page
    /// gets the names of all. Ends with opened() or notOpened().
    void openRepeats(const QStringList& given);
    /// The same for the repeats of an average, by the names in it.
    void openRepeatsOf(const Run& average);
    /// Adds saved runs and results of other programs to the table of runs, without their data and without
    /// restoring what they were made with. A file that holds none is named and left out. Ends with
    /// resultsOpened() or, if none can be read, notOpened().
    void openResults(const std::vector<std::string>& names);
    /// Opens the open file again, on the visible page if that accepts it; ends as open() does. A file that
    /// has become a run, a project or a file of another page is not opened.
    void reopen();
    /// The file that has changed since the open one was opened (itself, or one that its frames link to):
    /// replaced, modified or removed. Accesses the disk.
    std::optional<QString> changedFile();
    /// The same, up to one second old, or as reported by the system.
    std::optional<QString> changedFileLately();
    /// What was found last, without access to the disk.
    const std::optional<QString>& knownChange() const { return watch_.changedFile(); }
    /// Another one reads which file is to be opened, such as that of a session; false: there is none.
    void setOpening(bool opening);
    /// Generates the demo data of the visible page if they are not in the cache yet, and opens them.
    void openDemo();
    /// The same for one of AnalysisPage::demos().
    void openDemo(const Demo& demo);
    /// Closes the open file, and removes from each page the file that it was given.
    void closeAll();
    /// Reports that a file requested elsewhere cannot be opened, as a failing open() does.
    void refuse(const Error& error) { emit notOpened(error); }
    /// The page of this analysis takes the next file that it accepts, and is shown then; empty: no
    /// preference.
    void wantPage(const QString& analysis) {
        wantedPage_ = analysis;
        staysOnPage_ = false;
    }
    const QString& wantedPage() const { return wantedPage_; }
    /// The user has chosen the visible page while a file for wantedPage() is being opened: it takes that file
    /// if it accepts it, and stays visible in any case, until the next wantPage().
    void stayOnPage() { staysOnPage_ = true; }
    /// pageWanted() comes from a file that was opened, not from the user.
    bool leads() const { return leads_; }

    /// Questions before code from files is compiled, and before files outside are read that another file
    /// names. Without functions the answer is no.
    TrustQuestions& trust() { return trust_; }
    const TrustQuestions& trust() const { return trust_; }

    /// Names as given to open(), newest first.
    QStringList recent() const;
    void remember(const QString& name);
    /// The recent ones and all that were opened here.
    QStringList everOpened() const;
    /// For the dialog Open: all suffixes of pages and projects in one line, then the filters of the visible
    /// page, of the other pages, and the rest.
    QStringList filters() const;

  signals:
    /// For the status bar; empty: clears the message.
    /// @param milliseconds 0: until the next message
    void message(const QString& text, int milliseconds = 0);
    /// The file could be read, and is about to be shown.
    void wasRead();
    /// A file is about to become the open one.
    void fileComes(const ks::ui::OpenFile& file);
    /// Another file is open, or none.
    void fileChanged();
    /// The open file has changed since it was opened: see changedFile().
    void changedOnDisk(const QString& file);
    /// It is again as it was opened.
    void restoredOnDisk();
    /// A page that has given() is about to get another file.
    void pageLeaves(ks::ui::Page* page);
    /// A page is about to get the open file, and has got it.
    void pageComes(ks::ui::Page* page);
    void pageGiven(ks::ui::Page* page);
    /// The page of an analysis is to be shown.
    void pageWanted(const QString& analysis);
    void opened(const QString& name);
    /// The run is in the table, with this number.
    void runOpened(int number, const ks::ui::SavedRun& saved);
    /// The runs are in the table.
    /// @param leftOut how many files could not be opened, and why the first of them; empty: none
    void resultsOpened(const QString& leftOut);
    /// The opened file is a project.
    void projectNamed(const QString& path);
    void notOpened(const ks::Error& error);
    void recentChanged();

  private:
    /// @param taker gets the file if it accepts it; null: the most suitable page
    void read(const QString& name, Page* taker = nullptr);
    /// Whether the user has just allowed a link that was not followed when the file was read: it is being
    /// read again.
    bool readsMore(const QString& name, Page* taker);
    /// Why a file that was reopened cannot take the place of the open one; nothing: it can.
    /// @param taker the page that shows the open file
    std::optional<Error> otherKind(const FileContent& content, const Page& taker) const;
    void takeRead(OpenFile file, Page* wanted);
    /// @param names of the repeats, found by a job
    void readRepeats(const std::function<std::vector<std::string>()>& names);
    void take(OpenFile file, Page& taker);
    void takeRun(const QString& path, const SavedRun& saved);
    void setFile(std::shared_ptr<const OpenFile> file);
    void give(Page& page);
    /// Why no page accepts a file.
    Error noUse(const OpenFile& file) const;
    /// The page that takes a file; null: none does.
    Page* pageFor(const OpenFile& file) const;

    const PageContext& context_;
    std::shared_ptr<const Registry> registry_;
    QSettings& settings_;
    RunTableModel& runs_;
    std::vector<Page*> pages_;
    std::vector<AnalysisPage*> analysisPages_;
    Page* page_ = nullptr;
    std::shared_ptr<const OpenFile> file_;
    QHash<const Page*, std::shared_ptr<const OpenFile>> given_;
    QSet<QString> opened_;  ///< names as given to remember()
    QString wantedPage_;
    bool staysOnPage_ = false, leads_ = false;
    QString reading_;                  ///< name of the file that is being opened; empty: none is
    std::vector<std::string> coming_;  ///< repeats of the file that is being opened; empty: it is none
    TrustQuestions trust_;
    FileWatch watch_;
};

}  // namespace ks::ui
