// Frames are left out by dragging on I(t), and g2 follows; driven by the mouse in the window with its worker.

#include <hdf5.h>

#include <QAction>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <numeric>

#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/history.h"
#include "ui/base/parameter_form.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/series/frames_panel.h"
#include "ui/xpcs/series/stability_panel.h"
#include "ui/xpcs/two_time/two_time_panel.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::FramesPanel;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

class FramesPanelTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }
    FramesPanel& panel() { return page().frames(); }
    CurveFigure& figure() { return const_cast<CurveFigure&>(panel().plot().figure()); }
    const RunRow& newest() { return window_->runs().rows().front(); }
    QString leaveOut() {
        return QString::fromStdString(ks::text(window_->parameters().values(), "leave_out"));
    }

    bool opened(const QString& leaf, std::size_t bins = 4, double outer = 28) {
        ks::tests::open_data(*window_, path(leaf));
        PartitionChoice rings = page().partitionForm().choice();
        rings.source = PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(4, outer, bins);
        page().partitionForm().setChoice(rings);
        const int rows = static_cast<int>(bins);
        return QTest::qWaitFor([&] { return page().bins().rowCount() == rows; }, 30000);
    }
    bool ran() {
        const int before = window_->runs().rowCount();
        window_->startRun();
        return QTest::qWaitFor(
            [&] { return window_->runs().rowCount() > before && !window_->queue().busy(); }, 120000);
    }
    /// The panel is visible and has the frames.
    bool hasFrames(qsizetype frames) {
        page().drawer().raise(&panel());
        return QTest::qWaitFor(
            [&] {
                const auto& series = panel().plot().series();
                return !series.isEmpty() && series.front().x.size() == frames;
            },
            60000);
    }
    /// Adds "/monitor" with a value for each of the 40 frames of a file.
    template <class Monitor>
    bool addMonitor(const QString& leaf, const Monitor& monitor) {
        const hid_t file = H5Fopen(path(leaf).toUtf8(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hsize_t frames = 40;
        const hid_t space = H5Screate_simple(1, &frames, nullptr);
        const hid_t data =
            H5Dcreate2(file, "/monitor", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        std::vector<double> values;
        for (std::size_t t = 0; t < frames; ++t) values.push_back(monitor(t));
        const bool written =
            H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
        H5Dclose(data);
        H5Sclose(space);
        H5Fclose(file);
        return written;
    }
    QPoint at(double frame) {
        figure().replot();  // it is laid out when it is drawn
        return {static_cast<int>(std::lround(figure().xAxis->coordToPixel(frame))),
                figure().mainRect().rect().center().y()};
    }
    void drag(double from, double to) {
        QTest::mousePress(&figure(), Qt::LeftButton, {}, at(from));
        for (int step = 1; step <= 4; ++step) QTest::mouseMove(&figure(), at(from + (to - from) * step / 4));
        QTest::mouseRelease(&figure(), Qt::LeftButton, {}, at(to));
    }
    /// g2 of a bin as the plot shows it, at each delay.
    QVector<double> shown(int bin) {
        for (const CurveSeries& one : page().curves().series())
            if (one.bin == bin) return one.y;
        return {};
    }
    /// g2 of a bin of a run from delay 1 on.
    static std::vector<double> of(const ks::Run& run, std::size_t bin) {
        const ks::Array& g2 = run.result.at("g2").values;
        const std::vector<double> all = g2.to_doubles();
        const std::size_t delays = g2.shape()[1];
        return {all.begin() + static_cast<std::ptrdiff_t>(bin * delays),
                all.begin() + static_cast<std::ptrdiff_t>((bin + 1) * delays)};
    }
    static bool alike(const QVector<double>& shown, const std::vector<double>& run) {
        const std::size_t left_off = run.size() - static_cast<std::size_t>(shown.size());
        for (qsizetype i = 0; i < shown.size(); ++i) {
            const double value = run[static_cast<std::size_t>(i) + left_off];
            if (std::isnan(value) != std::isnan(shown[i])) return false;
            if (!std::isnan(value) && std::abs(shown[i] - value) > 1e-9 * std::abs(value)) return false;
        }
        return !shown.isEmpty();
    }

  private slots:
    void initTestCase() { ks::tests::generate_xpcs(path("a.h5"), 80, 61, 71); }
    void init() { window_ = firstWindow({1280, 800}); }
    void cleanup() { window_.reset(); }

    void draggingLeavesFramesOutAndG2FollowsAtOnce() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        const QVector<double> before = shown(2);
        QSignalSpy previews(&window_->queue(), &RunQueue::previewReady);
        drag(20, 31);
        QCOMPARE(leaveOut(), QString("20-31"));
        QCOMPARE(panel().summary(), QString("12 of 80 frames left out: 20-31"));
        QVERIFY(shown(2) != before);
        QVERIFY(page().curves().note().contains("live"));
        QCOMPARE(previews.count(), qsizetype{0});  // no run of the worker was needed
        const QVector<double> live = shown(2);
        QVERIFY(ran());
        QVERIFY(alike(live, of(*newest().run, 1)));
        QCOMPARE(newest().run->result.facts["left_out_frames"].get<int>(), 12);
    }

    void withoutBinsOnlyTheReasonIsShown_data() {
        QTest::addColumn<bool>("stability");
        QTest::newRow("I(t)") << false;
        QTest::newRow("Stability") << true;
    }

    void withoutBinsOnlyTheReasonIsShown() {
        QFETCH(const bool, stability);
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        auto& tests = page().stability();
        page().drawer().raise(stability ? static_cast<QWidget*>(&tests) : &panel());
        const auto isComplete = [&] {
            return stability
                       ? tests.summary().contains("of 4 bins") && !tests.plot().series().isEmpty()
                       : panel().summary() == "all 80 frames used" && !panel().plot().series().isEmpty();
        };
        // Nothing but the reason, which is that of the header.
        const auto shows = [&](const QString& why) {
            const QString header = page().drawer().mark();
            if (!header.contains(why.left(1).toLower() + why.mid(1))) return false;
            if (stability)
                return tests.summary() == why && tests.plot().whyEmpty() == why &&
                       tests.plot().series().isEmpty() && tests.tests().count() == 0;
            return panel().summary().isEmpty() && panel().plot().whyEmpty() == why &&
                   panel().plot().series().isEmpty() && !panel().action("outliers")->isEnabled();
        };
        const auto chosen = [&](PartitionChoice::Source source) {
            PartitionChoice choice = page().partitionForm().choice();
            choice.source = source;
            page().partitionForm().setChoice(choice);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(), 60000);
        const auto turn = [&](const QString& name) {
            for (QToolButton* const one : window_->findChildren<QToolButton*>())
                if (one->accessibleName() == name) one->click();
        };
        turn("Turn all bins off");
        QTRY_VERIFY_WITH_TIMEOUT(shows("All bins are turned off"), 10000);
        turn("Turn all bins on");
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(), 60000);
        chosen(PartitionChoice::Drawn);
        QTRY_VERIFY_WITH_TIMEOUT(shows("No bin contains a pixel"), 10000);
        chosen(PartitionChoice::Rings);
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(), 60000);
        page().importLabels(path("gone.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(shows("No bins: define rings or choose a dataset with labels"), 10000);
    }

    void theMonitorIsDrawnBesideTheCounts() {
        const auto monitor = [](std::size_t t) { return 100.0 + static_cast<double>(t * 7 % 5); };
        ks::tests::generate_xpcs(path("monitor.h5"), 40, 61, 71);
        QVERIFY(addMonitor("monitor.h5", monitor));
        QVERIFY(opened("monitor.h5"));
        QVERIFY(hasFrames(40));
        QVERIFY(panel().plot().series().last().label != "monitor, scaled");
        window_->parameters().setValue("normalise", std::string("monitor=/monitor"));
        QTRY_COMPARE_WITH_TIMEOUT(
            panel().plot().series().isEmpty() ? QString() : panel().plot().series().last().label,
            QString("monitor, scaled"), 60000);
        const CurveSeries& counts = panel().plot().series().front();
        const CurveSeries& drawn = panel().plot().series().last();
        QCOMPARE(drawn.x, counts.x);
        const double mean = std::accumulate(counts.y.begin(), counts.y.end(), 0.0) / 40;
        for (qsizetype t = 0; t < 40; ++t)  // the mean of the monitor is 102
            QVERIFY(std::abs(drawn.y[t] - monitor(static_cast<std::size_t>(t)) / 102 * mean) < 1e-9 * mean);
    }

    void leftOutFramesAreNoValuesThatCannotBeDrawn() {
        ks::tests::generate_xpcs(path("monitor.h5"), 40, 61, 71);
        QVERIFY(addMonitor("monitor.h5",
                           [](std::size_t t) { return t == 9 ? 0.0 : 100.0 + static_cast<double>(t); }));
        QVERIFY(opened("monitor.h5"));
        QVERIFY(hasFrames(40));
        window_->parameters().setValue("leave_out", std::string("9,20"));
        window_->parameters().setValue("normalise", std::string("monitor=/monitor"));
        QTRY_COMPARE_WITH_TIMEOUT(
            panel().plot().series().isEmpty() ? QString() : panel().plot().series().last().label,
            QString("monitor, scaled"), 60000);
        QCOMPARE(panel().plot().figure().content().undrawn(), QString());
    }

    void framesThatTheRunSkipsDoNotMatter() {
        ks::tests::generate_xpcs(path("skipped.h5"), 40, 61, 71);
        QVERIFY(addMonitor("skipped.h5", [](std::size_t t) { return t % 2 == 0 ? 100.0 : 0.0; }));
        QVERIFY(opened("skipped.h5"));
        auto values = window_->parameters().values();
        values["normalise"] = std::string("monitor=/monitor");
        window_->parameters().setValues(values);
        page().drawer().raise(&panel());
        const auto why = [this] { return panel().plot().whyEmpty(); };
        QTRY_VERIFY2_WITH_TIMEOUT(why().contains("not above 0"), qPrintable(why()), 60000);
        values["stride"] = std::int64_t{2};
        window_->parameters().setValues(values);
        QVERIFY2(hasFrames(40), qPrintable(why()));
        const QVector<double>& counts = panel().plot().series().front().y;
        for (qsizetype t = 0; t < 40; ++t) QCOMPARE(std::isfinite(counts[t]), t % 2 == 0);
        QVERIFY(ran());
        QCOMPARE(newest().run->result.at("monitor").values.to_doubles(), std::vector<double>(20, 1.0));
    }

    void outliersAreThoseAmongTheFramesThatTheRunUses() {
        ks::tests::generate_xpcs(path("beat.h5"), 40, 61, 71);
        // Every second frame has 5 times the counts, which makes the others no outliers of their own.
        const auto bright = [](std::size_t t) { return t % 2 == 1 || t == 20 ? 1.0 : 5.0; };
        QVERIFY(addMonitor("beat.h5", bright));
        QVERIFY(opened("beat.h5"));
        auto values = window_->parameters().values();
        values["normalise"] = std::string("monitor=/monitor");
        values["stride"] = std::int64_t{2};
        window_->parameters().setValues(values);
        QVERIFY(hasFrames(40));
        QTRY_VERIFY_WITH_TIMEOUT(panel().plot().series().last().label == "monitor, scaled", 60000);
        panel().action("outliers")->trigger();
        QCOMPARE(leaveOut(), QString("20"));
    }

    void framesAreTakenBackAndEdgesMove() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        drag(10, 29);
        QCOMPARE(leaveOut(), QString("10-29"));
        panel().action("takeBack")->trigger();
        drag(15, 17);
        QCOMPARE(leaveOut(), QString("10-14,18-29"));
        drag(29.5, 39.5);  // the upper edge of the second range
        QCOMPARE(leaveOut(), QString("10-14,18-39"));
        drag(17.5, 11.5);  // its lower edge over the first range
        QCOMPARE(leaveOut(), QString("10-39"));
        QTest::mouseClick(&figure(), Qt::LeftButton, {}, at(20));
        QCOMPARE(leaveOut(), QString("10-19,21-39"));
        panel().action("useAll")->trigger();
        QCOMPARE(leaveOut(), QString("none"));
        QCOMPARE(panel().summary(), QString("all 80 frames used"));
        panel().action("outliers")->trigger();
        panel().action("outliers")->trigger();
        QCOMPARE(panel().summary(), QString("no outliers found; all 80 frames used"));
        panel().action("leaveOut")->trigger();
        drag(0, 79);
        QVERIFY2(panel().summary().startsWith("not all frames can be left out; "),
                 qPrintable(panel().summary()));
        panel().action("useAll")->trigger();
        QCOMPARE(panel().summary(), QString("all 80 frames used"));
    }

    void aTypedListIsShadedAndUndoTakesADragBack() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        auto* field = qobject_cast<QLineEdit*>(window_->parameters().field("leave_out"));
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, "3,7-9");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(panel().summary(), QString("4 of 80 frames left out: 3,7-9"));
        QTest::qWait(static_cast<int>(History::mergeMs) + 200);
        drag(40, 44);
        QCOMPARE(leaveOut(), QString("3,7-9,40-44"));
        window_->action("undo")->trigger();
        QCOMPARE(leaveOut(), QString("3,7-9"));
        QCOMPARE(panel().summary(), QString("4 of 80 frames left out: 3,7-9"));
    }

    void aHalfTypedListShadesNothing() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        auto* field = qobject_cast<QLineEdit*>(window_->parameters().field("leave_out"));
        QVERIFY(field);
        field->selectAll();
        const auto shaded = [this] { return std::ranges::count(panel().leftOut(), true); };
        for (const auto& [key, frames] : {std::pair("1", 1), {"0", 1}, {"-", 0}, {"2", 0}, {"0", 11}}) {
            QTest::keyClicks(field, key);
            QVERIFY2(shaded() == frames, qPrintable(field->text()));
            QCOMPARE(panel().isUnclear(), frames == 0);
            if (frames == 0) QCOMPARE(panel().summary(), QString());
        }
        QCOMPARE(panel().summary(), QString("11 of 80 frames left out: 10-20"));
        // What is dragged takes the place of what is no list.
        QTest::keyClicks(field, "-");
        QVERIFY(panel().isUnclear());
        drag(30, 31);
        QCOMPARE(leaveOut(), QString("30-31"));
        QCOMPARE(panel().summary(), QString("2 of 80 frames left out: 30-31"));
        QTest::keyClicks(field, "-");
        panel().action("useAll")->trigger();
        QCOMPARE(leaveOut(), QString("none"));
    }

    void framesAreThoseOfTheFileWhereARunAveragesThem() {
        QVERIFY(opened("a.h5"));
        auto values = window_->parameters().values();
        values["stride"] = std::int64_t{2};
        values["average"] = std::int64_t{3};
        values["first_frame"] = std::int64_t{8};
        window_->parameters().setValues(values);
        QVERIFY(hasFrames(72));
        QCOMPARE(panel().plot().series().front().x.front(), 8.0);
        drag(20, 31);
        QCOMPARE(leaveOut(), QString("20-31"));
        QCOMPARE(panel().summary(), QString("12 of 72 frames left out: 20-31"));
        QVERIFY(ran());
        QCOMPARE(newest().run->result.at("delay").values.size(), std::size_t{12});
        QCOMPARE(QString::fromStdString(ks::text(newest().run->request.parameters, "leave_out")),
                 QString("20-31"));
        // 8, 10, 12 are averaged, then 14, 16, 18 and so on: the sums of 20 to 30 are left out.
        QCOMPARE(
            QString::fromStdString(newest().run->result.facts.at("left_out_of_series").get<std::string>()),
            QString("2-3"));
    }

    void framesLeftOutOutsideTheRangeStayNamed() {
        QVERIFY(opened("a.h5"));
        window_->parameters().setValues(
            {{"leave_out", std::string("3,70-75")}, {"last_frame", ks::ParameterValue(std::int64_t{59})}});
        QVERIFY(ran());
        QVERIFY(hasFrames(60));
        drag(20, 31);
        QCOMPARE(leaveOut(), QString("3,20-31,70-75"));
        QCOMPARE(panel().summary(), QString("13 of 60 frames left out: 3,20-31"));
        panel().action("useAll")->trigger();
        QCOMPARE(leaveOut(), QString("70-75"));
    }

    void withoutLiveNothingFollowsButTheRunIsOutdated() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        window_->action("live")->setChecked(false);
        const QVector<double> before = shown(2);
        drag(20, 31);
        QCOMPARE(leaveOut(), QString("20-31"));
        QCOMPARE(shown(2), before);
        QVERIFY2(page().drawer().mark().contains("outdated"), qPrintable(page().drawer().mark()));
    }

    void otherBinsGetOtherSums() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        const QVector<double> before = panel().plot().series().front().y;
        PartitionChoice rings = page().partitionForm().choice();
        rings.recipe.radial = ks::linear_levels(10, 20, 2);
        page().partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(
            !panel().plot().series().isEmpty() && panel().plot().series().front().y != before, 60000);
        drag(20, 31);
        const QVector<double> live = shown(2);
        QVERIFY(ran());
        QVERIFY(alike(live, of(*newest().run, 1)));
    }

    void whileTheTabIsHiddenOtherBinsAskForNothing() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        page().drawer().raise(&page().profile());
        PartitionChoice rings = page().partitionForm().choice();
        rings.recipe.radial = ks::linear_levels(10, 20, 2);
        page().partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty() && page().bins().rowCount() == 2, 30000);
        QTest::qWait(800);
        QVERIFY(panel().plot().series().isEmpty());
        QVERIFY(hasFrames(80));
    }

    void theMapOfThePickedBinFollows() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(hasFrames(80));
        drag(20, 31);
        page().pickBin(3);
        page().drawer().raise(&page().twoTimePanel());
        QTRY_COMPARE(page().twoTime().title(), QString("two-time, bin 3, live"));
        const MapData& map = page().twoTime().map();
        QVERIFY(std::isnan(map.values[25 * 80 + 40]));
        QVERIFY(!std::isnan(map.values[35 * 80 + 40]));
    }

    void aDragOver500FramesAnd15BinsFollows() {
        ks::tests::generate_xpcs(path("seed.h5"), 500, 201, 241);
        QVERIFY(opened("seed.h5", 15, 98));
        QVERIFY(ran());
        QVERIFY(hasFrames(500));
        const QPoint start = at(100);
        QVector<QPoint> places;
        for (int frame = 104; frame < 300; frame += 4) places << at(frame);
        QTest::mousePress(&figure(), Qt::LeftButton, {}, start);
        auto& curves = const_cast<CurveFigure&>(page().curves().figure());
        const auto taken = [](auto&& act) {
            QElapsedTimer watch;
            watch.start();
            act();
            return static_cast<double>(watch.nsecsElapsed()) / 1e6;
        };
        std::vector<double> steps, drawings;
        for (const QPoint& place : places) {
            steps.push_back(taken([&] {
                QTest::mouseMove(&figure(), place);
                QCoreApplication::processEvents();  // the curves are drawn
            }));
            drawings.push_back(taken([&] {
                figure().replot(QCustomPlot::rpImmediateRefresh);
                curves.replot(QCustomPlot::rpImmediateRefresh);
            }));
        }
        QTest::mouseRelease(&figure(), Qt::LeftButton, {}, places.back());
        QVERIFY2(!leaveOut().contains("none"), qPrintable(leaveOut()));
        std::ranges::sort(steps);
        std::ranges::sort(drawings);
        const auto quartile = [](const std::vector<double>& sorted, std::size_t which) {
            return sorted[which * sorted.size() / 4];
        };
        const QString took =
            QString("a step of a drag took %1 ms (quartiles %2 and %3), drawing both plots %4")
                .arg(quartile(steps, 2), 0, 'f', 1)
                .arg(quartile(steps, 1), 0, 'f', 1)
                .arg(quartile(steps, 3), 0, 'f', 1)
                .arg(quartile(drawings, 2), 0, 'f', 1);
        qInfo("%s", qPrintable(took));
        // How fast the machine is and what else runs on it concerns both. A run of the worker takes 15
        // drawings.
        QVERIFY2(quartile(steps, 2) < 6 * quartile(drawings, 2), qPrintable(took));
    }
};

QTEST_MAIN(FramesPanelTest)
#include "tst_frames_panel.moc"
