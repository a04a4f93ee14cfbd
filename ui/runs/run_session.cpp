#include "ui/runs/run_session.h"

#include "ui/runs/run_table_model.h"
#include "ui/runs/worker_client.h"

namespace ks::ui {

RunSession::RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent)
    : QObject(parent), worker_(worker), runs_(runs) {
    connect(&worker_, &WorkerClient::runFinished, this, &RunSession::onRun);
    connect(&worker_, &WorkerClient::verdictReady, this, &RunSession::onVerdict);
    connect(&worker_, &WorkerClient::ceilingsReady, this, [this](int job, const Ceilings& ceilings) {
        if (job != measureJob_) return;
        measureJob_ = 0;
        emit ceilingsReady(ceilings);
        next();
    });
    connect(&worker_, &WorkerClient::jobFailed, this, &RunSession::onFailed);
    connect(&worker_, &WorkerClient::progress, this, [this](int job, double fraction, const QString& stage) {
        if (job == runJob_)
            emit progress(fraction, stage);
        else if (job == checkJob_)
            emit progress(fraction, tr("check: %1").arg(stage));
        else if (job == measureJob_)
            emit progress(fraction, tr("ceilings: %1").arg(stage));
    });
}

void RunSession::run(const Request& request, bool alone) {
    putCheckBack();
    alone_ = alone;
    runJob_ = worker_.run(request);
    emit busyChanged(true, tr("Running %1").arg(QString::fromStdString(request.variant)));
}

void RunSession::preview(const Request& request) {
    if (runJob_ != 0 || measureJob_ != 0) return;
    putCheckBack();
    previewJob_ = worker_.run(request);
}

void RunSession::measureCeilings(const DeviceInfo& device) {
    if (runJob_ != 0 || measureJob_ != 0) return;
    putCheckBack();
    measureJob_ = worker_.measureCeilings(device);
    emit busyChanged(true, tr("Measuring what %1 can do at most").arg(QString::fromStdString(device.name)));
}

void RunSession::putCheckBack() {
    if (checkJob_ == 0) return;
    // The newer job makes the check stale: it waits for its turn again.
    checks_.push_front(checking_);
    runs_.setChecking(checking_.number, false);
    checkJob_ = 0;
}

void RunSession::checkFully(int number) {
    checks_.push_back({number, CheckMode::full});
    next();
}

void RunSession::cancel() {
    checks_.clear();
    worker_.cancel();
}

void RunSession::onRun(int job, std::shared_ptr<const Run> run) {
    if (job == previewJob_) {
        previewJob_ = 0;
        emit previewReady(std::move(run));
        next();
        return;
    }
    if (job != runJob_) return;
    runJob_ = 0;
    const int number = runs_.addRun(run, alone_);
    if (run->verdict.state == Verdict::State::unchecked) checks_.push_back({number, CheckMode::sample});
    emit runAdded(number, std::move(run));
    next();
}

void RunSession::onVerdict(int job, const Verdict& verdict) {
    if (job != checkJob_) return;
    checkJob_ = 0;
    runs_.setVerdict(checking_.number, verdict);
    emit verdictChanged(checking_.number);
    next();
}

void RunSession::onFailed(int job, const Error& error) {
    if (job == runJob_) {
        runJob_ = 0;
    } else if (job == measureJob_) {
        measureJob_ = 0;
    } else if (job == checkJob_) {
        checkJob_ = 0;
        runs_.setChecking(checking_.number, false);
    } else {
        if (job != previewJob_) return;
        previewJob_ = 0;
        emit previewFailed(error);
        next();
        return;
    }
    emit failed(error);
    next();
}

void RunSession::next() {
    while (runJob_ == 0 && measureJob_ == 0 && checkJob_ == 0 && previewJob_ == 0 && !checks_.empty()) {
        checking_ = checks_.front();
        checks_.pop_front();
        const RunRow* row = runs_.find(checking_.number);
        if (!row) continue;
        checkJob_ = worker_.check(row->run, checking_.mode);
        runs_.setChecking(checking_.number, true);
        emit busyChanged(true, tr("Checking run %1").arg(checking_.number));
        return;
    }
    if (!busy()) emit busyChanged(false, {});
}

}  // namespace ks::ui
