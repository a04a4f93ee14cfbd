#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/record/moved_inputs.h"
#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

class Jobs;
class RunTableModel;

/// Saves runs of the table to files and restores them, by jobs: one run at a time, so that the window stays
/// responsive.
class KeptRuns : public QObject {
    Q_OBJECT
  public:
    /// Further runs of a session are listed but not read.
    static constexpr std::size_t mostRead = 500;

    KeptRuns(Jobs& jobs, std::shared_ptr<const Registry> registry, RunTableModel& runs,
             QObject* parent = nullptr);

    /// Reads the runs into the table, newest first, with the current paths of their inputs.
    void read(std::vector<KeptRun> runs, const MovedFiles& moved);
    /// Others in addition.
    void readAlso(std::vector<KeptRun> runs, const MovedFiles& moved);
    bool reading() const { return !waiting_.empty() || readingOne_; }
    /// A run that could not be written is retried after this time, with the next write().
    static constexpr qint64 tryAgainMs = 5000;

    /// Writes the runs in the table that have no file yet, each run once and into its own file.
    void write(const std::function<QString(int number)>& newFile);
    /// The same immediately, as many as possible; returns why the first of the others could not be written.
    std::optional<Error> writeNow(const std::function<QString(int number)>& newFile);
    /// Runs whose last attempt at writing failed, and the reason of the newest failure.
    std::size_t failing() const { return failed_.size(); }
    bool isFailing(int number) const { return failed_.contains(number); }
    const QString& whyFailing() const { return whyFailing_; }
    /// Runs that have a file, including those that wait and those that are not read; newest first.
    std::vector<KeptRun> kept() const;
    /// The file is being read again for one of its runs: nothing is written for it.
    void setOwnFiles(std::function<bool(const QString& file)> own) { own_ = std::move(own); }
    /// Forgets all of them: the table was emptied.
    void forget();

    /// How many could not be read, and why the first of them.
    std::size_t lost() const { return lost_; }
    const QString& whyLost() const { return whyLost_; }
    /// The folders of their files.
    const std::set<std::string>& lostFrom() const { return lostFrom_; }
    std::size_t unread() const { return unread_.size(); }

  signals:
    /// failing() has changed.
    void failingChanged();
    /// A job has written a run, which is now part of kept().
    void runWritten();

  private:
    struct Written {
        std::shared_ptr<const Run> run;
        std::string file;
        bool own =
            true;  ///< false: read from a file that does not belong to this session, and still to be written
    };
    void readNext();
    bool isWritten(int number, const std::shared_ptr<const Run>& run) const;
    void writeNext(const std::function<QString(int number)>& newFile);
    void setFailing(int number, const std::shared_ptr<const Run>& run, const QString& why);
    void setWritten(int number, const std::shared_ptr<const Run>& run, const QString& file);

    Jobs& jobs_;
    std::shared_ptr<const Registry> registry_;
    RunTableModel& runs_;
    std::function<bool(const QString&)> own_;
    std::deque<KeptRun> waiting_;
    std::vector<KeptRun> unread_, unreadable_;  ///< files of the latter are not deleted, either
    std::map<int, Written> written_;            ///< by number
    struct Failed {
        std::shared_ptr<const Run> run;
        QElapsedTimer since;
    };
    std::map<int, Failed> failed_;  ///< by number
    QString whyFailing_;
    std::map<int, int> passed_;  ///< how often a run that is being checked was skipped
    MovedFiles moved_;
    bool readingOne_ = false, writingOne_ = false;
    quint64 turn_ = 0;  ///< of forget()
    std::size_t lost_ = 0;
    QString whyLost_;
    std::set<std::string> lostFrom_;
};

}  // namespace ks::ui
