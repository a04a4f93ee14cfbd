#include <QDockWidget>
#include <QSplitter>
#include <QSplitterHandle>
#include <QTabWidget>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/shell/drawer.h"

using namespace ks::ui;

/// Dock and drawer have the sizes that they had when the window was closed.
class LayoutKeptTest : public ks::tests::WindowFixture {
    Q_OBJECT

    QString ini() const { return path("test.ini"); }
    std::unique_ptr<MainWindow> window(const QSize& size) {
        auto made = WindowFixture::window(size);
        if (!QTest::qWaitForWindowExposed(made.get())) qFatal("no window");
        made->resize(size);
        QCoreApplication::processEvents();
        return made;
    }
    static QSplitter& body(MainWindow& window) {
        return *window.page()->findChild<QSplitter*>(QStringLiteral("body"));
    }
    static QDockWidget& dock(MainWindow& window) {
        return *window.findChild<QDockWidget*>(QStringLiteral("sideDock"));
    }
    /// Drags the edge of the drawer by so many pixels towards the picture.
    static void enlarge(MainWindow& window, int by) {
        QSplitterHandle* const edge = body(window).handle(1);
        const bool beside = body(window).orientation() == Qt::Horizontal;
        const QPoint from = edge->rect().center(), to = from - (beside ? QPoint(by, 0) : QPoint(0, by));
        QTest::mousePress(edge, Qt::LeftButton, {}, from);
        QTest::mouseMove(edge, to);
        QTest::mouseRelease(edge, Qt::LeftButton, {}, to);
        QCoreApplication::processEvents();
    }

  private slots:
    void init() { QFile::remove(ini()); }

    void sizesComeBack_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("beside");
        QTest::addColumn<int>("by");
        QTest::newRow("below the picture") << QSize(1280, 800) << false << 70;
        QTest::newRow("beside it") << QSize(1920, 1080) << true << 110;
        QTest::newRow("below, as proposed") << QSize(1280, 800) << false << 0;
        QTest::newRow("beside, as proposed") << QSize(1920, 1080) << true << 0;
    }
    void sizesComeBack() {
        QFETCH(QSize, size);
        QFETCH(bool, beside);
        QFETCH(int, by);
        QList<int> before;
        int dockWidth = 0;
        {
            const auto shown = window(size);
            QVERIFY(shown->setPage("xpcs"));
            QCoreApplication::processEvents();
            QCOMPARE(body(*shown).orientation() == Qt::Horizontal, beside);
            const QList<int> proposed = body(*shown).sizes();
            if (by > 0) enlarge(*shown, by);
            before = body(*shown).sizes();
            QVERIFY2(std::abs(before[1] - proposed[1] - by) <= 2, qPrintable(QString::number(before[1])));
            shown->resizeDocks({&dock(*shown)}, {dock(*shown).width() + 20}, Qt::Horizontal);
            QCoreApplication::processEvents();
            before = body(*shown).sizes();
            dockWidth = dock(*shown).width();
            QVERIFY(shown->close());
        }
        const auto shown = window(size);
        QCOMPARE(dock(*shown).width(), dockWidth);
        const QList<int> now = body(*shown).sizes();
        QVERIFY2(std::abs(now[1] - before[1]) <= 2,
                 qPrintable(QStringLiteral("%1 then %2").arg(before[1]).arg(now[1])));
    }

    void aWindowOfALargerScreenFitsIntoThisOne() {
        const QRect room = QGuiApplication::primaryScreen()->availableGeometry();
        {
            const auto shown = window(room.size() + QSize(300, 200));
            shown->move(200, 100);
            QVERIFY(shown->close());
        }
        const auto shown = WindowFixture::window();
        QVERIFY(QTest::qWaitForWindowExposed(shown.get()));
        // The screen of these tests is narrower than the window can be.
        QVERIFY2(room.contains(shown->pos()) && shown->geometry().bottom() <= room.bottom() &&
                     shown->width() < room.width() + 300,
                 qPrintable(QStringLiteral("%1 x %2 at %3, %4 on %5 x %6")
                                .arg(shown->width())
                                .arg(shown->height())
                                .arg(shown->x())
                                .arg(shown->y())
                                .arg(room.width())
                                .arg(room.height())));
    }

    void theTabsOfBothPanesComeBackThoughOnlyOneFitsAtFirst() {
        Drawer before, drawer;
        for (Drawer* one : {&before, &drawer})
            one->setParts({{"Clusters", new QWidget, false},
                           {"Modules", new QWidget, false},
                           {"Histograms", new QWidget, true},
                           {"Steps", new QWidget, true}});
        before.resize(900, 300);
        before.show();
        QVERIFY(before.twoPanes());
        for (QTabWidget* one : before.findChildren<QTabWidget*>())
            if (one->tabText(1) == "Steps") one->setCurrentIndex(1);
        QCOMPARE(before.raised(), (QStringList{"Clusters", "Steps"}));
        // A page that is not shown yet is narrow.
        drawer.resize(300, 200);
        drawer.show();
        drawer.setRaised(before.raised());
        QVERIFY(!drawer.twoPanes());
        QCOMPARE(drawer.raised(), (QStringList{"Clusters", "Steps"}));
        drawer.resize(900, 300);
        QVERIFY(drawer.twoPanes());
        QCOMPARE(drawer.raised(), (QStringList{"Clusters", "Steps"}));
        drawer.resize(300, 200);
        QCOMPARE(drawer.raised().front(), QString("Clusters"));
        drawer.resize(900, 300);
        QCOMPARE(drawer.raised(), (QStringList{"Clusters", "Steps"}));
    }

    void theDefaultLayoutForgetsWhatAHandChose() {
        const auto shown = window({1280, 800});
        QVERIFY(shown->setPage("xpcs"));
        QCoreApplication::processEvents();
        const int proposed = body(*shown).sizes()[1];
        enlarge(*shown, 60);
        QVERIFY(body(*shown).sizes()[1] > proposed + 50);
        shown->restoreDefaultLayout();
        QCoreApplication::processEvents();
        QVERIFY(std::abs(body(*shown).sizes()[1] - proposed) <= 2);
    }

    void aLargerWindowGivesBothTheirShare() {
        const auto shown = window({1280, 800});
        QVERIFY(shown->setPage("xpcs"));
        QCoreApplication::processEvents();
        enlarge(*shown, 60);
        const double share = *shown->page()->drawerShares().below;
        shown->resize(1280, 900);
        QCoreApplication::processEvents();
        const QList<int> sizes = body(*shown).sizes();
        QVERIFY(std::abs(static_cast<double>(sizes[1]) / (sizes[0] + sizes[1]) - share) < 0.01);
    }
};

QTEST_MAIN(LayoutKeptTest)
#include "tests/ui/window_fixture.h"
#include "tst_layout_kept.moc"
