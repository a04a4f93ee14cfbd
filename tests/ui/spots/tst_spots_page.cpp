#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QtTest>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <random>

#include "core/io/open_frames.h"
#include "tests/reference_data.h"
#include "tests/ui/badge.h"
#include "tests/ui/child.h"
#include "tests/ui/spots/made_runs.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/spots/hot_pixels.h"
#include "ui/spots/spot_plots.h"
#include "ui/spots/spot_table.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

using namespace ks::ui;
using ks::spots::Dropped;
using ks::spots::Intermediate;
using ks::spots::Spot;
using ks::ui::spots::SpotsPage;
using ks::ui::spots::SpotTableModel;

class SpotsPageTest : public QObject {
    Q_OBJECT
    static constexpr std::size_t height = 60, width = 80, frames = 5;
    Jobs jobs_;
    std::optional<PageContext> context_;  ///< of each test its own, as the mask is in it
    std::shared_ptr<const OpenFile> file_;
    std::vector<Spot> spots_;

    static std::shared_ptr<const OpenFile> fileOf(const QString& name) {
        ks::Array stack(ks::ElementType::u16, {frames, height, width});
        std::mt19937 random(5);
        for (auto& pixel : stack.as<std::uint16_t>())
            pixel = std::poisson_distribution<std::uint16_t>(4)(random);
        auto file = std::make_shared<OpenFile>();
        file->name = file->path = name;
        file->frames = std::make_shared<ks::MemoryFrames>(name.toStdString(), std::move(stack));
        return file;
    }

    std::unique_ptr<SpotsPage> emptyPage() {
        auto page = std::make_unique<SpotsPage>(*context_);
        page->inputWidget()->setParent(page.get());
        page->inputWidget()->hide();
        return page;
    }

    std::unique_ptr<SpotsPage> shownPage() {
        auto page = emptyPage();
        page->resize(1000, 800);
        page->show();
        page->setFile(file_);
        const bool there = QTest::qWaitForWindowExposed(page.get()) &&
                           QTest::qWaitFor([&] { return page->image().frame() != nullptr; }, 10000);
        return there ? std::move(page) : nullptr;
    }

    RunRow row(int number, const std::vector<Spot>& spots, std::size_t first = 0,
               std::size_t n = frames) const {
        return {number,
                madeRun(file_->name.toStdString(), height, width, first, spots,
                        signalsOf(spots, n, static_cast<std::uint32_t>(width))),
                true, false};
    }
    std::shared_ptr<const ks::Run> preview(int frame, const std::vector<Spot>& spots) const {
        return row(0, spots, static_cast<std::size_t>(frame), 1).run;
    }
    static bool onFrame(SpotsPage& page, int frame) {
        return QTest::qWaitFor([&] { return page.imagePanel().shownFrame() == frame; }, 10000);
    }

  private slots:
    void initTestCase() {
        file_ = fileOf("made.h5");
        // By the first pixel: z, y, x.
        spots_ = {boxSpot(40, 12, 5, 0, 3, 1), boxSpot(10, 20, 4, 0, 1, 0), boxSpot(60, 40, 6, 3, 5, 4),
                  boxSpot(20, 45, 3, 3, 4, 3)};
        spots_[3].dropped = Dropped::far_peak;
    }

    void init() { context_.emplace(jobs_); }

    void withoutDataItSaysWhatIsMissing() {
        const auto page = emptyPage();
        QVERIFY(page->missing().contains("open a file"));
        page->step(1);
        page->pick(std::size_t{3}, true);
        QVERIFY(!page->picked());
    }

