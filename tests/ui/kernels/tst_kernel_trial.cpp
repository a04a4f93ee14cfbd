#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QUuid>
#include <QtTest>

#include "core/data/partition/partition_builder.h"
#include "core/run/user/shown_variant.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/kernels/access/access_panel.h"
#include "ui/kernels/assembly_view.h"
#include "ui/kernels/build_log_view.h"
#include "ui/kernels/code_view.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/trial/trial_history.h"
#include "ui/kernels/trial/trial_view.h"
#include "ui/kernels/trial/under_way.h"
#include "ui/kernels/user_kernels.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/variant_list.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/drawer.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/kernel_window.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

/// F7 in the window with a real worker.
class KernelTrialTest : public ks::tests::WindowFixture {
    Q_OBJECT

    UserKernels& kernels() { return window_->kernels().panel().userKernels(); }
    void replace(const QString& from, const QString& to) {
        const QString text = kernels().editor().toPlainText();
        QVERIFY2(text.contains(from), qPrintable(from));
        kernels().editor().replaceText(QString(text).replace(from, to));
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_VARIANTS", folder_.filePath("variants").toUtf8());
        // The program of this build; it only notes what it is to judge while there is a file "note".
        QFile program(folder_.filePath("cli"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\ntest \"$1\" = judge && test -e " + folder_.filePath("note").toUtf8() +
                      " || exec " + QByteArray(KERNELSCOPE_CLI) +
                      " \"$@\"\necho '{\"runs\": [], \"findings\": []}' > \"$8\"\necho \"$@\" >> " +
                      folder_.filePath("judged").toUtf8() + "\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        qputenv("KERNELSCOPE_CLI", program.fileName().toUtf8());
    }
    void init() {
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("vector_add"));
        if (!window_->variants().setVariant("seed.add")) QSKIP("no OpenCL device");
        window_->parameters().setValues({{"size", std::int64_t{1000}}});
    }
    void cleanup() { window_.reset(); }

    void theVerdictComesFirstThenTheTimesOfTwelveRunsEach() {
        window_->kernels().editCopy();
        QCOMPARE(window_->kernels().panel().tabs().currentIndex(), static_cast<int>(KernelPanel::Tab::edit));
        // A copy is called like its base: the line says which of them is meant.
        const QString own = "user.seed.add";
        QCOMPARE(kernels().id(), own);
        const auto step = [this] { return kernels().trial().underWay().line().text(); };
        QString first, timing;
        connect(&window_->queue(), &RunQueue::runAdded, this, [&] {
            if (first.isEmpty()) first = kernels().trial().line().text();
            timing = step();
        });
        kernels().run();
        QVERIFY2(step().contains(own), qPrintable(step()));
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("12 runs each)"), 60000);
        QVERIFY2(timing.startsWith("Timing user.seed.add and seed.add alternately"), qPrintable(timing));
        QVERIFY2(first.contains("right") && first.contains("timed alternately with seed.add, 12 runs each"),
                 qPrintable(first));
        const QString text = kernels().trial().line().text();
        QVERIFY2(text.contains("right") && text.contains("(seed.add: "), qPrintable(text));
        QVERIFY2(text.contains("local memory and races not checked (Shift+F7 checks them)"),
                 qPrintable(text));
        QVERIFY2(text.contains("as on the page: Size 1000"), qPrintable(text));
        QVERIFY2(text.contains("\u00d7 as fast") || text.contains("\u00d7 as long"), qPrintable(text));
        const ks::Run& run = *window_->runs().rows().back().run;
        QCOMPARE(run.variant.base, std::string("seed.add"));
        QVERIFY(run.request.guarded);
        QCOMPARE(window_->runs().rowCount(), 1);
        QTRY_VERIFY(!window_->queue().busy());
        // The other tabs are of the kernel that is edited, and it is compared with its base.
        const KernelPanel& panel = window_->kernels().panel();
        QTRY_VERIFY_WITH_TIMEOUT(panel.variant().startsWith("user.seed.add"), 10000);
        QCOMPARE(window_->kernels().panel().others().currentText(), QString("seed.add"));
        QVERIFY(window_->kernels().panel().buildLog().toPlainText().contains("user.seed.add"));
    }

