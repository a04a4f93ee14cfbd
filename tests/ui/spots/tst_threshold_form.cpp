#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QStyleOptionSlider>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>

#include "core/run/registry.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/number_box.h"
#include "ui/spots/threshold_form.h"

using ks::spots::Algorithm;
using ks::spots::Grouping;
using ks::spots::Intermediate;
using ks::spots::Thresholds;
using ks::ui::spots::ThresholdForm;

namespace {

template <class Box>
Box* named(const QWidget& form, const char* name) {
    for (Box* box : form.findChildren<Box*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return nullptr;
}

/// Drags the handle along the groove by `pixels`, one step a move.
void drag(QSlider* slider, int pixels) {
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = slider->value();
    option.subControls = QStyle::SC_All;
    const QPoint from =
        slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    const int step = pixels > 0 ? 1 : -1;
    for (int moved = step; std::abs(moved) <= std::abs(pixels); moved += step)
        QTest::mouseMove(slider, from + QPoint(moved, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(pixels, 0));
}

void wheel(QWidget* widget, int steps) {
    const QPointF at = QRectF(widget->rect()).center();
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

}  // namespace

class ThresholdFormTest : public QObject {
    Q_OBJECT
  private slots:
    void defaultsAreThoseOfTheAnalysis() {
        ThresholdForm form;
        QCOMPARE(form.thresholds(), Thresholds());
        QCOMPARE(form.grouping(), Grouping());
        ks::ParameterSet set;
        form.fill(set);
        const auto specs = ks::Registry().analysis("spots").info().parameters;
        const ks::ParameterSet standard = ks::defaults(specs);
        for (const QString& id : ThresholdForm::parameters()) {
            QVERIFY2(standard.contains(id.toStdString()), qPrintable(id));
            QCOMPARE(set.at(id.toStdString()), standard.at(id.toStdString()));
        }
        QCOMPARE(set.size(), static_cast<std::size_t>(ThresholdForm::parameters().size()));
    }

    void aDraggedSliderTellsEachMoveAndItsFieldFollows() {
        ThresholdForm form;
        form.resize(280, 700);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        QSlider* slider = form.value("sigma_s").slider();
        QDoubleSpinBox* field = form.value("sigma_s").field();
        QSignalSpy changed(&form, &ThresholdForm::changed);
        drag(slider, 12);
        QVERIFY2(changed.count() >= 8, qPrintable(QString::number(changed.count())));
        QVERIFY(form.thresholds().sigma_s > 3);
        QCOMPARE(field->value(), form.thresholds().sigma_s);
        // In whole tenths.
        QVERIFY(std::abs(10 * field->value() - std::round(10 * field->value())) < 1e-9);
        drag(slider, -400);
        QCOMPARE(form.thresholds().sigma_s, 0.0);
    }

    void keysAndTypedNumbersMoveTheSliderToo() {
        ThresholdForm form;
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        QSlider* slider = form.value("sigma_b").slider();
        QDoubleSpinBox* field = form.value("sigma_b").field();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(std::abs(field->value() - 6.1) < 1e-9);
        field->setFocus();
        field->selectAll();
        QSignalSpy changed(&form, &ThresholdForm::changed);
        QTest::keyClicks(field, "12");
        QCOMPARE(changed.count(), 0);  // not while it is being typed
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(slider->value(), 120);
        // Beyond the slider's reach the field keeps its number and the slider its end.
        field->selectAll();
        QTest::keyClicks(field, "250");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(form.thresholds().sigma_b, 250.0);
        QCOMPARE(slider->value(), slider->maximum());
    }

    void theLogarithmicSliderReachesNothingAndEverything() {
        ThresholdForm form;
        QSlider* slider = form.value("threshold").slider();
        slider->setValue(0);
        QCOMPARE(form.thresholds().global_threshold, 0.0);
        slider->setValue(1);
        QCOMPARE(form.thresholds().global_threshold, 1.0);
        double before = 1;
        for (int position = 2; position <= slider->maximum(); ++position) {
            slider->setValue(position);
            const double now = form.thresholds().global_threshold;
            QVERIFY(now >= before && now < 1.2 * before + 1e-9);
            before = now;
        }
        QCOMPARE(before, 65500.0);  // three digits
        // Each value that the slider gives is shown by the slider at its place.
        for (const double value : {1.0, 3.0, 10.0, 250.0, 4000.0}) {
            form.value("threshold").setValue(value);
            const int position = slider->value();
            const double part = std::log(value) / std::log(65535.0);
            QVERIFY(std::abs(position - 1 - part * (slider->maximum() - 1)) <= 1);
        }
    }

    void theWheelChangesOnlyWhatHasTheFocus() {
        ks::ui::applyInputRules(*qApp);
        ThresholdForm form;
        form.show();
        form.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&form));
        QSlider* slider = form.value("sigma_b").slider();
        form.value("sigma_s").field()->setFocus();
        wheel(slider, 1);
        QCOMPARE(form.thresholds(), Thresholds());
        slider->setFocus();
        wheel(slider, 1);
        QVERIFY(form.thresholds().sigma_b > 6);
    }

    void whatIsAppliedComesBackByFill() {
        ThresholdForm form;
        form.setResolutionKnown(true);
        ks::ParameterSet given{{"algorithm", std::string("dispersion_extended")},
                               {"kernel", std::string("4,7")},
                               {"sigma_b", 2.5},
                               {"sigma_s", std::int64_t{4}},
                               {"extended_rule", std::string("older")},
                               {"min_local", std::int64_t{9}},
                               {"threshold", 12.5},
                               {"gain", 0.25},
                               {"stills", true},
                               {"min_size", std::int64_t{5}},
                               {"max_size", std::int64_t{77}},
                               {"max_separation", 1.5},
                               {"d_min", 1.25},
                               {"d_max", 20.0},
                               {"ice_width", 0.002},
                               {"saturation", 60000.0}};
        QSignalSpy changed(&form, &ThresholdForm::changed);
        form.apply(given);
        QCOMPARE(changed.count(), 1);
        ks::ParameterSet back;
        form.fill(back);
        given["sigma_s"] = 4.0;
        QCOMPARE(back, given);
        // Wrong texts change nothing; a half-width that is none neither.
        for (const char* kernel : {"", "x", "0,3", "3,16", "3,3,3", "-1"}) {
            form.apply({{"kernel", std::string(kernel)}});
            QCOMPARE(form.thresholds().kernel_x, 4);
            QCOMPARE(form.thresholds().kernel_y, 7);
        }
        form.apply({{"kernel", std::string("2")}});
        QCOMPARE(form.thresholds().kernel_y, 2);
    }

    void everyParameterOfASectionIsShownAsItsSpecSays() {
        ThresholdForm form;
        int shown = 0;
        const std::vector<ks::ParameterSpec> specs = ks::Registry().analysis("spots").info().parameters;
        for (const ks::ParameterSpec& spec : specs) {
            if (spec.section.empty() || spec.id == "kernel") continue;
            auto* field = form.findChild<QWidget*>(QString::fromStdString(spec.id));
            QVERIFY2(field, spec.id.c_str());
            QCOMPARE(field->toolTip(), QString::fromStdString(spec.help));
            QCOMPARE(field->accessibleName(), QString::fromStdString(spec.label));
            if (spec.slider)
                QVERIFY(form.value(spec.id).label()->text().startsWith(QString::fromStdString(spec.label)));
            ++shown;
        }
        QCOMPARE(shown, 15);
    }

    void aRangeKeepsItsOrder() {
        ThresholdForm form;
        form.setResolutionKnown(true);
        auto *low = named<QDoubleSpinBox>(form, "Min. spot size"),
             *high = named<QDoubleSpinBox>(form, "Max. spot size");
        QVERIFY(low && high);
        low->setValue(2000);
        QCOMPARE(form.grouping().max_size, std::size_t{2000});
        high->setValue(10);
        QCOMPARE(form.grouping().min_size, std::size_t{10});
        form.apply({{"min_size", std::int64_t{50}}});
        QCOMPARE(form.grouping().max_size, std::size_t{50});
        // No upper limit of d is no limit that the lower one must keep to.
        named<QDoubleSpinBox>(form, "Min. d")->setValue(3);
        QCOMPARE(form.grouping().d_min.value_or(0), 3.0);
        QVERIFY(!form.grouping().d_max);
        named<QDoubleSpinBox>(form, "Max. d")->setValue(2);
        QCOMPARE(form.grouping().d_min.value_or(0), 2.0);
    }

    void withoutAGeometryNoLimitOfDIsAskedForButKept() {
        ThresholdForm form;
        form.apply({{"d_min", 1.5}});
        QVERIFY(!form.grouping().d_min);
        form.setResolutionKnown(true);
        QCOMPARE(form.grouping().d_min.value_or(0), 1.5);
    }

    void defaultsComeBackByTheButton() {
        ThresholdForm form;
        form.apply({{"sigma_b", 1.0},
                    {"kernel", std::string("9,9")},
                    {"min_size", std::int64_t{1}},
                    {"saturation", 5.0}});
        QSignalSpy changed(&form, &ThresholdForm::changed);
        auto* button = named<QPushButton>(form, "Default thresholds");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(form.thresholds(), Thresholds());
        QCOMPARE(form.grouping(), Grouping());
        QVERIFY(!form.saturation());
    }

    void everyIntermediateImageCanBeChosen() {
        ThresholdForm form;
        QSignalSpy changed(&form, &ThresholdForm::pictureChanged);
        int n = 0;
        for (const auto& info : ks::spots::intermediates()) {
            form.setPicture(info.kind);
            QCOMPARE(form.picture(), info.kind);
            ++n;
        }
        QCOMPARE(n, 8);
        QCOMPARE(changed.count(), 7);  // the first was shown
    }

    void everyFieldHasANameAndATip() {
        ThresholdForm form;
        for (const QWidget* one : form.findChildren<QWidget*>()) {
            const bool field = qobject_cast<const QDoubleSpinBox*>(one) ||
                               qobject_cast<const QSlider*>(one) || qobject_cast<const QComboBox*>(one);
            if (!field) continue;
            QVERIFY(!one->accessibleName().isEmpty());
            QVERIFY2(!one->toolTip().isEmpty(), qPrintable(one->accessibleName()));
        }
    }
};

QTEST_MAIN(ThresholdFormTest)
#include "tst_threshold_form.moc"
