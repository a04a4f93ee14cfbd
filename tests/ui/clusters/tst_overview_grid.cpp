#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/clusters/modules/module_overview.h"

using ks::clusters::layout_named;
using ks::ui::clusters::OverviewGrid;

class OverviewGridTest : public QObject {
    Q_OBJECT
  private slots:
    void everyModuleOfALayoutHasItsOwnCellInTheBlockOfItsLayer() {
        const auto& layout = layout_named("phase1");
        const OverviewGrid grid(layout, layout.modules, {300, 260});
        QCOMPARE(grid.cells(), std::size_t{1856});
        QCOMPARE(grid.blocks().size(), layout.layers.size());
        std::set<std::pair<double, double>> taken;
        for (std::size_t module = 0; module < grid.cells(); ++module) {
            const QRectF cell = grid.cell(module);
            QVERIFY(taken.emplace(cell.x(), cell.y()).second);
            QCOMPARE(*grid.at(cell.center()), module);
            const auto& block = grid.blocks()[layout.layer_of(module)];
            QVERIFY(cell.top() >= block.top && cell.bottom() <= block.top + static_cast<double>(block.rows));
            QVERIFY(cell.right() <= static_cast<double>(grid.columns()) && cell.bottom() <= grid.height());
        }
        QVERIFY(!grid.at({-0.5, 0.5}) && !grid.at({0.5, grid.height() + 1}));
    }

    void cellsAreAboutAsLargeAsTheRoomAllows() {
        for (const QSizeF& room : {QSizeF(300, 260), QSizeF(900, 200), QSizeF(120, 500)}) {
            const OverviewGrid grid(layout_named("free"), 1000, room);
            const double side =
                std::min(room.width() / static_cast<double>(grid.columns()), room.height() / grid.height());
            // 1000 squares without any waste would be this large.
            QVERIFY(side > 0.85 * std::sqrt(room.width() * room.height() / 1000));
        }
    }

    void keysGoToTheNeighbourAndStayAtTheEnds() {
        const auto& layout = layout_named("phase1");
        const OverviewGrid grid(layout, layout.modules, {300, 260});
        QCOMPARE(grid.moved(5, 1, 0), std::size_t{6});
        QCOMPARE(grid.moved(0, -1, 0), std::size_t{0});
        QCOMPARE(grid.moved(1855, 1, 0), std::size_t{1855});
        QCOMPARE(grid.moved(3, 0, -1), std::size_t{3});
        std::size_t at = 3, steps = 0;
        for (std::size_t next = grid.moved(at, 0, 1); next != at; next = grid.moved(at, 0, 1), ++steps) {
            QVERIFY(grid.cell(next).top() > grid.cell(at).top());
            at = next;
        }
        std::size_t rows = 0;
        for (const auto& block : grid.blocks()) rows += block.rows;
        QCOMPARE(steps + 1, rows);
    }

    void nothingToShowIsNoTrouble() {
        const OverviewGrid none(layout_named("free"), 0, {100, 100});
        QCOMPARE(none.cells(), std::size_t{0});
        QVERIFY(!none.at({0.5, 0.5}));
        QCOMPARE(OverviewGrid(layout_named("timepix"), 1, {100, 100}).columns(), std::size_t{1});
    }
};

QTEST_MAIN(OverviewGridTest)
#include "tst_overview_grid.moc"
