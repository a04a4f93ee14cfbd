#include <QSemaphore>
#include <QtTest>

#include "core/io/files/library_call.h"
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

    // A library that never comes back holds up neither what is read after it nor the end of the window.
    void aJobThatHangsInALibraryFailsAndTheNextOnesRun() {
        auto jobs = std::make_unique<Jobs>();
        jobs->setReadTimeout(std::chrono::milliseconds(200));
        QVERIFY(!Jobs::threadsHang());
        const auto go = std::make_shared<QSemaphore>(), ended = std::make_shared<QSemaphore>();
        QString told;
        jobs->start(
            Jobs::Lane::files, "open",
            [go, ended] {
                {
                    const ks::LibraryCall call("TIFF", ks::kept_name("bad.tif"));
                    go->acquire();
                }
                ended->release();
                return 1;
            },
            [](int) { QFAIL("it has hung"); }, [&told](const Error& error) { told = error.what(); });
        QList<int> results;
        for (const int i : {2, 3})
            jobs->start(
                Jobs::Lane::files, QString::number(i), [i] { return i; },
                [&](int value) { results << value; });
        QTRY_VERIFY(told.contains(QStringLiteral("bad.tif: the TIFF library made no progress for ")));
        QTRY_COMPARE(results, (QList<int>{2, 3}));
        QTRY_COMPARE(jobs->running(), 0);
        QVERIFY(Jobs::threadsHang());

        QElapsedTimer since;
        since.start();
        jobs.reset();
        QVERIFY2(since.elapsed() < 2000, "who closes the window waits for a library");
        go->release();
        ended->acquire();
    }

    void theEndWaitsForWorkButNotLongForALibrary() {
        const auto go = std::make_shared<QSemaphore>(), ended = std::make_shared<QSemaphore>();
        std::atomic<bool> saved = false;
        QElapsedTimer since;
        {
            Jobs jobs;  // with the usual patience
            std::atomic<bool> begun = false, hangs = false;
            jobs.start(
                Jobs::Lane::files, "open",
                [go, ended, &hangs] {
                    {
                        const ks::LibraryCall call("TIFF", ks::kept_name("bad.tif"));
                        hangs = true;
                        go->acquire();
                    }
                    ended->release();
                    return 1;
                },
                [](int) {});
            jobs.start(
                Jobs::Lane::general, "save",
                [&] {
                    begun = true;
                    QThread::msleep(500);
                    saved = true;
                    return 1;
                },
                [](int) {});
            QTRY_VERIFY(begun && hangs);
            since.start();
        }
        QVERIFY(saved);
        QVERIFY2(since.elapsed() < 8000, "who closes the window waits for a library");
        go->release();
        ended->acquire();
    }
};

QTEST_GUILESS_MAIN(JobsTest)
#include "tst_jobs.moc"
