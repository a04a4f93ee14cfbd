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
#include "core/base/parallel.h"
#include "core/base/threads.h"

namespace ks {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// A load or eviction before a step executes.
struct Move {
    std::size_t step, slab;
    bool load;  ///< else it is evicted
};

std::vector<std::size_t> distinct(const StreamStep& step) {
    std::vector<std::size_t> slabs;
    for (const std::size_t slab : step.slabs)
        if (std::find(slabs.begin(), slabs.end(), slab) == slabs.end()) slabs.push_back(slab);
    return slabs;
}

/// Belady's rule over the whole plan, which is known in advance: so the readers know all loads in order.
class Residency {
  public:
    Residency(const StreamPlan& plan, std::uint64_t budget)
        : plan_(plan),
          budget_(budget),
          used_(plan.fixed_bytes),
          there_(plan.slabs.size(), false),
          uses_(plan.slabs.size()),
          passed_(plan.slabs.size()) {
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            for (const std::size_t slab : distinct(plan.steps[step]))
                if (plan.slabs[slab].device_bytes > 0) uses_[slab].push_back(step);
    }

    /// In the order of the steps.
    std::vector<Move> moves() {
        std::vector<Move> all;
        all.reserve(plan_.slabs.size());
        for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
            const std::vector<std::size_t> needed = distinct(plan_.steps[step]);
            for (const std::size_t slab : needed) {
                if (there_[slab]) continue;
                const std::uint64_t bytes = plan_.slabs[slab].device_bytes;
                while (used_ + bytes > budget_) all.push_back({step, evict(needed), false});
                all.push_back({step, slab, true});
                used_ += bytes;
                there_[slab] = true;
                if (bytes > 0) evictable_.push_back(slab);
            }
            for (const std::size_t slab : needed) ++passed_[slab];
        }
        return all;
    }

  private:
    std::size_t next_use(std::size_t slab) const {
        return passed_[slab] < uses_[slab].size() ? uses_[slab][passed_[slab]] : never;
    }
    std::size_t evict(const std::vector<std::size_t>& needed) {
        auto best = evictable_.end();
        for (auto slab = evictable_.begin(); slab != evictable_.end(); ++slab) {
            if (std::find(needed.begin(), needed.end(), *slab) != needed.end()) continue;
            if (best == evictable_.end() || next_use(*slab) > next_use(*best)) best = slab;
        }
        const std::size_t victim = *best;
        evictable_.erase(best);
        used_ -= plan_.slabs[victim].device_bytes;
        there_[victim] = false;
        return victim;
    }

    const StreamPlan& plan_;
    std::uint64_t budget_, used_;
    std::vector<bool> there_;
    std::vector<std::vector<std::size_t>> uses_;  ///< steps that use each evictable slab, ascending
    std::vector<std::size_t> passed_;             ///< how many of these have passed
    std::vector<std::size_t> evictable_;          ///< resident evictable slabs
};

/// Reads the slabs of `loads` on its own threads, load k into buffer k modulo the number of buffers.
class Reader {
  public:
    Reader(std::vector<std::size_t> loads, const StreamPlan& plan, StreamClient& client)
        : loads_(std::move(loads)), client_(client), buffers_(plan.staging_buffers) {
        const std::size_t threads = std::min({plan.reads_at_once, plan.staging_buffers, loads_.size()});
        threads_.reserve(threads);
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
    }