    void aRunWhoseFramesAreLostIsShownWithoutThem() {
        const auto page = emptyPage();
        page->resize(1000, 800);
        page->show();
        const auto curves = [&] {
            return dynamic_cast<const CurvePlot&>(*page->statistics().plots().front().plot).series().size();
        };
        page->table().setFrameOnly(true);  // there is no frame that it could refer to
        page->setRuns({row(2, spots_), row(1, spots_)});
        QTRY_COMPARE(page->table().visibleSpots().size(), std::size_t{3});
        QCOMPARE(curves(), 2);
        QVERIFY2(page->status().contains("Run 2: 3 spots") && page->status().contains("not open"),
                 qPrintable(page->status()));
        page->action("next")->trigger();
        QVERIFY(page->picked());
        QCOMPARE(page->table().selected(), static_cast<int>(*page->picked()));
        const QString folder = qEnvironmentVariable("PICTURES");
        if (!folder.isEmpty()) QVERIFY(page->grab().save(folder + "/lost_frames.png"));
        // Beside other frames, its spots would lie on the wrong picture.
        page->setFile(fileOf("other.h5"));
        QTRY_VERIFY(page->image().frame() != nullptr);
        QTRY_VERIFY(page->table().visibleSpots().empty());
        QVERIFY2(page->table().hint().contains("frames other"), qPrintable(page->table().hint()));
        QCOMPARE(curves(), 0);
    }

    void theFirstFrameOfAFileHasAPreviewAndOneWithRunsNone() {
        auto page = emptyPage();
        QSignalSpy wanted(page.get(), &SpotsPage::previewWanted);
        page->resize(1000, 800);
        page->show();
        page->setFile(file_);
        QTRY_COMPARE(wanted.count(), 1);
        page->setFile(fileOf("/data/other.h5"));
        QTRY_COMPARE(wanted.count(), 2);
        // A session's runs come after its file.
        page->setFile(file_);
        page->setRuns({row(1, spots_)});
        QTRY_VERIFY(page->image().frame() != nullptr && onFrame(*page, 0));
        QTest::qWait(200);
        QCOMPARE(wanted.count(), 2);
    }

