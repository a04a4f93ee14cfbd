#include "ui/runs/worker_client.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent>
#include <algorithm>

#include "core/base/threads.h"
#include "core/judge/judgement.h"
#include "core/judge/kernel_stage.h"
#include "core/judge/signal_text.h"
#include "core/run/build_stage.h"
#include "core/tune/tune_file.h"

namespace ks::ui {
namespace {

constexpr std::size_t sentAtOnce = 1 << 20;  // bytes of a request: a millisecond to pack
constexpr int patienceMs = 800;  // so that Cancel is done within a second, also where it has to kill
constexpr qint64 buildPatienceMs = 60'000;  // a compiler does not listen, and a new worker would begin anew
constexpr std::chrono::seconds kernelLimitAtFirst{10};
constexpr int maxDeathsAtStart = 3;
constexpr qsizetype keptComplaints = 8192;

Error stopped(const std::string& message) {
    return Error(ErrorKind::cancelled, message);
}

/// How a worker ended by itself, with the kernel that was under way then.
QString endedText(const QString& stage, const QString& how) {
    return stage.startsWith(QLatin1String(kernel_stage))
               ? WorkerClient::tr("the %1 ended the worker: %2").arg(stage, how)
               : WorkerClient::tr("the worker ended unexpectedly: %1").arg(how);
}

std::size_t bytesOf(const Request& request) {
    std::size_t bytes = 0;
    for (const auto& [role, input] : request.inputs)
        if (input.values) bytes += input.values->bytes().size();
    return bytes;
}

}  // namespace

QString WorkerClient::standardProgram() {
    const QString given = qEnvironmentVariable("KERNELSCOPE_CLI");
    if (!given.isEmpty()) return given;
    return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("kernelscope-cli"));
}

WorkerClient::WorkerClient(QString program, QObject* parent)
    : QObject(parent), program_(program.isEmpty() ? standardProgram() : std::move(program)) {
    patience_.setSingleShot(true);
    patience_.setInterval(patienceMs);
    connect(&patience_, &QTimer::timeout, this, &WorkerClient::kill);
    kernelLimit_.setSingleShot(true);
    kernelLimit_.setInterval(kernelLimitAtFirst);
    connect(&kernelLimit_, &QTimer::timeout, this, &WorkerClient::endKernel);
    backoff_.setSingleShot(true);
    connect(&backoff_, &QTimer::timeout, this, &WorkerClient::start);
}

WorkerClient::~WorkerClient() {
    if (!process_) return;
    process_->disconnect(this);
    if (process_->state() == QProcess::NotRunning) return;
    wire::Message quit;
    quit.header["type"] = "quit";
    send(quit);
    process_->closeWriteChannel();
    if (active_ || !process_->waitForFinished(patienceMs)) {
        process_->kill();
        process_->waitForFinished(patienceMs);
    }
}

void WorkerClient::start() {
    if (process_ && process_->state() != QProcess::NotRunning) return;
    if (std::exchange(givenUp_, false)) deathsAtStart_ = 0;
    backoff_.stop();
    if (!QFileInfo(program_).isExecutable()) {
        giveUp(Error(ErrorKind::run, "the worker's program was not found", program_.toStdString(),
                     "build or install kernelscope-cli beside the window, or name it in KERNELSCOPE_CLI"));
        return;
    }
    decoder_ = {};
    complaints_.clear();
    ready_ = killed_ = overLimit_ = asked_ = false;
    if (process_) {
        process_->disconnect(this);
        process_.release()->deleteLater();
    }
    process_ = std::make_unique<QProcess>();
    QProcess* process = process_.get();
    connect(process, &QProcess::readyReadStandardOutput, this, &WorkerClient::onOutput);
    connect(process, &QProcess::readyReadStandardError, this, &WorkerClient::takeComplaints);
    connect(process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        onEnded(status == QProcess::CrashExit ? QString::fromStdString(signal_text(code))
                                              : tr("exit code %1").arg(code));
    });
    connect(process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) onEnded(process_->errorString());
    });
    QStringList arguments{QStringLiteral("worker")};
    if (const auto limit = thread_limit())
        arguments << QStringLiteral("--threads") << QString::number(*limit);
    process->start(program_, arguments);
    wire::Message ask;
    ask.header["type"] = "catalogue";
    send(ask);
}

void WorkerClient::restart() {
    if (!process_ || process_->state() == QProcess::NotRunning) {
        start();
        return;
    }
    asked_ = true;
    process_->kill();
}

void WorkerClient::send(const wire::Message& message) {
    const std::vector<std::byte> bytes = wire::encode(message);
    process_->write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
}

int WorkerClient::run(const Request& request) {
    Job job;
    job.request = std::make_shared<const Request>(request);
    return submit(std::move(job));
}

