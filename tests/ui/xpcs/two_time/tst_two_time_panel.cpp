// Axes, cuts and parts of the two-time map; driven by the mouse in the window with its worker.

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QTableView>
#include <QtTest>
#include <cmath>

#include <qcustomplot.h>

#include "core/base/progress.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/live/live_pairs.h"
#include "core/xpcs/two_time/age_lag.h"
#include "core/xpcs/two_time/log_lag.h"
#include "tests/core/xpcs/oracle.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/fit_results.h"
#include "ui/xpcs/fit/fit_table_model.h"
#include "ui/xpcs/series/frames_panel.h"
#include "ui/xpcs/two_time/counts_strip.h"
#include "ui/xpcs/two_time/map_grid.h"
#include "ui/xpcs/two_time/two_time_panel.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::TwoTimePanel;
using ks::ui::xpcs::XpcsPage;

class TwoTimePanelTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }
    TwoTimePanel& panel() { return page().twoTimePanel(); }
    QCustomPlot& plot() { return panel().map().plot(); }
    const ks::Run& newest() { return *window_->runs().rows().front().run; }

    /// A run of 80 frames has the map of bin 1, which is shown.
    bool shown() {
        ks::tests::open_data(*window_, path("a.h5"));
        PartitionChoice rings = page().partitionForm().choice();
        rings.source = PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(4, 28, 4);
        page().partitionForm().setChoice(rings);
        if (!QTest::qWaitFor([&] { return page().bins().rowCount() == 4; }, 30000) || !ran()) return false;
        page().pickBin(1);
        page().drawer().raise(&panel());
        return QTest::qWaitFor([&] { return panel().map().map().columns == 80; }, 30000);
    }
    bool ran() {
        const int before = window_->runs().rowCount();
        window_->startRun();
        return QTest::qWaitFor(
            [&] { return window_->runs().rowCount() > before && !window_->queue().busy(); }, 120000);
    }
    std::vector<double> times() { return newest().result.at("two_time").values.to_doubles(); }
    QPoint at(double x, double y) {
        plot().replot();  // it is laid out when it is drawn
        return {static_cast<int>(std::lround(plot().xAxis->coordToPixel(x))),
                static_cast<int>(std::lround(plot().yAxis->coordToPixel(y)))};
    }
    /// Frames 20 to 49.
    void dragPart() {
        panel().action("part")->trigger();
        QTest::mousePress(&plot(), Qt::LeftButton, {}, at(20, 20));
        QTest::mouseMove(&plot(), at(35, 40));
        QTest::mouseRelease(&plot(), Qt::LeftButton, {}, at(49, 49));
    }
    QString cutText() { return panel().cut().whyEmpty(); }
    /// Nothing is computed any more.
    bool rests() {
        return QTest::qWaitFor([&] { return window_->jobs().running() == 0; }, 60000);
    }
    static bool same(const std::vector<double>& one, const std::vector<double>& other) {
        return std::ranges::equal(
            one, other, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
    }

    /// Frames that are left out; its title is an item, too.
    static QList<QCPItemRect*> shadesOf(const QCustomPlot& strip) {
        QList<QCPItemRect*> shades;
        for (int i = 0; i < strip.itemCount(); ++i)
            if (auto* const shade = dynamic_cast<QCPItemRect*>(strip.item(i))) shades << shade;
        return shades;
    }

  private slots:
    void initTestCase() { ks::tests::generate_xpcs(path("a.h5"), 80, 61, 71); }
    void init() { window_ = firstWindow({1280, 800}); }
    void cleanup() { window_.reset(); }

    void theMapTurnsToAgeAndLag() {
        QVERIFY(shown());
        QVERIFY(same(panel().map().map().values, times()));
        panel().axesField().setFocus();
        QTest::keyClick(&panel().axesField(), Qt::Key_Down);
        QCOMPARE(panel().axes(), TwoTimePanel::ageAndLag);
        QTRY_VERIFY(same(panel().map().map().values, ks::xpcs::by_age_and_lag(times(), 80)));
        QVERIFY(plot().xAxis->label().startsWith("age"));
        QVERIFY(plot().yAxis->label().startsWith("lag"));
        const auto state = page().state(Page::Scope::session);
        QVERIFY(state);
        panel().setAxes(TwoTimePanel::times);
        QVERIFY(same(panel().map().map().values, times()));
        page().setState(*state, Page::Scope::session);
        QCOMPARE(panel().axes(), TwoTimePanel::ageAndLag);
    }

    void theLagsAreBinnedLogarithmically() {
        QVERIFY(shown());
        panel().axesField().setFocus();
        QTest::keyClick(&panel().axesField(), Qt::Key_End);
        QCOMPARE(panel().axes(), TwoTimePanel::ageAndLogLag);
        const auto binned = ks::xpcs::by_age_and_log_lag(times(), 80, 10);
        QTRY_VERIFY(same(panel().map().map().values, binned.values));
        const MapData& map = panel().map().map();
        QCOMPARE(map.rows, binned.lags.size());
        QCOMPARE(plot().yAxis->scaleType(), QCPAxis::stLogarithmic);
        QCOMPARE(plot().yAxis->range().lower, 0.5);
        QCOMPARE(plot().yAxis->range().upper, 79.5);
        // What is under the cursor is the mean of pairs: lags 20 to 25, of which the age 40 has all.
        QSignalSpy hovered(&panel().map(), &MapPlot::pointHovered);
        QTest::mouseMove(&plot(), at(40, 22));
        QVERIFY2(hovered.last()[0].toString().contains("mean of 6 pairs of frames"),
                 qPrintable(hovered.last()[0].toString()));
        QTest::mouseMove(&plot(), at(1, 22));
        QVERIFY2(hovered.last()[0].toString().contains("no pairs of frames"),
                 qPrintable(hovered.last()[0].toString()));
        // The file has one row per range of lags, at their mean.
        const QString csv = QString::fromStdString(panel().map().csv());
        QCOMPARE(csv.count('\n'), static_cast<qsizetype>(binned.lags.size()) + 1);
        QVERIFY(csv.section('\n', 4, 4).section(',', 0, 0).toDouble() == binned.mean_lags[3]);
        // A click cuts at the range under it, and the mark stays with other axes.
        panel().action("lag")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(36, 22));
        const auto cutOf = [this] {
            const auto& cut = panel().cut().series()[0];
            return std::pair(std::vector<double>(cut.x.begin(), cut.x.end()),
                             std::vector<double>(cut.y.begin(), cut.y.end()));
        };
        const auto row = ks::xpcs::log_cut_at_lag(times(), 80, {20, 26});
        QCOMPARE(cutOf(), std::pair(row.at, row.values));
        QCOMPARE(panel().cut().note(), QString("lags 20 to 25 frames"));
        QCOMPARE(panel().map().lines()[0].y1(), 22.5);
        panel().setAxes(TwoTimePanel::ageAndLag);
        QCOMPARE(panel().cut().note(), QString("lag 22 frames"));
        QCOMPARE(cutOf().second, ks::xpcs::cut_at_lag(times(), 80, 22).values);
        panel().setAxes(TwoTimePanel::ageAndLogLag);
        QTRY_COMPARE(panel().map().map().rows, binned.lags.size());
        panel().action("age")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(36, 10));
        const auto column = ks::xpcs::log_cut_at_age(times(), 80, 36, 10);
        QCOMPARE(cutOf(), std::pair(column.at, column.values));
        QCOMPARE(panel().map().lines(), QVector<QLineF>{QLineF(36, 0.5, 36, 72)});
    }

    void aPartIsDraggedOverLogarithmicLags() {
        QVERIFY(shown());
        panel().setAxes(TwoTimePanel::ageAndLogLag);
        QTRY_VERIFY(!panel().map().map().rowEdges.empty());
        panel().action("part")->trigger();
        QTest::mousePress(&plot(), Qt::LeftButton, {}, at(20, 2));
        QTest::mouseMove(&plot(), at(35, 5));
        QTest::mouseRelease(&plot(), Qt::LeftButton, {}, at(49, 9));
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), QString("bin 1, points: frames 20 to 49, line: all"),
                                  60000);
        // All pairs within the part are below the lines, which meet at its longest lag.
        double highest = 0;
        for (const QLineF& line : panel().map().lines()) {
            highest = std::max({highest, line.y1(), line.y2()});
            for (const QPointF& end : {line.p1(), line.p2()}) {
                const double lag = end.y() > 0.5 ? end.y() : 0;
                const double side = std::abs(end.x() - 34.5);
                if (lag > 0) QVERIFY(std::abs(side + lag / 2 - 15) < 1e-9);
            }
        }
        QCOMPARE(highest, 30.0);
    }

    void theRowsAreThoseOfARebinnedRun() {
        QVERIFY(shown());
        window_->parameters().setValues({{"rebin", ks::ParameterValue(std::int64_t{4})}});
        QVERIFY(ran());
        panel().setAxes(TwoTimePanel::ageAndLogLag);
        const auto delays = newest().result.at("delay").values.to_doubles();
        QTRY_COMPARE(panel().map().map().rows + 1, delays.size());
        // All frames are used, so that the mean lags are those of the curve.
        for (std::size_t i = 1; i < delays.size(); ++i)
            QCOMPARE(panel().map().map().rowPlaces[i - 1], delays[i]);
    }

    void logarithmicLagsComeBackWithTheSession() {
        QVERIFY(shown());
        const auto before = page().state(Page::Scope::session);
        QVERIFY(before && !before->values.contains("log_lag"));
        panel().setAxes(TwoTimePanel::ageAndLogLag);
        const auto state = page().state(Page::Scope::session);
        page().setState(*before, Page::Scope::session);
        QCOMPARE(panel().axes(), TwoTimePanel::times);
        page().setState(*state, Page::Scope::session);
        QCOMPARE(panel().axes(), TwoTimePanel::ageAndLogLag);
        QTRY_VERIFY(!panel().map().map().rowEdges.empty());
        // The figure is drawn with the same axis.
        const QImage figure = drawnFigure(panel().map(), {});
        QVERIFY(!figure.isNull());
    }

    void aClickCutsAtAnAgeOrALag() {
        QVERIFY(shown());
        QVERIFY(!panel().cut().isVisible());
        panel().action("lag")->trigger();
        QVERIFY(panel().cut().isVisible());
        // (t1, t2) = (30, 42): age 36, lag 12.
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(30, 42));
        const auto lag = ks::xpcs::cut_at_lag(times(), 80, 12);
        QCOMPARE(panel().cut().series().size(), qsizetype{1});
        QCOMPARE(std::vector<double>(panel().cut().series()[0].y.begin(), panel().cut().series()[0].y.end()),
                 lag.values);
        QCOMPARE(panel().cut().series()[0].x.front(), 6.0);
        QCOMPARE(panel().cut().note(), QString("lag 12 frames"));
        QCOMPARE(panel().map().lines().size(), qsizetype{2});
        QCOMPARE(panel().map().lines()[0], QLineF(0, 12, 67, 79));
        panel().action("age")->trigger();
        QVERIFY(panel().cut().series().isEmpty());
        panel().setAxes(TwoTimePanel::ageAndLag);
        QTRY_VERIFY(same(panel().map().map().values, ks::xpcs::by_age_and_lag(times(), 80)));
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(36, 20));
        const auto age = ks::xpcs::cut_at_age(times(), 80, 36);
        // Without the shot noise of lag 0.
        QCOMPARE(panel().cut().series()[0].y.size(), static_cast<qsizetype>(age.values.size()) - 1);
        QCOMPARE(panel().cut().series()[0].y.front(), age.values[1]);
        QCOMPARE(panel().map().lines(), QVector<QLineF>{QLineF(36, 0, 36, 72)});
        panel().action("move")->trigger();
        QVERIFY(!panel().cut().isVisible());
        QVERIFY(panel().map().lines().isEmpty());
    }

    void aDragGivesG2OfTheseFrames() {
        QVERIFY(shown());
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
        QCOMPARE(panel().cut().note(), QString("bin 1, points: frames 20 to 49, line: all"));
        QCOMPARE(panel().cut().series()[1].label, QString("all"));
        const QVector<double> part = panel().cut().series()[0].y, all = panel().cut().series()[1].y;
        const auto alike = [](const QVector<double>& one, const std::vector<double>& g2) {
            for (qsizetype i = 0; i < one.size(); ++i) {
                const double value = g2[static_cast<std::size_t>(i) + 1];
                if (std::abs(one[i] - value) > 1e-12 * value) return false;
            }
            return !one.isEmpty();
        };
        QVERIFY(alike(all, newest().result.at("g2").values.to_doubles()));
        window_->parameters().setValues(
            {{"first_frame", std::int64_t{20}}, {"last_frame", ks::ParameterValue(std::int64_t{49})}});
        QVERIFY(ran());
        QCOMPARE(newest().result.at("g2").values.shape()[1], std::size_t{30});
        QCOMPARE(part.size(), qsizetype{29});
        QVERIFY(alike(part, newest().result.at("g2").values.to_doubles()));
    }

    void errorsOfAPartOtherThanThoseOfTheRunAreNamed() {
        QVERIFY(shown());
        const QString note("bin 1, points: frames 20 to 49, line: all");
        window_->parameters().setValues({{"errors", std::string("jackknife")}});
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), note + "\nerrors: published, not jackknife", 60000);
        window_->parameters().setValues({{"errors", std::string("bootstrap")}});
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), note, 60000);
    }

    void axesCountFromTheFirstFrameOfTheFile() {
        QVERIFY(shown());
        window_->parameters().setValues(
            {{"first_frame", std::int64_t{20}}, {"last_frame", ks::ParameterValue(std::int64_t{49})}});
        QVERIFY(ran());
        QTRY_COMPARE(panel().map().map().columns, std::size_t{30});
        const MapData& map = panel().map().map();
        QCOMPARE((std::vector{map.xFirst, map.xLast, map.yFirst, map.yLast}),
                 (std::vector<double>{20, 49, 20, 49}));
        panel().action("lag")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(30, 42));
        QCOMPARE(panel().cut().note(), QString("lag 12 frames"));
        QCOMPARE(panel().cut().series()[0].x.front(), 26.0);
        QCOMPARE(panel().map().lines()[0], QLineF(20, 32, 37, 49));
        panel().action("age")->trigger();
        panel().setAxes(TwoTimePanel::ageAndLag);
        QTRY_COMPARE(panel().map().map().yFirst, 0.0);
        QCOMPARE(panel().map().map().xFirst, 20.0);
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(36, 5));
        QCOMPARE(panel().cut().note(), QString("age 36 frames"));
        QCOMPARE(panel().cut().series()[0].x.front(), 1.0);
        QCOMPARE(panel().map().lines(), QVector<QLineF>{QLineF(36, 0, 36, 26)});
        panel().setAxes(TwoTimePanel::times);
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), QString("bin 1, points: frames 20 to 49, line: all"),
                                  60000);
    }

    void theCutAtTheDiagonalIsThatBesideIt() {
        QVERIFY(shown());
        panel().action("lag")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(30, 30));
        QCOMPARE(panel().cut().note(), QString("lag 1 frame"));
        QCOMPARE(panel().cut().series()[0].y.size(), qsizetype{79});
    }

    void aCutOfAnOutdatedMapSaysSo() {
        QVERIFY(shown());
        window_->action("live")->setChecked(false);
        panel().action("age")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(30, 42));
        QCOMPARE(panel().cut().note(), QString("age 36 frames"));
        window_->parameters().setValue("first_frame", std::int64_t{5});
        QTRY_VERIFY2_WITH_TIMEOUT(panel().cut().note().contains("First frame"),
                                  qPrintable(panel().cut().note()), 10000);
        QVERIFY(panel().cut().note().startsWith("age 36 frames\n"));
        window_->parameters().setValue("first_frame", std::int64_t{0});
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), QString("age 36 frames"), 10000);
    }

    void marksStayWhenAnotherBinIsPicked() {
        QVERIFY(shown());
        panel().action("age")->trigger();
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(30, 42));
        QCOMPARE(panel().cut().series().size(), qsizetype{1});
        page().pickBin(3);
        QVERIFY(panel().cut().series().isEmpty());  // while the map of bin 3 is computed
        QTRY_VERIFY_WITH_TIMEOUT(panel().map().title().contains("bin 3"), 60000);
        QCOMPARE(panel().cut().note(), QString("age 36 frames"));
        QCOMPARE(panel().cut().series()[0].bin, 3);
        QCOMPARE(panel().map().lines().size(), qsizetype{2});
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
        page().pickBin(2);
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().note(), QString("bin 2, points: frames 20 to 49, line: all"),
                                  60000);
        QCOMPARE(panel().cut().series().size(), qsizetype{2});
        // Those of a series with other frames go.
        panel().setShown({"", "", {40, 40, std::vector<double>(1600, 1.0)}, "frames"});
        QVERIFY(panel().map().lines().isEmpty());
        QVERIFY(panel().cut().series().isEmpty());
    }

    void theCountsOfTheFramesAreAboveTheMap() {
        QVERIFY(shown());
        window_->action("live")->setChecked(false);
        QCustomPlot& strip = panel().strip().plot();
        // Nothing is read for them alone.
        QVERIFY(rests());
        QVERIFY(!strip.isVisible());
        page().drawer().raise(&page().frames());
        QTRY_COMPARE_WITH_TIMEOUT(page().frames().plot().series().size(), qsizetype{2}, 60000);
        page().drawer().raise(&panel());
        QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), 60000);
        const auto counts = [&strip] {
            std::vector<double> values;
            for (const QCPGraphData& one : *strip.graph(0)->data()) values.push_back(one.value);
            return values;
        };
        const QVector<double> ofTab = page().frames().plot().series()[1].y;
        QCOMPARE(counts(), std::vector<double>(ofTab.begin(), ofTab.end()));
        // It is on the axis of the map, also after a zoom and on other axes.
        const auto alike = [&] {
            return QTest::qWaitFor([&] {
                for (const double frame : {20.0, 50.0}) {
                    const QPoint there(qRound(plot().xAxis->coordToPixel(frame)), 0),
                        here(qRound(strip.xAxis->coordToPixel(frame)), 0);
                    if (std::abs(plot().mapToGlobal(there).x() - strip.mapToGlobal(here).x()) > 1)
                        return false;
                }
                return strip.xAxis->range() == plot().xAxis->range();
            });
        };
        QVERIFY(alike());
        const QCPRange whole = plot().xAxis->range();
        const QPoint middle = at(40, 40);
        QWheelEvent wheel(middle, plot().mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot(), &wheel);
        QVERIFY(plot().xAxis->range().size() < whole.size());
        QVERIFY(alike());
        panel().setAxes(TwoTimePanel::ageAndLogLag);
        QTRY_VERIFY(!panel().map().map().rowEdges.empty());
        QVERIFY(alike());
        QSignalSpy hovered(&panel().strip(), &ks::ui::xpcs::CountsStrip::pointHovered);
        QTest::mouseMove(&strip, QPoint(static_cast<int>(strip.xAxis->coordToPixel(33)), 10));
        QVERIFY2(hovered.last()[0].toString().startsWith("frame 33: "),
                 qPrintable(hovered.last()[0].toString()));
        // It is part of the figure, above the map, whatever room the window has.
        // Its curve has the colour of the bin; what else is at the top, the title, has none.
        const auto colourAtTheTop = [](const QImage& image) {
            for (int y = 0; y < image.height() / 30; ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).hsvSaturation() > 100) return true;
            return false;
        };
        const QImage alone = drawnFigure(panel().map(), {}), both = drawnFigure(panel().strip(), {});
        QCOMPARE(both.size(), alone.size());
        QVERIFY(!colourAtTheTop(alone));
        QVERIFY(colourAtTheTop(both));
        // A low window has no room for it.
        const int high = panel().map().height();
        window_->resize(840, 500);
        page().drawer().raise(&panel());  // all tabs are in one place now
        QTRY_VERIFY(panel().map().isVisible());
        QTRY_VERIFY(!strip.isVisible());
        QCOMPARE(panel().map().height(), panel().strip().height());
        window_->resize(1280, 800);
        QTest::qWait(100);
        page().drawer().raise(&panel());
        QTRY_VERIFY(strip.isVisible());
        QTRY_COMPARE(panel().map().height(), high);
        // A map of other frames than the sums.
        window_->parameters().setValue("first_frame", std::int64_t{5});
        QTRY_VERIFY_WITH_TIMEOUT(!strip.isVisible(), 30000);
    }

    void framesLeftOutAreShadedAboveTheMap() {
        QVERIFY(shown());
        page().drawer().raise(&page().frames());
        QTRY_COMPARE_WITH_TIMEOUT(page().frames().plot().series().size(), qsizetype{2}, 60000);
        page().drawer().raise(&panel());
        QCustomPlot& strip = panel().strip().plot();
        QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), 60000);
        QCOMPARE(shadesOf(strip).size(), qsizetype{0});
        window_->parameters().setValue("leave_out", std::string("10-19,40"));
        QTRY_COMPARE_WITH_TIMEOUT(shadesOf(strip).size(), qsizetype{2}, 30000);
        const QCPItemRect* const first = shadesOf(strip).front();
        QCOMPARE(first->topLeft->coords().x(), 9.5);
        QCOMPARE(first->bottomRight->coords().x(), 19.5);
        page().pickBin(3);
        QTRY_COMPARE_WITH_TIMEOUT(panel().strip().counts().bin, 3, 60000);
        QCOMPARE(shadesOf(strip).size(), qsizetype{2});
    }

    void countsThatARunKeptNeedNoPairs() {
        TwoTimePanel::Shown map{"", "", {4, 4, std::vector<double>(16, 1.0)}, "frames"};
        QVERIFY(shown());
        map.bin = 1;
        map.counts = {1, 2, std::nan(""), 4};
        panel().setShown(map);
        QVERIFY(panel().strip().plot().isVisible());
        QCOMPARE(panel().strip().counts().leftOut, (std::vector<bool>{false, false, true, false}));
        map.counts.pop_back();  // of other frames
        panel().setShown(map);
        QVERIFY(!panel().strip().plot().isVisible());
    }

    void aPartOfAMapOfOtherFramesSaysSo() {
        QVERIFY(shown());
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
        const auto show = [this](std::optional<std::size_t> first) {
            panel().setShown({"", "", {80, 80, std::vector<double>(6400, 1.0)}, "frames", first});
            dragPart();
        };
        show(40);
        QTRY_COMPARE_WITH_TIMEOUT(cutText(), QString("The map is of other frames than the next run"), 30000);
        QVERIFY(panel().cut().series().isEmpty());
        show(std::nullopt);
        QVERIFY2(cutText().contains("needs single frames"), qPrintable(cutText()));
        show(0);
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
    }

    void curvesOfEarlierPairsOrBinsAreNotShown() {
        QVERIFY(shown());
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
        // Another part is being computed when its bin goes, and once more when all pairs go.
        QTest::mouseClick(&plot(), Qt::LeftButton, {}, at(10, 30));
        panel().setBin(99);
        QVERIFY(rests());
        QCOMPARE(cutText(), QString("Bin 99 is switched off or has no pixels"));
        panel().setBin(1);
        QCOMPARE(cutText(), QString("Computing"));
        panel().setPairs(nullptr, "gone");
        QVERIFY(rests());
        QCOMPARE(cutText(), QString("gone"));
    }

    void whyAPartHasNoCurvesStays() {
        QVERIFY(shown());
        dragPart();
        QTRY_COMPARE_WITH_TIMEOUT(panel().cut().series().size(), qsizetype{2}, 60000);
        window_->parameters().setValues({{"estimator", std::string("two-level")}});
        QTRY_VERIFY2_WITH_TIMEOUT(cutText().contains("two-level"), qPrintable(cutText()), 60000);
        panel().action("age")->trigger();
        panel().action("part")->trigger();
        QVERIFY2(cutText().contains("two-level"), qPrintable(cutText()));
    }

    void theMapsOfNewBinsAreComputedWhenTheTabIsShownAgain() {
        QVERIFY(shown());
        panel().action("all")->trigger();
        QListWidget& maps = panel().grid().maps();
        QTRY_COMPARE_WITH_TIMEOUT(maps.count(), 4, 60000);
        page().drawer().raise(&page().profile());
        QTRY_VERIFY(!panel().isVisible());
        PartitionChoice rings = page().partitionForm().choice();
        rings.recipe.radial = ks::linear_levels(4, 28, 3);
        page().partitionForm().setChoice(rings);
        QTRY_COMPARE_WITH_TIMEOUT(page().bins().rowCount(), 3, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(maps.count(), 0, 30000);
        page().drawer().raise(&panel());
        QTRY_COMPARE_WITH_TIMEOUT(maps.count(), 3, 60000);
    }

    void aBinPickedInTheTableOfFitsIsPickedHereToo() {
        QVERIFY(shown());
        panel().action("all")->trigger();
        QListWidget& maps = panel().grid().maps();
        QTRY_COMPARE_WITH_TIMEOUT(maps.count(), 4, 60000);
        page().drawer().setRaised({"Fit"});
        auto* model = page().fitForm().findChild<QComboBox*>("fitModel");
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Home);
        QTest::keyClick(model, Qt::Key_Down);
        ks::ui::xpcs::FitResults& fits = page().fitResults();
        page().drawer().raise(&fits);
        QTRY_COMPARE_WITH_TIMEOUT(fits.model().rowCount(), 4, 60000);
        QTableView& table = fits.table().view();
        const QModelIndex row = table.model()->index(2, 0);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(row).center());
        QCOMPARE(page().pickedBin(), 3);
        QCOMPARE(maps.currentRow(), 2);
        QVERIFY(page().drawer().isRaised(&fits));
        QVERIFY(!panel().map().title().contains("bin 1"));
    }

    void thatLongLagsAreMissingIsSaid() {
        ks::Progress progress;
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        ks::Request next;
        next.analysis = "xpcs";
        next.inputs["frames"].name = path("a.h5").toStdString();
        next.inputs["partition"].name = path("a.h5").toStdString() + "::/entry/qmask";
        next.parameters = ks::checked(analysis.info().parameters, {});
        const auto pairsOf = [&](std::size_t delays) {
            ks::Run run;
            run.request = ks::xpcs::LivePairs::request_of(next, delays, false);
            run.request.parameters = ks::checked(analysis.info().parameters, run.request.parameters);
            const auto problem = ks::xpcs::load_problem(run.request, progress);
            run.result = run_host(host_variant("host.pairs"), *problem);
            return std::make_shared<ks::xpcs::LivePairs>(next, run, 80);
        };
        Jobs jobs;
        TwoTimePanel alone(jobs);
        alone.resize(800, 400);
        alone.show();
        alone.action("all")->trigger();
        const auto* text = alone.grid().findChild<QLabel*>("mapsState");
        QVERIFY(text);
        alone.setPairs(pairsOf(30), {});
        alone.setNext(next, std::vector<bool>(80, false));
        QTRY_VERIFY(alone.grid().maps().count() > 0);
        QVERIFY(text->isVisible() && alone.grid().maps().isVisible());
        QVERIFY2(text->text().startsWith("Lags up to 29 of 79 frames only"), qPrintable(text->text()));
        alone.setPairs(pairsOf(80), {});
        QVERIFY(!text->isVisible() && alone.grid().maps().isVisible());
    }

    void allBinsAreShownAndOneIsPicked() {
        QVERIFY(shown());
        panel().action("all")->trigger();
        QListWidget& maps = panel().grid().maps();
        QTRY_COMPARE_WITH_TIMEOUT(maps.count(), 4, 60000);
        QVERIFY(maps.isVisible());
        QCOMPARE(maps.currentRow(), 0);
        for (int row = 0; row < 4; ++row) {
            const QImage picture = maps.item(row)->icon().pixmap(maps.iconSize()).toImage();
            QVERIFY(!picture.isNull());
            // The diagonal holds shot noise, and is left out.
            QCOMPARE(qAlpha(picture.pixel(0, picture.height() - 1)), 0);
            QCOMPARE(qAlpha(picture.pixel(0, 0)), 255);
        }
        QTest::mouseClick(maps.viewport(), Qt::LeftButton, {}, maps.visualItemRect(maps.item(2)).center());
        QCOMPARE(page().pickedBin(), 3);
        QVERIFY(maps.isVisible());
        QTest::mouseDClick(maps.viewport(), Qt::LeftButton, {}, maps.visualItemRect(maps.item(2)).center());
        QVERIFY(!maps.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(panel().map().title().contains("bin 3"), 60000);
    }
};

QTEST_MAIN(TwoTimePanelTest)
#include "tst_two_time_panel.moc"
