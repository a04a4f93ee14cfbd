#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/run/printed.h"
#include "core/wire/wire.h"
#include "ui/runs/worker_job.h"

namespace ks::ui {

/// Owns the process `kernelscope-cli worker` and speaks ks::wire with it. One job is in the worker at a time;
/// a newer one makes it stale (it is asked to stop and its result is dropped). A job that does not stop
/// within a second is ended by killing the worker, which is then restarted; a build of kernels is waited for
/// instead, also by a newer job. A worker that ends by itself is started again; one that keeps ending before
/// it has sent its catalogue is given up.
class WorkerClient : public QObject {
    Q_OBJECT
  public:
    /// @param program path of kernelscope-cli; empty: standardProgram()
    explicit WorkerClient(QString program = {}, QObject* parent = nullptr);
    ~WorkerClient() override;

    /// Environment variable KERNELSCOPE_CLI, else the program beside this application.
    static QString standardProgram();

    /// Starts the worker and requests its catalogue. Also starts one that was given up again.
    void start();
    /// Ends the worker, if there is one, and starts it anew.
    void restart();
    /// True once the catalogue has arrived.
    bool ready() const { return ready_; }
    /// It kept ending at its start: jobs fail until start() is called.
    bool givenUp() const { return givenUp_; }
    qint64 processId() const { return process_ ? process_->processId() : 0; }

    /// Gives the worker a job, which waits until the worker is ready.
    void ask(WorkerJob job);
    /// Requests the variants as they are now, after a job that is under way: the user's own change.
    /// catalogueReady() follows where they are different. Changed texts are not waited for: during a job they
    /// are read here.
    void refreshOffers();
    /// No job waits or is under way.
    bool idle() const { return !waiting_ && !active_; }
    /// The job under way is a build of kernels, which a newer job waits for.
    bool building() const { return active_ && active_->builds; }
    void cancel();
    /// How long a kernel of the user's own, or of a guarded run, may be under way and report nothing: then
    /// the worker is killed and the job fails with the kernel's name. The longest built-in kernel lasts some
    /// tenths of a second (Slicer), and a compiler that works at the first launch some seconds. Nothing: no
    /// limit.
    void setKernelLimit(std::optional<std::chrono::milliseconds> limit);

  signals:
    /// At the worker's start, and after refreshOffers() where the offers have changed.
    void catalogueReady(const ks::wire::Catalogue& catalogue);
    /// A job goes to the worker.
    void jobBegins();
    /// @param job name of the job that ended it and failed for this reason; empty: there is none
    void workerRestarted(const QString& reason, const QString& job);
    /// The worker cannot be started; start() tries again.
    void workerGivenUp(const ks::Error& error);

  private:
    struct Entry : WorkerJob {
        std::uint64_t id = 0;
        bool isOffers = false;  ///< of refreshOffers(): a newer job waits for it, and it is not cancelled
        bool stale = false;
        bool cancelled = false;

        bool isWanted() const { return !stale && (!cancelled || answersWhenCancelled); }
    };
    static void fail(const Entry& entry, const Error& error);
    std::optional<double> kernelSeconds() const;
    void failLater(Entry entry, const Error& error);
    void sendNext();
    void takeCatalogue(const wire::Message& message);
    void takeOffers(const wire::Offered& now);
    void readTexts();
    void write(const std::vector<std::byte>& bytes);
    void askToStop();
    /// Waits for the worker once more before it is killed.
    void bePatient();
    void kill();
    void endKernel();
    void killWith(const Error& error);
    void onOutput();
    /// What the worker wrote to its standard error: complaints, and what kernels print.
    void takeComplaints();
    /// Takes all that the worker has written to its standard error by now. The worker may turn out to have
    /// ended, which ends the active job.
    void readWhatIsWritten();
    void onMessage(wire::Message message);
    void deliver(wire::Message message);
    std::optional<Entry> endActive();
    void failActive(const Error& error);
    void onEnded(const QString& how);
    void giveUp(const Error& error);

    QString program_;
    std::unique_ptr<QProcess> process_;
    wire::Decoder decoder_;
    QByteArray complaints_;      ///< tail of the worker's standard error
    Printed printed_;            ///< what came there since the active job was sent
    wire::Catalogue catalogue_;  ///< the latest
    bool offersWanted_ = false;
    std::optional<Entry> active_, waiting_;
    std::uint64_t lastId_ = 0;
    int deathsAtStart_ = 0;
    bool ready_ = false;
    bool killed_ = false;     ///< by us, because a job did not stop
    bool overLimit_ = false;  ///< killed for a kernel that did not end
    bool limited_ = true;     ///< kernels may last as long as kernelLimit_ says
    bool asked_ = false;      ///< restart() was called
    bool givenUp_ = false;
    QTimer patience_, backoff_, kernelLimit_;
    QElapsedTimer stopAsked_;  ///< since the active job was asked to stop
    QElapsedTimer patient_;    ///< since patience_ was started
    qint64 heard_ = 0;         ///< bytes from the worker since then
    QString ended_;            ///< name of the job that killWith() ended
    QString stage_;            ///< of the active job, the last one reported
};

}  // namespace ks::ui
