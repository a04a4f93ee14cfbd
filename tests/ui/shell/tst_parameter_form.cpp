#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

#include "ui/shell/parameter_form.h"

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
        QCOMPARE(qobject_cast<QSpinBox*>(form.field("frames"))->value(), 5);
        QCOMPARE(qobject_cast<QSpinBox*>(form.field("frames"))->maximum(), 9);
        QCOMPARE(qobject_cast<QDoubleSpinBox*>(form.field("sigma"))->value(), 1.5);
        QVERIFY(qobject_cast<QCheckBox*>(form.field("log"))->isChecked());
        QCOMPARE(form.field("bin"), nullptr);
        QVERIFY(form.values() == ks::defaults(specs()));
        for (const char* id : {"frames", "sigma", "log", "mode"})
            QVERIFY2(!form.field(id)->accessibleName().isEmpty(), id);
    }

    void editingChangesTheValues() {
        ParameterForm form;
        form.setSpecs(specs());
        QSignalSpy changed(&form, &ParameterForm::changed);
        auto* box = qobject_cast<QSpinBox*>(form.field("frames"));
        QTest::keyClick(box, Qt::Key_Up);
        qobject_cast<QComboBox*>(form.field("mode"))->setCurrentText("b");
        QCOMPARE(changed.count(), 2);
        QCOMPARE(ks::integer(form.values(), "frames"), 6);
        QCOMPARE(ks::text(form.values(), "mode"), std::string("b"));
    }

    void aValueWithAMeaningIsShownInWords() {
        ParameterForm form;
        form.setSpecs(
            {{"time", "Frame time", "s", ParameterType::real, 0.0, 0.0, 9.0, {}, "Seconds; 0: from the file"},
             {"last", "Last", "", ParameterType::integer, std::int64_t{3}, -5.0, 9.0, {}, "Last; -1: all"}});
        auto* time = qobject_cast<QDoubleSpinBox*>(form.field("time"));
        QCOMPARE(time->text(), QString("from the file"));
        time->setValue(0.25);
        QCOMPARE(time->text(), QString("0.25 s"));
        // -1 is not the smallest value there: the words would stand for another one.
        QVERIFY(qobject_cast<QSpinBox*>(form.field("last"))->specialValueText().isEmpty());
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
