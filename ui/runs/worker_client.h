#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/assembly.h"
#include "core/run/bench.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/tune/tuner.h"
#include "core/wire/wire.h"

namespace ks::ui {

/// Owns the process `kernelscope-cli worker` and speaks ks::wire with it. One job is in the worker at a time;
/// a newer one makes it stale (it is asked to stop and its result is dropped). Cancel asks, and kills after a
/// second, or where kernels are being built once they are: a newer job waits for that. A worker that ends by
/// itself is started again; one that keeps ending before it has told its catalogue is given up.
class WorkerClient : public QObject {
    Q_OBJECT
  public:
    /// @param program path of kernelscope-cli; empty: standardProgram()
    explicit WorkerClient(QString program = {}, QObject* parent = nullptr);
    ~WorkerClient() override;

    /// Environment variable KERNELSCOPE_CLI, else the program beside this application.
    static QString standardProgram();

    /// Starts the worker and asks for its catalogue. Also starts one that was given up again.
    void start();
    /// Ends the worker, if there is one, and starts it anew.
    void restart();
    /// True once the catalogue has come.
    bool ready() const { return ready_; }
    /// It kept ending at its start: jobs fail until start() is called.
    bool givenUp() const { return givenUp_; }
    qint64 processId() const { return process_ ? process_->processId() : 0; }

    /// Return the job's id. A job that is given before the worker is ready waits for it.
    int run(const Request& request);
    int check(std::shared_ptr<const Run> run, CheckMode mode);
    /// Measures what a device can do at most; it is kept for later catalogues.
    int measureCeilings(const DeviceInfo& device);
    /// Times variants over sizes; rows come as they are done.
    int bench(const BenchPlan& plan);
    /// Tries configurations of a variant; they come as they are tried.
    /// @param before what was tried already, of the same variant and problem; null: nothing
    int tune(const TunePlan& plan, std::shared_ptr<const TuneReport> before);
    /// What the device's compiler makes of a program.
    int assemble(const AssemblyRequest& request);
    /// Asks what the variants are now, since the user's own come, go and change; catalogueReady() tells.
    /// Where a job is under way, after it.
    void refreshOffers();
    /// Builds the kernels of runs like this one. It is not asked to stop for a newer job, which needs them,
    /// too, and waits.
    int warm(const Request& request);
    /// Kernels are being built ahead: a newer job waits for them.
    bool warming() const { return active_ && active_->warm; }
    /// Id of the newest unfinished job; 0 where there is none.
    int currentJob() const { return waiting_ ? waiting_->id : active_ ? active_->id : 0; }
    void cancel();
    /// How long a kernel of the user's own, or of a guarded run, may be under way and tell nothing: then the
    /// worker is killed and the job fails with the kernel's name. The longest kernel that comes with the
    /// program lasts some tenths of a second (Slicer), and a compiler that works at the first launch some
    /// seconds. Nothing: it may go on for ever.
    void setKernelLimit(std::optional<std::chrono::milliseconds> limit);

  signals:
    /// At the worker's start, and after refreshOffers() where the offers are other ones.
    void catalogueReady(const ks::wire::Catalogue& catalogue);
    void progress(int job, double fraction, const QString& stage);
    void runFinished(int job, std::shared_ptr<const ks::Run> run);
    void verdictReady(int job, const ks::Verdict& verdict);
    void ceilingsReady(int job, const ks::Ceilings& ceilings);
    void benchRow(int job, std::size_t point, const ks::ParameterSet& sizes, const ks::BenchRow& row);
    void benchReady(int job, const ks::BenchReport& report);
    /// A configuration was tried: the report with its rows from number `first` on.
    void tunePart(int job, std::size_t first, const ks::TuneReport& part);
    void tuneReady(int job, const ks::TuneReport& report);
    void warmed(int job);
    void assemblyReady(int job, const ks::Assembly& assembly);
    /// Every job that gives no result ends here; with kind `cancelled` where the user or a newer job stopped
    /// it.
    void jobFailed(int job, const ks::Error& error);
    void workerRestarted(const QString& reason);
    /// The worker cannot be started; start() tries again.
    void workerGivenUp(const ks::Error& error);

  private:
    struct Job {
        int id = 0;
        std::shared_ptr<const Request> request;  ///< of a run, or of what is built for runs like it
        bool warm = false;
        std::shared_ptr<const BenchPlan> plan;  ///< of a benchmark
        std::shared_ptr<const TunePlan> tuning;
        std::shared_ptr<const TuneReport> tuned;  ///< before the tuning
        std::shared_ptr<const Run> run;           ///< of a check
        CheckMode mode = CheckMode::none;
        std::shared_ptr<const AssemblyRequest> assembly;  ///< of a program whose instructions are wanted
        bool offers = false;                              ///< the offers are asked for
        std::string device;  ///< whose ceilings are measured, of neither of these
        bool stale = false;
        bool cancelled = false;
    };
    static std::vector<std::byte> encoded(const Job& job);
    std::optional<double> kernelSeconds() const;
    int submit(Job job);
    void failLater(int job, const Error& error);
    void sendNext();
    void takeOffers(const wire::Message& message);
    void send(const wire::Message& message);
    void askToStop();
    void kill();
    void endKernel();
    void killWith(const Error& error);
    void onOutput();
    /// What the worker wrote to its standard error: complaints, and what kernels print.
    void takeComplaints();
    void onMessage(wire::Message message);
    void deliverRun(int job, wire::Message message);
    void deliverTuning(int job, const wire::Message& message);
    void endActive();
    void failActive(const Error& error);
    void onEnded(const QString& how);
    void giveUp(const Error& error);

    QString program_;
    std::unique_ptr<QProcess> process_;
    wire::Decoder decoder_;
    QByteArray complaints_;      ///< tail of the worker's standard error
    Printed printed_;            ///< what came there since the active job was sent
    wire::Catalogue catalogue_;  ///< as it came last
    bool offersWanted_ = false;
    std::optional<Job> active_, waiting_;
    int lastId_ = 0;
    int deathsAtStart_ = 0;
    bool ready_ = false;
    bool killed_ = false;     ///< by us, because a job did not stop
    bool overLimit_ = false;  ///< killed for a kernel that did not end
    bool limited_ = true;     ///< kernels may last as long as kernelLimit_ says
    bool asked_ = false;      ///< restart() was called
    bool givenUp_ = false;
    QTimer patience_, backoff_, kernelLimit_;
    QElapsedTimer stopAsked_;  ///< since the active job was asked to stop
    QString stage_;            ///< of the active job, as it told last
};

}  // namespace ks::ui
