// A series of files in the window: dropped, chosen as several files or as a folder, and brought back by a
// project.

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QStatusBar>
#include <QTimer>
#include <QUrl>
#include <algorithm>

#include "core/base/array.h"
#include "core/io/files/atomic_file.h"
#include "core/io/tiff/tiff.h"
#include "tests/ui/shell/session_window.h"
#include "ui/shell/file_session.h"

using ks::ui::MainWindow;
using ks::ui::WindowSession;

class SeriesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const QString& leaf) const { return folder_.filePath(leaf); }
    QString image(int number) const {
        return path(QStringLiteral("data/img_%1.tif").arg(number, 5, 10, QLatin1Char('0')));
    }
    void write(int number) const {
        ks::io::AtomicFile file(image(number).toStdString(), true);
        ks::io::write_tiff(file, ks::Array(ks::ElementType::u16, {20, 30}));
        file.commit();
    }
    std::unique_ptr<MainWindow> window() const {
        return ks::tests::session_window(path(QStringLiteral("settings.ini")));
    }
    static void drop(MainWindow& window, const QStringList& files) {
        QMimeData dropped;
        QList<QUrl> urls;
        for (const QString& file : files) urls << QUrl::fromLocalFile(file);
        dropped.setUrls(urls);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }
    static bool shows(const MainWindow& window, const QString& text) {
        const auto labels = window.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&text](const QLabel* one) { return one->text().contains(text); });
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        QVERIFY(QDir().mkpath(path("data")));
        for (const int number : {1, 2, 4}) write(number);
    }

    void severalFilesThatAreDroppedAreOneStackWithAShortName() {
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        drop(*shown, {image(4), image(1), image(2)});
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(opened.front().front().toString(), path("data/img_#####.tif"));
        QVERIFY2(shown->windowTitle().startsWith("img_#####.tif, 3 files"), qPrintable(shown->windowTitle()));
        QVERIFY(shows(*shown, QStringLiteral("img_#####.tif, 3 files: 4 frames, 20 \u00d7 30 u16")));
    }

    void aFolderIsTheSeriesInIt() {
        const auto shown = window();
        QVERIFY(shown->action("openFolder")->isEnabled());
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        shown->open(path("data"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QVERIFY2(shown->windowTitle().startsWith("img_#####.tif, 3 files"), qPrintable(shown->windowTitle()));
    }

    void aRunOfAFolderIsOfTheOpenContentsUntilItGrows() {
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        QVERIFY(QDir().mkpath(path("whole")));
        for (const int number : {1, 2})
            QVERIFY(QFile::copy(image(number), path(QStringLiteral("whole/img_%1.tif").arg(number))));
        ks::tests::open_data(*shown, path("whole"));
        shown->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 1 && !shown->queue().busy(), 120000);
        QVERIFY(shown->runs().isOfContents(shown->runs().rows().front()));
        QVERIFY(QFile::copy(image(4), path("whole/img_3.tif")));
        shown->files().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(shown->file()->frames->frames(), std::size_t{3}, 30000);
        QVERIFY(shown->runs().isOfFile(shown->runs().rows().front()));
        QVERIFY(!shown->runs().isOfContents(shown->runs().rows().front()));
    }

    void aPatternTypedInTheOpenDialogOpensTheSeries() {
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        QTimer::singleShot(0, this, [this] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto* const name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            QVERIFY(name);
            QTest::keyClicks(name, path("data/img_*.tif"));
            QTest::keyClick(name, Qt::Key_Return);
            if (dialog->isVisible()) dialog->reject();
        });
        shown->action("open")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(shown->file()->path, path("data/img_*.tif"));
    }

    void someOfTheFilesKeepAShortName() {
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        shown->open(QStringList{image(2), image(1)});
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(opened.front().front().toString(), path("data/img_{00001,00002}.tif"));
        QVERIFY2(shown->windowTitle().startsWith("img_#####.tif, 2 files"), qPrintable(shown->windowTitle()));
    }

    void filesThatAreNoSeriesAreRefused() {
        const auto shown = window();
        QVERIFY(QFile::copy(image(1), path("other.tif")));
        QSignalSpy failed(&shown->files(), &FileSession::notOpened);
        drop(*shown, {image(1), path("other.tif")});
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000);
        QVERIFY2(shown->errorBar().sentence().contains("expected files from one folder"),
                 qPrintable(shown->errorBar().sentence()));
    }

    void aSeriesThatGrowsIsNoticedAndReopened() {
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        QVERIFY(QDir().mkpath(path("grows")));
        for (const int number : {1, 2})
            QVERIFY(QFile::copy(image(number), path(QStringLiteral("grows/img_%1.tif").arg(number))));
        shown->open(path("grows/img_#.tif"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        const ks::FileRecord before = shown->file()->record;
        QSignalSpy changed(&shown->files(), &ks::ui::FileSession::changedOnDisk);
        QVERIFY(QFile::copy(image(4), path("grows/img_3.tif")));
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 30000);
        QCOMPARE(changed.front().front().toString(), path("grows/img_#.tif"));
        shown->files().reopen();
        QTRY_COMPARE_WITH_TIMEOUT(shown->file()->frames->frames(), std::size_t{3}, 30000);
        QVERIFY(!before.hash.empty() && before.hash != shown->file()->record.hash);
    }

    void aFileThatIsGoneIsSaidToBeGone() {
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        QVERIFY(QDir().mkpath(path("shrinks")));
        for (const int number : {1, 2, 4})
            QVERIFY(QFile::copy(image(number), path(QStringLiteral("shrinks/img_%1.tif").arg(number))));
        shown->open(path("shrinks/img_#.tif"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_COMPARE(shown->page()->analysis(), QString("spots"));
        QCOMPARE(shown->file()->frames->frames(), std::size_t{4});  // 3 is missing
        QVERIFY(QFile::remove(path("shrinks/img_1.tif")));
        QStringList said;
        connect(shown->statusBar(), &QStatusBar::messageChanged, this,
                [&said](const QString& text) { said << text; });
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 30000);
        QCOMPARE(shown->file()->frames->frames(), std::size_t{3});
        QVERIFY2(!said.filter("img_1.tif is gone").isEmpty(), qPrintable(said.join('\n')));
        QTRY_VERIFY_WITH_TIMEOUT(!shown->queue().busy(), 60000);
    }

    void aRepeatNamesTheFilesThatAreNewSinceTheRun() {
        const auto shown = window();
        QVERIFY(shown->setPage("spots"));
        QVERIFY(QDir().mkpath(path("repeats")));
        for (const int number : {1, 2})
            QVERIFY(QFile::copy(image(number), path(QStringLiteral("repeats/img_%1.tif").arg(number))));
        ks::tests::open_data(*shown, path("repeats/img_#.tif"));
        shown->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown->runs().rowCount() == 1 && !shown->queue().busy(), 120000);
        QStringList warnings;
        connect(&shown->messages(), &ks::ui::Messages::warned, shown.get(),
                [&warnings](const QString& sentence) { warnings << sentence; });
        QVERIFY(QFile::copy(image(4), path("repeats/img_3.tif")));
        QSignalSpy repeated(&shown->pageRuns(), &ks::ui::PageRuns::repeated);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 120000);
        QVERIFY2(warnings.join('\n').contains("Since run 1 the data have changed") &&
                     warnings.join('\n').contains("img_#.tif (new file img_3.tif)"),
                 qPrintable(warnings.join('\n')));
    }

    void theHintOfARefusedRunNamesTheField() {
        const auto shown = window();
        ks::tests::generate_xpcs(path("scan.h5"), 20, 61, 71);
        ks::tests::open_data(*shown, path("scan.h5"));
        emit shown->queue().failed(ks::Error(ks::ErrorKind::input, "1 of 3 frames are missing", "scan.tif",
                                             "leave them out with --leave-out 2,19"));
        QCOMPARE(shown->errorBar().sentence(),
                 QString("scan.tif: 1 of 3 frames are missing; leave them out with \"Leave out\" = 2,19"));
        // Options that are no parameters of the analysis stay.
        emit shown->queue().failed(ks::Error(ks::ErrorKind::input, "too large", "scan.tif",
                                             "use --leave-outer 2 or --memory-limit 1G"));
        QVERIFY2(shown->errorBar().sentence().endsWith("use --leave-outer 2 or --memory-limit 1G"),
                 qPrintable(shown->errorBar().sentence()));
    }

    void aProjectBringsItBackAndAReplacedFileIsNoticed() {
        {
            const auto shown = window();
            QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
            shown->open(path("data"));
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
            QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
            shown->kept().project().save(path("series.ksproj"), true);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        }
        const auto again = window();
        QSignalSpy opened(again.get(), &MainWindow::fileOpened);
        again->open(path("series.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
        QCOMPARE(opened.front().front().toString(), path("data/img_#####.tif"));
        QSignalSpy changed(&again->files(), &ks::ui::FileSession::changedOnDisk);
        write(2);
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 30000);
        QCOMPARE(changed.front().front().toString(), image(2));
    }
};

QTEST_MAIN(SeriesTest)
#include "tst_series.moc"
