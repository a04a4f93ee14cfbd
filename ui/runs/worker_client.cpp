#include "ui/runs/worker_client.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent>

#include "core/base/json_problem.h"
#include "core/base/threads.h"
#include "core/judge/judgement.h"
#include "core/judge/kernel_stage.h"
#include "core/judge/signal_text.h"
#include "core/run/build_stage.h"
#include "core/run/user/user_variant_folder.h"

namespace ks::ui {
namespace {

constexpr int patienceMs = 800;  // so that Cancel is done within a second, also where it has to kill
constexpr qint64 mostPatienceMs = 15'000;
constexpr qint64 lateMs = 200;              // a timer that comes later than that came to a busy thread
constexpr qint64 muchHeard = 256 * 1024;    // bytes: more than reports of progress in that time
constexpr qint64 buildPatienceMs = 60'000;  // a compiler does not listen, and a new worker would begin anew
constexpr std::chrono::seconds kernelLimitAtFirst{10};
constexpr int maxDeathsAtStart = 3;
constexpr std::uint64_t catalogueJob = 0;  // its number; those of other jobs count from 1
constexpr qsizetype keptComplaints = 8192;

constexpr const char* replaced = "a newer run took its place";

Error stopped(const std::string& message) {
    return Error(ErrorKind::cancelled, message);
}

/// How a worker ended by itself, with the kernel that was under way then.
QString endedText(const QString& stage, const QString& how) {
    return stage.startsWith(QLatin1String(kernel_stage))
               ? WorkerClient::tr("the %1 crashed the worker: %2").arg(stage, how)
               : WorkerClient::tr("the worker stopped unexpectedly: %1").arg(how);
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
    write(wire::encode(wire::headed("quit", 0)));
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
                     "build or install kernelscope-cli in the same folder as the window's program, or set "
                     "KERNELSCOPE_CLI to its path"));
        return;
    }
    decoder_ = {};
    complaints_.clear();
    ended_.clear();
    ready_ = killed_ = overLimit_ = asked_ = false;
    if (process_) {
        process_->disconnect(this);
        process_.release()->deleteLater();
    }
    process_ = std::make_unique<QProcess>(this);
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
    QStringList arguments{QStringLiteral("worker"), QStringLiteral("--in-window")};
    if (const auto limit = thread_limit())
        arguments << QStringLiteral("--threads") << QString::number(*limit);
    process->start(program_, arguments);
    write(wire::encode(wire::message_of(wire::CatalogueJob{}, catalogueJob)));
}

void WorkerClient::restart() {
    if (!process_ || process_->state() == QProcess::NotRunning) {
        start();
        return;
    }
    asked_ = true;
    process_->kill();
}

void WorkerClient::write(const std::vector<std::byte>& bytes) {
    process_->write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
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

void WorkerClient::refreshOffers() {
    if (!ready_) return;  // they come with the catalogue
    offersWanted_ = true;
    if (!idle()) readTexts();
    sendNext();
}

void WorkerClient::ask(WorkerJob job) {
    Entry entry{std::move(job), ++lastId_};
    if (givenUp_)
        return failLater(std::move(entry), Error(ErrorKind::run, "no worker is running", {},
                                                 "start one with Tools > Restart worker"));
    if (auto older = std::exchange(waiting_, std::move(entry)))
        failLater(std::move(*older), stopped(replaced));
    if (active_ && !active_->builds && !active_->isOffers) {
        active_->stale = true;
        askToStop();
    }
    sendNext();
}

void WorkerClient::fail(const Entry& entry, const Error& error) {
    if (entry.receiver && entry.failed) entry.failed(error);
}

// Not before ask() has returned.
void WorkerClient::failLater(Entry entry, const Error& error) {
    QMetaObject::invokeMethod(
        this, [entry = std::move(entry), error] { fail(entry, error); }, Qt::QueuedConnection);
}

void WorkerClient::sendNext() {
    if (active_ || !ready_) return;
    if (!waiting_ && std::exchange(offersWanted_, false)) {
        const auto take = [this](const std::shared_ptr<const wire::Offered>& now) { takeOffers(*now); };
        waiting_ = Entry{workerJob<wire::OffersJob>(this, {}, {take}), ++lastId_, true};
    }
    if (!waiting_) return;
    readWhatIsWritten();  // of the job before
    if (!ready_ || !waiting_) return;
    active_ = std::exchange(waiting_, std::nullopt);
    stage_.clear();
    printed_ = {};
    emit jobBegins();
    if (active_->atOnce) {
        // A preview must be on its way before the window paints: what is left in the buffer waits for the
        // event loop.
        write(wire::encode(active_->message(active_->id, kernelSeconds())));
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
        if (active_->stale || active_->cancelled)
            failActive(stopped("stopped before it began"));
        else
            write(*watcher->result());
    });
    watcher->setFuture(
        QtConcurrent::run([message = active_->message, id = active_->id, limit = kernelSeconds()]() -> Bytes {
            return std::make_shared<std::vector<std::byte>>(wire::encode(message(id, limit)));
        }));
}

