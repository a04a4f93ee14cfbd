#include "ui/runs/job_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ks::ui {

bool JobOrder::accepts(JobKind kind) const {
    const Job* const now = underWay();
    return !jobRules[kind].alone || !now || ruleOf(now->data).interrupted;
}

std::vector<JobData> JobOrder::add(JobData job) {
    std::vector<JobData> replaced;
    if (ruleOf(job).newestWins)
        replaced = take([&job](const Job& one) {
            return one.data.index() == job.index() && subjectOf(one.data) == subjectOf(job);
        });
    const auto at =
        std::ranges::find_if(jobs_, [&job](const Job& one) { return one.data.index() > job.index(); });
    jobs_.insert(at, Job{std::move(job)});
    return replaced;
}

std::optional<JobOrder::Turn> JobOrder::next(bool hasWorker) {
    const auto turn = std::ranges::find_if(
        jobs_, [hasWorker](const Job& one) { return hasWorker || !ruleOf(one.data).waits; });
    if (turn == jobs_.end()) return std::nullopt;
    Turn made{starts_ + 1};
    if (const Job* const now = underWay()) {
        const JobRule& rule = ruleOf(now->data);
        if (turn->data.index() >= rule.kind || !rule.interrupted) return std::nullopt;
        made.interrupted = now->data;
    }
    turn->start = turn->latest = ++starts_;
    if (!made.interrupted) return made;
    const auto before = std::next(turn, 1);  // the one that is interrupted is behind it
    const auto at = std::find_if(before, jobs_.end(), [](const Job& one) { return one.start.has_value(); });
    at->start.reset();
    if (!ruleOf(at->data).resumed) jobs_.erase(at);
    return made;
}

const JobOrder::Job* JobOrder::find(int start) const {
    const auto job = std::ranges::find(jobs_, std::optional(start), &Job::start);
    return job == jobs_.end() ? nullptr : &*job;
}

std::optional<JobData> JobOrder::end(int start) {
    std::vector<JobData> ended = take([start](const Job& one) { return one.latest == start; });
    return ended.empty() ? std::nullopt : std::optional(std::move(ended.front()));
}

void JobOrder::putBack() {
    for (Job& one : jobs_) one.start.reset();
}

std::vector<JobData> JobOrder::take(const std::function<bool(const Job&)>& wanted) {
    const auto taken = std::stable_partition(jobs_.begin(), jobs_.end(), std::not_fn(wanted));
    std::vector<JobData> all;
    std::transform(taken, jobs_.end(), std::back_inserter(all), [](Job& one) { return std::move(one.data); });
    jobs_.erase(taken, jobs_.end());
    return all;
}

const JobOrder::Job* JobOrder::underWay() const {
    const auto job = std::ranges::find_if(jobs_, [](const Job& one) { return one.start.has_value(); });
    return job == jobs_.end() ? nullptr : &*job;
}

bool JobOrder::holds(JobKind kind) const {
    return std::ranges::any_of(jobs_, [kind](const Job& one) { return one.data.index() == kind; });
}

}  // namespace ks::ui
