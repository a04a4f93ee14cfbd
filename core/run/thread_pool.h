#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ks {

/// Threads that wait between calls: to start them takes as long as a millisecond of work that they share.
class ThreadPool {
  public:
    /// @param threads that work at the same time, at least 1: the one that calls, and others that start when
    /// a call has work for them
    explicit ThreadPool(unsigned threads) : most_(threads) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls work(i) for i in [0, n), in any order; the first exception is rethrown when all have ended. Only
    /// one thread at a time may call it, and `work` may not.
    void for_each(std::size_t n, const std::function<void(std::size_t)>& work);

  private:
    struct Job {
        std::size_t n;
        const std::function<void(std::size_t)>& work;
        std::atomic<std::size_t> next{0};
        std::atomic<bool> stop{false};
        std::exception_ptr first = nullptr;  ///< guarded by the pool's mutex
    };
    void call(Job& job, std::size_t others);
    void wait_for_jobs();
    void serve(Job& job);

    unsigned most_;
    std::mutex guard_;
    std::condition_variable called_, left_;
    Job* job_ = nullptr;       ///< what others may join
    std::size_t places_ = 0;   ///< how many of them still may
    std::size_t working_ = 0;  ///< have joined and not left
    bool ends_ = false;
    std::vector<std::jthread> others_;
};

}  // namespace ks
