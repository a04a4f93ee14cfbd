#include <algorithm>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/warm_start.h"

using namespace ks::ui;

/// Kernels are there before the first run asks for them.
class WarmStartTest : public ks::tests::WindowFixture {
    Q_OBJECT

  private slots:
    void init() { window_ = firstWindow(); }
    void cleanup() { window_.reset(); }

    void kernelsOfThePageInSightAreBuiltOnceAndNobodyIsBusy() {
        QSignalSpy warmed(&window_->warmStart(), &WarmStart::ended),
            busy(&window_->queue(), &RunQueue::busyChanged);
        window_->warmStart().setOn(true);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        for (const char* analysis : {"xpcs", "spots", "clusters", "particles"}) {
            const qsizetype before = warmed.count();
            QVERIFY(window_->setPage(analysis));
            if (window_->variants().variant().startsWith("host."))
                QSKIP("no OpenCL device runs this analysis");
            QTRY_COMPARE_WITH_TIMEOUT(warmed.count(), before + 1, 120000);
        }
        QVERIFY(std::ranges::all_of(warmed, [](const QVariantList& one) { return one[0].toBool(); }));
        QVERIFY(std::ranges::none_of(busy, [](const QVariantList& one) { return one[0].toBool(); }));
        QCOMPARE(window_->runs().rowCount(), 0);
        // Those that are there are not built again.
        QVERIFY(window_->setPage("xpcs"));
        QTest::qWait(2500);
        QCOMPARE(warmed.count(), 4);
    }

    void aRunThatComesMeanwhileWaitsForThemAndRuns() {
        ks::tests::generate_xpcs(folder_.filePath("a.h5"), 20, 61, 71);
        ks::tests::open_data(*window_, folder_.filePath("a.h5"));
        if (window_->variants().variant().startsWith("host.")) QSKIP("no OpenCL device");
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = window_->variants().variant().toStdString();
        request.device = "0";
        QSignalSpy busy(&window_->queue(), &RunQueue::busyChanged);
        int built = 0;
        window_->desk().ask<ks::wire::WarmJob>(this, {request}, {[&built](const auto&) { ++built; }});
        window_->startRun();
        QVERIFY(!busy.isEmpty());
        QCOMPARE(busy.last()[1].toString(), QString("Building kernels"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 120000);
        QVERIFY(!window_->errorBar().isError());
        QTRY_COMPARE_WITH_TIMEOUT(built, 1, 60000);
    }

    void itIsOffAtFirst() {
        QSignalSpy warmed(&window_->warmStart(), &WarmStart::ended);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QTest::qWait(2500);
        QCOMPARE(warmed.count(), 0);
        QVERIFY(window_->worker().idle());
    }
};

QTEST_MAIN(WarmStartTest)
#include "tst_warm_start.moc"
