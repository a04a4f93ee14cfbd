#include <QScrollBar>
#include <QTableView>
#include <QtTest>

#include "ui/xpcs/bins_panel.h"

using ks::ui::xpcs::BinRow;
using ks::ui::xpcs::BinsPanel;
using ks::ui::xpcs::BinTableModel;

class BinsPanelTest : public QObject {
    Q_OBJECT
  private slots:
    void numbersStandApartHoweverNarrowTheDockIs() {
        BinsPanel panel;
        std::vector<BinRow> rows;
        for (int label = 1; label <= 12; ++label)
            rows.push_back({label, 0.000689 * label, 1234, Qt::red, true});
        panel.model().setBins(rows, false);
        panel.resize(238, 180);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto* view = panel.findChild<QTableView*>();
        const int margin = view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, view) + 1;
        for (int row = 0; row < 12; ++row) {
            const QString text = panel.model().index(row, BinTableModel::QColumn).data().toString();
            const int left = view->columnWidth(BinTableModel::QColumn) - margin -
                             view->fontMetrics().horizontalAdvance(text);
            QVERIFY2(left >= margin + 3, qPrintable(QStringLiteral("%1: %2 px").arg(text).arg(left)));
        }
        const int whole = view->iconSize().width() + view->fontMetrics().horizontalAdvance("12") + 4 * margin;
        QVERIFY(view->columnWidth(BinTableModel::LabelColumn) >= whole);
        QStringList widths;
        for (int column = 0; column < BinTableModel::ColumnCount; ++column)
            widths << QString::number(view->columnWidth(column));
        QVERIFY2(!view->horizontalScrollBar()->isVisible(),
                 qPrintable(QStringLiteral("%1 in %2").arg(widths.join(' ')).arg(view->viewport()->width())));
    }

    void theTipOfABinCountsItsPixels() {
        BinsPanel panel;
        panel.model().setBins({{1, 0.1, 1, Qt::red, true}, {2, 0.2, 1234, Qt::red, true}}, false);
        const auto tip = [&panel](int row) {
            return panel.model().index(row, BinTableModel::QColumn).data(Qt::ToolTipRole).toString();
        };
        QVERIFY2(tip(0).startsWith("Bin 1, 1 pixel."), qPrintable(tip(0)));
        QVERIFY2(tip(1).startsWith("Bin 2, 1,234 pixels."), qPrintable(tip(1)));
    }

    void spaceSwitchesABinWhicheverCellIsTheCurrentOne() {
        BinsPanel panel;
        panel.model().setBins({{1, 0.1, 9, Qt::red, true}, {2, 0.2, 9, Qt::red, true}}, false);
        panel.resize(300, 200);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        for (int column = 0; column < BinTableModel::ColumnCount; ++column) {
            if (panel.view().isColumnHidden(column)) continue;
            panel.view().setCurrentIndex(panel.model().index(1, column));
            QTest::keyClick(&panel.view(), Qt::Key_Space);
            QCOMPARE(panel.model().labelsOff(), std::vector<int>{2});
            QTest::keyClick(&panel.view(), Qt::Key_Space);
            QCOMPARE(panel.model().labelsOff(), std::vector<int>());
        }
    }

    void keysSelectTheBinThatThePictureShows() {
        BinsPanel panel;
        std::vector<BinRow> rows;
        for (int label = 1; label <= 9; ++label) rows.push_back({label, 0.001 * label, 1234, Qt::red, true});
        rows[3].pixels = 0;
        panel.model().setBins(rows, false);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTableView& view = panel.view();
        QSignalSpy picked(&panel, &BinsPanel::picked);
        const auto newest = [&] { return picked.isEmpty() ? 0 : picked.takeLast().front().toInt(); };
        const auto click = [&](int row, int column) {
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                              view.visualRect(panel.model().index(row, column)).center());
            QCoreApplication::processEvents();
        };
        const auto selected = [&] {
            const QModelIndexList all = view.selectionModel()->selectedRows();
            return all.isEmpty() ? -1 : all.front().row();
        };
        click(1, BinTableModel::LabelColumn);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(newest(), 2);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(newest(), 3);
        // Past the empty one, which is hidden.
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(newest(), 5);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(newest(), 3);
        QTest::keyClicks(&view, "8");
        QCOMPARE(newest(), 8);
        QCOMPARE(selected(), 7);
        // The box of another bin is not a choice of that bin.
        picked.clear();
        click(2, BinTableModel::OnColumn);
        QVERIFY(picked.isEmpty());
        QCOMPARE(selected(), 7);
        // What the program selects is not reported.
        panel.select(5);
        QCOMPARE(selected(), 4);
        panel.select(0);
        QCOMPARE(selected(), -1);
        QVERIFY(picked.isEmpty());
    }
};

QTEST_MAIN(BinsPanelTest)
#include "tst_bins_panel.moc"
