#include "ui/base/jobs.h"

#include <algorithm>
#include <string_view>

#include "core/base/threads.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::ui {
namespace {

constexpr std::chrono::seconds readTimeout{20};

std::atomic<bool> hangs{false};

}  // namespace

Jobs::Jobs(QObject* parent)
    : QObject(parent), watch_(readTimeout, [this](const Error& error, const LibraryWork& work) {
          hangs.store(true);
          ++hanging_;
          const bool isHdf5 = std::string_view(work.library) == "HDF5";
          if (isHdf5) io::h5::give_up(work.file);
          const QString file = isHdf5 && work.file != nullptr ? QString::fromUtf8(work.file) : QString();
          QMetaObject::invokeMethod(
              this,
              [this, error, isHdf5, file] {
                  onHang(error);
                  if (isHdf5) emit hdf5Hangs(file);
              },
              Qt::QueuedConnection);
      }) {
    files_->setMaxThreadCount(1);
    limitThreads();
}

Jobs::~Jobs() {
    for (const auto& newest : std::as_const(tickets_)) ++*newest;
    constexpr int look = 20;
    hurry();
    while (files_->activeThreadCount() + general_->activeThreadCount() > hanging_.load()) {
        files_->waitForDone(look);
        general_->waitForDone(look);
    }
    if (hanging_.load() > 0) return;
    delete files_;
    delete general_;
}

void Jobs::hurry() {
    constexpr std::chrono::seconds atTheEnd{2};
    watch_.set_limit(atTheEnd);
}

bool Jobs::threadsHang() {
    return hangs.load();
}

void Jobs::onHang(const Error& error) {
    if (filesJobs_.isEmpty()) return emit failed(error);
    // The oldest unfinished job is the one that runs.
    const FilesJob job = filesJobs_.take(filesJobs_.firstKey());
    job.watcher->disconnect(this);
    files_->setMaxThreadCount(files_->maxThreadCount() + 1);
    setRunning(running_ - 1);
    if (!job.fail(error)) emit failed(error);
}

void Jobs::limitThreads() {
    general_->setMaxThreadCount(static_cast<int>(std::max(2U, compute_threads())));
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
