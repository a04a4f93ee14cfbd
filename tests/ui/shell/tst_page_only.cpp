#include <QAction>
#include <QDockWidget>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/shell/particles_window.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/plane_maps.h"

using namespace ks::ui;
using ks::ui::particles::ParticlesPage;

/// F9 leaves the window to the page.
class PageOnlyTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::unique_ptr<MainWindow> window() {
        auto made = ks::tests::particles_window(folder_);
        QTest::qWait(50);
        return made;
    }
    static QStringList docksOf(const MainWindow& window) {
        QStringList names;
        for (const QDockWidget* one : window.findChildren<QDockWidget*>())
            if (one->isVisible()) names << one->objectName();
        names.sort();
        return names;
    }
    static int heightOf(MainWindow& window) {
        return dynamic_cast<ParticlesPage&>(*window.page()).maps().height();
    }
    static double sideOf(MainWindow& window) {
        return dynamic_cast<ParticlesPage&>(*window.page()).maps().area(ks::ui::particles::Plane::xy).width();
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() { QFile::remove(folder_.filePath("test.ini")); }

    void mapsAreLargeWithoutTheDocksAndTheDocksComeBackAsTheyWere() {
        const auto shown = window();
        QAction* only = shown->action("pageOnly");
        QCOMPARE(only->shortcut(), QKeySequence(Qt::Key_F9));
        const QStringList all = docksOf(*shown);
        QCOMPARE(all.size(), 3);
        const double before = sideOf(*shown);
        const int width = shown->findChild<QDockWidget*>("dataDock")->width();
        only->trigger();
        QCOMPARE(docksOf(*shown), QStringList());
        QTRY_VERIFY2(sideOf(*shown) >= 300, qPrintable(QString::number(sideOf(*shown))));
        only->trigger();
        QCOMPARE(docksOf(*shown), all);
        QTRY_COMPARE(sideOf(*shown), before);
        QCOMPARE(shown->findChild<QDockWidget*>("dataDock")->width(), width);
    }

    void plotsBelowThePictureFoldAndStayFoldedAtTheNextStart() {
        int open = 0;
        {
            const auto shown = window();
            open = heightOf(*shown);
            shown->action("drawer")->trigger();
            QTRY_VERIFY2(heightOf(*shown) > open * 1.3, qPrintable(QString::number(heightOf(*shown))));
            QCOMPARE(shown->action("drawer")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
            shown->close();
        }
        const auto again = window();
        QVERIFY(!again->page()->drawerOpen());
        QTRY_VERIFY(heightOf(*again) > open * 1.3);
        again->action("drawer")->trigger();
        QTRY_VERIFY(heightOf(*again) < open * 1.2);
        again->action("drawer")->trigger();
        again->action("layout")->trigger();
        QVERIFY(again->page()->drawerOpen());
    }

    void theDocksAtBothSidesHideTogether() {
        const auto shown = window();
        shown->action("sides")->trigger();
        QCOMPARE(docksOf(*shown), QStringList{"runsDock"});
        shown->action("sides")->trigger();
        QCOMPARE(docksOf(*shown).size(), 3);
    }

    void aDockThatWasClosedStaysClosed() {
        const auto shown = window();
        shown->findChild<QDockWidget*>("runsDock")->close();
        const QStringList two = docksOf(*shown);
        QCOMPARE(two.size(), 2);
        shown->action("pageOnly")->trigger();
        QCOMPARE(docksOf(*shown), QStringList());
        shown->action("pageOnly")->trigger();
        QCOMPARE(docksOf(*shown), two);
    }

    void theNextWindowShowsThemAllAgain() {
        const auto shown = window();
        shown->action("pageOnly")->trigger();
        QVERIFY(shown->close());
        const auto next = window();
        QCOMPARE(docksOf(*next), QStringList());
        next->action("pageOnly")->trigger();
        QCOMPARE(docksOf(*next).size(), 3);
    }
};

QTEST_MAIN(PageOnlyTest)
#include "tst_page_only.moc"
