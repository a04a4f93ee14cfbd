#include <QLabel>
#include <QRadioButton>
#include <QSignalSpy>
#include <QtTest>

#include "ui/runs/variant_picker.h"

using ks::Offer;
using ks::ui::VariantPicker;

class VariantPickerTest : public QObject {
    Q_OBJECT
    static Offer offer(const char* id, const char* whyNot = "") {
        Offer made;
        made.variant.id = id;
        made.variant.description = std::string("description of ") + id;
        made.why_not = whyNot;
        return made;
    }

  private slots:
    void theFirstUsableOfferIsChosen() {
        VariantPicker picker;
        picker.setOffers({offer("best", "needs fp64"), offer("good"), offer("seed")});
        QCOMPARE(picker.variant(), QString("good"));
        auto* best = picker.findChild<QRadioButton*>("best");
        QVERIFY(!best->isEnabled());
        QVERIFY(best->toolTip().contains("needs fp64"));
        QVERIFY(!picker.setVariant("best"));
    }

    void theTipTellsWhatMayBeDefined() {
        VariantPicker picker;
        Offer tiled = offer("tiled");
        tiled.variant.title = "Tiles";
        tiled.variant.defines = {{"TILE", "16", {"8", "16"}, "pixels along a side of a tile"}};
        picker.setOffers({tiled});
        const QString tip = picker.findChild<QRadioButton*>("tiled")->toolTip();
        QVERIFY2(tip.startsWith("Tiles\n"), qPrintable(tip));
        QVERIFY2(tip.endsWith("\nTILE (default 16): pixels along a side of a tile"), qPrintable(tip));
    }

    void theChoiceSurvivesAChangeOfDevice() {
        VariantPicker picker;
        picker.setOffers({offer("good"), offer("seed")});
        QSignalSpy changed(&picker, &VariantPicker::variantChanged);
        picker.findChild<QRadioButton*>("seed")->click();
        QCOMPARE(changed.last().first().toString(), QString("seed"));
        picker.setOffers({offer("good"), offer("other"), offer("seed")});
        QCOMPARE(picker.variant(), QString("seed"));
        picker.setOffers({offer("good"), offer("seed", "not here")});
        QCOMPARE(picker.variant(), QString("good"));
    }

    void whatIsComputedDecidesToo() {
        VariantPicker picker;
        Offer packed = offer("packed"), plain = offer("plain"), extended = offer("extended");
        packed.variant.takes = {{"algorithm", "the algorithm", {"basic"}},
                                {"half", "a half-width of", {}, {}, 8}};
        plain.variant.takes = {{"algorithm", "the algorithm", {"basic"}}};
        extended.variant.takes = {{"algorithm", "the algorithm", {"extended"}}};
        picker.setOffers({packed, plain, extended});
        picker.setTraits({{"algorithm", std::string("basic")}});
        QCOMPARE(picker.variant(), QString("packed"));
        auto* extendedButton = picker.findChild<QRadioButton*>("extended");
        QVERIFY(!extendedButton->isEnabled());
        QVERIFY(extendedButton->toolTip().contains("extended requires the algorithm extended, found basic"));

        // what was asked for is left where it is not taken, and comes back
        picker.findChild<QRadioButton*>("plain")->click();
        QSignalSpy changed(&picker, &VariantPicker::variantChanged);
        picker.setTraits({{"algorithm", std::string("extended")}});
        QCOMPARE(picker.variant(), QString("extended"));
        QCOMPARE(changed.last().first().toString(), QString("extended"));
        QCOMPARE(picker.wanted(), QString("plain"));
        QVERIFY(picker.findChild<QLabel*>()->text().contains("plain cannot be used now"));
        QVERIFY(extendedButton->isEnabled());
        picker.setTraits({{"algorithm", std::string("basic")}, {"half", std::int64_t{9}}});
        QCOMPARE(picker.variant(), QString("plain"));
        QVERIFY(!picker.findChild<QLabel*>()->text().contains("plain cannot be used now"));
        QVERIFY(!picker.findChild<QRadioButton*>("packed")->isEnabled());
        QVERIFY(!picker.offers()[0].why_not.empty());
    }

    void noUsableOfferMeansNoVariant() {
        VariantPicker picker;
        picker.setOffers({offer("a", "no")});
        QVERIFY(picker.variant().isEmpty());
    }
};

QTEST_MAIN(VariantPickerTest)
#include "tst_variant_picker.moc"
