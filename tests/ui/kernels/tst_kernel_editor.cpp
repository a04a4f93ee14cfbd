#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTextBlock>
#include <QToolButton>
#include <QtTest>

#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/bars/line_bar.h"
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
    void ctrlYRedoes() {
        KernelEditor editor;
        QTest::keyClicks(&editor, "ab");
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString());
        QTest::keyClick(&editor, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString("ab"));
    }

    void tabGoesToTheNextStep() {
        KernelEditor editor;
        editor.setPlainText("ab");
        choose(editor, 2, 2);
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("ab  "));
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("ab      "));
    }

    void tabAndBacktabMoveTheChosenLines() {
        KernelEditor editor;
        editor.setPlainText("a\n  b\n\nc\nd");
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
        editor.setPlainText("    if (x) {");
        choose(editor, 12, 12);
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("    if (x) {\n        "));
        QTest::keyClicks(&editor, "y;");
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("    if (x) {\n        y;\n        "));
    }

    void homeGoesToTheFirstLetterThenToTheBegin() {
        KernelEditor editor;
        editor.setPlainText("    abc");
        choose(editor, 7, 7);
        QTest::keyClick(&editor, Qt::Key_Home);
        QCOMPARE(editor.textCursor().position(), 4);
        QTest::keyClick(&editor, Qt::Key_Home);
        QCOMPARE(editor.textCursor().position(), 0);
    }

    void commentsComeAndGo() {
        KernelEditor editor;
        editor.setPlainText("  a\nb");
        choose(editor, 0, 5);
        QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString("  // a\n// b"));
        QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString("  a\nb"));
    }

    void messagesStayWithTheirLines() {
        KernelEditor editor;
        editor.setPlainText("a\nb\nc");
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
        editor.setPlainText("a\nb\nc");
        editor.setTextCursor(QTextCursor(editor.document()->findBlockByNumber(1)));
        editor.replaceText("x\ny\nz");
        QCOMPARE(editor.textCursor().blockNumber(), 1);
        editor.undo();
        QCOMPARE(editor.toPlainText(), QString("a\nb\nc"));
    }

    void replacingOnePlaceGoesToTheNext() {
        KernelEditor editor;
        FindBar bar(editor);
        editor.setPlainText("int a = a;\nint A;\n");
        bar.beginReplacing();
        bar.field().setText("a");
        QCOMPARE(bar.found().text(), QString("3 matches"));
        bar.replaceRow()->field().setText("bb");
        QTest::keyClick(&bar.replaceRow()->field(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("int bb = a;\nint A;\n"));
        QCOMPARE(editor.textCursor().selectedText(), QString("a"));
        QTest::keyClick(&bar.replaceRow()->field(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("int bb = bb;\nint A;\n"));
        QTest::keyClick(&bar.replaceRow()->field(), Qt::Key_Escape);
        QVERIFY(bar.isHidden());
    }

    void allPlacesAreReplacedAsOneStepOfUndo() {
        KernelEditor editor;
        FindBar bar(editor);
        const QString text = "int a = a;\nint A;\n";
        editor.setPlainText(text);
        bar.beginReplacing();
        bar.field().setText("a");
        bar.replaceRow()->field().setText("aa");  // which holds what is searched
        bar.replaceRow()->replaceAll();
        QCOMPARE(editor.toPlainText(), QString("int aa = aa;\nint aa;\n"));
        QCOMPARE(bar.found().text(), QString("3 replaced"));
        editor.undo();
        QCOMPARE(editor.toPlainText(), text);
        bar.matchCase().setChecked(true);
        QCOMPARE(bar.found().text(), QString("2 matches"));
        bar.replaceRow()->replaceAll();
        QCOMPARE(editor.toPlainText(), QString("int aa = aa;\nint A;\n"));
        bar.field().setText("");
        bar.replaceRow()->replaceAll();
        QCOMPARE(editor.toPlainText(), QString("int aa = aa;\nint A;\n"));
    }

    void aTextThatIsReadHasNothingToReplace() {
        CodeView view;
        FindBar bar(view);
        QVERIFY(!bar.replaceRow() && !bar.replaceAction());
    }

    void aLineIsGoneToByItsNumber() {
        KernelEditor editor;
        LineBar bar(editor);
        editor.setPlainText("a\nb\nc\nd");
        const auto enter = [&](const char* number) {
            bar.begin();
            bar.field().setText(number);
            QTest::keyClick(&bar.field(), Qt::Key_Return);
            return editor.textCursor().blockNumber();
        };
        QCOMPARE(enter("3"), 2);
        QVERIFY(bar.isHidden());
        QCOMPARE(enter("99"), 3);
        QCOMPARE(enter("0"), 0);
        QCOMPARE(enter("2"), 1);
        QCOMPARE(enter("x"), 1);
        QVERIFY2(!bar.isHidden(), "it asks again");
        QTest::keyClick(&bar.field(), Qt::Key_Escape);
        QVERIFY(bar.isHidden());
    }
};

QTEST_MAIN(KernelEditorTest)
#include "tst_kernel_editor.moc"
