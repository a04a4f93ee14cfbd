#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/progress.h"
#include "core/wire/jobs.h"

namespace ks::wire {

/// What a worker does for each kind of job (core/wire/jobs.h).
class Handlers {
  public:
    using Send = std::function<void(const Message&)>;
    /// Does a job and returns its answer. The job passes its parts to `send`. Throws what the job throws.
    using Handler = std::function<Message(const Message& asked, std::uint64_t number, Progress& progress,
                                          const Send& send)>;

    /// @param handle (const Job&, Progress&) -> Job::Answer; of a kind with parts it has a third argument, a
    /// function that takes a Job::Part
    template <class Job, class Handle>
    void on(Handle handle) {
        table_[Job::name] = [handle = std::move(handle)](const Message& asked, std::uint64_t number,
                                                         Progress& progress, const Send& send) {
            const Job job = job_from<Job>(asked);
            if constexpr (std::is_same_v<typename Job::Part, Nothing>) {
                return message_with("answer", handle(job, progress), number);
            } else {
                const auto report = [&](const typename Job::Part& part) {
                    send(message_with("part", part, number));
                };
                return message_with("answer", handle(job, progress, report), number);
            }
        };
    }
    /// Null if no job is of this kind.
    const Handler* find(const std::string& name) const {
        const auto row = table_.find(name);
        return row == table_.end() ? nullptr : &row->second;
    }

  private:
    std::map<std::string, Handler> table_;
};

}  // namespace ks::wire
