#include <QAbstractItemModelTester>
#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <csignal>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/queue_panel.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"

using namespace ks::ui;

/// Runs that are asked for while others are under way, with the real worker.
class RunQueueTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const QString& leaf) const { return folder_.filePath(leaf); }

    std::unique_ptr<MainWindow> window() const { return ks::tests::new_window(path("test.ini")); }
    static bool choose(MainWindow& window, const QString& variant) {
        window.action("live")->setChecked(false);
        window.devices().setCurrentIndex(window.devices().count() - 1);
        return window.variants().setVariant(variant);
    }
    static std::vector<int> numbers(MainWindow& window) {
        std::vector<int> all;
        for (const RunRow& row : window.runs().rows()) all.push_back(row.number);
        return all;
    }
    /// A long run that has begun, and `more` short ones that wait.
    static bool queued(MainWindow& window, const QString& longFile, const QString& shortFile, int more) {
        ks::tests::open_data(window, longFile);
        if (!choose(window, "host.reference")) return false;
        QSignalSpy progress(&window.session(), &RunSession::progress);
        window.startRun();
        if (!QTest::qWaitFor([&] { return !progress.isEmpty(); }, 60000)) return false;
        ks::tests::open_data(window, shortFile);
        if (!choose(window, "host.gram")) return false;
        for (int i = 0; i < more; ++i) window.startRun();
        return window.session().queue().rowCount() == more + 1;
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        ks::tests::generate_xpcs(path("short.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("long.h5"), 3000, 101, 121);
    }

    void theModelKeepsTheOrder() {
        RunQueue queue;
        const QAbstractItemModelTester tester(&queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const int number : {4, 5, 6}) {
            QueuedRun entry;
            entry.number = number;
            entry.request.analysis = "xpcs";
            entry.request.variant = "host.gram";
            entry.request.inputs["frames"] = {"/data/a.h5::/entry/data", {}};
            queue.add(entry);
        }
        QCOMPARE(queue.running(), nullptr);
        QCOMPARE(queue.begin()->number, 4);
        QCOMPARE(queue.begin(), nullptr);
        queue.setProgress(0.4, "correlate");
        const auto text = [&](int row, int column) { return queue.index(row, column).data().toString(); };
        QCOMPARE(text(0, RunQueue::StateColumn), QString("running 40 %"));
        QCOMPARE(text(1, RunQueue::StateColumn), QString("waiting"));
        QCOMPARE(text(2, RunQueue::DataColumn), QString("a.h5"));
        QCOMPARE(nameOf(queue.entries()[1]), QString("Run 5 (host.gram on a.h5)"));
        QCOMPARE(queue.take(5)->number, 5);
        QVERIFY(!queue.take(5));
        QCOMPARE(queue.waiting(), 1);
        queue.putBack();
        QCOMPARE(queue.running(), nullptr);
        QCOMPARE(queue.begin()->number, 4);
        queue.clearWaiting();
        QCOMPARE(queue.rowCount(), 1);
    }

    void fivePressesGiveFiveRunsInOrder() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        QVERIFY(choose(*shown, "host.gram"));
        for (int press = 0; press < 5; ++press) {
            // What is asked for is as it is when the key is pressed.
            shown->parameters().setValue("first_frame", std::int64_t{press});
            QTest::keyClick(shown.get(), Qt::Key_F5);
        }
        QCOMPARE(shown->session().queue().rowCount(), 5);
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 5, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{5, 4, 3, 2, 1}));
        for (const RunRow& row : shown->runs().rows())
            QCOMPARE(ks::integer(row.run->request.parameters, "first_frame"), row.number - 1);
        QCOMPARE(shown->runs().ticked().size(), std::size_t{1});
        // The checks give way and are taken up when the queue is empty.
        QTRY_VERIFY_WITH_TIMEOUT(!shown->session().busy(), 60000);
        for (const RunRow& row : shown->runs().rows())
            QVERIFY(row.run->verdict.state == ks::Verdict::State::sampled ||
                    row.run->verdict.state == ks::Verdict::State::pass);
    }

    void cancelStopsTheRunUnderWayAndLeavesTheQueue() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{3, 2}));
        QVERIFY(!shown->errorBar().isError());
    }

    void oneThatWaitsIsCancelledAlone() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 3));
        auto& panel = shown->queuePanel();
        panel.table().setCurrentIndex(shown->session().queue().index(2, 0));
        QCOMPARE(panel.currentRun(), 3);
        panel.cancelButton().click();
        QCOMPARE(shown->session().queue().waiting(), 2);
        QVERIFY(shown->session().running());
        panel.table().setCurrentIndex(shown->session().queue().index(0, 0));
        panel.cancelButton().click();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{4, 2}));
    }

    void cancelAllEmptiesTheQueue() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        QVERIFY(shown->action("cancelAll")->isEnabled());
        shown->action("cancelAll")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!shown->session().busy(), 10000);
        QCOMPARE(shown->runs().rowCount(), 0);
        QVERIFY(!shown->action("cancelAll")->isEnabled());
    }

    void aRunThatKillsTheWorkerFailsAndTheQueueGoesOn() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        const qint64 before = shown->worker().processId();
        QCOMPARE(::kill(static_cast<pid_t>(before), SIGKILL), 0);
        QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().isError(), 10000);
        QVERIFY2(shown->errorBar().sentence().contains("Run 1 (host.reference on long.h5)"),
                 qPrintable(shown->errorBar().sentence()));
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{3, 2}));
        QVERIFY(shown->worker().processId() != before);
    }

    void aRunThatFailsDoesNotStopTheQueue() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 0));
        ks::Request absent = shown->session().queue().entries().front().request;
        absent.inputs["frames"] = {path("absent.h5").toStdString(), {}};
        shown->session().run(absent, true);
        shown->startRun();
        QStringList failed;
        connect(&shown->session(), &RunSession::failed, this,
                [&](const ks::Error& error) { failed << error.what(); });
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 1, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{3}));
        QCOMPARE(failed.size(), 2);
        QVERIFY2(failed[1].startsWith("Run 2 (host.reference on absent.h5): "), qPrintable(failed[1]));
    }

    void eachRepeatedRunIsComparedWithItsOwn() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        QVERIFY(choose(*shown, "host.gram"));
        shown->startRun();
        shown->parameters().setValue("first_frame", std::int64_t{3});
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QSignalSpy repeated(shown.get(), &MainWindow::repeated);
        shown->repeat(1);
        shown->startRun();
        shown->repeat(2);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 2, 60000);
        QVERIFY(repeated[0][0].toBool() && repeated[1][0].toBool());
        QCOMPARE(shown->runs().rowCount(), 5);
    }

    void theStatusBarSaysHowManyWait() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        QToolButton* button = nullptr;
        for (QToolButton* one : shown->findChildren<QToolButton*>())
            if (one->accessibleName() == "Queue of runs") button = one;
        QVERIFY(button && button->isVisible());
        QCOMPARE(button->text(), QString("2 waiting"));
        button->click();
        QVERIFY(shown->queuePanel().isVisible());
        shown->action("cancelAll")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queuePanel().isVisible() && !button->isVisible(), 10000);
    }
};

QTEST_MAIN(RunQueueTest)
#include "tst_run_queue.moc"
