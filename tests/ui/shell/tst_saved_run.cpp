#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QStatusBar>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/plots/curve_plot.h"
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
        QVERIFY2(shown->errorBar().sentence().contains("input frames does not exist"),
                 qPrintable(shown->errorBar().sentence()));
        QVERIFY(QFile::rename(path("lost.h5"), path("a.h5")));
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
