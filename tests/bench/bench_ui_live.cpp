// How soon g2 follows a hand: an edge of a ring is dragged on the detector image, and each first preview is
// timed from the mouse move to the curves in the plot. Usage: bench_ui_live FILE   (kernelscope-cli generate
// xpcs --out FILE)

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/main_window.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

namespace {

constexpr int warmUp = 5, drags = 25;

void row(const char* what, std::vector<double> times) {
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
        std::fprintf(stderr, "usage: bench_ui_live FILE\n");
        return 2;
    }
    QTemporaryDir folder;
    MainWindow window(std::make_unique<QSettings>(folder.filePath("bench.ini"), QSettings::IniFormat));
    window.resize(1600, 1000);
    window.show();
    window.open(argv[1]);
    auto& page = dynamic_cast<xpcs::XpcsPage&>(*window.page());
    if (!waitFor([&] { return window.worker().ready() && page.missing().isEmpty() && page.image().frame(); },
                 60000)) {
        std::fprintf(stderr, "%s could not be opened\n", argv[1]);
        return 1;
    }
    xpcs::PartitionChoice choice = page.partitionForm().choice();
    const double height = static_cast<double>(page.partition()->height()),
                 width = static_cast<double>(page.partition()->width());
    ks::Geometry geometry = page.imagePanel().geometry();
    geometry.beam_x = width / 2;
    geometry.beam_y = height / 2;
    page.imagePanel().geometryForm().session().setGeometry(geometry, true);
    choice.source = xpcs::PartitionChoice::Rings;
    choice.recipe.geometry = geometry;
    choice.recipe.in_q = false;
    choice.recipe.radial = ks::linear_levels(10, 160, 15);
    page.partitionForm().setChoice(choice);
    QSignalSpy ready(&window.live(), &LivePreview::ready);
    const auto idle = [&] { return !window.queue().previewing() && window.live().share() <= 0; };
    waitFor([&] { return page.bins().rowCount() == 15 && !ready.isEmpty() && idle(); }, 120000);

    std::vector<double> first, whole;
    QElapsedTimer since;
    double partitioned = 0;
    QObject::connect(&page, &xpcs::XpcsPage::partitionShown,
                     [&] { partitioned = static_cast<double>(since.nsecsElapsed()) * 1e-6; });
    std::map<std::string, std::vector<double>> stages;
    std::size_t delays = 0;
    DetectorView& view = page.image();
    for (int drag = 0; drag < warmUp + drags; ++drag) {
        const double radius = ks::edges(page.partitionForm().choice().recipe)[3];
        const QPoint from = view.toWidget({geometry.beam_x + radius, geometry.beam_y}).toPoint();
        QTest::mouseMove(&view, from);
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        ready.clear();
        partitioned = 0;
        since.start();
        QTest::mouseMove(&view, from + QPoint(drag % 2 ? -6 : 6, 0));
        const double handled = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        if (!waitFor([&] { return partitioned > 0; }, 30000)) return 1;
        if (!waitFor([&] { return !ready.isEmpty(); }, 30000)) return 1;
        const double took = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        const auto run = ready.first().at(0).value<std::shared_ptr<const ks::Run>>();
        if (drag >= warmUp) {
            stages["the mouse move is handled"].push_back(handled);
            stages["the bins are shown"].push_back(partitioned);
            for (const ks::Timing& stage : run->timings)
                stages[stage.stage].push_back(static_cast<double>(stage.nanoseconds) * 1e-6);
            stages["in the worker"].push_back(static_cast<double>(run->wall_nanoseconds) * 1e-6);
            delays = run->result.at("g2").values.shape()[1];
        }
        if (!waitFor([&] { return ready.last().at(1).toBool() && idle(); }, 30000)) return 1;
        const double all = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        QTest::mouseRelease(&view, Qt::LeftButton, {}, from + QPoint(drag % 2 ? -6 : 6, 0));
        ready.clear();
        waitFor([&] { return !ready.isEmpty() && ready.last().at(1).toBool() && idle(); }, 3000);
        if (drag < warmUp) continue;
        first.push_back(took);
        whole.push_back(all);
    }
    std::printf(
        "| from the mouse move to | median, ms | quartiles, ms | drags |\n| --- | ---: | ---: | ---: |\n");
    row("the first preview", first);
    row("all delays", whole);
    for (const auto& [stage, times] : stages) row(("of the first preview: " + stage).c_str(), times);
    std::printf("\n%zu delays in the first preview", delays);
    std::printf("\nshown: %s\n", qPrintable(page.curves().note()));
    return 0;
}
