#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QProcess>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStatusBar>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/array.h"
#include "core/io/hdf5/hdf5_write.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/runs_panel.h"
#include "ui/shell/error_bar.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::MainWindow;
using ks::ui::RunTableModel;

/// Saved runs come back: beside their data, alone where these are lost, never beside the data of another
/// file.
class SavedRunTest : public ks::tests::WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> window() const { return firstWindow(); }

    void saveRun(const QString& data, const QString& saved) {
        const auto shown = window();
        ks::tests::open_data(*shown, path(data));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
        shown->saveRun(path(saved));
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
    }

    static QString data(MainWindow& window, int row) {
        return window.runs().index(row, RunTableModel::DataColumn).data().toString();
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 24, 61, 71);
        saveRun("a.h5", "run.h5");
    }

    void comesBackWithItsData() {
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        QSignalSpy opened(&shown->files(), &FileSession::runOpened),
            file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QCOMPARE(shown->page()->analysis(), QString("xpcs"));
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
        QCOMPARE(shown->runs().rowCount(), 1);
        QCOMPARE(data(*shown, 0), QString("a.h5"));
        QCOMPARE(shown->runs().ticked("xpcs").size(), std::size_t{1});
        QVERIFY(shown->files().recent().contains(path("run.h5")));
    }

    void aRunWithADrawnMaskShowsItsCurvesAndNoPreview() {
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("a.h5"));
            auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
            ks::ui::RegionEditor& editor = page.imagePanel().editor();
            QTRY_VERIFY_WITH_TIMEOUT(editor.frame(), 30000);
            editor.apply(ks::rectangle_region(editor.height(), editor.width(), {2, 3}, {30, 20}), true,
                         "Box");
            QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
            shown->startRun();
            QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
            QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
            shown->saveRun(path("masked.h5"));
            QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        }
        const auto shown = window();
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy opened(&shown->files(), &FileSession::runOpened),
            file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("masked.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(shown->jobs().running(), 0, 30000);
        QTest::qWait(1500);
        QVERIFY(!shown->pageRuns().showsPreview());
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QVERIFY(page.imagePanel().editor().pixels(0) > 0);
    }

    void thePlaceOfTheLargestErrorComesBack() {
        ks::VerdictPlace place;
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("a.h5"));
            shown->startRun();
            QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 1 && !shown->queue().busy(), 60000);
            place = shown->runs().rows().front().run->verdict.place;
            QVERIFY(!place.empty());
            QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
            shown->saveRun(path("placed.h5"));
            QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        }
        const auto later = window();
        QSignalSpy opened(&later->files(), &FileSession::runOpened);
        later->open(path("placed.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(later->runs().rows().front().run->verdict.place, place);
        // What the menu of the run goes to.
        QTRY_VERIFY_WITH_TIMEOUT(later->file() != nullptr, 30000);
        auto* panel = later->findChild<ks::ui::RunsPanel*>();
        QVERIFY(panel);
        emit panel->placeRequested(later->runs().rows().front().number);
        QCOMPARE(later->page()->analysis(), QString("xpcs"));
    }

    void isRepeatedAndCompared() {
        const auto shown = window();
        QSignalSpy file(shown.get(), &MainWindow::fileOpened),
            repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->open(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QCOMPARE(repeated.first().first().toBool(), true);
        QCOMPARE(shown->runs().rowCount(), 2);
        QCOMPARE(shown->statusBar()->currentMessage(), QString("Identical to run 1, byte for byte"));
    }

    void isGreyBesideTheDataOfAnotherFileAndNamesItsOwn() {
        const auto shown = window();
        QSignalSpy file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        ks::tests::open_data(*shown, path("b.h5"));
        QCOMPARE(data(*shown, 0), QString("of a.h5"));
        QVERIFY(shown->runs().index(0, 0).data(Qt::ForegroundRole).isValid());
        const auto& curves = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page()).curves().series();
        QCOMPARE(curves.size() > 0 && curves.front().foreign, true);
        ks::tests::open_data(*shown, path("a.h5"));
        QCOMPARE(data(*shown, 0), QString("a.h5"));
        QVERIFY(!shown->runs().index(0, 0).data(Qt::ForegroundRole).isValid());
    }

    void isSeenWithoutItsDataAndSaysThatTheyAreLost() {
        QVERIFY(QFile::rename(path("a.h5"), path("lost.h5")));
        const auto shown = window();
        QSignalSpy opened(&shown->files(), &FileSession::runOpened);
        shown->open(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(shown->runs().ticked("xpcs").size(), std::size_t{1});
        QVERIFY(shown->errorBar().isVisible());
        QVERIFY2(shown->errorBar().sentence().contains("input \"frames\" of the run does not exist"),
                 qPrintable(shown->errorBar().sentence()));
        QVERIFY(QFile::rename(path("lost.h5"), path("a.h5")));
    }

    void aResultOfAnotherProgramIsARunBesideOurs() {
        const std::string aps = path("aps.hdf").toStdString();
        {
            std::vector<double> delays, g2;
            for (int delay = 1; delay <= 40; ++delay) {
                delays.push_back(delay);
                for (const double gamma : {0.5, 2.0}) g2.push_back(1 + 0.3 * std::exp(-0.2 * gamma * delay));
            }
            ks::io::h5::Writer file(aps, aps);
            file.array("/xpcs/multitau/delay_list", ks::Array::of<double>({40}, delays));
            file.array("/xpcs/multitau/normalized_g2", ks::Array::of<double>({40, 2}, g2));
            file.array("/xpcs/multitau/normalized_g2_err",
                       ks::Array::of<double>({40, 2}, std::vector<double>(80, 1e-3)));
            file.number("/entry/instrument/detector_1/frame_time", 0.1, "s");
            file.close();
        }
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        const ks::ParameterSet before = shown->runs().rows().front().run->request.parameters;
        QSignalSpy opened(&shown->files(), &FileSession::runOpened);
        shown->open(path("aps.hdf"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QVERIFY(!shown->errorBar().isError());
        QCOMPARE(shown->runs().rowCount(), 2);
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
        const int row = shown->runs().rows().back().number == 2 ? 1 : 0;
        QCOMPARE(data(*shown, row), QString("aps.hdf"));
        QVERIFY(shown->runs().index(row, RunTableModel::ChangedColumn).data().toString().isEmpty());
        QCOMPARE(shown->runs().index(row, RunTableModel::VariantColumn).data().toString(),
                 QString("read.aps"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        const auto ofAps = [&page] {
            return std::ranges::count_if(page.curves().series(), [](const ks::ui::CurveSeries& curve) {
                return curve.run.startsWith("run 2");
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(ofAps() > 0, 30000);
        for (const auto& curve : page.curves().series()) QVERIFY(!curve.foreign);
        // It has nothing to restore: the next run is that of before.
        QTest::qWait(500);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 2, 60000);
        QCOMPARE(shown->runs().find(3)->run->request.parameters, before);
        // Only what read data can be repeated.
        shown->repeat(2);
        QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().isError(), 30000);
        QVERIFY2(shown->errorBar().sentence().contains("does not say what it was computed from"),
                 qPrintable(shown->errorBar().sentence()));
    }

    void aFolderOfResultsIsOpenedWithoutTheFilesThatAreNone() {
        QVERIFY(QDir(folder_.path()).mkdir("results"));
        for (const char* name : {"1.h5", "2.h5", "3.h5"})
            QVERIFY(QFile::copy(path("run.h5"), path(QString("results/") + name)));
        QVERIFY(QFile::copy(path("a.h5"), path("results/data.h5")));
        const auto shown = window();
        QSignalSpy opened(&shown->files(), &FileSession::resultsOpened);
        shown->open(QStringList{path("results")});
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(shown->runs().rowCount(), 3);
        QVERIFY(!shown->file());
        QVERIFY2(opened.front().front().toString().startsWith("1 of 4 files could not be opened: "),
                 qPrintable(opened.front().front().toString()));
        QVERIFY(shown->errorBar().isVisible() && !shown->errorBar().isError());
    }

    void nothingReplacesDataThatAreInUse() {
        ks::tests::generate_xpcs(path("used.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("open.h5"), 24, 61, 71);
        QVERIFY(QFile::link(path("used.h5"), path("link.h5")));
        const auto bytes = [this](const char* leaf) {
            QFile file(path(leaf));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray used = bytes("used.h5"), open = bytes("open.h5");
        const auto shown = window();
        ks::tests::open_data(*shown, path("used.h5"));
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        ks::tests::open_data(*shown, path("open.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_VERIFY(page.imagePanel().frame());
        ks::ui::ErrorBar& errors = shown->errorBar();
        const auto refuses = [&](const char* what, const QString& use, const auto& save) {
            errors.dismiss();
            save();
            QVERIFY2(QTest::qWaitFor([&] { return errors.isError(); }, 30000), what);
            QVERIFY2(errors.sentence().contains("would replace a file that is read as " + use),
                     qPrintable(QString(what) + ": " + errors.sentence()));
            QVERIFY2(bytes("used.h5") == used && bytes("open.h5") == open, what);
        };
        const QString run = "the data of run 1", file = "the open file";
        refuses("run over the open file", file, [&] { shown->saveRun(path("open.h5"), true); });
        refuses("table over the open file", file, [&] { shown->saveCsv(path("open.h5"), true); });
        for (const char* name : {"used.h5", "link.h5", "./used.h5"}) {
            refuses(name, run, [&] { page.imagePanel().maskBar().saveMask(path(name)); });
            refuses(name, run, [&] { page.exportLabels(path(name), true); });
        }
        const auto plots = page.plots();
        ks::ui::ExportDialog dialog(*plots.front().plot, shown->runFiles().figureFile(plots.front()),
                                    nullptr);
        for (const char* name : {"used.h5", "open.h5", "link.h5"})
            QVERIFY_THROWS_EXCEPTION(ks::Error, dialog.write(path(name)));
        QVERIFY(bytes("used.h5") == used && bytes("open.h5") == open);
        // A save that succeeds takes the error of the refused one away.
        QVERIFY(errors.isError());
        page.imagePanel().maskBar().saveMask(path("mask.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(!errors.isError(), 30000);
        QVERIFY(QFile::exists(path("mask.h5")));
        // Other errors stay.
        errors.showError(ks::Error(ks::ErrorKind::input, "of something else"));
        QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
        shown->saveRun(path("saved.h5"), true);
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        QVERIFY(errors.isError());
    }

    void aSavedMaskIsReportedUntilTheNextFileOnly() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_VERIFY(page.imagePanel().frame());
        page.imagePanel().maskBar().saveMask(path("said.h5"));
        const auto message = [&] { return shown->statusBar()->currentMessage(); };
        QTRY_VERIFY_WITH_TIMEOUT(message().startsWith("Mask saved as"), 30000);
        // Not in a field of the status bar that nothing clears.
        for (const QLabel* const label : shown->statusBar()->findChildren<QLabel*>())
            QVERIFY2(!label->text().contains("Mask saved"), qPrintable(label->text()));
        ks::tests::open_data(*shown, path("b.h5"));
        QVERIFY2(!message().contains("Mask saved"), qPrintable(message()));
    }

    void ofARelativeNameFindsItsDataWhereTheyWere() {
        ks::tests::generate_xpcs(path("named.h5"), 20, 61, 71);
        QVERIFY(QDir(path(".")).mkpath("runs"));
        QProcess made;
        made.setWorkingDirectory(path("."));
        made.start(KERNELSCOPE_CLI, {"xpcs", "named.h5", "--rings", "30,30,2,5,4", "--device", "host",
                                     "--out", "relative.h5"});
        QVERIFY(made.waitForFinished(60000));
        QVERIFY2(made.exitCode() == 0, made.readAllStandardError().constData());
        // The data are replaced; the window does not work in their folder.
        ks::tests::generate_xpcs(path("named.h5"), 22, 61, 71);
        const auto shown = window();
        QSignalSpy opened(&shown->files(), &FileSession::runOpened),
            file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("relative.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QVERIFY2(!shown->errorBar().isVisible(), qPrintable(shown->errorBar().sentence()));
        QCOMPARE(shown->file()->path, path("named.h5"));
        QVERIFY2(data(*shown, 0).startsWith("named.h5 as it was at"), qPrintable(data(*shown, 0)));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QVERIFY2(shown->errorBar().sentence().contains("the data have changed (named.h5)"),
                 qPrintable(shown->errorBar().sentence()));
    }

    void ofARelativeNameFindsItsDataAlsoInTheirFolder() {
        // The window works in the folder of the data; the run is saved in another one, where a file of the
        // same name lies.
        for (const char* folder : {"measured", "results"}) QVERIFY(QDir(path(".")).mkpath(folder));
        ks::tests::generate_xpcs(path("measured/same.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("results/same.h5"), 22, 61, 71);
        QProcess made;
        made.setWorkingDirectory(path("measured"));
        made.start(KERNELSCOPE_CLI, {"xpcs", "same.h5", "--rings", "30,30,2,5,4", "--device", "host", "--out",
                                     "../results/run.h5"});
        QVERIFY(made.waitForFinished(60000));
        QVERIFY2(made.exitCode() == 0, made.readAllStandardError().constData());
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
        QVERIFY(QDir::setCurrent(path("measured")));
        const auto shown = window();
        QSignalSpy file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("results/run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QVERIFY2(!shown->errorBar().isVisible(), qPrintable(shown->errorBar().sentence()));
        QCOMPARE(shown->file()->path, path("measured/same.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QVERIFY2(!shown->errorBar().isVisible(), qPrintable(shown->errorBar().sentence()));
    }

    void isNotOutdatedByAnotherVariantOrFitOfThePage_data() {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("variant") << QStringList{"--variant", "host.fft", "--correlator", "fft"};
        QTest::newRow("variant of the same parameters") << QStringList{"--variant", "seed.ordered"};
        QTest::newRow("fit") << QStringList{"--fit", "single"};
    }
    void isNotOutdatedByAnotherVariantOrFitOfThePage() {
        QFETCH(QStringList, more);
        QProcess made;
        made.start(KERNELSCOPE_CLI,
                   QStringList{"xpcs", path("a.h5"), "--qmask", path("a.h5") + "::/entry/qmask", "--out",
                               path("other.h5"), "--overwrite"} +
                       more);
        QVERIFY(made.waitForFinished(60000));
        QVERIFY2(made.exitCode() == 0, made.readAllStandardError().constData());
        const auto shown = window();
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("other.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        const ks::Run& run = *shown->runs().rows().front().run;
        QTRY_COMPARE_WITH_TIMEOUT(shown->request().variants().variant(),
                                  QString::fromStdString(run.variant.id), 30000);
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_COMPARE_WITH_TIMEOUT(page.fitForm().choice().model,
                                  more.contains("--fit") ? std::string("single") : std::string("none"),
                                  30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->jobs().running() == 0 && !shown->queue().previewing(), 30000);
        QTest::qWait(300);
        QVERIFY2(!page.curves().note().contains("live"), qPrintable(page.curves().note()));
        QCOMPARE(page.drawer().mark(), QString());
    }

    void aCopyOfTheDataGivesTheSameBytes() {
        ks::tests::generate_xpcs(path("copied.h5"), 20, 61, 71);
        QProcess made;
        made.start(KERNELSCOPE_CLI, {"xpcs", path("copied.h5"), "--rings", "30,30,2,5,4", "--device", "host",
                                     "--out", path("of_copied.h5")});
        QVERIFY(made.waitForFinished(60000));
        QVERIFY2(made.exitCode() == 0, made.readAllStandardError().constData());
        QFile data(path("copied.h5"));
        QVERIFY(data.open(QIODevice::ReadWrite));
        QVERIFY(data.setFileTime(QDateTime::currentDateTime().addSecs(-86400), QFile::FileModificationTime));
        data.close();
        const auto shown = window();
        QSignalSpy opened(&shown->files(), &FileSession::runOpened),
            file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("of_copied.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated),
            said(shown->statusBar(), &QStatusBar::messageChanged);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QVERIFY(repeated.front().front().toBool());
        QVERIFY(said.contains(
            QVariantList{"Identical to run 1, byte for byte, although files were written since: copied.h5"}));
        QVERIFY(!shown->errorBar().isError());
    }

    void anotherResultOfACopyOfTheDataIsNotBlamedOnThem() {
        ks::tests::generate_xpcs(path("derived.h5"), 20, 61, 71);
        const auto shown = window();
        shown->show();
        ks::tests::open_data(*shown, path("derived.h5"));
        QSignalSpy added(&shown->queue(), &RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        // As an earlier version computed it, before the file was copied.
        ks::Run former = *shown->runs().find(1)->run;
        auto phi = std::ranges::find(former.result.datasets, std::string("phi"), &ks::Dataset::name);
        QVERIFY(phi != former.result.datasets.end());
        phi->values = ks::Array::of<double>(phi->values.shape(),
                                            std::vector<double>(phi->values.shape().front(), -131.8));
        for (ks::FileRecord& file : former.files) file.modified -= 86'400'000'000'000;
        const int number = shown->runs().addRun(std::make_shared<const ks::Run>(former), true);
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->repeat(number);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QVERIFY(!repeated.front().front().toBool());
        const QString sentence = shown->errorBar().sentence();
        QVERIFY2(sentence.startsWith("The result differs from run 2: phi differs") &&
                     sentence.contains("size and hash are the same"),
                 qPrintable(sentence));
    }

    void onRingsAroundTheBeamIsUpToDateOnceItsInputsAreUsed() {
        ks::tests::generate_xpcs(path("beam.h5"), 20, 61, 71, true);
        QProcess made;
        made.start(KERNELSCOPE_CLI, {"xpcs", path("beam.h5"), "--rings", "beam,beam,2,5,4", "--device",
                                     "host", "--out", path("rings.h5")});
        QVERIFY(made.waitForFinished(60000));
        QVERIFY2(made.exitCode() == 0, made.readAllStandardError().constData());
        const auto shown = window();
        QSignalSpy file(shown.get(), &MainWindow::fileOpened);
        shown->open(path("rings.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(file.count(), 1, 30000);
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(page.partition() && page.partition()->bins() == 4, 30000);
        const auto outdated = [&] { return shown->pageRuns().exported(shown->runs().rows().front()).text; };
        QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty() && !outdated().contains("Bins"), 30000);
        // Other bins are other bins.
        page.bins().setData(page.bins().index(1, ks::ui::xpcs::BinTableModel::OnColumn), Qt::Unchecked,
                            Qt::CheckStateRole);
        QVERIFY2(outdated().contains("Bins"), qPrintable(outdated()));
    }

    void whoseDistanceAloneWasChangedSaysSo() {
        ks::tests::generate_xpcs(path("far.h5"), 20, 61, 71, true);
        const auto shown = window();
        ks::tests::open_data(*shown, path("far.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*shown->page());
        QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty(), 30000);
        shown->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 1 && !shown->queue().busy(), 60000);
        const auto differing = [&] { return shown->request().differing(*shown->runs().rows().front().run); };
        QCOMPARE(differing(), QStringList());
        // The next run would take the text that comes with the program.
        ks::Run other = *shown->runs().rows().front().run;
        other.request.kernel_source = "kernel void other() {}";
        QCOMPARE(shown->request().otherKernel(other), QStringList("Kernel text"));
        ks::ui::SessionGeometry& session = page.imagePanel().geometryForm().session();
        ks::Geometry where = session.geometry();
        where.distance += 10;
        session.setGeometry(where, true);
        QTRY_COMPARE_WITH_TIMEOUT(differing(), QStringList("Distance"), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty(), 30000);
        shown->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 2 && !shown->queue().busy(), 60000);
        session.reset();
        QTRY_COMPARE_WITH_TIMEOUT(differing(), QStringList("Distance"), 30000);
        // One legend stands for two runs that place their bins at other q.
        shown->runs().setTicked(1, true);
        const auto& curves = page.curves().series();
        QVERIFY(!curves.isEmpty());
        QVERIFY2(curves.front().legendLabel().contains("q differs"),
                 qPrintable(curves.front().legendLabel()));
    }

    void thatIsDamagedReplacesNothing() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("b.h5"));
        QFile whole(path("run.h5"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile part(path("part.h5"));
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(whole.readAll().left(whole.size() / 2));
        part.close();
        QSignalSpy failed(&shown->files(), &FileSession::notOpened);
        shown->open(path("part.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000);
        QCOMPARE(shown->runs().rowCount(), 0);
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("b.h5"));
        QVERIFY(!shown->files().recent().contains(path("part.h5")));
    }
};

QTEST_MAIN(SavedRunTest)
#include "tst_saved_run.moc"
