#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

#include "core/devices/user_tuning.h"
#include "core/run/bench_baseline.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/roofline_pane.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/variant_list.h"
#include "ui/lab/view_choice.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/stages_view.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/size_plots.h"
#include "ui/shell/page_stack.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::lab::LabPage;
using ks::ui::lab::LabTableModel;
using ks::ui::lab::RooflinePlot;
using ks::ui::lab::StripPlot;
using ks::ui::lab::ViewChoice;

/// Variants timed through the page, kept and opened again, with a real worker.
class LabPageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    LabPage& page() { return dynamic_cast<LabPage&>(*window_->page()); }
    /// Ticks these variants and no others.
    void tick(const QStringList& wanted) {
        QStringList off;
        for (const ks::Offer& offer : page().form().variants().offers())
            if (const QString id = QString::fromStdString(offer.variant.id); !wanted.contains(id)) off << id;
        page().form().variants().setOff(off);
        QCOMPARE(page().form().variants().ticked().size(), wanted.size());
    }
    void timeSums() {
        page().form().choose("vector_add");
        page().form().setSizes({{"size", "1000, 4000, 16000"}});
        page().form().repeats().setValue(7);
        tick({"seed.add", "host.threads"});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window_->queue().busy() && page().compared().size() == 1 && page().compared().front()->complete,
            120000);
        settle();
    }
    /// Ranks and intervals are computed beside the window.
    void settle() { QTRY_COMPARE_WITH_TIMEOUT(window_->jobs().running(), 0, 60000); }
    /// What the error bar says of a file.
    QString refusal(const QString& path) {
        window_->errorBar().dismiss();
        page().openReport(path);
        return QTest::qWaitFor([&] { return window_->errorBar().isError(); }, 10000)
                   ? window_->errorBar().sentence()
                   : QString("nothing");
    }
    QString written(const QString& leaf, const QByteArray& text) {
        QFile file(folder_.filePath(leaf));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) return {};
        return file.fileName();
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        window_ = ks::tests::new_window(folder_.filePath("test.ini"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("lab"));
    }
    void cleanup() { window_.reset(); }

    void aRefusalGoesOnceTheFormSaysSomethingElse() {
        page().form().choose("vector_add");
        tick({"host.threads"});
        auto& defines = child<QLineEdit>(page(), "defines");
        defines.clear();
        QTest::keyClicks(&defines, "TILE");
        window_->startRun();
        QVERIFY2(window_->errorBar().sentence().contains("TILE"), qPrintable(window_->errorBar().sentence()));
        emit page().form().changed();  // as for a catalogue that has arrived
        QVERIFY(window_->errorBar().isError());
        QTest::keyClick(&defines, Qt::Key_Backspace);
        QVERIFY(!window_->errorBar().isError());
    }

    void aSizeWithoutEffectIsDisabled() {
        page().form().choose("images");
        const auto field = [this](const QString& label) {
            for (auto* one : page().form().findChildren<QLineEdit*>())
                if (one->accessibleName() == label) return one;
            return static_cast<QLineEdit*>(nullptr);
        };
        QVERIFY(field("Depth") && field("Width"));
        QVERIFY(!field("Depth")->isEnabled() && field("Width")->isEnabled());
        QVERIFY2(field("Depth")->toolTip().contains("Not used: only the kinds 3d and 2d_array have slices"),
                 qPrintable(field("Depth")->toolTip()));
        page().form().setSizes({{"kind", "2d, 3d"}});
        QVERIFY(field("Depth")->isEnabled());
        QVERIFY(!field("Depth")->toolTip().contains("Not used"));
    }

    void aRunFillsEveryPlotAndTheTable() {
        const QAbstractItemModelTester rows(&page().model(),
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester variants(&page().form().variants(),
                                                QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(!page().table().hint().isEmpty());
        timeSums();
        const ks::BenchReport& report = page().compared().front()->report;
        QCOMPARE(report.points.size(), std::size_t{3});
        // Each problem, and all of them.
        QCOMPARE(child<ViewChoice>(page()).problems().count(), 4);
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{2});
        for (const ks::ui::lab::Strip& strip : child<StripPlot>(page()).strips()) {
            QCOMPARE(strip.samples.size(), std::size_t{7});
            QVERIFY(!strip.rank.isEmpty() && !strip.wrong);
        }
        QCOMPARE(page().model().rowCount(), 6);
        QCOMPARE(child<StagesView>(page()).timing().runs().size(), 2);
        QCOMPARE(child<SizePlots>(page()).times().series().size(), 2);
        for (const CurveSeries& curve : child<SizePlots>(page()).times().series())
            QCOMPARE(curve.x, (QVector<double>{1000, 4000, 16000}));
        // A sum of two vectors of floats: one operation for 12 bytes.
        QCOMPARE(child<RooflinePlot>(page()).points().size(), std::size_t{1});
        QVERIFY(std::abs(child<RooflinePlot>(page()).points().front().intensity - 1.0 / 12) < 1e-12);
        for (int row = 0; row < page().model().rowCount(); ++row)
            QCOMPARE(page().model().index(row, LabTableModel::VerdictColumn).data().toString(),
                     QString("pass"));
        QVERIFY(page().form().run().isEnabled() && !page().form().cancel().isEnabled());
        // The size that differs has a column, with the rows of one value beside each other however they are
        // sorted.
        const auto size = [&](int row) {
            return page().model().index(row, LabTableModel::FirstSizeColumn).data(LabTableModel::numberRole);
        };
        QVERIFY(!page().table().view().isColumnHidden(LabTableModel::FirstSizeColumn));
        QVERIFY(page().table().view().isColumnHidden(LabTableModel::FirstSizeColumn + 1));
        QVERIFY(page().table().view().isColumnHidden(LabTableModel::SizesColumn));
        page().model().sort(LabTableModel::KernelColumn, Qt::DescendingOrder);
        for (int row = 0; row < 6; ++row)
            QCOMPARE(size(row).toDouble(), (row < 2 ? 1000 : row < 4 ? 4000 : 16000) * 1.0);
        QVERIFY(QString::fromStdString(page().table().csv())
                    .startsWith("variant,device,size,rank,rank_last,kernel_ns,"));
        page().table().setFilterText("size >= 4000");
        QCOMPARE(page().model().rowCount(), 4);
        page().table().setFilterText({});
        // Ranks are those of two rows of a problem, not of six.
        for (int row = 0; row < 6; ++row)
            QVERIFY(page().model().index(row, LabTableModel::RankColumn).data().toString() <= QString("2"));
        child<ViewChoice>(page()).problems().setCurrentIndex(3);
        settle();
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{6});
        QCOMPARE(child<StripPlot>(page()).strips()[0].problem, QString("size 1000"));
        QCOMPARE(child<StripPlot>(page()).strips()[5].problem, QString("size 16000"));
        QVERIFY(child<ViewChoice>(page()).difference().isEmpty());
    }

    void aBenchmarkThatIsCancelledLeavesTheFinishedOneBefore() {
        timeSums();
        const std::string before = ks::bench_text(page().compared().front()->report);
        page().form().setSizes({{"size", "100000000"}});
        QTest::mouseClick(&page().form().run(), Qt::LeftButton);
        QTRY_VERIFY(page().form().cancel().isEnabled());
        QTest::mouseClick(&page().form().cancel(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && page().form().run().isEnabled(), 60000);
        settle();
        QCOMPARE(page().compared().size(), std::size_t{1});
        QVERIFY(page().compared().front()->complete);
        QCOMPARE(ks::bench_text(page().compared().front()->report), before);
        QCOMPARE(page().model().rowCount(), 6);
        auto* const save = page().findChild<QAction*>("saveReport");
        QVERIFY(save && save->isEnabled());
    }

    void theMeasurementThatAnotherReplacedIsShownAgain() {
        const auto trigger = [this] {
            auto* const action = page().findChild<QAction*>("previousMeasurement");
            if (!action->isEnabled()) return false;
            const QList<QToolButton*> all = page().findChildren<QToolButton*>();
            QTest::mouseClick(*std::ranges::find(all, action, &QToolButton::defaultAction), Qt::LeftButton);
            settle();
            return true;
        };
        timeSums();
        const std::string first = ks::bench_text(page().compared().front()->report);
        QVERIFY(!trigger());
        page().form().setSizes({{"size", "2000"}});
        QTest::mouseClick(&page().form().run(), Qt::LeftButton);
        QTRY_VERIFY(page().form().cancel().isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && page().form().run().isEnabled(), 60000);
        settle();
        const std::string second = ks::bench_text(page().compared().front()->report);
        QVERIFY(second != first);
        QVERIFY(trigger());
        QCOMPARE(page().compared().size(), std::size_t{1});
        QCOMPARE(ks::bench_text(page().compared().front()->report), first);
        QCOMPARE(page().model().rowCount(), 6);
        QVERIFY(trigger());
        QCOMPARE(ks::bench_text(page().compared().front()->report), second);
        // That of another analysis is another one's.
        page().form().choose("matmul");
        settle();
        QVERIFY(!trigger());
    }

    void aReportIsKeptOpenedAndComparedWithItself() {
        timeSums();
        const auto measured = page().compared().front();
        const QString path = folder_.filePath("kept.json");
        page().saveReport(*measured, path, true);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), ks::bench_text(measured->report));
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReport(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        settle();
        QCOMPARE(page().compared().size(), std::size_t{2});
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{4});
        QCOMPARE(page().model().rowCount(), 12);
        // Nothing changed since: the ratio of a report to itself is 1, and chance does not leave it on one
        // side.
        // The first six items are those that were measured; as rows they stand beside those of their problem.
        for (int item = 0; item < 6; ++item) {
            const auto value = [&](int column) { return page().model().number(item, column); };
            QCOMPARE(value(LabTableModel::SinceColumn), 1.0);
            QVERIFY(value(LabTableModel::SinceLowColumn) <= 1 && value(LabTableModel::SinceHighColumn) >= 1);
        }
        // What was opened has the day of its date beside the device.
        QVERIFY(page().compared()[0]->name() != page().compared()[1]->name());
        page().closeReports();
        settle();
        QCOMPARE(page().model().rowCount(), 6);
    }

    void textsWithWrongAccessesAreWrongAndHaveNoRank() {
        timeSums();
        ks::BenchReport report = page().compared().front()->report;
        page().clear();
        for (ks::BenchPoint& point : report.points)
            for (ks::BenchRow& row : point.rows)
                if (row.variant.id == "seed.add") {
                    row.variant.id = "user.add";
                    row.text_mark = "3f2a61";
                }
        const auto open = [&](const QString& leaf) {
            QSignalSpy opened(&page(), &LabPage::opened);
            page().openReport(written(leaf, QByteArray::fromStdString(ks::bench_text(report))));
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
            settle();
        };
        const auto cells = [&](int column) {
            QStringList texts;
            for (int row = 0; row < page().model().rowCount(); ++row)
                if (page().model().text(row, LabTableModel::VariantColumn).contains("user.add"))
                    texts << page().model().text(row, column);
            return texts;
        };
        open("first.json");
        QCOMPARE(cells(LabTableModel::VerdictColumn).filter("fail").size(), 0);
        QCOMPARE(cells(LabTableModel::RankColumn).filter(QRegularExpression("[0-9]")).size(), 3);
        ks::ui::TextFaults& faults = window_->desk().textFaults();
        faults.put("vector_add", "3f2a61", {"data races"});
        settle();
        QCOMPARE(cells(LabTableModel::VerdictColumn), QStringList({"fail", "fail", "fail"}));
        QCOMPARE(cells(LabTableModel::RankColumn).filter(QRegularExpression("[0-9]")).size(), 0);
        QCOMPARE(cells(LabTableModel::WorstColumn), QStringList({"accesses", "accesses", "accesses"}));
        open("second.json");
        QCOMPARE(cells(LabTableModel::VerdictColumn).filter("fail").size(), 6);
    }

    void filesThatCannotBeComparedSayWhyInOneSentence() {
        page().form().choose("vector_add");
        QVERIFY(refusal(folder_.filePath("none.json")).contains("no such file"));
        QVERIFY(refusal(written("text.json", "no JSON")).contains("not a benchmark report"));
        QVERIFY(refusal(written("newer.json", R"({"analysis":"vector_add","repeats":1,"format_version":99})"))
                    .contains("format version 99"));
        QVERIFY(
            refusal(written("damaged.json", R"({"analysis":"vector_add","repeats":1,"format_version":1})"))
                .contains("damaged"));
        timeSums();
        const QString path = folder_.filePath("sums.json");
        page().saveReport(*page().compared().front(), path, true);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(refusal(written("foreign.json", QByteArray(text).replace("\"vector_add\"", "\"sorting\"")))
                    .contains("sorting"));
        const nlohmann::json whole = nlohmann::json::parse(text.toStdString());
        const auto with = [&](const char* leaf, const char* pointer, double value) {
            nlohmann::json changed = whole;
            changed[nlohmann::json::json_pointer(pointer)] = value;
            return written(leaf, QByteArray::fromStdString(changed.dump()));
        };
        QVERIFY(refusal(with("time.json", "/points/0/variants/0/samples/0/kernel_ns", -5))
                    .contains("samples[0].kernel_ns of "));
        nlohmann::json size = whole;
        size["points"][0]["sizes"]["size"] = -1000;
        const QString said = refusal(written("size.json", QByteArray::fromStdString(size.dump())));
        QVERIFY2(said.contains("sizes.size: expected at least 1, found -1000"), qPrintable(said));
        QVERIFY(refusal(written("cut.json", text.left(text.size() / 2))).contains("damaged: it is cut off"));
        // It is said until other files are opened, not only until the others of the same choice are.
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReports({written("cut.json", text.left(text.size() / 2)), path});
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        settle();
        QVERIFY(window_->errorBar().isError());
        QVERIFY(window_->errorBar().sentence().contains("cut.json"));
        page().openReport(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 10000);
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
        // Of several files every one is named, with its reason.
        page().openReports({written("cut.json", text.left(text.size() / 2)), path,
                            with("time.json", "/points/0/variants/0/samples/0/kernel_ns", -5)});
        const auto says = [this](const QString& part) {
            return window_->errorBar().isError() && window_->errorBar().sentence().contains(part);
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("cut.json") && says("time.json"), 10000);
        QVERIFY(!says("sums.json"));
        QVERIFY(window_->errorBar().details().contains("damaged: it is cut off") &&
                window_->errorBar().details().contains("samples[0].kernel_ns of "));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 3, 10000);
        page().openReport(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 4, 10000);
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
        page().closeReports();
        // What was measured comes back with its analysis.
        page().form().choose("matmul");
        settle();
        QCOMPARE(page().model().rowCount(), 0);
        page().form().choose("vector_add");
        settle();
        QCOMPARE(page().model().rowCount(), 6);
    }

    void aReportOfAnotherAnalysisIsShownWithIt() {
        page().form().choose("vector_add");
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReport(QStringLiteral(KERNELSCOPE_SOURCE_DIR "/tests/data/bench_matmul_h200_1024.json"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        settle();
        QCOMPARE(page().form().analysis(), QString("matmul"));
        QVERIFY(page().model().rowCount() > 0);
        page().form().choose("vector_add");
        settle();
        QCOMPARE(page().model().rowCount(), 0);
    }

    void aReportThatIsOpenedIsInSightWhateverProblemWasChosen() {
        timeSums();
        QCOMPARE(child<ViewChoice>(page()).problems().currentText(), QString("size 1000"));
        ks::BenchReport later = page().compared().front()->report;
        later.points.erase(later.points.begin());
        const QString path = written("later.json", QByteArray::fromStdString(ks::bench_text(later)));
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReport(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        settle();
        QCOMPARE(child<ViewChoice>(page()).problems().currentText(), QString("size 4000"));
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{4});
        // One that it has stays, and so do all in groups.
        for (const int choice : {2, 3}) {
            child<ViewChoice>(page()).problems().setCurrentIndex(choice);
            page().openReport(path);
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), choice, 10000);
            settle();
            QCOMPARE(child<ViewChoice>(page()).problems().currentIndex(), choice);
        }
    }

    void aReportOfAnotherMachineStandsBesideWhatIsMeasured() {
        page().form().choose("matmul");
        QSignalSpy opened(&page(), &LabPage::opened), failed(&page(), &Page::failed);
        page().openReport(QStringLiteral(KERNELSCOPE_SOURCE_DIR "/tests/data/bench_matmul_h200_1024.json"));
        QTRY_VERIFY_WITH_TIMEOUT(opened.count() + failed.count() == 1, 30000);
        QCOMPARE(opened.count(), 1);
        settle();
        QVERIFY(page().model().rowCount() > 0);
        QVERIFY(page().compared().front()->name().contains("H200"));
        QVERIFY(page().compared().front()->name().contains("2026"));
    }

    void reportsOfOtherSizesAreSaidToDifferAndNotRankedTogether() {
        page().form().choose("vector_add");
        page().form().setSizes({{"size", "1000"}});
        page().form().repeats().setValue(7);
        tick({"seed.add"});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window_->queue().busy() && page().compared().size() == 1 && page().compared().front()->complete,
            120000);
        settle();
        QVERIFY(child<ViewChoice>(page()).difference().isEmpty());
        // The same problem, of another device and a thousand times as fast, and another one.
        ks::BenchReport other = page().compared().front()->report;
        other.device.name = "Fast";
        for (ks::BenchSample& sample : other.points.front().rows.front().samples) {
            sample.kernel /= 1000;
            sample.total /= 1000;
        }
        const auto opens = [&](const QString& leaf) {
            QSignalSpy opened(&page(), &LabPage::opened);
            page().openReport(written(leaf, QByteArray::fromStdString(ks::bench_text(other))));
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
            settle();
        };
        opens("fast.json");
        QVERIFY(child<ViewChoice>(page()).difference().isEmpty());
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{2});
        QCOMPARE(child<StripPlot>(page()).strips()[0].rank, QString("1"));
        QVERIFY(child<StripPlot>(page()).strips()[0].source.startsWith("Fast"));
        QCOMPARE(child<StripPlot>(page()).strips()[1].rank, QString("2"));
        QVERIFY(child<StripPlot>(page()).logarithmic());
        other.points.front().sizes["size"] = std::int64_t{77};
        opens("small.json");
        QVERIFY(child<ViewChoice>(page()).difference().contains("size 1000") &&
                child<ViewChoice>(page()).difference().contains("size 77"));
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{2});
        for (int row = 0; row < 3; ++row) {
            const bool isOther =
                page().model().index(row, LabTableModel::FirstSizeColumn).data().toString() == "77";
            QCOMPARE(page().model().index(row, LabTableModel::RankColumn).data().toString() == "1",
                     isOther || row == 1);
        }
        // What is chosen by hand stays.
        child<StripPlot>(page()).setLogarithmic(false);
        child<ViewChoice>(page()).times().setCurrentIndex(1);
        settle();
        QVERIFY(!child<StripPlot>(page()).logarithmic());
    }

    void variantsThatDoNotTakeTheProblemCannotBeTicked() {
        page().form().choose("spots");
        settle();
        const auto ticked = [&](const QString& beginning) {
            const QStringList all = page().form().variants().ticked();
            return std::ranges::any_of(all, [&](const QString& id) { return id.startsWith(beginning); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(!ticked("extended."), 10000);
        QVERIFY(ticked("packed"));
        const ks::ui::lab::VariantListModel& model = page().form().variants();
        int refused = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (!model.index(row, 0).data().toString().startsWith("extended.")) continue;
            ++refused;
            QVERIFY(model.index(row, 0).data(Qt::ToolTipRole).toString().contains("dispersion_extended"));
            QVERIFY(!(model.flags(model.index(row, 0)) & Qt::ItemIsUserCheckable));
        }
        QVERIFY(refused > 0);
        // Windows of more columns than packed can hold, and the other algorithm.
        page().form().setSizes({{"algorithm", "dispersion_extended"}});
        QTRY_VERIFY_WITH_TIMEOUT(ticked("extended.") && !ticked("packed"), 10000);
        page().form().setSizes({{"algorithm", "dispersion, dispersion_extended"}});
        QTRY_VERIFY_WITH_TIMEOUT(ticked("extended.") && ticked("packed"), 10000);
    }

    void cancelStopsInTheMiddleAndWhatCameCanBeSaved() {
        page().form().choose("matmul");
        page().form().setSizes({{"size", "700"}});
        page().form().repeats().setValue(1000);
        window_->startRun();
        const auto hasTimes = [this] {
            return std::ranges::any_of(page().model().entries(),
                                       [](const auto& entry) { return !entry.row->samples.empty(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasTimes(), 60000);
        QVERIFY(page().form().cancel().isEnabled());
        page().form().cancel().click();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 30000);
        QVERIFY(!page().compared().front()->complete);
        settle();
        QVERIFY(page().model().rowCount() >= 1);
        QVERIFY(page().form().run().isEnabled());
        for (const QAction* action : page().editActions())
            if (action->objectName() == "saveReport") QVERIFY(action->isEnabled());
        const QTemporaryDir folder;
        page().saveReport(*page().compared().front(), folder.filePath("part.json"), false);
        const ks::BenchBaseline part = ks::BenchBaseline::read(folder.filePath("part.json").toStdString());
        QVERIFY(std::ranges::any_of(part.points.front().rows,
                                    [](const ks::BenchRow& row) { return !row.samples.empty(); }));
        // The next one begins anew.
        timeSums();
    }

    void severalDevicesAreTimedOneAfterAnother() {
        page().form().choose("vector_add");
        QListWidget& devices = page().form().devices();
        QVERIFY(devices.count() >= 2);
        for (int i = 0; i < devices.count(); ++i) devices.item(i)->setCheckState(Qt::Checked);
        tick({"seed.add", "host.threads"});
        page().form().setSizes({{"size", "1000"}});
        const std::vector<ks::BenchPlan> plans = page().form().plans();
        // What runs on the host runs once.
        int onHost = 0;
        for (const ks::BenchPlan& plan : plans)
            for (const std::string& id : plan.variants) onHost += id == "host.threads" ? 1 : 0;
        QCOMPARE(onHost, 1);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && page().compared().size() == plans.size(),
                                 120000);
        for (const auto& one : page().compared()) QVERIFY(one->complete);
    }

    void theDataOfAPageAreTimedAsTheyAreThere() {
        const QString data = folder_.filePath("frames.h5");
        ks::tests::generate_xpcs(data, 40, 32, 30);
        QVERIFY(window_->setPage("xpcs"));
        ks::tests::open_data(*window_, data);
        QVERIFY(window_->setPage("lab"));
        page().form().choose("xpcs");
        QCOMPARE(page().form().problem().count(), 2);
        page().form().problem().setCurrentIndex(1);
        page().form().repeats().setValue(3);
        tick({"gram.tiled", "host.gram"});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && !page().compared().empty(), 120000);
        QVERIFY2(page().compared().front()->complete, qPrintable(window_->errorBar().sentence()));
        settle();
        const ks::BenchPoint& point = page().compared().front()->report.points.front();
        QCOMPARE(ks::text(point.sizes, "frames"), data.toStdString());
        QCOMPARE(child<StripPlot>(page()).strips().size(), std::size_t{2});
        for (const ks::BenchRow& row : point.rows) QVERIFY(row.verdict.state == ks::Verdict::State::pass);
        // Its row leads to the page of the data, and runs there.
        page().table().view().selectRow(0);
        page().table().view().setCurrentIndex(page().model().index(0, 0));
        const QString variant = page().model().index(0, 0).data().toString();
        QSignalSpy added(&window_->queue(), &RunQueue::runAdded);
        for (QAction* action : page().editActions())
            if (action->objectName() == "showOnPage") action->trigger();
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QCOMPARE(QString::fromStdString(window_->runs().rows().front().run->variant.id), variant);
    }

    void theWorstPlaceIsShownWhereItsDataAreOpenAlsoOfAReportOfAnEarlierStart() {
        const QString data = folder_.filePath("placed.h5"), kept = folder_.filePath("placed.json");
        ks::tests::generate_xpcs(data, 40, 32, 30);
        const auto openOnLab = [&](const QString& file) {
            QVERIFY(window_->setPage("xpcs"));
            ks::tests::open_data(*window_, file);
            QVERIFY(window_->setPage("lab"));
            page().form().choose("xpcs");
        };
        const auto choose = [&](const QString& variant) {
            for (int row = 0; row < page().model().rowCount(); ++row)
                if (page().model().index(row, 0).data().toString() == variant) {
                    page().table().view().setCurrentIndex(page().model().index(row, 0));
                    return row;
                }
            return -1;
        };
        const auto action = [&] {
            const QList<QAction*> all = page().editActions();
            return *std::ranges::find_if(all,
                                         [](const QAction* one) { return one->objectName() == "showPlace"; });
        };
        openOnLab(data);
        page().form().problem().setCurrentIndex(1);
        page().form().repeats().setValue(2);
        tick({"gram.tiled", "host.gram"});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window_->queue().busy() && !page().compared().empty() && page().compared().front()->complete,
            120000);
        settle();
        const ks::Verdict verdict = page().compared().front()->report.points.front().rows.front().verdict;
        const auto bin = verdict.place.find("bin");
        QVERIFY2(bin != verdict.place.end() && bin->second > 0, verdict.text.c_str());
        const QString variant =
            QString::fromStdString(page().compared().front()->report.points.front().rows.front().variant.id);
        QVERIFY(choose(variant) >= 0);
        QVERIFY(action()->isEnabled());
        page().saveReport(*page().compared().front(), kept, true);
        window_.reset();

        window_ = ks::tests::new_window(folder_.filePath("test.ini"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("lab"));
        page().form().choose("xpcs");
        QSignalSpy opened(&page(), &LabPage::opened);
        page().openReport(kept);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        settle();
        QVERIFY(choose(variant) >= 0);
        QVERIFY(!action()->isEnabled());  // no page has the data
        const QString other = folder_.filePath("others.h5");
        ks::tests::generate_xpcs(other, 40, 32, 30);
        openOnLab(other);
        QVERIFY(choose(variant) >= 0);
        QVERIFY(!action()->isEnabled());
        openOnLab(data);
        QVERIFY(choose(variant) >= 0);
        QVERIFY(action()->isEnabled());
        action()->trigger();
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        QCOMPARE(
            static_cast<std::uint64_t>(dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page()).pickedBin()),
            bin->second);
    }

    void valuesThatWereTunedForASizeAreTakenForItAndNamed() {
        const QByteArray before = qgetenv("KERNELSCOPE_DATA");
        const auto back = qScopeGuard(
            [&] { before.isNull() ? qunsetenv("KERNELSCOPE_DATA") : qputenv("KERNELSCOPE_DATA", before); });
        const QString own = folder_.filePath("own");
        qputenv("KERNELSCOPE_DATA", own.toUtf8());
        window_ = ks::tests::new_window(folder_.filePath("test.ini"));  // its worker reads that table
        ks::wire::Catalogue catalogue;
        connect(&window_->worker(), &WorkerClient::catalogueReady, this,
                [&](const ks::wire::Catalogue& told) { catalogue = told; });
        QTRY_VERIFY_WITH_TIMEOUT(!catalogue.devices.empty(), 60000);
        QVERIFY(window_->setPage("lab"));
        const auto device =
            std::ranges::find(catalogue.devices, std::string("opencl"), &ks::DeviceInfo::backend);
        QVERIFY2(device != catalogue.devices.end(), "an OpenCL device is needed");
        // Of vectors of 4^6 to 4^7 elements, which the usual ones are not.
        ks::UserTuning table(own.toStdString());
        table.keep({{"scan", "three_passes", "", 6},
                    device->platform_name,
                    device->name,
                    device->driver,
                    {{"ITEMS", "4"}, {"WG", "16"}},
                    2,
                    "2026-01-02T03:04:05Z"});
        page().form().choose("scan");
        page().form().setSizes({{"size", "10000"}});
        page().form().repeats().setValue(3);
        tick({"three_passes", "sequential"});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window_->queue().busy() && !page().compared().empty() && page().compared().front()->complete,
            120000);
        settle();
        const auto cell = [&](const QString& variant, int column) {
            for (int row = 0; row < page().model().rowCount(); ++row)
                if (page().model().index(row, 0).data().toString() == variant)
                    return page().model().index(row, column);
            return QModelIndex();
        };
        QCOMPARE(cell("three_passes", LabTableModel::TunedColumn).data().toString(),
                 QString("ITEMS=4, WG=16"));
        QCOMPARE(cell("sequential", LabTableModel::TunedColumn).data().toString(), QString());
        QVERIFY(!page().table().view().isColumnHidden(LabTableModel::TunedColumn));
        QStringList names;
        for (const ks::ui::lab::Strip& strip : child<StripPlot>(page()).strips()) names << strip.name;
        names.sort();
        QCOMPARE(names, (QStringList{"sequential", "three_passes, tuned"}));
    }

    void whatWasChosenComesBackAtTheNextStart() {
        page().form().choose("matmul");
        page().form().setSizes({{"size", "64, 96"}});
        page().form().repeats().setValue(4);
        tick({"blocks.16"});
        page().tabs().setCurrentIndex(2);
        window_->close();
        window_.reset();
        window_ = std::make_unique<MainWindow>(
            std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat));
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QCOMPARE(window_->page()->id(), QString("lab"));
        QCOMPARE(page().form().analysis(), QString("matmul"));
        QCOMPARE(page().form().variants().ticked(), QStringList("blocks.16"));
        QCOMPARE(page().tabs().currentIndex(), 2);
        const std::vector<ks::BenchPlan> plans = page().form().plans();
        QCOMPARE(plans.front().repeats, std::size_t{4});
        QCOMPARE(plans.front().sizes.at("size").size(), std::size_t{2});
        // What a session keeps is the same, and what has no meaning harms nothing.
        const PageState kept = *page().state(Page::Scope::session);
        page().form().choose("vector_add");
        page().setState(kept, Page::Scope::session);
        QCOMPARE(page().form().analysis(), QString("matmul"));
        PageState odd;
        odd.values["plan"] = {
            {"analysis", 7}, {"devices", "none"}, {"of", {{"matmul", 3}}}, {"repeats", "x"}};
        page().setState(odd, Page::Scope::session);
        QVERIFY(page().missing().isEmpty());
    }
};

QTEST_MAIN(LabPageTest)
#include "tst_lab_page.moc"
