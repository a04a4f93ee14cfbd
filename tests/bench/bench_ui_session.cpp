// How soon a session is back. Usage: bench_ui_session FILE [FRAME]
// A window opens the file, shows the frame, draws a mask, and closes; another one is begun with its session.
// Measured from the begin of the session: until the frame is on the screen, and until all is back.

#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>
#include <cstdlib>

#include "core/data/regions/region_shapes.h"
#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

namespace {

std::unique_ptr<MainWindow> window(const QTemporaryDir& folder, const char* settings) {
    auto made = std::make_unique<MainWindow>(
        std::make_unique<QSettings>(folder.filePath(QLatin1String(settings)), QSettings::IniFormat));
    made->resize(1920, 1080);
    made->show();
    return made;
}

xpcs::XpcsPage& page(MainWindow& of) {
    return dynamic_cast<xpcs::XpcsPage&>(*of.page());
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    useBuiltWorker();
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_ui_session FILE [FRAME]\n");
        return 2;
    }
    const int frame = argc > 2 ? std::atoi(argv[2]) : 0;
    const QTemporaryDir folder;
    {
        const auto shown = window(folder, "first.ini");
        shown->setPage(QStringLiteral("xpcs"));
        shown->kept().begin(folder.filePath("sessions"), WindowSession::Begin::bySetting);
        QElapsedTimer clock;
        clock.start();
        shown->open(QString::fromLocal8Bit(argv[1]));
        if (!waitFor([&] { return page(*shown).imagePanel().frame() != nullptr; }, 60000)) return 1;
        std::printf("opened without a session: first frame after %lld ms\n",
                    static_cast<long long>(clock.elapsed()));
        page(*shown).imagePanel().slider().setFrame(frame);
        RegionEditor& editor = page(*shown).imagePanel().editor();
        const auto size = static_cast<double>(editor.width());
        for (int i = 0; i < 50; ++i)
            editor.apply(ks::ellipse_region(editor.height(), editor.width(), {size * i / 50, size * i / 50},
                                            size / 80, size / 40),
                         true, QStringLiteral("Ellipse"));
        waitFor([&] { return shown->jobs().running() == 0; }, 60000);
        shown->close();
    }
    for (int turn = 0; turn < 5; ++turn) {
        QElapsedTimer clock;
        clock.start();
        const auto shown = window(folder, qPrintable(QStringLiteral("%1.ini").arg(turn)));
        const qint64 made = clock.restart();
        bool back = false;
        QObject::connect(&shown->kept(), &WindowSession::broughtBack, [&] { back = true; });
        shown->kept().begin(folder.filePath("sessions"), WindowSession::Begin::bySetting);
        const auto framed = [&] {
            const auto& panel = page(*shown).imagePanel();
            return panel.frame() && panel.shownFrame() == frame;
        };
        if (!waitFor(framed, 60000)) return 1;
        shown->grab();
        const qint64 first = clock.elapsed();
        waitFor([&] { return back; }, 60000);
        std::printf("window made in %lld ms; frame %d after %lld ms, all after %lld ms\n",
                    static_cast<long long>(made), page(*shown).imagePanel().shownFrame(),
                    static_cast<long long>(first), static_cast<long long>(clock.elapsed()));
        shown->close();
    }
    return 0;
}
