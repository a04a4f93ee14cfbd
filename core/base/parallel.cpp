#include "core/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <exception>
#include <map>

namespace ks {
namespace {

/// Creating one takes as long as a hundred thousand additions, so each calling thread keeps its arenas, one
/// per number of threads that it uses.
tbb::task_arena& arena_of(int threads) {
    thread_local std::map<int, tbb::task_arena> kept;
    return kept.try_emplace(threads, threads).first->second;
}

}  // namespace

void parallel_for(std::size_t n, unsigned threads, const std::function<void(std::size_t)>& work) {
    const std::size_t allowed =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const auto together = static_cast<int>(std::min({std::size_t{threads}, n, allowed}));
    if (together <= 1) {
        for (std::size_t i = 0; i < n; ++i) work(i);
        return;
    }
    arena_of(together).execute([&] { tbb::parallel_for(std::size_t{0}, n, work); });
}

void parallel_for(std::size_t n, unsigned threads, Progress& progress,
                  const std::function<void(std::size_t)>& work) {
    parallel_for(n, threads, [&](std::size_t i) {
        progress.check();
        work(i);
    });
}

struct BackgroundTask::State {
    std::function<void()> work;
    std::exception_ptr thrown;
    tbb::task_group group;
    bool waited = false;

    void run() noexcept {
        try {
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    void wait() {
        if (!waited) group.wait();
        waited = true;
    }
};

BackgroundTask::BackgroundTask(std::function<void()> work) : state_(std::make_unique<State>()) {
    state_->work = std::move(work);
    if (compute_threads() > 1)
        state_->group.run([state = state_.get()] { state->run(); });
    else
        state_->run();
}

BackgroundTask::~BackgroundTask() {
    if (state_) state_->wait();
}

BackgroundTask::BackgroundTask(BackgroundTask&&) noexcept = default;

BackgroundTask& BackgroundTask::operator=(BackgroundTask&& other) noexcept {
    if (state_) state_->wait();
    state_ = std::move(other.state_);
    return *this;
}

void BackgroundTask::wait() {
    state_->wait();
    if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
}

}  // namespace ks