    void framesAreCountedFromZeroWhereverTheyAreNamed() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto boxes = page->imagePanel().slider().findChildren<QSpinBox*>();
        QCOMPARE(boxes.size(), 1);
        QCOMPARE(boxes[0]->text(), QString("0 / 4"));
        boxes[0]->setValue(3);
        QVERIFY(onFrame(*page, 3));
        page->setPreview(preview(3, {boxSpot(10, 20, 4, 0, 1, 0)}));
        QVERIFY2(page->status().contains("frame 3:"), qPrintable(page->status()));
        QTRY_COMPARE(page->table().spots().size(), std::size_t{1});
        QCOMPARE(page->table().model().text(0, SpotTableModel::FramesColumn), QString("3"));
        ks::Request request;
        page->reduce(request, 1);
        QCOMPARE(ks::integer(request.parameters, "first_frame"), 3);
    }

    void aNarrowPageShowsTableOrPlotsAndAWideOneBoth() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setMinimumSize(400, 300);  // as the window lets it shrink
        page->resize(700, 700);
        QVERIFY(!page->drawer().twoPanes() && page->table().isVisible() && !page->statistics().isVisible());
        page->drawer().raise(&page->statistics());
        QVERIFY(!page->table().isVisible() && page->statistics().isVisible());
        page->resize(1000, 800);
        QVERIFY(page->drawer().twoPanes() && page->table().isVisible() && page->statistics().isVisible());
        page->resize(1800, 900);
        QVERIFY(page->drawer().x() > 0 && page->table().isVisible() && page->statistics().isVisible());
        page->resize(700, 700);
        QVERIFY(!page->drawer().twoPanes() && page->drawer().x() == 0);
    }

    void theRequestHoldsThresholdsAndTheMaskAsRuns() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY(page->missing().isEmpty());
        page->form().apply({{"sigma_b", 4.5}, {"kernel", std::string("2,5")}});
        ks::Request request;
        page->fill(request);
        QCOMPARE(request.inputs.at("frames").name, std::string("made.h5"));
        QVERIFY(!request.inputs.contains("mask"));
        QCOMPARE(ks::real(request.parameters, "sigma_b"), 4.5);
        QCOMPARE(ks::text(request.parameters, "kernel"), std::string("2,5"));
        QCOMPARE(ks::boolean(request.parameters, "file_mask"), true);
        auto& editor = page->imagePanel().editor();
        editor.apply(ks::PixelRegion(height, width, {{3, 10, 20}, {4, 10, 20}}), true, "Box");
        ks::Request masked;
        page->fill(masked);
        const ks::Array& runs = *masked.inputs.at("mask").values;
        QCOMPARE(runs.shape(), (std::vector<std::size_t>{2, 2}));
        const auto values = runs.as<std::uint32_t>();
        QCOMPARE(values[0], std::uint32_t{3 * width + 10});
        QCOMPARE(values[1], std::uint32_t{10});
        editor.invert();
        editor.apply(ks::PixelRegion(height, width, {{3, 10, 20}, {4, 10, 20}}), true, "Rest");
        QVERIFY2(page->missing().contains("masked"), qPrintable(page->missing()));
    }

    void pixelsThatAreSignalInAllFramesAreSaidAndMaskedByAClick() {
        const auto page = shownPage();
        QVERIFY(page);
        auto& line = page->hotPixels();
        int number = 0;
        const auto shown = [&](std::vector<std::array<std::size_t, 2>> hot) {
            RunRow made = row(++number, spots_);
            auto run = std::make_shared<ks::Run>(*made.run);
            if (!hot.empty()) run->result.facts["hot_pixels"] = hot;
            run->result.facts["hot_in_frames"] = frames;
            made.run = run;
            page->setRuns({made});
        };
        shown({});
        QTest::qWait(50);
        QCOMPARE(line.text(), QString());
        shown({{20, 30}, {79, 59}, {21, 30}});
        QTRY_COMPARE(line.text(), QString("3 pixels are signal in all 5 frames: probably hot"));
        QVERIFY(line.isVisible());
        QVERIFY2(line.button().toolTip().contains("x 20, y 30; x 79, y 59; x 21, y 30"),
                 qPrintable(line.button().toolTip()));
        QCOMPARE(line.button().text(), QString("Mask them"));
        auto& editor = page->imagePanel().editor();
        editor.apply(ks::PixelRegion(height, width, {{2, 5, 6}}), true, "Box");
        QTest::mouseClick(&line.button(), Qt::LeftButton);
        std::vector<std::size_t> masked;
        for (std::size_t i = 0; i < height * width; ++i)
            if (editor.mask().values()[i] != 0) masked.push_back(i);
        QCOMPARE(masked, (std::vector<std::size_t>{2 * width + 5, 30 * width + 20, 30 * width + 21,
                                                   59 * width + 79}));
        QTRY_COMPARE(line.button().text(), QString("Masked"));
        QVERIFY(!line.button().isEnabled());
        // One step takes them back.
        editor.undo();
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{1});
        QTRY_VERIFY(line.button().isEnabled());
        // Facts from a file may be anything.
        shown({{80, 3}});
        QTRY_COMPARE(line.text(), QString());
        shown({{79, 3}});
        QTRY_COMPARE(line.text(), QString("1 pixel is signal in all 5 frames: probably hot"));
    }

    void aPreviewIsOfTheFrameOnTheScreenAlone() {
        const auto page = shownPage();
        QVERIFY(page);
        page->imagePanel().slider().setFrame(3);
        ks::Request request;
        page->fill(request);
        QCOMPARE(page->reduce(request, 1.0 / 16), AnalysisPage::Reduced::whole);
        QCOMPARE(ks::integer(request.parameters, "first_frame"), 3);
        QCOMPARE(ks::integer(request.parameters, "last_frame"), 3);
    }

    void whatAHandChangesAsksForAPreview() {
        const auto page = emptyPage();
        QSignalSpy wanted(page.get(), &AnalysisPage::previewWanted);
        page->setFile(file_);
        QTRY_VERIFY(page->image().frame() != nullptr);
        QTRY_COMPARE(wanted.count(), 1);  // of the first frame
        wanted.clear();
        page->form().value("sigma_b").slider()->setValue(80);
        QCOMPARE(wanted.count(), 1);
        page->imagePanel().slider().setFrame(2);
        QCOMPARE(wanted.count(), 2);
        // With a run of what is set, another frame needs none.
        RunRow same = row(1, spots_);
        auto run = std::make_shared<ks::Run>(*same.run);
        page->form().fill(run->request.parameters);
        same.run = run;
        page->setRuns({same});
        page->imagePanel().slider().setFrame(4);
        QCOMPARE(wanted.count(), 2);
        auto& editor = page->imagePanel().editor();
        editor.apply(ks::PixelRegion(height, width, {{3, 10, 20}}), true, "Box");
        QCOMPARE(wanted.count(), 3);
        page->setOutdated({QStringLiteral("Mask")});  // as the window says then
        const QString mark = "computed with other settings (Mask)";
        SpotPlots& plots = ks::tests::child<SpotPlots>(*page);
        QCOMPARE(plots.frames().note(), mark);
        QCOMPARE(plots.histogram(SpotPlots::Plot::sizes).note(), mark);
        page->imagePanel().slider().setFrame(1);
        QCOMPARE(wanted.count(), 4);
    }

    void aPreviewIsShownOnItsFrameOnlyAndTellsItsTime() {
        const auto page = shownPage();
        QVERIFY(page);
        ks::Request request;
        page->fill(request);
        page->reduce(request, 0.5);
        std::vector<Spot> here{boxSpot(5, 5, 4, 0, 1, 0), boxSpot(30, 30, 4, 0, 1, 0)};
        here[1].dropped = Dropped::too_small;
        page->setPreview(preview(0, here));
        QCOMPARE(page->layer().signal().both.size(), std::size_t{32});
        QCOMPARE(page->layer().shown().size(), std::size_t{1});
        QVERIFY2(page->form().live().contains("1 spot on frame 0"), qPrintable(page->form().live()));
        QVERIFY(page->form().live().startsWith("live: "));
        QTRY_COMPARE(page->table().spots().size(), std::size_t{2});
        page->imagePanel().slider().setFrame(2);
        QVERIFY(onFrame(*page, 2));
        QCOMPARE(page->layer().signal().both.size(), std::size_t{0});
        QVERIFY(page->status().contains("does not include frame 2"));
        page->setPreview(nullptr);
        QVERIFY(page->form().live().isEmpty());
        QTRY_COMPARE(page->table().spots().size(), std::size_t{0});
    }

    void aPreviewOfAFrameThatRunsLeaveOutSaysSo() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto previewed = [&](const std::string& leaveOut) {
            ks::Request request;
            page->fill(request);
            request.parameters["leave_out"] = leaveOut;
            page->reduce(request, 0.5);
            page->setPreview(preview(0, {boxSpot(5, 5, 4, 0, 1, 0)}));
        };
        previewed("none");
        QVERIFY2(page->status().startsWith("Preview, frame 0: 1 spot"), qPrintable(page->status()));
        previewed("0-1");
        QVERIFY2(page->status().startsWith("Preview (runs leave this frame out), frame 0: 1 spot"),
                 qPrintable(page->status()));
        QVERIFY(page->image().note().contains("runs leave this frame out"));
        previewed("1-2");
        QVERIFY(!page->status().contains("leave"));
        QSignalSpy wanted(page.get(), &AnalysisPage::previewWanted);
        page->formEdited({QStringLiteral("leave_out")}, {{"leave_out", std::string("0")}});
        QVERIFY(page->status().contains("runs leave this frame out"));
        page->formEdited({QStringLiteral("leave_out")}, {{"leave_out", std::string("none")}});
        QCOMPARE(wanted.count(), 0);  // it would show the same
        QVERIFY(!page->image().note().contains("leave"));
    }

    void spotsAreDrawnOnAllTheirFrames() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(7, spots_)});
        QCOMPARE(page->layer().shown(), (std::vector<std::size_t>{0, 1}));
        page->imagePanel().slider().setFrame(2);
        QVERIFY(onFrame(*page, 2));
        QCOMPARE(page->layer().shown(), (std::vector<std::size_t>{0}));
        page->imagePanel().slider().setFrame(3);
        QVERIFY(onFrame(*page, 3));
        QCOMPARE(page->layer().shown(), (std::vector<std::size_t>{2}));
        page->image().setFocus();
        QTest::keyClick(&page->image(), Qt::Key_K);
        QCOMPARE(page->layer().shown(), (std::vector<std::size_t>{2, 3}));
        QVERIFY2(page->status().contains("Run 7, frame 3: 1 spot, 45 px"), qPrintable(page->status()));
    }

    void keysSwitchTheOverlaysAndLeaveTheMaskToolsTheirs() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(7, spots_)});
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        DetectorView& view = page->image();
        view.setFocus();
        const QImage all = view.grab().toImage();
        QTest::keyClick(&view, Qt::Key_S);
        QVERIFY(!page->layer().style().signal);
        QVERIFY(view.grab().toImage() != all);
        QTest::keyClick(&view, Qt::Key_O);
        QTest::keyClick(&view, Qt::Key_C);
        QVERIFY(!page->layer().style().boxes && !page->layer().style().centroids);
        QTest::keyClick(&view, Qt::Key_D);
        QVERIFY(page->layer().style().difference);
        QVERIFY(page->status().contains("tick two runs"));
        QTest::keyClick(&view, Qt::Key_B);
        QVERIFY(page->imagePanel().maskBar().tool() != nullptr);
        QVERIFY(!page->layer().style().boxes);
        // No key stands for two things.
        QHash<QString, QString> taken;
        for (const QAction* action : view.actions() + page->actions())
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!taken.contains(key.toString()), qPrintable(key.toString() + ": " + action->text() +
                                                                     ", " + taken.value(key.toString())));
                taken.insert(key.toString(), action->text());
            }
    }

    void aClickOnASpotPicksItsRow() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(7, spots_)});
        DetectorView& view = page->image();
        const QRectF before = view.seenPart();
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.toWidget({12, 22}).toPoint());
        QCOMPARE(page->picked(), std::optional<std::size_t>(1));
        QCOMPARE(page->table().selected(), 1);
        QCOMPARE(view.seenPart(), before);  // the image stays where the hand is
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.toWidget({42, 14}).toPoint());
        QCOMPARE(page->table().selected(), 0);
        QTest::qWait(QApplication::doubleClickInterval() + 20);
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.toWidget({70, 5}).toPoint());
        QVERIFY(!page->picked());
        QCOMPARE(page->table().selected(), -1);
    }

    void aPickedRowIsBroughtToTheMiddleOnItsFrame() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(7, spots_)});
        QTRY_COMPARE(page->table().spots().size(), std::size_t{4});
        QTableView& rows = page->table().view();
        const QModelIndex third = rows.model()->index(page->table().model().rowOf(2), 0);
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualRect(third).center());
        QCOMPARE(page->picked(), std::optional<std::size_t>(2));
        QVERIFY(onFrame(*page, 4));
        DetectorView& view = page->image();
        const QPointF middle = view.toImage(view.imageArea().center());
        QVERIFY(std::abs(middle.x() - 63) < 0.1 && std::abs(middle.y() - 43) < 0.1);
        const double zoom = view.zoom();
        // A second one in the same view moves only.
        page->pick(std::size_t{0}, true);
        QCOMPARE(view.zoom(), zoom);
        QVERIFY(onFrame(*page, 1));
    }

    void aPixelThatAVerdictNamesIsBroughtToTheMiddleOnItsFrame() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY(page->showPlace({{"frame", 3}, {"x", 62}, {"y", 31}}));
        QVERIFY(onFrame(*page, 3));
        DetectorView& view = page->image();
        const QPointF middle = view.toImage(view.imageArea().center());
        QVERIFY2(std::abs(middle.x() - 62.5) < 0.1 && std::abs(middle.y() - 31.5) < 0.1,
                 qPrintable(QString("%1 %2").arg(middle.x()).arg(middle.y())));
        QVERIFY(view.seenPart().height() < height);
        QVERIFY(!page->showPlace({{"frame", frames}, {"x", 62}, {"y", 31}}));
        QVERIFY(!page->showPlace({{"frame", 0}, {"x", width}, {"y", 31}}));
        QVERIFY(!page->showPlace({{"target", 3}}));
    }

    void nextAndPreviousFollowTheTable() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(7, spots_)});
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        page->table().setKeptOnly(true);
        QTRY_COMPARE(page->table().visibleSpots().size(), std::size_t{3});
        const std::vector<int> order = page->table().visibleSpots();
        page->image().setFocus();
        std::vector<int> seen;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&page->image(), Qt::Key_N);
            seen.push_back(static_cast<int>(page->picked().value_or(99)));
        }
        QCOMPARE(seen.front(), 1);  // the first whose peak is on the frame that is shown
        QVERIFY(std::is_permutation(seen.begin(), seen.begin() + 3, order.begin()));
        QCOMPARE(seen[3], seen[0]);
        QTest::keyClick(&page->image(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(static_cast<int>(*page->picked()), seen[2]);
    }

    void theTwoNewestRunsAreSetAgainstEachOther() {
        const auto page = shownPage();
        QVERIFY(page);
        std::vector<Spot> moved = spots_;
        moved[1].x0 += 1;  // 4 x 4 at frame 0, one column on
        moved[1].x1 += 1;
        page->setRuns({row(9, moved), row(5, spots_), row(2, {})});
        page->action("difference")->setChecked(true);
        QCOMPARE(page->layer().signal().onlyA.size(), std::size_t{4});
        QCOMPARE(page->layer().signal().onlyB.size(), std::size_t{4});
        QCOMPARE(page->layer().signal().both.size(), std::size_t{25 + 12});
        const auto told = [&](const QString& text) {
            return QTest::qWaitFor([&] { return page->layer().legend().contains(text); }, 5000);
        };
        QVERIFY2(told("only run 9: 4 px, 4 px in all 5 frames"),
                 qPrintable(page->layer().legend().join("; ")));
        QVERIFY2(told("both: 37 px, 168 px in all 5 frames"), qPrintable(page->layer().legend().join("; ")));
        // Of a single frame there is one number.
        SpotLayer single = page->layer();
        single.setCounts(DifferenceCounts{4, 4, 37, 1});
        QVERIFY2(single.legend().contains("only run 9: 4 px"), qPrintable(single.legend().join("; ")));
        page->imagePanel().slider().setFrame(3);
        QVERIFY(onFrame(*page, 3));
        QCOMPARE(page->layer().signal().onlyA.size(), std::size_t{0});
        page->setRuns({row(9, moved)});
        QVERIFY(!page->layer().showsDifference());
    }

    void runsOfOtherFramesAreNotDrawn() {
        const auto page = shownPage();
        QVERIFY(page);
        RunRow other = row(3, spots_);
        auto changed = std::make_shared<ks::Run>(*other.run);
        changed->request.inputs["frames"].name = "another.h5";
        other.run = changed;
        page->setRuns({other});
        QVERIFY(page->layer().shown().empty());
        QVERIFY2(page->status().contains("other frames"), qPrintable(page->status()));
        page->setRuns({other, row(2, spots_)});
        QCOMPARE(page->layer().shown().size(), std::size_t{2});
    }

    void theImageAndItsFigureSayThatARunIsOutdatedOrWrong() {
        const auto page = shownPage();
        QVERIFY(page);
        DetectorView& view = page->imagePanel().view();
        const RunRow nine = row(9, spots_);
        page->setRuns({nine, row(5, spots_)});
        QCOMPARE(view.note(), QString());
        QVERIFY(!ks::tests::hasBadge(view));
        page->setOutdated({"Gain"});
        QCOMPARE(view.note(), QString("outdated (Gain)"));
        QVERIFY(ks::tests::hasBadge(view));
        RunRow wrong = nine;
        auto checked = std::make_shared<ks::Run>(*nine.run);
        checked->verdict.state = ks::Verdict::State::fail;
        wrong.run = checked;
        page->setRuns({wrong, row(5, spots_)});
        QCOMPARE(view.note(), QString("wrong, outdated (Gain)"));
        page->action("difference")->setChecked(true);
        QCOMPARE(view.note(), QString("run 9: wrong, outdated (Gain)"));
        page->setOutdated({});
        page->setRuns({nine});
        QCOMPARE(view.note(), QString());
    }

    void aPreviewOfAWrongKernelIsMarkedAndGivesNoAdvice() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto wrong = [&](const std::vector<Spot>& spots) {
            auto made = std::make_shared<ks::Run>(*preview(0, spots));
            made->verdict.state = ks::Verdict::State::fail;
            return made;
        };
        SpotPlots& plots = ks::tests::child<SpotPlots>(*page);
        HistogramPlot& sizes = plots.histogram(SpotPlots::Plot::sizes);
        DetectorView& view = page->imagePanel().view();
        page->setPreview(preview(0, {}));
        QTRY_VERIFY2(page->table().hint().contains("lower the thresholds"), qPrintable(page->table().hint()));
        QVERIFY(sizes.whyEmpty().contains("lower the thresholds"));
        QCOMPARE(view.note(), QString());
        page->setPreview(wrong({}));
        QTRY_VERIFY2(page->table().hint().contains("the result is wrong"), qPrintable(page->table().hint()));
        QVERIFY2(!page->table().hint().contains("threshold"), qPrintable(page->table().hint()));
        QVERIFY2(sizes.whyEmpty().contains("the result is wrong"), qPrintable(sizes.whyEmpty()));
        QCOMPARE(view.note(), QString("wrong"));
        QVERIFY(ks::tests::hasBadge(view));
        QVERIFY2(page->form().live().contains("wrong, 0 spots"), qPrintable(page->form().live()));
        page->setPreview(wrong({boxSpot(5, 5, 4, 0, 1, 0)}));
        QTRY_VERIFY(!sizes.series().isEmpty());
        QCOMPARE(sizes.note(), QString("wrong"));
        QCOMPARE(plots.frames().note(), QString("wrong"));
        QCOMPARE(sizes.series().last().run, QString("preview (wrong)"));
        QVERIFY(QString::fromStdString(page->table().csv()).contains("the result is wrong; preview"));
        // So it is in a run.
        RunRow run = row(1, {});
        auto checked = std::make_shared<ks::Run>(*run.run);
        checked->verdict.state = ks::Verdict::State::fail;
        run.run = checked;
        page->setPreview(nullptr);
        page->setRuns({run});
        QTRY_VERIFY2(page->table().hint().contains("the result is wrong"), qPrintable(page->table().hint()));
    }

    void aResultThatIsNotWholeIsToldAndDrawsNothing() {
        const auto page = shownPage();
        QVERIFY(page);
        QString told;
        connect(page.get(), &Page::failed, this, [&](const ks::Error& error) { told = error.what(); });
        RunRow broken = row(4, spots_);
        auto changed = std::make_shared<ks::Run>(*broken.run);
        std::erase_if(changed->result.datasets, [](const ks::Dataset& one) { return one.name == "peak_y"; });
        broken.run = changed;
        page->setRuns({broken});
        QVERIFY2(told.contains("peak_y"), qPrintable(told));
        QVERIFY(page->layer().shown().empty());
        page->setRuns({row(5, spots_)});
        QCOMPARE(page->layer().shown().size(), std::size_t{2});
    }

    void aVerdictKeepsThePickedSpot() {
        const auto page = shownPage();
        QVERIFY(page);
        const RunRow first = row(7, spots_);
        page->setRuns({first});
        page->pick(std::size_t{1}, false);
        RunRow checked = first;
        checked.run = std::make_shared<ks::Run>(*first.run);
        page->setPreview(nullptr);
        page->setRuns({checked});
        QCOMPARE(page->picked(), std::optional<std::size_t>(1));
    }

    void intermediateImagesTakeThePlaceOfTheCounts() {
        const auto page = shownPage();
        QVERIFY(page);
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        DetectorView& view = page->image();
        view.setFocus();
        const ColourScale ofCounts = view.colourScale();
        QTest::keyClick(&view, Qt::Key_2);
        QCOMPARE(page->form().picture(), Intermediate::mean);
        QTRY_VERIFY(view.frame()->type() == ks::ElementType::f32);
        // The mean over the window of 7 x 7 around (30, 40), counted here anew.
        double sum = 0;
        for (std::size_t y = 27; y < 34; ++y)
            for (std::size_t x = 37; x < 44; ++x)
                sum += page->imagePanel().frame()->as<std::uint16_t>()[y * width + x];
        const auto mean = [&] { return view.frame()->as<float>()[30 * width + 40]; };
        QVERIFY2(std::abs(double{mean()} - sum / 49) < 1e-4, qPrintable(QString::number(double{mean()})));
        QVERIFY(page->layer().legend().join(' ').contains("frame 0"));
        // It follows frame, mask and thresholds.
        auto before = view.frame();
        page->imagePanel().slider().setFrame(1);
        QTRY_VERIFY(view.frame() != before && page->layer().legend().join(' ').contains("frame 1"));
        before = view.frame();
        page->imagePanel().editor().apply(ks::PixelRegion(height, width, {{30, 40, 41}}), true, "Box");
        QTRY_VERIFY(view.frame() != before);
        QVERIFY(std::isnan(mean()));
        before = view.frame();
        page->form().value("kernel_x").slider()->setValue(0);
        QTRY_VERIFY(view.frame() != before);
        // Tests are black and white, and the counts come back as they were.
        QTest::keyClick(&view, Qt::Key_8);
        QTRY_VERIFY(view.frame()->type() == ks::ElementType::u8);
        QCOMPARE(view.colourMap().name(), QString("grey"));
        QCOMPARE(view.colourScale().high, 1.0);
        QTest::keyClick(&view, Qt::Key_1);
        QTRY_VERIFY(view.frame()->type() == ks::ElementType::u16);
        QCOMPARE(view.frame(), page->imagePanel().frame());
        QCOMPARE(view.colourMap().name(), QString("viridis"));
        QCOMPARE(view.colourScale().kind, ofCounts.kind);
        QVERIFY(view.colourScale().automatic);
        QVERIFY(page->layer().legend().isEmpty());
    }

    void theFilesOwnMaskIsTakenWhereNoneIsDrawn() {
        const QString path = QString::fromStdString(ks::tests::reference_data("spots_rotation.h5"));
        const auto real = std::make_shared<const OpenFile>(openFile(path));
        const ks::Array mask =
            ks::io::read_array(path.toStdString() + "::/entry/instrument/detector/pixel_mask", 2);
        const std::vector<double> values = mask.to_doubles();
        const auto ignored = static_cast<std::size_t>(
            std::count_if(values.begin(), values.end(), [](double one) { return one != 0; }));
        QVERIFY(ignored > 0);
        const auto page = emptyPage();
        QSignalSpy wanted(page.get(), &AnalysisPage::previewWanted);
        page->setFile(real);
        auto& editor = page->imagePanel().editor();
        QTRY_COMPARE(editor.pixels(RegionEditor::maskTarget), ignored);
        QTRY_COMPARE(wanted.count(), 1);  // of the first frame
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::boolean(request.parameters, "file_mask"), false);
        const auto runs = request.inputs.at("mask").values->as<std::uint32_t>();
        std::size_t sum = 0;
        for (std::size_t i = 1; i < runs.size(); i += 2) sum += runs[i];
        QCOMPARE(sum, ignored);
        // Another file without a mask does not inherit it; what a hand drew stays with its own file.
        page->setFile(file_);
        QTRY_VERIFY(page->image().frame() && page->image().frame()->shape()[0] == height);
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{0});
        page->setFile(real);
        QTRY_COMPARE(editor.pixels(RegionEditor::maskTarget), ignored);
        editor.clear();
        editor.apply(ks::PixelRegion(editor.height(), editor.width(), {{1, 0, 5}}), true, "Box");
        page->setFile(std::make_shared<const OpenFile>(*real));  // opened once more
        QTest::qWait(500);
        QCOMPARE(editor.pixels(RegionEditor::maskTarget), std::size_t{5});
        page->fill(request);
        QCOMPARE(ks::boolean(request.parameters, "file_mask"), true);  // the worker joins both
    }

    void aPageMayGoWhileItIsAtWork() {
        auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(9, spots_), row(5, spots_)});
        page->action("difference")->setChecked(true);
        page->form().setPicture(Intermediate::variance);
        page->imagePanel().slider().setFrame(2);
        page.reset();
        QTest::qWait(100);
        QTRY_COMPARE(jobs_.running(), 0);
    }
};

QTEST_MAIN(SpotsPageTest)
#include "tst_spots_page.moc"
