#include <qcustomplot.h>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest>
#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <functional>
#include <vector>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/number_box.h"
#include "ui/base/parameter_form.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/shell/general/sweep_panel.h"
#include "ui/shell/settings/settings_dialog.h"

using namespace ks::ui;

namespace {

/// As the window system sends it: Qt gives the focus to what takes it by the wheel.
void turn(QWidget& widget, int angle) {
    const QPointF middle = QRectF(widget.rect()).center();
    QWheelEvent event(middle, widget.mapToGlobal(middle), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&widget, &event);
}

/// The value of a control; nothing: it is none.
QVariant valueOf(const QWidget& widget) {
    if (const auto* box = qobject_cast<const QDoubleSpinBox*>(&widget)) return box->value();
    if (const auto* box = qobject_cast<const QSpinBox*>(&widget)) return box->value();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return box->currentIndex();
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) return bar->currentIndex();
    if (qobject_cast<const QScrollBar*>(&widget)) return {};
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(&widget)) return slider->value();
    return {};
}

int turnAll(QWidget& window) {
    int turned = 0;
    for (QWidget* one : window.findChildren<QWidget*>()) {
        const QVariant before = valueOf(*one);
        if (!before.isValid() || !one->isVisible() || one->hasFocus()) continue;
        ++turned;
        for (const int angle : {120, -240}) {
            turn(*one, angle);
            if (valueOf(*one) != before || one->hasFocus())
                qFatal("the wheel reached %s \"%s\"", one->metaObject()->className(),
                       qPrintable(one->accessibleName()));
        }
    }
    return turned;
}

/// A number with a fraction that the field takes.
double fractionIn(const QDoubleSpinBox& box) {
    for (const double value : {1.5, 0.5, 50.5, 20.5, 100.5})
        if (value >= box.minimum() && value <= box.maximum()) return value;
    return box.maximum();
}

void readNumbers(const QWidget& window, const QString& locale) {
    for (const QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>()) {
        const QString name = locale + QStringLiteral(": ") + box->accessibleName() + box->objectName();
        if (const auto* number = dynamic_cast<const DecimalBox*>(box)) {
            const double wanted = fractionIn(*number);
            for (const QChar mark : {QLatin1Char('.'), QLatin1Char(',')}) {
                QString text = QString::number(wanted, 'g', 6).replace(QLatin1Char('.'), mark);
                int at = 0;
                const bool taken = number->validate(text, at) == QValidator::Acceptable;
                if (number->decimals() == 0 && text.contains(mark)) {
                    QVERIFY2(!taken, qPrintable(name));
                } else {
                    QVERIFY2(taken, qPrintable(name));
                    QCOMPARE(number->valueFromText(text), wanted);
                }
            }
            QVERIFY2(!number->textFromValue(1234.5).contains(QLatin1Char(',')), qPrintable(name));
        } else {
            const auto* whole = dynamic_cast<const WholeBox*>(box);
            QVERIFY2(whole, qPrintable(name));
            for (QString text : {QStringLiteral("12.5"), QStringLiteral("12,5"), QStringLiteral("1,000"),
                                 QStringLiteral("1.000")}) {
                int at = 0;
                QVERIFY2(whole->validate(text, at) != QValidator::Acceptable, qPrintable(name));
                whole->fixup(text);
                QVERIFY2(whole->validate(text, at) != QValidator::Acceptable, qPrintable(name));
            }
        }
    }
    for (const QCustomPlot* plot : window.findChildren<QCustomPlot*>())
        QCOMPARE(plot->locale().toString(1234.5, 'f', 1), QStringLiteral("1234.5"));
}

}  // namespace

/// What the wheel does to controls, and how numbers are read and shown, in all of the program.
class InputRulesTest : public ks::tests::WindowFixture {
    Q_OBJECT

    void makeWindow() {
        window_ = firstWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }

    /// With the page of vector_add, and with the rules.
    void makeActiveWindow() {
        applyInputRules(*qApp);
        makeWindow();
        if (QTest::currentTestFailed()) return;
        QVERIFY(window_->setPage("vector_add"));
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }

  private slots:
    void cleanup() {
        window_.reset();
        QLocale::setDefault(QLocale::c());
    }

    void theWheelChangesNothingThatHasNoFocus() {
        applyInputRules(*qApp);
        makeWindow();
        if (QTest::currentTestFailed()) return;
        window_->resize(1600, 1000);
        auto* side = window_->findChild<QTabWidget*>(QStringLiteral("side"));
        for (const QString& page : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            for (int tab = 0; tab < side->count(); ++tab) {
                side->setCurrentIndex(tab);
                QCoreApplication::processEvents();
                QVERIFY(turnAll(*window_) > 0);
            }
        }
        SettingsDialog settings(*window_);
        settings.show();
        QVERIFY(turnAll(settings) > 3);
        CurvePlot plot;
        ExportDialog exported(plot, {}, nullptr);
        exported.show();
        QVERIFY(turnAll(exported) > 3);
    }

