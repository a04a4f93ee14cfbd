#include <QAction>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>
#include <optional>

#include "core/base/error.h"
#include "core/run/bench_baseline.h"
#include "tests/full_disk/file_size_limit.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/lab/kept_reports.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/variant_list.h"
#include "ui/lab/view_choice.h"
#include "ui/runs/unkept_work.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/session/window_session.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::lab::LabPage;
using ks::ui::lab::StripPlot;
using ks::ui::lab::ViewChoice;

/// What was measured is there again at the next start, whole windows with a real worker.
class KeptReportsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const QString& leaf) const { return folder_.filePath(leaf); }
    QString kept(const QString& leaf) const { return path("sessions/1/pages/" + leaf); }
    LabPage& page() { return dynamic_cast<LabPage&>(*window_->page()); }

    /// A start that gives a file, or asks for an empty window, begins as one that asks for nothing.
    void start(WindowSession::Begin how = WindowSession::Begin::bySetting) {
        window_.reset();
        window_ =
            std::make_unique<MainWindow>(std::make_unique<QSettings>(path("test.ini"), QSettings::IniFormat));
        QVERIFY(window_->setPage("lab"));
        window_->kept().begin(path("sessions"), how);
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        settle();
    }
    void settle() { QTRY_COMPARE_WITH_TIMEOUT(window_->jobs().running(), 0, 60000); }
    void end() {
        QVERIFY(window_->close());
        window_.reset();
    }
    void time(const QString& analysis, const QString& sizes, const QStringList& variants) {
        page().form().choose(analysis);
        page().form().setSizes({{"size", sizes}});
        page().form().repeats().setValue(5);
        QStringList off;
        for (const ks::Offer& offer : page().form().variants().offers())
            if (const QString id = QString::fromStdString(offer.variant.id); !variants.contains(id))
                off << id;
        page().form().variants().setOff(off);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && !page().compared().empty() &&
                                     page().compared().front()->complete &&
                                     page().compared().front()->kept.isEmpty(),
                                 120000);
        settle();
    }
    void trigger(const QString& name) {
        for (QAction* action : page().editActions())
            if (action->objectName() == name) action->trigger();
    }
    QByteArray contents(const QString& file) {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void cleanup() {
        window_.reset();
        QDir(path("sessions")).removeRecursively();
        QFile::remove(path("test.ini"));
    }

    void theNewestMeasurementOfEachAnalysisComesBackWithItsDateAndDevice() {
        start();
        time("vector_add", "1000", {"seed.add"});
        time("vector_add", "1000, 4000", {"seed.add", "host.threads"});
        const ks::BenchReport measured = page().compared().front()->report;
        time("dot", "2000", {"two_stages"});
        end();
        // The file is what `bench --json` writes.
        QCOMPARE(contents(kept("lab-vector_add-1.json")).toStdString(), ks::bench_text(measured));
        for (const WindowSession::Begin how :
             {WindowSession::Begin::bySetting, WindowSession::Begin::empty}) {
            start(how);
            page().form().choose("vector_add");
            settle();
            QCOMPARE(page().compared().size(), std::size_t{1});
            const ks::ui::lab::Compared& back = *page().compared().front();
            QCOMPARE(back.report.points.size(), std::size_t{2});
            QCOMPARE(page().model().rowCount(), 4);
            QVERIFY(!measured.host.name.empty());
            QCOMPARE(back.report.host.name, measured.host.name);
            const std::vector<double> samples = measured.points[0].rows[0].times(&ks::BenchSample::kernel);
            QVERIFY(back.report.points[0].rows[0].times(&ks::BenchSample::kernel) == samples);
            const QString day = QString::fromStdString(measured.started).left(10);
            QVERIFY(child<StripPlot>(page()).strips().front().source.contains(day));
            QVERIFY(child<StripPlot>(page()).strips().front().source.contains(
                QString::fromStdString(measured.device.name)));
            QVERIFY2(child<ViewChoice>(page()).subject().contains("kept from") &&
                         child<ViewChoice>(page()).subject().contains(day),
                     qPrintable(child<ViewChoice>(page()).subject()));
            page().form().choose("dot");
            settle();
            QCOMPARE(page().model().rowCount(), 1);
            end();
        }
    }

    void whatIsSavedOfItIsItsFileByteForByte() {
        start();
        time("vector_add", "1000", {"seed.add"});
        end();
        start();
        page().form().choose("vector_add");
        settle();
        page().saveReport(*page().compared().front(), path("saved.json"), true);
        QVERIFY(!contents(path("saved.json")).isEmpty());
        QCOMPARE(contents(path("saved.json")), contents(kept("lab-vector_add-1.json")));
    }

    void anotherMeasurementTakesItsPlace() {
        start();
        time("vector_add", "1000", {"seed.add"});
        end();
        start();
        time("vector_add", "3000", {"seed.add"});
        QCOMPARE(page().compared().size(), std::size_t{1});
        QVERIFY(!child<ViewChoice>(page()).subject().contains("kept from"));
        end();
        start();
        page().form().choose("vector_add");
        settle();
        QVERIFY2(child<ViewChoice>(page()).subject().contains("3000"),
                 qPrintable(child<ViewChoice>(page()).subject()));
    }

    void whatComesBackAndIsReplacedCanBeShownSavedAndKeptAgain() {
        start();
        time("vector_add", "1000", {"seed.add"});
        const QByteArray first = contents(kept("lab-vector_add-1.json"));
        end();
        start();
        page().form().choose("vector_add");
        settle();
        time("vector_add", "3000", {"seed.add"});
        QVERIFY(contents(kept("lab-vector_add-1.json")) != first);
        trigger("previousMeasurement");
        settle();
        QVERIFY(child<ViewChoice>(page()).subject().contains("1000"));
        page().saveReport(*page().compared().front(), path("again.json"), true);
        QCOMPARE(contents(path("again.json")), first);
        QCOMPARE(contents(kept("lab-vector_add-1.json")), first);
    }

    void whatDoesNotFitOnTheDiskIsTriedAgainAndAskedAbout() {
        start();
        std::optional<ks::tests::FileSizeLimit> full(std::in_place, 100);
        time("vector_add", "1000", {"seed.add"});
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().sentence().contains("the measurement could not be kept"),
                                 10000);
        QStringList asked;
        SessionQuestions& questions = window_->kept().questions();
        questions.lose = [](const QStringList&) { return WorkAnswer::discard; };  // the session's document
        questions.loseForGood = [&](const QStringList& work, const QString&) {
            asked = work;
            return false;
        };
        QVERIFY(!window_->close());
        QCOMPARE(asked, QStringList("the measurement of Vector addition"));
        full.reset();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(kept("lab-vector_add-1.json")), 10000);
        QTRY_VERIFY(!window_->errorBar().sentence().contains("could not be kept"));
        asked.clear();
        QVERIFY(window_->close());
        QVERIFY(asked.isEmpty());
    }

    void aSecondAttemptLeavesTheFilesOfOtherDevices() {
        Jobs jobs;
        UnkeptWork unkept;
        ks::ui::lab::KeptReports reports(jobs, unkept, std::make_shared<const ks::Registry>());
        const QString folder = path("late");
        QFile inTheWay(folder);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        reports.setFolder(folder);
        const auto measured = std::make_shared<ks::ui::lab::Compared>();
        measured->report.plan.analysis = "vector_add";
        reports.write(measured, 0);
        QTRY_VERIFY(unkept.why());
        QVERIFY(inTheWay.remove());
        reports.write(measured, 1);
        QTRY_VERIFY(QFile::exists(folder + "/lab-vector_add-2.json"));
        QCOMPARE(unkept.writeNow(), QStringList());
        QVERIFY(QFile::exists(folder + "/lab-vector_add-1.json"));
        QVERIFY(QFile::exists(folder + "/lab-vector_add-2.json"));
        reports.clear("vector_add");
        QTRY_VERIFY(QDir(folder).isEmpty());
    }

    void aNewFileIsNeverTakenForAnEarlierOne() {
        Jobs jobs;
        UnkeptWork unkept;
        ks::ui::lab::KeptReports reports(jobs, unkept, std::make_shared<const ks::Registry>());
        const QString folder = path("quick");
        reports.setFolder(folder);
        const auto measured = std::make_shared<ks::ui::lab::Compared>();
        measured->report.plan.analysis = "vector_add";
        // The clock of files may lag some milliseconds behind that of the process.
        for (int i = 0; i < 100; ++i) {
            reports.write(measured, 0);
            reports.write(measured, 1);
            QTRY_COMPARE(jobs.running(), 0);
            QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name),
                     QStringList({"lab-vector_add-1.json", "lab-vector_add-2.json"}));
        }
        // A measurement on one device replaces one on two.
        reports.write(measured, 0);
        QTRY_COMPARE(jobs.running(), 0);
        QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList("lab-vector_add-1.json"));
    }

    void whatCouldNotBeWrittenOfAnEarlierOneIsNotWrittenLater() {
        Jobs jobs;
        UnkeptWork unkept;
        ks::ui::lab::KeptReports reports(jobs, unkept, std::make_shared<const ks::Registry>());
        const QString folder = path("stale");
        QFile inTheWay(folder);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        reports.setFolder(folder);
        const auto measured = std::make_shared<ks::ui::lab::Compared>();
        measured->report.plan.analysis = "vector_add";
        reports.write(measured, 0);
        reports.write(measured, 1);
        QTRY_COMPARE(jobs.running(), 0);
        QVERIFY(unkept.why());
        QVERIFY(inTheWay.remove());
        reports.write(measured, 0);
        QTRY_COMPARE(jobs.running(), 0);
        QCOMPARE(unkept.writeNow(), QStringList());
        QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList("lab-vector_add-1.json"));
    }

    void clearTakesItAwayForTheNextStartToo() {
        start();
        time("vector_add", "1000", {"seed.add"});
        time("dot", "2000", {"two_stages"});
        end();
        start();
        page().form().choose("vector_add");
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
        trigger("clearMeasured");
        settle();
        QVERIFY(page().compared().empty());
        QVERIFY(child<ViewChoice>(page()).subject().isEmpty());
        QVERIFY(!QFile::exists(kept("lab-vector_add-1.json")));
        // A wrong click is taken back.
        trigger("previousMeasurement");
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
        QTRY_VERIFY(QFile::exists(kept("lab-vector_add-1.json")));
        trigger("clearMeasured");
        settle();
        QVERIFY(!QFile::exists(kept("lab-vector_add-1.json")));
        end();
        start();
        page().form().choose("vector_add");
        settle();
        QVERIFY(page().compared().empty());
        // That of another analysis stays.
        page().form().choose("dot");
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
    }

    void aDamagedOrForeignFileIsToldInOneSentenceAndLeftOut_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("cut") << QByteArray("{\"program\": \"kernelscope-cli\", \"analysis\": \"vector_add\",")
                             << "it is cut off after 56 bytes";
        QTest::newRow("foreign") << QByteArray("{\"color\": 3}") << "not a benchmark report";
        QTest::newRow("damaged") << QByteArray(
                                        "{\"analysis\": \"vector_add\", \"repeats\": 3, \"started\": 7}")
                                 << "damaged";
        QTest::newRow("empty") << QByteArray() << "not a benchmark report";
    }
    void aDamagedOrForeignFileIsToldInOneSentenceAndLeftOut() {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        QVERIFY(QDir().mkpath(kept({})));
        QFile file(kept("lab-vector_add-1.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        start();
        page().form().choose("vector_add");
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 10000);
        const QString sentence = window_->errorBar().sentence();
        QVERIFY2(sentence.contains("a kept Lab measurement is ignored") && sentence.contains(said),
                 qPrintable(sentence));
        QVERIFY(!sentence.contains('\n'));
        page().form().choose("vector_add");
        settle();
        QVERIFY(page().compared().empty());
        // A measurement takes its place all the same.
        time("vector_add", "1000", {"seed.add"});
        end();
        start();
        page().form().choose("vector_add");
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
    }

    void aMeasurementOfAnotherAnalysisUnderItsNameIsLeftOut() {
        start();
        time("dot", "2000", {"two_stages"});
        end();
        QVERIFY(QFile::copy(kept("lab-dot-1.json"), kept("lab-vector_add-1.json")));
        start();
        page().form().choose("vector_add");
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 10000);
        QVERIFY2(window_->errorBar().sentence().contains("expected a measurement of vector_add"),
                 qPrintable(window_->errorBar().sentence()));
        page().form().choose("dot");
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
    }

    void whatWasCancelledLeavesTheFinishedOne() {
        start();
        time("vector_add", "1000", {"seed.add"});
        const QByteArray before = contents(kept("lab-vector_add-1.json"));
        page().form().setSizes({{"size", "5000, 6000, 7000"}});
        page().form().repeats().setValue(1000);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(page().model().rowCount() > 0 && window_->queue().busy(), 60000);
        window_->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
        settle();
        QVERIFY(!before.isEmpty());
        QCOMPARE(contents(kept("lab-vector_add-1.json")), before);
    }
};

QTEST_MAIN(KeptReportsTest)
#include "tst_kept_reports.moc"
