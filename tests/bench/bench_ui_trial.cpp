// How soon a kernel that was edited is judged: from F7 to the verdict of a sample, with a text that no cache
// has. Usage: bench_ui_trial ANALYSIS VARIANT [small|usual]   (the size of the generated problem; default
// small)

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/bench/built_worker.h"
#include "tests/bench/wait_for.h"
#include "ui/kernels/code_view.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/user_kernels.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/plan_form.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/main_window.h"

using namespace ks::ui;

namespace {

constexpr int trials = 11, longest = 120000;

/// From F7 to the verdict, milliseconds; less than 0 where there was none.
double tried(MainWindow& window, UserKernels& kernels, int number) {
    const QString text = kernels.editor().toPlainText();
    kernels.editor().replaceText(text + QStringLiteral("// %1\n").arg(number));
    bool judged = false;
    const auto told = QObject::connect(&window.queue(), &RunQueue::runAdded, &window,
                                       [&] { judged = kernels.result().text().contains("right"); });
    QElapsedTimer since;
    since.start();
    kernels.run();
    const bool came = waitFor([&] { return judged; }, longest);
    const double milliseconds = static_cast<double>(since.nsecsElapsed()) * 1e-6;
    QObject::disconnect(told);
    const bool ended = waitFor(
        [&] { return kernels.result().text().contains("runs each") && !window.queue().busy(); }, longest);
    return came && ended ? milliseconds : -1;
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    useBuiltWorker();
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: bench_ui_trial ANALYSIS VARIANT [small|usual]\n");
        return 2;
    }
    QTemporaryDir folder;
    qputenv("KERNELSCOPE_VARIANTS", folder.filePath("variants").toUtf8());
    MainWindow window(std::make_unique<QSettings>(folder.filePath("bench.ini"), QSettings::IniFormat));
    window.show();
    if (!waitFor([&] { return window.worker().ready(); }, 60000) || !window.setPage("lab")) return 1;
    dynamic_cast<lab::LabPage&>(*window.page()).form().choose(argv[1]);
    KernelPanel& panel = window.kernels().panel();
    window.kernels().showKernel(KernelPanel::Tab::source);
    if (!waitFor([&] { return panel.analysis() == argv[1] && panel.setVariant(argv[2]); }, 10000)) {
        std::fprintf(stderr, "%s has no variant %s here\n", argv[1], argv[2]);
        return 1;
    }
    panel.editCopy();
    UserKernels& kernels = panel.userKernels();
    const bool usual = argc == 4 && std::string(argv[3]) == "usual";
    kernels.bar().data().setCurrentIndex(
        kernels.bar().data().findText(usual ? "generated, as in the Lab" : "generated, small"));
    std::vector<double> times;
    for (int i = 0; i <= trials; ++i) {
        const double time = tried(window, kernels, i);
        if (time < 0) {
            std::fprintf(stderr, "%s\n", kernels.result().text().toUtf8().constData());
            return 1;
        }
        if (i > 0) times.push_back(time);
    }
    std::ranges::sort(times);
    std::printf("| %s, %s, %s | %.0f ms | %.0f .. %.0f | %d |\n", argv[1], argv[2], usual ? "usual" : "small",
                times[trials / 2], times.front(), times.back(), trials);
    return 0;
}