void WorkerClient::cancel() {
    if (const auto waiting = std::exchange(waiting_, std::nullopt)) fail(*waiting, stopped("cancelled"));
    if (active_ && !active_->isOffers) {
        active_->cancelled = true;
        askToStop();
    }
}

void WorkerClient::askToStop() {
    if (patience_.isActive() || !active_) return;
    write(wire::encode(wire::headed("cancel", active_->id)));
    stopAsked_.start();
    bePatient();
}

void WorkerClient::bePatient() {
    patience_.start();
    patient_.start();
    heard_ = 0;
}

void WorkerClient::kill() {
    const bool builds = active_ && (active_->builds || stage_ == QLatin1String(build_stage));
    if (builds && stopAsked_.elapsed() < buildPatienceMs) {
        bePatient();
        const Entry shown = waiting_ ? *waiting_ : *active_;  // a copy: the call may end the job
        if (shown.receiver && shown.progress)
            shown.progress(0, tr("waiting for kernels that are being compiled"));
        return;
    }
    // This thread was busy, so that the request may not have been sent yet, or not answered; or the worker
    // has begun to send a large answer, which cannot be interrupted.
    const bool maySoon = patient_.elapsed() > patienceMs + lateMs || heard_ > muchHeard;
    if (maySoon && stopAsked_.elapsed() < mostPatienceMs) return bePatient();
    killWith(stopped("stopped; the worker did not respond and is being restarted"));
}

void WorkerClient::endKernel() {
    if (!active_ || active_->stale || active_->cancelled) return;
    overLimit_ = true;
    killWith(Error(ErrorKind::run, did_not_end(stage_.toStdString(), kernelLimit_.intervalAsDuration()), {},
                   "\"Time limit of a kernel\" in the settings is this limit; the worker was stopped and "
                   "replaced, and the next run works as usual"));
}

void WorkerClient::killWith(const Error& error) {
    if (!active_ || !process_) return;
    killed_ = true;
    ready_ = false;
    process_->kill();
    // The job ends now: giving back the memory of a large one takes the system some tenths of a second more.
    ended_ = active_->isWanted() || active_->cancelled ? active_->name : QString();
    fail(*endActive(), error);
}

void WorkerClient::onOutput() {
    try {
        // What comes meanwhile has no signal of its own.
        for (QByteArray bytes = process_->readAllStandardOutput(); !bytes.isEmpty();
             bytes = process_->readAllStandardOutput()) {
            heard_ += bytes.size();
            decoder_.feed(
                {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())});
            while (auto message = decoder_.next()) onMessage(std::move(*message));
        }
    } catch (const std::exception& error) {
        complaints_ += QByteArray::fromStdString(problem_of(error));
        process_->kill();
    }
}

