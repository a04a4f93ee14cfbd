#include <QtTest>
#include <algorithm>
#include <random>
#include <set>

#include "tests/ui/clusters/made_digis.h"
#include "ui/clusters/digi_colours.h"
#include "ui/clusters/modules/module_view_data.h"
#include "ui/clusters/run_clusters.h"

using namespace ks::ui::clusters;

class ModuleViewDataTest : public QObject {
    Q_OBJECT
    /// Unit edges, as (x, y, upright).
    using Edges = std::multiset<std::tuple<int, int, bool>>;

    static Edges unitEdges(const std::vector<QLineF>& lines) {
        Edges edges;
        for (const QLineF& line : lines) {
            const bool upright = line.x1() == line.x2();
            const int from =
                static_cast<int>(upright ? std::min(line.y1(), line.y2()) : std::min(line.x1(), line.x2()));
            const int to =
                static_cast<int>(upright ? std::max(line.y1(), line.y2()) : std::max(line.x1(), line.x2()));
            for (int at = from; at < to; ++at)
                edges.emplace(upright ? static_cast<int>(line.x1()) : at,
                              upright ? at : static_cast<int>(line.y1()), upright);
        }
        return edges;
    }

  private slots:
    void digisOfASlotAreFoundByPixelAndByRow() {
        const auto digis = digiSet(someDigis());
        const RunClusters run(labelledRun(*digis, someLabels()), 4, digis);
        const std::size_t slot = *digis->slotOf(0, 3);
        const ModuleViewData data = moduleViewData(*digis, &run, slot);
        QCOMPARE(data.digis.size(), std::size_t{6});
        QCOMPARE(data.clusters.size(), std::size_t{3});
        QCOMPARE(data.run, 4);
        const auto digi = data.at(11, 20);
        QVERIFY(digi);
        QCOMPARE(data.digis[*digi].row, 2u);
        QCOMPARE(data.digis[*digi].adc, 200u);
        QCOMPARE(data.clusters[data.clusterOf[*digi]].label, 0);
        QCOMPARE(run.clusters()[data.inTable[data.clusterOf[*digi]]].size, 3u);
        QVERIFY(!data.at(11, 21) && !data.at(-1, 20));
        QCOMPARE(data.ofRow(2), digi);
        QVERIFY(!data.ofRow(1));  // of another module
    }

    void eventsAndModulesHaveTheirSlots() {
        const auto digis = digiSet(someDigis());
        QCOMPARE(digis->events(), std::size_t{2});
        QCOMPARE(digis->number(1), 1u);
        QCOMPARE(digis->rows(*digis->slotOf(1, 3)).size(), std::size_t{2});
        QVERIFY(!digis->slotOf(1, 7));
        QCOMPARE(digis->charge(*digis->slotOf(0, 7)), std::uint64_t{4000});
        QCOMPARE(digis->fullest(0), *digis->slotOf(0, 3));
        QCOMPARE(digis->eventOf(*digis->slotOf(1, 3)), std::size_t{1});
    }

    void severalDigisOfAPixelAreCounted() {
        const auto digis = digiSet({{0, 5, 5, 1}, {0, 6, 5, 2}, {0, 5, 5, 3}, {0, 5, 6, 4}});
        const ModuleViewData data = moduleViewData(*digis, nullptr, 0);
        QCOMPARE(data.copiesAt(*data.at(5, 5)), std::size_t{2});
        QCOMPARE(data.copiesAt(*data.at(6, 5)), std::size_t{1});
        QCOMPARE(data.digis[*data.at(5, 5)].row, 0u);
    }

    void outlinesAreTheEdgesBetweenGroupsCountedPixelByPixel() {
        std::mt19937 random(3);
        std::vector<MadeDigi> made;
        std::vector<std::vector<int>> grid(14, std::vector<int>(11, -1));
        for (std::uint16_t y = 1; y < 13; ++y)
            for (std::uint16_t x = 1; x < 10; ++x)
                if (random() % 3 != 0) made.push_back({0, x, y, 1});
        std::shuffle(made.begin(), made.end(), random);
        const auto digis = digiSet(made);
        const ModuleViewData data = moduleViewData(*digis, nullptr, 0);
        std::vector<std::uint32_t> group;
        for (const auto& digi : data.digis) {
            const std::uint32_t one = random() % 4;
            group.push_back(one == 3 ? ModuleViewData::noCluster : one);
            grid[digi.y][digi.x] = one == 3 ? -1 : static_cast<int>(one);
        }
        Edges expected;
        for (int y = 1; y < 13; ++y)
            for (int x = 1; x < 10; ++x) {
                const auto at = [&](int i, int j) {
                    return grid[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
                };
                if (at(x, y) < 0) continue;
                if (at(x, y - 1) != at(x, y)) expected.emplace(x, y, false);
                if (at(x, y + 1) != at(x, y)) expected.emplace(x, y + 1, false);
                if (at(x - 1, y) != at(x, y)) expected.emplace(x, y, true);
                if (at(x + 1, y) != at(x, y)) expected.emplace(x + 1, y, true);
            }
        QCOMPARE(unitEdges(outlines(data, group)), expected);
    }

    void aLongEdgeIsOneLine() {
        std::vector<MadeDigi> bar;
        for (std::uint16_t x = 3; x < 40; ++x) bar.push_back({0, x, 7, 1});
        const auto digis = digiSet(bar);
        const ModuleViewData data = moduleViewData(*digis, nullptr, 0);
        QCOMPARE(outlines(data, std::vector<std::uint32_t>(bar.size(), 0)).size(), std::size_t{4});
    }

    void theOutlineOfOneClusterIsItsPartOfAll() {
        const auto digis = digiSet(someDigis());
        const RunClusters run(labelledRun(*digis, someLabels()), 1, digis);
        const ModuleViewData data = moduleViewData(*digis, &run, *digis->slotOf(0, 3));
        Edges together;
        for (std::size_t cluster = 0; cluster < data.clusters.size(); ++cluster)
            together.merge(unitEdges(outlineOf(data, cluster)));
        QCOMPARE(together, unitEdges(outlines(data, data.clusterOf)));
    }

    void coloursTellStatusAndCluster() {
        const auto digis =
            digiSet({{0, 1, 1, 1}, {0, 2, 1, 1}, {0, 9, 9, 1}, {0, 20, 20, 1}, {0, 20, 20, 2}});
        const RunClusters run(
            labelledRun(*digis, {0, 0, ks::clusters::label_cut, ks::clusters::label_duplicate,
                                 ks::clusters::label_duplicate}),
            1, digis);
        const ModuleViewData data = moduleViewData(*digis, &run, 0);
        const auto status = coloursByStatus(data, false);
        const auto of = [&](int x, int y) { return status[*data.at(x, y)]; };
        QCOMPARE(of(1, 1), of(2, 1));
        const std::set<QRgb> kinds{of(1, 1), of(9, 9), of(20, 20)};
        QCOMPARE(kinds.size(), std::size_t{3});
        QCOMPARE(statusOf(data.digis[*data.at(20, 20)]), DigiStatus::duplicate);
        const auto clusters = coloursByCluster(data, false);
        QCOMPARE(clusters[*data.at(9, 9)], idleColour(false));
        QVERIFY(clusters[*data.at(1, 1)] != idleColour(false));
    }
};

QTEST_MAIN(ModuleViewDataTest)
#include "tst_module_view_data.moc"
