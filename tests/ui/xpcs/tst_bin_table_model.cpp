#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <limits>

#include "ui/xpcs/bins_panel.h"

using ks::ui::xpcs::BinRow;
using ks::ui::xpcs::BinTableModel;

class BinTableModelTest : public QObject {
    Q_OBJECT
    static std::vector<BinRow> sample() {
        return {{1, 0.0123, 940, Qt::red, true},
                {2, std::numeric_limits<double>::quiet_NaN(), 0, Qt::blue, true},
                {3, 0.034, 12, Qt::green, true}};
    }

  private slots:
    void keepsTheRulesOfItemModels() {
        BinTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setBins(sample(), false);
        QVERIFY(model.setData(model.index(2, BinTableModel::OnColumn), Qt::Unchecked, Qt::CheckStateRole));
        model.setOff({1, 3});
        model.setCounts({1.5, 2.5, 3.5});
        model.setAll(false);
        model.setAll(true);
        model.setBins({}, true);
        QCOMPARE(model.rowCount(), 0);
        model.setAll(true);
        model.setOff({});
        model.setCounts({});
    }

    void unknownQIsADashNotANumber() {
        BinTableModel model;
        model.setBins(sample(), false);
        QCOMPARE(model.index(0, BinTableModel::QColumn).data().toString(), QString("0.0123"));
        QCOMPARE(model.index(1, BinTableModel::QColumn).data().toString(), QString::fromUtf8("–"));
        QCOMPARE(model.index(0, BinTableModel::PixelsColumn).data().toString(), QString("940"));
    }

    void aBinCanBeSwitchedOffAndStaysOff() {
        BinTableModel model;
        model.setBins(sample(), false);
        QSignalSpy switched(&model, &BinTableModel::switched);
        QVERIFY(model.setData(model.index(2, BinTableModel::OnColumn), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(switched.count(), 1);
        QCOMPARE(model.labelsOff(), std::vector<int>{3});
        model.setBins(sample(), true);
        QCOMPARE(model.labelsOff(), std::vector<int>{3});
        model.setBins(sample(), false);
        QVERIFY(model.labelsOff().empty());
    }
};

QTEST_APPLESS_MAIN(BinTableModelTest)
#include "tst_bin_table_model.moc"
