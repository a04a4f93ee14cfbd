#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/io/csv/csv.h"
#include "tests/ui/spots/fake_spots.h"
#include "ui/spots/spot_table.h"

using ks::spots::Dropped;
using ks::spots::Spot;
using ks::tests::fake_run;
using ks::tests::fake_spots;
using ks::ui::spots::SpotTable;
using ks::ui::spots::SpotTableModel;

namespace {

std::vector<int> sorted(std::vector<int> some) {
    std::sort(some.begin(), some.end());
    return some;
}

template <class Holds>
std::vector<int> those(const std::vector<Spot>& spots, const Holds& holds) {
    std::vector<int> some;
    for (std::size_t i = 0; i < spots.size(); ++i)
        if (holds(spots[i])) some.push_back(static_cast<int>(i));
    return some;
}

}  // namespace

class SpotTableTest : public QObject {
    Q_OBJECT
    static void press(SpotTable& table, int row) {
        const QRect cell = table.view().visualRect(table.model().index(row, SpotTableModel::SumColumn));
        QTest::mouseClick(table.view().viewport(), Qt::LeftButton, {}, cell.center());
    }

  private slots:
    void withoutAResultItSaysWhatToDo() {
        SpotTable table;
        table.show();
        const auto hint = [&] { return table.view().viewport()->findChild<QLabel*>(); };
        QVERIFY(hint()->isVisible() && hint()->text().contains("F5"));
        QVERIFY(table.counts().isEmpty());
        table.setResult(fake_run({}));
        QVERIFY(hint()->isVisible() && hint()->text().contains("threshold"));
        QCOMPARE(table.counts(), QString("0 of 0 spots"));
        table.setResult(fake_run(fake_spots(10)));
        QVERIFY(!hint()->isVisible());
        table.setFilterText("sum < 0");
        QVERIFY(hint()->isVisible() && hint()->text().contains("filter"));
        table.setResult(nullptr);
        QCOMPARE(table.spots().size(), std::size_t(0));
        QVERIFY(hint()->text().contains("F5"));
    }

    void aResultWithoutSpotsIsRefusedAndLeavesAnEmptyTable() {
        SpotTable table;
        table.setResult(fake_run(fake_spots(10)));
        QVERIFY_EXCEPTION_THROWN(table.setResult(std::make_shared<ks::Run>()), ks::Error);
        QVERIFY(table.visibleSpots().empty());
        QVERIFY(table.counts().isEmpty());
    }

    void filtersLeaveWhatBruteForceLeaves() {
        const auto spots = fake_spots(1000);
        SpotTable table;
        table.setResult(fake_run(spots, 100));
        QVERIFY(table.keptOnly());
        const auto kept = those(spots, [](const Spot& s) { return s.dropped == Dropped::kept; });
        QCOMPARE(table.visibleSpots(), kept);
        QCOMPARE(table.counts(), QString("%1 of %1 spots").arg(kept.size()));
        table.setFilterText("pixels < 0");
        QCOMPARE(table.counts(), QString("0 of %1 spots").arg(kept.size()));
        table.setFilterText({});
        table.setKeptOnly(false);
        QCOMPARE(table.counts(), QString("1,000 of 1,000 spots"));
        QCOMPARE(table.visibleSpots().size(), std::size_t(1000));
        table.setFrame(112);
        QCOMPARE(table.visibleSpots().size(), std::size_t(1000));
        table.setFrameOnly(true);
        QCOMPARE(table.visibleSpots(), those(spots, [](const Spot& s) { return s.z0 <= 12 && s.z1 > 12; }));
        table.setFrame(99);  // before the first frame of the run
        QVERIFY(table.visibleSpots().empty());
        table.setFrame(113);
        table.setKeptOnly(true);
        table.setFilterText("sum > 500, d < 3");
        QCOMPARE(table.visibleSpots(), those(spots, [](const Spot& s) {
                     return s.dropped == Dropped::kept && s.z0 <= 13 && s.z1 > 13 && s.sum > 500 && s.d < 3;
                 }));
        QVERIFY(!table.visibleSpots().empty());
    }

