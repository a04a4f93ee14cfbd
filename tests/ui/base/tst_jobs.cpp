#include <QSemaphore>
#include <QtTest>

#include "ui/base/jobs.h"

using ks::Error;
using ks::ErrorKind;
using ks::ui::Jobs;

class JobsTest : public QObject {
    Q_OBJECT
  private slots:
    void aNewerJobOfTheSameSubjectDropsTheOlderResult() {
        Jobs jobs;
        QSemaphore go;
        QList<int> results;
        const auto done = [&](int value) { results << value; };
        jobs.start(
            Jobs::Lane::general, "frame",
            [&] {
                go.acquire();
                return 1;
            },
            done);
        jobs.start(
            Jobs::Lane::general, "frame", [] { return 2; }, done);
        go.release();
        QTRY_COMPARE(jobs.running(), 0);
        QCOMPARE(results, QList<int>{2});
    }

    void aStaleJobThatHasNotBegunNeverRuns() {
        Jobs jobs;
        QSemaphore go;
        std::atomic<int> begun = 0;
        jobs.start(
            Jobs::Lane::files, "first",
            [&] {
                go.acquire();
                return 0;
            },
            [](int) {});
        for (int i = 0; i < 5; ++i)
            jobs.start(
                Jobs::Lane::files, "frame", [&] { return ++begun; }, [](int) {});
        go.release();
        QTRY_COMPARE(jobs.running(), 0);
        QCOMPARE(begun.load(), 1);
    }

    void anErrorIsToldOnTheThreadOfTheWindow() {
        Jobs jobs;
        QString told;
        QThread* thread = nullptr;
        connect(&jobs, &Jobs::failed, this, [&](const Error& error) {
            told = error.what();
            thread = QThread::currentThread();
        });
        jobs.start(
            Jobs::Lane::general, "x", []() -> int { throw Error(ErrorKind::input, "no such file", "a.h5"); },
            [](int) { QFAIL("a failed job has no result"); });
        QTRY_VERIFY(told.contains("a.h5: no such file"));
        QCOMPARE(thread, QThread::currentThread());
    }
};

QTEST_GUILESS_MAIN(JobsTest)
#include "tst_jobs.moc"