    void aCopyHasTheKeyboard() {
        window_->kernels().editCopy();
        QCOMPARE(window_->kernels().focusWidget(), &kernels().editor());
        window_->kernels().panel().tabs().setFocus();
        const QString first = kernels().id();
        emit kernels().copyWanted();
        QVERIFY2(kernels().id() != first, qPrintable(first));
        QCOMPARE(window_->kernels().focusWidget(), &kernels().editor());
    }

    void thePageOfDataFromAFileIsNamedByTheirSizes() {
        const QString data = folder_.filePath("sizes.h5");
        ks::tests::generate_xpcs(data, 20, 24, 30);
        ks::tests::open_data(*window_, data);
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        window_->action("live")->setChecked(false);
        xpcs::PartitionChoice rings = page.partitionForm().choice();
        rings.source = xpcs::PartitionChoice::Rings;
        rings.recipe.geometry = page.imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(2, 10, 3);
        page.partitionForm().setChoice(rings);
        QTRY_COMPARE_WITH_TIMEOUT(page.bins().rowCount(), 3, 30000);
        QVERIFY(window_->variants().setVariant("seed.naive"));
        // Pixels whose centre is in one of the rings, counted here.
        const ks::Geometry& geometry = page.imagePanel().geometry();
        int pixels = 0;
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 30; ++x) {
                const double r = std::hypot(x + 0.5 - geometry.beam_x, y + 0.5 - geometry.beam_y);
                pixels += r >= 2 && r < 10 ? 1 : 0;
            }
        window_->kernels().editCopy();
        kernels().run();
        const auto said = [this] { return kernels().trial().line().text(); };
        QTRY_VERIFY_WITH_TIMEOUT(said().contains("as on the page: 20 frames, 3 bins, "), 60000);
        QVERIFY2(said().contains(QString("3 bins, %1 pixels").arg(pixels)), qPrintable(said()));
        QVERIFY2(!said().contains("none"), qPrintable(said()));
    }

    void thePageOfAProblemWithoutSizesIsNamedByItsValues_data() {
        QTest::addColumn<QString>("analysis");
        QTest::addColumn<QString>("said");
        QTest::newRow("vectors") << "vectors"
                                 << "as on the page: a 7,-3,-2,5; b 1,2,3,4; f 4,3,2,1; "
                                    "c -5,254.5,254.6,1.2e9";
        QTest::newRow("expression") << "expression"
                                    << "as on the page: x range:400; y range:400";
    }
    void thePageOfAProblemWithoutSizesIsNamedByItsValues() {
        QFETCH(QString, analysis);
        QFETCH(QString, said);
        QVERIFY(window_->setPage(analysis));
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY2_WITH_TIMEOUT(kernels().trial().line().text().contains(said),
                                  qPrintable(kernels().trial().line().text()), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void keysOfTheWindowLeaveATextAloneThatIsNotInView() {
        KernelWindow& window = window_->kernels();
        KernelPanel& panel = window.panel();
        window.editCopy();
        const QString id = kernels().id();
        QTRY_COMPARE_WITH_TIMEOUT(panel.variant(), id, 60000);
        replace("a[i] + b[i]", "a[i] - b[i]");
        window.close();
        window.showKernel(KernelPanel::Tab::source);
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        QCOMPARE(panel.variant(), QString("seed.add"));
        QTest::keyClick(&window, Qt::Key_F7);
        QCOMPARE(panel.tabs().currentIndex(), static_cast<int>(KernelPanel::Tab::edit));
        QCOMPARE(panel.variant(), id);
        QVERIFY(!kernels().trial().isRunning());
        QVERIFY(kernels().editor().document()->isModified());
        // The shown variant is measured, not the text.
        panel.showTab(KernelPanel::Tab::source);
        QVERIFY(panel.setVariant("seed.add"));
        QTest::keyClick(&window, Qt::Key_F7, Qt::ControlModifier);
        QVERIFY(kernels().editor().document()->isModified());
        // The second time, the text is in view.
        panel.showTab(KernelPanel::Tab::edit);
        QTest::keyClick(&window, Qt::Key_F7);
        QVERIFY(!kernels().editor().document()->isModified());
        QTRY_VERIFY_WITH_TIMEOUT(
            kernels().trial().line().text().contains("not timed because its result is wrong"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void whatTheKernelPrintsIsShown() {
        KernelPanel& panel = window_->kernels().panel();
        const int tab = static_cast<int>(KernelPanel::Tab::printed);
        window_->kernels().editCopy();
        QVERIFY(!panel.tabs().isTabVisible(tab));
        replace("c[i] = a[i] + b[i];",
                "c[i] = a[i] + b[i];\n    if (i == 3 || i == 4) printf(\"seen <%u> of %u\\n\", (uint)i, "
                "(uint)n);");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("12 runs each)"), 60000);
        QVERIFY2(kernels().trial().line().text().contains("printed: <code>seen &lt;"),
                 qPrintable(kernels().trial().line().text()));
        QVERIFY(kernels().trial().line().text().contains("more in the Printed tab"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.tabs().isTabVisible(tab), 10000);
        QStringList lines = panel.printed().toPlainText().split('\n', Qt::SkipEmptyParts);
        lines.sort();
        QCOMPARE(lines, (QStringList{"seen <3> of 1000", "seen <4> of 1000"}));
        QVERIFY(panel.printed().isReadOnly());
        QTRY_VERIFY(!window_->queue().busy());
        // A run that prints nothing has no such tab.
        replace("\n    if (i == 3 || i == 4) printf(\"seen <%u> of %u\\n\", (uint)i, (uint)n);", "");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.tabs().isTabVisible(tab), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
        QVERIFY(!kernels().trial().line().text().contains("printed"));
    }

    void aNewTrialTakesThePlaceOfTheTimesOfTheOneBefore() {
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("timed alternately"), 60000);
        replace("a[i] + b[i]", "a[i] - b[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(
            kernels().trial().line().text().contains("not timed because its result is wrong"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
        QVERIFY(kernels().trial().line().text().contains("wrong"));
    }

    void aRunGoesBeforeTheTimesWhichBeginAnewAfterIt() {
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("timed alternately"), 60000);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 2, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("runs each)"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void timesThatAreCancelledAreSaidToBeSo() {
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("timed alternately"), 60000);
        window_->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("not timed: "), 60000);
        QVERIFY(kernels().trial().line().text().contains("right"));
        QTRY_VERIFY(!window_->queue().busy());
    }

    void aCrashIsToldInTheWindowOfTheKernelsOnly() {
        window_->kernels().editCopy();
        QVERIFY(QTest::qWaitForWindowExposed(&window_->kernels()));
        QSignalSpy restarted(&window_->worker(), &WorkerClient::workerRestarted);
        replace("a[i] + b[i];", "a[i] + b[i]; c[(size_t)1 << 44] = 1;");
        kernels().run();
        QTRY_VERIFY2_WITH_TIMEOUT(kernels().trial().line().text().contains("crashed the worker"),
                                  qPrintable(kernels().trial().line().text()), 60000);
        QCOMPARE(restarted.size(), 1);
        const ErrorBar& bar = *window_->findChild<ErrorBar*>();
        QVERIFY2(!bar.isVisibleTo(window_.get()), qPrintable(bar.sentence()));
        const QString said = window_->statusBar()->currentMessage();
        QVERIFY2(
            said.contains('(' + kernels().id() + "): the kernel ") && said.contains("crashed the worker"),
            qPrintable(said));
        // The next run works, and the bar stays away.
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && !window_->queue().busy(), 60000);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QVERIFY(!bar.isVisibleTo(window_.get()));
    }

    void aTrialIsCancelledInItsOwnWindow() {
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] + b[i];\n    while (c[i] < 1e30f) c[i] = -c[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().underWay().line().text().contains("kernel add"), 60000);
        kernels().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("Cancelled"), 10000);
        QVERIFY(!kernels().trial().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && window_->worker().ready(), 60000);
        // Its times, too.
        replace(";\n    while (c[i] < 1e30f) c[i] = -c[i]", "");
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("timed alternately"), 60000);
        kernels().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("not timed: "), 60000);
        QVERIFY(!kernels().trial().isRunning());
    }

    void aTrialIsCancelledWhileAnotherKernelIsShown() {
        window_->kernels().editCopy();
        const QString first = kernels().name();
        window_->kernels().editCopy();
        const QString second = kernels().name();
        QVERIFY(second != first);
        replace("a[i] + b[i]", "a[i] + b[i];\n    while (c[i] < 1e30f) c[i] = -c[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().underWay().line().text().contains("kernel add"), 60000);
        QVERIFY(kernels().open(first));
        const QString text = kernels().trial().underWay().line().text();
        QVERIFY2(kernels().trial().isRunning() && text.contains(second), qPrintable(text));
        kernels().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().trial().isRunning(), 10000);
        QVERIFY(!kernels().trial().line().text().contains("Cancelled"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && window_->worker().ready(), 60000);
        // It ends by itself, too.
        kernels().run();
        QVERIFY(kernels().open(second));
        QVERIFY(kernels().trial().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().trial().isRunning(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void aValueThatTheHeaderMustNotHaveIsMarkedAtItsLine() {
        QVERIFY(window_->setPage("scan"));
        if (!window_->variants().setVariant("three_passes")) QSKIP("no OpenCL device");
        window_->kernels().editCopy();
        replace("// base: three_passes\n", "// base: three_passes\n// define: WG=3\n");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().editor().marks().contains(2), 60000);
        QCOMPARE(kernels().editor().marks().size(), 1);
        const QString row = kernels().trial().messages().item(0)->text(),
                      line = kernels().trial().line().text();
        QVERIFY2(row.startsWith("Line 3: define WG: expected one of "), qPrintable(row));
        QVERIFY2(line.contains("define WG: expected one of ") && !line.contains("usable variants") &&
                     !line.contains(".cl"),
                 qPrintable(line));
        QVERIFY(!kernels().trial().isRunning());
    }

    void warningsAreShownThoughTheKernelBuilds() {
        window_->kernels().editCopy();
        // PoCL knows a program by its text after the preprocessor, and then has the messages of its first
        // build.
        const QString once = QUuid::createUuid().toString(QUuid::Id128), warning = "look here " + once;
        replace("kernel void", "#warning " + warning + "\nconstant int once_" + once + " = 1;\nkernel void");
        const QStringList lines = kernels().editor().toPlainText().split(u'\n');
        const auto line = static_cast<int>(lines.indexOf("#warning " + warning));
        // The second time, the program comes from memory.
        for (int i = 0; i < 2; ++i) {
            kernels().run();
            QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("runs each)"), 60000);
            QCOMPARE(kernels().editor().marks().value(line, CodeView::Mark::error), CodeView::Mark::warning);
            const QListWidget& list = kernels().trial().messages();
            QVERIFY(list.count() >= 1 && !list.isHidden());
            const QString row = list.item(0)->text();
            QVERIFY2(row.startsWith(QString("Line %1: warning: ").arg(line + 1)) && row.contains(warning),
                     qPrintable(row));
        }
    }

    void asManyRunsAsWereAskedForAreTimedAndKept() {
        window_->kernels().editCopy();
        kernels().bar().repeats().setCurrentIndex(kernels().bar().repeats().findData(10));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("10 runs each)"), 60000);
        replace("a[i] + b[i]", "a[i] - b[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(
            kernels().trial().line().text().contains("not timed because its result is wrong"), 60000);
        const QListWidget& list = kernels().history().list();
        QCOMPARE(list.count(), 2);
        QVERIFY2(list.item(0)->text().contains("wrong"), qPrintable(list.item(0)->text()));
        QVERIFY2(list.item(1)->text().contains("\u00d7"), qPrintable(list.item(1)->text()));
    }

    void aTrialWhoseRunIsUnderWayWhenAnotherBeginsKeepsItsOutcome() {
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        window_->kernels().editCopy();
        const QString first = kernels().name();
        replace("a[i] + b[i]", "a[i] - b[i]");
        kernels().run();
        window_->kernels().editCopy();
        QVERIFY(kernels().name() != first);
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("runs each)"), 60000);
        QCOMPARE(kernels().history().list().count(), 1);
        QVERIFY(kernels().open(first));
        QVERIFY(!kernels().history().isHidden());
        QVERIFY2(kernels().history().list().item(0)->text().contains("wrong"),
                 qPrintable(kernels().history().list().item(0)->text()));
        QVERIFY(kernels().history().list().item(0)->toolTip().contains("not timed: another run was started"));
    }

    void aRunIsOutdatedOnceTheTextOfItsKernelChanges() {
        window_->kernels().editCopy();
        const QString id = kernels().id();
        QTRY_VERIFY_WITH_TIMEOUT(window_->variants().setVariant(id), 20000);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
        QVERIFY(window_->page()->drawer().mark().isEmpty());
        replace("a[i] + b[i]", "b[i] + a[i]");
        QVERIFY(kernels().save());
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->drawer().mark().contains("Kernel text"), 20000);
        QVERIFY(window_->variants().setVariant("seed.add"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->drawer().mark().endsWith("(Kernel text, Variant)"), 10000);
        // The same where the next variant stands in for another one.
        QVERIFY(!window_->variants().setVariant("user.gone"));
        QVERIFY(window_->variants().wanted() != window_->variants().variant());
        const auto said = [this] {
            return window_->pageRuns().exported(window_->runs().rows().front()).text;
        };
        QVERIFY2(said().endsWith("outdated (Kernel text, Variant)"), qPrintable(said()));
        QVERIFY(window_->variants().setVariant(id));
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->drawer().mark().endsWith("(Kernel text)"), 10000);
        kernels().editor().undo();
        QVERIFY(kernels().save());
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->drawer().mark().isEmpty(), 20000);
    }

    void aCopyOfTheKernelOfARunHasTheDefinitionsOfTheRun() {
        QVERIFY(window_->setPage("matmul"));
        QVERIFY(window_->variants().setVariant("registers"));
        window_->parameters().setValues({{"size", std::int64_t{65}}});
        window_->kernels().editCopy();
        const QString id = kernels().id();
        QTRY_VERIFY_WITH_TIMEOUT(window_->variants().setVariant(id), 20000);
        ks::Request request = window_->pageRuns().makeRequest();
        request.defines = {{"DEPTH", "8"}};
        window_->queue().run(request, true);
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 60000);
        const auto depth = [](const ks::Run& run) { return ks::compiled_defines(run).at("DEPTH"); };
        QCOMPARE(depth(*window_->runs().rows().front().run), std::string("8"));
        QMenu menu;
        window_->findChild<RunsPanel*>()->fillMenu(menu, 1);
        const QList<QAction*> actions = menu.actions();
        const auto edit = std::ranges::find_if(
            actions, [](const QAction* one) { return one->text().startsWith("Edit a copy of the kernel"); });
        QVERIFY(edit != actions.end());
        (*edit)->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(kernels().name(), QString("registers-2"), 10000);
        QVERIFY2(kernels().editor().toPlainText().contains("// define: DEPTH=8\n"),
                 qPrintable(kernels().editor().toPlainText().left(300)));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 2 && !window_->queue().busy(), 60000);
        const ks::Run& own = *window_->runs().rows().front().run;
        QCOMPARE(own.variant.id, std::string("user.registers-2"));
        QCOMPARE(depth(own), std::string("8"));
    }

    void aTrialThatIsTakenFromTheQueueHasEnded() {
        window_->parameters().setValues({{"size", std::int64_t{4000000}}});
        window_->kernels().editCopy();
        window_->startRun();
        kernels().run();
        window_->queue().cancelAll();
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().trial().isRunning(), 10000);
        QVERIFY(kernels().trial().line().text().contains("Cancelled"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }

    void accessesAreCheckedBesideTheWorkerAndLeadToTheirLines() {
        if (QStandardPaths::findExecutable("oclgrind").isEmpty()) QSKIP("oclgrind is not installed");
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] + b[i + 4096]");
        int line = -1;
        const QStringList lines = kernels().editor().toPlainText().split('\n');
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].contains("b[i + 4096]")) line = i;
        const qint64 worker = window_->worker().processId();
        QTest::mouseClick(&kernels().bar().checkButton(), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(kernels().accesses().rows().count() >= 7,
                                  qPrintable(kernels().accesses().line().text()), 60000);
        const QListWidget& rows = kernels().accesses().rows();
        int wrong = -1;
        for (int i = 0; i < rows.count(); ++i)
            if (rows.item(i)->text().contains("Invalid read")) wrong = i;
        QVERIFY2(wrong >= 0, "no read outside was found");
        QVERIFY2(rows.item(wrong)->text().contains(QString("line %1").arg(line + 1)),
                 qPrintable(rows.item(wrong)->text()));
        QVERIFY(kernels().editor().marks().contains(line));
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                          rows.visualItemRect(rows.item(wrong)).center());
        QCOMPARE(kernels().editor().markedLine(), line);
        const QString said = kernels().accesses().line().text();
        QVERIFY(!said.contains("Before the last changes"));
        QVERIFY2(said.contains(QRegularExpression(
                     "on generated problems: with [^:]*: size [0-9]+.*; simulated: size [0-9]+")),
                 qPrintable(said));
        QCOMPARE(window_->worker().processId(), worker);
    }

    void aKernelIsTriedOnAGeneratedProblemWithoutData() {
        QVERIFY(window_->setPage("devices"));
        window_->kernels().showKernel(KernelPanel::Tab::edit);
        KernelPanel& panel = window_->kernels().panel();
        // The analysis that was looked at last.
        QCOMPARE(panel.analysis(), QString("vector_add"));
        QVERIFY(window_->setPage("lab"));
        auto* lab = qobject_cast<lab::LabPage*>(window_->page());
        QVERIFY(lab);
        lab->form().choose("xpcs");
        QTRY_COMPARE(panel.analysis(), QString("xpcs"));
        QVERIFY(panel.setVariant("seed.naive"));
        panel.editCopy();
        QCOMPARE(kernels().bar().data().itemText(0), QString("generated, small"));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("runs each)"), 60000);
        const QString text = kernels().trial().line().text();
        QVERIFY2(text.contains("on a generated problem: Frames 150, Height 32, Width 32"), qPrintable(text));
        QVERIFY2(text.contains("right") && !text.contains("<a "), qPrintable(text));
        QVERIFY2(!window_->runs().rows().front().ticked, "it is not of the page's data");
    }

    void theHeadNamesTheKernelInTheEditorAfterTheWindowWasReopened() {
        window_->kernels().editCopy();
        const KernelPanel& panel = window_->kernels().panel();
        QTRY_VERIFY_WITH_TIMEOUT(panel.variant().startsWith("user.seed.add"), 10000);
        const QString own = panel.variant();
        QVERIFY(window_->kernels().close());
        QVERIFY(window_->variants().setVariant("seed.add"));
        window_->kernels().showKernel(KernelPanel::Tab::edit);
        QCOMPARE(kernels().id(), own);
        QCOMPARE(panel.variant(), own);
        QVERIFY(window_->kernels().close());
        window_->kernels().showKernel(KernelPanel::Tab::source);
        QCOMPARE(panel.variant(), QString("seed.add"));
    }

    void theKernelInTheEditorIsMeasuredAfterTheWindowWasReopened() {
        window_->kernels().editCopy();
        KernelPanel& panel = window_->kernels().panel();
        QTRY_VERIFY_WITH_TIMEOUT(panel.variant().startsWith("user.seed.add"), 10000);
        const QString own = panel.variant();
        QVERIFY(window_->kernels().close());
        window_->kernels().showKernel(KernelPanel::Tab::source);
        QCOMPARE(panel.variant(), QString("seed.add"));
        QTest::mouseClick(panel.tabs().tabBar(), Qt::LeftButton, {},
                          panel.tabs().tabBar()->tabRect(static_cast<int>(KernelPanel::Tab::edit)).center());
        QCOMPARE(panel.variant(), own);
        QTest::mouseClick(panel.tabs().cornerWidget(), Qt::LeftButton);
        auto* lab = dynamic_cast<ks::ui::lab::LabPage*>(window_->page());
        QVERIFY(lab);
        QStringList ticked = lab->form().variants().ticked();
        ticked.sort();
        QCOMPARE(ticked, (QStringList{"seed.add", own}));
    }

    void theFirstAnalysisIsShownWhereNoneWasLookedAt() {
        window_.reset();
        window_ = firstWindow();
        QVERIFY(window_->setPage("devices"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->kernels().showKernel(KernelPanel::Tab::source);
        QVERIFY(!window_->kernels().panel().analysis().isEmpty());
        QVERIFY(window_->kernels().panel().variants().count() > 0);
    }

    void theWorstPlaceIsShownOnThePage() {
        const QString frames = folder_.filePath("frames.h5");
        ks::tests::generate_xpcs(frames, 40, 32, 40);
        ks::tests::open_data(*window_, frames);
        QVERIFY(window_->setPage("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty(), 30000);
        QVERIFY(window_->variants().setVariant("seed.naive"));
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("<a href"), 60000);
        QVERIFY(window_->setPage("lab"));
        emit kernels().trial().line().linkActivated("place");
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        auto* page = qobject_cast<xpcs::XpcsPage*>(window_->page());
        QVERIFY(page);
        const ks::VerdictPlace place = window_->runs().rows().front().run->verdict.place;
        QCOMPARE(page->pickedBin(), static_cast<int>(place.at("bin")));
    }

    void aMapThatTheKernelCannotMakeIsLeftOut() {
        const QString frames = folder_.filePath("mapped.h5");
        ks::tests::generate_xpcs(frames, 40, 32, 40);
        ks::tests::open_data(*window_, frames);
        QVERIFY(window_->setPage("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty(), 30000);
        // The page's own variant makes maps, that of the edited kernel does not.
        QVERIFY(window_->variants().setVariant("gram.tiled"));
        auto* page = qobject_cast<xpcs::XpcsPage*>(window_->page());
        QVERIFY(page);
        page->pickBin(1);
        QVERIFY(window_->kernels().panel().setVariant("seed.ordered"));
        window_->kernels().panel().editCopy();
        kernels().run();
        const auto said = [this] { return kernels().trial().line().text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("right"), qPrintable(said()), 60000);
        QVERIFY(!window_->runs().rows().front().run->result.find("two_time"));
    }

    void theBaseRunsWithItsBuiltInDefinitionsAndThatIsSaid() {
        QVERIFY(window_->setPage("reduce"));
        QVERIFY(window_->variants().setVariant("tree"));
        window_->parameters().setValues({{"size", std::int64_t{1000}}});
        window_->kernels().editCopy();
        kernels().run();
        const auto said = [this] { return kernels().trial().line().text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("runs each)"), qPrintable(said()), 60000);
        QVERIFY2(said().contains("tree with its built-in definitions, not tuned ones"), qPrintable(said()));
    }

    void theErrorOfATrialGoesWithTheNextGoodOneOrAnotherPage() {
        auto* const errors = window_->findChild<ErrorBar*>();
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] + d[i]");
        // said once: where its own window is not seen
        window_->kernels().hide();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(errors->isError(), 60000);
        QVERIFY(window_->setPage("lab"));
        QVERIFY(!errors->isError());
        QVERIFY(window_->setPage("vector_add"));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(errors->isError(), 60000);
        replace("a[i] + d[i]", "a[i] + b[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("right"), 60000);
        QVERIFY(!errors->isError());
    }

    void instructionsAreAskedOfTheDriver() {
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 60000);
        window_->kernels().showKernel(KernelPanel::Tab::assembly);
        AssemblyView& view = window_->kernels().panel().assembly();
        QVERIFY(view.ask().isEnabled());
        // Also while something runs, after which the driver is asked.
        window_->startRun();
        view.ask().click();
        QCOMPARE(view.note().text(), QString("Waiting for the driver ..."));
        // A text, or why there is none.
        QTRY_VERIFY_WITH_TIMEOUT(view.text().placeholderText().contains("machine code") ||
                                     view.text().toPlainText().contains("add"),
                                 60000);
        QCOMPARE(window_->runs().rowCount(), 2);
    }

    void whatIsJudgedIsTheLaunchOfThePage() {
        const auto judged = [this] {
            QFile file(folder_.filePath("judged"));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        const auto judge = [this, &judged] {
            QFile::remove(folder_.filePath("judged"));
            QTest::keyClick(&kernels().editor(), Qt::Key_F7, Qt::ShiftModifier);
            QTRY_VERIFY_WITH_TIMEOUT(judged().endsWith('\n'), 60000);
            QTRY_VERIFY_WITH_TIMEOUT(!kernels().accesses().isRunning(), 60000);
        };
        QFile note(folder_.filePath("note"));
        QVERIFY(note.open(QIODevice::WriteOnly));
        const auto gone = qScopeGuard([&note] { note.remove(); });
        window_->parameters().setValues({{"size", std::int64_t{1000}}, {"local_size", std::int64_t{64}}});
        window_->kernels().editCopy();
        QVERIFY(QTest::qWaitForWindowExposed(&window_->kernels()));
        kernels().editor().setFocus();
        judge();
        QVERIFY2(judged().contains(" --local-size=64"), qPrintable(judged()));
        QVERIFY2(!judged().contains("--size"), "judge has its own sizes");
        window_->parameters().setValues({{"local_size", std::int64_t{32}}});
        judge();
        QVERIFY2(judged().contains(" --local-size=32"), qPrintable(judged()));
        // A generated problem has nothing of the page.
        QComboBox& data = kernels().bar().data();
        data.setCurrentIndex(data.findText("generated, as in the Lab"));
        judge();
        QVERIFY2(!judged().contains("--local-size"), qPrintable(judged()));
    }

    void anErrorOutsideOfTheSampleIsFoundWhereAllValuesAreCheckedQuickly() {
        window_->parameters().setValues({{"size", std::int64_t{1000000}}});
        window_->kernels().editCopy();
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("runs each)"), 60000);
        QVERIFY2(kernels().trial().line().text().contains("right: all values"),
                 qPrintable(kernels().trial().line().text()));
        // A sample has every tenth value.
        replace("a[i] + b[i]", "(i == 33 ? 7 : a[i] + b[i])");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(
            kernels().trial().line().text().contains("not timed because its result is wrong"), 60000);
    }

    void aKernelThatDoesNotEndIsToldWithTheSettingAndTheTimeOfItsBase() {
        window_->worker().setKernelLimit(std::chrono::seconds(2));
        window_->kernels().editCopy();
        replace("c[i] = a[i] + b[i];",
                "{\n    volatile global float* at = c;\n    while (n > 0) at[i] = a[i] + b[i];\n    }");
        kernels().run();
        const auto said = [this] { return kernels().trial().line().text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("did not finish within 2 s"), qPrintable(said()), 60000);
        QVERIFY2(said().contains("Time limit of a kernel"), qPrintable(said()));
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("its base, seed.add, takes "), qPrintable(said()), 60000);
        QVERIFY2(said().contains("did not finish within 2 s") && said().contains("Time limit of a kernel"),
                 qPrintable(said()));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
        QCOMPARE(kernels().history().list().count(), 1);
    }

    void anOutcomeIsSaidThoughTheKernelWasRenamedMeanwhile() {
        window_->worker().setKernelLimit(std::chrono::seconds(3));
        window_->kernels().editCopy();
        replace("c[i] = a[i] + b[i];",
                "{\n    volatile global float* at = c;\n    while (n > 0) at[i] = a[i] + b[i];\n    }");
        kernels().run();
        const auto step = [this] { return kernels().trial().underWay().line().text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(step().contains(": kernel "), qPrintable(step()), 60000);
        kernels().rename("moved");
        QCOMPARE(kernels().id(), QString("user.moved"));
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().trial().isRunning(), 60000);
        const auto said = [this] { return kernels().trial().line().text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("did not finish within 3 s"), qPrintable(said()), 20000);
    }

    void aTextWhoseAccessesAnEarlierStartFoundWrongIsNotSaidToBeRight() {
        window_->kernels().editCopy();
        const auto line = [this] { return kernels().trial().line().text(); };
        const std::string mark = ks::text_mark(kernels().editor().toPlainText().toStdString());
        TextFaults& faults = window_->desk().textFaults();
        faults.put("vector_add", mark, {"data races"});  // as a run that came back says
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(line().contains("12 runs each)"), 60000);
        QVERIFY2(line().contains("wrong: the access check of this text found data races"),
                 qPrintable(line()));
        QVERIFY2(!line().contains("right: "), qPrintable(line()));
        const auto row = [this] { return kernels().history().list().item(0)->text(); };
        QVERIFY2(row().contains("wrong") && row().contains("access check: data races"), qPrintable(row()));
        // Also where it is known later: of a session that is read after the run.
        faults.put("vector_add", mark, {"wrong barriers"});
        QVERIFY2(line().contains("found data races, wrong barriers"), qPrintable(line()));
        QVERIFY2(row().contains("access check: data races, wrong barriers"), qPrintable(row()));
    }

    void aWrongKernelIsSaidToBeWrong() {
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] - b[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("wrong"), 60000);
    }

    void anErrorIsMarkedAtItsLine() {
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] + d[i]");
        int line = -1;
        const QStringList lines = kernels().editor().toPlainText().split('\n');
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].contains("d[i]")) line = i;
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().editor().marks().isEmpty(), 60000);
        QVERIFY2(kernels().editor().marks().contains(line), qPrintable(QString::number(line)));
        QCOMPARE(kernels().editor().marks().size(), 1);
        QVERIFY(kernels().trial().messages().item(0)->text().contains("'d'"));
        // The next run that builds has none.
        replace("a[i] + d[i]", "a[i] + b[i]");
        kernels().run();
        QVERIFY(kernels().editor().marks().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(kernels().trial().line().text().contains("right"), 60000);
    }
};

QTEST_MAIN(KernelTrialTest)
#include "tst_kernel_trial.moc"