int WorkerClient::check(std::shared_ptr<const Run> run, CheckMode mode) {
    Job job;
    job.run = std::move(run);
    job.mode = mode;
    return submit(std::move(job));
}

int WorkerClient::measureCeilings(const DeviceInfo& device) {
    Job job;
    job.device = device.index < 0 ? "host" : std::to_string(device.index);
    return submit(std::move(job));
}

int WorkerClient::bench(const BenchPlan& plan) {
    Job job;
    auto limited = std::make_shared<BenchPlan>(plan);
    limited->kernel_limit = kernelSeconds();
    job.plan = std::move(limited);
    return submit(std::move(job));
}

int WorkerClient::tune(const TunePlan& plan, std::shared_ptr<const TuneReport> before) {
    Job job;
    auto limited = std::make_shared<TunePlan>(plan);
    limited->kernel_limit = kernelSeconds();
    job.tuning = std::move(limited);
    job.tuned = std::move(before);
    return submit(std::move(job));
}

void WorkerClient::setKernelLimit(std::optional<std::chrono::milliseconds> limit) {
    limited_ = limit.has_value();
    if (limit)
        kernelLimit_.setInterval(*limit);
    else
        kernelLimit_.stop();
}

std::optional<double> WorkerClient::kernelSeconds() const {
    if (!limited_) return std::nullopt;
    return std::chrono::duration<double>(kernelLimit_.intervalAsDuration()).count();
}

int WorkerClient::assemble(const AssemblyRequest& request) {
    Job job;
    job.assembly = std::make_shared<const AssemblyRequest>(request);
    return submit(std::move(job));
}

int WorkerClient::warm(const Request& request) {
    Job job;
    job.request = std::make_shared<const Request>(request);
    job.warm = true;
    return submit(std::move(job));
}

void WorkerClient::refreshOffers() {
    if (!ready_) return;  // they come with the catalogue
    offersWanted_ = true;
    sendNext();
}

int WorkerClient::submit(Job job) {
    job.id = ++lastId_;
    const int id = job.id;
    if (givenUp_) {
        failLater(id, Error(ErrorKind::run, "there is no worker to run it", {},
                            "Tools > Restart worker starts one"));
        return id;
    }
    if (const auto older = std::exchange(waiting_, std::move(job)))
        failLater(older->id, stopped("a newer run took its place"));
    if (active_) {
        active_->stale = true;
        if (!active_->warm && !active_->offers) askToStop();
    } else {
        sendNext();
    }
    return id;
}

// Not before the caller has the id of its job.
void WorkerClient::failLater(int job, const Error& error) {
    QMetaObject::invokeMethod(
        this, [this, job, error] { emit jobFailed(job, error); }, Qt::QueuedConnection);
}

std::vector<std::byte> WorkerClient::encoded(const Job& job) {
    wire::Message message;
    message.header["job"] = job.id;
    if (job.request) {
        message.header["type"] = job.warm ? "warm" : "run";
        message.header["request"] = ks::to_json(*job.request, &message.blobs);
    } else if (job.run) {
        message.header["type"] = "check";
        message.header["mode"] = name_of(job.mode);
        message.header["run"] = ks::to_json(*job.run, &message.blobs);
    } else if (job.plan) {
        message.header["type"] = "bench";
        message.header["plan"] = ks::to_json(*job.plan, &message.blobs);
    } else if (job.tuning) {
        message.header["type"] = "tune";
        message.header["plan"] = ks::to_json(*job.tuning);
        if (job.tuned) message.header["before"] = ks::to_json(*job.tuned);
    } else if (job.assembly) {
        message.header["type"] = "assembly";
        message.header["request"] = ks::to_json(*job.assembly, &message.blobs);
    } else if (job.offers) {
        message.header["type"] = "offers";
    } else {
        message.header["type"] = "ceilings";
        message.header["device"] = job.device;
    }
    return wire::encode(message);
}

void WorkerClient::sendNext() {
    if (active_ || !ready_) return;
    if (!waiting_ && std::exchange(offersWanted_, false)) {
        waiting_.emplace();
        waiting_->id = ++lastId_;
        waiting_->offers = true;
    }
    if (!waiting_) return;
    active_ = std::exchange(waiting_, std::nullopt);
    stage_.clear();
    printed_ = {};
    if (active_->request && bytesOf(*active_->request) <= sentAtOnce) {
        // A preview must be on its way before the window paints: what is left in the buffer waits for the
        // event loop.
        const std::vector<std::byte> bytes = encoded(*active_);
        process_->write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
        QElapsedTimer since;
        since.start();
        while (process_->bytesToWrite() > 0 && since.elapsed() < 10 && process_->waitForBytesWritten(5)) {
        }
        return;
    }
    // Checks carry the whole run: packing it can take longer than a frame of the window.
    using Bytes = std::shared_ptr<std::vector<std::byte>>;
    auto* watcher = new QFutureWatcher<Bytes>(this);
    connect(watcher, &QFutureWatcher<Bytes>::finished, this, [this, watcher, id = active_->id] {
        watcher->deleteLater();
        if (!active_ || active_->id != id) return;
        if (active_->stale || active_->cancelled) {
            failActive(stopped("stopped before it began"));
            return;
        }
        const Bytes bytes = watcher->result();
        process_->write(reinterpret_cast<const char*>(bytes->data()), static_cast<qint64>(bytes->size()));
    });
    watcher->setFuture(QtConcurrent::run(
        [job = *active_]() -> Bytes { return std::make_shared<std::vector<std::byte>>(encoded(job)); }));
}

