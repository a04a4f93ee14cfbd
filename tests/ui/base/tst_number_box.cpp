#include <QCursor>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QSignalSpy>
#include <QToolTip>
#include <QWidget>
#include <QWindow>
#include <QtTest>
#include <vector>

#include "core/base/error.h"
#include "ui/base/column_filter.h"
#include "ui/base/input/number_text.h"
#include "ui/base/number_box.h"
#include "ui/shell/general/size_list.h"

using namespace ks::ui;

namespace {

struct Typed {
    const char* text;
    double value;
};

void type(QAbstractSpinBox& box, const QString& text) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, text);
    QTest::keyClick(&box, Qt::Key_Return);
}

}  // namespace

class NumberBoxTest : public QObject {
    Q_OBJECT
    static void addLocales() {
        QTest::addColumn<QString>("locale");
        for (const char* name : {"C", "en_US", "de_DE", "fr_FR", "de_CH"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
  private slots:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void aNumberThatIsWiderThanItsFieldIsNotCut() {
        QWidget window;
        QLineEdit other(&window);
        NumberBox box(&window);
        box.setRange(-1e300, 1e300);
        box.resize(box.sizeHint());
        other.move(300, 0);
        window.resize(500, 60);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other.setFocus();
        const auto* const line = box.findChild<QLineEdit*>();
        const auto isWhole = [&] {
            return box.fontMetrics().horizontalAdvance(box.text()) + 4 <= line->contentsRect().width();
        };
        QVERIFY(!box.hasFocus());
        box.setValue(1e9);
        QCOMPARE(box.text(), QString("1e+09"));
        QVERIFY(isWhole());
        // Rounded where it is shown, but not itself.
        for (const double value : {1234567890.0, 0.0001234567, -98765432.1, 123456.7}) {
            box.setValue(value);
            QVERIFY2(isWhole(), qPrintable(box.text()));
            QVERIFY2(std::abs(box.text().toDouble() / box.value() - 1) < 0.06, qPrintable(box.text()));
            const double exact = box.value();
            box.interpretText();
            QCOMPARE(box.value(), exact);
            box.setFocus();
            QTRY_VERIFY(box.hasFocus());
            QVERIFY2(std::abs(box.text().toDouble() / exact - 1) < 1e-6, qPrintable(box.text()));
            other.setFocus();
            QTRY_VERIFY(!box.hasFocus());
            QCOMPARE(box.value(), exact);
            QVERIFY2(isWhole(), qPrintable(box.text()));
        }
        // A wider field has room for it, and a small number is as it was.
        box.setValue(1e9);
        box.resize(200, box.height());
        QTRY_COMPARE(box.text(), QString("1000000000"));
        box.resize(box.sizeHint());
        box.setValue(0.25);
        QCOMPARE(box.text(), QString("0.25"));
    }

    void aPointAndACommaAreTheDecimalMark_data() { addLocales(); }
    void aPointAndACommaAreTheDecimalMark() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        DecimalBox fixed;
        fixed.setRange(-1e6, 1e6);
        fixed.setDecimals(4);
        fixed.setSuffix(QStringLiteral(" mm"));
        fixed.setPrefix(QStringLiteral("Hot: "));
        NumberBox any;
        for (DecimalBox* box : {&fixed, static_cast<DecimalBox*>(&any)}) {
            box->show();
            for (const Typed& one : std::vector<Typed>{{"1.55", 1.55},
                                                       {"1,55", 1.55},
                                                       {"12.5", 12.5},
                                                       {"0,25", 0.25},
                                                       {",5", 0.5},
                                                       {"-2.", -2},
                                                       {"1.125", 1.125},
                                                       {"1e3", 1000},
                                                       {"2,5e-1", 0.25}}) {
                type(*box, QString::fromLatin1(one.text));
                QCOMPARE(box->value(), one.value);
            }
            type(*box, QStringLiteral("1234.5"));
            QVERIFY2(box->text().contains(QLatin1String("1234.5")), qPrintable(box->text()));
        }
    }

    void groupsThatLeaveNoDoubtAreRead_data() { addLocales(); }
    void groupsThatLeaveNoDoubtAreRead() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        NumberBox box;
        box.show();
        for (const Typed& one : std::vector<Typed>{{"1,234.5", 1234.5},
                                                   {"1.234,5", 1234.5},
                                                   {"1,234,567", 1234567},
                                                   {"-1.234.567", -1234567},
                                                   {"1'000", 1000},
                                                   {"12 000", 12000},
                                                   {"abc", 7},
                                                   {"-", 7},
                                                   {"1,23,456", 7},
                                                   {"0,123,456", 7}}) {
            box.setValue(7);
            type(box, QString::fromLatin1(one.text));
            QCOMPARE(box.value(), one.value);
        }
    }

    void anEmptiedFieldMeansItsSpecialText() {
        QWidget window;
        auto* whole = new WholeBox(&window);
        auto* fixed = new DecimalBox(&window);
        auto* any = new NumberBox(&window, 6);
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(whole), static_cast<QAbstractSpinBox*>(fixed),
              static_cast<QAbstractSpinBox*>(any)})
            box->setSpecialValueText(QStringLiteral("all"));
        whole->setRange(-1, 100);
        fixed->setRange(0, 100);
        any->setRange(0, 100);
        any->setSuffix(QStringLiteral(" px"));
        new QLineEdit(&window);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>())
            for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Return}) {
                type(*box, QStringLiteral("7"));
                QVERIFY(box->text() != "all");
                box->selectAll();
                QTest::keyClick(box, Qt::Key_Delete);
                QVERIFY(box->text() != "all");
                QTest::keyClick(box, key);
                QCOMPARE(box->text(), QString("all"));
                QVERIFY2(QToolTip::text().isEmpty(), qPrintable(QToolTip::text()));
                // It stays so where it was the word before.
                box->setFocus();
                box->selectAll();
                QTest::keyClick(box, Qt::Key_Delete);
                QTest::keyClick(box, key);
                QCOMPARE(box->text(), QString("all"));
            }
        QCOMPARE(whole->value(), -1);
        // Without a special text there is nothing that it could mean.
        whole->setSpecialValueText({});
        type(*whole, QStringLiteral("7"));
        whole->selectAll();
        QTest::keyClick(whole, Qt::Key_Delete);
        QTest::keyClick(whole, Qt::Key_Return);
        QCOMPARE(whole->value(), 7);
    }

    // By Tab, as the focus of the next field hides earlier tips.
    void whatIsRefusedOrClippedIsToldAtTheField_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("value");
        QTest::addColumn<QString>("told");
        QTest::newRow("too large")
            << "5000000000" << 1000000000
            << "5000000000 is more than the largest value allowed here; 1000000000 is used";
        QTest::newRow("too small") << "-3" << 1
                                   << "-3 is less than the smallest value allowed here; 1 is used";
        QTest::newRow("not whole") << "12.5" << 40 << "\"12.5\" is not a whole number";
        QTest::newRow("not a number") << "1e" << 40 << "\"1e\" is not a whole number";
        QTest::newRow("letters") << "abc" << 40 << "\"abc\" is not a whole number";
        QTest::newRow("a thousand or one")
            << "1,000" << 40 << "The comma of \"1,000\" could be a decimal mark";
        QTest::newRow("groups") << "20.000.000" << 20000000 << "";
        QTest::newRow("exponent") << "1.5e3" << 1500 << "";
    }
    void whatIsRefusedOrClippedIsToldAtTheField() {
        QFETCH(QString, typed);
        QFETCH(int, value);
        QFETCH(QString, told);
        QWidget window;
        auto* whole = new WholeBox(&window);
        auto* digits = new NumberBox(&window, 6);
        digits->setDecimals(0);
        whole->setRange(1, 1000000000);
        digits->setRange(1, 1000000000);
        digits->move(0, 40);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto number = [&](const QAbstractSpinBox* box) {
            return box == whole ? double(whole->value()) : digits->value();
        };
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(whole), static_cast<QAbstractSpinBox*>(digits)}) {
            whole->setValue(40);
            digits->setValue(40);
            QToolTip::hideText();
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, typed);
            QTest::keyClick(box, Qt::Key_Tab);
            QCOMPARE(number(box), double(value));
            if (told.isEmpty()) {
                QTest::qWait(50);
                QVERIFY2(!QToolTip::isVisible(), qPrintable(QToolTip::text()));
            } else {
                QTRY_VERIFY2(QToolTip::isVisible() && QToolTip::text().startsWith(told),
                             qPrintable(QToolTip::text()));
            }
            QToolTip::hideText();
            QTRY_VERIFY(!QToolTip::isVisible());
        }
    }

    void aThousandIsNeverTakenForOne() {
        QVERIFY(!readNumber(QStringLiteral("1,000"), false));
        QCOMPARE(readNumber(QStringLiteral("1,125"), true), std::optional(1.125));
        QCOMPARE(readNumber(QStringLiteral("0,125"), false), std::optional(0.125));
        QCOMPARE(readNumber(QStringLiteral("1.125"), true), std::optional(1.125));
    }

    void aCountTakesOnlyWholeNumbers_data() { addLocales(); }
    void aCountTakesOnlyWholeNumbers() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        WholeBox whole;
        whole.setRange(1, 5000);
        NumberBox digits;
        digits.setDecimals(0);
        digits.setRange(1, 5000);
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(&whole), static_cast<QAbstractSpinBox*>(&digits)}) {
            box->show();
            const auto value = [&] { return box == &whole ? double(whole.value()) : digits.value(); };
            type(*box, QStringLiteral("40"));
            QCOMPARE(value(), 40.0);
            for (const char* text : {"12.5", "12,5", "1.5e0", "1,000", "1.000"}) {
                type(*box, QString::fromLatin1(text));
                QCOMPARE(value(), 40.0);
            }
            for (const char* text : {"1e3", "1'000", "1 000", "0.1e4"}) {
                type(*box, QStringLiteral("40"));
                type(*box, QString::fromLatin1(text));
                QCOMPARE(value(), 1000.0);
            }
            type(*box, QStringLiteral("70000"));
            QCOMPARE(value(), 5000.0);
        }
    }

    void theWordForAnAbsentValueCanBeTypedBeforeTheUnit() {
        WholeBox whole;
        NumberBox number;
        const auto typed = [](auto& box, const QString& word) {
            box.setMinimum(0);
            box.setSuffix(" frames");
            box.setSpecialValueText(word);
            box.setValue(50);
            box.show();
            box.setFocus();
            box.selectAll();  // the number, without the unit
            QTest::keyClicks(&box, word);
            QTest::keyClick(&box, Qt::Key_Return);
            return box.value() == box.minimum() && box.text() == word;
        };
        QVERIFY(typed(whole, "all"));
        QVERIFY(typed(number, "to the last"));
    }

    void aNumberCountsWhenItIsComplete() {
        WholeBox box;
        box.setRange(1, 100'000);
        box.show();
        QSignalSpy changed(&box, &QSpinBox::valueChanged);
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("65536"));
        QCOMPARE(changed.count(), 0);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(box.value(), 65536);
    }

    // Qt sends the events of leaving to the parts of a field while the field is being destroyed.
    void aFieldUnderThePointerCanBeDestroyed() {
        QWidget window;
        window.resize(300, 100);
        auto* const number = new NumberBox(&window);
        auto* const whole = new WholeBox(&window);
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(number), static_cast<QAbstractSpinBox*>(whole)})
            box->setGeometry(10, 10, 200, 30);
        whole->move(10, 50);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(number), static_cast<QAbstractSpinBox*>(whole)}) {
            QPointer<QWidget> const line = box->findChild<QLineEdit*>();
            const QPoint inWindow = line->mapTo(&window, line->rect().center());
            QCursor::setPos(window.mapToGlobal(inWindow));
            QTest::mouseMove(window.windowHandle(), inWindow - QPoint(1, 0));
            QTest::mouseMove(window.windowHandle(), inWindow);
            QTRY_VERIFY(line->underMouse());
            delete box;
            QVERIFY(!line);
        }
    }

    void aFieldCanBeDestroyedWhileItIsEdited() {
        QWidget window;
        auto* const number = new NumberBox(&window);
        auto* const whole = new WholeBox(&window);
        number->setRange(0, 10);
        whole->setRange(0, 10);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QAbstractSpinBox* box :
             {static_cast<QAbstractSpinBox*>(number), static_cast<QAbstractSpinBox*>(whole)}) {
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, QStringLiteral("5000"));
            QVERIFY(box->hasFocus() && box->findChild<QLineEdit*>()->isModified());
            delete box;
            QVERIFY(!QToolTip::isVisible());
        }
    }

    void listsOfNumbersTakeBothMarks() {
        const auto parts = [](const char* text) {
            QStringList all;
            for (const NumberPart& one : numberParts(QString::fromLatin1(text), "edges"))
                all << one.plain.trimmed();
            return all.join(QLatin1Char('|'));
        };
        QCOMPARE(parts("0.01, 0.02,0.035"), QStringLiteral("0.01|0.02|0.035"));
        QCOMPARE(parts("0,01; 0,02"), QStringLiteral("0.01|0.02"));
        QCOMPARE(parts("0,01, 0,02"), QStringLiteral("0.01|0.02"));
        QCOMPARE(parts("0,01-0,015; 0,02-0,03"), QStringLiteral("0.01-0.015|0.02-0.03"));
        QCOMPARE(parts("10, 20, 30"), QStringLiteral("10|20|30"));
        QCOMPARE(parts("10,20,30"), QStringLiteral("10|20|30"));
        QVERIFY_EXCEPTION_THROWN(parts("0,01"), ks::Error);
        QVERIFY_EXCEPTION_THROWN(parts("0,01-0,015"), ks::Error);
        const std::vector<NumberPart> typed = numberParts(QStringLiteral("0,01, 0,02;1,5"), "edges");
        QCOMPARE(typed.size(), std::size_t{2});
        QCOMPARE(typed.back().typed, QStringLiteral("1,5"));
    }

    void messagesQuoteANumberAsItWasTyped() {
        const auto said = [](const auto& read) {
            try {
                read();
            } catch (const ks::Error& error) {
                return QString::fromStdString(error.message());
            }
            return QStringLiteral("no error");
        };
        FilterNames names;
        names.columns = {{QStringLiteral("q"), 0}};
        names.example = QStringLiteral("q > 0.5");
        QCOMPARE(said([&] { ColumnFilter::parse(QStringLiteral("1,5"), names); }),
                 QStringLiteral("expected conditions such as \"q > 0.5\", found \"1,5\""));
        QCOMPARE(said([&] { ColumnFilter::parse(QStringLiteral("q > 1, q \u2264 x 1,5"), names); }),
                 QStringLiteral("expected conditions such as \"q > 0.5\", found \"q \u2264 x 1,5\""));
        ks::ParameterSpec spec;
        spec.id = "sigma";
        spec.label = "Sigma";
        spec.type = ks::ParameterType::real;
        spec.maximum = 1;
        spec.default_value = 0.5;
        const QString beyond = said([&] { sizesFrom(spec, QStringLiteral("0,5; 1,5")); });
        QVERIFY2(beyond.contains("1,5") && !beyond.contains("1.5"), qPrintable(beyond));
        const QString no = said([&] { sizesFrom(spec, QStringLiteral("0,5; 1,5x")); });
        QVERIFY2(no.contains("1,5x"), qPrintable(no));
    }

    void conditionsTakeBothMarks() {
        FilterNames names;
        names.columns = {{QStringLiteral("q"), 0}, {QStringLiteral("n"), 1}};
        names.example = QStringLiteral("q > 1");
        const auto takes = [&](const char* text, double q, double n) {
            return ColumnFilter::parse(QString::fromLatin1(text), names).accepts([&](int column) {
                return std::pair(column == 0 ? q : n, column == 0 ? q : n);
            });
        };
        QVERIFY(takes("q > 0,25", 0.3, 0));
        QVERIFY(!takes("q > 0,25", 0.2, 0));
        QVERIFY(takes("q > 0,25, n > 3", 0.3, 4));
        QVERIFY(!takes("q > 0,25, n > 3", 0.3, 2));
        QVERIFY(takes("q 0,1..0,3", 0.2, 0));
        QVERIFY(!takes("q 0,1..0,3", 0.4, 0));
        QVERIFY(takes("q>5,n<9", 6, 8));
    }
};

QTEST_MAIN(NumberBoxTest)
#include "tst_number_box.moc"
