#include <QtTest>

#include "ui/base/elided_label.h"

using ks::ui::ElidedLabel;

class ElidedLabelTest : public QObject {
    Q_OBJECT
  private slots:
    void theLongestTextThatFitsIsShown() {
        const QString whole = QStringLiteral("Run 7 of other parameters, frame 3: 12 spots"),
                      brief = QStringLiteral("Run 7: 12 spots"), least = QStringLiteral("12 spots");
        ElidedLabel label;
        const QFontMetrics metrics = label.fontMetrics();
        label.setWhole(whole, {brief, least});
        for (const QString& text : {whole, brief, least}) {
            label.resize(metrics.horizontalAdvance(text) + 1, 20);
            label.grab();
            QCOMPARE(label.text(), text);
        }
        label.resize(metrics.horizontalAdvance(least) / 2, 20);
        label.grab();
        QVERIFY(label.text() != least && label.text().startsWith(least.left(1)));
        QCOMPARE(label.whole(), whole);
        QCOMPARE(label.toolTip(), whole);
    }

    void theRoomThatItAsksForDoesNotFollowTheText() {
        ElidedLabel label;
        label.setUsual(QStringLiteral("Run 88: 888 spots"));
        const int wanted = label.sizeHint().width();
        QVERIFY(wanted >= label.fontMetrics().horizontalAdvance(QStringLiteral("Run 88: 888 spots")));
        label.resize(wanted, 20);
        label.setWhole(QStringLiteral("A text that is much longer than the usual one"));
        QCOMPARE(label.sizeHint().width(), wanted);
        QCOMPARE(label.minimumSizeHint().width(), 0);
    }
};

QTEST_MAIN(ElidedLabelTest)
#include "tst_elided_label.moc"
