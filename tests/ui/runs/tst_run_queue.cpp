#include <QAbstractItemModelTester>
#include <QAction>
#include <QPushButton>
#include <QRegularExpression>
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
#include "ui/runs/worker_client.h"
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
        QSignalSpy progress(&window.queue(), &RunQueue::progress);
        window.startRun();
        if (!QTest::qWaitFor([&] { return !progress.isEmpty(); }, 60000)) return false;
        ks::tests::open_data(window, shortFile);
        if (!choose(window, "host.gram")) return false;
        for (int i = 0; i < more; ++i) window.startRun();
        return window.queue().rowCount() == more + 1;
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        ks::tests::generate_xpcs(path("short.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("long.h5"), 3000, 101, 121);
    }

    void theModelKeepsTheOrder() {
        WorkerClient worker;  // is not started: the first job waits for it
        RunTableModel runs;
        RunQueue queue(worker, runs);
        const QAbstractItemModelTester tester(&queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(queue.running(), nullptr);
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = "host.gram";
        request.inputs["frames"] = {"/data/a.h5::/entry/data", {}};
        for (const int number : {1, 2, 3}) QCOMPARE(queue.run(request, true), number);
        QCOMPARE(queue.running()->number, 1);
        const auto text = [&](int row, int column) { return queue.index(row, column).data().toString(); };
        QCOMPARE(text(0, RunQueue::StateColumn), QString("running"));
        QCOMPARE(text(1, RunQueue::StateColumn), QString("waiting"));
        QCOMPARE(text(2, RunQueue::DataColumn), QString("a.h5"));
        QCOMPARE(queue.nameOf(queue.entry(1)), QString("Run 2 (host.gram on a.h5)"));
        // Other kinds of job are no rows.
        queue.add(QueuedCheck{4, ks::CheckMode::sample});
        QCOMPARE(queue.rowCount(), 3);
        QSignalSpy changed(&queue, &RunQueue::changed), dropped(&queue, &RunQueue::notRun);
        queue.cancelRun(2);
        queue.cancelRun(2);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped[0][0].toInt(), 2);
        QCOMPARE(queue.waiting(), 1);
        QCOMPARE(queue.entry(1).number, 3);
        QCOMPARE(text(1, RunQueue::StateColumn), QString("waiting"));
        queue.cancelAll();
        QCOMPARE(queue.waiting(), 0);
    }

    void whatGoesFirstIsATable_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<QString>("outcomes");
        // Of a newer measurement, run, preview, supplement, check, turns, question: it is refused (x), waits
        // (w), interrupts the older one, which is resumed (r) or dropped (d), or takes its place (n).
        QTest::newRow("measurement") << 0 << "x w x w w w w";
        QTest::newRow("run") << 1 << "x w x w w w w";
        QTest::newRow("preview") << 2 << "d d n w w w w";
        QTest::newRow("supplement") << 3 << "r r r n w w w";
        QTest::newRow("check") << 4 << "r r r r w w w";
        QTest::newRow("timed turns") << 5 << "r r r r r n w";
        QTest::newRow("question") << 6 << "r r r r r r n";
    }
    void whatGoesFirstIsATable() {
        QFETCH(int, first);
        QFETCH(QString, outcomes);
        const auto jobs = [](int number) {
            return std::vector<JobData>{QueuedMeasurement{}, QueuedRun{},  QueuedPreview{}, Supplement{},
                                        QueuedCheck{number}, TimedTurns{}, Question{}};
        };
        const QStringList expected = outcomes.split(' ');
        QCOMPARE(jobs(1).size(), std::variant_size_v<JobData>);
        for (int second = 0; second < expected.size(); ++second) {
            JobOrder queue;
            queue.add(jobs(1)[static_cast<std::size_t>(first)]);
            const int started = queue.next(true)->start;
            const JobData newer = jobs(2)[static_cast<std::size_t>(second)];
            QString outcome = "x";
            if (queue.accepts(newer.index())) {
                const bool replaces = !queue.add(newer).empty();
                const auto turn = queue.next(true);
                const bool waits = queue.all().size() == 2;
                outcome = !turn ? "w" : replaces ? "n" : waits ? "r" : "d";
                QCOMPARE(turn && turn->interrupted, outcome == "r" || outcome == "d");
                QCOMPARE(queue.find(started) != nullptr, outcome == "w");
            }
            QVERIFY2(outcome == expected[second], qPrintable(QString("%1: %2").arg(second).arg(outcome)));
        }
    }

    void whatWasInterruptedIsResumedInItsOldPlace() {
        JobOrder queue;
        queue.add(QueuedCheck{1});
        queue.next(true);
        queue.add(QueuedCheck{2});
        queue.add(QueuedRun{7, {}});
        const int run = queue.next(true)->start;
        QVERIFY(!queue.next(true));
        QVERIFY(queue.end(run));
        const auto under = [&] { return std::get<QueuedCheck>(queue.underWay()->data).number; };
        const int check = queue.next(true)->start;
        QCOMPARE(under(), 1);
        // What its first start still reports is not of the second one.
        QVERIFY(!queue.end(check - 2) && queue.end(check));
        QVERIFY(queue.next(true));
        QCOMPARE(under(), 2);
    }

    void aRunHasOneCheckTheNewest() {
        JobOrder queue;
        queue.add(QueuedCheck{1, ks::CheckMode::sample});
        queue.next(true);
        QCOMPARE(queue.add(QueuedCheck{2, ks::CheckMode::sample}).size(), std::size_t{0});
        QCOMPARE(queue.add(QueuedCheck{1, ks::CheckMode::full}).size(), std::size_t{1});
        QCOMPARE(queue.all().size(), std::size_t{2});
        QVERIFY(!queue.underWay());
    }

    void aReceiverHasOneQuestionOfAKindTheNewest() {
        const auto question = [](const QObject& receiver, const auto& job) {
            return Question{{workerJob(&receiver, job, Callbacks<std::decay_t<decltype(job)>>())}};
        };
        const QObject one, other;
        JobOrder queue;
        queue.add(question(one, ks::wire::WarmJob()));
        QCOMPARE(queue.add(question(one, ks::wire::AssemblyJob())).size(), std::size_t{0});
        QCOMPARE(queue.add(question(other, ks::wire::WarmJob())).size(), std::size_t{0});
        QCOMPARE(queue.add(question(one, ks::wire::WarmJob())).size(), std::size_t{1});
        QCOMPARE(queue.all().size(), std::size_t{3});
    }

    void whatAnInterruptedJobStillCompletesEndsIt() {
        JobOrder queue;
        queue.add(Question{});
        const int question = queue.next(true)->start;
        queue.add(QueuedRun{1, {}});
        const int run = queue.next(true)->start;
        QVERIFY(!queue.find(question));
        QVERIFY(queue.end(question) && !queue.end(question));
        QVERIFY(queue.find(run) && !queue.holds(jobKind<Question>));
    }

    void aQuestionThatGivesWayToANewerOneIsToldAndTheWindowIsNotBusy() {
        WorkerClient worker;  // is not started: the first job waits for it
        RunTableModel runs;
        RunQueue queue(worker, runs);
        QSignalSpy busy(&queue, &RunQueue::busyChanged);
        std::vector<ks::Error> failures;
        const auto ask = [&](const QObject& receiver) {
            queue.add(Question{{workerJob<ks::wire::OffersJob>(
                &receiver, {},
                {.answer = [](const auto&) {},
                 .failed = [&failures](const ks::Error& error) { failures.push_back(error); }})}});
        };
        {
            const QObject gone;
            ask(gone);
        }
        const QObject asks;
        ask(asks);
        ask(asks);
        QCOMPARE(failures.size(), std::size_t{1});
        QCOMPARE(failures[0].kind(), ks::ErrorKind::cancelled);
        queue.cancel();
        QTRY_COMPARE(failures.size(), std::size_t{2});
        QVERIFY(!queue.busy());
        QVERIFY(std::ranges::none_of(busy, [](const QVariantList& one) { return one[0].toBool(); }));
    }

    void jobsAreTakenOutInTheirOrder() {
        JobOrder queue;
        for (const int number : {4, 5, 6}) queue.add(QueuedRun{number, {}});
        queue.next(true);
        const auto isFive = [](const JobOrder::Job& job) {
            return std::get<QueuedRun>(job.data).number == 5;
        };
        QCOMPARE(queue.take(isFive).size(), std::size_t{1});
        QVERIFY(queue.take(isFive).empty());
        const auto rest = queue.take([](const JobOrder::Job&) { return true; });
        QCOMPARE(rest.size(), std::size_t{2});
        QCOMPARE(std::get<QueuedRun>(rest[0]).number, 4);
        QVERIFY(queue.all().empty());
    }

    void withoutAWorkerRunsWaitAndNothingElseDoes() {
        JobOrder queue;
        queue.add(QueuedRun{1, {}});
        QVERIFY(!queue.next(false));
        queue.add(QueuedCheck{1});
        QVERIFY(queue.next(false));
        QVERIFY(std::holds_alternative<QueuedCheck>(queue.underWay()->data));
        QVERIFY(queue.next(true)->interrupted);
        QVERIFY(std::holds_alternative<QueuedRun>(queue.underWay()->data));
        // The worker ended before the run began.
        queue.putBack();
        QVERIFY(!queue.underWay() && queue.holds(jobKind<QueuedRun>));
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
        QCOMPARE(shown->queue().rowCount(), 5);
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 5, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{5, 4, 3, 2, 1}));
        for (const RunRow& row : shown->runs().rows())
            QCOMPARE(ks::integer(row.run->request.parameters, "first_frame"), row.number - 1);
        QCOMPARE(shown->runs().ticked().size(), std::size_t{1});
        // The checks give way and are taken up when the queue is empty.
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 60000);
        for (const RunRow& row : shown->runs().rows())
            QVERIFY(row.run->verdict.state == ks::Verdict::State::sampled ||
                    row.run->verdict.state == ks::Verdict::State::pass);
    }

    void cancelStopsTheRunUnderWayAndLeavesTheQueue() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        const QModelIndex state = shown->queue().index(0, RunQueue::StateColumn);
        static const QRegularExpression share("^running [0-9]+ %$");
        QTRY_VERIFY_WITH_TIMEOUT(share.match(state.data().toString()).hasMatch(), 10000);
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{3, 2}));
        QVERIFY(!shown->errorBar().isError());
    }

    void cancelDuringACheckLeavesTheOtherChecks() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        int added = 0;
        connect(&shown->queue(), &RunQueue::runAdded, this, [&] {
            // The check of the first run of the two begins now.
            if (++added == 2) QTimer::singleShot(0, this, [&] { shown->action("cancel")->trigger(); });
        });
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(added, 2, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 60000);
        std::size_t unchecked = 0;
        for (const RunRow& row : shown->runs().rows())
            unchecked += row.run->verdict.state == ks::Verdict::State::unchecked;
        QCOMPARE(unchecked, std::size_t{1});
    }

    void oneThatWaitsIsCancelledAlone() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 3));
        auto& panel = shown->queuePanel();
        panel.table().setCurrentIndex(shown->queue().index(2, 0));
        QCOMPARE(panel.currentRun(), 3);
        panel.cancelButton().click();
        QCOMPARE(shown->queue().waiting(), 2);
        QVERIFY(shown->queue().running());
        panel.table().setCurrentIndex(shown->queue().index(0, 0));
        panel.cancelButton().click();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{4, 2}));
    }

    void cancelAllEmptiesTheQueue() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 2));
        QVERIFY(shown->action("cancelAll")->isEnabled());
        shown->action("cancelAll")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 10000);
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
        ks::Request absent = shown->queue().entry(0).request;
        absent.inputs["frames"] = {path("absent.h5").toStdString(), {}};
        shown->queue().run(absent, true);
        shown->startRun();
        QStringList failed;
        connect(&shown->queue(), &RunQueue::failed, this,
                [&](const ks::Error& error) { failed << error.what(); });
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 1, 60000);
        QCOMPARE(numbers(*shown), (std::vector<int>{3}));
        QCOMPARE(failed.size(), 2);
        QVERIFY2(failed[1].startsWith("Run 2 (host.reference on absent.h5): "), qPrintable(failed[1]));
    }

    void aQuestionStopsNoRunAndIsAnsweredAfterIt() {
        const auto shown = window();
        QVERIFY(queued(*shown, path("long.h5"), path("short.h5"), 1));
        std::vector<std::size_t> runsThen;
        const auto answered = [&](const auto& offered) {
            if (offered->offers.contains("xpcs")) runsThen.push_back(shown->desk().runs().size());
        };
        shown->desk().ask<ks::wire::OffersJob>(this, {}, {answered});
        QTest::qWait(300);
        QCOMPARE(shown->queue().running()->number, 1);
        QVERIFY(runsThen.empty());
        shown->action("cancel")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(runsThen, std::vector<std::size_t>{1}, 60000);
        QCOMPARE(numbers(*shown), std::vector<int>{2});
    }

    void aQuestionIsAskedAgainAfterTheRunThatInterruptedIt() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("long.h5"));
        QVERIFY(choose(*shown, "host.reference"));
        const ks::Request lasting = shown->pageRuns().makeRequest();
        ks::tests::open_data(*shown, path("short.h5"));
        QVERIFY(choose(*shown, "host.gram"));
        QStringList order;
        connect(&shown->queue(), &RunQueue::runAdded, this, [&order] { order << "run"; });
        const auto report = [&order] {
            if (order.isEmpty() || order.last() != "works") order << "works";
        };
        shown->desk().ask<ks::wire::RunJob>(this, {lasting},
                                            {.answer = [&](const auto&) { order << "answer"; },
                                             .failed = [&](const ks::Error&) { order << "failed"; },
                                             .progress = [&](double, const QString&) { report(); }});
        QTRY_COMPARE_WITH_TIMEOUT(order, QStringList{"works"}, 60000);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(order, (QStringList{"works", "run", "works"}), 60000);
        shown->queue().cancel();
        QTRY_COMPARE_WITH_TIMEOUT(order.last(), QString("failed"), 60000);
        QCOMPARE(shown->runs().rowCount(), 1);
        QVERIFY(!shown->errorBar().isError());
    }

    void eachRepeatedRunIsComparedWithItsOwn() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        QVERIFY(choose(*shown, "host.gram"));
        shown->startRun();
        shown->parameters().setValue("first_frame", std::int64_t{3});
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
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
