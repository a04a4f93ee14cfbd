// How soon another page is on the screen: from the key to the window painted whole. Each page is measured
// with the file open, after it was shown once. Usage: bench_ui_pages FILE   (kernelscope-cli generate spots
// --out FILE --height 4362 --width 4148)

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/shell/main_window.h"

using namespace ks::ui;

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    useBuiltWorker();
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_ui_pages FILE\n");
        return 2;
    }
    constexpr int rounds = 15, calmMs = 400;
    QTemporaryDir folder;
    MainWindow window(std::make_unique<QSettings>(folder.filePath("bench.ini"), QSettings::IniFormat));
    window.resize(1920, 1080);
    window.show();
    window.setPage(QStringLiteral("spots"));
    window.open(QString::fromLocal8Bit(argv[1]));
    if (!waitFor([&] { return window.worker().ready() && window.file(); }, 60000)) {
        std::fprintf(stderr, "%s could not be opened\n", argv[1]);
        return 1;
    }
    const auto calm = [] { waitFor([] { return false; }, calmMs); };
    calm();
    std::map<QString, std::vector<double>> times;
    QElapsedTimer since;
    for (int round = -1; round < rounds; ++round)
        for (const QString& page : window.pageIds()) {
            since.start();
            window.setPage(page);
            window.repaint();
            if (round >= 0) times[page].push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
            calm();
        }
    std::printf("| to the page | median, ms | quartiles, ms |\n| --- | ---: | ---: |\n");
    for (const QString& page : window.pageIds()) {
        std::vector<double>& all = times[page];
        std::sort(all.begin(), all.end());
        const auto at = [&](std::size_t quarters) { return all[quarters * (all.size() - 1) / 4]; };
        std::printf("| %s | %.1f | %.1f .. %.1f |\n", qPrintable(page), at(2), at(1), at(3));
    }
    return 0;
}