void WorkerClient::cancel() {
    if (waiting_) {
        const int id = std::exchange(waiting_, std::nullopt)->id;
        emit jobFailed(id, stopped("cancelled"));
    }
    if (active_) {
        active_->cancelled = true;
        askToStop();
    }
}

void WorkerClient::askToStop() {
    if (patience_.isActive() || !active_) return;
    wire::Message message;
    message.header["type"] = "cancel";
    message.header["job"] = active_->id;
    send(message);
    stopAsked_.start();
    patience_.start();
}

void WorkerClient::kill() {
    if (active_ && stage_ == QLatin1String(build_stage) && stopAsked_.elapsed() < buildPatienceMs) {
        emit progress(currentJob(), 0, tr("waiting for a build of kernels under way"));
        patience_.start();
        return;
    }
    killWith(stopped("stopped; the worker did not listen and is restarted"));
}

void WorkerClient::endKernel() {
    if (!active_ || active_->stale || active_->cancelled) return;
    overLimit_ = true;
    killWith(Error(ErrorKind::run, did_not_end(stage_.toStdString(), kernelLimit_.intervalAsDuration()), {},
                   "it was ended with its worker, and another one started; the next run works as usual"));
}

void WorkerClient::killWith(const Error& error) {
    if (!active_ || !process_) return;
    killed_ = true;
    ready_ = false;
    process_->kill();
    // The job ends now: giving back the memory of a large one takes the system some tenths of a second more.
    const int id = active_->id;
    endActive();
    emit jobFailed(id, error);
}

void WorkerClient::onOutput() {
    const QByteArray bytes = process_->readAllStandardOutput();
    try {
        decoder_.feed(
            {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())});
        while (auto message = decoder_.next()) onMessage(std::move(*message));
    } catch (const std::exception& error) {
        complaints_ += error.what();
        process_->kill();
    }
}

