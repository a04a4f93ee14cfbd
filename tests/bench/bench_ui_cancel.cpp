// How soon Cancel frees the worker of the window. Usage: bench_ui_cancel FILE QMASK [MEMORY_LIMIT]
// Each variant that can run on the default device is started on the stack, cancelled in the middle of its
// kernels, and followed by a short run that must succeed.

#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QtTest>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/runs/worker_client.h"

using namespace ks::ui;

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    useBuiltWorker();
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_ui_cancel FILE QMASK [MEMORY_LIMIT]\n");
        return 2;
    }
    WorkerClient worker;
    worker.start();
    if (!waitFor([&] { return worker.ready(); }, 60000)) return 1;
    QString stage, why;
    double fraction = 0;
    int failed = 0, finished = 0;
    const auto run = [&](const ks::Request& request) {
        worker.ask(workerJob<ks::wire::RunJob>(&worker, {request},
                                               {.answer = [&](const auto&) { ++finished; },
                                                .failed =
                                                    [&](const ks::Error& error) {
                                                        ++failed;
                                                        why = QString::fromUtf8(error.what());
                                                    },
                                                .progress =
                                                    [&](double now, const QString& name) {
                                                        fraction = now;
                                                        stage = name;
                                                    }}));
    };
    QSignalSpy restarted(&worker, &WorkerClient::workerRestarted);
    std::printf(
        "| variant | progress when cancelled | until the job had ended, ms | worker restarted | next run "
        "|\n");
    std::printf("| --- | ---: | ---: | --- | --- |\n");
    for (const char* variant : {"gram.tiled", "seed.ordered", "seed.naive"}) {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = variant;
        request.inputs["frames"] = {argv[1], {}};
        request.inputs["partition"] = {argv[2], {}};
        const bool streams = std::string(variant) == "gram.tiled";
        if (argc > 3 && streams) request.memory_limit = std::strtoull(argv[3], nullptr, 10);
        failed = 0;
        restarted.clear();
        stage.clear();
        run(request);
        const bool began = waitFor([&] { return stage == "correlate" || failed > 0; }, 900000);
        if (!began || failed > 0) {
            std::printf("| %s | %s | | | |\n", variant,
                        failed == 0 ? "no kernel was started" : qPrintable(why));
            continue;
        }
        waitFor([] { return false; }, 1500);
        const double at = fraction;
        QElapsedTimer since;
        since.start();
        worker.cancel();
        if (!waitFor([&] { return failed > 0; }, 30000)) return 1;
        const double took = static_cast<double>(since.nsecsElapsed()) * 1e-6;
        const bool again = waitFor([&] { return worker.ready(); }, 30000) && !restarted.isEmpty();
        ks::Request small = request;
        small.variant = "gram.tiled";
        small.memory_limit = {};
        small.parameters["last_frame"] = std::int64_t{20};
        finished = 0;
        run(small);
        const bool next = waitFor([&] { return finished > 0; }, 120000);
        std::printf("| %s | %.2f %% | %.0f | %s | %s |\n", variant, 100 * at, took, again ? "yes" : "no",
                    next ? "succeeded" : "failed");
        std::fflush(stdout);
    }
    return 0;
}