    ~Reader() {
        {
            const std::lock_guard lock(guard_);
            stop_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Waits until load `k`, the oldest unreleased one, is in its buffer; rethrows errors of read().
    void wait_for(std::size_t k, const Progress& progress) {
        Buffer& buffer = buffers_[k % buffers_.size()];
        std::unique_lock lock(guard_);
        while (!buffer.filled) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            progress.check();
        }
        if (buffer.error) std::rethrow_exception(buffer.error);
    }

    /// Allows the oldest buffer to be reused.
    void release() {
        {
            const std::lock_guard lock(guard_);
            buffers_[released_ % buffers_.size()] = {};
            ++released_;
        }
        changed_.notify_all();
    }

  private:
    struct Buffer {
        bool filled = false;
        std::exception_ptr error;
    };

    void serve() {
        for (;;) {
            std::size_t k = 0;
            {
                std::unique_lock lock(guard_);
                changed_.wait(lock, [&] {
                    return stop_ || next_ == loads_.size() || next_ < released_ + buffers_.size();
                });
                if (stop_ || next_ == loads_.size()) return;
                k = next_++;
            }
            std::exception_ptr met;
            try {
                client_.read(loads_[k], k % buffers_.size());
            } catch (...) {
                met = std::current_exception();
            }
            {
                const std::lock_guard lock(guard_);
                buffers_[k % buffers_.size()] = {true, met};
            }
            changed_.notify_all();
            if (met) return;
        }
    }

    const std::vector<std::size_t> loads_;
    StreamClient& client_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::vector<Buffer> buffers_;
    std::size_t next_ = 0, released_ = 0;
    bool stop_ = false;
    std::vector<std::thread> threads_;  ///< last, so that they start after the other members
};

std::vector<std::size_t> loads_of(const std::vector<Move>& moves) {
    std::vector<std::size_t> loads;
    loads.reserve(moves.size());
    for (const Move& move : moves)
        if (move.load) loads.push_back(move.slab);
    return loads;
}

class StreamRun {
  public:
    StreamRun(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
              const std::string& stage)
        : plan_(plan),
          client_(client),
          progress_(progress),
          stage_(stage),
          moves_(Residency(plan, budget).moves()) {
        for (const StreamStep& step : plan.steps) all_work_ += step.work;
        // A single thread reads on demand; starting another one would only cost 0.1 ms.
        if (compute_threads() > 1 && staging_bytes(plan) > 0) reader_.emplace(loads_of(moves_), plan, client);
    }

    void run() {
        client_.prepare();
        auto move = moves_.begin();
        for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
            while (move != moves_.end() && move->step == step) {
                make(*move++);
                if (move != moves_.end() && move->step == step) begin_delivery();
            }
            progress_.check();
            client_.execute(step);
            executed_ = step + 1;
            finish_steps(std::max<std::size_t>(plan_.steps_at_once, 1) - 1);
        }
        finish_steps(0);
    }

  private:
    void make(const Move& move) {
        progress_.check();
        if (!move.load) {
            finish_steps(0);  // a pending step may still use it
            client_.evict(move.slab);
            return;
        }
        const std::size_t buffer = loaded_ % plan_.staging_buffers;
        if (reader_)
            reader_->wait_for(loaded_, progress_);
        else
            client_.read(move.slab, buffer);
        client_.upload(move.slab, buffer);
        ++loaded_;
        if (reader_) reader_->release();
    }

    /// Begins delivering the previous step if the device has finished it.
    void begin_delivery() {
        if (delivered_ == executed_ || delivery_.valid() || !client_.is_done(delivered_)) return;
        client_.collect(delivered_);
        delivery_ = beside([this, step = delivered_] { client_.deliver(step); });
    }

    /// Waits until at most `left` of the executed steps are undelivered.
    void finish_steps(std::size_t left) {
        while (executed_ - delivered_ > left) {
            if (delivery_.valid()) {
                delivery_.get();
            } else {
                client_.collect(delivered_);
                client_.deliver(delivered_);
            }
            done_ += plan_.steps[delivered_++].work;
            if (delivered_ < plan_.steps.size())
                progress_.report(all_work_ > 0 ? done_ / all_work_ : 0, stage_);
        }
    }

    const StreamPlan& plan_;
    StreamClient& client_;
    Progress& progress_;
    const std::string& stage_;
    std::vector<Move> moves_;
    double all_work_ = 0, done_ = 0;
    std::size_t loaded_ = 0, executed_ = 0, delivered_ = 0;
    std::optional<Reader> reader_;
    Pending<void> delivery_;  ///< of the first undelivered step, if begun
};

void require_slabs(const StreamPlan& plan) {
    for (const StreamStep& step : plan.steps)
        for (const std::size_t slab : step.slabs)
            if (slab >= plan.slabs.size())
                throw Error(ErrorKind::run, "a step needs slab " + std::to_string(slab) +
                                                ", counted from 0, but the number of slabs is only " +
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
    return largest * plan.staging_buffers;
}

void run_stream(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
                const std::string& stage) {
    const std::uint64_t smallest = smallest_budget(plan);
    if (budget < smallest)
        throw Error(ErrorKind::input,
                    "the memory limit is " + std::to_string(budget) + " bytes, but at least " +
                        std::to_string(smallest) + " bytes are needed",
                    stage, "allow more memory or choose smaller data");
    progress.report(0, stage);
    StreamRun(plan, budget, client, progress, stage).run();
    progress.report(1, stage);
}

}  // namespace ks
