#include "ui/shell/report.h"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QPixmap>
#include <QStatusBar>
#include <QThread>
#include <algorithm>
#include <cmath>

#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/appearance.h"
#include "ui/base/palette.h"
#include "ui/base/save_guard.h"
#include "ui/plots/export_plot.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/main_window.h"

namespace ks::ui {
namespace {

constexpr qint64 reportPatienceMs = 600'000;
constexpr double longestMs = 10'000;  ///< of the baseline
constexpr qint64 probeMs = 1000;      ///< of it, from which the total is estimated

void settle() {
    for (int i = 0; i < 4; ++i) {
        QApplication::sendPostedEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // there is no event loop to do it
        QApplication::processEvents(QEventLoop::AllEvents, 50);
        QThread::msleep(20);
    }
}

/// Processes events until `reached` is true; throws errors reported meanwhile.
void waitUntil(const char* what, const std::shared_ptr<Error>& failure,
               const std::function<bool()>& reached) {
    QElapsedTimer clock;
    clock.start();
    while (!reached()) {
        if (failure) throw *failure;
        if (clock.elapsed() > reportPatienceMs)
            throw Error(ErrorKind::run, std::string("timed out waiting for ") + what);
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    }
}

/// Runs the current choice, but stops it if, according to its first second, it would take longer than
/// `maxMs`.
/// @return the estimate in milliseconds, 0 if it ran to its end
double runWithin(MainWindow& window, const std::shared_ptr<Error>& failure, double maxMs) {
    const int before = window.runs().rowCount();
    const auto added = [&] { return window.runs().rowCount() > before; };
    QElapsedTimer clock;
    clock.start();
    QString stage;
    qint64 stageBegan = 0;
    double estimate = 0;
    QObject scope;
    QObject::connect(&window.queue(), &RunQueue::progress, &scope, [&](double fraction, const QString& name) {
        if (name != stage) stageBegan = clock.elapsed();
        stage = name;
        const auto spent = static_cast<double>(clock.elapsed() - stageBegan);
        const double whole = fraction > 0 ? spent / fraction : 0;
        if (!added() && spent >= probeMs && whole > maxMs) estimate = whole;
    });
    window.startRun();
    waitUntil("the run", failure, [&] {
        if (!added() && static_cast<double>(clock.elapsed()) > maxMs)
            estimate = std::max(estimate, static_cast<double>(clock.elapsed()));
        return estimate > 0 || (added() && !window.queue().busy());
    });
    if (estimate == 0) return 0;
    window.queue().cancel();
    waitUntil("the run's end", failure, [&] { return !window.queue().busy(); });
    window.statusBar()->clearMessage();  // no user asked for that
    return added() ? 0 : estimate;
}

/// Runs the baseline, if that takes no longer than longestMs, and then the chosen variant: figures and badges
/// are about the newest run.
void runAndCompare(MainWindow& window, const std::shared_ptr<Error>& failure,
                   const std::function<void(const QString&)>& note) {
    const QString standard = window.variants().variant();
    for (const Offer& offer : window.variants().offers()) {
        if (!offer.variant.baseline || !offer.why_not.empty()) continue;
        const QString id = QString::fromStdString(offer.variant.id);
        if (id == standard || !window.variants().setVariant(id)) continue;
        note(QStringLiteral("running %1, the baseline").arg(id));
        if (const double estimate = runWithin(window, failure, longestMs); estimate > 0)
            note(QStringLiteral("%1 is skipped: it would take %2 or more")
                     .arg(id, formatDuration(estimate * 1e6)));
        break;
    }
    window.variants().setVariant(standard);
    note(QStringLiteral("running %1").arg(standard));
    runWithin(window, failure, HUGE_VAL);
}

QString nameOf(const RunRow& row) {
    return QStringLiteral("run %1 (%2)").arg(row.number).arg(QString::fromStdString(shown_variant(*row.run)));
}

/// Which runs the files are of. @param rows newest first
QString contentsLine(const std::vector<RunRow>& rows) {
    const QString chosen = nameOf(rows.front());
    if (rows.size() == 1) return QStringLiteral("pictures, figures and data: %1").arg(chosen);
    return QStringLiteral("pictures and figures: %1, compared with %2; data: run %3")
        .arg(chosen, nameOf(rows.back()))
        .arg(rows.front().number);
}

QString resultLine(const RunRow& row) {
    const Run& run = *row.run;
    const QString verdict = QString::fromStdString(run.verdict.text);
    return QStringLiteral("run %1: %2 on %3: %4 compute time%5")
        .arg(QString::number(row.number), QString::fromStdString(shown_variant(run)),
             QString::fromStdString(run.devices.empty() ? run.device.name : shares_text(run.devices)),
             formatDuration(static_cast<double>(computeNanoseconds(run))),
             verdict.isEmpty() ? QString() : QStringLiteral("; check: ") + verdict);
}

void picture(MainWindow& window, const QSize& size, const QString& path) {
    window.resize(size);
    settle();
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    if (!window.grab().save(&drawn, "PNG"))
        throw Error(ErrorKind::run, "the picture could not be drawn", path.toStdString());
    io::write_text(path.toStdString(), drawn.data().toStdString(), true);
}

}  // namespace

QStringList writeReport(MainWindow& window, const QString& name, const QDir& folder,
                        const ParameterSet& given, const std::function<void(const QString&)>& say) {
    if (!folder.mkpath(QStringLiteral(".")))
        throw Error(ErrorKind::input, "the folder cannot be created", folder.path().toStdString());
    std::shared_ptr<Error> failure;
    // Only runWithin() stops anything.
    const auto keep = [&failure](const Error& error) {
        if (error.kind() != ErrorKind::cancelled) failure = std::make_shared<Error>(error);
    };
    QStringList notes;
    const auto note = [&](const QString& line) {
        notes << line;
        if (say) say(line);
    };
    QObject scope;
    QObject::connect(&window.jobs(), &Jobs::failed, &scope, keep);
    QObject::connect(&window.messages(), &Messages::failed, &scope, keep);
    QObject::connect(&window.queue(), &RunQueue::failed, &scope, keep);
    QObject::connect(&window.worker(), &WorkerClient::workerGivenUp, &scope, keep);
    QObject::connect(&window.files(), &FileSession::notOpened, &scope, keep);
    // Any page may be the one that shows the file, and may reject it at once.
    for (Page* const page : window.findChildren<Page*>()) QObject::connect(page, &Page::failed, &scope, keep);

    window.show();
    const AnalysisPage* const page = window.analysisPage();
    if (!name.isEmpty())
        window.open(name);
    else if (page && !page->demos().empty())
        window.openDemo();
    // A page whose input follows from its parameters needs no file.
    if (!name.isEmpty() || !page || page->needsFile())
        waitUntil("the file", failure, [&] { return window.file() != nullptr; });
    const auto ready = [&] {
        return window.worker().ready() && window.missing().isEmpty() && window.jobs().running() == 0;
    };
    waitUntil("the page", failure, ready);
    if (AnalysisPage* const shown = window.analysisPage()) shown->apply(given);
    waitUntil("the page", failure, ready);
    runAndCompare(window, failure, note);
    for (const RunRow& row : std::vector<RunRow>(window.runs().rows()))
        window.runs().setTicked(row.number, true);

    QStringList files;
    const auto file = [&](const QString& leaf) {
        files << folder.filePath(leaf);
        io::require_not_read("the report", files.back().toStdString(), filesRead(&window));
        return files.back();
    };
    picture(window, {2560, 1440}, file(QStringLiteral("window-large.png")));
    picture(window, {1280, 800}, file(QStringLiteral("window.png")));
    if (const std::vector<NamedPlot> plots = window.page()->plots(); !plots.empty())
        for (const char* suffix : {".png", ".svg"})
            exportPlot(*plots.front().plot, file(window.resultName() + QLatin1String(suffix)).toStdString(),
                       true);
    const QPalette before = QApplication::palette();
    applyAppearance(*qApp, Appearance::dark);
    picture(window, {1280, 800}, file(QStringLiteral("dark.png")));
    QApplication::setPalette(before);
    int written = 0;
    QObject::connect(&window.runFiles(), &RunFiles::saved, &scope, [&written] { ++written; });
    window.saveRun(file(QStringLiteral("run.h5")), true);
    waitUntil("the saved run", failure, [&] { return written == 1; });
    // After the pictures, in which the reason why there is no table would stand as an error.
    window.saveCsv(file(window.resultName() + QStringLiteral(".csv")), true);
    try {
        waitUntil("the table", failure, [&] { return written == 2; });
    } catch (const Error& error) {
        // The folder and its disk are those of run.h5: it is the result that is no table.
        if (error.kind() != ErrorKind::input) throw;
        failure.reset();
        files.removeLast();
        note(QStringLiteral("no CSV: %1").arg(QString::fromStdString(error.message())));
    }
    notes << contentsLine(window.runs().rows());
    for (const RunRow& row : window.runs().rows()) notes << resultLine(row);
    io::write_text(file(QStringLiteral("report.txt")).toStdString(),
                   (notes.join(QLatin1Char('\n')) + QLatin1Char('\n')).toStdString(), true);
    return files;
}

}  // namespace ks::ui
