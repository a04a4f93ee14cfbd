#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/progress.h"
#include "core/base/threads.h"

namespace ks {

/// Calls work(i) for i in [0, n) in any order on at most `threads` threads, including the calling one. 0
/// threads count as 1. There are never more threads than limit_threads() allows or, without a limit, than
/// there are processors. After an exception, calls that have not begun are skipped, and the exception is
/// rethrown when all running calls have ended. The threads belong to oneTBB and persist between calls.
void parallel_for(std::size_t n, unsigned threads, const std::function<void(std::size_t)>& work);

/// The same; cancel is checked before each call.
void parallel_for(std::size_t n, unsigned threads, Progress& progress,
                  const std::function<void(std::size_t)>& work);

/// Work that an oneTBB thread does alongside the caller. If the caller waits for it before it has begun, the
/// caller does it itself.
class BackgroundTask {
  public:
    explicit BackgroundTask(std::function<void()> work);
    ~BackgroundTask();  ///< waits
    BackgroundTask(BackgroundTask&&) noexcept;
    BackgroundTask& operator=(BackgroundTask&&) noexcept;  ///< waits for its previous work

    void wait();  ///< rethrows what the work threw

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The result of work that runs alongside the caller. The destructor waits for the work.
template <class T>
class Pending {
  public:
    Pending() = default;
    template <class Work>
    explicit Pending(Work work) : result_(std::make_unique<Result>()) {
        if constexpr (std::is_void_v<T>)
            task_.emplace([work = std::move(work)]() mutable { work(); });
        else
            task_.emplace(
                [work = std::move(work), result = result_.get()]() mutable { result->emplace(work()); });
    }

    bool valid() const { return task_.has_value(); }
    /// Waits and returns the result, or rethrows what the work threw. Afterwards it is not valid.
    T get() {
        BackgroundTask task = std::move(*task_);
        task_.reset();
        task.wait();
        if constexpr (!std::is_void_v<T>) return std::move(**result_);
    }

  private:
    using Result = std::optional<std::conditional_t<std::is_void_v<T>, bool, T>>;
    std::unique_ptr<Result> result_;
    std::optional<BackgroundTask> task_;  ///< last: it ends before the members it writes to
};

/// Runs work() alongside the caller, or at once in the caller if only one thread
/// is allowed (compute_threads()).
template <class Work>
auto beside(Work work) {
    return Pending<std::invoke_result_t<Work&>>(std::move(work));
}

}  // namespace ks
