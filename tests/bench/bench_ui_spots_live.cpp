// How soon the spots follow a hand: a threshold's slider is moved by keys, and each preview of the shown
// frame is timed from the key to the painted overlay, and its parts: stages of the worker, the models of the
// window, made once more, and the picture; what is left is the way to the worker and back. Usage:
// bench_ui_spots_live FILE   (kernelscope-cli generate spots --out FILE --height 4362 --width 4148)

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/image/view/detector_view.h"
#include "ui/shell/main_window.h"
#include "ui/spots/found_spots.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

using namespace ks::ui;

namespace {

constexpr int warmUp = 5, moves = 25, burst = 40;

void row(const char* what, std::vector<double> times) {
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    const auto at = [&](double part) {
        return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
    };
    std::printf("| %s | %.1f | %.1f .. %.1f | %zu |\n", what, at(0.5), at(0.25), at(0.75), times.size());
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    useBuiltWorker();
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_ui_spots_live FILE\n");
        return 2;
    }
    QTemporaryDir folder;
    MainWindow window(std::make_unique<QSettings>(folder.filePath("bench.ini"), QSettings::IniFormat));
    window.resize(1600, 1000);
    window.show();
    window.setPage(QStringLiteral("spots"));
    auto* page = dynamic_cast<spots::SpotsPage*>(window.page());
    window.open(QString::fromLocal8Bit(argv[1]));
    if (!page || !waitFor([&] { return window.worker().ready() && page->image().frame(); }, 60000)) {
        std::fprintf(stderr, "%s could not be opened on the page Spots\n", argv[1]);
        return 1;
    }
    waitFor([] { return false; }, 1500);  // the file's mask, levels of detail
    QSignalSpy ready(&window.live(), &LivePreview::ready);
    const auto idle = [&] { return !window.queue().previewing() && window.live().share() <= 0; };
    QSlider* slider = page->form().value("sigma_b").slider();
    slider->setFocus();

    std::vector<double> took, handled;
    std::map<std::string, std::vector<double>> stages;
    std::string variant;
    QElapsedTimer since;
    double overlay = 0, paint = 0;
    QObject::connect(page, &spots::SpotsPage::overlayShown, [&] {
        const double before = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        page->image().repaint();
        if (overlay > 0) return;
        overlay = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        paint = overlay - before;
    });
    for (int move = 0; move < warmUp + moves; ++move) {
        ready.clear();
        overlay = 0;
        since.start();
        QTest::keyClick(slider, move % 2 ? Qt::Key_Right : Qt::Key_Left);
        const double after = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        if (!waitFor([&] { return overlay > 0; }, 60000)) return 1;
        const double now = overlay, painted = paint;
        waitFor([&] { return !ready.isEmpty() && idle(); }, 60000);
        if (move < warmUp) continue;
        const auto run = ready.first().at(0).value<std::shared_ptr<const ks::Run>>();
        took.push_back(now);
        handled.push_back(after);
        for (const ks::Timing& stage : run->timings)
            stages[stage.stage].push_back(static_cast<double>(stage.nanoseconds) * 1e-6);
        const double worker = static_cast<double>(run->wall_nanoseconds) * 1e-6;
        since.start();
        const spots::FoundSpots models(run, 0);
        const double modelled = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        variant = run->request.variant;
        stages["in the worker"].push_back(worker);
        stages["in the window: models"].push_back(modelled);
        stages["in the window: paint"].push_back(painted);
        stages["to the worker and back"].push_back(now - worker - modelled - painted);
    }
    // A hand that does not stop: overlays come while it moves.
    int shown = 0;
    QObject::connect(page, &spots::SpotsPage::overlayShown, [&] { ++shown; });
    since.start();
    for (int move = 0; move < burst; ++move) {
        QTest::keyClick(slider, move < burst / 2 ? Qt::Key_Right : Qt::Key_Left);
        waitFor([] { return false; }, 25);
    }
    const double seconds = static_cast<double>(since.elapsed()) * 1e-3;
    const int during = shown;
    std::printf("| from the key to | median, ms | quartiles, ms | moves |\n| --- | ---: | ---: | ---: |\n");
    row("the painted overlay", took);
    row("the key is handled", handled);
    for (const auto& [stage, times] : stages) row(stage.c_str(), times);
    std::printf("\n%d overlays in %.1f s of steady moving\nvariant: %s\nshown: %s\n", during, seconds,
                variant.c_str(), qPrintable(page->form().live()));
    return 0;
}
