#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>

#include "ui/base/number_box.h"
#include "ui/base/parameter_form.h"
#include "ui/base/value_slider.h"

using ks::ParameterSpec;
using ks::ParameterType;
using ks::ui::ParameterForm;

class ParameterFormTest : public QObject {
    Q_OBJECT
    static std::vector<ParameterSpec> specs() {
        return {
            {"frames", "Frames", "frames", ParameterType::integer, std::int64_t{5}, 1.0, 9.0, {}, "How many"},
            {"sigma", "Sigma", "px", ParameterType::real, 1.5, 0.0, {}, {}, ""},
            {"log", "Logarithmic", "", ParameterType::boolean, true, {}, {}, {}, ""},
            {"mode", "Mode", "", ParameterType::choice, std::string("a"), {}, {}, {"a", "b"}, ""},
            {"bin", "Bin", "", ParameterType::integer, std::int64_t{0}, {}, {}, {}, ""}};
    }

  private slots:
    void everySpecBecomesAFieldWithItsDefault() {
        ParameterForm form;
        form.setSpecs(specs(), {"bin"});
        QCOMPARE(qobject_cast<QDoubleSpinBox*>(form.field("frames"))->value(), 5.0);
        QCOMPARE(qobject_cast<QDoubleSpinBox*>(form.field("frames"))->maximum(), 9.0);
        QCOMPARE(qobject_cast<QDoubleSpinBox*>(form.field("sigma"))->value(), 1.5);
        QVERIFY(qobject_cast<QCheckBox*>(form.field("log"))->isChecked());
        QCOMPARE(form.field("bin"), nullptr);
        QVERIFY(form.values() == ks::defaults(specs()));
        for (const char* id : {"frames", "sigma", "log", "mode"})
            QVERIFY2(!form.field(id)->accessibleName().isEmpty(), id);
    }

    void anEmptyListSaysWhatItMeans() {
        ParameterForm form;
        form.setSpecs(
            {{"leave_out", "Leave out", "frames", ParameterType::text, std::string("none"), {}, {}, {}, ""},
             {"map", "Map", "", ParameterType::text, std::string("x * x"), {}, {}, {}, ""}});
        const auto line = [&form](const char* id) { return qobject_cast<QLineEdit*>(form.field(id)); };
        line("leave_out")->clear();
        QCOMPARE(line("leave_out")->placeholderText(), QString("none"));
        // This default is not what an empty field stands for.
        QCOMPARE(line("map")->placeholderText(), QString());
    }

    void theUnitIsInTheSingularAfterOne() {
        ParameterForm form;
        form.setSpecs(
            {{"stride", "Stride", "frames", ParameterType::integer, std::int64_t{2}, 1.0, 99.0, {}, ""},
             {"bins", "Bins", "points per decade", ParameterType::real, 3.0, 0.0, 99.0, {}, ""},
             {"width", "Width", "px", ParameterType::integer, std::int64_t{1}, 1.0, 99.0, {}, ""}});
        const auto box = [&form](const char* id) {
            return qobject_cast<QDoubleSpinBox*>(form.field(QLatin1String(id)));
        };
        form.show();
        QDoubleSpinBox* const stride = box("stride");
        QCOMPARE(stride->text(), QString("2 frames"));
        const int width = stride->sizeHint().width();
        QTest::keyClick(stride, Qt::Key_Down);
        QCOMPARE(stride->text(), QString("1 frame"));
        QCOMPARE(stride->sizeHint().width(), width);
        // Either is understood where it is typed.
        for (const auto& [typed, shown] : {std::pair("3 frame", "3 frames"),
                                           {"1 frames", "1 frame"},
                                           {"7 frames", "7 frames"},
                                           {"1", "1 frame"}}) {
            stride->setFocus();
            stride->findChild<QLineEdit*>()->selectAll();
            QTest::keyClicks(stride, typed);
            QTest::keyClick(stride, Qt::Key_Return);
            QCOMPARE(stride->text(), QString(shown));
        }
        form.setValues({{"stride", std::int64_t{12}}, {"bins", 1.0}});
        QCOMPARE(stride->text(), QString("12 frames"));
        QCOMPARE(box("bins")->text(), QString("1 point per decade"));
        QCOMPARE(box("width")->text(), QString("1 px"));
    }

    void editingChangesTheValues() {
        ParameterForm form;
        form.setSpecs(specs());
        QSignalSpy changed(&form, &ParameterForm::changed);
        auto* box = qobject_cast<QDoubleSpinBox*>(form.field("frames"));
        QTest::keyClick(box, Qt::Key_Up);
        qobject_cast<QComboBox*>(form.field("mode"))->setCurrentText("b");
        QCOMPARE(changed.count(), 2);
        QCOMPARE(ks::integer(form.values(), "frames"), 6);
        QCOMPARE(ks::text(form.values(), "mode"), std::string("b"));
    }

    void anAbsentValueIsShownInWords() {
        ParameterForm form;
        form.setSpecs(
            {{"time", "Frame time", "s", ParameterType::real, {}, 0.0, 9.0, {}, "Seconds", "from the file"},
             {"last", "Last", "", ParameterType::integer, std::int64_t{3}, -5.0, 9.0, {}, "Last frame"}});
        auto* time = qobject_cast<QDoubleSpinBox*>(form.field("time"));
        QCOMPARE(time->text(), QString("from the file"));
        time->setValue(0.25);
        QCOMPARE(time->text(), QString("0.25 s"));
        QCOMPARE(ks::optional_real(form.values(), "time"), 0.25);
        time->setValue(0);
        QCOMPARE(time->text(), QString("0 s"));
        time->setValue(time->minimum());
        QVERIFY(!ks::optional_real(form.values(), "time"));
        // A value that is never absent has no word for that.
        QVERIFY(qobject_cast<QDoubleSpinBox*>(form.field("last"))->specialValueText().isEmpty());
    }

