#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QStatusBar>
#include <QToolButton>
#include <QtTest>
#include <fstream>

#include "tests/core/run/own_cache.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/particles_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/particles/particles_page.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"

using ks::tests::child;
using namespace ks::ui;
using ks::ui::particles::ParticlesPage;

/// From the button of the page through the real worker to the text that it changes.
class MeasureCeilingsTest : public ks::tests::WindowFixture {
    Q_OBJECT
    ks::tests::OwnCache cache_;

    std::unique_ptr<MainWindow> window() { return ks::tests::particles_window(folder_); }
    static bool ready(MainWindow& window) {
        return QTest::qWaitFor([&] { return window.worker().ready(); }, 60000);
    }
    static ParticlesPage& pageOf(MainWindow& window) { return dynamic_cast<ParticlesPage&>(*window.page()); }
    static bool idle(MainWindow& window) {
        return QTest::qWaitFor([&] { return !window.queue().busy() && window.jobs().running() == 0; },
                               120000);
    }
    bool showsARun(MainWindow& window) {
        window.open(folder_.filePath("some.csv"));
        if (!QTest::qWaitFor([&] { return window.missing().isEmpty(); }, 30000)) return false;
        window.action("live")->setChecked(false);
        window.startRun();
        return QTest::qWaitFor([&] { return window.runs().rowCount() == 1; }, 120000) && idle(window);
    }

  private slots:
    void initTestCase() {
        std::ofstream(folder_.filePath("some.csv").toStdString())
            << "x,y,z,weight\n0.2,0.3,0.4,1\n0.6,0.7,0.8,-0.5\n";
        const auto first = window();
        QVERIFY(ready(*first));
        if (first->devices().count() < 2) QSKIP("no OpenCL device");
    }

    void cancelEndsItAndKeepsNothing() {
        const auto shown = window();
        QVERIFY(ready(*shown));
        QVERIFY(shown->action("ceilings")->isEnabled());
        QSignalSpy progress(&shown->queue(), &RunQueue::progress);
        shown->action("ceilings")->trigger();
        QVERIFY(shown->queue().measuringCeilings());
        QVERIFY(!shown->action("ceilings")->isEnabled());
        QVERIFY(shown->action("cancel")->isEnabled());
        shown->desk().measureCeilings(ks::DeviceInfo{});  // of a second one nothing comes
        QCOMPARE(shown->statusBar()->currentMessage(), QString("Ceilings are being measured"));
        QTRY_VERIFY_WITH_TIMEOUT(progress.count() > 0, 60000);
        shown->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->action("ceilings")->isEnabled(), 60000);
        QVERIFY(!shown->errorBar().isError());
        QVERIFY(cache_.ceilings_file().empty());
    }

    void theHostHasNone() {
        const auto shown = window();
        QVERIFY(ready(*shown));
        shown->devices().setCurrentIndex(shown->devices().count() - 1);
        QVERIFY(!shown->action("ceilings")->isEnabled());
        shown->devices().setCurrentIndex(0);
        QVERIFY(shown->action("ceilings")->isEnabled());
    }

    void theTextFollowsAndIsKnownToTheNextWindow() {
        {
            const auto shown = window();
            QVERIFY(ready(*shown));
            QVERIFY(showsARun(*shown));
            ParticlesPage& page = pageOf(*shown);
            QVERIFY2(!page.status().contains("ceiling"), qPrintable(page.status()));
            QVERIFY(child<QToolButton>(page, "measure").isVisible());
            QSignalSpy measured(&shown->desk(), &Desk::ceilingsChanged);
            QVERIFY(child<QToolButton>(page, "measure").isEnabled());
            child<QToolButton>(page, "measure").click();
            QVERIFY(!child<QToolButton>(page, "measure").isEnabled());
            QTRY_COMPARE_WITH_TIMEOUT(measured.count(), 1, 120000);
            QVERIFY2(page.status().contains("ceiling of"), qPrintable(page.status()));
            QVERIFY(!child<QToolButton>(page, "measure").isVisible());
            QVERIFY(idle(*shown));
            QVERIFY(child<QToolButton>(page, "measure").isEnabled());
            QVERIFY(!cache_.ceilings_file().empty());
        }
        const auto next = window();
        QVERIFY(ready(*next));
        QVERIFY(showsARun(*next));
        QVERIFY2(pageOf(*next).status().contains("ceiling of"), qPrintable(pageOf(*next).status()));
        QVERIFY(!child<QToolButton>(pageOf(*next), "measure").isVisible());
    }
};

QTEST_MAIN(MeasureCeilingsTest)
#include "tst_measure_ceilings.moc"
