#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/base/progress.h"
#include "core/record/saved_run.h"
#include "ui/runs/queue_panel.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"

namespace ks::ui {
void MainWindow::onCatalogue(const wire::Catalogue& catalogue) {
    request_->setCatalogue(catalogue);
    for (Page* one : files_.pages()) one->setCeilings(request_->ceilings());
}

QString MainWindow::missing() const {
    if (!page()) return tr("there is no page");
    if (file() && !files_.pageAccepts())
        return tr("the page %1 has no use for %2: open another file")
            .arg(page()->title(), QFileInfo(file()->path).fileName());
    return page()->missing();
}

Request MainWindow::makeRequest() const {
    if (!request_->analysis()) throw Error(ErrorKind::run, "the worker is not ready yet");
    if (const QString lacking = missing(); !lacking.isEmpty())
        throw Error(ErrorKind::input, lacking.toStdString());
    return request_->request();
}

void MainWindow::startRun() {
    try {
        const Request request = makeRequest();
        stopLive();
        errors_->dismiss();
        session_.run(request, true);
    } catch (const Error& error) {
        showError(error);
    }
    updateActions();
}

void MainWindow::previewWanted() {
    request_->showTraits();
    if (action(QStringLiteral("live"))->isChecked() && worker_.ready())
        live_.changed();
    else
        withdrawPreview();
    updateActions();
    showOutdated();
}

void MainWindow::withdrawPreview() {
    if (page()) page()->setPreview(nullptr);
}

// What was asked for is not waited for: a preview of what was there before must not stand for it.
void MainWindow::stopLive() {
    if (live_.behind()) withdrawPreview();
    live_.stop();
}

void MainWindow::showOutdated() {
    if (!page() || !request_->analysis()) return;
    const std::vector<RunRow> ticked = runs_.ticked(page()->analysis());
    const auto ofFile = [this](const RunRow& row) {
        return file() && std::ranges::any_of(row.run->request.inputs, [this](const auto& input) {
                   return input.second.name == file()->name.toStdString();
               });
    };
    const auto row = std::ranges::find_if(ticked, ofFile);
    page()->setOutdated(row == ticked.end() ? QStringList() : request_->differing(*row->run));
}

void MainWindow::repeat(int number) {
    const RunRow* row = runs_.find(number);
    if (!row) return;
    session_.run(row->run->request, false, *row);
    updateActions();
}

void MainWindow::measureCeilings(const DeviceInfo& device) {
    if (session_.running() || session_.measuring()) {
        statusBar()->showMessage(session_.running()
                                     ? tr("A run is under way: ceilings can be measured after it")
                                     : tr("Ceilings are being measured"),
                                 5000);
        return;
    }
    stopLive();
    session_.measureCeilings(device);
    updateActions();
}

void MainWindow::takeCeilings(const Ceilings& measured) {
    request_->takeCeilings(measured);
    for (Page* one : files_.pages()) one->setCeilings(request_->ceilings());
}

void MainWindow::cancel() {
    stopLive();
    session_.cancel();
    if (page()) page()->cancel();
    updateActions();
}

void MainWindow::makeQueue() {
    queue_ = new QueuePanel(session_.queue(), this);
    waiting_ = new QToolButton;
    waiting_->setAutoRaise(true);
    waiting_->setAccessibleName(tr("Queue of runs"));
    waiting_->setToolTip(tr("Runs that wait for their turn: shows them, and cancels one"));
    statusBar()->addPermanentWidget(waiting_);
    waiting_->hide();
    connect(waiting_, &QToolButton::clicked, this, [this] {
        const QPoint corner = waiting_->mapToGlobal(QPoint(waiting_->width(), 0));
        queue_->move(corner - QPoint(queue_->width(), queue_->height()));
        queue_->show();
    });
    connect(queue_, &QueuePanel::cancelRequested, &session_, &RunSession::cancelRun);
    connect(queue_, &QueuePanel::cancelAllRequested, this, &MainWindow::cancelAll);
    connect(&session_.queue(), &RunQueue::changed, this, &MainWindow::showQueue);
    connect(&session_, &RunSession::repeatReady, this, &MainWindow::tellWhetherSame);
}

void MainWindow::showQueue() {
    const int count = session_.queue().waiting();
    waiting_->setText(tr("%1 waiting").arg(count));
    waiting_->setVisible(count > 0);
    updateActions();
}

void MainWindow::cancelAll() {
    stopLive();
    session_.cancelAll();
    updateActions();
}

void MainWindow::onRunAdded(const std::shared_ptr<const Run>& run) {
    request_->showMemory(*run);
    const std::vector<std::string>& warnings = run->result.warnings;
    if (!warnings.empty()) {
        QStringList lines;
        for (const std::string& warning : warnings) lines << QString::fromStdString(warning);
        const QString first = lines.takeFirst();
        errors_->showWarning(lines.isEmpty() ? first : tr("%1 (and %2 more)").arg(first).arg(lines.size()),
                             lines.join('\n'));
    }
    updateActions();
}

void MainWindow::tellWhetherSame(const RunRow& before, const std::shared_ptr<const Run>& now) {
    jobs_.start(
        Jobs::Lane::general, QStringLiteral("compare with the run before"),
        [registry = registry_, before = before.run, now] {
            Progress progress;
            return difference_of_repeat(registry->analysis(now->request.analysis), *before, *now, progress);
        },
        [this, number = before.number](const std::optional<std::string>& difference) {
            if (difference)
                errors_->showWarning(tr("The run is not the same as run %1: %2")
                                         .arg(number)
                                         .arg(QString::fromStdString(*difference)));
            else
                statusBar()->showMessage(tr("The same bytes as run %1").arg(number), 15000);
            emit repeated(!difference.has_value());
        });
}

void MainWindow::showRuns() {
    for (Page* one : files_.pages()) {
        one->setPreview(nullptr);
        one->setRuns(runs_.ticked(one->analysis()));
    }
    updateActions();
    showOutdated();
}

void MainWindow::copyRuns() {
    QStringList lines;
    const auto line = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < runs_.columnCount(); ++column) cells << cell(column);
        lines << cells.join('\t');
    };
    line([&](int column) { return runs_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int row = 0; row < runs_.rowCount(); ++row)
        line([&](int column) { return runs_.index(row, column).data().toString(); });
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace ks::ui
