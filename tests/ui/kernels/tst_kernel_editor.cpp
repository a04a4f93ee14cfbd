#include <QSignalSpy>
#include <QTextBlock>
#include <QtTest>

#include "ui/kernels/kernel_editor.h"

using namespace ks::ui;

/// Keys of the editor of kernels.
class KernelEditorTest : public QObject {
    Q_OBJECT
    static void choose(KernelEditor& editor, int from, int to) {
        QTextCursor cursor(editor.document());
        cursor.setPosition(from);
        cursor.setPosition(to, QTextCursor::KeepAnchor);
        editor.setTextCursor(cursor);
    }

  private slots:
    void tabGoesToTheNextStep() {
        KernelEditor editor;
        editor.setText("ab");
        choose(editor, 2, 2);
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("ab  "));
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("ab      "));
    }

    void tabAndBacktabMoveTheChosenLines() {
        KernelEditor editor;
        editor.setText("a\n  b\n\nc\nd");
        choose(editor, 0, 8);  // to the begin of "d"'s line: that line stays
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("    a\n      b\n\n    c\nd"));
        QTest::keyClick(&editor, Qt::Key_Backtab);
        QCOMPARE(editor.toPlainText(), QString("a\n  b\n\nc\nd"));
        QTest::keyClick(&editor, Qt::Key_Backtab);
        QCOMPARE(editor.toPlainText(), QString("a\nb\n\nc\nd"));
        editor.undo();
        QCOMPARE(editor.toPlainText(), QString("a\n  b\n\nc\nd"));
    }

    void returnKeepsTheIndentation() {
        KernelEditor editor;
        editor.setText("    if (x) {");
        choose(editor, 12, 12);
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("    if (x) {\n        "));
        QTest::keyClicks(&editor, "y;");
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("    if (x) {\n        y;\n        "));
    }

    void homeGoesToTheFirstLetterThenToTheBegin() {
        KernelEditor editor;
        editor.setText("    abc");
        choose(editor, 7, 7);
        QTest::keyClick(&editor, Qt::Key_Home);
        QCOMPARE(editor.textCursor().position(), 4);
        QTest::keyClick(&editor, Qt::Key_Home);
        QCOMPARE(editor.textCursor().position(), 0);
    }

    void commentsComeAndGo() {
        KernelEditor editor;
        editor.setText("  a\nb");
        choose(editor, 0, 5);
        QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString("  // a\n// b"));
        QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString("  a\nb"));
    }

    void messagesStayWithTheirLines() {
        KernelEditor editor;
        editor.setText("a\nb\nc");
        editor.setMessages({{2, {CodeView::Mark::error, "no c"}}});
        QVERIFY(editor.marks().contains(2));
        choose(editor, 0, 0);
        QTest::keyClick(&editor, Qt::Key_Return);
        QTRY_VERIFY(editor.marks().contains(3));
        QVERIFY(!editor.marks().contains(2));
        choose(editor, 6, 6);
        editor.setTextCursor(QTextCursor(editor.document()->firstBlock()));
        QCOMPARE(editor.messageHere(), QString());
        editor.setTextCursor(QTextCursor(editor.document()->findBlockByNumber(3)));
        QCOMPARE(editor.messageHere(), QString("no c"));
    }

    void replacingTheTextIsOneStepThatCanBeUndone() {
        KernelEditor editor;
        editor.setText("a\nb\nc");
        editor.setTextCursor(QTextCursor(editor.document()->findBlockByNumber(1)));
        editor.replaceText("x\ny\nz");
        QCOMPARE(editor.textCursor().blockNumber(), 1);
        editor.undo();
        QCOMPARE(editor.toPlainText(), QString("a\nb\nc"));
    }
};

QTEST_MAIN(KernelEditorTest)
#include "tst_kernel_editor.moc"
