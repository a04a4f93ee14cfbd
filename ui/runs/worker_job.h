#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/run/printed.h"
#include "core/wire/jobs.h"

namespace ks::ui {

/// Where the results of a job go. Of answer() and failed() one is called, once, after all others.
template <class Job>
struct Callbacks {
    std::function<void(std::shared_ptr<const typename Job::Answer>)> answer;
    /// Of kind `cancelled` where the user or a newer job stopped it.
    std::function<void(const Error&)> failed = {};
    std::function<void(double fraction, const QString& stage)> progress = {};
    std::function<void(const typename Job::Part&)> part = {};
};

/// A job for the worker (core/wire/jobs.h) without its type, and where its results go.
struct WorkerJob {
    const char* kind = "";                  ///< its name in messages
    QPointer<const QObject> receiver = {};  ///< of the results, on its thread; none is called once it is gone
    /// "Run 3 (user.mine)", in a sentence that it ended its worker, where the receiver tells the user why it
    /// failed; empty: nobody tells it.
    QString name = {};
    bool builds = false;                ///< a newer job waits for it
    bool answersWhenCancelled = false;  ///< with what was computed until then
    bool atOnce = false;                ///< it is short to encode, and sent without delay
    /// @param kernelLimit seconds, as of BenchPlan
    std::function<wire::Message(std::uint64_t id, std::optional<double> kernelLimit)> message = {};
    /// Reads an answer, on any thread. What it returns hands the answer over. Throws ks::Error(run).
    std::function<std::function<void(const Printed&)>(const wire::Message&)> answer = {};
    std::function<void(const wire::Message&)> part = {};
    std::function<void(const Error&)> failed = {};
    std::function<void(double, const QString&)> progress = {};
};

/// Whether a request takes a millisecond to encode at most.
inline bool isSmall(const Request& request) {
    constexpr std::size_t most = 1 << 20;  // bytes
    std::size_t bytes = 0;
    for (const auto& [role, input] : request.inputs)
        if (input.values) bytes += input.values->bytes().size();
    return bytes <= most;
}

template <class Job>
WorkerJob workerJob(const QObject* receiver, Job job, Callbacks<Job> callbacks) {
    WorkerJob made;
    made.kind = Job::name;
    made.receiver = receiver;
    made.builds = requires {
        Job::builds;
    };
    made.answersWhenCancelled = requires {
        Job::answers_when_cancelled;
    };
    if constexpr (requires { job.request.inputs; }) made.atOnce = isSmall(job.request);
    made.message = [job = std::make_shared<const Job>(std::move(job))](
                       std::uint64_t id, [[maybe_unused]] std::optional<double> kernelLimit) {
        if constexpr (requires { job->plan.kernel_limit; }) {
            Job limited = *job;
            limited.plan.kernel_limit = kernelLimit;
            return wire::message_of(limited, id);
        } else {
            return wire::message_of(*job, id);
        }
    };
    made.answer = [answer = std::move(callbacks.answer)](const wire::Message& message) {
        using Answer = typename Job::Answer;
        auto read = std::make_shared<Answer>(wire::answer_from<Job>(message));
        return [answer, read]([[maybe_unused]] const Printed& printed) {
            if constexpr (std::is_same_v<Answer, Run>)
                if (!read->request.kernel_source.empty() || read->variant.from_user())
                    read->printed = printed;
            answer(read);
        };
    };
    if (callbacks.part)
        made.part = [part = std::move(callbacks.part)](const wire::Message& message) {
            part(wire::part_from<Job>(message));
        };
    made.failed = std::move(callbacks.failed);
    made.progress = std::move(callbacks.progress);
    return made;
}

}  // namespace ks::ui
