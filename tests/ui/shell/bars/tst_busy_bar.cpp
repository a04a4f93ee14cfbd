#include <QtTest>

#include "ui/base/appearance.h"
#include "ui/shell/bars/status_line.h"

using namespace ks::ui;

class BusyBarTest : public QObject {
    Q_OBJECT

    /// Columns of the middle line in the colour of the highlight.
    static int filled(BusyBar& bar) {
        const QImage image = bar.grab().toImage();
        const QRgb highlight = bar.palette().color(QPalette::Highlight).rgb();
        int columns = 0;
        for (int x = 0; x < image.width(); ++x) columns += image.pixel(x, image.height() / 2) == highlight;
        return columns;
    }

  private slots:
    void cleanup() { applyAppearance(*qApp, Appearance::light); }

    void whereNothingTellsHowFarItIsABlockMoves_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void whereNothingTellsHowFarItIsABlockMoves() {
        QFETCH(bool, dark);
        applyAppearance(*qApp, dark ? Appearance::dark : Appearance::light);
        BusyBar bar;
        bar.setTextVisible(false);
        bar.resize(160, 16);
        bar.setRange(0, 0);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        const QRect begin = bar.block();
        QTRY_VERIFY(bar.block().left() > begin.left() + 20);
        QVERIFY(bar.rect().contains(bar.block()));
        const int columns = filled(bar);
        QVERIFY2(columns > 20 && columns < 60, qPrintable(QString::number(columns)));
        QTRY_VERIFY(bar.block().right() >= 150);
        const int turned = bar.block().left();
        QTRY_VERIFY(bar.block().left() < turned - 20);
    }

    void withAFractionItIsABarAsAnyOther() {
        BusyBar bar;
        bar.setRange(0, 1000);
        bar.setValue(500);
        QVERIFY(!bar.busy());
        bar.setRange(0, 0);
        QVERIFY(bar.busy());
    }
};

QTEST_MAIN(BusyBarTest)
#include "tst_busy_bar.moc"
