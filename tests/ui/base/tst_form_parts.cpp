#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QtTest>
#include <vector>

#include "ui/base/elided_label.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/wrapping_row.h"

using namespace ks::ui;

class FormPartsTest : public QObject {
    Q_OBJECT

    /// A form that needs this much room.
    static QWidget* form(int width, int height) {
        auto* field = new QWidget;
        field->setObjectName("field");
        field->setMinimumSize(width, height);
        return boxed(inRows({field}));
    }

  private slots:
    void aScrolledFormIsNotCutOffByAnythingNextToIt() {
        QSplitter window;
        QScrollArea* const scroll = scrolled(form(300, 400), "Form");
        window.addWidget(scroll);
        window.addWidget(new QWidget);
        window.setChildrenCollapsible(false);
        window.resize(500, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.setSizes({100, 400});
        QTRY_VERIFY(scroll->verticalScrollBar()->isVisible());
        QVERIFY2(scroll->viewport()->width() >= 300,
                 qPrintable(QString::number(scroll->viewport()->width())));
        QCOMPARE(scroll->widget()->width(), scroll->viewport()->width());
        QVERIFY(scroll->minimumSizeHint().height() < 200);
    }

    void aScrolledFormGetsWiderWithItsContent() {
        QWidget window;
        QScrollArea* const scroll = scrolled(form(100, 50), "Form");
        window.setLayout(inColumns({scroll, {new QWidget, 1}}));
        window.resize(500, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        scroll->widget()->findChild<QWidget*>("field")->setMinimumWidth(320);
        QTRY_VERIFY(scroll->viewport()->width() >= 320);
    }

    void aWrappingRowContinuesInTheNextLine() {
        std::vector<QWidget*> parts;
        for (int i = 0; i < 3; ++i) {
            parts.push_back(new QWidget);
            parts.back()->setFixedSize(100, 20);
        }
        auto* below = new QWidget;
        QWidget window;
        window.setLayout(inRows({new WrappingRow({parts[0], parts[1], parts[2]}, 6), {below, 1}}, 0));
        window.resize(400, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(parts[2]->pos(), QPoint(212, 0));
        QCOMPARE(below->y(), 20);
        window.resize(211, 200);
        QTRY_COMPARE(parts[2]->pos(), QPoint(0, 26));
        QCOMPARE(parts[1]->pos(), QPoint(106, 0));
        QCOMPARE(below->y(), 46);
        parts[0]->hide();
        QTRY_COMPARE(parts[2]->pos(), QPoint(106, 0));
        QCOMPARE(below->y(), 20);
        QCOMPARE(window.minimumSizeHint().width(), 100);
    }

    void aLabelTakesTheRestOfItsLine() {
        auto *first = new QWidget, *last = new QWidget;
        for (QWidget* one : {first, last}) one->setFixedSize(100, 20);
        auto* label = new ElidedLabel;
        label->setWhole("a text that is shortened");
        QWidget window;
        window.setLayout(inRows({new WrappingRow({first, label, last}, 6), Cell::space()}, 0));
        window.resize(400, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(label->width(), 400 - 2 * 106);
        QCOMPARE(last->geometry().right() + 1, 400);
        window.resize(212, 200);
        QTRY_COMPARE(last->x(), 112);
        QCOMPARE(last->y(), 0);
    }

    void rowsAndColumnsHaveTheirCellsInOrderWithGapsAndStretch() {
        auto *label = new QLabel("Width"), *unit = new QLabel("mm"), *below = new QLabel("Below");
        auto* field = new QWidget;
        QWidget window;
        window.setLayout(
            inRows({inColumns({label, {field, 1}, unit}, 10), below, Cell::space()}, 20, {5, 6, 7, 8}));
        window.resize(400, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(label->geometry().topLeft(), QPoint(5, 6));
        QCOMPARE(field->x(), label->geometry().right() + 1 + 10);
        QCOMPARE(unit->x(), field->geometry().right() + 1 + 10);
        QCOMPARE(unit->geometry().right() + 1, 400 - 7);
        QVERIFY(field->width() > 200);
        QCOMPARE(below->y(), label->geometry().bottom() + 1 + 20);
        QVERIFY(below->geometry().bottom() < 100);
    }
};

QTEST_MAIN(FormPartsTest)
#include "tst_form_parts.moc"
