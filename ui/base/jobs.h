#pragma once

#include <QFutureWatcher>
#include <QHash>
#include <QMap>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <QtConcurrent>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/library_call.h"

namespace ks::ui {

/// Runs work that would block the window on other threads. Each job has a subject ("frame", "partition",
/// "save run.h5"): a newer job with the same subject makes the older one stale. A stale job that has not
/// begun never runs; the result of one that has begun is dropped. Jobs of the lane `files` run one after
/// another, as FrameSource requires. A job that hangs in a file library (LibraryWatch) fails, and the
/// following ones run on another thread.
class Jobs : public QObject {
    Q_OBJECT
  public:
    enum class Lane { files, general };
    using Failed = std::function<void(const Error&)>;

    explicit Jobs(QObject* parent = nullptr);
    /// Waits for jobs that have begun, except for those that hang.
    ~Jobs() override;

    /// How long a library may work on a file without making progress.
    void setReadTimeout(std::chrono::milliseconds limit) { watch_.set_limit(limit); }
    /// Called when the window closes: limits the wait for hanging jobs to what a user who closes a window
    /// accepts.
    void hurry();
    /// Whether a thread of this process hangs in a library. The process must then end by std::_Exit, since
    /// libraries in use cannot be closed.
    static bool threadsHang();

    /// Calls work() on another thread, then on this one done(result), or failed(error) (without `failed`:
    /// emits the signal).
    template <class Work, class Done>
    void start(Lane lane, const QString& subject, Work work, Done done, Failed onFailed = {}) {
        using Value = std::invoke_result_t<Work>;
        struct Outcome {
            std::shared_ptr<Value> value;
            std::shared_ptr<Error> error;
        };
        const std::shared_ptr<std::atomic<quint64>> newest = ticketOf(subject);
        const quint64 ticket = ++*newest;
        const quint64 number = ++lastNumber_;
        auto* watcher = new QFutureWatcher<Outcome>(this);
        const auto fail = [=, this](const Error& error) {
            if (ticket != newest->load()) return false;
            if (onFailed)
                onFailed(error);
            else
                emit failed(error);
            return true;
        };
        if (lane == Lane::files) filesJobs_.insert(number, {watcher, fail});
        connect(watcher, &QFutureWatcher<Outcome>::finished, this, [=, this] {
            watcher->deleteLater();
            filesJobs_.remove(number);
            setRunning(running_ - 1);
            if (ticket != newest->load()) return;
            const Outcome outcome = watcher->result();
            if (outcome.error) {
                fail(*outcome.error);
            } else if (outcome.value) {
                done(std::move(*outcome.value));
            }
        });
        setRunning(running_ + 1);
        watcher->setFuture(QtConcurrent::run(lane == Lane::files ? files_ : general_, [=]() -> Outcome {
            if (ticket != newest->load()) return {};
            try {
                return {std::make_shared<Value>(work()), nullptr};
            } catch (const Error& error) {
                return {nullptr, std::make_shared<Error>(error)};
            } catch (const std::bad_alloc&) {
                return {nullptr,
                        std::make_shared<Error>(ErrorKind::run, "not enough memory", subject.toStdString())};
            } catch (const std::exception& error) {
                return {nullptr,
                        std::make_shared<Error>(ErrorKind::run, error.what(), subject.toStdString())};
            }
        }));
    }

    /// The same for an object that may be destroyed before its jobs end: it has its own subjects, and nothing
    /// is called once it is gone.
    template <class Work, class Done>
    void start(Lane lane, QObject* owner, const QString& subject, Work work, Done done,
               Failed onFailed = {}) {
        const QPointer<QObject> alive(owner);
        Failed guarded;
        if (onFailed)
            guarded = [alive, onFailed](const Error& error) {
                if (alive) onFailed(error);
            };
        start(
            lane, ownSubject(owner, subject), std::move(work),
            [alive, done](auto&& value) {
                if (alive) done(std::forward<decltype(value)>(value));
            },
            std::move(guarded));
    }

    /// Makes the jobs of a subject stale.
    void drop(const QString& subject) { ++*ticketOf(subject); }
    void drop(const QObject* owner, const QString& subject) { drop(ownSubject(owner, subject)); }
    int running() const { return running_; }
    /// Runs as many jobs at a time as compute_threads() returns, but at least two: a long job must not delay
    /// what is on the screen.
    void limitThreads();

  signals:
    void failed(const ks::Error& error);
    void runningChanged(int running);
    /// HDF5 hangs in this file, and nothing else in this process can use HDF5 any more (io::h5::give_up).
    void hdf5Hangs(const QString& file);

  private:
    static QString ownSubject(const QObject* owner, const QString& subject) {
        return subject + QStringLiteral(" of ") + QString::number(reinterpret_cast<quintptr>(owner));
    }
    std::shared_ptr<std::atomic<quint64>> ticketOf(const QString& subject);
    void setRunning(int running);
    void onHang(const Error& error);

    struct FilesJob {
        QObject* watcher;
        std::function<bool(const Error&)> fail;  ///< false if it is stale
    };
    QThreadPool* const files_ = new QThreadPool;    ///< abandoned where a thread hangs
    QThreadPool* const general_ = new QThreadPool;  ///< likewise
    QHash<QString, std::shared_ptr<std::atomic<quint64>>> tickets_;
    QMap<quint64, FilesJob> filesJobs_;  ///< by number: the order in which they run
    quint64 lastNumber_ = 0;
    int running_ = 0;
    std::atomic<int> hanging_{0};  ///< threads that hang
    LibraryWatch watch_;
};

}  // namespace ks::ui
