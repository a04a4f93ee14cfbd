#include "core/run/stream_scheduler.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/threads.h"

namespace ks {
namespace {

constexpr std::size_t staging_buffers = 2;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// What happens before a step executes.
struct StepLoads {
    std::vector<std::pair<bool, std::size_t>> moves;  ///< (load?, slab): evictions and loads in order
};

std::vector<std::size_t> distinct(const StreamStep& step) {
    std::vector<std::size_t> slabs;
    for (const std::size_t slab : step.slabs)
        if (std::find(slabs.begin(), slabs.end(), slab) == slabs.end()) slabs.push_back(slab);
    return slabs;
}

/// Belady's rule on the whole plan, known beforehand: so the reader knows all loads in their order.
class Residency {
  public:
    Residency(const StreamPlan& plan, std::uint64_t budget)
        : plan_(plan),
          budget_(budget),
          used_(plan.fixed_bytes),
          uses_(plan.slabs.size()),
          passed_(plan.slabs.size()) {
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            for (const std::size_t slab : distinct(plan.steps[step])) uses_[slab].push_back(step);
    }

    std::vector<StepLoads> moves() {
        std::vector<StepLoads> all(plan_.steps.size());
        for (std::size_t step = 0; step < all.size(); ++step) {
            const std::vector<std::size_t> needed = distinct(plan_.steps[step]);
            for (const std::size_t slab : needed) {
                if (std::find(resident_.begin(), resident_.end(), slab) != resident_.end()) continue;
                while (used_ + plan_.slabs[slab].device_bytes > budget_) {
                    const auto victim = farthest(needed);
                    all[step].moves.emplace_back(false, *victim);
                    used_ -= plan_.slabs[*victim].device_bytes;
                    resident_.erase(victim);
                }
                all[step].moves.emplace_back(true, slab);
                used_ += plan_.slabs[slab].device_bytes;
                resident_.push_back(slab);
            }
            for (const std::size_t slab : needed) ++passed_[slab];
        }
        return all;
    }

  private:
    std::size_t next_use(std::size_t slab) const {
        return passed_[slab] < uses_[slab].size() ? uses_[slab][passed_[slab]] : never;
    }
    std::vector<std::size_t>::iterator farthest(const std::vector<std::size_t>& needed) {
        auto best = resident_.end();
        for (auto slab = resident_.begin(); slab != resident_.end(); ++slab) {
            if (std::find(needed.begin(), needed.end(), *slab) != needed.end()) continue;
            if (best == resident_.end() || next_use(*slab) > next_use(*best)) best = slab;
        }
        return best;
    }

    const StreamPlan& plan_;
    std::uint64_t budget_, used_;
    std::vector<std::vector<std::size_t>> uses_;  ///< steps that use the slab, ascending
    std::vector<std::size_t> passed_;             ///< how many of these are over
    std::vector<std::size_t> resident_;
};

/// Reads the slabs of `loads` in order on a thread of its own, load k into buffer k % 2.
class Reader {
  public:
    Reader(std::vector<std::size_t> loads, StreamClient& client)
        : loads_(std::move(loads)), client_(client), thread_([this] { serve(); }) {}

    ~Reader() {
        {
            const std::lock_guard lock(guard_);
            stop_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Waits until load `k` is in its buffer; rethrows what the reader met, also on a later load.
    void wait_for(std::size_t k, const Progress& progress) {
        std::unique_lock lock(guard_);
        while (read_ <= k && !error_) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            progress.check();
        }
        if (error_) std::rethrow_exception(error_);
    }

    /// The oldest buffer may be used again.
    void release() {
        {
            const std::lock_guard lock(guard_);
            ++released_;
        }
        changed_.notify_all();
    }

  private:
    void serve() {
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            {
                std::unique_lock lock(guard_);
                changed_.wait(lock, [&] { return stop_ || k < released_ + staging_buffers; });
                if (stop_) return;
            }
            std::exception_ptr met;
            try {
                client_.read(loads_[k], k % staging_buffers);
            } catch (...) {
                met = std::current_exception();
            }
            {
                const std::lock_guard lock(guard_);
                error_ = met;
                if (!met) read_ = k + 1;
            }
            changed_.notify_all();
            if (met) return;
        }
    }

    const std::vector<std::size_t> loads_;
    StreamClient& client_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::size_t read_ = 0, released_ = 0;
    bool stop_ = false;
    std::exception_ptr error_;
    std::thread thread_;  ///< last, so that it starts when the rest is there
};

void require_slabs(const StreamPlan& plan) {
    for (const StreamStep& step : plan.steps)
        for (const std::size_t slab : step.slabs)
            if (slab >= plan.slabs.size())
                throw Error(ErrorKind::run, "a step needs slab " + std::to_string(slab) + " of " +
                                                std::to_string(plan.slabs.size()));
}

}  // namespace

std::uint64_t smallest_budget(const StreamPlan& plan) {
    require_slabs(plan);
    std::uint64_t largest = 0;
    for (const StreamStep& step : plan.steps) {
        std::uint64_t bytes = 0;
        for (const std::size_t slab : distinct(step)) bytes += plan.slabs[slab].device_bytes;
        largest = std::max(largest, bytes);
    }
    return plan.fixed_bytes + largest;
}

std::uint64_t staging_bytes(const StreamPlan& plan) {
    std::uint64_t largest = 0;
    for (const SlabSpec& slab : plan.slabs) largest = std::max(largest, slab.staging_bytes);
    return largest * staging_buffers;
}

void run_stream(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
                const std::string& stage) {
    const std::uint64_t smallest = smallest_budget(plan);
    if (budget < smallest)
        throw Error(ErrorKind::input,
                    "the memory limit is " + std::to_string(budget) +
                        " bytes, and the smallest that would do is " + std::to_string(smallest) + " bytes",
                    stage, "allow more memory or choose smaller data");
    progress.report(0, stage);
    const std::vector<StepLoads> steps = Residency(plan, budget).moves();
    std::vector<std::size_t> loads;
    double total = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        total += plan.steps[step].work;
        for (const auto& [load, slab] : steps[step].moves)
            if (load) loads.push_back(slab);
    }

    // One thread alone reads when it needs what it reads; to start another for nothing takes 0.1 ms.
    std::optional<Reader> reader;
    if (compute_threads() > 1 && staging_bytes(plan) > 0) reader.emplace(std::move(loads), client);
    std::size_t loaded = 0;
    double done = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        for (const auto& [load, slab] : steps[step].moves) {
            progress.check();
            if (!load) {
                client.evict(slab);
                continue;
            }
            if (reader)
                reader->wait_for(loaded, progress);
            else
                client.read(slab, loaded % staging_buffers);
            client.upload(slab, loaded % staging_buffers);
            ++loaded;
            if (reader) reader->release();
        }
        progress.check();
        client.execute(step);
        done += plan.steps[step].work;
        if (step + 1 < steps.size()) progress.report(total > 0 ? done / total : 0, stage);
    }
    progress.report(1, stage);
}

}  // namespace ks
