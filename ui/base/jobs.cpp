#include "ui/base/jobs.h"

#include <algorithm>

#include "core/base/threads.h"

namespace ks::ui {

Jobs::~Jobs() {
    for (const auto& newest : std::as_const(tickets_)) ++*newest;
    files_.waitForDone();
    general_.waitForDone();
}

void Jobs::limitThreads() {
    general_.setMaxThreadCount(static_cast<int>(std::max(2U, compute_threads())));
}

std::shared_ptr<std::atomic<quint64>> Jobs::ticketOf(const QString& subject) {
    auto& newest = tickets_[subject];
    if (!newest) newest = std::make_shared<std::atomic<quint64>>(0);
    return newest;
}

void Jobs::setRunning(int running) {
    running_ = running;
    emit runningChanged(running);
}

}  // namespace ks::ui
