#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QtTest>

#include "ui/base/input/focus_outline.h"
#include "ui/runs/stages_view.h"

using ks::ui::FocusOutline;
using ks::ui::StagesView;

/// What has no frame of its own shows that it has the focus.
class StagesFocusTest : public QObject {
    Q_OBJECT
    /// The colour of the line around it, if there is one.
    static bool hasLine(QWidget& widget) {
        const QImage seen = widget.grab().toImage();
        const QRgb line = widget.palette().color(QPalette::Highlight).rgb();
        return seen.pixel(0, seen.height() / 2) == line &&
               seen.pixel(seen.width() - 1, seen.height() / 2) == line;
    }

  private slots:
    void theStagesShowTheirFocus() {
        StagesView view(QStringLiteral("Stages"));
        view.resize(500, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        auto& scroll = *view.findChild<QScrollArea*>();
        view.findChild<QWidget*>("kernelsOnly")->setFocus();
        QVERIFY(!hasLine(scroll));
        scroll.setFocus();
        QVERIFY(hasLine(scroll));
        // The plot in it, too.
        view.findChild<QWidget*>("kernelsOnly")->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(scroll.isAncestorOf(QApplication::focusWidget()) || &scroll == QApplication::focusWidget());
        QVERIFY(hasLine(scroll));
        view.findChild<QWidget*>("kernelsOnly")->setFocus();
        QVERIFY(!hasLine(scroll));
    }

    void theLineFollowsTheSizeAndLeavesTheMouseAlone() {
        QWidget window;
        auto* text = new QPlainTextEdit(&window);
        auto* other = new QPlainTextEdit(&window);
        auto* rows = new QVBoxLayout(&window);
        rows->addWidget(text);
        rows->addWidget(other);
        text->setFrameShape(QFrame::NoFrame);
        text->setPlainText("sum 3");
        auto* outline = new FocusOutline(text);
        window.resize(300, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other->setFocus();
        QVERIFY(!hasLine(*text));
        text->setFocus();
        QVERIFY(hasLine(*text));
        window.resize(400, 300);
        QTRY_COMPARE(outline->size(), text->size());
        QVERIFY(hasLine(*text));
        QVERIFY(outline->testAttribute(Qt::WA_TransparentForMouseEvents));
    }
};

QTEST_MAIN(StagesFocusTest)
#include "tst_stages_focus.moc"