void WorkerClient::takeComplaints() {
    const QByteArray bytes = process_->readAllStandardError();
    complaints_ = (complaints_ + bytes).right(keptComplaints);
    printed_.add({bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void WorkerClient::onMessage(wire::Message message) {
    const nlohmann::json& header = message.header;
    const std::string type = message.type();
    if (type == "catalogue") {
        catalogue_ = wire::catalogue_from(header.at("catalogue"));
        ready_ = true;
        offersWanted_ = false;
        deathsAtStart_ = 0;
        emit catalogueReady(catalogue_);
        sendNext();
        return;
    }
    const int job = header.value("job", 0);
    if (!active_ || active_->id != job) return;
    if (type == "offers") {
        takeOffers(message);
        return;
    }
    const bool wanted = !active_->stale && !active_->cancelled;
    if (type == "progress") {
        stage_ = QString::fromStdString(header.value("stage", ""));
        if (limited_ && stage_.startsWith(QLatin1String(kernel_stage)))
            kernelLimit_.start();
        else
            kernelLimit_.stop();
        if (wanted) emit progress(job, header.value("fraction", 0.0), stage_);
    } else if (type == "error") {
        if (header.value("last", false)) {  // it is about to end
            asked_ = true;
            ready_ = false;
        }
        failActive(wanted || active_->cancelled ? wire::error_from(header.at("error"))
                                                : stopped("a newer run took its place"));
    } else if (!wanted && (type == "bench_row" || type == "tune_part")) {
        // The end is still to come.
    } else if (!wanted) {
        failActive(stopped(active_->cancelled ? "cancelled" : "a newer run took its place"));
    } else if (type == "run") {
        deliverRun(job, std::move(message));
    } else if (type == "verdict") {
        const Verdict verdict = ks::from_json<ks::Verdict>(header.at("verdict"), "a verdict");
        endActive();
        emit verdictReady(job, verdict);
        sendNext();
    } else if (type == "ceilings") {
        const Ceilings ceilings = ceilings_from(header.at("ceilings"));
        endActive();
        emit ceilingsReady(job, ceilings);
        sendNext();
    } else if (type == "bench_row") {
        emit benchRow(job, header.at("point").get<std::size_t>(), parameter_set_from(header.at("sizes")),
                      ks::from_json<BenchRow>(header.at("row"), "a row of a benchmark"));
    } else if (type == "bench") {
        const auto report = ks::from_json<BenchReport>(header.at("report"), "a report");
        endActive();
        emit benchReady(job, report);
        sendNext();
    } else if (type == "tune_part" || type == "tune") {
        deliverTuning(job, message);
    } else if (type == "assembly") {
        const auto assembly = ks::from_json<Assembly>(header.at("assembly"), "an assembly", &message.blobs);
        endActive();
        emit assemblyReady(job, assembly);
        sendNext();
    } else if (type == "warm") {
        endActive();
        emit warmed(job);
        sendNext();
    }
}

void WorkerClient::takeOffers(const wire::Message& message) {
    wire::Offers now = ks::from_json<wire::Offers>(message.header.at("offers"), "the offers");
    const bool same = ks::to_json(now) == ks::to_json(wire::Offers{catalogue_.offers});
    endActive();
    if (!same) {
        catalogue_.offers = std::move(now.offers);
        emit catalogueReady(catalogue_);
    }
    sendNext();
}

void WorkerClient::deliverRun(int job, wire::Message message) {
    struct Outcome {
        std::shared_ptr<Run> run;
        std::shared_ptr<Error> error;
    };
    patience_.stop();
    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        if (!active_ || active_->id != job) return;
        const Outcome outcome = watcher->result();
        if (active_->stale || active_->cancelled) {
            failActive(stopped(active_->cancelled ? "cancelled" : "a newer run took its place"));
        } else if (outcome.error) {
            failActive(*outcome.error);
        } else {
            takeComplaints();
            const Request& request = outcome.run->request;
            if (!request.kernel_source.empty() || outcome.run->variant.from_user())
                outcome.run->printed = printed_;
            endActive();
            emit runFinished(job, outcome.run);
            sendNext();
        }
    });
    watcher->setFuture(QtConcurrent::run([message = std::move(message)]() -> Outcome {
        try {
            return {std::make_shared<Run>(
                        ks::from_json<ks::Run>(message.header.at("run"), "a run", &message.blobs)),
                    nullptr};
        } catch (const std::exception& error) {
            return {nullptr,
                    std::make_shared<Error>(
                        ErrorKind::run, std::string("the worker's answer cannot be read: ") + error.what())};
        }
    }));
}

void WorkerClient::deliverTuning(int job, const wire::Message& message) {
    const TuneReport report = tune_report_from(message.header.at("report"));
    if (message.type() == "tune_part")
        return emit tunePart(job, message.header.at("first").get<std::size_t>(), report);
    endActive();
    emit tuneReady(job, report);
    sendNext();
}

void WorkerClient::endActive() {
    patience_.stop();
    kernelLimit_.stop();
    active_.reset();
}

void WorkerClient::failActive(const Error& error) {
    const int id = active_->id;
    endActive();
    emit jobFailed(id, error);
    sendNext();
}

void WorkerClient::onEnded(const QString& how) {
    const bool diedAtStart = !ready_;
    const bool asked = killed_ || asked_;
    const QString reason = overLimit_ ? tr("%1, and its worker was restarted")
                                            .arg(QString::fromStdString(did_not_end(
                                                stage_.toStdString(), kernelLimit_.intervalAsDuration())))
                           : killed_ ? tr("the worker did not stop when asked and was restarted")
                           : asked_  ? tr("the worker was restarted")
                                     : endedText({}, how);
    ready_ = killed_ = overLimit_ = asked_ = false;
    patience_.stop();
    kernelLimit_.stop();
    takeComplaints();
    const std::string details = complaints_.toStdString();
    if (active_) {
        const int id = active_->id;
        active_.reset();
        // Later: the worker may end while the job is being handed over, before its id is known to who gave
        // it.
        failLater(id, asked ? Error(ErrorKind::cancelled, reason.toStdString())
                            : Error(ErrorKind::run, endedText(stage_, how).toStdString(), {},
                                    "it was restarted; the next run works as usual", details));
    }
    if (!diedAtStart || asked) {
        start();
        emit workerRestarted(reason);
        return;
    }
    if (++deathsAtStart_ >= maxDeathsAtStart) {
        giveUp(Error(
            ErrorKind::run,
            tr("the worker ended at its start %1 times (%2)").arg(deathsAtStart_).arg(how).toStdString(),
            program_.toStdString(), "Tools > Restart worker tries again", details));
        return;
    }
    backoff_.start(200 << (2 * (deathsAtStart_ - 1)));
}

void WorkerClient::giveUp(const Error& error) {
    givenUp_ = true;
    if (const auto job = std::exchange(waiting_, std::nullopt))
        emit jobFailed(job->id, Error(ErrorKind::run, "there is no worker to run it"));
    emit workerGivenUp(error);
}

}  // namespace ks::ui
