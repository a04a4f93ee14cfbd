#include "ui/particles/map_form.h"

#include <QtTest>

using ks::ui::particles::MapForm;

/// The form of the maps' colours.
class MapFormTest : public QObject {
    Q_OBJECT

  private slots:
    void limitsOfAnyMagnitudeCanBeLocked_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("usual") << -1.25 << 3.5;
        QTest::newRow("charges in coulomb") << 0.0 << 2.4e-19;
        QTest::newRow("near the end of single precision") << 1.5e-38 << 2.5e-38;
        QTest::newRow("large") << -1e200 << 1e200;
    }

    void limitsOfAnyMagnitudeCanBeLocked() {
        QFETCH(double, low);
        QFETCH(double, high);
        MapForm form;
        form.showLimits(low, high);
        form.setLocked(true);
        const auto limits = form.limits();
        QVERIFY(limits);
        QCOMPARE(limits->first, low);
        QCOMPARE(limits->second, high);
    }
};

QTEST_MAIN(MapFormTest)
#include "tst_map_form.moc"