    void overAFieldTheWheelScrollsWhatIsAround() {
        applyInputRules(*qApp);
        QScrollArea area;
        auto* content = new QWidget;
        auto* rows = new QVBoxLayout(content);
        QList<QWidget*> fields{new DecimalBox, new WholeBox, new QComboBox, new QSlider(Qt::Horizontal)};
        for (QWidget* one : fields) rows->addWidget(one);
        qobject_cast<QComboBox*>(fields[2])->addItems({"a", "b", "c"});
        content->setFixedHeight(2000);
        area.setWidget(content);
        area.resize(300, 300);
        area.show();
        area.setFocus();
        for (QWidget* one : fields) {
            area.verticalScrollBar()->setValue(100);
            turn(*one, -120);
            QVERIFY(area.verticalScrollBar()->value() > 100);
        }
        // With the focus it is the field's.
        area.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        fields[1]->setFocus();
        QTRY_VERIFY(fields[1]->hasFocus());
        area.verticalScrollBar()->setValue(100);
        turn(*fields[1], 120);
        QCOMPARE(qobject_cast<QSpinBox*>(fields[1])->value(), 1);
        QCOMPARE(area.verticalScrollBar()->value(), 100);
    }

    void allNumbersAreReadAndShownAlike_data() {
        QTest::addColumn<QString>("locale");
        for (const char* one : {"de_DE", "fr_FR", "en_US"}) QTest::newRow(one) << QString::fromLatin1(one);
    }
    void allNumbersAreReadAndShownAlike() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        applyInputRules(*qApp);
        QCOMPARE(std::localeconv()->decimal_point, ".");
        makeWindow();
        if (QTest::currentTestFailed()) return;
        for (const QString& page : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            readNumbers(*window_, locale + QLatin1Char(' ') + page);
            if (QTest::currentTestFailed()) return;
        }
        const SettingsDialog settings(*window_);
        readNumbers(settings, locale);
        CurvePlot plot;
        const ExportDialog exported(plot, {}, nullptr);
        readNumbers(exported, locale);
    }

    void anEnergyMayHaveAComma() {
        WavelengthBox box;
        box.setRange(0, 1e3);
        box.setDecimals(4);
        box.setSuffix(QStringLiteral(" \u00c5"));
        box.show();
        for (const char* text : {"12,4 keV", "12.4 keV", "12400 eV", "12,4keV"}) {
            box.setValue(2);
            box.selectAll();
            QTest::keyClicks(&box, QString::fromLatin1(text));
            QTest::keyClick(&box, Qt::Key_Return);
            QVERIFY2(std::abs(box.value() - 0.9999) < 1e-4, text);
            QVERIFY2(!QToolTip::isVisible(), qPrintable(QToolTip::text()));
        }
    }

    void aShortcutFindsWhatIsBeingTyped() {
        applyInputRules(*qApp);
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        auto* box = new WholeBox;
        rows->addWidget(box);
        auto* run = new QAction(&window);
        run->setShortcut(Qt::Key_F5);
        window.addAction(run);
        int found = 0;
        connect(run, &QAction::triggered, box, [&] { found = box->value(); });
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("42"));
        QTest::keyClick(box, Qt::Key_F5);
        QCOMPARE(found, 42);
    }

    void aShortcutFindsWhatIsBeingTypedIntoAnEditableList() {
        applyInputRules(*qApp);
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        auto* list = new QComboBox;
        list->setEditable(true);
        list->addItems({"16", "32"});
        rows->addWidget(list);
        QString value = list->currentText(), used;
        connect(list->lineEdit(), &QLineEdit::editingFinished, list, [&] { value = list->currentText(); });
        auto* run = new QAction(&window);
        run->setShortcut(Qt::Key_F7);
        connect(run, &QAction::triggered, &window, [&] { used = value; });
        window.addAction(run);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        // The second is an entry of the list, and is completed.
        for (const char* const typed : {"8", "32"}) {
            list->setFocus();
            list->lineEdit()->selectAll();
            QTest::keyClicks(list, QString::fromLatin1(typed));
            QTest::keyClick(list, Qt::Key_F7);
            QCOMPARE(used, QString::fromLatin1(typed));
        }
    }

    void aClickFindsWhatIsBeingTyped() {
        applyInputRules(*qApp);
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        auto* box = new WholeBox;
        auto* line = new QLineEdit;
        auto* button = new QToolButton;
        button->setFocusPolicy(Qt::NoFocus);
        auto* tabs = new QTabBar;
        tabs->setFocusPolicy(Qt::NoFocus);
        tabs->addTab("a");
        tabs->addTab("b");
        for (QWidget* one : QList<QWidget*>{box, line, button, tabs}) rows->addWidget(one);
        int found = 0;
        QString text;
        connect(line, &QLineEdit::editingFinished, line, [&] { text = line->text(); });
        connect(button, &QToolButton::clicked, box, [&] { found = box->value(); });
        connect(tabs, &QTabBar::currentChanged, box, [&] { found = box->value(); });
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto type = [&](QWidget* field, const char* keys) {
            field->setFocus();
            if (field == box) box->selectAll();
            QTest::keyClicks(field, QString::fromLatin1(keys));
        };
        type(box, "42");
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(found, 42);
        QVERIFY(box->hasFocus());
        type(box, "43");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QCOMPARE(found, 43);
        type(line, "10-19");
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(text, QString("10-19"));
    }

    void tabLeavesEveryWidgetOfEveryPage_data() {
        QTest::addColumn<bool>("withResult");
        QTest::newRow("empty pages") << false;
        QTest::newRow("a page with the result of a run") << true;
    }
    void tabLeavesEveryWidgetOfEveryPage() {
        QFETCH(bool, withResult);
        applyInputRules(*qApp);
        makeWindow();
        if (QTest::currentTestFailed()) return;
        for (const QString& page : withResult ? QStringList{"vector_add"} : window_->pageIds()) {
            QVERIFY(window_->setPage(page));
            QTest::qWait(50);
            if (withResult) {
                QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready() && window_->missing().isEmpty(), 60000);
                for (int runs = 1; runs <= 2; ++runs) {
                    window_->startRun();
                    QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == runs && !window_->queue().busy(),
                                             60000);
                }
                window_->page()->findChild<QListWidget*>()->setFocus();
            }
            QList<QWidget*> seen;
            // The focus comes back to where it was, by way of others.
            for (int step = 0; step < 200; ++step) {
                QTest::keyClick(window_->windowHandle(), Qt::Key_Tab);
                QWidget* const now = QApplication::focusWidget();
                QVERIFY2(now, qPrintable(page));
                QVERIFY2(seen.isEmpty() || now != seen.last(),
                         qPrintable(page + ": " + QLatin1String(now->metaObject()->className()) + ' ' +
                                    now->accessibleName() + ' ' + now->objectName()));
                if (!seen.isEmpty() && now == seen.first()) break;
                seen << now;
            }
            QVERIFY2(seen.size() < 200 && seen.size() > 5, qPrintable(page));
        }
    }

    void tabGoesThroughFormsThatAreMadeAnewInTheirOrderOnTheScreen() {
        applyInputRules(*qApp);
        makeWindow();
        if (QTest::currentTestFailed()) return;
        for (const char* analysis : {"matmul", "vector_add"}) {
            QVERIFY(window_->setPage(analysis));
            QTRY_VERIFY_WITH_TIMEOUT(window_->missing().isEmpty(), 60000);
            QTest::qWait(50);
            const auto& sweep = *window_->page()->findChild<SweepPanel*>();
            for (const QWidget* form :
                 {static_cast<const QWidget*>(&sweep), static_cast<const QWidget*>(&window_->parameters())}) {
                QList<QWidget*> fields;
                for (auto* one : form->findChildren<QWidget*>())
                    if (one->isVisible() && one->isEnabled() && !one->focusProxy() &&
                        (one->focusPolicy() & Qt::TabFocus) && !qobject_cast<QCustomPlot*>(one->parent()))
                        fields << one;
                const auto place = [form](const QWidget* field) {
                    return field->mapTo(form, QPoint(field->width() / 2, field->height() / 2));
                };
                std::ranges::stable_sort(fields, [&](const QWidget* one, const QWidget* other) {
                    const QPoint a = place(one), b = place(other);
                    return std::abs(a.y() - b.y()) < 8 ? a.x() < b.x() : a.y() < b.y();
                });
                QVERIFY(fields.size() > 1);
                const qsizetype last = std::min<qsizetype>(fields.size(), 4) - 1;
                fields.front()->setFocus();
                const auto reaches = [&](Qt::Key key, qsizetype field) {
                    QTest::keyClick(window_->windowHandle(), key);
                    const QWidget* const now = QApplication::focusWidget();
                    QVERIFY2(now == fields[field],
                             qPrintable(QString(analysis) + ": " + (now ? now->accessibleName() : QString()) +
                                        " instead of " + fields[field]->accessibleName()));
                };
                for (qsizetype at = 1; at <= last; ++at) reaches(Qt::Key_Tab, at);
                for (qsizetype at = last; at > 0; --at) reaches(Qt::Key_Backtab, at - 1);
            }
        }
    }

    void aTextThatIsNoValueStartsNothing_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("told");
        QTest::addColumn<int>("value");
        QTest::newRow("word") << "abc"
                              << "\"abc\" is not a whole number; the value stays as it was" << 7;
        QTest::newRow("fraction") << "2.5"
                                  << "\"2.5\" is not a whole number; the value stays as it was" << 7;
        QTest::newRow("too small") << "0"
                                   << "0 is less than the smallest value allowed here; 1 is used instead"
                                   << 1;
        QTest::newRow("too large") << "101"
                                   << "101 is more than the largest value allowed here; 100 is used instead"
                                   << 100;
    }
    void aTextThatIsNoValueStartsNothing() {
        QFETCH(QString, typed);
        QFETCH(QString, told);
        QFETCH(int, value);
        applyInputRules(*qApp);
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        auto* box = new WholeBox;
        box->setRange(1, 100);
        auto* run = new QAction(&window);
        run->setShortcut(Qt::Key_F5);
        window.addAction(run);
        auto* ofAction = new QToolButton;
        ofAction->setDefaultAction(run);
        ofAction->setFocusPolicy(Qt::NoFocus);
        auto* button = new QPushButton(QStringLiteral("Start"));
        auto* cancel = new QPushButton(QStringLiteral("Cancel"));
        for (QWidget* one : QList<QWidget*>{box, ofAction, button, cancel}) rows->addWidget(one);
        holdForFields(*run);
        holdForFields(*button);
        int started = 0, cancelled = 0;
        connect(run, &QAction::triggered, box, [&] { ++started; });
        connect(button, &QPushButton::clicked, box, [&] { ++started; });
        connect(cancel, &QPushButton::clicked, box, [&] { ++cancelled; });
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto type = [&] {
            QToolTip::hideText();
            QTRY_VERIFY(!QToolTip::isVisible());
            box->setValue(7);
            box->setFocus();
            QTRY_VERIFY(box->hasFocus());
            box->selectAll();
            QTest::keyClicks(box, typed);
        };
        const auto isTold = [&] {
            return QTest::qWaitFor([&] { return QToolTip::isVisible() && QToolTip::text() == told; });
        };
        const std::vector<std::function<void()>> starts{
            [&] { QTest::keyClick(box, Qt::Key_F5); },
            [&] { QTest::mouseClick(ofAction, Qt::LeftButton); },
            [&] { QTest::mouseClick(button, Qt::LeftButton); },
        };
        for (std::size_t i = 0; i < starts.size(); ++i) {
            type();
            if (QTest::currentTestFailed()) return;
            starts[i]();
            QVERIFY2(isTold(), qPrintable(QToolTip::text()));
            QCOMPARE(started, static_cast<int>(i));
            QCOMPARE(box->value(), value);
            // What is shown now is the value.
            starts[i]();
            QCOMPARE(started, static_cast<int>(i + 1));
        }
        type();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(cancelled, 1);
        QVERIFY2(isTold(), qPrintable(QToolTip::text()));
    }

    void noRunHasAValueThatWasNotTyped_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("typed");
        QTest::newRow("a count") << "size"
                                 << "abc";
        QTest::newRow("below the least count") << "size"
                                               << "0";
        QTest::newRow("an optional count") << "local_size"
                                           << "0";
    }
    void noRunHasAValueThatWasNotTyped() {
        QFETCH(QString, id);
        QFETCH(QString, typed);
        makeActiveWindow();
        if (QTest::currentTestFailed()) return;
        auto* box = window_->request().parameters().findChild<DecimalBox*>(id);
        QVERIFY(box);
        box->setFocus();
        QTRY_VERIFY(box->hasFocus());
        box->selectAll();
        QTest::keyClicks(box, typed);
        QSignalSpy queued(&window_->queue(), &RunQueue::changed);
        QTest::keyClick(box, Qt::Key_F5);
        QTRY_VERIFY(QToolTip::isVisible());
        QVERIFY2(QToolTip::text().contains(typed), qPrintable(QToolTip::text()));
        QVERIFY(!window_->queue().busy());
        QCOMPARE(queued.count(), 0);
    }

    void theRunButtonUsesTheTypedNumber() {
        makeActiveWindow();
        if (QTest::currentTestFailed()) return;
        auto* box = window_->request().parameters().findChild<QAbstractSpinBox*>("size");
        QVERIFY(box);
        box->setFocus();
        QTRY_VERIFY(box->hasFocus());
        box->selectAll();
        QTest::keyClicks(box, "1000");
        QToolButton* run = nullptr;
        for (QToolButton* one : window_->findChildren<QToolButton*>())
            if (one->defaultAction() && one->defaultAction()->objectName() == "run" && one->isVisible())
                run = one;
        QVERIFY(run);
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QCOMPARE(ks::integer(window_->runs().rows().front().run->request.parameters, "size"), 1000);
    }
};

QTEST_MAIN(InputRulesTest)
#include "tst_input_rules.moc"
