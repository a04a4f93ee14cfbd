#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "ui/files/file_watch.h"
#include "ui/files/open_file.h"
#include "ui/shell/page.h"
#include "ui/shell/trust/trust_questions.h"

class QSettings;

namespace ks::ui {

class RunTableModel;

/// A run that a file holds.
struct SavedRun {
    std::shared_ptr<const Run> run;
    std::optional<Error> lost;  ///< why it cannot be repeated: an input is not there, or may not be read
};

/// What is open, which page is in sight and what each page holds. Reads in jobs what is to be opened, chooses
/// the page that takes it, and gives the open file to a page when it comes in sight. It has no widget:
/// whoever shows pages follows its signals, and tells it of the page that is shown.
class FileSession : public QObject {
    Q_OBJECT
  public:
    /// All but the registry outlive it.
    /// @param settings where the recent files are kept
    /// @param runs where a run that is opened is added
    FileSession(const PageContext& context, std::shared_ptr<const Registry> registry, QSettings& settings,
                RunTableModel& runs);

    /// Leftmost first; not owned.
    void setPages(std::vector<Page*> pages) { pages_ = std::move(pages); }
    const std::vector<Page*>& pages() const { return pages_; }
    /// A page comes in sight. Where it has no use for the open file, the one that it holds, or can hold,
    /// becomes the open one again.
    void setPage(Page& page);
    /// The page in sight; null: none yet.
    Page* page() const { return page_; }
    /// Gives the open file to the page in sight, where it accepts it and has not got it yet.
    void giveToPage();
    /// Gives it to the page that works with an analysis, in sight or not, in the same way.
    void giveTo(const QString& analysis);
    /// What the page was given last: the open file, or another one where it has no use for that.
    std::shared_ptr<const OpenFile> given(const Page& page) const { return given_.value(&page); }

    /// Null: nothing is open.
    const std::shared_ptr<const OpenFile>& file() const { return file_; }
    /// Whether a file is open that the page in sight accepts.
    bool pageAccepts() const { return file_ && page_ && page_->accepts(*file_); }

    /// FILE or FILE::/path: data, a saved run or a project. Ends in opened(), runOpened(), projectNamed() or
    /// notOpened(); a newer call makes an older one stale.
    void open(const QString& name);
    /// Opens the open file anew, on the page that is shown where that accepts it; ends as open() does.
    void reopen();
    /// The file that is no longer what it was when the open one was opened, itself or one that its frames
    /// lead to: it was replaced, written to or removed. Looks at the disk.
    std::optional<QString> changedFile();
    /// The same as of at most a second ago, or as the system reported it.
    std::optional<QString> changedFileLately();
    /// Makes the demo data of the page in sight where they are not in the cache yet, and opens them.
    void openDemo();
    /// The same of one of Page::furtherDemos().
    void openDemo(const Demo& demo);
    /// Takes the open file away, and from each page what it was given.
    void closeAll();
    /// What somebody else was asked to open cannot be: the same end as where open() fails.
    void refuse(const Error& error) { emit notOpened(error); }
    /// The page of this analysis shall take the next file that it accepts; empty: no wish.
    void wantPage(const QString& analysis) { wantedPage_ = analysis; }
    const QString& wantedPage() const { return wantedPage_; }

    /// What is asked before code from files is compiled, and before files are read that another file names
    /// elsewhere. Without functions the answer is no.
    TrustQuestions& trust() { return trust_; }
    const TrustQuestions& trust() const { return trust_; }

    /// Names as given to open(), newest first.
    QStringList recent() const;
    void remember(const QString& name);
    /// The recent ones and all that were opened here.
    QStringList everOpened() const;
    /// For the dialog Open: all that pages name and projects in one line, then those of the page in sight, of
    /// the other pages, and the rest.
    QStringList filters() const;

  signals:
    /// For the status bar; empty: what it said has ended. @param milliseconds 0: until the next one
    void message(const QString& text, int milliseconds = 0);
    /// What was to be opened could be read, and is about to be shown.
    void wasRead();
    /// A file is about to be the open one.
    void fileComes(const ks::ui::OpenFile& file);
    /// Another file is the open one, or none is.
    void fileChanged();
    /// The open file is no longer as it was opened: see changedFile().
    void changedOnDisk(const QString& file);
    /// A page that has given() is about to be given another one.
    void pageLeaves(ks::ui::Page* page);
    /// A page is about to be given the open file, and was given it.
    void pageComes(ks::ui::Page* page);
    void pageGiven(ks::ui::Page* page);
    /// The page of an analysis is to be shown.
    void pageWanted(const QString& analysis);
    void opened(const QString& name);
    /// It is in the table, by this number.
    void runOpened(int number, const ks::ui::SavedRun& saved);
    /// What was to be opened is a project.
    void projectNamed(const QString& path);
    void notOpened(const ks::Error& error);
    void recentChanged();

  private:
    /// @param taker that gets it where it accepts it; null: the page that suits it best
    void read(const QString& name, Page* taker = nullptr);
    /// Whether the user allowed now what was not followed while the file was read: it is being read again.
    bool readsMore(const QString& name, Page* taker);
    void takeRead(OpenFile file, Page* wanted);
    void take(OpenFile file, Page& taker);
    void takeRun(const QString& path, const SavedRun& saved);
    void setFile(std::shared_ptr<const OpenFile> file);
    void give(Page& page);
    /// Why no page takes a file.
    Error noUse(const OpenFile& file) const;
    /// The page that takes a file; null: none does.
    Page* pageFor(const OpenFile& file) const;

    const PageContext& context_;
    std::shared_ptr<const Registry> registry_;
    QSettings& settings_;
    RunTableModel& runs_;
    std::vector<Page*> pages_;
    Page* page_ = nullptr;
    std::shared_ptr<const OpenFile> file_;
    QHash<const Page*, std::shared_ptr<const OpenFile>> given_;
    QSet<QString> opened_;  ///< names as given to remember()
    QString wantedPage_;
    TrustQuestions trust_;
    FileWatch watch_;
};

}  // namespace ks::ui
