#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "core/devices/user_tuning.h"
#include "core/tune/tune_file.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/tune/define_field.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/settings/run_settings.h"
#include "ui/tune/kept_panel.h"
#include "ui/tune/kept_tuning.h"
#include "ui/tune/parallel_plot.h"
#include "ui/tune/ratio_map.h"
#include "ui/tune/tune_form.h"
#include "ui/tune/tune_page.h"
#include "ui/tune/tune_table_model.h"

using namespace ks::ui;
using ks::tests::define_field;
using ks::ui::tune::TuneForm;
using ks::ui::tune::TunePage;

/// A variant tuned through the page, with a real worker.
class TunePageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
    ks::wire::Catalogue catalogue_;

    TunePage& page() { return dynamic_cast<TunePage&>(*window_->page()); }
    TuneForm& form() { return page().form(); }
    ks::UserTuning table() { return ks::UserTuning(folder_.filePath("data").toStdString()); }

    void start() {
        window_ = std::make_unique<MainWindow>(
            std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat));
        connect(&window_->worker(), &WorkerClient::catalogueReady, this,
                [this](const ks::wire::Catalogue& told) { catalogue_ = told; });
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("tune"));
        QVERIFY2(form().device(), "an OpenCL device is needed");
    }
    void choose(const char* analysis, const char* variant) {
        form().analyses().setCurrentIndex(form().analyses().findData(analysis));
        form().variants().setCurrentIndex(form().variants().findData(variant));
        QCOMPARE(QString::fromStdString(form().variant()->id), QString(variant));
    }
    /// Leaves these values of a define and no others.
    void tick(const char* define, const QStringList& wanted) {
        for (const ks::DefineSpec& one : form().variant()->defines) {
            if (one.name != define) continue;
            for (const std::string& value : one.allowed) {
                const QString text = QString::fromStdString(value);
                define_field<QCheckBox>(form().values(), define + QString("=") + text)
                    .setChecked(wanted.contains(text));
            }
        }
    }
    /// Prefix sums of a small vector, four configurations.
    void chooseScan() {
        choose("scan", "three_passes");
        form().sizes().setValue("size", std::int64_t{100000});
        tick("WG", {"1", "16"});
        tick("ITEMS", {"4", "8"});
        form().repeats().setValue(3);
        QTRY_VERIFY_WITH_TIMEOUT(form().counted(), 10000);
    }
    void tuneScan() {
        chooseScan();
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
    }
    /// A report in which the best takes half of the default's time, and is so surely.
    QString writtenTuning(double of = 50) {
        ks::TuneReport report = *page().report();
        const auto at = static_cast<std::size_t>(
            std::ranges::find_if(report.rows, [](const ks::TuneRow& row) { return row.cost().has_value(); }) -
            report.rows.begin());
        report.usual.samples.clear();
        report.rows[at].samples.clear();
        for (int i = 0; i < 20; ++i) {
            report.usual.samples.push_back(100 + i % 3);
            report.rows[at].samples.push_back(of * (1 + 0.01 * ((1 + i + i / 2) % 3)));
        }
        report.best = at;
        QFile file(folder_.filePath("made.json"));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(QByteArray::fromStdString(ks::tune_json(report)));
        return file.fileName();
    }
    void open(const QString& path) {
        QSignalSpy opened(&page(), &TunePage::opened);
        page().openTuning(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        qputenv("KERNELSCOPE_DATA", folder_.filePath("data").toUtf8());
        QDir(folder_.filePath("data")).removeRecursively();
        QFile::remove(folder_.filePath("test.ini"));
        start();
    }
    void cleanup() { window_.reset(); }

    void whatWasTunedIsThereAgainAfterARestart() {
        const auto begin = [this] {
            window_->kept().begin(folder_.filePath("sessions"), WindowSession::Begin::bySetting);
        };
        begin();
        chooseScan();
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
        const std::string before = ks::tune_json(*page().report());
        QVERIFY(window_->close());
        window_.reset();
        start();
        begin();
        QVERIFY(window_->setPage("tune"));
        QTRY_VERIFY_WITH_TIMEOUT(page().report() != nullptr, 10000);
        QCOMPARE(ks::tune_json(*page().report()), before);
        QVERIFY(page().complete());
        QVERIFY(page()
                    .findChild<QLabel*>(QStringLiteral("result"))
                    ->text()
                    .startsWith("three_passes, Size 100000: "));
    }

    void aTuningInProgressLeavesTheCompleteOneOnDisk() {
        const auto textOf = [this](const QString& leaf) {
            QFile file(folder_.filePath("parts/" + leaf));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        ks::ui::Jobs jobs;
        ks::ui::UnkeptWork unkept;
        ks::ui::tune::KeptTuning kept(jobs, unkept, nullptr);
        kept.setFolder(folder_.filePath("parts"));
        auto first = std::make_shared<ks::TuneReport>();
        first->plan.analysis = "scan";
        first->plan.variant = "three_passes";
        kept.write(first);
        const QByteArray before = textOf("tuning-scan-three_passes.json");
        QVERIFY(!before.isEmpty());
        auto second = std::make_shared<ks::TuneReport>(*first);
        second->combinations = 7;
        kept.writePart(second);
        QCOMPARE(unkept.writeNow(), QStringList());
        // This is what a kill leaves.
        QCOMPARE(textOf("tuning-scan-three_passes.json"), before);
        QVERIFY(!textOf("tuning-scan-three_passes.part.json").isEmpty());
        kept.write(second);
        QVERIFY(textOf("tuning-scan-three_passes.json") != before);
        QVERIFY(textOf("tuning-scan-three_passes.part.json").isEmpty());
    }

    void aTuningCancelledBeforeItsFirstResultLeavesTheOneBefore() {
        tuneScan();
        const std::string before = ks::tune_json(*page().report());
        const QString said = page().resultText();
        choose("matmul", "registers");
        form().sizes().setValue("size", std::int64_t{256});
        QTRY_VERIFY_WITH_TIMEOUT(form().counted(), 10000);
        QTest::mouseClick(&form().run(), Qt::LeftButton);
        QTRY_VERIFY(form().cancel().isEnabled());
        QTest::mouseClick(&form().cancel(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && form().run().isEnabled(), 60000);
        QVERIFY(page().report());
        QCOMPARE(ks::tune_json(*page().report()), before);
        QVERIFY(page().complete());
        QCOMPARE(page().resultText(), said);
    }

    void aTuningThatAnotherReplacedIsShownAgain() {
        tuneScan();
        const std::string first = ks::tune_json(*page().report());
        auto* const previous = page().findChild<QAction*>("previousTuning");
        QVERIFY(previous && !previous->isEnabled());
        tick("ITEMS", {"4"});
        QTRY_VERIFY_WITH_TIMEOUT(form().counted(), 10000);
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!page().complete() || window_->queue().busy(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
        const std::string second = ks::tune_json(*page().report());
        QVERIFY(second != first);
        QVERIFY(previous->isEnabled());
        previous->trigger();
        QCOMPARE(ks::tune_json(*page().report()), first);
        previous->trigger();
        QCOMPARE(ks::tune_json(*page().report()), second);
    }

    void anUnfinishedTuningComesBackWithItsVariantAlsoAfterARestart() {
        const auto begin = [this] {
            window_->kept().begin(folder_.filePath("tunings"), WindowSession::Begin::bySetting);
        };
        begin();
        choose("matmul", "registers");
        form().sizes().setValue("size", std::int64_t{256});
        QTRY_VERIFY(form().counted());
        QTest::mouseClick(&form().run(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page().report() && page().report()->rows.size() >= 2, 120000);
        QTest::mouseClick(&form().cancel(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && form().run().isEnabled(), 30000);
        const std::string unfinished = ks::tune_json(*page().report());
        QVERIFY(!page().complete());
        // Two small ones of another variant: the first of them is the previous one of the second.
        for (const QStringList& items : {QStringList{"4", "8"}, QStringList{"4"}}) {
            QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
            chooseScan();
            tick("ITEMS", items);
            QTRY_VERIFY_WITH_TIMEOUT(form().counted(), 10000);
            QTest::mouseClick(&form().run(), Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!page().complete() || window_->queue().busy(), 10000);
            QTRY_VERIFY_WITH_TIMEOUT(page().report() && page().report()->plan.analysis == "scan" &&
                                         page().complete() && !window_->queue().busy(),
                                     120000);
        }
        const std::string small = ks::tune_json(*page().report());
        for (const bool restarted : {false, true}) {
            if (restarted) {
                QVERIFY(window_->close());
                window_.reset();
                start();
                begin();
                QVERIFY(window_->setPage("tune"));
                QTRY_VERIFY_WITH_TIMEOUT(page().report() != nullptr, 10000);
            }
            QCOMPARE(ks::tune_json(*page().report()), small);
            choose("matmul", "registers");
            QCOMPARE(ks::tune_json(*page().report()), unfinished);
            QTRY_VERIFY_WITH_TIMEOUT(form().resume().isEnabled(), 60000);
            choose("scan", "three_passes");
        }
    }

    void aResultOfAnotherSizeIsMarked() {
        tuneScan();
        const auto said = [this] { return page().findChild<QLabel*>(QStringLiteral("result"))->text(); };
        QVERIFY2(said().startsWith("three_passes, Size 100000: "), qPrintable(said()));
        QVERIFY2(page().resultText().contains("in the final comparison") ||
                     page().resultText().contains("not significant"),
                 qPrintable(page().resultText()));
        form().sizes().setValue("size", std::int64_t{200000});
        const auto mark = [this] { return page().findChild<QLabel*>(QStringLiteral("outdated"))->toolTip(); };
        QCOMPARE(mark(), QString("Outdated (Size)"));
        QVERIFY2(said().startsWith("three_passes, Size 100000: "), qPrintable(said()));
        form().sizes().setValue("size", std::int64_t{100000});
        QCOMPARE(mark(), QString());
    }

    void aRunFillsPlotsTableAndResult() {
        QVERIFY(!page().table().hint().isEmpty());
        QVERIFY(!page().keepButton().isEnabled() && !form().resume().isEnabled());
        chooseScan();
        QCOMPARE(form().spaceText(), QString("4 configurations"));
        form().rules().setText("WG * ITEMS <= 64");
        QTRY_VERIFY(form().counted());
        QCOMPARE(form().spaceText(), QString("3 of 4 combinations satisfy the rules"));
        form().run().click();
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
        const ks::TuneReport& report = *page().report();
        // The default may be one of the three.
        QVERIFY(report.rows.size() == 3 || report.rows.size() == 2);
        QCOMPARE(report.valid, std::size_t{3});
        QCOMPARE(page().model().rowCount(), static_cast<int>(report.rows.size()));
        for (const ks::TuneRow& row : report.rows)
            QVERIFY(std::stoi(row.defines.at("WG")) * std::stoi(row.defines.at("ITEMS")) <= 64);
        QCOMPARE(page().lines().lines().axes(), std::size_t{3});
        QVERIFY(!page().map().cells().grid().cells.empty());
        QVERIFY2(page().resultText().contains("the default's time"), qPrintable(page().resultText()));
        // A tuning that was opened may be of a device that is not here.
        const QString device = QString::fromStdString(page().report()->device.name);
        const QList<QLabel*> labels = page().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->accessibleName() == "Result" && label->text().contains(", on " + device);
        }));
        QVERIFY(form().run().isEnabled() && !form().cancel().isEnabled() && form().resume().isEnabled());
        // What is chosen on an axis is what the table has.
        page().lines().mark(std::size_t{1});
        QCOMPARE(page().plots().size(), std::size_t{2});
    }

    void aSpaceWithoutAValidPointIsToldInOneSentence() {
        chooseScan();
        form().rules().setText("WG > 16");
        QTRY_VERIFY(form().counted());
        QCOMPARE(form().spaceText(), QString("None of the 4 combinations satisfies WG > 16"));
        QVERIFY(!form().run().isEnabled());
        QCOMPARE(page().missing(), QString("none of the 4 combinations satisfies WG > 16"));
        form().rules().setText("WG > SIZE");
        QTRY_VERIFY(form().counted());
        QVERIFY2(page().missing().contains("unknown name SIZE"), qPrintable(page().missing()));
        form().rules().clear();
        QTRY_VERIFY(form().counted());
        QVERIFY(form().run().isEnabled());
        tick("WG", {});
        QCOMPARE(page().missing(), QString("tick a value of WG"));
    }

    void whatWasJustTypedIsRunOrRefusedWithAReason() {
        chooseScan();
        const auto type = [this](const QString& text) {
            form().rules().setFocus();
            form().rules().selectAll();
            QTest::keyClicks(&form().rules(), text);
            QTest::keyClick(&form().rules(), Qt::Key_F5);
        };
        QStringList refused;
        const auto listening = connect(&page(), &Page::failed, this, [&](const ks::Error& error) {
            refused << QString::fromUtf8(error.what());
        });
        const auto over = qScopeGuard([&] { disconnect(listening); });
        type("WG > 64");
        QTRY_COMPARE_WITH_TIMEOUT(refused, QStringList("none of the 4 combinations satisfies WG > 64"),
                                  10000);
        QTRY_VERIFY(!form().run().isEnabled());
        QVERIFY(!page().report());
        type("WG > 4");  // before it is known that this can be run
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
        QCOMPARE(refused.size(), 1);
        for (const ks::TuneRow& row : page().report()->rows)
            QVERIFY(row.defines == page().report()->usual.defines || row.defines.at("WG") == "16");
    }

    void cancelKeepsWhatWasTriedAndResumeGoesOnWithIt() {
        choose("matmul", "registers");
        form().sizes().setValue("size", std::int64_t{256});
        form().repeats().setValue(3);
        QTRY_VERIFY(form().counted());
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(page().report() && page().report()->rows.size() >= 2, 120000);
        QVERIFY(page().resultText().contains("tried"));
        QVERIFY(form().cancel().isEnabled() && !form().run().isEnabled());
        form().cancel().click();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 30000);
        QVERIFY(!page().complete());
        const ks::TuneReport before = *page().report();
        QVERIFY(before.rows.size() >= 2 && before.rows.size() < before.valid);
        QVERIFY2(page().resultText().startsWith("Stopped"), qPrintable(page().resultText()));
        QVERIFY(!page().keepButton().isEnabled() && page().keepButton().toolTip().contains("Resume"));
        // Another problem is another tuning.
        form().sizes().setValue("size", std::int64_t{128});
        QVERIFY(!form().resume().isEnabled() && form().resume().toolTip().contains("different problem"));
        form().sizes().setValue("size", std::int64_t{256});
        // What is left: one value more than what was tried, so that the rest takes no time.
        form().budget().setValue(static_cast<int>(before.rows.size()) + 2);
        QTRY_VERIFY(form().resume().isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        form().resume().click();
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 120000);
        const ks::TuneReport& after = *page().report();
        QVERIFY(after.rows.size() > before.rows.size());
        for (std::size_t i = 0; i < before.rows.size(); ++i)
            QCOMPARE(after.rows[i].tried, before.rows[i].tried);
    }

    void whatIsSurelyBetterIsKeptUsedAndForgotten() {
        tuneScan();
        open(writtenTuning());
        QVERIFY2(page().resultText().contains(": 0.5") &&
                     page().resultText().contains("\u00d7 the default's time (0."),
                 qPrintable(page().resultText()));
        QVERIFY(page().keepButton().isEnabled());
        page().keepButton().click();
        QTRY_COMPARE_WITH_TIMEOUT(page().kept().model().rowCount(), 1, 10000);
        QVERIFY(!page().keepButton().isEnabled() &&
                page().keepButton().toolTip().contains("these values are already kept"));
        const ks::TuneReport report = *page().report();
        const ks::Defines best = report.rows[*report.best].defines;
        {
            ks::UserTuning kept = table();
            QCOMPARE(kept.rows().size(), std::size_t{1});
            QVERIFY(kept.rows()[0].defines == best);
            QVERIFY(std::abs(kept.rows()[0].speed_up - 2) < 0.1);
        }
        // A run takes them, and says so.
        QSignalSpy added(&window_->queue(), &RunQueue::runAdded);
        ks::Request request;
        request.analysis = "scan";
        request.variant = "three_passes";
        request.device = std::to_string(form().device()->index);
        request.parameters["size"] = std::int64_t{100000};
        window_->queue().run(request, true);
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        const auto cell = [&](int column) { return window_->runs().index(0, column); };
        QVERIFY(window_->runs().rows().front().run->tuned == best);
        QCOMPARE(cell(RunTableModel::VariantColumn).data().toString(), QString("three_passes, tuned"));
        const QString first = QString::fromStdString(best.begin()->first + " = " + best.begin()->second);
        QVERIFY(cell(RunTableModel::VariantColumn).data(Qt::ToolTipRole).toString().contains(first));
        QVERIFY(cell(RunTableModel::ChangedColumn).data().toString().contains(first + ", tuned"));
        QVERIFY(cell(RunTableModel::NumberColumn).data(Qt::ToolTipRole).toString().contains(first));
        // Without them, where the setting says so.
        request.user_tuned = false;
        window_->queue().run(request, true);
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 2, 60000);
        QVERIFY(window_->runs().rows().front().run->tuned.empty());
        // Forget, by the key of a row.
        page().kept().table().selectRow(0);
        QVERIFY(page().kept().forget().isEnabled());
        page().kept().forget().click();
        QTRY_COMPARE_WITH_TIMEOUT(page().kept().model().rowCount(), 0, 10000);
        QVERIFY(table().rows().empty());
        QVERIFY(page().keepButton().isEnabled());
        // What another program keeps and forgets meanwhile is shown as well.
        const ks::TunedRow row = ks::tuned_row(report, {});
        table().keep(row);
        QTRY_COMPARE_WITH_TIMEOUT(page().kept().model().rowCount(), 1, 10000);
        QVERIFY(!page().keepButton().isEnabled());
        QVERIFY(table().forget(row));
        QTRY_COMPARE_WITH_TIMEOUT(page().kept().model().rowCount(), 0, 10000);
        QVERIFY(page().keepButton().isEnabled());
    }

    void aTieIsNotKept() {
        tuneScan();
        open(writtenTuning(100));
        QVERIFY2(page().resultText().contains("a tie with the default"), qPrintable(page().resultText()));
        QVERIFY(!page().keepButton().isEnabled());
        QVERIFY(page().keepButton().toolTip().contains("not significantly faster"));
        QSignalSpy failed(&page(), &Page::failed);
        page().keepBest();
        QCOMPARE(failed.count(), 1);
        QTest::qWait(300);
        QVERIFY(table().rows().empty());
    }

    void brushingAnAxisFiltersTheTable() {
        tuneScan();
        const int all = page().model().rowCount();
        const auto& lines = page().lines().lines();
        QWidget* canvas = page().lines().findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        const double x = lines.axisX(1);  // WG: 1 below 16
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPointF(x, lines.yOf(0.6)).toPoint());
        const QPointF to(x, lines.yOf(0.95));
        QMouseEvent move(QEvent::MouseMove, to, canvas->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(canvas, &move);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to.toPoint());
        QVERIFY(page().model().rowCount() < all && page().model().rowCount() > 0);
        for (int row = 0; row < page().model().rowCount(); ++row)
            QCOMPARE(page().model().index(row, 2).data().toString(), QString("16"));
        page().lines().clearBrushes();
        QCOMPARE(page().model().rowCount(), all);
        // A row of the table is marked as a line.
        page().table().view().setCurrentIndex(page().model().index(0, 0));
        emit page().table().picked(page().model().itemAt(0));
        QCOMPARE(page().lines().marked().value(), static_cast<std::size_t>(page().model().itemAt(0)));
    }

    void aTuningIsSavedAsTheCommandWritesItAndOpenedAgain() {
        tuneScan();
        const QString path = folder_.filePath("saved.json");
        page().saveTuning(path, true);
        const std::optional<ks::TuneReport> read = ks::read_tuning(path.toStdString());
        QVERIFY(read.has_value());
        QCOMPARE(QString::fromStdString(ks::tune_json(*read)),
                 QString::fromStdString(ks::tune_json(*page().report())));
        choose("matmul", "registers");
        open(path);
        // The form is as it was, so that Resume goes on.
        QCOMPARE(QString::fromStdString(form().variant()->id), QString("three_passes"));
        QVERIFY(form().plan().space == read->plan.space && form().plan().sizes == read->plan.sizes);
        QVERIFY(form().resume().isEnabled());
        QVERIFY(page().complete());
        QSignalSpy failed(&page(), &Page::failed);
        page().openTuning(folder_.filePath("none.json"));
        QTRY_VERIFY(window_->errorBar().isError());
    }

    void whatWasChosenComesBackAtTheNextStart() {
        chooseScan();
        form().rules().setText("WG < 16");
        form().budget().setValue(17);
        window_->close();
        window_.reset();
        start();
        QCOMPARE(QString::fromStdString(form().variant()->id), QString("three_passes"));
        QVERIFY(!define_field<QCheckBox>(form().values(), "WG=64").isChecked() &&
                define_field<QCheckBox>(form().values(), "WG=16").isChecked());
        QCOMPARE(form().rules().text(), QString("WG < 16"));
        QCOMPARE(form().budget().value(), 17);
        QCOMPARE(ks::integer(form().sizes().values(), "size"), std::int64_t{100000});
    }

    void anAnalysisWithoutDefinitionsSaysSo() {
        for (int i = 0; i < form().analyses().count(); ++i) {
            form().analyses().setCurrentIndex(i);
            QTRY_VERIFY(form().counted());
            const QString lacking = page().missing();
            QVERIFY2(form().run().isEnabled() == lacking.isEmpty(), qPrintable(lacking));
            if (!form().variant()) QCOMPARE(lacking, QString("no variant of this analysis has definitions"));
        }
    }
};

QTEST_MAIN(TunePageTest)
#include "tst_tune_page.moc"
