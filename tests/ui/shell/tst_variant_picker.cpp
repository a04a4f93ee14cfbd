#include <QRadioButton>
#include <QSignalSpy>
#include <QtTest>

#include "ui/shell/variant_picker.h"

using ks::Offer;
using ks::ui::VariantPicker;

class VariantPickerTest : public QObject {
    Q_OBJECT
    static Offer offer(const char* id, const char* whyNot = "") {
        Offer made;
        made.variant.id = id;
        made.variant.story = std::string("story of ") + id;
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

    void noUsableOfferMeansNoVariant() {
        VariantPicker picker;
        picker.setOffers({offer("a", "no")});
        QVERIFY(picker.variant().isEmpty());
    }
};

QTEST_MAIN(VariantPickerTest)
#include "tst_variant_picker.moc"
