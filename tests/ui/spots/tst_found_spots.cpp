#include <QtTest>

#include "core/base/error.h"
#include "tests/ui/spots/made_runs.h"
#include "ui/spots/found_spots.h"

using ks::spots::Dropped;
using ks::spots::Spot;
using ks::ui::spots::FoundSpots;

class FoundSpotsTest : public QObject {
    Q_OBJECT
    static FoundSpots threeSpots() {
        // A large spot on frames 0 and 1, a small one within it on frame 1, one that is not kept on frame 2.
        std::vector<Spot> spots{boxSpot(10, 10, 20, 0, 2, 1), boxSpot(15, 15, 3, 1, 2, 1),
                                boxSpot(50, 5, 4, 2, 3, 2)};
        spots[2].dropped = Dropped::too_small;
        return {madeRun("made", 40, 60, 7, spots, signalsOf(spots, 3, 60)), 4};
    }
    static std::vector<std::uint32_t> list(std::span<const std::uint32_t> values) {
        return {values.begin(), values.end()};
    }
    static QString refusal(ks::Run& run) {
        try {
            FoundSpots(std::make_shared<const ks::Run>(run), 1);
        } catch (const ks::Error& error) {
            return error.what();
        }
        return {};
    }

  private slots:
    void framesAreThoseOfTheFile() {
        const FoundSpots found = threeSpots();
        QVERIFY(!found.covers(6) && found.covers(7) && found.covers(9) && !found.covers(10));
        QCOMPARE(list(found.on(7)), (std::vector<std::uint32_t>{0}));
        QCOMPARE(list(found.on(8)), (std::vector<std::uint32_t>{0, 1}));
        QCOMPARE(list(found.on(9)), (std::vector<std::uint32_t>{2}));
        QVERIFY(found.on(6).empty() && found.on(10).empty() && found.signal(10).empty());
        QCOMPARE(found.signal(9).size(), std::size_t{16});
        QCOMPARE(found.signal(9).front(), std::uint32_t{5 * 60 + 50});
        QCOMPARE(found.peakFrame(2), 9);
        QCOMPARE(found.keptOn(8), std::size_t{2});
        QCOMPARE(found.keptOn(9), std::size_t{0});
    }

    void theSmallestBoxBelowThePointIsTheSpotMeant() {
        const FoundSpots found = threeSpots();
        QCOMPARE(found.at(8, {16, 16}, 1, false), std::optional<std::size_t>(1));
        QCOMPARE(found.at(7, {16, 16}, 1, false), std::optional<std::size_t>(0));
        QCOMPARE(found.at(8, {12, 12}, 1, false), std::optional<std::size_t>(0));
        QCOMPARE(found.at(8, {40, 30}, 3, false), std::nullopt);
        // Outside of every box, a centroid within reach: (52, 7).
        QCOMPARE(found.at(9, {49, 7}, 4, true), std::optional<std::size_t>(2));
        QCOMPARE(found.at(9, {49, 7}, 2, true), std::nullopt);
        QCOMPARE(found.at(9, {52, 7}, 4, false), std::nullopt);
    }

    void framesThatWereNotSearchedSayWhy() {
        std::vector<Spot> none;
        auto run = std::make_shared<ks::Run>(*madeRun("made", 40, 60, 7, none, signalsOf(none, 5, 60)));
        for (ks::Dataset& dataset : run->result.datasets)
            if (dataset.name == "frame_missing")
                dataset.values = ks::Array::of<std::uint8_t>({5}, std::vector<std::uint8_t>{0, 1, 2, 3, 4});
        const FoundSpots found(run, 4);
        QCOMPARE(found.whyNotSearched(7), QString());
        QCOMPARE(found.whyNotSearched(8), QStringLiteral("missing"));
        QCOMPARE(found.whyNotSearched(9), QStringLiteral("damaged"));
        QCOMPARE(found.whyNotSearched(10), QStringLiteral("left out"));
        QCOMPARE(found.whyNotSearched(11), QStringLiteral("no valid pixel"));
        QCOMPARE(found.whyNotSearched(12), QString());
    }