void WorkerClient::takeComplaints() {
    const QByteArray bytes = process_->readAllStandardError();
    complaints_ = (complaints_ + bytes).right(keptComplaints);
    printed_.add({bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

// QProcess may have read the answer from one pipe, but not yet what was written to the other one before it.
void WorkerClient::readWhatIsWritten() {
    QProcess* const process = process_.get();
    process->setReadChannel(QProcess::StandardError);
    while (process == process_.get() && process->waitForReadyRead(0)) {
    }
    process->setReadChannel(QProcess::StandardOutput);
}

void WorkerClient::onMessage(wire::Message message) {
    const nlohmann::json& header = message.header;
    const std::string type = message.type();
    const std::uint64_t job = header.value("job", catalogueJob);
    if (job == catalogueJob) return takeCatalogue(message);
    if (!active_ || active_->id != job) return;
    const bool wanted = active_->isWanted();
    const bool heard = wanted && active_->receiver;
    if (type == "progress") {
        stage_ = QString::fromStdString(header.value("stage", ""));
        if (limited_ && stage_.startsWith(QLatin1String(kernel_stage)))
            kernelLimit_.start();
        else
            kernelLimit_.stop();
        if (heard && active_->progress) active_->progress(header.value("fraction", 0.0), stage_);
    } else if (type == "error") {
        if (header.value("last", false)) {  // it is about to end
            asked_ = true;
            ready_ = false;
        }
        failActive(wanted || active_->cancelled ? wire::error_from(header.at("error")) : stopped(replaced));
    } else if (type == "part") {
        if (heard && active_->part) active_->part(message);
    } else if (type == "answer" && wanted) {
        deliver(std::move(message));
    } else if (type == "answer") {
        failActive(stopped(active_->cancelled ? "cancelled" : replaced));
    }
}

void WorkerClient::takeCatalogue(const wire::Message& message) {
    if (message.type() == "error") throw wire::error_from(message.header.at("error"));
    if (message.type() != "answer") return;
    catalogue_ = wire::answer_from<wire::CatalogueJob>(message);
    ready_ = true;
    offersWanted_ = false;
    deathsAtStart_ = 0;
    emit catalogueReady(catalogue_);
    sendNext();
}

void WorkerClient::takeOffers(const wire::Offered& now) {
    wire::Offered& before = catalogue_;
    if (ks::to_json(now) == ks::to_json(before)) return;
    before = now;
    emit catalogueReady(catalogue_);
}

void WorkerClient::readTexts() {
    std::vector<Variant> shipped;
    for (const auto& [analysis, ofDevices] : catalogue_.offers)
        for (const std::vector<Offer>& offers : ofDevices)
            for (const Offer& offer : offers)
                if (!offer.variant.from_user()) shipped.push_back(offer.variant);
    bool changed = false;
    const auto listing = UserVariantFolder(user_variants_folder(), std::move(shipped)).listing();
    for (const GoodUserVariant& one : listing->good) {
        const auto known = catalogue_.user_texts.find(one.variant.user_file);
        if (known == catalogue_.user_texts.end() || known->second == one.variant.source) continue;
        known->second = one.variant.source;
        changed = true;
    }
    if (changed) emit catalogueReady(catalogue_);
}

void WorkerClient::deliver(wire::Message message) {
    struct Outcome {
        std::function<void(const Printed&)> handOver;
        std::optional<Error> error;
    };
    patience_.stop();
    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, id = active_->id] {
        watcher->deleteLater();
        if (!active_ || active_->id != id) return;
        const Outcome outcome = watcher->result();
        if (!active_->isWanted()) return failActive(stopped(active_->cancelled ? "cancelled" : replaced));
        if (outcome.error) return failActive(*outcome.error);
        readWhatIsWritten();
        if (!active_ || active_->id != id) return;  // the worker has ended meanwhile
        if (endActive()->receiver) outcome.handOver(printed_);
        sendNext();
    });
    watcher->setFuture(QtConcurrent::run([read = active_->answer, message = std::move(message)]() -> Outcome {
        try {
            return {read(message), std::nullopt};
        } catch (const Error& error) {
            return {{}, error};
        } catch (const std::exception& error) {
            return {{}, Error(ErrorKind::run, problem_of(error))};
        }
    }));
}

std::optional<WorkerClient::Entry> WorkerClient::endActive() {
    patience_.stop();
    kernelLimit_.stop();
    return std::exchange(active_, std::nullopt);
}

void WorkerClient::failActive(const Error& error) {
    fail(*endActive(), error);
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
                                     : endedText(active_ && active_->isWanted() ? stage_ : QString(), how);
    ready_ = killed_ = overLimit_ = asked_ = false;
    takeComplaints();
    const std::string details = complaints_.toStdString();
    QString job = std::exchange(ended_, {});
    if (active_ && active_->isWanted()) job = active_->name;
    if (auto ended = endActive())
        failLater(std::move(*ended),
                  asked ? Error(ErrorKind::cancelled, reason.toStdString())
                        : Error(ErrorKind::run, endedText(stage_, how).toStdString(), {},
                                "the worker was restarted; the next run works as usual", details));
    if (!diedAtStart || asked) {
        start();
        emit workerRestarted(reason, job);
        return;
    }
    if (++deathsAtStart_ >= maxDeathsAtStart) {
        giveUp(Error(
            ErrorKind::run,
            tr("the worker stopped %1 times while starting (%2)").arg(deathsAtStart_).arg(how).toStdString(),
            program_.toStdString(), "try again with Tools > Restart worker", details));
        return;
    }
    backoff_.start(200 << (2 * (deathsAtStart_ - 1)));
}

void WorkerClient::giveUp(const Error& error) {
    givenUp_ = true;
    if (const auto waiting = std::exchange(waiting_, std::nullopt))
        fail(*waiting, Error(ErrorKind::run, "no worker is running"));
    emit workerGivenUp(error);
}

}  // namespace ks::ui