    void sliderHintsMakeASliderAndSectionsAHeading() {
        ParameterForm form;
        std::vector<ParameterSpec> with = specs();
        with[0].slider = ks::SliderHints{.reach = 5};
        with[0].section = with[3].section = "Movie";
        with[3].choice_labels = {"first", "second"};
        form.setSpecs(with);
        ks::ui::ValueSlider* slider = form.slider("frames");
        QVERIFY(slider && !form.slider("sigma"));
        QCOMPARE(form.field("frames"), static_cast<QWidget*>(slider->field()));
        QCOMPARE(slider->label()->text(), QString("Frames (frames)"));
        QCOMPARE(slider->field()->accessibleName(), QString("Frames"));
        QCOMPARE(slider->field()->toolTip(), QString("How many"));
        QSignalSpy edited(&form, &ParameterForm::edited);
        slider->slider()->setValue(2);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(ks::integer(form.values(), "frames"), 3);  // the left end is the minimum
        form.setValue("frames", std::int64_t{8});
        QCOMPARE(slider->slider()->value(), slider->slider()->maximum());
        QCOMPARE(slider->value(), 8.0);
        QVERIFY(form.headingRow("Movie") && !form.headingRow("Other"));
        // What has no section stands above the heading.
        form.resize(form.sizeHint());
        form.show();
        QVERIFY(form.field("sigma")->y() < form.headingRow("Movie")->parentWidget()->y());
        auto* mode = qobject_cast<QComboBox*>(form.field("mode"));
        QCOMPARE(mode->currentText(), QString("first"));
        mode->setCurrentIndex(1);
        QCOMPARE(ks::text(form.values(), "mode"), std::string("b"));
        form.setFieldEnabled("frames", false);
        QVERIFY(!slider->slider()->isEnabled() && !slider->label()->isEnabled());
    }

    void aSliderHasRoomInADock() {
        ParameterForm form;
        std::vector<ParameterSpec> with = specs();
        with[0].label = "A label that is rather long";
        with[0].slider = ks::SliderHints{.reach = 5};
        form.setSpecs(with);
        form.resize(236, 400);
        form.grab();  // lays it out
        const ks::ui::ValueSlider* slider = form.slider("frames");
        QVERIFY2(slider->slider()->width() >= 120, qPrintable(QString::number(slider->slider()->width())));
        QVERIFY(slider->label()->width() >= slider->label()->sizeHint().width());
        QVERIFY(slider->field()->width() >= slider->field()->minimumSizeHint().width());
    }

    void severalSlidersEditOneText() {
        ParameterForm form;
        ParameterSpec part{.id = "x",
                           .label = "x",
                           .unit = "px",
                           .type = ParameterType::integer,
                           .default_value = std::int64_t{1},
                           .minimum = 1.0,
                           .maximum = 9.0,
                           .slider = ks::SliderHints{.reach = 9}};
        ParameterSpec other = part;
        other.id = "y";
        ParameterForm::Sliders pair{
            {part, other},
            [](const ks::ParameterValue& value) {
                const std::string& text = std::get<std::string>(value);
                return std::vector<double>{text.at(0) - '0' + 0.0, text.at(2) - '0' + 0.0};
            },
            [](const std::vector<double>& numbers) -> ks::ParameterValue {
                return QString("%1,%2").arg(numbers[0]).arg(numbers[1]).toStdString();
            }};
        form.setSpecs({{"pair", "Pair", "", ParameterType::text, std::string("3,4")}}, {}, {{"pair", pair}});
        QCOMPARE(form.slider("x")->value(), 3.0);
        form.slider("y")->slider()->setValue(0);
        QCOMPARE(ks::text(form.values(), "pair"), std::string("3,1"));
        form.setValue("pair", std::string("5,6"));
        QCOMPARE(form.slider("y")->value(), 6.0);
    }

    void aFieldIsDisabledIfNothingUsesItsValue() {
        ParameterForm form;
        ParameterSpec spec{"sigma", "Sigma", "", ParameterType::real, 1.0};
        spec.help = "Width";
        form.setSpecs({spec});
        QWidget* const field = form.field("sigma");
        form.setIdle("sigma", "the kernel is laplace");
        QVERIFY(!field->isEnabled());
        QCOMPARE(field->toolTip(), QString("Width\nNot used: the kernel is laplace"));
        form.setIdle("sigma", "the kernel is laplace", "Measure");
        QVERIFY(field->isEnabled());
        QCOMPARE(field->toolTip(),
                 QString("Width\nUsed by Measure. Not used by the next run: the kernel is laplace"));
        form.setIdle("sigma", {}, "Measure");
        QVERIFY(field->isEnabled());
        QCOMPARE(field->toolTip(), QString("Width\nMeasure uses it, too."));
        form.setIdle("sigma", {});
        QVERIFY(field->isEnabled());
        QCOMPARE(field->toolTip(), QString("Width"));
    }

    void settingsOfAnotherVersionFallBackToDefaults() {
        ParameterForm form;
        form.setSpecs(specs());
        form.setValues({{"frames", std::int64_t{400}},
                        {"mode", std::string("gone")},
                        {"unknown", true},
                        {"sigma", 2.5}});
        QCOMPARE(ks::integer(form.values(), "frames"), 5);
        QCOMPARE(ks::text(form.values(), "mode"), std::string("a"));
        QCOMPARE(ks::real(form.values(), "sigma"), 2.5);
        QVERIFY(!form.values().contains("unknown"));
        form.reset();
        QVERIFY(form.values() == ks::defaults(specs()));
    }
};

QTEST_MAIN(ParameterFormTest)
#include "tst_parameter_form.moc"
