#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/record/moved_inputs.h"
#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

class Jobs;
class RunTableModel;

/// Runs of the table as files and back, by jobs: one run at a time, so that the window stays free.
class KeptRuns : public QObject {
    Q_OBJECT
  public:
    /// More runs of one session are named, not read.
    static constexpr std::size_t mostRead = 500;

    KeptRuns(Jobs& jobs, std::shared_ptr<const Registry> registry, RunTableModel& runs,
             QObject* parent = nullptr);

    /// Reads the runs into the table, newest first, with inputs named where they are now.
    void read(std::vector<KeptRun> runs, const MovedFiles& moved);
    bool reading() const { return !waiting_.empty() || readingOne_; }
    /// A run that could not be written is tried again after this, with the next write().
    static constexpr qint64 tryAgainMs = 5000;

    /// Writes what is in the table and in no file yet, each run once and into a file of its own.
    void write(const std::function<QString(int number)>& newFile);
    /// The same at once, as many as can be; why the first of the others could not be written.
    std::optional<Error> writeNow(const std::function<QString(int number)>& newFile);
    /// Runs that could not be written when they were last tried, and why the newest failure of them.
    std::size_t failing() const { return failed_.size(); }
    bool isFailing(int number) const { return failed_.contains(number); }
    const QString& whyFailing() const { return whyFailing_; }
    /// Runs that a file holds, those that wait and those that are not read among them; newest first.
    std::vector<KeptRun> kept() const;
    /// The file is read again where a run comes from it: nothing is written for it.
    void setOwnFiles(std::function<bool(const QString& file)> own) { own_ = std::move(own); }
    /// None of them counts any more: the table was emptied.
    void forget();

    /// How many could not be read, and why the first of them.
    std::size_t lost() const { return lost_; }
    const QString& whyLost() const { return whyLost_; }
    std::size_t unread() const { return unread_.size(); }

  signals:
    void allRead();
    /// failing() is another number.
    void failingChanged();
    /// A job has written a run, which kept() has now.
    void runWritten();

  private:
    struct Written {
        std::shared_ptr<const Run> run;
        std::string file;
        bool own = true;  ///< false: it was read from a file of somebody else's, and is to be written
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
    std::vector<KeptRun> unread_, unreadable_;  ///< files of the latter stay, too
    std::map<int, Written> written_;            ///< by number
    struct Failed {
        std::shared_ptr<const Run> run;
        QElapsedTimer since;
    };
    std::map<int, Failed> failed_;  ///< by number
    QString whyFailing_;
    std::map<int, int> passed_;  ///< how often a run that is being checked was passed over
    MovedFiles moved_;
    bool readingOne_ = false, writingOne_ = false;
    quint64 turn_ = 0;  ///< of forget()
    std::size_t lost_ = 0;
    QString whyLost_;
};

}  // namespace ks::ui
