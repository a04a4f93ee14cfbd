#pragma once

#include <QObject>
#include <QPointer>
#include <QScopeGuard>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/run/bench.h"
#include "core/run/request.h"
#include "core/tune/tuner.h"
#include "ui/base/passing_error.h"
#include "ui/files/error_causes.h"
#include "ui/runs/live_preview.h"
#include "ui/shell/analysis_page.h"
#include "ui/shell/run_files.h"

namespace ks::ui {

struct RunRow;
struct Workbench;

/// Runs and previews of the visible page, from request to result: what the next run still needs, its start,
/// previews while the user is dragging, and delivery of ticked runs to all pages.
class PageRuns : public QObject {
    Q_OBJECT
  public:
    /// @param bench of which it is a part
    explicit PageRuns(Workbench& bench);

    /// Follows the requests of a page while it is visible.
    void follow(Page& page);
    /// What data a run of the visible page still needs, as a sentence; empty if it can start.
    QString missing() const;
    /// If files have changed on disk, the run starts only after they have been reopened: display and run have
    /// the same contents. If inputs are being computed, it starts after them.
    void start();
    /// start() would first open the file anew, which has changed on disk: the page may lack only what it
    /// could not read.
    bool reopens() const;
    /// start() would wait for inputs that are being read or computed.
    bool awaits() const;
    /// Repeats a run of the table, and reports whether the result is the same, byte for byte.
    void repeat(int number);
    /// Stops the current run, or otherwise the work of the page or the worker; queued runs stay.
    void cancel();
    /// The same, and empties the queue.
    void cancelAll();
    /// The request of the next run. Throws ks::Error(input) if something is missing, ks::Error(run) if there
    /// is no worker yet.
    Request makeRequest() const;
    /// Whether measureCeilings() would have an effect now.
    bool measurable() const;
    /// The page of an analysis, visible or not; null if it lacks data, or has another analysis selected.
    AnalysisPage* pageWithData(const QString& analysis) const;
    /// The next run of an analysis on its page, visible or not, without variant and device; nothing if its
    /// page lacks something, or has another analysis selected.
    std::optional<OpenRequest> openRequest(const QString& analysis) const;
    /// The kernels shown by the visible page; if it has none, those of the previous page.
    KernelChoice kernelChoice() const;
    /// Results, inputs, parameters or the worker have been restored without an edit: outdated displays are
    /// marked, or a preview replaces them.
    void catchUp();

    /// Another page will be visible. The preview of this one is requested again when it comes back.
    void leavePage();

    LivePreview& live() { return live_; }
    /// The visible page shows a live preview instead of its runs.
    bool showsPreview() const { return preview_ && page(); }
    /// Description for a file with this run: its number, whether it is outdated, and what is visible instead.
    ExportedRun exported(const RunRow& row) const;
    /// Whether previews follow the user's changes. Initially true.
    void setLive(bool on);
    /// Gives every page its ticked runs.
    void show();

  signals:
    /// The possible starts and stops may have changed.
    void changed();
    /// A run is about to join the queue.
    void starts();
    /// The visible page is outdated, or no longer, if both are empty.
    void marked(const QString& shorter, const QString& whole);
    /// No preview can be made of the inputs, which have been stable for a while.
    void previewFailed(const ks::Error& error);
    /// previewFailed() no longer applies.
    void previewPassed();
    /// The run whose warnings were told last is wrong.
    void warningWithdrawn();
    /// This run has changed since its warnings were told: what they are now. Empty: it has none.
    void warningChanged(const QString& sentence, const QString& details);
    /// An error of a run no longer applies: the next run is made of something else.
    void mended(const ks::Error& error);
    /// A run of the table was repeated and compared.
    void repeated(bool same);

