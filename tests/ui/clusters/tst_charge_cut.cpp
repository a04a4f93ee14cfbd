#include <QtTest>

#include "core/base/error.h"
#include "ui/clusters/charge_cut.h"

using ks::clusters::layout_named;
using ks::ui::clusters::ChargeCut;
using ks::ui::clusters::roundedCharge;

class ChargeCutTest : public QObject {
    Q_OBJECT
  private slots:
    void layersWithTheSameCutAreOneGroup() {
        const ChargeCut cut("2000,4000", layout_named("phase1"));
        const auto groups = cut.groups();
        QCOMPARE(groups.size(), std::size_t{2});
        QCOMPARE(groups[0].cut, 2000u);
        QCOMPARE(cut.name(groups[0]), QString("BL1"));
        QCOMPARE(groups[1].layers.size(), std::size_t{9});
        QCOMPARE(cut.name(groups[1]), QString("BL2 to E-3"));
        QCOMPARE(ChargeCut("layout", layout_named("phase1")).text(), std::string("2000,4000"));
    }

    void aMovedGroupGivesTheShortestText() {
        ChargeCut cut("off", layout_named("phase1"));
        QVERIFY(cut.off());
        QCOMPARE(cut.name(cut.groups()[0]), QString("all layers"));
        cut.set(cut.groups()[0].layers, 3000);
        QCOMPARE(cut.text(), std::string("3000"));
        cut.set({0}, 1500);
        QCOMPARE(cut.text(), std::string("1500,3000"));
        cut.set({4}, 700);
        QCOMPARE(cut.text(), std::string("1500,3000,3000,3000,700,3000,3000,3000,3000,3000"));
        // What was written is read as the same.
        QCOMPARE(ChargeCut(cut.text(), layout_named("phase1")).ofLayer(4), 700u);
        cut.set({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0);
        QCOMPARE(cut.text(), std::string("off"));
        QCOMPARE(ChargeCut("12", layout_named("free")).text(), std::string("12"));
    }

    void wordsThatAreNoCutAreRefused() {
        QVERIFY_EXCEPTION_THROWN(ChargeCut("many", layout_named("phase1")), ks::Error);
    }

    void aHandAimsAtThreeDigits() {
        QCOMPARE(roundedCharge(123456), 123000u);
        QCOMPARE(roundedCharge(99.6), 100u);
        QCOMPARE(roundedCharge(0.4), 0u);
        QCOMPARE(roundedCharge(-5), 0u);
    }
};

QTEST_MAIN(ChargeCutTest)
#include "tst_charge_cut.moc"
