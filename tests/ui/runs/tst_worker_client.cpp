#include <QDateTime>
#include <QSignalSpy>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/runs/worker_client.h"

namespace fs = std::filesystem;
using ks::Error;
using ks::ErrorKind;
using ks::Request;
using ks::Run;
using ks::ui::WorkerClient;

/// The real worker: kernelscope-cli.
class WorkerClientTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::string generate(const char* leaf, std::int64_t frames) {
        const QString path = folder_.filePath(leaf);
        ks::tests::generate_xpcs(path, frames, 101, 121);
        return path.toStdString();
    }

    Request request(const char* leaf, const char* variant) {
        Request made;
        made.analysis = "xpcs";
        made.variant = variant;
        made.device = "host";
        made.inputs["frames"] = {folder_.filePath(leaf).toStdString(), {}};
        made.inputs["partition"] = {"rings:60,50,0,15,4", {}};
        return made;
    }

    /// Gives a client jobs and records what it reports, in order.
    struct Ear {
        WorkerClient& client;
        int last = 0;  ///< number of the newest job
        std::vector<std::pair<int, std::shared_ptr<const Run>>> runs;
        std::vector<std::pair<int, Error>> failures;
        std::vector<ks::Verdict> verdicts;
        int assemblies = 0;
        QStringList restarts, ofJobs, stages;
        std::vector<Error> givenUp;
        ks::wire::Catalogue catalogue = {};  ///< the newest
        int progress = 0;

        explicit Ear(WorkerClient& of) : client(of) {
            connect(&client, &WorkerClient::workerRestarted, &client,
                    [this](const QString& reason, const QString& job) {
                        restarts << reason;
                        ofJobs << job;
                    });
            connect(&client, &WorkerClient::catalogueReady, &client,
                    [this](const ks::wire::Catalogue& told) { catalogue = told; });
            connect(&client, &WorkerClient::workerGivenUp, &client,
                    [this](const Error& error) { givenUp.push_back(error); });
        }
        template <class Job, class Answer>
        int ask(Job job, Answer answer) {
            const int number = ++last;
            client.ask(ks::ui::workerJob<Job>(
                &client, std::move(job),
                {.answer = [number, answer](const auto& made) { answer(number, made); },
                 .failed = [this, number](const Error& error) { failures.emplace_back(number, error); },
                 .progress =
                     [this](double, const QString& stage) {
                         ++progress;
                         stages << stage;
                         if (onStage) onStage(stage);
                     }}));
            return number;
        }
        int run(const Request& request) {
            return ask(ks::wire::RunJob{request},
                       [this](int number, const auto& run) { runs.emplace_back(number, run); });
        }
        int check(const std::shared_ptr<const Run>& run) {
            return ask(ks::wire::CheckJob{{run}, ks::CheckMode::sample},
                       [this](int, const auto& verdict) { verdicts.push_back(*verdict); });
        }
        std::function<void(const QString&)> onStage = {};
    };

    /// The published correlator of xpcs with a statement that is wrong, on the first OpenCL device.
    Request planted(const ks::wire::Catalogue& catalogue, const char* statement) {
        Request made = request("short.h5", "seed.naive");
        made.device = "0";
        const std::string last = "    g2_err[at] = terms";
        made.kernel_source = catalogue.kernel_files.at("gpu/xpcs/seed_naive.cl");
        made.kernel_source.insert(made.kernel_source.find(last), statement);
        return made;
    }

  private slots:
    void initTestCase() {
        generate("short.h5", 40);
        // Long enough on host.reference that it can be caught at work.
        generate("long.h5", 3000);
    }

    void theCatalogueNamesTheHostAndItsVariants() {
        WorkerClient client(KERNELSCOPE_CLI);
        ks::wire::Catalogue catalogue;
        connect(&client, &WorkerClient::catalogueReady, this,
                [&](const ks::wire::Catalogue& told) { catalogue = told; });
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        QVERIFY(!catalogue.devices.empty());
        QCOMPARE(catalogue.devices.back().type, std::string("host"));
        QVERIFY(!catalogue.offers.at("xpcs").back().empty());
    }

    void aRunGivenBeforeTheWorkerIsReadyIsDoneAndChecked() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        const int job = ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        QCOMPARE(ear.runs[0].first, job);
        const Run& run = *ear.runs[0].second;
        QCOMPARE(run.variant.id, std::string("host.gram"));
        QCOMPARE(run.result.at("g2").values.shape(), (std::vector<std::size_t>{4, 40}));
        ear.check(ear.runs[0].second);
        QTRY_COMPARE_WITH_TIMEOUT(ear.verdicts.size(), std::size_t{1}, 60000);
        QVERIFY(ear.verdicts[0].state == ks::Verdict::State::sampled ||
                ear.verdicts[0].state == ks::Verdict::State::pass);
        QVERIFY(ear.failures.empty());
    }

    void aWrongFileFailsTheJobAndNotTheWorker() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        ear.run(request("absent.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), std::size_t{1}, 30000);
        QVERIFY(ear.failures[0].second.kind() == ErrorKind::input);
        QVERIFY(QString(ear.failures[0].second.what()).contains("absent.h5"));
        QVERIFY(ear.restarts.isEmpty());
    }

    void aNewerRunMakesTheOlderOneStale() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        const int older = ear.run(request("long.h5", "host.reference"));
        QTRY_VERIFY_WITH_TIMEOUT(ear.progress > 0, 60000);
        const int newer = ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        QCOMPARE(ear.runs[0].first, newer);
        QCOMPARE(ear.failures.size(), std::size_t{1});
        QCOMPARE(ear.failures[0].first, older);
        QVERIFY(ear.failures[0].second.kind() == ErrorKind::cancelled);
    }

    void cancelStopsTheRunAndTheNextOneWorks() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        ear.run(request("long.h5", "host.reference"));
        QTRY_VERIFY_WITH_TIMEOUT(ear.progress > 0, 60000);
        client.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), std::size_t{1}, 10000);
        QVERIFY(ear.failures[0].second.kind() == ErrorKind::cancelled);
        ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
    }

    void aWorkerThatIsKilledIsNamedAndReplaced() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        const qint64 before = client.processId();
        ear.run(request("long.h5", "host.reference"));
        QTRY_VERIFY_WITH_TIMEOUT(ear.progress > 0, 60000);
        QCOMPARE(::kill(static_cast<pid_t>(before), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), std::size_t{1}, 10000);
        QVERIFY(ear.failures[0].second.kind() == ErrorKind::run);
        QCOMPARE(QString::fromStdString(ear.failures[0].second.message()),
                 QString("the worker stopped unexpectedly: killed, probably because "
                         "memory ran out (signal 9, Killed)"));
        QVERIFY(!ear.failures[0].second.hint().empty());
        QCOMPARE(ear.restarts.size(), 1);
        ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        QVERIFY(client.processId() != before);
    }

    void aWorkerThatIgnoresCancelIsKilledWithinASecond() {
        // Stopped by SIGSTOP it hears nothing, as one that hangs in a driver.
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        // Other processes may take the core: the best of some counts.
        qint64 took = 1000;
        for (std::size_t tries = 0; tries < 3 && took >= 1000; ++tries) {
            QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
            ear.progress = 0;
            ear.run(request("long.h5", "host.reference"));
            QTRY_VERIFY_WITH_TIMEOUT(ear.progress > 0, 60000);
            QCOMPARE(::kill(static_cast<pid_t>(client.processId()), SIGSTOP), 0);
            QElapsedTimer clock;
            clock.start();
            client.cancel();
            QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), tries + 1, 10000);
            took = clock.elapsed();
            QVERIFY(took >= 700);
            QVERIFY(ear.failures.back().second.kind() == ErrorKind::cancelled);
        }
        QVERIFY2(took < 1000, qPrintable(QString::number(took)));
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
    }

    void aBusyWindowIsNoReasonToKillTheWorker() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        const qint64 before = client.processId();
        ear.run(request("long.h5", "host.reference"));
        QTRY_VERIFY_WITH_TIMEOUT(ear.progress > 0, 60000);
        // What is written is sent by the event loop, which this thread does not reach for so long.
        client.cancel();
        QThread::msleep(1500);
        QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), std::size_t{1}, 10000);
        QVERIFY(ear.failures[0].second.kind() == ErrorKind::cancelled);
        ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        QCOMPARE(ear.restarts, QStringList());
        QCOMPARE(client.processId(), before);
    }

    void aBuildOfKernelsIsWaitedForAndTheWorkerStays() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        const ks::wire::Catalogue& catalogue = ear.catalogue;
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        if (catalogue.devices.front().type == "host") QSKIP("no OpenCL device");
        const auto worker = static_cast<pid_t>(client.processId());
        // Stopped while it builds, it is a compiler that takes long.
        bool builds = false;
        ear.onStage = [&](const QString& stage) {
            if (stage == "build kernels" && !std::exchange(builds, true))
                QCOMPARE(::kill(worker, SIGSTOP), 0);
        };
        const std::string once = "/* " + std::to_string(QDateTime::currentMSecsSinceEpoch()) + " */";
        ear.run(planted(catalogue, once.c_str()));
        QTRY_VERIFY_WITH_TIMEOUT(builds, 30000);
        const int newer = ear.run(request("short.h5", "host.gram"));
        QTest::qWait(2500);
        QCOMPARE(ear.failures.size(), std::size_t{0});
        QVERIFY2(ear.stages.contains("waiting for kernels that are being compiled"),
                 qPrintable(ear.stages.join(", ")));
        QCOMPARE(::kill(worker, SIGCONT), 0);
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        QCOMPARE(ear.runs[0].first, newer);
        QCOMPARE(client.processId(), static_cast<qint64>(worker));
        QVERIFY2(ear.restarts.isEmpty(), qPrintable(ear.restarts.join(' ')));
    }

    void aJobThatIsABuildIsWaitedForByANewerOneAndGivesItsResult() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        const ks::wire::Catalogue& catalogue = ear.catalogue;
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        if (catalogue.devices.front().type == "host") QSKIP("no OpenCL device");
        const auto worker = static_cast<pid_t>(client.processId());
        // A compiler that takes longer than the patience with jobs that are to stop.
        QCOMPARE(::kill(worker, SIGSTOP), 0);
        ear.ask(ks::wire::AssemblyJob{{"0", "a.cl", "kernel void a(global int* x) { x[0] = 1; }", {}}},
                [&](int, const auto&) { ++ear.assemblies; });
        QVERIFY(client.building());
        const int newer = ear.run(request("short.h5", "host.gram"));
        QTest::qWait(1500);
        QVERIFY(client.building() && ear.failures.empty());
        client.cancel();  // the run that waits, at once; the build, when it is done
        QCOMPARE(ear.failures.size(), std::size_t{1});
        QCOMPARE(ear.failures[0].first, newer);
        QTest::qWait(1500);
        QVERIFY(ear.stages.contains("waiting for kernels that are being compiled"));
        ear.run(request("short.h5", "host.gram"));
        QCOMPARE(::kill(worker, SIGCONT), 0);
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{1}, 60000);
        ear.ask(ks::wire::AssemblyJob{{"0", "a.cl", "kernel void a(global int* x) { x[0] = 1; }", {}}},
                [&](int, const auto&) { ++ear.assemblies; });
        ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), std::size_t{2}, 60000);
        QCOMPARE(ear.assemblies, 1);
        QCOMPARE(client.processId(), static_cast<qint64>(worker));
        QVERIFY2(ear.restarts.isEmpty(), qPrintable(ear.restarts.join(' ')));
    }

    void nobodyIsCalledWhoIsGone() {
        WorkerClient client(KERNELSCOPE_CLI);
        int calls = 0;
        auto gone = std::make_unique<QObject>();
        client.ask(
            ks::ui::workerJob<ks::wire::RunJob>(gone.get(), {request("absent.h5", "host.gram")},
                                                {.answer = [&](const auto&) { ++calls; },
                                                 .failed = [&](const Error&) { ++calls; },
                                                 .progress = [&](double, const QString&) { ++calls; }}));
        gone.reset();
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready() && client.idle(), 60000);
        QCOMPARE(calls, 0);
    }

    void aKernelOfTheUsersThatHangsOrCrashesIsNamedAndTheNextRunWorks() {
        WorkerClient client(KERNELSCOPE_CLI);
        client.setKernelLimit(std::chrono::seconds(3));
        Ear ear(client);
        const ks::wire::Catalogue& catalogue = ear.catalogue;
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        if (catalogue.devices.front().type == "host") QSKIP("no OpenCL device");
        const auto failureOf = [&](const char* statement) {
            ear.failures.clear();
            ear.run(planted(catalogue, statement));
            [&] { QTRY_COMPARE_WITH_TIMEOUT(ear.failures.size(), 1U, 60000); }();
            return ear.failures.empty() ? Error(ErrorKind::run, "nothing") : ear.failures.front().second;
        };
        const auto nextRunWorks = [&] {
            ear.runs.clear();
            ear.run(request("short.h5", "host.gram"));
            QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), 1U, 60000);
        };
        const Error hung = failureOf("while (g2[at] < 1e30) g2[at] *= -1.0;");
        QCOMPARE(hung.kind(), ErrorKind::run);
        QCOMPARE(hung.message(), std::string("the kernel correlate did not finish within 3 s"));
        nextRunWorks();
        QVERIFY2(ear.restarts.join(' ').contains("did not finish within"),
                 qPrintable(ear.restarts.join(' ')));
        const Error crashed = failureOf("g2[(size_t)1 << 44] = 0.5;");
        QCOMPARE(crashed.kind(), ErrorKind::run);
        QVERIFY2(QString::fromStdString(crashed.message())
                     .contains("the kernel correlate crashed the worker: an illegal access to memory "
                               "(signal 11, Segmentation fault)"),
                 crashed.what());
        nextRunWorks();
    }

    void whatAKernelPrintsIsThereThoughItsPipeIsReadLast() {
        WorkerClient client(KERNELSCOPE_CLI);
        Ear ear(client);
        const ks::wire::Catalogue& catalogue = ear.catalogue;
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 30000);
        if (catalogue.devices.front().type == "host") QSKIP("no OpenCL device");
        const auto* process = client.findChild<QProcess*>();
        // The event loop hears nothing of the pipe of standard error.
        const auto open = [](const std::string& owner, auto descriptor) {
            return fs::read_symlink("/proc/" + owner + "/fd/" + std::to_string(descriptor));
        };
        const fs::path pipe = open(std::to_string(process->processId()), 2);
        int heard = 0;
        for (QSocketNotifier* const one : process->findChildren<QSocketNotifier*>()) {
            if (open("self", one->socket()) != pipe) continue;
            one->setEnabled(false);
            ++heard;
        }
        QCOMPARE(heard, 1);
        ear.run(
            planted(catalogue, "if (get_global_id(0) == 0 && get_global_id(1) == 0) printf(\"seen\\n\");"));
        QTRY_COMPARE_WITH_TIMEOUT(ear.runs.size(), 1U, 60000);
        QVERIFY(QString::fromStdString(ear.runs[0].second->printed.text()).startsWith("seen\n"));
    }

    void aProgramThatEndsAtOnceIsGivenUp() {
        WorkerClient client("/bin/false");
        Ear ear(client);
        client.start();
        QTRY_COMPARE_WITH_TIMEOUT(ear.givenUp.size(), std::size_t{1}, 20000);
        QVERIFY(QString(ear.givenUp[0].what()).contains("3 times"));
        QTest::qWait(1500);
        QCOMPARE(ear.givenUp.size(), std::size_t{1});
    }

    void aProgramThatIsNotThereIsNamed() {
        WorkerClient client("/nowhere/kernelscope-cli");
        Ear ear(client);
        client.start();
        QCOMPARE(ear.givenUp.size(), std::size_t{1});
        QVERIFY(QString(ear.givenUp[0].what()).contains("/nowhere/kernelscope-cli"));
        ear.run(request("short.h5", "host.gram"));
        QTRY_COMPARE(ear.failures.size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(WorkerClientTest)
#include "tst_worker_client.moc"
