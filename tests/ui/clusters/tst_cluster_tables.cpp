#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <utility>

#include "tests/ui/clusters/made_digis.h"
#include "ui/base/save_folders.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/clusters/cluster_table_model.h"
#include "ui/clusters/difference_panel.h"

using namespace ks::ui;
using namespace ks::ui::clusters;

class ClusterTablesTest : public QObject {
    Q_OBJECT
    std::shared_ptr<const DigiSet> digis_ = digiSet(someDigis(), "phase1");
    std::shared_ptr<const RunClusters> run_ =
        std::make_shared<const RunClusters>(labelledRun(*digis_, someLabels()), 1, digis_);

  private slots:
    void theModelsKeepTheRulesOfItemModels() {
        using Tester = QAbstractItemModelTester;
        ClusterTableModel clusters;
        const Tester one(&clusters, Tester::FailureReportingMode::QtTest);
        clusters.setRun(run_);
        QCOMPARE(clusters.rowCount(), 5);
        const QPersistentModelIndex held = clusters.index(3, ClusterTableModel::ChargeColumn);
        const QString charge = held.data().toString();
        clusters.sort(ClusterTableModel::ChargeColumn, Qt::DescendingOrder);
        QCOMPARE(held.data().toString(), charge);
        QCOMPARE(clusters.index(0, ClusterTableModel::ChargeColumn).data().toString(), QString("4000"));
        clusters.setRun(nullptr);
        QCOMPARE(clusters.rowCount(), 0);

        ModuleTableModel modules;
        const Tester two(&modules, Tester::FailureReportingMode::QtTest);
        modules.setEvent(digis_, run_, 0);
        QCOMPARE(modules.rowCount(), 1856);
        modules.sort(ModuleTableModel::DigisColumn, Qt::DescendingOrder);
        QCOMPARE(modules.itemAt(0), 3);
        modules.setEvent(digis_, run_, 1);
        QCOMPARE(modules.number(3, ModuleTableModel::DigisColumn), 2.0);
        modules.setEvent(nullptr, nullptr, 0);

        DifferenceModel differences;
        const Tester three(&differences, Tester::FailureReportingMode::QtTest);
        const auto other = std::make_shared<const RunClusters>(labelledRun(*digis_, fourLabels()), 2, digis_);
        differences.setDifference(std::make_shared<const DifferenceOfRuns>(differenceOf(*run_, *other)), run_,
                                  other);
        QCOMPARE(differences.rowCount(), 1);
        QCOMPARE(differences.text(0, DifferenceModel::KindColumn), QString("split"));
        QCOMPARE(differences.text(0, DifferenceModel::LayerColumn), QString("BL1"));
        // The table of clusters has their centroids: centres of boxes go by another name.
        const auto title = [](const auto& model, int column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QVERIFY(title(clusters, ClusterTableModel::XColumn) != title(differences, DifferenceModel::XColumn));
        QVERIFY(title(clusters, ClusterTableModel::YColumn) != title(differences, DifferenceModel::YColumn));
        differences.sort(DifferenceModel::KindColumn, Qt::DescendingOrder);
        differences.setAccepted([](int) { return false; });
        QCOMPARE(differences.rowCount(), 0);
        differences.setDifference(nullptr, nullptr, nullptr);
        QCOMPARE(differences.rowCount(), 0);
    }

    void aClusterTellsWhatWasMade() {
        ClusterTableModel model;
        model.setRun(run_);
        const auto text = [&](int column) { return model.text(0, column); };
        QCOMPARE(text(ClusterTableModel::LabelColumn), QString("0"));
        QCOMPARE(text(ClusterTableModel::ModuleColumn), QString("3"));
        QCOMPARE(text(ClusterTableModel::LayerColumn), QString("BL1"));
        QCOMPARE(text(ClusterTableModel::SizeColumn), QString("3"));
        QCOMPARE(text(ClusterTableModel::ChargeColumn), QString("600"));
        // (100 * 10.5 + 200 * 11.5 + 300 * 12.5) / 600
        QCOMPARE(text(ClusterTableModel::XColumn), QString("11.83"));
        QCOMPARE(text(ClusterTableModel::YColumn), QString("20.50"));
        QCOMPARE(text(ClusterTableModel::WidthXColumn), QString("3"));
        QCOMPARE(text(ClusterTableModel::WidthYColumn), QString("1"));
    }

    void typedConditionsLeaveOutRowsAndTheExportHasTheOthers() {
        ClusterTableModel model;
        model.setRun(run_);
        FilteredTable table(model, filterNames(model, "size > 5"), {"Clusters", "clusters", "", "clusters"});
        table.refresh("run first");
        QCOMPARE(table.counts(), QString("5 of 5 clusters"));
        table.setFilterText("size > 1, charge < 1000");
        QCOMPARE(table.counts(), QString("3 of 5 clusters"));
        QCOMPARE(QString::fromStdString(table.csv()).split('\n').size(), 5);
        QVERIFY(QString::fromStdString(table.csv()).startsWith("label,event,module,layer,size,charge,x,y,"));
        table.setFilterText("width_x = 3");
        QCOMPARE(model.rows(), std::vector<int>{0});
        table.setFilterText("colour > 3");
        QVERIFY2(table.message().contains("there is no column \"colour\""), qPrintable(table.message()));
        QCOMPARE(model.rows(), std::vector<int>{0});
        table.setFilterText("size > 100");
        QVERIFY(table.hint().contains("passes"));
        model.setRun(nullptr);
        table.refresh("run first");
        QCOMPARE(table.hint(), QString("run first"));
    }

    void anExportOfSomeRowsSaysSoInTitleNameAndMessage() {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("a.ini"), QSettings::IniFormat);
        QWidget window;
        SaveFolders folders(settings, &window);
        folders.remember("table", folder.filePath("any.csv"));
        ClusterTableModel model;
        model.setRun(run_);
        FilteredTable table(model, filterNames(model, ""), {"Clusters", "clusters", "", "clusters"}, &window);
        table.refresh("run first");
        QSignalSpy reported(&folders, &SaveFolders::reported);
        QString title;
        const auto exported = [&] {
            QTimer::singleShot(0, this, [&] {
                auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                QVERIFY(dialog);
                title = dialog->windowTitle();
                static_cast<QDialog*>(dialog)->accept();
            });
            for (auto* button : table.findChildren<QToolButton*>())
                if (button->text().startsWith("CSV")) button->click();
        };
        exported();
        QCOMPARE(title, QString("Export clusters"));
        QCOMPARE(reported.takeFirst()[0].toString(),
                 QString("Saved 5 clusters to ") + folder.filePath("clusters.csv"));
        table.setFilterText("size > 1, charge < 1000");
        exported();
        QCOMPARE(title, QString("Export 3 of 5 clusters"));
        QCOMPARE(reported.takeFirst()[0].toString(),
                 QString("Saved 3 of 5 clusters to ") + folder.filePath("clusters_filtered.csv"));
        QFile file(folder.filePath("clusters_filtered.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 4);
        table.setAccepted([](int item) { return item < 4; }, {}, "event7");
        QCOMPARE(table.exportLeaf(), QString("clusters_event7_filtered.csv"));
        table.setFilterText({});
        QCOMPARE(table.exportLeaf(), QString("clusters_event7.csv"));
        table.setAccepted([](int) { return true; }, {}, "event7");
        QCOMPARE(table.exportLeaf(), QString("clusters.csv"));
        table.setAccepted({});
        QCOMPARE(table.exportTitle(), QString("Export clusters"));
    }

    void whatWasAcceptedOfOtherItemsIsNotAskedAboutNewOnes() {
        ClusterTableModel model;
        model.setRun(run_);
        FilteredTable table(model, filterNames(model, ""), {"Clusters", "clusters", "", "clusters"});
        table.refresh("run first");
        int asked = -1;
        table.setAccepted([&](int item) { return asked = std::max(asked, item), item < 2; }, "none of two");
        QCOMPARE(model.rows(), (std::vector<int>{0, 1}));
        QCOMPARE(std::exchange(asked, -1), 4);
        model.setRun(std::make_shared<const RunClusters>(labelledRun(*digis_, fourLabels()), 2, digis_));
        table.setFilterText("size > 0");
        table.refresh("run first");
        QCOMPARE(asked, -1);
        QCOMPARE(table.counts(), QString("6 of 6 clusters"));
        table.setAccepted([](int) { return false; }, "none of six");
        table.setFilterText({});
        QCOMPARE(table.hint(), QString("none of six"));
    }
};

QTEST_MAIN(ClusterTablesTest)
#include "tst_cluster_tables.moc"
