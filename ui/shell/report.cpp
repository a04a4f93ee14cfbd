#include "ui/shell/report.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QThread>
#include <functional>

#include "ui/plots/export_plot.h"
#include "ui/shell/appearance.h"
#include "ui/shell/main_window.h"
#include "ui/shell/variant_picker.h"

namespace ks::ui {
namespace {

constexpr qint64 patienceMs = 600'000;
constexpr std::uint64_t quickNs = 5'000'000'000;

void settle() {
    for (int i = 0; i < 4; ++i) {
        QApplication::sendPostedEvents();
        QApplication::processEvents(QEventLoop::AllEvents, 50);
        QThread::msleep(20);
    }
}

/// Lets the window work until `reached`; throws what it reports meanwhile.
void waitUntil(const char* what, const std::shared_ptr<Error>& failure,
               const std::function<bool()>& reached) {
    QElapsedTimer clock;
    clock.start();
    while (!reached()) {
        if (failure) throw *failure;
        if (clock.elapsed() > patienceMs)
            throw Error(ErrorKind::run, std::string("gave up waiting for ") + what);
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    }
}

void picture(MainWindow& window, const QSize& size, const QString& path) {
    window.resize(size);
    settle();
    if (!window.grab().save(path))
        throw Error(ErrorKind::input, "the picture cannot be written", path.toStdString());
}

}  // namespace

QStringList writeReport(MainWindow& window, const QString& name, const QDir& folder,
                        const ParameterSet& given) {
    if (!folder.mkpath(QStringLiteral(".")))
        throw Error(ErrorKind::input, "the folder cannot be made", folder.path().toStdString());
    std::shared_ptr<Error> failure;
    const auto keep = [&failure](const Error& error) { failure = std::make_shared<Error>(error); };
    QObject scope;
    QObject::connect(&window.jobs(), &Jobs::failed, &scope, keep);
    QObject::connect(&window.session(), &RunSession::failed, &scope, keep);
    QObject::connect(&window.worker(), &WorkerClient::workerGivenUp, &scope, keep);
    QObject::connect(&window, &MainWindow::openFailed, &scope, keep);
    // Any page may be the one that shows the file, and may refuse it at once.
    for (Page* const page : window.findChildren<Page*>()) QObject::connect(page, &Page::failed, &scope, keep);

    window.show();
    if (name.isEmpty())
        window.openDemo();
    else
        window.open(name);
    waitUntil("the file", failure, [&] { return window.file() != nullptr; });
    const auto ready = [&] {
        return window.worker().ready() && window.missing().isEmpty() && window.jobs().running() == 0;
    };
    waitUntil("the page", failure, ready);
    window.page()->apply(given);
    waitUntil("the page", failure, ready);
    const auto runOnce = [&] {
        const int before = window.runs().rowCount();
        window.startRun();
        waitUntil("the run", failure,
                  [&] { return window.runs().rowCount() > before && !window.session().busy(); });
    };
    runOnce();
    const QString standard = window.variants().variant();
    const bool quick = computeNanoseconds(*window.runs().rows().front().run) < quickNs;
    for (const Offer& offer : window.variants().offers()) {
        if (!quick || !offer.variant.baseline || !offer.why_not.empty()) continue;
        const QString id = QString::fromStdString(offer.variant.id);
        if (id == standard || !window.variants().setVariant(id)) continue;
        runOnce();
        break;
    }
    window.variants().setVariant(standard);
    for (const RunRow& row : std::vector<RunRow>(window.runs().rows()))
        window.runs().setTicked(row.number, true);

    QStringList files;
    const auto file = [&](const QString& leaf) {
        files << folder.filePath(leaf);
        return files.back();
    };
    picture(window, {2560, 1440}, file(QStringLiteral("window-large.png")));
    picture(window, {1280, 800}, file(QStringLiteral("window.png")));
    if (const std::vector<NamedPlot> plots = window.page()->plots(); !plots.empty())
        for (const char* suffix : {".png", ".svg"})
            exportPlot(*plots.front().plot, file(window.resultName() + QLatin1String(suffix)).toStdString(),
                       true);
    // What is saved is the newest ticked run: the default variant's, not the yardstick's.
    if (window.runs().rowCount() > 1) window.runs().setTicked(window.runs().rows().front().number, false);
    int written = 0;
    QObject::connect(&window, &MainWindow::saved, &scope, [&written] { ++written; });
    window.saveRun(file(QStringLiteral("run.h5")), true);
    window.saveCsv(file(window.resultName() + QStringLiteral(".csv")), true);
    waitUntil("the saved files", failure, [&] { return written == 2; });
    if (window.runs().rowCount() > 1) window.runs().setTicked(window.runs().rows().front().number, true);
    const QPalette before = QApplication::palette();
    applyAppearance(*qApp, Appearance::dark);
    picture(window, {1280, 800}, file(QStringLiteral("dark.png")));
    QApplication::setPalette(before);
    return files;
}

}  // namespace ks::ui
