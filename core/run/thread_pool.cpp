#include "core/run/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace ks {

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(guard_);
        ends_ = true;
    }
    called_.notify_all();
}

void ThreadPool::for_each(std::size_t n, const std::function<void(std::size_t)>& work) {
    const std::size_t others = std::min<std::size_t>(std::max(1U, most_), std::max<std::size_t>(n, 1)) - 1;
    Job job{n, work};
    if (others > 0) call(job, others);
    serve(job);
    if (others > 0) {
        // Who did not come until now finds nothing to do: it need not be waited for.
        std::unique_lock lock(guard_);
        job_ = nullptr;
        left_.wait(lock, [this] { return working_ == 0; });
    }
    if (job.first) std::rethrow_exception(job.first);
}

void ThreadPool::call(Job& job, std::size_t others) {
    {
        const std::lock_guard lock(guard_);
        job_ = &job;
        places_ = others;
    }
    if (others_.size() <= others)
        called_.notify_all();
    else
        for (std::size_t t = 0; t < others; ++t) called_.notify_one();
    try {
        while (others_.size() < others) others_.emplace_back([this] { wait_for_jobs(); });
    } catch (const std::system_error&) {
        // No more threads to be had: those that started and the calling one do the work.
        return;
    }
}

void ThreadPool::wait_for_jobs() {
    std::unique_lock lock(guard_);
    while (true) {
        called_.wait(lock, [this] { return ends_ || (job_ != nullptr && places_ > 0); });
        if (ends_) return;
        Job& job = *job_;
        --places_;
        ++working_;
        lock.unlock();
        serve(job);
        lock.lock();
        if (--working_ == 0) left_.notify_one();
    }
}

void ThreadPool::serve(Job& job) {
    try {
        for (std::size_t i; !job.stop.load() && (i = job.next.fetch_add(1)) < job.n;) job.work(i);
    } catch (...) {
        job.stop.store(true);
        const std::lock_guard lock(guard_);
        if (!job.first) job.first = std::current_exception();
    }
}

}  // namespace ks
