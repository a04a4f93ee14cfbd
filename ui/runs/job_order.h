#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/runs/queued_job.h"

namespace ks::ui {

/// Jobs that wait for the worker, and the one under way, in the order of urgency and then of arrival. Which
/// one has its turn follows from jobRules.
class JobOrder {
  public:
    struct Job {
        JobData data;
        std::optional<int> start = {};  ///< number of its start, while it is under way
        int latest = 0;                 ///< of its latest start; 0: there was none
    };
    struct Turn {
        int start = 0;                            ///< number of the start of the job that has its turn
        std::optional<JobData> interrupted = {};  ///< by it; it still waits where its kind is resumed
    };

    /// Whether a job of this kind may be added now.
    bool accepts(JobKind kind) const;
    /// Returns the jobs whose place it takes, which are no longer there.
    std::vector<JobData> add(JobData job);
    /// Starts the next job, if it has its turn. It stays until end(). @param hasWorker there is one to do it
    std::optional<Turn> next(bool hasWorker);
    /// The job of this start, if it is still under way; else null.
    const Job* find(int start) const;
    /// Takes out the job whose latest start this is: a build of kernels is completed even if the job was
    /// interrupted. Nothing where it is not there any more, or has started again.
    std::optional<JobData> end(int start);
    /// The job under way has not begun after all: it waits again.
    void putBack();
    /// Takes out all jobs, whether they wait or are under way, of which `wanted` is true.
    std::vector<JobData> take(const std::function<bool(const Job&)>& wanted);
    const std::vector<Job>& all() const { return jobs_; }
    /// Null: there is none.
    const Job* underWay() const;
    bool holds(JobKind kind) const;

  private:
    std::vector<Job> jobs_;
    int starts_ = 0;
};

}  // namespace ks::ui
