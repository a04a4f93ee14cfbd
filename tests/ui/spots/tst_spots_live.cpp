#include <QAction>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QtTest>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "core/spots/results/spot_columns.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/detector_view.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/session/window_session.h"
#include "ui/spots/spot_table.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

using namespace ks::ui;
using ks::ui::spots::SpotsPage;

/// The page in the window, with a real worker.
class SpotsLiveTest : public ks::tests::WindowFixture {
    Q_OBJECT

    SpotsPage& page() { return dynamic_cast<SpotsPage&>(*window_->page()); }
    bool idle() { return !window_->queue().previewing() && window_->live().share() <= 0; }

  private slots:
    void initTestCase() {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("spots");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{4};
        parameters["height"] = std::int64_t{256};
        parameters["width"] = std::int64_t{240};
        parameters["spots"] = std::int64_t{40};
        ks::Progress progress;
        analysis.generate(parameters, folder_.filePath("live.h5").toStdString(), true, progress);
    }

    void init() {
        window_ = firstWindow();
        for (QTabBar* tabs : window_->findChildren<QTabBar*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabText(i) == "Spots") tabs->setCurrentIndex(i);
        QCOMPARE(window_->page()->analysis(), QString("spots"));
        window_->open(folder_.filePath("live.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(page().image().frame() != nullptr, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
    }
    void cleanup() { window_.reset(); }

    void aMovedSliderGivesTheSpotsOfTheShownFrame() {
        page().imagePanel().slider().setFrame(2);
        QTRY_VERIFY_WITH_TIMEOUT(idle() && page().imagePanel().shownFrame() == 2, 30000);
        page().form().value("sigma_b").slider()->setValue(50);
        QTRY_VERIFY_WITH_TIMEOUT(page().form().live().contains("frame 2"), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(idle(), 30000);
        // What is exported says that it is no run, and of which frame.
        QTRY_COMPARE(page().table().exportLeaf(), QString("spots_preview_frame2.csv"));
        QCOMPARE(page().table().exportTitle(), QString("Export spots of the preview of frame 2"));
        const QString csv = QString::fromStdString(page().table().csv());
        QVERIFY(csv.section('\n', 0, 0).endsWith(",note"));
        QVERIFY2(csv.section('\n', 1, 1).endsWith(",preview"), qPrintable(csv.section('\n', 1, 1)));
        const std::size_t few = page().layer().signal().both.size();
        page().form().value("sigma_b").slider()->setValue(0);
        page().form().value("sigma_s").slider()->setValue(10);
        QTRY_VERIFY_WITH_TIMEOUT(page().layer().signal().both.size() > few, 30000);
        QCOMPARE(window_->runs().rowCount(), 0);
        // Another frame, another preview.
        page().imagePanel().slider().setFrame(0);
        QTRY_VERIFY_WITH_TIMEOUT(page().form().live().contains("frame 0"), 30000);
        window_->action("live")->trigger();
        QVERIFY(page().form().live().isEmpty());
        QVERIFY(page().layer().signal().both.empty());
    }

    void previewsOfARestoredRunFollowTheFrame() {
        const QString sessions = folder_.filePath("sessions");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(window_->kept().document().runs.size(), std::size_t{1}, 20000);
        page().form().value("sigma_b").slider()->setValue(45);
        QTRY_VERIFY_WITH_TIMEOUT(page().form().live().contains("frame 0") && idle(), 30000);
        QTest::qWait(2 * WindowSession::keepEveryMs + 500);  // it may have been written already
        window_.reset();                                     // not closed
        window_ = window();
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && window_->runs().rowCount() == 1, 60000);
        QVERIFY(window_->action("live")->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(page().form().live().contains("frame 0") && idle(), 30000);
        QTest::keyClick(page().imagePanel().slider().findChild<QSlider*>(), Qt::Key_Right);
        QTRY_VERIFY2_WITH_TIMEOUT(page().form().live().contains("frame 1"), qPrintable(page().form().live()),
                                  30000);
        QTRY_COMPARE(page().table().exportLeaf(), QString("spots_preview_frame1.csv"));
    }

    void previewsComeWhileAHandKeepsMoving() {
        QSlider* slider = page().form().value("sigma_b").slider();
        slider->setValue(slider->value() + 1);
        QTRY_VERIFY_WITH_TIMEOUT(!page().form().live().isEmpty() && idle(), 60000);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        // A move every millisecond: none is ever old enough for a result, were each to stop the one before.
        QElapsedTimer since;
        since.start();
        int moves = 0;
        while (since.elapsed() < 3000 && ready.count() < 3) {
            slider->setValue(40 + moves++ % 30);
            QTest::qWait(1);
        }
        QVERIFY2(ready.count() >= 3, qPrintable(QString::number(ready.count())));
    }

    void aRunHoldsAllFramesAndWhatThePreviewShowed() {
        page().form().value("sigma_b").slider()->setValue(45);
        QTRY_VERIFY_WITH_TIMEOUT(!page().form().live().isEmpty() && idle(), 30000);
        const auto previewed = page().layer().signal().both;
        QVERIFY(!previewed.empty());
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(page().form().live().isEmpty(), 10000);
        QCOMPARE(page().layer().signal().both, previewed);
        const ks::Run& run = *window_->runs().rows().front().run;
        QCOMPARE(ks::real(run.request.parameters, "sigma_b"), 4.5);
        QTRY_COMPARE(page().table().spots().size(), ks::spots::spots_of(run.result).size());
        QVERIFY(page().table().spots().size() > 10);
        QCOMPARE(page().table().exportLeaf(), QString("spots.csv"));
        // What the editor holds leaves the signal.
        auto& editor = page().imagePanel().editor();
        const auto y = static_cast<std::uint32_t>(previewed.front() / editor.width());
        editor.apply(ks::PixelRegion(editor.height(), editor.width(),
                                     {{y, 0, static_cast<std::uint32_t>(editor.width())}}),
                     true, "Row");
        const auto inRow = [&] {
            const auto& now = page().layer().signal().both;
            return std::count_if(now.begin(), now.end(),
                                 [&](std::uint32_t pixel) { return pixel / editor.width() == y; });
        };
        QVERIFY(inRow() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(inRow(), 0, 30000);
    }
};

QTEST_MAIN(SpotsLiveTest)
#include "tst_spots_live.moc"
