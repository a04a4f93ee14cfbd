#include <QtTest>
#include <set>

#include "core/base/error.h"
#include "tests/ui/clusters/made_digis.h"
#include "tests/ui/clusters/made_trace.h"
#include "ui/clusters/modules/map_scene.h"
#include "ui/clusters/steps/step_trace.h"

using namespace ks::ui::clusters;

class StepTraceTest : public QObject {
    Q_OBJECT
  private slots:
    void placesRowsAndStatesAreThoseOfTheRun() {
        const StepTrace trace(barTrace());
        QCOMPARE(trace.slot(), std::size_t{0});
        QCOMPARE(trace.size(), std::size_t{3});
        QCOMPARE(trace.rounds(), std::size_t{2});
        QCOMPARE(trace.row(0), std::int64_t{2});
        QCOMPARE(trace.placeOf(0), 1);
        QCOMPARE(trace.placeOf(7), -1);
        QCOMPARE(trace.changed(0).size(), std::size_t{0});
        QCOMPARE(trace.changed(1), (std::vector<std::uint32_t>{0, 2}));
        QCOMPARE(trace.changed(2), (std::vector<std::uint32_t>{}));
        QCOMPARE(trace.columns(), std::size_t{5});
        QCOMPARE(trace.inColumn(3), 3u);
        QCOMPARE(trace.inColumn(4), 0u);
    }

    void earlierNeighboursAreThoseThatNameTheDigi() {
        const StepTrace trace(barTrace());
        QCOMPARE(trace.neighbours(0), (std::vector<std::uint32_t>{1}));
        QCOMPARE(trace.neighbours(1), (std::vector<std::uint32_t>{0, 2}));
        QCOMPARE(trace.neighbours(2), (std::vector<std::uint32_t>{1}));
    }

    void depthsCountTheParentsAbove() {
        const StepTrace trace(barTrace());
        QCOMPARE(trace.depths(0), (std::vector<std::uint32_t>{0, 0, 0}));
        QCOMPARE(trace.depths(1), (std::vector<std::uint32_t>{1, 0, 2}));
    }

    void aCircleAndPlacesThatAreNoneAreRefused() {
        auto circle = barTrace();
        circle->result.datasets.back().values.as<std::int32_t>()[4] =
            2;  // 1 under 2, which is under 0, under 1
        QVERIFY_EXCEPTION_THROWN(StepTrace(circle).depths(1), ks::Error);
        auto outside = barTrace();
        outside->result.datasets.back().values.as<std::int32_t>()[0] = 3;
        QVERIFY_EXCEPTION_THROWN(StepTrace{outside}, ks::Error);
    }

    void aSceneOfARoundPaintsLabelsAndMarksWhatChanged() {
        const auto digis = digiSet({{0, 6, 3, 1}, {0, 7, 3, 1}, {0, 5, 3, 1}, {0, 20, 20, 1}});
        const auto data = std::make_shared<const ModuleViewData>(moduleViewData(*digis, nullptr, 0));
        const StepTrace trace(barTrace());
        const auto colours = [&](std::size_t round) {
            const MapScene scene = roundScene(data, trace, round, false);
            std::set<QRgb> seen;
            for (const int x : {5, 6, 7}) seen.insert(scene.colours[*data->at(x, 3)]);
            return seen.size();
        };
        QCOMPARE(colours(0), std::size_t{3});
        QCOMPARE(colours(1), std::size_t{1});
        const MapScene scene = roundScene(data, trace, 1, false);
        QCOMPARE(scene.marked.size(), std::size_t{2});
        QCOMPARE(scene.text(*data->at(7, 3)), QString("0"));  // the label as a row
        QVERIFY(scene.text(*data->at(20, 20)).isEmpty());     // took no part
        const MapScene trees = treeScene(data, trace, 1, ks::ui::ColourMap(), false);
        QCOMPARE(trees.arrows.size(), std::size_t{2});
    }
};

QTEST_MAIN(StepTraceTest)
#include "tst_step_trace.moc"