  private:
    void measureCeilings(const DeviceInfo& device);
    /// Times variants for the visible page if nothing else runs; a plan without a device uses the chosen
    /// one.
    void sweep(Sweep& by, std::vector<BenchPlan> plans);
    /// Tries configurations for a page if nothing else runs.
    /// @param before earlier results to continue; null: none
    void tune(Tuning& by, const TunePlan& plan, std::shared_ptr<const TuneReport> before);
    void startNow();
    /// The run that start() would make once more: of the same data, request and kernel text; null: there is
    /// none.
    const RunRow* madeBefore();
    /// Shows a run of the table on the page in place of the other ones.
    void pointTo(const RunRow& row);
    /// The next run, or why there is none.
    std::variant<Request, std::string> attempt() const;
    /// @param analysis of the run; empty: it was none
    void runFailed(const Error& error, const std::string& analysis);
    /// Shows the error of a run that was made of this.
    void refuse(const Error& error, const Error& cause, std::variant<Request, std::string> made);
    /// @param request that failed; null: there was none
    void watchCause(ErrorCauses& causes, const Error& error, const Request* request) const;
    /// Whether the page shows the open file, so that its next run reads it.
    bool readsOpenFile() const;
    /// Whether the page shows contents of files that have changed since; starts to read them again.
    bool renews();
    /// Starts the run that waits, once the page has all its inputs.
    void startWaiting();
    void followWorker();
    void followDesk();
    void followFiles();
    void followLive();
    /// The visible page; null: none.
    Page* page() const;
    /// The same in its role; null: it shows no analysis.
    AnalysisPage* shown() const;
    /// Inputs and own parameters of the visible page, which lacks nothing. The page is asked once in a
    /// reaction().
    std::shared_ptr<const Request> filled() const;
    /// While PageRuns responds to one change of the page's inputs, they stay the same.
    [[nodiscard]] auto reaction() {
        ++reactions_;
        return qScopeGuard([this] {
            if (--reactions_ == 0) filled_.reset();
        });
    }
    /// The inputs of the visible page can be previewed as they are now.
    bool previewable() const;
    /// A request for less work than makeRequest(); nothing if no preview is possible.
    std::optional<LivePreview::Wanted> makePreview(double share) const;
    /// See AnalysisPage::previewAtOnce().
    std::shared_ptr<const Run> previewAtOnce() const;
    void previewWanted();
    /// After a change of device or variant: replaces a shown preview, which belongs to another one.
    void previewAgain();
    void stopLive();
    /// Gives the visible page its preview, marked as wrong if its kernel is; null: none. The mark says
    /// whether there is one.
    void showPreview(const std::shared_ptr<const Run>& run);
    /// More is known of a kernel: it may be that of the visible preview.
    void judgePreview();
    void withdrawPreview();
    /// Reports the error unless the inputs change soon: a text may be half typed.
    void refusePreview(const Error& error);
    void endRefusal();
    /// The error, with labels of fields instead of ids of parameters and options of the command line.
    Error labelled(const Error& error) const;
    /// The newest ticked run of the open file; null: there is none.
    const RunRow* newestOfFile() const;
    /// That run equals the next one, which needs no preview.
    bool isRun() const;
    /// Labels of inputs and parameters that differ from that run, or of variant and device.
    QStringList outdated() const;
    QStringList outdated(const Run& run) const;
    QStringList otherInputs(const Run& run) const;
    /// Whether the run is of other repeats than the next one of the visible page.
    bool isOfOtherRepeats(const Run& run) const;
    /// Marks the display of the page if it does not match its current inputs.
    void showOutdated();
    /// The preview of the newest inputs has arrived, or none is wanted.
    void endWait();
    /// Updates the open requests of the desk if the visible page starts itself.
    void showOpenRequests();
    /// Reports the next run of a page without data, on the device on which its variants are timed.
    void showNext();
    void showAdded(int number, const Run& run);
    /// The warnings of a run as a sentence with details; empty: it has none.
    std::pair<QString, QString> warningOf(int number, const Run& run) const;
    /// The check of a run has ended: a wrong one no longer warns.
    void withdrawWarning(int number);
    /// Says which files of a new average are not as the newest earlier average of the same repeats read them.
    void tellOtherRepeats(int number, const Run& run);
    /// Notifies the page of a ticked run's analysis.
    void tellPage(int number);
    void tellWhetherSame(const RunRow& before, const std::shared_ptr<const Run>& now);

    /// Whether the code in a run from a file or a project may be compiled; asks if that is not known.
    bool mayCompile(const Request& request);
    bool mayCompile(const BenchPlan& plan);

    Workbench& bench_;
    int reactions_ = 0;                              ///< that are in progress, one within another
    mutable std::shared_ptr<const Request> filled_;  ///< in a reaction(), once the page was asked
    LivePreview live_;
    bool isLive_ = true;
    std::shared_ptr<const Run> preview_;  ///< that the visible page shows; null: none
    std::set<const Page*> leftWithPreview_;
    std::string device_;           ///< DeviceId::text() of the chosen one
    bool waitsForWorker_ = false;  ///< a preview that was wanted before the worker was ready
    QTimer late_;                  ///< runs while a preview may still arrive in time
    bool isLate_ = false;          ///< it did not, and the display is of older inputs
    QTimer refused_;               ///< runs while the inputs of a failed preview may still change
    std::optional<Error> refusal_;
    QTimer lacking_;  ///< runs while missing inputs may still arrive without user action: bins being computed
    bool isLacking_ = false;  ///< they did not arrive
    QString lookedAt_;        ///< analysis of kernelChoice() of the latest page that had one
    /// A run that waits for its inputs.
    struct Waiting {
        QPointer<Page> page;
        QString reopens;        ///< a changed file for which the open one is being reopened; empty: done
        bool gone = false;      ///< that file is no longer there
        bool computes = false;  ///< for inputs that the page is computing; else for files being read again
    };
    std::optional<Waiting> waiting_;
    /// The newest run that start() gave to the queue.
    struct Started {
        int number;
        Request request;
    };
    std::optional<Started> started_;
    bool startedFailed_ = false;   ///< of its inputs; the queue reports the error next
    std::optional<Error> notRun_;  ///< the error of the run that was not run, which the queue reports next
    std::optional<int> warnedOf_;  ///< number of the run whose warnings were told last
    std::map<int, int> repeats_;   ///< by the number of a repeat that has not failed, the run that it repeats
    std::optional<int>
        failedRepeatOf_;  ///< of the newest repeat that failed: the queue reports the error next
    struct RepeatFailure {
        int of;  ///< number of the run
        Error error;
    };
    std::optional<RepeatFailure> repeatFailure_;  ///< the newest one, until the same run is repeated
    PassingError failure_;                        ///< of a run, until the next one is made of something else
    ErrorCauses repeatCauses_, causes_;           ///< of these two
    bool causesChanged_ = false;                  ///< that of failure_
};

}  // namespace ks::ui
