#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/stages_view.h"

namespace ks::ui {
namespace {

std::shared_ptr<const Run> runOf(const std::string& analysis, const std::string& variant) {
    Run made;
    made.request.analysis = analysis;
    made.request.inputs["frames"] = {"a_rather_long_name_of_a_series_of_frames_0012.h5", {}};
    made.request.parameters = {{"max_delay", std::int64_t{100}}, {"first_frame", std::int64_t{12}}};
    made.result.facts["bins"] = 15;
    made.variant.id = variant;
    made.device.name = "cpu-skylake-avx512-Intel(R) Xeon(R) Platinum 8175M CPU @ 2.50GHz";
    made.timings = {{"gram", StageKind::kernel, 38'200'000}};
    made.wall_nanoseconds = 52'000'000;
    made.started = "2020-02-29T12:00:00Z";
    made.verdict.state = Verdict::State::sampled;
    made.verdict.samples = 22247;
    return std::make_shared<const Run>(made);
}

QSet<int> tickedOf(const RunTableModel& model) {
    QSet<int> numbers;
    for (const RunRow& row : model.ticked()) numbers.insert(row.number);
    return numbers;
}

QSet<int> highlighted(RunsPanel& panel, const RunTableModel& model) {
    QSet<int> numbers;
    for (const QModelIndex& index : panel.table().selectionModel()->selectedRows())
        numbers.insert(model.number(index.row()));
    return numbers;
}

class RunsPanelTest : public QObject {
    Q_OBJECT
    std::unique_ptr<RunTableModel> model_;
    std::unique_ptr<RunsPanel> panel_;

    void click(int row, int column, Qt::KeyboardModifiers keys = {},
               Qt::MouseButton button = Qt::LeftButton) {
        const QRect cell = panel_->table().visualRect(model_->index(row, column));
        QTest::mouseClick(panel_->table().viewport(), button, keys, cell.center());
    }

  private slots:
    void init() {
        model_ = std::make_unique<RunTableModel>();
        model_->setRegistry(std::make_shared<const Registry>());
        panel_ = std::make_unique<RunsPanel>(*model_);
        panel_->resize(980, 200);
        panel_->show();
        for (const char* variant : {"one", "two", "three"}) model_->addRun(runOf("xpcs", variant), true);
        model_->addRun(runOf("spots", "screened"), true);
    }
    void cleanup() {
        panel_.reset();
        model_.reset();
    }

    void spaceTicksARunWhicheverCellIsTheCurrentOne() {
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
        for (const int column :
             {RunTableModel::NumberColumn, RunTableModel::VariantColumn, RunTableModel::VerdictColumn}) {
            panel_->table().selectionModel()->setCurrentIndex(model_->index(3, column),
                                                              QItemSelectionModel::NoUpdate);  // run 1
            QTest::keyClick(&panel_->table(), Qt::Key_Space);
            QCOMPARE(tickedOf(*model_), (QSet<int>{1, 3, 4}));
            QTest::keyClick(&panel_->table(), Qt::Key_Space);
            QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
        }
    }

