#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>
#include <cmath>

#include "ui/base/number_box.h"
#include "ui/base/value_slider.h"

using ks::ParameterSpec;
using ks::ParameterType;
using ks::SliderScale;
using ks::ui::ValueSlider;

class ValueSliderTest : public QObject {
    Q_OBJECT
    static ParameterSpec width() {
        return {.id = "width",
                .label = "Width",
                .unit = "",
                .type = ParameterType::real,
                .default_value = 0.1,
                .minimum = 1e-9,
                .maximum = 1e9,
                .slider = ks::SliderHints{10, 1e-3, 12, SliderScale::logarithmic}};
    }

    static ParameterSpec waves(double minimum) {
        return {.id = "wavenumber",
                .label = "Wavenumber",
                .unit = "",
                .type = ParameterType::real,
                .default_value = 10.0,
                .minimum = minimum,
                .maximum = 1e9,
                .slider = ks::SliderHints{200, 0.5, 9, SliderScale::linear}};
    }

  private slots:
    void equalStepsAreEqualFactors() {
        QWidget parent;
        ValueSlider slider(width(), &parent);
        QSlider& hand = *slider.slider();
        hand.setValue(hand.maximum());
        QCOMPARE(slider.value(), 10.0);
        hand.setValue((hand.maximum() + 1) / 2);
        QVERIFY(std::abs(slider.value() / std::sqrt(10 * 1e-3) - 1) < 0.02);
    }

    void theLeftEndIsZeroOnlyWhereThatIsAValue() {
        QWidget parent;
        ValueSlider positive(width(), &parent);
        positive.slider()->setValue(0);
        QCOMPARE(positive.value(), 1e-3);
        ParameterSpec spec = width();
        spec.minimum = 0;
        ValueSlider any(spec, &parent);
        any.slider()->setValue(0);
        QCOMPARE(any.value(), 0.0);
    }

    void ofBothSignsItsMiddleIsZero() {
        QWidget parent;
        ValueSlider waves(ValueSliderTest::waves(-1e9), &parent);
        QSlider& hand = *waves.slider();
        hand.setValue(hand.minimum());
        QCOMPARE(waves.value(), -200.0);
        hand.setValue((hand.minimum() + hand.maximum()) / 2);
        QCOMPARE(waves.value(), 0.0);
        waves.field()->setValue(-1000);
        QCOMPARE(hand.value(), hand.minimum());
        waves.field()->setValue(-100);
        QCOMPARE(hand.value(), (hand.minimum() + hand.maximum()) / 4);
        waves.setReach(0.005, 2);
        hand.setValue(hand.maximum());
        QCOMPARE(waves.value(), 2.0);
    }

    void anotherReachKeepsTheValueAndSaysNothing() {
        QWidget parent;
        ValueSlider slider(width(), &parent);
        QSignalSpy changed(&slider, &ValueSlider::changed);
        slider.setReach(1, 1e4);
        QCOMPARE(slider.value(), 0.1);
        QVERIFY(changed.isEmpty());
        QCOMPARE(slider.slider()->value(), 0);
        slider.field()->setValue(1e4);
        QCOMPARE(slider.slider()->value(), slider.slider()->maximum());
        QCOMPARE(changed.size(), 1);
        ValueSlider waves(ValueSliderTest::waves(0), &parent);
        waves.setReach(0.005, 2);
        waves.slider()->setValue(100);
        QCOMPARE(waves.value(), 0.5);
    }
};

QTEST_MAIN(ValueSliderTest)
#include "tst_value_slider.moc"
