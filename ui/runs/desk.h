#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <memory>
#include <utility>
#include <vector>

#include "core/run/bench.h"
#include "core/run/engine.h"
#include "core/run/registry.h"
#include "core/run/request.h"
#include "core/tune/tuner.h"
#include "core/wire/wire.h"
#include "ui/runs/unkept_work.h"
#include "ui/runs/user/text_faults.h"
#include "ui/runs/worker_job.h"

namespace ks::ui {

struct RunRow;
class RunTableModel;

/// The next run of a page.
struct OpenRequest {
    QString page;  ///< its title
    Request request;
    QString lacking =
        {};  ///< what is still missing, as a sentence: then the request contains only its analysis
};

/// The benchmarks of a page, whose child it is: requested by Desk::sweep(), reported by its signals.
class Sweep : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

  signals:
    /// The next plan has begun, or all have ended.
    void changed(bool running);
    void rowDone(std::size_t point, const ks::ParameterSet& sizes, const ks::BenchRow& row);
    /// A plan is complete.
    void ready(const ks::BenchReport& report);
};

/// The tunings of a page, whose child it is: requested by Desk::tune(), reported by its signals.
class Tuning : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

  signals:
    /// It has begun or ended.
    void changed(bool running);
    /// A configuration was tried: the report with its rows from number `first` on.
    void partDone(std::size_t first, const ks::TuneReport& part);
    void ready(const ks::TuneReport& report);
};

/// What all pages and windows look at: the worker's catalogue, measured ceilings, the runs, the next runs,
/// and whether something can be measured now. The shell keeps it up to date; pages read it and follow its
/// signals. Their questions to the worker go through it, too.
class Desk : public QObject {
    Q_OBJECT
  public:
    explicit Desk(std::shared_ptr<const Registry> registry);

    const std::shared_ptr<const Registry>& registry() const { return registry_; }
    /// The worker's report at its start, and again after a restart, with the ceilings measured since.
    const wire::Catalogue& catalogue() const { return catalogue_; }
    /// Whether measureCeilings() would have an effect now: not while something else is measured or run.
    bool measurable() const { return measurable_; }
    /// Next runs of the pages with data, and of those that lack something; up to date while a page that
    /// measures variants is visible.
    const std::vector<OpenRequest>& openRequests() const { return open_; }
    /// All runs of this session, newest first; each keeps its number.
    const std::vector<RunRow>& runs() const;

    /// Times variants, plan after plan, if the page of `by` is visible: without a device in the plan, on that
    /// of the window; a size without values as in the form.
    void sweep(Sweep& by, const std::vector<BenchPlan>& plans) { emit sweepWanted(&by, plans); }
    /// Tries configurations of a variant, if the page of `by` is visible.
    /// @param before earlier results to continue; null: none
    void tune(Tuning& by, const TunePlan& plan, std::shared_ptr<const TuneReport> before) {
        emit tuneWanted(&by, plan, std::move(before));
    }
    /// Gives the worker a job of any kind (core/wire/jobs.h) as soon as it has nothing more urgent to do: a
    /// run is never stopped for it. If it is stopped for a run, it starts anew afterwards. A newer job of
    /// this kind with the same receiver takes its place.
    /// @param receiver of the callbacks; none is called once it is gone
    template <class Job>
    void ask(const QObject* receiver, Job job, Callbacks<Job> callbacks) {
        emit asked(workerJob(receiver, std::move(job), std::move(callbacks)));
    }
    /// Results of pages that are still to be written to the folder of keptFolderChanged().
    UnkeptWork& unkept() { return *unkept_; }
    /// Texts of the user's kernels in which access checks have found faults.
    TextFaults& textFaults() { return *textFaults_; }
    /// Measures a device's peak rates.
    void measureCeilings(const DeviceInfo& device) { emit ceilingsWanted(device); }

    // Of the shell.
    void setCatalogue(const wire::Catalogue& catalogue);
    void takeCeilings(const Ceilings& measured);
    void setMeasurable(bool now);
    void setOpenRequests(std::vector<OpenRequest> open);
    void setRuns(const RunTableModel& runs);
    void setKeptFolder(const QString& folder) { emit keptFolderChanged(folder); }

  signals:
    void catalogueChanged();
    void ceilingsChanged();
    void measurableChanged(bool now);
    void openRequestsChanged();
    /// A run was added or removed, or has another verdict, more results, or another tick.
    void runsChanged();
    /// Folder in which pages may keep files from one start to the next; empty: none.
    void keptFolderChanged(const QString& folder);
    /// Variants of the visible page's analysis on the chosen devices, with reasons where one cannot be used
    /// now, and the variant of the next run; null: none can run, or none is known yet.
    void offered(const QString& analysis, const std::vector<ks::Offer>& offers, const ks::Variant* next);
    /// The next run of the visible page, with what it would be now; its device is that of a benchmark.
    void nextChanged(const ks::Request& next);
    void sweepWanted(ks::ui::Sweep* by, const std::vector<ks::BenchPlan>& plans);
    void tuneWanted(ks::ui::Tuning* by, const ks::TunePlan& plan,
                    std::shared_ptr<const ks::TuneReport> before);
    void ceilingsWanted(const ks::DeviceInfo& device);
    void asked(const ks::ui::WorkerJob& question);

  private:
    std::shared_ptr<const Registry> registry_;
    UnkeptWork* unkept_;
    TextFaults* textFaults_;
    wire::Catalogue catalogue_;
    bool measurable_ = false;
    std::vector<OpenRequest> open_;
    QPointer<const RunTableModel> runs_;  ///< null: there is no window
};

}  // namespace ks::ui
