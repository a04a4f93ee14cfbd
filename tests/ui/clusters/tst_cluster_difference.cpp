#include <QtTest>
#include <map>
#include <random>
#include <set>

#include "core/base/error.h"
#include "tests/ui/clusters/made_digis.h"
#include "ui/clusters/cluster_difference.h"

using namespace ks::ui::clusters;

class ClusterDifferenceTest : public QObject {
    Q_OBJECT
    static DifferenceOfRuns between(const std::shared_ptr<const DigiSet>& digis,
                                    const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
        return differenceOf(RunClusters(labelledRun(*digis, a), 1, digis),
                            RunClusters(labelledRun(*digis, b), 2, digis));
    }

  private slots:
    void thePairAtACornerIsSplitAndMergedTheOtherWayRound() {
        const auto digis = digiSet(someDigis());
        const DifferenceOfRuns split = between(digis, someLabels(), fourLabels());
        QCOMPARE(split.all.size(), std::size_t{1});
        QCOMPARE(split.same, std::size_t{4});
        QCOMPARE(split.all[0].kind, DifferenceKind::split);
        QCOMPARE(split.all[0].slot, static_cast<std::uint32_t>(*digis->slotOf(0, 3)));
        QCOMPARE(split.all[0].b.size(), std::size_t{2});
        QCOMPARE(split.all[0].x, 31.0);
        QCOMPARE(split.all[0].y, 61.0);
        const DifferenceOfRuns merged = between(digis, fourLabels(), someLabels());
        QCOMPARE(merged.count(DifferenceKind::merged), std::size_t{1});
        QCOMPARE(merged.all[0].digis, 2u);
    }

    void missingAddedAndChangedAreTold() {
        const auto digis = digiSet(someDigis());
        auto cut = someLabels();
        cut[8] = ks::clusters::label_cut;
        QCOMPARE(between(digis, someLabels(), cut).all[0].kind, DifferenceKind::missing);
        QCOMPARE(between(digis, cut, someLabels()).all[0].kind, DifferenceKind::added);
        auto smaller = someLabels();
        smaller[4] = ks::clusters::label_duplicate;
        QCOMPARE(between(digis, someLabels(), smaller).all[0].kind, DifferenceKind::changed);
        QVERIFY(between(digis, someLabels(), someLabels()).all.empty());
    }

    void runsOfOtherDigisAreRefused() {
        const auto digis = digiSet(someDigis()), fewer = digiSet({{0, 1, 1, 1}});
        const RunClusters a(labelledRun(*digis, someLabels()), 1, digis),
            b(labelledRun(*fewer, {0}), 2, fewer);
        QVERIFY_EXCEPTION_THROWN(differenceOf(a, b), ks::Error);
    }

    // Against sets of rows, compared in the open.
    void randomLabelsAgreeWithSetsOfRows() {
        std::mt19937 random(11);
        for (int round = 0; round < 40; ++round) {
            std::vector<MadeDigi> made;
            for (std::uint16_t i = 0; i < 30; ++i) made.push_back({i / 10u, i, i, 1});
            const auto digis = digiSet(made);
            const auto labels = [&] {
                std::vector<std::int32_t> some(made.size());
                for (std::size_t i = 0; i < some.size(); ++i) {
                    const std::size_t first = i / 10 * 10;
                    // Joins a cluster of its module that names itself, or makes one, or is cut.
                    some[i] = static_cast<std::int32_t>(i);
                    if (random() % 8 == 0) some[i] = ks::clusters::label_cut;
                    if (random() % 2 == 0 || i == first) continue;
                    const std::size_t other = first + random() % (i - first);
                    if (some[other] == static_cast<std::int32_t>(other)) some[i] = some[other];
                }
                return some;
            };
            const auto a = labels(), b = labels();
            std::map<std::int32_t, std::set<std::size_t>> setsA, setsB;
            for (std::size_t i = 0; i < a.size(); ++i) {
                if (a[i] >= 0) setsA[a[i]].insert(i);
                if (b[i] >= 0) setsB[b[i]].insert(i);
            }
            std::size_t same = 0, missing = 0, added = 0;
            const auto touches = [](const std::set<std::size_t>& one, const auto& others) {
                for (const auto& [label, rows] : others)
                    for (const std::size_t row : rows)
                        if (one.contains(row)) return true;
                return false;
            };
            for (const auto& [label, rows] : setsA) {
                for (const auto& [other, otherRows] : setsB) same += rows == otherRows;
                missing += !touches(rows, setsB);
            }
            for (const auto& [label, rows] : setsB) added += !touches(rows, setsA);
            const DifferenceOfRuns found = between(digis, a, b);
            QCOMPARE(found.same, same);
            QCOMPARE(found.count(DifferenceKind::missing), missing);
            QCOMPARE(found.count(DifferenceKind::added), added);
            std::size_t clustersA = same, clustersB = same;
            for (const ClusterDifference& one : found.all) {
                clustersA += one.a.size();
                clustersB += one.b.size();
            }
            QCOMPARE(clustersA, setsA.size());
            QCOMPARE(clustersB, setsB.size());
        }
    }
};

QTEST_MAIN(ClusterDifferenceTest)
#include "tst_cluster_difference.moc"