    void spotsThatWereNotSavedAreMentioned() {
        auto all = fake_spots(100);
        const auto lost =
            std::count_if(all.begin(), all.end(), [](const Spot& s) { return s.dropped != Dropped::kept; });
        QVERIFY(lost > 1);
        auto kept = all;
        std::erase_if(kept, [](const Spot& s) { return s.dropped != Dropped::kept; });
        const auto runOf = [&](const std::vector<Spot>& spots) {
            auto run = std::make_shared<ks::Run>(*fake_run(spots));
            run->result.facts["spots"] = all.size();
            return run;
        };
        SpotTable table;
        table.setResult(runOf(all));
        QVERIFY(!table.counts().contains("saved"));
        table.setResult(runOf(kept));
        QCOMPARE(table.counts(),
                 QString("%1 of %1 spots, %2 dropped spots were not saved").arg(kept.size()).arg(lost));
        table.setKeptOnly(false);
        QCOMPARE(table.counts(),
                 QString("%1 of %1 spots, %2 dropped spots were not saved").arg(kept.size()).arg(lost));
        QVERIFY2(!table.exportTitle().contains("saved"), qPrintable(table.exportTitle()));
        table.setResult(nullptr);
        QVERIFY(table.counts().isEmpty());
    }

    // In photons: 450 with an error of sqrt(450), of which 50 are background. The detector gives 4 counts
    // per photon.
    void significanceCountsPhotons() {
        Spot spot;
        spot.n_signal = 25;
        spot.sum = 4 * 450;
        spot.background = 4 * 2;
        auto run = std::make_shared<ks::Run>(*fake_run({spot}));
        run->request.parameters["gain"] = 4.0;
        SpotTable table;
        table.setResult(run);
        const double photons = (450 - 25 * 2) / std::sqrt(450.0);
        const auto shownIn = [&] { return table.model().number(0, SpotTableModel::SignificanceColumn); };
        QVERIFY(std::abs(shownIn() - photons) < 1e-12);
        table.setFilterText("i_sigma > 18.8, i_sigma < 18.9");
        QCOMPARE(table.visibleSpots().size(), std::size_t{1});
        run = std::make_shared<ks::Run>(*run);
        run->request.parameters.erase("gain");
        table.setFilterText({});
        table.setResult(run);
        QVERIFY(std::abs(shownIn() - 2 * photons) < 1e-12);  // sqrt(4): 1800 photons of one count
    }

    void aWrongFilterIsSaidAndChangesNothing() {
        SpotTable table;
        table.setResult(fake_run(fake_spots(200)));
        table.setFilterText("sum > 500");
        const auto before = table.visibleSpots();
        QSignalSpy changed(&table, &SpotTable::visibleSpotsChanged);
        table.setFilterText("sum > 500, d <");
        QVERIFY(table.message().contains("d <"));
        QCOMPARE(table.visibleSpots(), before);
        QCOMPARE(changed.count(), 0);
        table.setFilterText("");
        QVERIFY(table.message().isEmpty());
        QVERIFY(table.visibleSpots().size() > before.size());
    }

    void typingFiltersAfterAPauseAndAtOnceWithReturn() {
        SpotTable table;
        table.setResult(fake_run(fake_spots(200)));
        table.show();
        const std::size_t before = table.visibleSpots().size();
        auto* text = table.findChild<QLineEdit*>();
        QTest::keyClicks(text, "sum > 500");
        QCOMPARE(table.visibleSpots().size(), before);
        QTest::keyClick(text, Qt::Key_Return);
        const std::size_t after = table.visibleSpots().size();
        QVERIFY(after < before);
        QTest::keyClicks(text, "0");
        QTRY_VERIFY(table.visibleSpots().size() < after);
    }

