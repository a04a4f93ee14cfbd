#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <csignal>

#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/devices/device_id.h"
#include "core/run/registry.h"
#include "core/xpcs/analysis.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/export_plot.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/xpcs/xpcs_page.h"

using ks::Verdict;
using ks::ui::MainWindow;
using ks::ui::RunTableModel;

class MainWindowTest : public ks::tests::WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> window(const char* settings = "test.ini") {
        return ks::tests::window_on(path(settings));
    }

    static void choose(MainWindow& window, const QString& variant) {
        QTRY_VERIFY_WITH_TIMEOUT(!window.variants().offers().empty(), 30000);
        QVERIFY(window.variants().setVariant(variant));
    }

    static QString cell(MainWindow& window, int column) {
        return window.runs().index(0, column).data().toString();
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("short.h5"), 60, 101, 121);
        ks::tests::generate_xpcs(path("long.h5"), 3000, 101, 121);
    }

    void init() { QFile::remove(path("test.ini")); }

    void theAlgorithmDecidesWhichVariantsCanBeChosen() {
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        choose(*shown, "host.sliding");
        const auto button = [&](const char* id) { return shown->variants().findChild<QAbstractButton*>(id); };
        if (!button("sliding")) QSKIP("no OpenCL device");
        QVERIFY(shown->variants().setVariant("sliding"));
        QVERIFY(!button("extended.brute")->isEnabled());
        shown->analysisPage()->apply({{"algorithm", std::string("dispersion_extended")}});
        QTRY_VERIFY2(shown->variants().variant().startsWith("extended."),
                     qPrintable(shown->variants().variant()));
        QVERIFY(!button("sliding")->isEnabled());
        QVERIFY2(button("sliding")->toolTip().contains(
                     "requires the algorithm dispersion, found dispersion_extended"),
                 qPrintable(button("sliding")->toolTip()));
        QVERIFY(button("extended.brute")->isEnabled());
        shown->analysisPage()->apply({{"algorithm", std::string("dispersion")}});
        QTRY_COMPARE(shown->variants().variant(), QString("sliding"));
    }

    void everyActionAndToolHasANameForScreenReaders() {
        const auto shown = window();
        for (QMenu* menu : shown->menuBar()->findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                QVERIFY(action->isSeparator() || !action->text().isEmpty());
        const auto named = [](QWidget* widget) {
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            return !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        };
        for (QWidget* widget : shown->page()->findChildren<QWidget*>())
            if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QAbstractSlider*>(widget))
                if (!qobject_cast<QScrollBar*>(widget) && !widget->inherits("QTableCornerButton"))
                    QVERIFY2(
                        named(widget),
                        qPrintable(widget->metaObject()->className() +
                                   (" in " + QString(widget->parentWidget()->metaObject()->className()))));
        QVERIFY(shown->page()->editActions().size() >= 2);
        QCOMPARE(shown->action("undo")->shortcut(), QKeySequence(QKeySequence::Undo));
        QVERIFY(
            shown->menuBar()->actions()[1]->menu()->actions().contains(shown->page()->editActions().front()));
        QStringList menus;
        for (QAction* action : shown->menuBar()->actions()) menus << action->text().remove('&');
        QCOMPARE(menus, (QStringList{"File", "Edit", "View", "Run", "Tools", "Help"}));
        for (const char* name : {"open", "demo", "run", "cancel"})
            QVERIFY(std::ranges::any_of(shown->menuWidget()->findChildren<QToolButton*>(),
                                        [&](const QToolButton* button) {
                                            return button->defaultAction() == shown->action(name) &&
                                                   !button->accessibleName().isEmpty();
                                        }));
        QCOMPARE(shown->action("run")->shortcut(), QKeySequence(Qt::Key_F5));
        QCOMPARE(shown->action("cancel")->shortcut(), QKeySequence(Qt::Key_Escape));
    }

    void aLimitOfThreadsIsKeptAndReachesTheWorker() {
        const auto host = [](MainWindow& window) {
            return window.devices().itemText(window.devices().count() - 1);
        };
        const auto said = [&](MainWindow& window, const QString& text) {
            return QTest::qWaitFor([&] { return window.worker().ready() && host(window).contains(text); },
                                   60000);
        };
        {
            const auto shown = window();
            QVERIFY(said(*shown, "thread"));
            shown->action("threads")->trigger();
            ks::ui::SettingsDialog* dialog = shown->help().settings();
            QVERIFY(dialog && dialog->isVisible());
            dialog->threads().setValue(1);
            dialog->close();
            QCOMPARE(ks::thread_limit().value_or(0), 1U);
            QVERIFY2(said(*shown, ", 1 thread"), qPrintable(host(*shown)));
            QVERIFY(!shown->errorBar().isError());
            shown->close();
        }
        ks::limit_threads({});
        const auto again = window();
        QCOMPARE(ks::thread_limit().value_or(0), 1U);
        QVERIFY2(said(*again, ", 1 thread"), qPrintable(host(*again)));
        QVERIFY_THROWS_EXCEPTION(ks::Error, again->setThreads(1025));
        again->setThreads(3);
        QVERIFY2(said(*again, ", 3 threads"), qPrintable(host(*again)));
        again->setThreads({});
        QVERIFY(!ks::thread_limit());
        QVERIFY(!again->settings().contains("threads"));
    }

    void theMemoryIsThatOfARunOnTheChosenDevice() {
        const auto shown = window();
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        const ks::DeviceInfo* const chosen = shown->request().device();
        QVERIFY(chosen);
        ks::Run run, other;
        run.device = other.device = *chosen;
        other.device.name += " 2";
        if (chosen->global_bytes == 0 || ks::DeviceId(*chosen).is_host()) QSKIP("no OpenCL device");
        run.device_bytes_peak = 5'000'000;
        other.device_bytes_peak = 7'000'000;
        const auto text = [&] { return shown->request().deviceText().text(); };
        const QString before = text();
        shown->request().showMemory(other);
        QCOMPARE(text(), before);
        shown->request().showMemory(run);
        const QString said = text();
        QVERIFY2(said.startsWith("last run on this device: "), qPrintable(said));
        // A run of a host variant.
        shown->request().showMemory(ks::Run());
        QCOMPARE(text(), said);
        const QString page = shown->page()->analysis();
        QVERIFY(shown->setPage(page == "xpcs" ? "spots" : "xpcs") && shown->setPage(page));
        QTest::qWait(200);
        QCOMPARE(text(), said);
    }

    void whatWasUnderTheCursorGoesWithItsFile() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        const auto said = [&shown] {
            QString all;
            for (const QLabel* const label : shown->statusBar()->findChildren<QLabel*>())
                all += label->text();
            return all;
        };
        emit shown->page()->cursorMoved("Module 45: 214 digis");
        QVERIFY(said().contains("Module 45"));
        QFile::copy(path("short.h5"), path("other.h5"));
        ks::tests::open_data(*shown, path("other.h5"));
        QVERIFY(!said().contains("Module 45"));
    }

    void aFileIsOpenedRunAndChecked() {
        const auto shown = window();
        QVERIFY(!shown->action("run")->isEnabled());
        ks::tests::open_data(*shown, path("short.h5"));
        choose(*shown, "host.gram");
        QVERIFY(shown->action("run")->isEnabled());
        shown->action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 60000);
        const ks::Run& run = *shown->runs().rows()[0].run;
        QCOMPARE(cell(*shown, RunTableModel::VariantColumn), QString("host.gram"));
        QVERIFY(run.verdict.state == Verdict::State::sampled || run.verdict.state == Verdict::State::pass);
        QVERIFY(!shown->errorBar().isError());
        QVERIFY(shown->action("save")->isEnabled());
    }

    void runsAreSavedAndPlotsExported() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        choose(*shown, "host.gram");
        shown->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 1 && !shown->queue().busy(), 60000);
        QSignalSpy saved(&shown->runFiles(), &RunFiles::saved);
        shown->saveRun(path("run.h5"));
        shown->saveCsv(path("g2.csv"));
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 2, 30000);
        const ks::Run back = ks::xpcs::read_nxxpcs(path("run.h5").toStdString());
        const ks::Run& run = *shown->runs().rows()[0].run;
        // The same numbers, bit for bit; NaN differs from itself, so bytes are compared.
        const auto bytes = [](const ks::Run& one) {
            const auto span = one.result.at("g2").values.bytes();
            return QByteArray(reinterpret_cast<const char*>(span.data()),
                              static_cast<qsizetype>(span.size()));
        };
        QCOMPARE(bytes(back), bytes(run));
        QFile csv(path("g2.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray header = csv.readLine();
        QVERIFY2(header.startsWith("delay (") && header.contains(",g2 bin 1"), header.constData());

        // The dialog proposes one column per bin, and offers the long form.
        QStringList offered;
        const auto exportAs = [&](int filter, const QString& leaf) {
            QTimer look;
            connect(&look, &QTimer::timeout, [&] {
                auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                if (!dialog) return;
                look.stop();
                offered = dialog->nameFilters();
                dialog->selectNameFilter(offered.value(filter));
                // selectFile() leaves the field as it is once that has the focus.
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path(leaf));
                QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
            });
            look.start(20);
            shown->action("csv")->trigger();
        };
        exportAs(0, "dialog_wide.csv");
        exportAs(1, "dialog_long.csv");
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 4, 30000);
        QCOMPARE(offered, (QStringList{"CSV, two columns per bin (*.csv)",
                                       "CSV, one row per bin and delay in frames (*.csv)"}));
        QFile wide(path("dialog_wide.csv")), table(path("dialog_long.csv"));
        QVERIFY(wide.open(QIODevice::ReadOnly) && table.open(QIODevice::ReadOnly));
        QVERIFY(csv.seek(0));
        QCOMPARE(wide.readAll(), csv.readAll());
        QCOMPARE(table.readLine().trimmed(), QByteArray("bin,delay,g2,g2_err,q"));

        // A second time under the same name: refused, and said so, without a dialog.
        shown->saveRun(path("run.h5"));
        QTRY_VERIFY(shown->errorBar().isError());
        QVERIFY(shown->errorBar().sentence().contains("run.h5"));
        for (const char* leaf : {"g2.png", "g2.svg", "g2.pdf"}) {
            ks::ui::exportPlot(*shown->page()->plots().front().plot, path(leaf).toStdString(), false);
            QVERIFY(QFileInfo(path(leaf)).size() > 1000);
        }
    }

    void theWindowMayGoWhileAToolIsInUse_data() {
        QTest::addColumn<QString>("tool");
        for (const char* tool : {"", "brush", "polygon", "beam", "ring", "line"})
            QTest::newRow(tool) << QString(tool);
    }
    void theWindowMayGoWhileAToolIsInUse() {
        QFETCH(QString, tool);
        auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_VERIFY_WITH_TIMEOUT(page.image().frame() != nullptr, 30000);
        if (tool == "brush" || tool == "polygon") page.imagePanel().maskBar().setTool(tool);
        if (tool == "beam" || tool == "ring")
            page.imagePanel().geometryForm().setPicking(true, tool == "ring");
        if (tool == "line") page.profile().setKind(ks::ui::ProfilePanel::Line);
        const QPoint middle = page.image().toWidget({60, 50}).toPoint();
        QTest::mousePress(&page.image(), Qt::LeftButton, {}, middle);
        QTest::mouseMove(&page.image(), middle + QPoint(7, 5));
        shown.reset();
        QTest::qWait(20);
    }

    void aFileThatIsNoHdf5IsSaidInTheBar() {
        QFile text(path("notes.h5"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("this is no HDF5 file");
        text.close();
        const auto shown = window();
        QSignalSpy failed(&shown->files(), &FileSession::notOpened);
        shown->open(path("notes.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000);
        QVERIFY(shown->errorBar().isError());
        QVERIFY(shown->errorBar().sentence().contains("notes.h5"));
        QCOMPARE(shown->file(), nullptr);
        ks::tests::open_data(*shown, path("short.h5"));
        QVERIFY(!shown->errorBar().isError());
    }

    void aWorkerKilledInTheMiddleCostsThatRunOnly() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("long.h5"));
        choose(*shown, "host.reference");
        QSignalSpy progress(&shown->queue(), &ks::ui::RunQueue::progress);
        shown->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty(), 60000);
        QCOMPARE(::kill(static_cast<pid_t>(shown->worker().processId()), SIGKILL), 0);
        QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().isError(), 10000);
        QVERIFY(shown->errorBar().sentence().contains("killed, probably because"));
        QCOMPARE(shown->runs().rowCount(), 0);
        ks::tests::open_data(*shown, path("short.h5"));
        choose(*shown, "host.gram");
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 1, 60000);
    }

    void aWrongTableReplacesNothing() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("short.h5"));
        for (const char* page : {"clusters", "particles"}) {
            QFile wrong(path(page) + ".csv");
            QVERIFY(wrong.open(QIODevice::WriteOnly));
            wrong.write("module,x,y\nneither,digis,nor points\n");
            wrong.close();
            QVERIFY(shown->setPage(page));
            QSignalSpy failed(&shown->files(), &ks::ui::FileSession::notOpened);
            shown->open(wrong.fileName());
            QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000);
            QVERIFY2(shown->errorBar().sentence().contains(page), qPrintable(shown->errorBar().sentence()));
            QCOMPARE(shown->file()->path, path("short.h5"));
            QCOMPARE(shown->files().recent(), QStringList{path("short.h5")});
        }
    }

    void escapeCancelsTheRun() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("long.h5"));
        choose(*shown, "host.reference");
        QSignalSpy progress(&shown->queue(), &ks::ui::RunQueue::progress);
        shown->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty(), 60000);
        QVERIFY(shown->action("cancel")->isEnabled());
        shown->action("cancel")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 10000);
        QCOMPARE(shown->runs().rowCount(), 0);
        QVERIFY(!shown->errorBar().isError());
    }

    void keysOfTheWindowWorkInThatOfTheKernels() {
        const auto shown = window();
        shown->show();
        QVERIFY(shown->setPage("xpcs"));
        ks::ui::KernelWindow& kernels = shown->kernels();
        kernels.show();
        kernels.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&kernels));
        const QStringList pages = shown->pageIds();
        QCOMPARE(pages.size(), 8);
        for (int i = 7; i >= 0; --i) {
            QTest::keyClick(&kernels, static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(shown->page()->id(), pages[i]);
        }
        QAction* const quit = shown->action("quit");
        quit->setShortcut(Qt::CTRL | Qt::Key_Q);  // as on desktops that have this key
        QTest::keyClick(&kernels, Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!shown->isVisible());
    }

    void layoutAndRecentFilesComeBackWithoutParameters() {
        {
            const auto first = window("settings.ini");
            ks::tests::open_data(*first, path("short.h5"));
            first->findChild<QDockWidget*>("sideDock")->hide();
            first->parameters().setValue("max_delay", std::int64_t{7});
            first->close();
        }
        const auto second = window("settings.ini");
        QTRY_VERIFY_WITH_TIMEOUT(second->worker().ready(), 60000);
        QVERIFY(second->findChild<QDockWidget*>("sideDock")->isHidden());
        QCOMPARE(second->files().recent(), QStringList{path("short.h5")});
        QVERIFY(ks::is_absent(second->parameters().values().at("max_delay")));
        second->action("layout")->trigger();
        QVERIFY(!second->findChild<QDockWidget*>("sideDock")->isHidden());
    }
};

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
