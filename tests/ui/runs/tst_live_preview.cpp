#include <QAction>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/main_window.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::XpcsPage;

/// Previews in the window, with a real worker.
class LivePreviewTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }

    /// Drags the outermost edge by `steps` pixels of the widget, one move each.
    void drag(int steps) {
        DetectorView& view = page().image();
        const auto recipe = page().partitionForm().choice().recipe;
        const double radius = ks::edges(recipe).back();
        const QPoint from =
            view.toWidget({recipe.geometry.beam_x + radius, recipe.geometry.beam_y}).toPoint();
        QTest::mouseMove(&view, from);
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        for (int step = 1; step <= steps; ++step) QTest::mouseMove(&view, from - QPoint(step, 0));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, from - QPoint(steps, 0));
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{150};
        parameters["height"] = std::int64_t{101};
        parameters["width"] = std::int64_t{121};
        ks::Progress progress;
        analysis.generate(parameters, folder_.filePath("live.h5").toStdString(), true, progress);
    }

    void init() {
        QFile::remove(folder_.filePath("test.ini"));
        window_ = std::make_unique<MainWindow>(
            std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat));
        window_->show();
        window_->open(folder_.filePath("live.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().image().frame() != nullptr, 30000);
        xpcs::PartitionChoice rings = page().partitionForm().choice();
        rings.source = xpcs::PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(5, 35, 3);
        window_->action("live")->setChecked(false);
        page().partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(page().bins().rowCount() == 3, 30000);
        window_->action("live")->setChecked(true);
    }
    void cleanup() { window_.reset(); }

    void aDraggedEdgeShowsAPreviewThatIsNoRun() {
        QVERIFY(page().curves().series().isEmpty());
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        drag(6);
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty(), 60000);
        QCOMPARE(page().curves().series().size(), 3);
        QVERIFY(!page().curves().note().isEmpty());
        QCOMPARE(window_->runs().rowCount(), 0);
        // When the hand rests, all delays come.
        QTRY_VERIFY_WITH_TIMEOUT(ready.last().at(1).toBool(), 60000);
        QVERIFY(page().curves().note().contains("live"));
        QCOMPARE(page().curves().series().front().x.size(), 149);
        // What is shown is what a run of the same inputs gives.
        const QVector<CurveSeries> live = page().curves().series();
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QVERIFY(page().curves().note().isEmpty());
        QCOMPARE(page().curves().series().size(), live.size());
        for (qsizetype i = 0; i < live.size(); ++i) QCOMPARE(page().curves().series()[i].y, live[i].y);
    }

    void theNewestInputsWin() {
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        drag(12);
        drag(9);
        QTRY_VERIFY_WITH_TIMEOUT(
            !ready.isEmpty() && ready.last().at(1).toBool() && !window_->queue().previewing(), 60000);
        const auto run = ready.last().at(0).value<std::shared_ptr<const ks::Run>>();
        const auto labels = run->result.at("labels").values.as<std::int32_t>();
        QVERIFY(std::equal(labels.begin(), labels.end(), page().partition()->labels().begin()));
    }

    void withoutLiveNothingIsComputed() {
        window_->action("live")->setChecked(false);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        drag(5);
        QTest::qWait(600);
        QVERIFY(ready.isEmpty());
        QVERIFY(page().curves().series().isEmpty());
    }

    void openingAFileComputesNothing() {
        QVERIFY(window_->action("live")->isChecked());
        QSignalSpy ready(&window_->live(), &LivePreview::ready),
            opened(window_.get(), &MainWindow::fileOpened);
        window_->open(folder_.filePath("live.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->page()->missing().isEmpty() && page().image().frame() != nullptr,
                                 30000);
        QTest::qWait(600);
        QVERIFY(ready.isEmpty());
        QVERIFY(!window_->queue().previewing());
    }

    void aPreviewGoesWithItsFile() {
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        drag(6);
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty(), 60000);
        drag(3);
        window_->open(folder_.filePath("live.h5"));
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTest::qWait(600);
        QVERIFY(page().curves().note().isEmpty());
        QVERIFY(page().curves().series().isEmpty());
    }

    void aPreviewThatFailsIsSaidOnce() {
        // A worker that is gone answers nothing; the window stays usable and says so.
        QSignalSpy restarted(&window_->worker(), &WorkerClient::workerRestarted);
        ::kill(static_cast<pid_t>(window_->worker().processId()), SIGKILL);
        drag(4);
        QTRY_VERIFY_WITH_TIMEOUT(!restarted.isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        drag(4);
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty(), 60000);
    }
};

QTEST_MAIN(LivePreviewTest)
#include "tst_live_preview.moc"
