#include "ui/kernels/access/access_check.h"

#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/threads.h"
#include "core/judge/judge_step.h"
#include "core/judge/signal_text.h"
#include "ui/runs/worker_client.h"

namespace ks::ui {
namespace {

/// The process first asks its worker to stop, and kills it after 1.6 s.
constexpr int endMs = 3000;
/// Deadline for a process that is told to end when the program ends.
constexpr int lastMs = 2000;

/// Lets a process end on its own, and kills it if that takes too long; its output is no longer read.
void letEnd(QProcess* process) {
    process->disconnect();
    if (process->state() == QProcess::NotRunning) return process->deleteLater();
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    QTimer::singleShot(endMs, process, &QProcess::kill);
    process->terminate();
}

/// Each problem once, by the title of its run without the part that `simulated` already states.
QString problemsOf(const nlohmann::json& runs) {
    QStringList ran, simulated;
    for (const nlohmann::json& run : runs) {
        if (run.contains("not_simulated")) continue;
        QStringList& all = run.at("simulated").get<bool>() ? simulated : ran;
        QString title = QString::fromStdString(run.at("title").get<std::string>());
        title.replace(QStringLiteral(", simulated as "), QStringLiteral(", as "));
        title.remove(QStringLiteral(", simulated"));
        if (!all.contains(title)) all << title;
    }
    const QString joint = QStringLiteral("; ");
    if (simulated.isEmpty()) return ran.join(joint);
    return AccessCheck::tr("%1; simulated: %2").arg(ran.join(joint), simulated.join(joint));
}

}  // namespace

AccessCheck::AccessCheck(QString program, QObject* parent)
    : QObject(parent), program_(program.isEmpty() ? WorkerClient::standardProgram() : std::move(program)) {}

AccessCheck::~AccessCheck() {
    if (!process_) return;
    process_->disconnect();
    process_->terminate();
    if (!process_->waitForFinished(lastMs)) {
        process_->kill();
        process_->waitForFinished(lastMs);
    }
}

QString AccessCheck::findingsFile() const {
    return folder_->filePath(QStringLiteral("findings.json"));
}

void AccessCheck::start(const AccessPlan& plan) {
    cancel();
    folder_ = std::make_unique<QTemporaryDir>();
    if (!folder_->isValid())
        return emit failed(Error(ErrorKind::run,
                                 "the temporary folder for the results of the check cannot be created",
                                 folder_->path().toStdString(), folder_->errorString().toStdString()));
    step_.clear();
    complaint_.clear();
    begun_.clear();
    process_ = new QProcess(this);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("KERNELSCOPE_VARIANTS"), plan.folder);
    process_->setProcessEnvironment(environment);
    process_->setStandardOutputFile(QProcess::nullDevice());
    connect(process_, &QProcess::readyReadStandardError, this, &AccessCheck::readProgress);
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        onEnded(status == QProcess::CrashExit ? QString::fromStdString(signal_text(code))
                                              : tr("exit code %1").arg(code));
    });
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) onEnded(process_->errorString());
    });
    QStringList arguments{
        QStringLiteral("judge"),     plan.analysis, QStringLiteral("--variant"), plan.variant,
        QStringLiteral("--device"),  plan.device,   QStringLiteral("--json"),    findingsFile(),
        QStringLiteral("--progress")};
    if (const auto limit = thread_limit())
        arguments << QStringLiteral("--threads") << QString::number(*limit);
    arguments << plan.choices;
    process_->start(program_, arguments);
}

void AccessCheck::cancel() {
    if (process_) letEnd(std::exchange(process_, nullptr));
}

void AccessCheck::readProgress() {
    begun_ += process_->readAllStandardError();
    for (qsizetype end = begun_.indexOf('\n'); end >= 0; end = begun_.indexOf('\n')) {
        const QString line = QString::fromUtf8(begun_.left(end));
        begun_.remove(0, end + 1);
        takeLine(line);
    }
}

void AccessCheck::takeLine(const QString& line) {
    static const QRegularExpression told(QStringLiteral("^(.*) [0-9]+%$"));
    const QRegularExpressionMatch match = told.match(line);
    if (!match.hasMatch()) {
        complaint_ = line;
        return;
    }
    const QString stage = match.captured(1), step = QLatin1String(judge_step);
    const bool begins = stage.startsWith(step);
    if (begins) step_ = stage.mid(step.size());
    emit progress(step_, begins ? QString() : stage);
}

AccessFindings AccessCheck::readFindings() const {
    QFile file(findingsFile());
    if (!file.open(QIODevice::ReadOnly)) throw Error(ErrorKind::run, "no results were written");
    return guarded("the results of judge", [&] {
        const nlohmann::json json = nlohmann::json::parse(file.readAll().toStdString());
        AccessFindings all;
        for (const nlohmann::json& one : json.at("findings"))
            all.findings.push_back(ks::from_json<Finding>(one, "a finding"));
        // Its questions are not known then; one of them shows the lines.
        if (const auto races = std::ranges::find(all.findings, std::string("races"), &Finding::id);
            races != all.findings.end())
            if (const std::string log = json.value("simulator_log", ""); !log.empty())
                races->details += (races->details.empty() ? "" : "\n") + log;
        all.textHash = QString::fromStdString(json.value("text_hash", ""));
        if (std::ranges::any_of(all.findings, [](const Finding& finding) {
                return finding.id == "builds" && finding.state == Finding::State::no;
            }))
            return all;
        all.problems = problemsOf(json.at("runs"));
        if (const std::string choices = json.value("choices", ""); !choices.empty())
            all.problems = tr("with %1: %2").arg(QString::fromStdString(choices), all.problems);
        return all;
    });
}

void AccessCheck::onEnded(const QString& how) {
    if (!process_) return;
    readProgress();
    if (!begun_.isEmpty()) takeLine(QString::fromUtf8(begun_));
    std::exchange(process_, nullptr)->deleteLater();
    try {
        // A wrong kernel is not a failure: judge then exits with 1, but has written its findings.
        const AccessFindings findings = readFindings();
        emit found(findings);
    } catch (const Error& error) {
        const bool refused = !complaint_.isEmpty() && !QFileInfo::exists(findingsFile());
        QString why = refused ? complaint_ : tr("%1 (%2)").arg(QString::fromStdString(error.message()), how);
        why.remove(QRegularExpression(QStringLiteral("^kernelscope-cli: ")));
        emit failed(Error(ErrorKind::run, why.toStdString()));
    }
}

}  // namespace ks::ui