    void whatIsTickedIsHighlightedAndTheOtherWayRound() {
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{3, 4}));
        click(3, RunTableModel::VariantColumn);  // run 1
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 4}));
        QCOMPARE(highlighted(*panel_, *model_), tickedOf(*model_));
        click(2, RunTableModel::VariantColumn, Qt::ControlModifier);
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 2, 4}));
        model_->setTicked(1, false);
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{2, 4}));
        model_->removeRun(2);
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{4}));
    }

    void onlyRunsOfOneAnalysisAreHighlighted() {
        model_->setAnalysis("xpcs");
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{3}));
        click(3, RunTableModel::VariantColumn);  // run 1
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 4}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{1}));
        // One of another analysis that is clicked is highlighted in their place.
        model_->addRun(runOf("spots", "packed"), false);
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{1}));
        click(0, RunTableModel::VariantColumn, Qt::ControlModifier);
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 4, 5}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{4, 5}));
        click(0, RunTableModel::VariantColumn, Qt::ControlModifier);
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 4}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{4}));
        click(1, RunTableModel::VariantColumn);
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 4}));
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{4}));
        model_->setAnalysis("spots");
        model_->setAnalysis("xpcs");
        QCOMPARE(highlighted(*panel_, *model_), (QSet<int>{1}));
    }

    void aTickBoxAddsARunAndAClickBesideTheRowsChangesNothing() {
        const QRect cell = panel_->table().visualRect(model_->index(3, RunTableModel::NumberColumn));
        const QPoint box(cell.left() + 10, cell.center().y());
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {}, box);
        QCOMPARE(tickedOf(*model_), (QSet<int>{1, 3, 4}));
        QCOMPARE(highlighted(*panel_, *model_), tickedOf(*model_));
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {}, box);
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {}, QPoint(200, 160));
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));
    }

    void theMenuIsOfTheRunBelowItOrOfAllThatAreChosen() {
        const auto texts = [&](int number) {
            QMenu menu;
            panel_->fillMenu(menu, number);
            QStringList all;
            for (const QAction* action : menu.actions()) all << action->text();
            return all;
        };
        QCOMPARE(texts(1), (QStringList{"Repeat run 1", "Check all values of run 1", "Save run 1...", "",
                                        "Remove run 1 from the table"}));
        click(3, RunTableModel::VariantColumn, {}, Qt::RightButton);
        QCOMPARE(tickedOf(*model_), (QSet<int>{3, 4}));  // a run is not shown by asking for its menu
        model_->setTicked(1, true);
        QCOMPARE(texts(1).front(), QString("Repeat runs 3 and 1 of xpcs"));
        QSignalSpy checked(panel_.get(), &RunsPanel::checkFullyRequested);
        QSignalSpy saved(panel_.get(), &RunsPanel::saveRequested);
        QMenu menu;
        panel_->fillMenu(menu, 1);
        menu.actions()[1]->trigger();
        QCOMPARE(checked.count(), 2);
        menu.actions()[2]->trigger();
        QCOMPARE(saved.count(), 1);
        QCOMPARE(saved.front().front().toInt(), 1);
        QCOMPARE(menu.actions()[4]->text(), QString("Remove runs 3 and 1 of xpcs from the table"));
        QSignalSpy removed(panel_.get(), &RunsPanel::removed);
        menu.actions()[4]->trigger();
        QCOMPARE(model_->rowCount(), 2);
        QCOMPARE(removed.count(), 1);
    }

    void columnsFitIntoTheWidthAndAreCutWithATip() {
        const QHeaderView& header = *panel_->table().horizontalHeader();
        QVERIFY2(header.length() <= panel_->table().viewport()->width(),
                 qPrintable(QString::number(header.length())));
        for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
            if (header.isSectionHidden(column)) continue;
            const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            QVERIFY2(header.sectionSize(column) >= header.fontMetrics().horizontalAdvance(title),
                     qPrintable(title));
            QVERIFY(!model_->index(1, column).data(Qt::ToolTipRole).toString().isEmpty());
        }
    }

    void theAnalysisIsSaidWhereItIsNotTheSameForAll() {
        QVERIFY(!panel_->table().isColumnHidden(RunTableModel::AnalysisColumn));
        model_->removeRun(4);
        QVERIFY(panel_->table().isColumnHidden(RunTableModel::AnalysisColumn));
    }

    void stagesAreThoseOfTheTickedRunsFromEndToEnd() {
        StagesPanel stages(*model_);
        model_->setAnalysis("xpcs");
        QCOMPARE(stages.timing().runs().size(), 1);
        QCOMPARE(stages.timing().runs().front().total, std::uint64_t{52'000'000});
        model_->setTicked(1, true);
        QCOMPARE(stages.timing().runs().size(), 2);
    }

    void theTimeAxisOfManyStagesStaysInSight() {
        StagesView stages("Stages");
        QVector<TimingSeries> series;
        for (int i = 0; i < 40; ++i)
            series.push_back({QString("%1  gram.tiled").arg(i),
                              {{"gram_tiles", StageKind::kernel, 1'000'000}},
                              2'000'000});
        stages.timing().setRuns(series);
        stages.resize(600, 300);
        stages.show();
        QVERIFY(QTest::qWaitForWindowExposed(&stages));
        auto* const axis = stages.findChild<QWidget*>("axisInSight");
        auto* const scroll = stages.findChild<QScrollArea*>();
        QVERIFY(axis && scroll);
        QScrollBar& bar = *scroll->verticalScrollBar();
        QTRY_VERIFY(bar.maximum() > 0);
        QTRY_VERIFY(axis->isVisible());
        // It is what the end of the plot shows.
        const QImage over = axis->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(axis->geometry().bottom(), scroll->viewport()->rect().bottom());
        bar.setValue(bar.maximum());
        QVERIFY(!axis->isVisible());
        const QImage end =
            scroll->viewport()->grab(axis->geometry()).toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(over.size(), end.size());
        QCOMPARE(over.copy(0, 2, over.width(), over.height() - 2),
                 end.copy(0, 2, end.width(), end.height() - 2));
        bar.setValue(0);
        QVERIFY(axis->isVisible());
        stages.timing().setRuns(series.mid(0, 1));
        QTRY_VERIFY(!axis->isVisible());
    }

    void stagesOfARunOfAnotherFileNameIt() {
        StagesPanel stages(*model_);
        model_->setAnalysis("particles");
        Run run = *runOf("particles", "vector.cpu");
        run.request.inputs = {{"sources", {"/data/src.csv", {}}}};
        const FileRecord read{"/data/src.csv", 100, 2'000, "later"};
        run.files = {read};
        run.started = "2020-01-02T03:04:05Z";
        model_->setFile("/data/src.csv", read, "/data/src.csv");
        const int number = model_->addRun(std::make_shared<const Run>(run), true);
        const QString name = QStringLiteral("%1  vector.cpu").arg(number);
        const auto shown = [&] { return stages.timing().runs().front().run; };
        QCOMPARE(shown(), name);
        model_->setFile("/data/other.csv", {"/data/other.csv", 50, 7, "b"}, "/data/other.csv");
        QCOMPARE(shown(), name + " of src.csv");
        // Written after it was opened: the run read what the window does not show yet.
        model_->setFile("/data/src.csv", {"/data/src.csv", 90, 1'000, "earlier"}, "/data/src.csv");
        QVERIFY2(shown().startsWith(name + " of src.csv as it was at 2020-01-02"), qPrintable(shown()));
        const auto tip = [&] {
            return model_->index(0, RunTableModel::NumberColumn).data(Qt::ToolTipRole).toString();
        };
        // The file may have been written since, or a link may lead to an older one: dates do not tell.
        const QString differs("; the window shows other contents of it");
        QVERIFY2(tip().contains(differs), qPrintable(tip()));
        model_->setFile("/data/src.csv", {"/data/src.csv", 90, 3'000, "newest"}, "/data/src.csv");
        QVERIFY2(tip().contains(differs), qPrintable(tip()));
        model_->setFile("/data/src.csv", read, "/data/src.csv");
        QCOMPARE(shown(), name);
    }
};

}  // namespace
}  // namespace ks::ui

using RunsPanelTest = ks::ui::RunsPanelTest;
QTEST_MAIN(RunsPanelTest)
#include "tst_runs_panel.moc"
