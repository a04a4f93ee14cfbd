#include <QAbstractItemModelTester>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "tests/ui/spots/fake_spots.h"
#include "ui/spots/spot_table.h"

using ks::tests::fake_spots;
using ks::ui::spots::SpotTableModel;

namespace {

double shown(const SpotTableModel& model, int row, int column) {
    return model.index(row, column).data(SpotTableModel::numberRole).toDouble();
}

}  // namespace

class SpotTableModelTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheRulesOfItemModels() {
        SpotTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSpots(fake_spots(40), 0);
        const QPersistentModelIndex held = model.index(7, SpotTableModel::SumColumn);
        const QString sum = held.data().toString();
        model.sort(SpotTableModel::SumColumn, Qt::DescendingOrder);
        QCOMPARE(held.data().toString(), sum);
        QCOMPARE(model.spotAt(held.row()), 7);
        model.setAccepted([](int spot) { return spot % 3 == 0; });
        QCOMPARE(model.rowCount(), 14);
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(model.rows().front(), 0);
        model.setSpots({}, 0);
        QCOMPARE(model.rowCount(), 0);
    }

    void everyColumnSortsAsAStableSortInTheOpenDoes() {
        const auto spots = fake_spots(500);
        for (int column = 0; column < SpotTableModel::ColumnCount; ++column) {
            for (const bool up : {true, false}) {
                SpotTableModel model;
                model.setSpots(spots, 5);
                // Insertion by hand, row by row: nothing of std::sort, and unknown values at the end.
                std::vector<int> expected;
                for (int spot = 0; spot < 500; ++spot) {
                    const double value = model.number(spot, static_cast<SpotTableModel::Column>(column));
                    auto at = expected.begin();
                    for (; at != expected.end(); ++at) {
                        const double other = model.number(*at, static_cast<SpotTableModel::Column>(column));
                        if (!std::isnan(value) && (std::isnan(other) || (up ? value < other : value > other)))
                            break;
                    }
                    expected.insert(at, spot);
                }
                model.sort(column, up ? Qt::AscendingOrder : Qt::DescendingOrder);
                QCOMPARE(model.rows(), expected);
            }
        }
    }

    void equalValuesKeepTheOrderOfTheSortBefore() {
        SpotTableModel model;
        model.setSpots(fake_spots(300), 0);
        model.sort(SpotTableModel::SumColumn, Qt::DescendingOrder);
        model.sort(SpotTableModel::PixelsColumn, Qt::AscendingOrder);
        for (int row = 1; row < model.rowCount(); ++row) {
            const double before = shown(model, row - 1, SpotTableModel::PixelsColumn);
            const double now = shown(model, row, SpotTableModel::PixelsColumn);
            QVERIFY(before <= now);
            if (before == now)
                QVERIFY(shown(model, row - 1, SpotTableModel::SumColumn) >=
                        shown(model, row, SpotTableModel::SumColumn));
        }
    }

    void theOrderOutlivesAFilter() {
        SpotTableModel model;
        model.setSpots(fake_spots(200), 0);
        model.sort(SpotTableModel::DColumn, Qt::AscendingOrder);
        const std::vector<int> whole = model.rows();
        model.setAccepted([](int spot) { return spot < 50; });
        std::vector<int> some;
        for (const int spot : whole)
            if (spot < 50) some.push_back(spot);
        QCOMPARE(model.rows(), some);
        QCOMPARE(model.rowOf(60), -1);
        QCOMPARE(model.rowOf(some[3]), 3);
        model.setAccepted({});
        QCOMPARE(model.rows(), whole);
    }

    void whatIsUnknownIsADash() {
        ks::spots::Spot spot;
        spot.n_signal = 4;
        spot.sum = 100;
        SpotTableModel model;
        model.setSpots({spot}, 0);
        for (const int column : {SpotTableModel::BackgroundColumn, SpotTableModel::SignificanceColumn,
                                 SpotTableModel::DColumn, SpotTableModel::QColumn}) {
            QCOMPARE(model.index(0, column).data().toString(), QString::fromUtf8("\u2013"));
            QVERIFY(std::isnan(shown(model, 0, column)));
        }
    }

    void significanceIsInUnitsOfTheErrorOfTheSum() {
        ks::spots::Spot spot;
        spot.n_signal = 5;
        spot.sum = 400;
        spot.background = 20;
        QCOMPARE(ks::ui::spots::significance(spot), 15.0);  // (400 - 100) / 20
        spot.sum = 0;
        QVERIFY(std::isnan(ks::ui::spots::significance(spot)));
    }

    void framesAreThoseOfTheFile() {
        ks::spots::Spot spot;
        spot.z0 = 2;
        spot.z1 = 5;
        spot.z = 3.25;
        SpotTableModel model;
        model.setSpots({spot}, 100);
        QCOMPARE(model.index(0, SpotTableModel::FramesColumn).data().toString(),
                 QString::fromUtf8("102\u2013104"));
        QCOMPARE(model.index(0, SpotTableModel::ZColumn).data().toString(), QString("103.25"));
        spot.z1 = 3;
        model.setSpots({spot}, 100);
        QCOMPARE(model.index(0, SpotTableModel::FramesColumn).data().toString(), QString("102"));
    }
};

QTEST_APPLESS_MAIN(SpotTableModelTest)
#include "tst_spot_table_model.moc"
