#include <qcustomplot.h>
#include <csignal>

#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QStandardPaths>
#include <QTableView>
#include <QToolButton>

#include "core/record/project_file.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/detector_form.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/plot_view.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/drawer.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

using ks::tests::child;
using ks::ui::MainWindow;
using ks::ui::SessionStart;
using ks::ui::WindowSession;

/// What a window holds is there again at the next start, also after it was killed.
class SessionTest : public ks::tests::WindowFixture {
    Q_OBJECT
    int count_ = 0;

    /// Settings are new each time: nothing comes back through them.
    std::unique_ptr<MainWindow> window(SessionStart start = SessionStart::restore) {
        const QString ini = path(QStringLiteral("%1.ini").arg(++count_));
        {
            QSettings settings(ini, QSettings::IniFormat);
            ks::ui::setSessionStart(settings, start);
        }
        return ks::tests::session_window(ini);
    }
    /// Of its own for each row: what another one left would come back in between.
    QString sessions() const {
        return path(
            QStringLiteral("sessions-%1-%2").arg(QTest::currentTestFunction(), QTest::currentDataTag()));
    }
    void begin(MainWindow& window, WindowSession::Begin how = WindowSession::Begin::bySetting) {
        window.kept().begin(sessions(), how);
    }
    void bringBack(MainWindow& window) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        begin(window);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
    }
    static void openTheOneBefore(MainWindow& window) {
        QTRY_COMPARE_WITH_TIMEOUT(window.kept().others().all().size(), std::size_t{1}, 10000);
        window.kept().openOther(window.kept().others().all().front().file);
    }
    ks::tests::Seen worked(MainWindow& window) {
        ks::tests::open_data(window, path("a.h5"));
        ks::tests::work_in(window);
        ks::tests::run_in(window);
        ks::tests::run_in(window);
        window.runs().setTicked(1, true);
        window.runs().setTicked(2, false);
        return ks::tests::seen_in(window);
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
    }

    void allIsBackAfterClosing() {
        ks::tests::Seen before;
        {
            const auto shown = window();
            begin(*shown);
            before = worked(*shown);
            QCOMPARE(before.numbers, (std::vector<int>{2, 1}));
            QVERIFY(!before.off.empty() && before.frame == 7);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        ks::tests::expect_same(*shown, before);
        // Runs go on counting, and can be repeated.
        ks::tests::run_in(*shown);
        QCOMPARE(shown->runs().rows().front().number, 3);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QCOMPARE(repeated.front().front().toBool(), true);
    }

    void aLinkComesBackAsTheLink() {
        QVERIFY(QFile::link("a.h5", path("newest.h5")));
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("newest.h5"));
            ks::tests::work_in(*shown);
            ks::tests::run_in(*shown);
            QVERIFY(shown->close());
        }
        ks::tests::generate_xpcs(path("c.h5"), 20, 61, 71);
        QVERIFY(QFile::remove(path("newest.h5")));
        QVERIFY(QFile::link("c.h5", path("newest.h5")));
        const auto shown = window();
        bringBack(*shown);
        QTRY_COMPARE(shown->runs().rowCount(), 1);
        const ks::Run& run = *shown->runs().rows().front().run;
        QCOMPARE(QString::fromStdString(run.request.inputs.at("frames").name), path("newest.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->file() ? shown->file()->path : QString(), path("newest.h5"), 30000);
    }

    void aPageSaysThatItsFileIsBeingOpenedWhileTheSessionComesBack_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("file");
        QTest::newRow("frames") << "xpcs"
                                << "a.h5";
        QTest::newRow("digis") << "clusters"
                               << "digis.csv";
        QTest::newRow("points") << "particles"
                                << "points.csv";
    }
    void aPageSaysThatItsFileIsBeingOpenedWhileTheSessionComesBack() {
        QFETCH(QString, page);
        QFETCH(QString, file);
        QFile digis(path("digis.csv")), points(path("points.csv"));
        if (digis.open(QIODevice::WriteOnly)) digis.write("index,module,x,y,adc\n0,1,2,3,4\n");
        if (points.open(QIODevice::WriteOnly)) points.write("x,y,z,weight\n0.2,0.3,0.4,1\n0.6,0.7,0.8,1\n");
        digis.close();
        points.close();
        const auto said = [](MainWindow& window) {
            ks::ui::Page* const shown = window.page();
            if (auto* frames = dynamic_cast<ks::ui::xpcs::XpcsPage*>(shown))
                return frames->image().whyEmpty();
            if (auto* clusters = dynamic_cast<ks::ui::clusters::ClustersPage*>(shown))
                return child<ks::ui::clusters::ModuleOverview>(*clusters).whyEmpty();
            return child<ks::ui::particles::PlaneMaps>(*shown).emptyText();
        };
        {
            const auto shown = window();
            begin(*shown);
            QVERIFY(shown->setPage(page));
            QVERIFY2(said(*shown).startsWith("Drop "), qPrintable(said(*shown)));
            shown->open(path("no such file.h5"));
            QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().isError(), 20000);
            QVERIFY2(said(*shown).startsWith("Drop "), qPrintable(said(*shown)));
            shown->open(path(file));
            // Also without a session.
            QCOMPARE(said(*shown), QString::fromUtf8("Opening the file \u2026"));
            QTRY_VERIFY_WITH_TIMEOUT(shown->file() && shown->missing().isEmpty(), 60000);
            QTRY_VERIFY_WITH_TIMEOUT(shown->jobs().running() == 0, 30000);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage(page));
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        begin(*shown);
        QStringList all;
        QElapsedTimer since;
        since.start();
        while (!shown->file() && since.elapsed() < 60000) {
            all << said(*shown);
            QTest::qWait(1);
        }
        QVERIFY(!all.isEmpty());
        for (const QString& one : std::as_const(all)) QVERIFY2(!one.startsWith("Drop "), qPrintable(one));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
    }

    void theRuleOfTheRingsComesBack() {
        ks::ui::xpcs::PartitionForm::Fields before;
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            auto& page = ks::tests::xpcs_page(*shown);
            QTRY_VERIFY(page.imagePanel().frame());
            auto& form = page.partitionForm();
            before = form.fields();
            before.source = ks::ui::xpcs::PartitionChoice::Rings;
            before.levels.spacing = ks::ui::xpcs::LevelsForm::Logarithmic;
            before.levels.rings = 6;
            form.setFields(before);
            before = form.fields();
            form.setChoice(form.choice(), before.levels);
            QTRY_VERIFY(page.partition() && page.partition()->bins() == 6);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        auto& page = ks::tests::xpcs_page(*shown);
        QTRY_VERIFY(page.partition() && page.partition()->bins() == 6);
        const auto now = page.partitionForm().fields();
        QCOMPARE(now.levels.spacing, before.levels.spacing);
        QCOMPARE(now.levels.rings, before.levels.rings);
        QCOMPARE(now.levels.from, before.levels.from);
        QCOMPARE(now.levels.to, before.levels.to);
    }

    void whatWasChosenInTheTablesOfAllPagesComesBack() {
        // By page and table: filter, sorted column and order, hidden columns.
        const auto choicesIn = [](const MainWindow& window) {
            QMap<QString, QString> all;
            for (auto* table : window.findChildren<ks::ui::FilteredTable*>()) {
                const QHeaderView* const header = table->view().horizontalHeader();
                QString shown = table->filterText() + QStringLiteral(" by %1 %2")
                                                          .arg(header->sortIndicatorSection())
                                                          .arg(header->sortIndicatorOrder());
                for (const QCheckBox* box : table->findChildren<QCheckBox*>())
                    shown += box->text() + (box->isChecked() ? "+" : "-");
                all[table->leaf()] = shown;
            }
            return all;
        };
        QMap<QString, QString> before;
        {
            const auto shown = window();
            begin(*shown);
            const QMap<QString, QString> plain = choicesIn(*shown);
            QVERIFY(plain.contains("spots") && plain.contains("clusters") && plain.contains("benchmark"));
            for (auto* table : shown->findChildren<ks::ui::FilteredTable*>()) {
                auto* const field = table->findChild<QLineEdit*>();
                const auto& model = dynamic_cast<const ks::ui::OrderedTableModel&>(*table->view().model());
                for (int column = 0; column < model.columnCount(); ++column) {
                    field->clear();
                    QTest::keyClicks(field, QString(model.columnText(column).key) + " > 1");
                    QTest::keyClick(field, Qt::Key_Return);
                    if (table->message().isEmpty()) break;
                }
                QVERIFY2(table->message().isEmpty(), qPrintable(table->leaf()));
                table->view().sortByColumn(1, Qt::DescendingOrder);
                for (QCheckBox* box : table->findChildren<QCheckBox*>()) box->toggle();
            }
            before = choicesIn(*shown);
            for (auto one = plain.begin(); one != plain.end(); ++one)
                QVERIFY2(before[one.key()] != *one, qPrintable(one.key()));
            // What is in the files while the window lives is what is left after it was killed.
            QSignalSpy written(&shown->kept(), &WindowSession::written);
            QTRY_VERIFY_WITH_TIMEOUT(written.count() > 0, 20000);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        const QMap<QString, QString> now = choicesIn(*shown);
        for (auto one = before.begin(); one != before.end(); ++one) QCOMPARE(now[one.key()], *one);
    }

    void axesThatAHandMovedComeBack() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::run_in(*shown);
            QCustomPlot& plot = *ks::tests::xpcs_page(*shown).curves().findChild<QCustomPlot*>();
            plot.xAxis->setRange(2, 5);
            plot.yAxis->setRange(0.5, 1.75);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        ks::ui::CurvePlot& curves = ks::tests::xpcs_page(*shown).curves();
        QVERIFY(!curves.series().isEmpty());
        QVERIFY(curves.figure().xAxis->range() == QCPRange(2, 5));
        QVERIFY(curves.figure().yAxis->range() == QCPRange(0.5, 1.75));
        curves.findChild<QToolButton*>("resetView")->click();
        QVERIFY(curves.figure().xAxis->range().upper > 5);
        QVERIFY(!curves.view().byHand());
    }

    void ticksOfLegendsComeBack() {
        // The rows with a tick, in order.
        const auto ticks = [](ks::ui::MainWindow& window) {
            QList<QListWidgetItem*> rows;
            QListWidget& legend = ks::tests::xpcs_page(window).curves().legend();
            for (int i = 0; i < legend.count(); ++i)
                if (legend.item(i)->flags().testFlag(Qt::ItemIsUserCheckable)) rows << legend.item(i);
            return rows;
        };
        const auto states = [&ticks](ks::ui::MainWindow& window) {
            QString all;
            for (const QListWidgetItem* one : ticks(window))
                all += one->text() + (one->checkState() == Qt::Checked ? "+ " : "- ");
            return all;
        };
        const auto toggle = [&ticks](ks::ui::MainWindow& window, qsizetype row) {
            QListWidget& legend = ks::tests::xpcs_page(window).curves().legend();
            legend.setCurrentItem(ticks(window)[row]);
            QTest::keyClick(&legend, Qt::Key_Space);
        };
        QString before;
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            for (int run = 0; run < 2; ++run) ks::tests::run_in(*shown);
            for (const int run : {1, 2}) shown->runs().setTicked(run, true);
            QTRY_VERIFY2(ticks(*shown).size() > 4, qPrintable(states(*shown)));  // two runs, bins
            toggle(*shown, 0);                                                   // a run
            toggle(*shown, 3);                                                   // a bin
            before = states(*shown);
            QCOMPARE(before.count("- "), 2);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        QCOMPARE(states(*shown), before);
        QCOMPARE(ks::tests::xpcs_page(*shown).curves().hidden().bins.size(), 1);
        // From now on, ticks are the user's again.
        toggle(*shown, 3);
        QVERIFY(ks::tests::xpcs_page(*shown).curves().hidden().bins.isEmpty());
        ks::tests::run_in(*shown);
        QVERIFY(ks::tests::xpcs_page(*shown).curves().hidden().bins.isEmpty());
    }

    void drawnBinsComeBack() {
        std::vector<std::int32_t> drawn;
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            auto& page = ks::tests::xpcs_page(*shown);
            QTRY_VERIFY(page.imagePanel().frame());
            ks::ui::xpcs::PartitionChoice choice = page.partitionForm().choice();
            choice.source = ks::ui::xpcs::PartitionChoice::Drawn;
            page.partitionForm().setChoice(choice);
            auto& editor = page.imagePanel().editor();
            for (int bin = 1; bin <= 2; ++bin) {
                editor.setTarget(bin);
                editor.apply(ks::rectangle_region(editor.height(), editor.width(), {10.0 * bin, 10},
                                                  {10.0 * bin + 7, 30}),
                             true, "Box");
            }
            QTRY_VERIFY(page.partition() && page.partition()->bins() == 2);
            drawn = editor.bins().values();
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        auto& page = ks::tests::xpcs_page(*shown);
        QVERIFY(page.imagePanel().editor().bins().values() == drawn);
        QCOMPARE(page.imagePanel().editor().binCount(), 2);
        QTRY_VERIFY(page.partition() && page.partition()->bins() == 2);
        QVERIFY(page.partition()->labels() == drawn);
    }

    void theOtherPagesComeBack_data() {
        QTest::addColumn<QString>("analysis");
        for (const char* one : {"spots", "clusters", "particles"}) QTest::newRow(one) << QString(one);
    }
    void theOtherPagesComeBack() {
        QFETCH(QString, analysis);
        qputenv("XDG_CACHE_HOME", path("cache").toLocal8Bit());
        const auto idle = [](MainWindow& window) {
            QTRY_VERIFY_WITH_TIMEOUT(window.missing().isEmpty() && window.jobs().running() == 0, 60000);
        };
        nlohmann::json before;
        {
            const auto shown = window();
            begin(*shown);
            QVERIFY(shown->setPage(analysis));
            QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
            if (analysis == "spots")
                shown->open(path("a.h5"));
            else
                shown->openDemo();
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
            QVERIFY(shown->setPage(analysis));
            idle(*shown);
            const nlohmann::json plain = shown->page()->state(ks::ui::Page::Scope::session)->values;
            if (auto* spots = dynamic_cast<ks::ui::spots::SpotsPage*>(shown->page())) {
                spots->form().apply({{"sigma_s", 4.5}, {"min_size", std::int64_t{5}}});
                spots->imagePanel().slider().setFrame(3);
            } else if (auto* clusters = dynamic_cast<ks::ui::clusters::ClustersPage*>(shown->page())) {
                child<ks::ui::clusters::DetectorForm>(*clusters).setCut("6");
                child<ks::ui::FrameSlider>(*clusters, "events").setFrame(2);
            } else if (auto* particles = dynamic_cast<ks::ui::particles::ParticlesPage*>(shown->page())) {
                child<ks::ui::particles::SumForm>(*particles).setKernel("laplace");
                child<ks::ui::particles::SumForm>(*particles)
                    .apply({{"plane_low", 0.25}, {"plane_high", 0.5}});
            }
            idle(*shown);
            before = shown->page()->state(ks::ui::Page::Scope::session)->values;
            QVERIFY(before != plain);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        QCOMPARE(shown->page()->analysis(), analysis);
        idle(*shown);
        QTRY_COMPARE(
            QString::fromStdString(shown->page()->state(ks::ui::Page::Scope::session)->values.dump()),
            QString::fromStdString(before.dump()));
    }

    void eachPageHasItsOwnFile() {
        qputenv("XDG_CACHE_HOME", path("cache").toLocal8Bit());
        std::vector<std::uint8_t> mask;
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            auto& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
            QTRY_VERIFY(editor.frame());
            editor.apply(ks::rectangle_region(editor.height(), editor.width(), {2, 3}, {9, 6}), true, "Box");
            mask = editor.mask().values();
            QVERIFY(shown->setPage("particles"));
            QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
            shown->openDemo();
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
            QVERIFY(shown->file()->path != path("a.h5"));
            // The page that was left can go on, and so can one that takes the same file.
            for (const char* one : {"xpcs", "spots"}) {
                QVERIFY(shown->setPage(one));
                QCOMPARE(shown->file()->path, path("a.h5"));
                QTRY_VERIFY_WITH_TIMEOUT(shown->missing().isEmpty(), 30000);
                QVERIFY(shown->windowTitle().contains("a.h5"));
            }
            QVERIFY(shown->setPage("particles"));
            QVERIFY(shown->file()->path != path("a.h5"));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown);
        QCOMPARE(shown->page()->analysis(), QString("particles"));
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        QVERIFY(shown->setPage("xpcs"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
        QCOMPARE(shown->file()->path, path("a.h5"));
        QCOMPARE(shown->page()->analysis(), QString("xpcs"));
        auto& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
        QTRY_VERIFY_WITH_TIMEOUT(editor.frame() && editor.mask().values() == mask, 30000);
    }

    // What stands in the files of a window that lives is what a kill leaves.
    void aChangeIsInTheFileAfterFiveSeconds() {
        const auto shown = window();
        begin(*shown);
        ks::tests::open_data(*shown, path("a.h5"));
        auto& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
        QTRY_VERIFY(editor.frame());
        const auto maskInFile = [&]() -> std::size_t {
            if (!QFile::exists(shown->kept().sessionFile())) return 0;
            const auto project = ks::io::read_project(shown->kept().sessionFile().toStdString());
            const auto mask = project.arrays.find("mask");
            return mask == project.arrays.end() ? 0 : mask->second.shape()[0];
        };
        for (std::size_t row = 1; row <= 3; ++row) {
            const auto y = static_cast<double>(3 * row);
            editor.apply(ks::rectangle_region(editor.height(), editor.width(), {2, y}, {9, y + 1}), true,
                         "Box");
            QTRY_COMPARE_WITH_TIMEOUT(maskInFile(), row, 5000);
        }
    }

    void allIsBackAfterTheProgramWasKilled() {
        ks::tests::Seen before;
        const QString data = path("xdg");
        const QString own = data + QStringLiteral("/kernelscope/kernelscope/sessions");
        {
            const auto shown = window();
            shown->kept().begin(own, WindowSession::Begin::bySetting);
            before = worked(*shown);
            QVERIFY(shown->close());
        }
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_DATA_HOME", data);
        environment.insert("XDG_CONFIG_HOME", path("xdg-config"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        program.setProcessEnvironment(environment);
        const QString marker = own + QStringLiteral("/1/restoring"),
                      file = own + QStringLiteral("/1/session.ksproj");
        const QDateTime written = QFileInfo(file).lastModified();
        // It lies beside the command line's program.
        program.start(QFileInfo(QStringLiteral(KERNELSCOPE_CLI)).path() + QStringLiteral("/kernelscope"), {});
        QVERIFY(program.waitForStarted());
        // It has brought the session back and kept it again.
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).lastModified() > written && !QFile::exists(marker), 60000);
        QCOMPARE(program.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(program.processId()), SIGKILL);
        QVERIFY(program.waitForFinished());
        const auto shown = window();
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().begin(own, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        ks::tests::expect_same(*shown, before);
    }

    void whatIsOutdatedIsMarkedAfterAStartToo_data() {
        QTest::addColumn<bool>("ofMask");
        QTest::newRow("mask") << true;
        QTest::newRow("parameter") << false;
    }
    void whatIsOutdatedIsMarkedAfterAStartToo() {
        QFETCH(bool, ofMask);
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::work_in(*shown);
            ks::tests::run_in(*shown);
            auto& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
            if (ofMask)
                editor.apply(ks::rectangle_region(editor.height(), editor.width(), {30, 30}, {40, 50}), true,
                             "Box");
            else
                shown->parameters().setValue(QStringLiteral("max_delay"), std::int64_t{5});
            QVERIFY(shown->close());
        }
        const auto shown = window();
        if (shown->action("live")->isChecked()) shown->action("live")->trigger();
        bringBack(*shown);
        QTRY_VERIFY2_WITH_TIMEOUT(shown->page()->drawer().mark().startsWith("Run 1 is outdated ("),
                                  qPrintable(shown->page()->drawer().mark()), 60000);
    }

    void aRunIsMarkedWhereTheNextOneLacksItsInputs() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        ks::tests::work_in(*shown);
        ks::tests::run_in(*shown);
        ks::ui::xpcs::PartitionChoice drawn;
        drawn.source = ks::ui::xpcs::PartitionChoice::Drawn;
        ks::tests::xpcs_page(*shown).partitionForm().setChoice(drawn);
        QTRY_VERIFY_WITH_TIMEOUT(!shown->missing().isEmpty(), 30000);
        QTRY_VERIFY2_WITH_TIMEOUT(shown->page()->drawer().mark().contains("inputs are missing or invalid"),
                                  qPrintable(shown->page()->drawer().mark()), 30000);
        QVERIFY2(shown->page()->drawer().mark().endsWith("Run (F5) cannot start yet: " + shown->missing()),
                 qPrintable(shown->page()->drawer().mark()));
        // Without a run the reason is written, too.
        shown->runs().removeRun(1);
        QTRY_COMPARE(shown->page()->drawer().mark(), "Run (F5) cannot start yet: " + shown->missing());
    }

    void aRunIsNamedAsSoonAsItsFileIsWritten() {
        const auto shown = window();
        begin(*shown);
        ks::tests::open_data(*shown, path("a.h5"));
        ks::tests::run_in(*shown);
        const QDir runs(sessions() + QStringLiteral("/1/runs"));
        QTRY_COMPARE_WITH_TIMEOUT(runs.entryList({"run-1-*.h5"}, QDir::Files).size(), 1, 20000);
        const auto named = [&] {
            if (!QFile::exists(shown->kept().sessionFile())) return std::size_t{0};
            const ks::io::Project kept = ks::io::read_project(shown->kept().sessionFile().toStdString());
            return kept.content.at("runs").size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(named(), std::size_t{1}, WindowSession::keepEveryMs / 2);
    }

    void aSignalThatEndsTheProgramKeepsTheSession_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("logout") << SIGTERM;
        QTest::newRow("terminal closed") << SIGHUP;
        QTest::newRow("Ctrl-C") << SIGINT;
    }
    void aSignalThatEndsTheProgramKeepsTheSession() {
        QFETCH(int, signal);
        const QString data = path(QStringLiteral("xdg-%1").arg(signal));
        const QString file = data + QStringLiteral("/kernelscope/kernelscope/sessions/1/session.ksproj");
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_DATA_HOME", data);
        environment.insert("XDG_CONFIG_HOME", path("xdg-config"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        program.setProcessEnvironment(environment);
        program.start(QFileInfo(QStringLiteral(KERNELSCOPE_CLI)).path() + QStringLiteral("/kernelscope"),
                      {path("a.h5")});
        QVERIFY(program.waitForStarted());
        const auto given = [&file]() -> QString {
            if (!QFile::exists(file)) return {};
            const ks::io::Project kept = ks::io::read_project(file.toStdString());
            return QString::fromStdString(kept.content.at("data").value("given", std::string()));
        };
        QTRY_COMPARE_WITH_TIMEOUT(given(), path("a.h5"), 60000);
        // Whatever it has changed since: it is written once more.
        QVERIFY(QFile::remove(file));
        QElapsedTimer since;
        since.start();
        ::kill(static_cast<pid_t>(program.processId()), signal);
        QVERIFY(program.waitForFinished());
        QVERIFY2(since.elapsed() < 4000, qPrintable(QString::number(since.elapsed())));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 128 + signal);
        QCOMPARE(given(), path("a.h5"));
    }

    void aSecondWindowBeginsEmptyAndKeepsItsOwn() {
        const auto first = window();
        begin(*first);
        ks::tests::open_data(*first, path("a.h5"));
        QSignalSpy written(&first->kept(), &WindowSession::written);
        QTRY_VERIFY_WITH_TIMEOUT(written.count() > 0, 10000);
        const auto second = window();
        begin(*second);
        QVERIFY(second->kept().sessionFile() != first->kept().sessionFile());
        ks::tests::open_data(*second, path("b.h5"));
        QVERIFY(second->close());
        QVERIFY(first->close());
    }

    void aStartWithoutTheSessionPutsItAside() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        begin(*shown, WindowSession::Begin::empty);
        QVERIFY(!shown->file());
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        openTheOneBefore(*shown);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 30000);
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
    }

    void aLookAtAFileDoesNotReplaceTheWorkBefore() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::work_in(*shown);
            QVERIFY(shown->close());
        }
        for (int turn = 0; turn < 2; ++turn) {
            const auto shown = window();
            begin(*shown, WindowSession::Begin::empty);
            if (turn == 0) {
                QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 20000);
                const QString said = shown->notices().text(shown->notices().ids().front());
                QVERIFY2(said.startsWith("The previous session is kept: "), qPrintable(said));
            }
            ks::tests::open_data(*shown, path("b.h5"));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        begin(*shown, WindowSession::Begin::empty);
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        openTheOneBefore(*shown);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 30000);
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
        QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().editor().pixels(0), std::size_t{17 * 5});
    }

    void theSettingAsksOrBeginsEmpty() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            QVERIFY(shown->close());
        }
        {
            const auto shown = window(SessionStart::ask);
            int asked = 0;
            shown->kept().questions().bringBack = [&] { return ++asked, true; };
            bringBack(*shown);
            QCOMPARE(asked, 1);
            QVERIFY(shown->file());
            QVERIFY(shown->close());
        }
        const auto shown = window(SessionStart::empty);
        begin(*shown);
        QTest::qWait(300);
        QVERIFY(!shown->file());
    }

    void workThatIsNotKeptIsAskedAbout() {
        const auto shown = window(SessionStart::empty);
        begin(*shown);
        QVERIFY(shown->close());
        shown->show();
        worked(*shown);
        QStringList told;
        shown->kept().questions().lose = [&](const QStringList& work) {
            return told = work, ks::ui::WorkAnswer::stay;
        };
        QVERIFY(!shown->close());
        QCOMPARE(told.size(), 5);
        for (const char* part : {"mask of a.h5", "geometry of a.h5", "bins", "2 runs", "set-up of XPCS"})
            QVERIFY2(told.join(' ').contains(part), qPrintable(told.join(' ')));
        shown->kept().questions().lose = [](const QStringList&) { return ks::ui::WorkAnswer::discard; };
        QVERIFY(shown->close());
    }

    void aCrashWhileItCameBackDoesNotLoop() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            QVERIFY(shown->close());
        }
        QFile mark(sessions() + QStringLiteral("/1/restoring"));
        QVERIFY(mark.open(QIODevice::WriteOnly));
        mark.close();
        const auto shown = window();
        begin(*shown);
        QTest::qWait(300);
        QVERIFY(!shown->file());
        QVERIFY(shown->errorBar().sentence().contains("starts empty"));
        QTRY_COMPARE(shown->kept().others().all().size(), std::size_t{1});
        QVERIFY(!mark.exists());
    }

    void anotherThatIsOpenedSaysWhereTheOneBeforeIs() {
        {
            const auto shown = window();
            begin(*shown);
            worked(*shown);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        begin(*shown, WindowSession::Begin::empty);
        const ks::ui::NoticeBar& notices = shown->notices();
        const QString id = "other sessions";
        QTRY_VERIFY_WITH_TIMEOUT(notices.text(id).contains("a.h5"), 10000);
        ks::tests::open_data(*shown, path("b.h5"));
        ks::tests::work_in(*shown);
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        QVERIFY(shown->notices().act(id, "Open"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(shown->file()->path, path("a.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(notices.text(id).contains("The previous session is kept: b.h5"), 10000);
        QVERIFY(shown->notices().act(id, "Open"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 2, 60000);
        QCOMPARE(shown->file()->path, path("b.h5"));
        QVERIFY(xpcs_page(*shown).imagePanel().editor().pixels(ks::ui::RegionEditor::maskTarget) > 0);
    }

    void aDamagedSessionIsPutAside() {
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("a.h5"));
            QVERIFY(shown->close());
        }
        QFile file(sessions() + QStringLiteral("/1/session.ksproj"));
        QVERIFY(file.resize(file.size() / 2));
        const auto shown = window();
        begin(*shown);
        QTRY_VERIFY(shown->errorBar().sentence().contains("truncated"));
        QVERIFY(!shown->file());
        QVERIFY(!file.exists());
    }

    void dataThatAreGoneAreNamed() {
        QVERIFY(QFile::copy(path("a.h5"), path("gone.h5")));
        {
            const auto shown = window();
            begin(*shown);
            ks::tests::open_data(*shown, path("gone.h5"));
            ks::tests::work_in(*shown);
            QVERIFY(shown->close());
        }
        QVERIFY(QFile::rename(path("gone.h5"), path("there-gone.h5")));
        {
            const auto shown = window();
            bringBack(*shown);
            QVERIFY(!shown->file());
            QVERIFY(shown->notices().text("gone").contains("gone.h5"));
            QVERIFY(shown->close());
        }
        // Nothing was lost by that start.
        QVERIFY(QFile::rename(path("there-gone.h5"), path("gone.h5")));
        const auto shown = window();
        bringBack(*shown);
        QVERIFY(shown->file());
        QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().editor().pixels(0), std::size_t{17 * 5});
    }

    void damagedSettingsBeginAnew_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("putAside");
        QByteArray garbage;
        for (int i = 0; i < 5000; ++i) garbage += static_cast<char>((i * 7919) >> 3);
        QTest::newRow("garbage") << garbage << true;
        QTest::newRow("half a file") << QByteArray("[window]\npage=xpcs\n[page-xp") << true;
        QTest::newRow("values of other types")
            << QByteArray(
                   "threads=@ByteArray(\\xff\\xfe)\nrecentFiles=7\nsession=9\n[window]\n"
                   "geometry=@ByteArray(\\x1\\x2\\xff)\nstate=@Variant(\\0\\0\\0\\x7f\\xff)\npage=@Rect(1 2 "
                   "3 4)\n"
                   "[page-xpcs]\nparameters=@ByteArray([[[[)\nlogDelay=@Size(1 2)\noverlayOpacity=nan\n"
                   "colours=@Variant(\\xff\\xff)\n[page-spots]\nthresholds={\"kernel\":[]}\n"
                   "parameters=@ByteArray({\"a\":{}})\n[page-particles]\nsums=@ByteArray([1,2)\n"
                   "scale=-5\n[page-clusters]\ncharge_cut=\\x7\nmodulesBy=9999999999\n")
            << false;
    }
    void damagedSettingsBeginAnew() {
        QFETCH(QByteArray, content);
        QFETCH(bool, putAside);
        const QString ini = path(QStringLiteral("damaged-%1.ini").arg(++count_));
        QFile file(ini);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        {
            const auto shown = ks::tests::session_window(ini);
            QCOMPARE(shown->errorBar().sentence().contains("settings were damaged"), putAside);
            QVERIFY(!shown->pageIds().isEmpty());
            QVERIFY(shown->close());
        }
        QFile aside(ini + QStringLiteral(".damaged"));
        QCOMPARE(aside.exists(), putAside);
        if (!putAside) return;
        QVERIFY(aside.open(QIODevice::ReadOnly));
        QCOMPARE(aside.readAll(), content);
        const auto again = ks::tests::session_window(ini);
        QVERIFY(again->errorBar().sentence().isEmpty());
    }
};

QTEST_MAIN(SessionTest)
#include "tst_session.moc"
