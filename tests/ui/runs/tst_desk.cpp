#include <QSignalSpy>
#include <QtTest>

#include "ui/runs/desk.h"
#include "ui/runs/run_table_model.h"

using namespace ks::ui;

/// What the desk keeps, and whom it tells.
class DeskTest : public QObject {
    Q_OBJECT

    static ks::Ceilings measured(const char* device, double rate) {
        ks::Ceilings all;
        all.device.backend = "opencl";
        all.device.name = device;
        all.values.push_back({"copy", "Copy", "B/s", "1 MiB", 1, {rate}});
        return all;
    }
    static double rateOf(const Desk& desk, std::size_t i) {
        return desk.catalogue().ceilings.at(i).values.front().median();
    }

  private slots:
    void newCeilingsReplaceThoseOfTheSameDevice() {
        Desk desk(std::make_shared<const ks::Registry>());
        ks::wire::Catalogue catalogue;
        catalogue.ceilings = {measured("one", 1), measured("two", 2)};
        desk.setCatalogue(catalogue);
        QSignalSpy changed(&desk, &Desk::ceilingsChanged);
        desk.takeCeilings(measured("one", 3));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(desk.catalogue().ceilings.size(), std::size_t{2});
        QCOMPARE(rateOf(desk, 0), 2.0);
        QCOMPARE(rateOf(desk, 1), 3.0);
    }

    void whetherSomethingCanBeMeasuredIsReportedOnceForEachChange() {
        Desk desk(std::make_shared<const ks::Registry>());
        QSignalSpy changed(&desk, &Desk::measurableChanged);
        for (const bool now : {false, true, true, false}) desk.setMeasurable(now);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed.first().first().toBool(), true);
        QCOMPARE(changed.last().first().toBool(), false);
    }

    void pagesReadTheRunsAndAreToldWhenTheyChange() {
        Desk desk(std::make_shared<const ks::Registry>());
        QVERIFY(desk.runs().empty());
        RunTableModel table;
        desk.setRuns(table);
        QSignalSpy changed(&desk, &Desk::runsChanged);
        std::vector<int> numbers;
        connect(&desk, &Desk::runsChanged, this, [&] {
            numbers.clear();
            for (const RunRow& row : desk.runs()) numbers.push_back(row.number);
        });
        for (int i = 0; i < 3; ++i) table.addRun(std::make_shared<const ks::Run>(), true);
        QCOMPARE(numbers, (std::vector<int>{3, 2, 1}));
        table.removeRun(2);
        QCOMPARE(numbers, (std::vector<int>{3, 1}));
        const qsizetype before = changed.count();
        table.setVerdict(1, ks::Verdict());
        QVERIFY(changed.count() > before);
    }

    void aRequestNamesThePageThatMadeIt() {
        Desk desk(std::make_shared<const ks::Registry>());
        QObject page;
        Sweep mine(&page), other(&page);
        QSignalSpy wanted(&desk, &Desk::sweepWanted);
        desk.sweep(mine, {ks::BenchPlan()});
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.first().first().value<Sweep*>(), &mine);
    }
};

QTEST_MAIN(DeskTest)
#include "tst_desk.moc"
