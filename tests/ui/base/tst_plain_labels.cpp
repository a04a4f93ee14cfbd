#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QTest>
#include <QToolTip>

#include "ui/base/input/input_rules.h"

using namespace ks::ui;

namespace {

const auto hostile = QStringLiteral("user.<img src=\"/a/file\"> & <b>bold</b>");

QLabel* toolTip() {
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible()) return qobject_cast<QLabel*>(widget);
    return nullptr;
}

}  // namespace

/// Names that look like HTML are shown as they are, wherever a label or a tool tip has them.
class PlainLabelsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { showLabelsAsPlainText(*qApp); }
    void cleanup() { QToolTip::hideText(); }

    void labelsShowTheirTextAsItIs() {
        QLabel label(hostile);
        label.show();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(label.sizeHint().height(), QLabel(QStringLiteral("text")).sizeHint().height());
        QCOMPARE(label.sizeHint().width() >= label.fontMetrics().horizontalAdvance(hostile), true);
    }

    void labelsThatAreMeantToBeRichStay() {
        QLabel label;
        label.setTextFormat(Qt::RichText);
        label.setText(QStringLiteral("<b>title</b>"));
        label.show();
        QCOMPARE(label.textFormat(), Qt::RichText);
    }

    void questionsShowTheirTextAsItIs() {
        QMessageBox box(QMessageBox::Question, QStringLiteral("Delete"), hostile, QMessageBox::Yes);
        box.show();
        auto* text = box.findChild<QLabel*>(QStringLiteral("qt_msgbox_label"));
        QVERIFY(text);
        QCOMPARE(text->textFormat(), Qt::PlainText);
    }

    void toolTipsOfWidgetsAndRowsAndThoseShownByHandAreTexts() {
        QListWidget list;
        list.addItem(QStringLiteral("row"));
        list.item(0)->setToolTip(hostile);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        const QPoint inside = list.visualItemRect(list.item(0)).center();
        QHelpEvent help(QEvent::ToolTip, inside, list.viewport()->mapToGlobal(inside));
        QApplication::sendEvent(list.viewport(), &help);
        QTRY_VERIFY(toolTip());
        QCOMPARE(toolTip()->textFormat(), Qt::PlainText);
        QCOMPARE(toolTip()->text(), hostile);
        QToolTip::hideText();
        QTRY_VERIFY(!toolTip());
        QToolTip::showText(QPoint(10, 10), hostile, &list);
        QTRY_VERIFY(toolTip());
        QCOMPARE(toolTip()->textFormat(), Qt::PlainText);
    }
};

QTEST_MAIN(PlainLabelsTest)
#include "tst_plain_labels.moc"