    void whatIsNoWholeResultIsRefused() {
        const FoundSpots found = threeSpots();
        ks::Run run = *found.run();
        std::erase_if(run.result.datasets, [](const ks::Dataset& one) { return one.name == "peak_z"; });
        QVERIFY2(refusal(run).contains("peak_z"), qPrintable(refusal(run)));
        run = *found.run();
        std::erase_if(run.result.datasets, [](const ks::Dataset& one) { return one.name == "signal_pixel"; });
        QVERIFY2(refusal(run).contains("signal_pixel"), qPrintable(refusal(run)));
        run = *found.run();
        for (ks::Dataset& one : run.result.datasets)
            if (one.name == "signal_offset")
                one.values = ks::Array::of<std::uint64_t>({0}, std::vector<std::uint64_t>{});
        QVERIFY2(refusal(run).contains("signal_offset"), qPrintable(refusal(run)));
        run = *found.run();
        for (ks::Dataset& one : run.result.datasets)
            if (one.name == "signal_offset") one.values.as<std::uint64_t>()[1] = 1'000'000;
        QVERIFY2(refusal(run).contains("signal_offset"), qPrintable(refusal(run)));
        // Boxes beyond the frames are cut, not followed.
        Spot far = boxSpot(1, 1, 3, 0, 5, 0);
        far.z1 = 4'000'000'000u;
        const FoundSpots cut(madeRun("made", 40, 60, 0, {far}, Signals(2)), 1);
        QCOMPARE(list(cut.on(1)), (std::vector<std::uint32_t>{0}));
    }

    void differencesAreCountedOnFramesThatBothHold() {
        const Signals a{{1, 5, 9}, {2}, {3, 4}}, b{{2, 7}, {4, 8, 9}};
        const FoundSpots first(madeRun("made", 10, 10, 0, {}, a), 1),
            second(madeRun("made", 10, 10, 1, {}, b), 2);
        const auto here = ks::ui::spots::difference(first.signal(2), second.signal(2));
        QCOMPARE(here.onlyA, (std::vector<std::uint32_t>{3}));
        QCOMPARE(here.onlyB, (std::vector<std::uint32_t>{8, 9}));
        QCOMPARE(here.both, (std::vector<std::uint32_t>{4}));
        const auto all = ks::ui::spots::countDifference(first, second);
        QCOMPARE(all.frames, 2);  // 1 and 2
        QCOMPARE(all.onlyA, std::size_t{1});
        QCOMPARE(all.onlyB, std::size_t{3});
        QCOMPARE(all.both, std::size_t{2});
    }

    void aFrameThatARunLeftOutIsNoDifference() {
        const Signals a{{1, 5, 9}, {2, 6}, {3, 4}}, b{{1, 5}, {}, {3, 4}};
        const FoundSpots first(madeRun("made", 10, 10, 0, {}, a), 1);
        const auto whole = madeRun("made", 10, 10, 0, {}, b);
        ks::Run other = *whole;
        for (ks::Dataset& one : other.result.datasets)
            if (one.name == "frame_missing") one.values.as<std::uint8_t>()[1] = 3;  // left out
        const FoundSpots second(std::make_shared<const ks::Run>(std::move(other)), 2);
        QVERIFY(!ks::ui::spots::areCompared(first, second, 1));
        const auto counts = ks::ui::spots::countDifference(first, second);
        QCOMPARE(counts.frames, 2);
        QCOMPARE(counts.onlyA, std::size_t{1});  // pixel 9 of frame 0, not the two of frame 1
        QCOMPARE(counts.onlyB, std::size_t{0});
        QCOMPARE(counts.both, std::size_t{4});
    }
};

QTEST_MAIN(FoundSpotsTest)
#include "tst_found_spots.moc"
