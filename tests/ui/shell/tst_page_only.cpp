#include <QAction>
#include <QDockWidget>
#include <QTabWidget>
#include <QtTest>

#include "tests/ui/child.h"
#include "tests/ui/shell/particles_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/plane_maps.h"
#include "ui/runs/runs_panel.h"

using ks::tests::child;
using namespace ks::ui;
using ks::ui::particles::ParticlesPage;

/// What stands beside the picture folds and comes back.
class PageOnlyTest : public ks::tests::WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> window() {
        auto made = ks::tests::particles_window(folder_);
        QTest::qWait(50);
        return made;
    }
    static QDockWidget* dock(const MainWindow& window) { return window.findChild<QDockWidget*>("sideDock"); }
    /// Of dock and drawer, those that are seen.
    static QStringList seen(const MainWindow& window) {
        QStringList names;
        if (dock(window)->isVisible()) names << "dock";
        if (window.page()->drawer().isVisible()) names << "drawer";
        return names;
    }
    static int heightOf(MainWindow& window) {
        return child<ks::ui::particles::PlaneMaps>(*window.page()).height();
    }
    static double sideOf(MainWindow& window) {
        return child<ks::ui::particles::PlaneMaps>(*window.page()).area(ks::ui::particles::Plane::xy).width();
    }

  private slots:
    void init() { QFile::remove(folder_.filePath("test.ini")); }

    void mapsAreLargerAloneAndTheRestComesBackAsItWas() {
        const auto shown = window();
        QAction* only = shown->action("pageOnly");
        QCOMPARE(only->shortcut(), QKeySequence(Qt::Key_F9));
        const QStringList all{"dock", "drawer"};
        QCOMPARE(seen(*shown), all);
        const double before = sideOf(*shown);
        const int width = dock(*shown)->width();
        only->trigger();
        QCOMPARE(seen(*shown), QStringList());
        QTRY_VERIFY2(sideOf(*shown) >= 1.25 * before, qPrintable(QString::number(sideOf(*shown))));
        only->trigger();
        QCOMPARE(seen(*shown), all);
        QTRY_COMPARE(sideOf(*shown), before);
        QCOMPARE(dock(*shown)->width(), width);
    }

    void plotsBelowThePictureFoldAndStayFoldedAtTheNextStart() {
        int open = 0;
        {
            const auto shown = window();
            open = heightOf(*shown);
            QVERIFY(shown->action("drawer")->isChecked());
            shown->action("drawer")->trigger();
            QVERIFY(!shown->action("drawer")->isChecked());
            QTRY_VERIFY2(heightOf(*shown) > open * 1.3, qPrintable(QString::number(heightOf(*shown))));
            QCOMPARE(shown->action("drawer")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
            shown->close();
        }
        const auto again = window();
        QVERIFY(!again->page()->drawerOpen());
        QVERIFY(!again->action("drawer")->isChecked());
        QTRY_VERIFY(heightOf(*again) > open * 1.3);
        again->action("drawer")->trigger();
        QTRY_VERIFY(heightOf(*again) < open * 1.2);
        again->action("drawer")->trigger();
        again->action("layout")->trigger();
        QVERIFY(again->page()->drawerOpen());
    }

    void theDockFolds() {
        const auto shown = window();
        shown->action("sides")->trigger();
        QCOMPARE(seen(*shown), QStringList{"drawer"});
        QVERIFY(!shown->action("sides")->isChecked());
        shown->action("sides")->trigger();
        QCOMPARE(seen(*shown), (QStringList{"dock", "drawer"}));
    }

    void whatWasFoldedStaysFolded() {
        const auto shown = window();
        shown->action("sides")->trigger();
        shown->action("pageOnly")->trigger();
        QCOMPARE(seen(*shown), QStringList());
        shown->action("pageOnly")->trigger();
        QCOMPARE(seen(*shown), QStringList{"drawer"});
    }

    void theNextWindowShowsAllAgain() {
        const auto shown = window();
        shown->action("pageOnly")->trigger();
        QVERIFY(shown->close());
        const auto next = window();
        QCOMPARE(seen(*next), QStringList());
        next->action("pageOnly")->trigger();
        QCOMPARE(seen(*next), (QStringList{"dock", "drawer"}));
    }

    void everyPageHasTheTableOfRunsWhileItIsShown() {
        const auto shown = window();
        for (const QString& one : shown->pageIds()) {
            QVERIFY(shown->setPage(one));
            if (shown->page()->analysis().isEmpty()) continue;
            const auto tables = shown->page()->drawer().findChildren<RunsPanel*>();
            QCOMPARE(tables.size(), 1);
            shown->page()->drawer().raise(tables.front());
            QTRY_VERIFY2(tables.front()->isVisible(), qPrintable(one));
        }
    }

    void everyNameOfAPageSelectsIt() {
        const auto shown = window();
        const QStringList names = shown->pageNames();
        for (const char* one : {"xpcs", "spots", "clusters", "particles", "matmul", "printf", "lab", "tune"})
            QVERIFY2(names.contains(QLatin1String(one)), one);
        for (const QString& one : names) {
            QVERIFY2(!one.contains(u' '), qPrintable(one));
            QVERIFY2(shown->setPage(one), qPrintable(one));
        }
    }
};

QTEST_MAIN(PageOnlyTest)
#include "tst_page_only.moc"
