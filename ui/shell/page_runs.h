#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/bench.h"
#include "core/run/registry.h"
#include "core/run/request.h"
#include "core/tune/tuner.h"
#include "core/wire/wire.h"
#include "ui/runs/live_preview.h"
#include "ui/shell/page.h"
#include "ui/shell/run_files.h"

namespace ks::ui {

class FileSession;
class Jobs;
class RequestForm;
class RunSession;
class RunTableModel;
class WorkerClient;

struct RunRow;

/// What runs of the pages need. All but the registry outlive it.
struct RunParts {
    WorkerClient& worker;
    RunSession& session;
    RunTableModel& runs;
    RequestForm& request;
    FileSession& files;
    Jobs& jobs;
    std::shared_ptr<const Registry> registry;
};

/// Runs and previews of the page in sight, from its request to its result: what the next one still needs, its
/// start, previews while a hand is moving, and ticked runs back to all pages.
class PageRuns : public QObject {
    Q_OBJECT
  public:
    explicit PageRuns(const RunParts& parts);

    /// Follows what a page asks for while it is in sight.
    void follow(Page& page);
    /// What a run of the page in sight still needs of its data, as a sentence; empty where it can start.
    QString missing() const;
    /// Of files that changed on the disk only once they are open anew: what is shown and the run are of the
    /// same contents.
    void start();
    /// Runs a run of the table again, and tells whether the result is the same, byte for byte.
    void repeat(int number);
    /// Stops the run under way, or else what the page or the worker does; runs that wait stay.
    void cancel();
    /// The same, and empties the queue.
    void cancelAll();
    /// What the next run is asked for. Throws ks::Error(input) where something is missing, ks::Error(run)
    /// where there is no worker yet.
    Request makeRequest() const;
    /// Whether measureCeilings() would have an effect now.
    bool measurable() const;
    /// The page of an analysis, in sight or not; null where it lacks data, or works with another analysis.
    Page* pageWithData(const QString& analysis) const;
    /// What the next run of an analysis would be on its page, in sight or not, without variant and device;
    /// nothing where its page lacks something, or works with another analysis.
    std::optional<OpenRequest> openRequest(const QString& analysis) const;
    /// Whose kernels are looked at from the page in sight; where it knows none, those of the page before it.
    KernelChoice kernelChoice() const;
    void measureCeilings(const DeviceInfo& device);
    /// Results, inputs, parameters or the worker have come back without an edit: what is outdated is marked,
    /// or a preview takes its place.
    void catchUp();

    /// Times variants for a page, where nothing else runs; a plan without a device on the chosen one.
    void sweep(Page& page, std::vector<BenchPlan> plans);

    /// Tries configurations for a page, where nothing else runs.
    /// @param before what was tried already; null: nothing
    void tune(Page& page, const TunePlan& plan, std::shared_ptr<const TuneReport> before);

    LivePreview& live() { return live_; }
    /// The page in sight shows a live preview instead of its runs.
    bool showsPreview() const { return shownPreview_ && page(); }
    /// How a file that holds this run is described: its number, whether it is outdated, and what is visible
    /// in its place.
    ExportedRun exported(const RunRow& row) const;
    /// Whether previews follow the hand. They do at first.
    void setLive(bool on);
    /// Gives every page its ticked runs.
    void show();

  signals:
    /// What can be started or stopped may be something else now.
    void changed();
    /// A run is about to join the queue.
    void starts();
    /// What the page in sight shows is outdated, or is no longer, where both are empty.
    void marked(const QString& shorter, const QString& whole);
    void message(const QString& text, int milliseconds);
    void warned(const QString& sentence, const QString& details);
    void failed(const ks::Error& error);
    /// No preview can be made of the inputs, which have not changed for a while.
    void previewFailed(const ks::Error& error);
    /// previewFailed() no longer holds.
    void previewPassed();
    /// A run of the table was run again and compared.
    void repeated(bool same);

  private:
    void startNow();
    /// Whether the page shows the open file, so that its next run reads it.
    bool readsOpenFile() const;
    /// Whether the page shows anything of files that changed since; begins to read them anew.
    bool renews();
    /// Starts what waits for files that are being opened anew, once the page has all of them.
    void startWaiting();
    void followWorker();
    void followFiles();
    void followLive();
    void followSweeps();
    void followTunings();
    /// The page in sight; null: none.
    Page* page() const;
    /// Less work than that of makeRequest(); nothing where no preview is possible.
    std::optional<LivePreview::Wanted> makePreview(double share) const;
    void previewWanted();
    void stopLive();
    void withdrawPreview();
    /// Tells of it unless the inputs change before long: a text may be half typed.
    void refusePreview(const Error& error);
    void endRefusal();
    /// The error with the label of the field in place of its parameter's id.
    Error labelled(const Error& error) const;
    /// The newest ticked run of the open file; null: there is none.
    const RunRow* newestOfFile() const;
    /// That run is what the next one would be: it needs no preview.
    bool isRun() const;
    /// Labels of the inputs and parameters that are others than in that run, or of variant and device.
    QStringList outdated() const;
    QStringList outdated(const Run& run) const;
    QStringList otherInputs(const Run& run) const;
    /// Marks what the page shows where it is not of its inputs as they are now.
    void showOutdated();
    /// The preview of the newest inputs is there, or none is wanted.
    void endWait();
    void showDevices(const wire::Catalogue& catalogue);
    /// Tells a page that starts itself what the next runs of the others would be.
    void showOpenRequests();
    /// Tells a page without data what its own would be, on the device that its variants are timed on.
    void showNext();
    void showCeilings();
    void showAdded(const Run& run);
    /// Tells the pages of a ticked run's analysis. @param tell Page::setChecked or Page::setSupplemented
    void tellPages(int number, void (Page::*tell)(const RunRow&));
    void tellWhetherSame(const RunRow& before, const std::shared_ptr<const Run>& now);

    /// Whether the code that a run of a file or a project holds may be compiled; asks where it is not known.
    bool mayCompile(const Request& request);
    bool mayCompile(const BenchPlan& plan);

    RunParts parts_;
    std::map<std::string, std::string> kernelFiles_;  ///< of the program
    LivePreview live_;
    bool isLive_ = true;
    bool shownPreview_ = false;
    QTimer late_;          ///< runs while a preview may still come in time
    bool isLate_ = false;  ///< it did not, and what is shown is of older inputs
    QTimer refused_;       ///< runs while the inputs of a preview that failed may still change
    std::optional<Error> refusal_;
    QTimer lacking_;          ///< runs while what is missing may still come by itself: bins that are made
    bool isLacking_ = false;  ///< it did not come
    QString lookedAt_;        ///< analysis of kernelChoice(), of the newest page that knew one
    /// A run that waits for files that are read anew.
    struct Waiting {
        QPointer<Page> page;
        QString reopens;  ///< a file that changed: the open one is being opened anew; empty: it is there
    };
    std::optional<Waiting> waiting_;
    QPointer<Page> sweeper_;  ///< that asked for what is timed
    QPointer<Page> tuner_;    ///< that asked for what is tuned
};

}  // namespace ks::ui