    void picksGoBothWays() {
        SpotTable table;
        table.resize(900, 400);
        table.setResult(fake_run(fake_spots(300)));
        table.setKeptOnly(false);
        table.view().sortByColumn(SpotTableModel::SumColumn, Qt::DescendingOrder);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QSignalSpy picked(&table, &SpotTable::picked);
        table.select(123);
        QCOMPARE(picked.count(), 0);
        QCOMPARE(table.selected(), 123);
        QVERIFY(
            table.view().viewport()->rect().intersects(table.view().visualRect(table.view().currentIndex())));
        table.view().scrollToTop();
        press(table, 2);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.takeFirst().at(0).toInt(), table.visibleSpots()[2]);
        press(table, 2);  // again: back to the spot
        QCOMPARE(picked.count(), 1);
        picked.clear();
        QTest::keyClick(&table.view(), Qt::Key_Down);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.takeFirst().at(0).toInt(), table.visibleSpots()[3]);
        press(table, 3);  // the row that a key went to is current, too
        QCOMPARE(picked.count(), 1);
        picked.clear();
        table.select(-1);
        QCOMPARE(table.selected(), -1);
        QVERIFY(!table.view().selectionModel()->hasSelection());
        QCOMPARE(picked.count(), 0);
    }

    void theCurrentSpotOutlivesSortsAndFilters() {
        const auto spots = fake_spots(300);
        SpotTable table;
        table.setResult(fake_run(spots));
        const int spot = table.visibleSpots()[40];
        table.select(spot);
        QSignalSpy picked(&table, &SpotTable::picked);
        table.view().sortByColumn(SpotTableModel::XColumn, Qt::AscendingOrder);
        QCOMPARE(table.selected(), spot);
        table.setKeptOnly(false);
        QCOMPARE(table.selected(), spot);
        table.setFilterText(QStringLiteral("number = %1").arg(spot + 2));
        QCOMPARE(table.selected(), -1);
        QCOMPARE(picked.count(), 0);
        table.setFilterText("");
        table.select(spot);
        table.setResult(fake_run(fake_spots(50)));
        QCOMPARE(table.selected(), -1);
    }

    void aChangeOfRowsIsTold() {
        SpotTable table;
        QSignalSpy changed(&table, &SpotTable::visibleSpotsChanged);
        table.setResult(fake_run(fake_spots(100)));
        QCOMPARE(changed.count(), 1);
        table.view().sortByColumn(SpotTableModel::SumColumn, Qt::AscendingOrder);
        QCOMPARE(changed.count(), 2);
        table.setKeptOnly(false);
        QCOMPARE(changed.count(), 3);
        table.setFrame(103);
        QCOMPARE(changed.count(), 3);
        table.setFrameOnly(true);
        table.setFrame(104);
        QCOMPARE(changed.count(), 5);
        table.setFrame(104);
        QCOMPARE(changed.count(), 5);
    }

    void columnsWithoutValuesAreHidden() {
        SpotTable table;
        table.setResult(fake_run(fake_spots(100, 1, false)));
        QVERIFY(table.view().isColumnHidden(SpotTableModel::DColumn));
        QVERIFY(!table.view().isColumnHidden(SpotTableModel::ZColumn));
        QVERIFY(table.view().isColumnHidden(SpotTableModel::KeptColumn));
        table.setKeptOnly(false);
        QVERIFY(!table.view().isColumnHidden(SpotTableModel::KeptColumn));
        auto stills = fake_spots(100);
        for (Spot& s : stills) s.z1 = s.z0 + 1;
        table.setResult(fake_run(stills));
        QVERIFY(!table.view().isColumnHidden(SpotTableModel::DColumn));
        QVERIFY(table.view().isColumnHidden(SpotTableModel::ZColumn));
    }

    void noTextIsCut() {
        auto spots = fake_spots(5000);
        spots[4321].sum = 123456789;  // between the rows of any sample
        SpotTable table;
        table.setResult(fake_run(spots));
        table.setKeptOnly(false);
        table.ensurePolished();
        for (int column = 0; column < SpotTableModel::ColumnCount; ++column) {
            const int width = table.view().columnWidth(column);
            if (table.view().isColumnHidden(column)) continue;
            for (int row = 0; row < table.model().rowCount(); ++row) {
                const QString text = table.model().index(row, column).data().toString();
                QVERIFY2(table.view().fontMetrics().horizontalAdvance(text) + 6 <= width, qPrintable(text));
            }
        }
    }

    void spotsWithSaturatedPixelsAreFoundByTheirColumn() {
        auto spots = fake_spots(20);
        spots[8].saturated = 3;
        spots[8].n_signal = 5;
        spots[8].dropped = ks::spots::Dropped::kept;
        SpotTable table;
        table.setResult(fake_run(fake_spots(20), 0));
        QVERIFY(table.view().isColumnHidden(SpotTableModel::SaturatedColumn));
        table.setResult(fake_run(spots, 0));
        QVERIFY(!table.view().isColumnHidden(SpotTableModel::SaturatedColumn));
        table.setFilterText("saturated > 0");
        QCOMPARE(table.visibleSpots(), std::vector<int>{8});
        QCOMPARE(table.model().index(0, SpotTableModel::SaturatedColumn).data().toString(), QString("3"));
    }

    void theCsvHoldsTheVisibleRowsInFull() {
        const auto spots = fake_spots(400);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("spots.csv").toStdString();
        SpotTable table;
        table.setResult(fake_run(spots, 100));
        table.setFilterText("d < 3");
        table.view().sortByColumn(SpotTableModel::SumColumn, Qt::DescendingOrder);
        table.exportCsv(path, false);
        ks::io::CsvReader reader(path,
                                 {"number", "first_frame", "last_frame", "x", "z", "pixels", "sum", "d"});
        for (const int spot : table.visibleSpots()) {
            const Spot& s = spots[static_cast<std::size_t>(spot)];
            QVERIFY(reader.next());
            QCOMPARE(reader.integer(0), std::int64_t(spot + 1));
            QCOMPARE(reader.integer(1), std::int64_t(s.z0 + 100));
            QCOMPARE(reader.integer(2), std::int64_t(s.z1 - 1 + 100));
            QVERIFY(reader.real(3) == s.x && reader.real(4) == s.z + 100 && reader.real(7) == s.d);
            QCOMPARE(reader.integer(5), std::int64_t(s.n_signal));
            QVERIFY(reader.real(6) == s.sum);
        }
        QVERIFY(!reader.next());
        QVERIFY_EXCEPTION_THROWN(table.exportCsv(path, false), ks::Error);
        table.setFilterText("sum < 0");
        table.exportCsv(path, true);
        QCOMPARE(std::filesystem::file_size(path), table.csv().size());
        QVERIFY_EXCEPTION_THROWN(table.exportCsv(path / "no" / "folder.csv", true), ks::Error);
        table.setFilterText({});
        table.setRead({{"digis", path.string()}});
        QVERIFY_EXCEPTION_THROWN(table.exportCsv(path, true), ks::Error);
        QVERIFY(std::filesystem::file_size(path) < table.csv().size());
    }

    void anUnknownValueIsAnEmptyFieldOfTheCsv() {
        Spot spot;
        spot.n_signal = 4;
        spot.z1 = 1;
        spot.sum = 100;
        SpotTable table;
        table.setResult(fake_run({spot}, 7));
        QCOMPARE(QString::fromStdString(table.csv()).section('\n', 1, 1),
                 QString("1,7,7,0,0,7,4,100,0,,,,,0,0,0,0,kept"));
    }

    void selectedRowsAreCopied() {
        SpotTable table;
        table.resize(900, 400);
        table.setResult(fake_run(fake_spots(100)));
        table.show();
        press(table, 1);
        QTest::keyClick(&table.view(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&table.view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].contains("Sum (counts)") && !lines[0].contains("q (1/"));
        QCOMPARE(lines[1].section('\t', 0, 0), QString::number(table.visibleSpots()[1] + 1));
        QCOMPARE(lines[2].count('\t'), lines[0].count('\t'));
    }

    void sortedHeaderGoesBackToTheOrderOfTheResult() {
        SpotTable table;
        table.resize(900, 300);
        table.setResult(fake_run(fake_spots(100)));
        table.show();
        QHeaderView* header = table.view().horizontalHeader();
        const QPoint at(header->sectionViewportPosition(SpotTableModel::SumColumn) + 12,
                        header->height() / 2);
        const auto natural = table.visibleSpots();
        for (int click = 0; click < 3; ++click) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
            QCOMPARE(table.visibleSpots() == natural, click == 2);
            QCOMPARE(sorted(table.visibleSpots()), natural);
        }
    }

    void itMayGoWhileItsPartsStillTell() {
        auto* table = new SpotTable;
        table->setResult(fake_run(fake_spots(100)));
        table->show();
        table->select(table->visibleSpots()[3]);
        auto* text = table->findChild<QLineEdit*>();
        text->setFocus();
        QTest::keyClicks(text, "sum > 5");  // the pause is still running
        QSignalSpy picked(table, &SpotTable::picked), changed(table, &SpotTable::visibleSpotsChanged);
        delete table;
        QCOMPARE(picked.count() + changed.count(), 0);
    }
};

QTEST_MAIN(SpotTableTest)
#include "tst_spot_table.moc"
