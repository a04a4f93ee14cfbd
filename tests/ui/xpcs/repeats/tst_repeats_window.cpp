// From files that are dropped on the window to their average, by hand's events.

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/data/regions/region_shapes.h"
#include "core/run/registry.h"
#include "core/run/repeats/repeats.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/image/mask/region_editor.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/page.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/session/session_questions.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/fit_results.h"
#include "ui/xpcs/fit/tau_panel.h"
#include "ui/xpcs/repeats_panel.h"
#include "ui/xpcs/series/frames_panel.h"
#include "ui/xpcs/series/stability_panel.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::MainWindow;
using ks::ui::xpcs::RepeatsPanel;
using ks::ui::xpcs::RepeatTableModel;
using ks::ui::xpcs::XpcsPage;

class RepeatsWindowTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static constexpr const char* notice = "repeats";

    void generate(const QString& leaf, std::int64_t frames, std::int64_t seed) const {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["kind"] = std::string("speckle");
        parameters["frames"] = frames;
        parameters["seed"] = seed;
        parameters["frame_time"] = 0.01;
        parameters["geometry"] = true;
        ks::Progress progress;
        analysis.generate(parameters, path(leaf).toStdString(), true, progress);
    }
    XpcsPage& page() const { return dynamic_cast<XpcsPage&>(*window_->page()); }
    RepeatsPanel& panel() const { return page().repeatsPanel(); }
    const ks::Run& newest() const { return *window_->runs().rows().front().run; }
    void drop(const QStringList& leaves) const {
        QMimeData dropped;
        QList<QUrl> urls;
        for (const QString& leaf : leaves) urls << QUrl::fromLocalFile(path(leaf));
        dropped.setUrls(urls);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
    }
    void clickNotice(const QString& text) const {
        auto& bar = *window_->findChild<ks::ui::NoticeBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(bar.ids().contains(notice), 30000);
        for (auto* one : bar.findChildren<QAbstractButton*>())
            if (one->text() == text && one->isVisible()) return QTest::mouseClick(one, Qt::LeftButton);
        QFAIL(qPrintable("no button " + text));
    }
    void openRepeats(const QStringList& leaves) const {
        drop(leaves);
        clickNotice(QStringLiteral("Open as repeats"));
        QTRY_VERIFY_WITH_TIMEOUT(!page().repeats().empty() && page().missing().isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void run() const {
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 120000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }
    /// A click on the box of a row.
    void tick(int row) const {
        QTableView& view = panel().view();
        const QModelIndex index = panel().model().index(row, RepeatTableModel::FileColumn);
        QVERIFY(panel().model().flags(index).testFlag(Qt::ItemIsUserCheckable));
        view.scrollTo(index);
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.rect = view.visualRect(index);
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        const QRect box = view.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &view);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, box.center());
    }
    /// The mean of g2 of all bins at some delays, weighted by 1 / error^2, over these repeats.
    static bool isMeanOf(const ks::Run& run, const std::vector<std::size_t>& repeats) {
        const ks::Array &each = run.result.at("repeat_g2").values,
                        &error = run.result.at("repeat_g2_err").values;
        const std::size_t bins = each.shape()[1], delays = each.shape()[2];
        for (std::size_t bin = 0; bin < bins; ++bin)
            for (const std::size_t delay : {1U, 5U, 20U}) {
                double weights = 0, sum = 0;
                for (const std::size_t one : repeats) {
                    const std::size_t at = (one * bins + bin) * delays + delay;
                    const double w = 1 / (error.as<double>()[at] * error.as<double>()[at]);
                    weights += w;
                    sum += w * each.as<double>()[at];
                }
                const double found = run.result.at("g2").values.as<double>()[bin * delays + delay];
                if (!(std::abs(found - sum / weights) < 1e-12)) return false;
            }
        return true;
    }
    QString why(int row) const {
        return panel().model().index(row, RepeatTableModel::WhyColumn).data().toString();
    }
    const QStringList all_{"scan_1.h5", "scan_2.h5", "scan_3.h5", "scan_4.h5", "short.h5", "torn.h5"};

  private slots:
    void initTestCase() {
        for (int i = 1; i <= 4; ++i) generate(QStringLiteral("scan_%1.h5").arg(i), 60, i);
        generate(QStringLiteral("short.h5"), 50, 9);
        QFile torn(path("torn.h5"));
        QVERIFY(torn.open(QFile::WriteOnly));
        torn.write("not frames");
    }
    void init() {
        window_ = firstWindow({1280, 800});
        QVERIFY(window_->setPage("xpcs"));
    }
    void cleanup() { window_.reset(); }

    void droppedFilesBecomeAnAverageWithATableOfWhatWasLeftOut() {
        openRepeats(all_);
        QVERIFY2(panel().summary().startsWith("6 repeats"), qPrintable(panel().summary()));
        run();
        QCOMPARE(ks::average_text(newest()), std::string("average of 4 of 6 repeats"));
        QVERIFY(isMeanOf(newest(), {0, 1, 2, 3}));
        QCOMPARE(newest().verdict.state, ks::Verdict::State::sampled);
        QVERIFY2(window_->runs().rows().front().setup.startsWith("average of 4 of 6 repeats"),
                 qPrintable(window_->runs().rows().front().setup));
        QVERIFY2(panel().summary().contains("average of 4 of 6"), qPrintable(panel().summary()));
        QVERIFY2(!panel().summary().contains("outdated"), qPrintable(panel().summary()));
        QVERIFY2(why(4).contains("50 delays"), qPrintable(why(4)));
        QVERIFY2(why(5).contains("HDF5"), qPrintable(why(5)));
        QVERIFY(!panel().model().flags(panel().model().index(5, 0)).testFlag(Qt::ItemIsUserCheckable));
        // Four repeats and the average.
        QCOMPARE(panel().plot().series().size(), 5);
        QVERIFY(page().curves().note().contains("average of 4 of 6 repeats"));
        panel().colours().setCurrentIndex(1);
        QVERIFY(panel().plot().series().front().colour.has_value());
    }

    void noPreviewIsSpokenOfThatTheOpenedRepeatsHaveReplaced() {
        ks::tests::open_data(*window_, path("scan_1.h5"));
        run();
        auto& editor = page().imagePanel().editor();
        QTRY_VERIFY_WITH_TIMEOUT(editor.frame(), 30000);
        editor.apply(ks::rectangle_region(editor.height(), editor.width(), {2, 3}, {20, 30}), true, "Box");
        const auto says = [this] { return page().drawer().mark().contains("preview"); };
        QTRY_VERIFY_WITH_TIMEOUT(says() && page().curves().note().contains("live"), 60000);
        openRepeats(all_.mid(0, 2));
        const auto agree = [&] { return says() == page().curves().note().contains("live"); };
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().previewing() && agree(), 60000);
        QTest::qWait(1500);
        QVERIFY2(agree(), qPrintable(page().drawer().mark() + " / " + page().curves().note()));
    }

    // The window's names are texts: it could not find the file again, and the run would be of other data.
    void aFolderWithANameThatIsNotUtf8IsRefused() {
        QVERIFY(QDir().mkpath(path("names")));
        const std::string folder = path("names").toStdString();
        for (const char* leaf : {"/a_2.h5", "/a_3.h5", "/a_\xe4.h5"})
            std::filesystem::copy_file(path("scan_1.h5").toStdString(), folder + leaf);
        drop({"names"});
        const auto& errors = *window_->findChild<ks::ui::ErrorBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(errors.sentence().contains("expected a name in UTF-8"), 30000);
        QVERIFY2(errors.sentence().contains("kernelscope-cli"), qPrintable(errors.sentence()));
        QVERIFY(page().repeats().empty());
        // The same files by a pattern.
        window_->openRepeats({path("names") + "/*.h5"});
        QTRY_VERIFY_WITH_TIMEOUT(errors.sentence().contains("expected a name in UTF-8"), 30000);
        QVERIFY(page().repeats().empty() && !window_->file());
    }

    void anAverageIsExportedAsARunIs() {
        openRepeats(all_);
        run();
        const auto lines = [this](const QString& leaf) {
            QFile file(path(leaf));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed().split(u'\n')
                                                  : QStringList();
        };
        // The table: one row per delay with g2 and error of each bin.
        window_->saveCsv(path("average.csv"), true);
        QTRY_VERIFY_WITH_TIMEOUT(lines("average.csv").size() > 1, 30000);
        const std::vector<double> g2 = newest().result.at("g2").values.to_doubles(),
                                  errors = newest().result.at("g2_err").values.to_doubles();
        const std::size_t delays = newest().result.at("g2").values.shape()[1];
        const QStringList table = lines("average.csv");
        QCOMPARE(static_cast<std::size_t>(table.size()), delays + 1);
        const auto compared = [](const QString& cell, double value) {
            return std::isnan(value) ? cell.isEmpty() : cell.toDouble() == value;
        };
        for (std::size_t i = 0; i < delays; ++i) {
            const QStringList cells = table[static_cast<qsizetype>(i) + 1].split(u',');
            QVERIFY(cells.size() > 2 && compared(cells[1], g2[i]) && compared(cells[2], errors[i]));
        }
        // The plot of the single curves is among those that are exported, and says whose it is.
        const std::vector<ks::ui::NamedPlot> plots = page().plots();
        const auto one = std::ranges::find(plots, &panel().plot(), &ks::ui::NamedPlot::plot);
        QVERIFY(one != plots.end());
        QCOMPARE(one->ofRuns().numbers, std::vector<int>{window_->runs().rows().front().number});
        const QString csv = QString::fromStdString(panel().plot().csv());
        QVERIFY2(csv.contains("average") && csv.contains("scan_1.h5"), qPrintable(csv.left(400)));
    }

    void aProjectBringsTheAverageBack() {
        openRepeats(all_);
        run();
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        const ks::Array g2 = newest().result.at("g2").values;
        QSignalSpy saved(&window_->kept().project(), &ks::ui::WindowProject::saved);
        window_->kept().project().save(path("p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        window_ = nullptr;
        window_ = firstWindow({1280, 800});
        QSignalSpy back(&window_->kept(), &ks::ui::WindowSession::broughtBack);
        window_->open(path("p.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 30000);
        QVERIFY(newest().result.at("g2").values == g2);
        QTRY_VERIFY2(panel().summary().contains("average of 3 of 6"), qPrintable(panel().summary()));
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 4 of 6 repeats"));
    }

    void aRowThatIsTickedOffChangesTheAverageAtOnce() {
        openRepeats(all_);
        run();
        // No frame is read: the files are gone.
        for (int i = 1; i <= 4; ++i)
            QVERIFY(QFile::rename(path(QStringLiteral("scan_%1.h5").arg(i)),
                                  path(QStringLiteral("gone_%1.h5").arg(i))));
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        QVERIFY(isMeanOf(newest(), {0, 2, 3}));
        QTRY_VERIFY2(why(1).contains("by hand"), qPrintable(why(1)));
        QTRY_VERIFY(page().curves().note().contains("average of 3 of 6"));
        const auto shown = page().curves().series().front();
        QCOMPARE(shown.y.front(), newest().result.at("g2").values.as<double>()[1]);
        // Two more would leave one.
        tick(0);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 2 of 6 repeats"));
        tick(2);
        QTRY_VERIFY2(window_->errorBar().sentence().contains("at least two repeats"),
                     qPrintable(window_->errorBar().sentence()));
        QCOMPARE(ks::average_text(newest()), std::string("average of 2 of 6 repeats"));
        QTRY_COMPARE(panel().model().index(2, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        tick(1);
        QTRY_VERIFY(isMeanOf(newest(), {1, 2, 3}));
        for (int i = 1; i <= 4; ++i)
            QVERIFY(QFile::rename(path(QStringLiteral("gone_%1.h5").arg(i)),
                                  path(QStringLiteral("scan_%1.h5").arg(i))));
    }

    void theWarningSaysWhatIsLeftOutNow() {
        openRepeats(all_);
        run();
        const auto& bar = window_->errorBar();
        const auto told = [&bar] { return bar.sentence() + QLatin1Char('\n') + bar.details(); };
        QTRY_VERIFY2(told().contains("torn.h5 was left out"), qPrintable(told()));
        tick(1);
        QTRY_VERIFY2(told().contains("scan_2.h5 was left out of the average"), qPrintable(told()));
        tick(2);
        QTRY_VERIFY2(told().contains("scan_3.h5 was left out of the average"), qPrintable(told()));
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        QTRY_VERIFY2(!told().contains("scan_2.h5"), qPrintable(told()));
        QVERIFY2(told().contains("scan_3.h5") && told().contains("torn.h5"), qPrintable(told()));
        // What was dismissed does not come back.
        window_->errorBar().dismiss();
        tick(0);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 2 of 6 repeats"));
        QVERIFY2(bar.sentence().isEmpty(), qPrintable(told()));
    }

    void aChoiceStaysWhileItsAverageIsComputed() {
        openRepeats(all_);
        run();
        tick(1);
        const auto shown = [this](int row) {
            return panel().model().index(row, RepeatTableModel::FileColumn).data(Qt::CheckStateRole).toInt();
        };
        const std::string name = page().repeats().at(1);
        // The table of runs tells the page of its old average, as it does after any run.
        page().setRuns({window_->runs().rows().front()});
        QCOMPARE(ks::average_text(newest()), std::string("average of 4 of 6 repeats"));
        QCOMPARE(shown(1), int(Qt::Unchecked));
        QVERIFY(page().repeatSet().chosen.contains(name) && !page().repeatSet().chosen.at(name));
        // A second click before the first one has had its effect keeps both.
        tick(0);
        QCOMPARE(shown(0), int(Qt::Unchecked));
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 2 of 6 repeats"));
        QVERIFY(isMeanOf(newest(), {2, 3}));
        QCOMPARE(shown(0), int(Qt::Unchecked));
        QCOMPARE(shown(1), int(Qt::Unchecked));
    }

    void theChoiceByHandStaysForTheNextRunAndIsSaid() {
        openRepeats(all_);
        run();
        tick(0);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        const ks::Array g2 = newest().result.at("g2").values;
        QTRY_VERIFY2(panel().summary().contains("next run leaves out the same repeat by hand"),
                     qPrintable(panel().summary()));
        run();
        QCOMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        QVERIFY(isMeanOf(newest(), {1, 2, 3}));
        QVERIFY2(why(0).contains("by hand"), qPrintable(why(0)));
        QVERIFY(newest().result.at("g2").values == g2);
        // It stays while no average is shown, and until it is undone.
        window_->runs().tickOnly({});
        QTRY_VERIFY2(panel().summary().startsWith("6 repeats, 1 left out by hand"),
                     qPrintable(panel().summary()));
        QVERIFY2(why(0).contains("by hand"), qPrintable(why(0)));
        openRepeats(all_);
        run();
        QCOMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        window_->runs().tickOnly({});
        QTRY_VERIFY(panel().summary().startsWith("6 repeats, 1 left out"));
        auto* undo = panel().findChild<QPushButton*>();
        QVERIFY(undo && undo->isEnabled());
        QTest::mouseClick(undo, Qt::LeftButton);
        QVERIFY2(panel().summary().startsWith("6 repeats: press Run"), qPrintable(panel().summary()));
        run();
        QCOMPARE(ks::average_text(newest()), std::string("average of 4 of 6 repeats"));
    }

    void aPreviewSaysOfWhichRepeatItIsAndIsOfNoneThatIsLeftOut() {
        openRepeats(all_);
        run();
        page().fitForm().setChoice([] {
            ks::ui::xpcs::FitChoice choice;
            choice.take({{"fit", std::string("single")}}, "s");
            return choice;
        }());
        window_->pageRuns().setLive(true);
        const auto shown = [this](const QString& leaf) {
            return page().curves().note().startsWith("live: " + leaf + " only, not the average");
        };
        window_->parameters().setValue("leave_out", std::string("3"));
        QTRY_VERIFY2_WITH_TIMEOUT(shown("scan_1.h5"), qPrintable(page().curves().note()), 30000);
        QTRY_VERIFY2_WITH_TIMEOUT(page().tau().plot().note().contains("scan_1.h5 only, not the average") ||
                                      page().tau().resultText().contains("scan_1.h5 only, not the average"),
                                  qPrintable(page().tau().resultText()), 30000);
        auto* standing = page().fitResults().findChild<QLabel*>(QStringLiteral("fitStanding"));
        QVERIFY2(standing->text().contains("scan_1.h5 only"), qPrintable(standing->text()));
        page().drawer().raise(&page().frames());
        QTRY_COMPARE_WITH_TIMEOUT(page().frames().plot().note(), QString("scan_1.h5 only, not the average"),
                                  30000);
        page().drawer().raise(&page().stability());
        QTRY_VERIFY2_WITH_TIMEOUT(
            page().stability().plot().note().startsWith("scan_1.h5 only, not the average"),
            qPrintable(page().stability().plot().note()), 30000);
        // The repeat that is left out is no longer previewed.
        tick(0);
        QTRY_VERIFY2_WITH_TIMEOUT(shown("scan_2.h5"), qPrintable(page().curves().note()), 30000);
        window_->parameters().setValue("leave_out", std::string("3-4"));
        QTRY_COMPARE_WITH_TIMEOUT(window_->live().behind(), false, 30000);
        QVERIFY2(shown("scan_2.h5"), qPrintable(page().curves().note()));
        QVERIFY2(!page().curves().series().front().foreign, "in the colours of its bins");
        // The choice is undone while no average shows it, and made once more.
        const int average = window_->runs().rows().front().number;
        window_->runs().tickOnly({});
        QTRY_VERIFY(panel().summary().startsWith("6 repeats, 1 left out"));
        // Other ticks end a preview.
        window_->parameters().setValue("leave_out", std::string("3-5"));
        QTRY_VERIFY2_WITH_TIMEOUT(shown("scan_2.h5"), qPrintable(page().curves().note()), 30000);
        QTest::mouseClick(panel().findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(shown("scan_1.h5"), qPrintable(page().curves().note()), 30000);
        window_->runs().tickOnly({average});
        QTRY_VERIFY2(panel().summary().contains("average of 3 of 6"), qPrintable(panel().summary()));
        run();
        QVERIFY2(page().curves().note().contains("average of 3 of 6"), qPrintable(page().curves().note()));
        QVERIFY(!page().curves().note().contains("live"));
    }

    void theTabOfMapsSaysAtOnceThatAnAverageHasNone() {
        openRepeats(all_.mid(0, 3));
        const auto text = [this] { return page().twoTime().whyEmpty(); };
        QCOMPARE(text(), QString("An average of repeats has no two-time map"));
        run();
        QCOMPARE(text(), QString("An average of repeats has no two-time map"));
        page().pickBin(2);
        QCOMPARE(text(), QString("An average of repeats has no two-time map"));
        ks::tests::open_data(*window_, path("scan_1.h5"));
        QVERIFY2(!text().contains("average"), qPrintable(text()));
    }

    void theModelKeepsTheRulesOfModels() {
        RepeatTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ks::RepeatRow first, second;
        first.name = "a.h5";
        second.name = "b.h5";
        second.chi2 = 1.5;
        second.curve = 0;
        model.setRepeats({first, second}, true);
        QSignalSpy chosen(&model, &RepeatTableModel::choiceChanged);
        QVERIFY(
            model.setData(model.index(1, RepeatTableModel::FileColumn), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(model.chosen()[1], std::optional(false));
        model.setRepeats({first}, false);
        QCOMPARE(model.rowCount(), 1);
    }

    void aChangedSetIsOutdatedAndOneFileAloneIsNoSet() {
        openRepeats(all_);
        run();
        tick(1);
        QTRY_VERIFY2(panel().summary().contains("next run leaves out the same repeat by hand"),
                     qPrintable(panel().summary()));
        openRepeats(all_.mid(0, 3));
        QTRY_VERIFY2(panel().summary().contains("outdated (Repeats)"), qPrintable(panel().summary()));
        QVERIFY2(!panel().summary().contains("next run"), qPrintable(panel().summary()));
        ks::tests::open_data(*window_, path("scan_1.h5"));
        QVERIFY(page().repeats().empty());
        QVERIFY2(!panel().summary().contains("next run"), qPrintable(panel().summary()));
        run();
        QVERIFY(ks::repeats_of(newest()).empty());
    }

    void anAverageIsOfTheOpenFileAlsoIfThatIsNotItsFirstRepeat() {
        openRepeats(all_.mid(0, 3));
        run();
        tick(0);  // which is the file that is open
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 2 of 3 repeats"));
        run();
        QCOMPARE(ks::average_text(newest()), std::string("average of 2 of 3 repeats"));
        const ks::ui::RunRow& row = window_->runs().rows().front();
        QVERIFY(window_->runs().isOfFile(row) && window_->runs().isOfContents(row));
        const auto mark = [this] {
            return window_->pageRuns().exported(window_->runs().rows().front()).outdated;
        };
        QVERIFY2(mark().isEmpty(), qPrintable(mark()));
        QVERIFY2(!panel().summary().contains("outdated"), qPrintable(panel().summary()));
        window_->parameters().setValues({{"errors", std::string("jackknife")}});
        QTRY_VERIFY2(panel().summary().contains("outdated"), qPrintable(panel().summary()));
        QVERIFY(!mark().isEmpty());
    }

    void theNextStartAndASavedRunBringTheSetBack() {
        const auto start = [this](int count) {
            const QString ini = path(QStringLiteral("session_%1.ini").arg(count));
            {
                QSettings settings(ini, QSettings::IniFormat);
                ks::ui::setSessionStart(settings, ks::ui::SessionStart::restore);
            }
            window_ = ks::tests::session_window(ini);
            window_->resize(1280, 800);
        };
        start(1);
        window_->kept().begin(path("sessions"), ks::ui::WindowSession::Begin::bySetting);
        QVERIFY(window_->setPage("xpcs"));
        openRepeats(all_);
        run();
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 3 of 6 repeats"));
        const ks::Array g2 = newest().result.at("g2").values;
        const auto repeats = page().repeats();
        QVERIFY2(
            window_->pageRuns().exported(window_->runs().rows().front()).title.contains("average of 3 of 6"),
            "names of exported files do not say what the run is");
        // The choice is the set's, also where no average shows it.
        window_->runs().tickOnly({});
        QTRY_VERIFY2(panel().summary().startsWith("6 repeats, 1 left out by hand"),
                     qPrintable(panel().summary()));
        QVERIFY(window_->close());
        start(2);
        QSignalSpy back(&window_->kept(), &ks::ui::WindowSession::broughtBack);
        window_->kept().begin(path("sessions"), ks::ui::WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(window_->runs().rowCount(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(page().repeats() == repeats, 30000);
        QVERIFY(newest().result.at("g2").values == g2);
        QTRY_VERIFY2(panel().summary().startsWith("6 repeats, 1 left out by hand"),
                     qPrintable(panel().summary()));
        QVERIFY2(why(1).contains("by hand"), qPrintable(why(1)));
        window_->runs().tickOnly({window_->runs().rows().front().number});
        QTRY_VERIFY2(panel().summary().contains("average of 3 of 6"), qPrintable(panel().summary()));
        QTRY_VERIFY2(!panel().summary().contains("outdated"), qPrintable(panel().summary()));
        const ks::Registry registry;
        ks::Progress progress;
        registry.analysis("xpcs").save(newest(), path("average.h5").toStdString(), true, progress);
        window_ = nullptr;
        window_ = firstWindow({1280, 800});
        window_->open(path("average.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().repeats() == repeats, 30000);
        QVERIFY(newest().result.at("g2").values == g2);
        QTRY_VERIFY2(panel().summary().contains("average of 3 of 6"), qPrintable(panel().summary()));
        // The curves of the repeats are in the file, too.
        tick(1);
        QTRY_COMPARE(ks::average_text(newest()), std::string("average of 4 of 6 repeats"));
    }

    void stoppedInTheMiddleItKeepsTheRepeatsThatAreDone() {
        generate(QStringLiteral("long_0.h5"), 500, 3);
        QStringList leaves{"long_0.h5"};
        for (int i = 1; i < 40; ++i) {
            leaves << QStringLiteral("long_%1.h5").arg(i);
            QVERIFY(QFile::link(path("long_0.h5"), path(leaves.back())));
        }
        openRepeats(leaves);
        bool asked = false;
        const auto stop =
            connect(&window_->queue(), &ks::ui::RunQueue::progress, this, [&](double, const QString& stage) {
                if (asked || !stage.contains("repeat 4 of 40")) return;
                asked = true;
                window_->action("cancel")->trigger();
            });
        run();
        disconnect(stop);
        QVERIFY(asked);
        const auto rows = ks::repeats_of(newest());
        QCOMPARE(rows.size(), std::size_t{40});
        const std::size_t used = ks::used_repeats(rows);
        QVERIFY2(used >= 2 && used < 40, qPrintable(QString::number(used)));
        QVERIFY(rows.back().left_out.find("stopped") != std::string::npos);
    }

    void withoutAnyThatCanBeReadThereIsOneSentence() {
        QVERIFY(QFile::copy(path("torn.h5"), path("torn_2.h5")));
        window_->openRepeats({path("torn*.h5")});
        QTRY_VERIFY2(window_->errorBar().sentence().contains("none of the 2 repeats can be opened"),
                     qPrintable(window_->errorBar().sentence()));
        QVERIFY(!window_->file());
    }
};

QTEST_MAIN(RepeatsWindowTest)
#include "tst_repeats_window.moc"
