#include <QAbstractItemModelTester>
#include <QAction>
#include <QListWidget>
#include <QRegularExpression>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "core/run/parameter_rows.h"
#include "tests/ui/child.h"
#include "ui/base/palette.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/lab_tabs.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/problem_text.h"
#include "ui/lab/roofline_pane.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/variant_list.h"
#include "ui/lab/view_choice.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_plot.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/timing_plot.h"
#include "ui/shell/general/size_plots.h"

using namespace ks::ui::lab;
using ks::tests::child;

/// What the plots of the page Lab draw, and where.
class LabPlotsTest : public QObject {
    Q_OBJECT

    static ks::BenchRow row(const char* id, std::vector<double> times) {
        ks::BenchRow made;
        made.variant.id = id;
        for (const double time : times) {
            ks::BenchSample sample;
            sample.kernel = time;
            sample.total = 3 * time;
            sample.timings.push_back(
                {"work", ks::StageKind::kernel, static_cast<std::uint64_t>(time), 4000, 8000});
            made.samples.push_back(sample);
        }
        return made;
    }
    static std::shared_ptr<Compared> compared(std::vector<ks::BenchRow> rows) {
        auto made = std::make_shared<Compared>();
        made->report.device.name = "Fast";
        made->report.points.push_back({{}, std::move(rows)});
        made->complete = true;
        return made;
    }

    static const StripMarks& marks(const StripPlot& plot) { return *plot.findChild<StripMarks*>(); }
    /// All of these, drawn in groups.
    static LabView viewOf(ComparedList all) {
        LabView view;
        view.here = entriesOf(all, view.time);
        view.all = std::move(all);
        return view;
    }

  private slots:
    void everySampleIsWhereItsTimeIs() {
        StripPlot plot;
        plot.resize(700, 300);
        plot.show();
        plot.setStrips(
            {{"a", "Fast", 1, "1", false, {}, {1e6, 2e6, 4e6}}, {"b", "Fast", 1, "2", false, {}, {8e6}}});
        QTest::qWait(50);
        const auto x = [&](std::size_t strip, std::size_t sample) {
            return marks(plot).dotAt(strip, sample).x();
        };
        // Equal differences are equally far apart.
        QVERIFY(std::abs((x(0, 2) - x(0, 0)) / (x(0, 1) - x(0, 0)) - 3) < 1e-6);
        QVERIFY(std::abs((x(1, 0) - x(0, 0)) / (x(0, 1) - x(0, 0)) - 7) < 1e-6);
        QVERIFY(std::abs(marks(plot).medianAt(0) - x(0, 1)) < 1e-6);
        plot.setLogarithmic(true);
        QTest::qWait(50);
        // Equal ratios are.
        QVERIFY(std::abs((x(1, 0) - x(0, 0)) / (x(0, 1) - x(0, 0)) - 3) < 1e-6);
        QVERIFY(marks(plot).dotAt(0, 0).y() < marks(plot).dotAt(1, 0).y());
    }

    void aSampleIsDrawnInTheColourOfItsSource() {
        StripPlot plot;
        plot.resize(600, 200);
        plot.setStrips({{"a", "Fast", 1, "1", false, {}, {1e6, 9e6}}});
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QTest::qWait(100);
        const QImage image = plot.grab().toImage();
        const QColor ground = plot.palette().color(QPalette::Base);
        for (const std::size_t sample : {std::size_t{0}, std::size_t{1}}) {
            const QPoint at = (marks(plot).dotAt(0, sample) * image.devicePixelRatio()).toPoint();
            QVERIFY(image.pixelColor(at) != ground);
        }
        // Between box and dots nothing is drawn where no sample is: beyond the row.
        QVERIFY(image.pixelColor(marks(plot).dotAt(0, 1).toPoint() + QPoint(3, 60)) == ground ||
                image.pixelColor(marks(plot).dotAt(0, 1).toPoint() + QPoint(7, 60)) == ground);
    }

    void tiesAreThoseThatChanceMayHaveOrdered() {
        const auto one = compared({row("slow", {50, 51, 52, 50, 51, 52, 51, 50, 52, 51}),
                                   row("same", {10, 12, 11, 10, 12, 11, 11, 10, 12, 11}),
                                   row("fast", {11, 10, 12, 11, 11, 12, 10, 12, 10, 11})});
        const std::vector<Entry> entries = entriesOf({one}, &ks::BenchSample::kernel);
        QCOMPARE(rankText(entries[0].rank), QString("3"));
        QCOMPARE(rankText(entries[1].rank), QString("1-2"));
        QCOMPARE(rankText(entries[2].rank), QString("1-2"));
        const auto ties = tiesOf(entries, &ks::BenchSample::kernel);
        QCOMPARE(ties.size(), std::size_t{1});
        QCOMPARE((std::set<std::size_t>{ties[0].begin(), ties[0].end()}), (std::set<std::size_t>{1, 2}));
    }

    void whatIsWrongHasNoRankAndNoTieAndIsMarkedAmongTheStages() {
        const std::vector<double> same{10000, 12000, 11000, 10000, 12000, 11000, 11000, 10000, 12000, 11000};
        ks::BenchRow hasty = row("hasty", same), sampled = row("sampled", std::vector<double>(10, 90000));
        hasty.verdict.state = ks::Verdict::State::fail;
        sampled.verdict.state = ks::Verdict::State::sampled;
        const LabView view = viewOf({compared({hasty, row("sound", same), sampled})});
        QStringList ranks;
        for (const Entry& entry : view.here) ranks << rankText(entry.rank);
        QCOMPARE(ranks, (QStringList{"", "1", "2"}));
        QVERIFY(tiesOf(view.here, view.time).empty());
        StripPlot plot;
        plot.setStrips(
            {{"hasty", "Fast", 1, "", true, {}, {10}}, {"sound", "Fast", 1, "1", false, {}, {20}}});
        QCOMPARE(QString::fromStdString(plot.csv()),
                 QString("variant,source,rank,sample,nanoseconds,note\n"
                         "hasty,Fast,,1,10,the result is wrong\nsound,Fast,1,1,20,\n"));
        ks::ui::Desk desk(std::make_shared<ks::Registry>());
        ViewChoice choice({});
        const LabTab tab = stagesTab({desk, choice});
        const std::unique_ptr<QWidget> stages(tab.widget);
        tab.show(view);
        QStringList marked;
        for (const ks::ui::TimingSeries& one : child<ks::ui::TimingPlot>(*stages).runs())
            marked << one.run.trimmed() + ": " + one.mark;
        marked.sort();
        QCOMPARE(marked, (QStringList{"hasty: wrong result", "sampled: ", "sound: "}));
    }

    void namesTakeTheRoomOfThePlotAndRanksStay() {
        StripPlot plot;
        plot.resize(120, 300);
        plot.show();
        const QString mine = "user.mine, text 3f2a61", other = "user.mine, former text 77cc10";
        plot.setStrips({{mine, "Fast", 1, "1-2", false, {}, {1e6}},
                        {other, "Fast, 2026-11-02", 2, "1-2", false, {}, {2e6}}});
        const auto labels = [&plot] {
            auto& drawn = *plot.findChild<QCustomPlot*>();
            drawn.replot();
            return drawn.yAxis->tickVectorLabels();
        };
        for (const QString& one : labels()) {
            QVERIFY2(one.contains(QChar(0x2026)) && one.endsWith("  1-2"), qPrintable(one));
            QVERIFY2(one.startsWith('u'), qPrintable(one));
        }
        // The report is opened while the plot is narrow; later there is room.
        plot.resize(900, 300);
        QTRY_VERIFY2(labels().contains(mine + "  1-2") && labels().contains(other + "  1-2"),
                     qPrintable(labels().join('|')));
    }

    void ranksAreThoseOfRowsOfOneProblemWhateverTheDevice() {
        const auto eight = [](double time) {
            return std::vector<double>{time,       time + 0.1, time,       time + 0.1, time,
                                       time + 0.1, time,       time + 0.1, time,       time};
        };
        const auto one = compared({row("a", eight(50)), row("b", eight(90))});
        auto same = compared({row("a", eight(5))}), other = compared({row("a", {1, 1.1, 1.2})});
        same->report.device.name = "Faster";
        other->report.points.front().sizes["size"] = std::int64_t{7};
        const ComparedList all{one, same, other};
        const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
        QStringList ranks;
        for (const Entry& entry : entries) ranks << rankText(entry.rank);
        QCOMPARE(ranks, (QStringList{"2", "3", "1", "1"}));
        const std::vector<Entry> order = fastestFirst(entries, {}, &ks::BenchSample::kernel);
        QCOMPARE(order.front().of->report.device.name, std::string("Faster"));
        QCOMPARE(order.back().of, std::shared_ptr<const Compared>(other));
        QCOMPARE(fastestFirst(entries, 1, &ks::BenchSample::kernel).size(), std::size_t{1});
        QCOMPARE(problemsOf(all).size(), std::size_t{2});
        QVERIFY(differenceText(all).contains("size 7"));
        QVERIFY(differenceText({one, same}).isEmpty());
        // A value that is left to the program is named as such.
        QCOMPARE(
            pointText({{"local_size", std::string()}, {"seed", std::int64_t{1}}}, {"local_size", "seed"}),
            QString("local_size not set, seed 1"));
        // Input from elsewhere is another problem, too.
        same->report.plan.from = ks::BenchFrom::file;
        QCOMPARE(problemTexts(problemsOf({one, same})), (QStringList{"from device", "from file"}));
    }

    void valuesHaveTheirUnitsAndWordsHaveNone() {
        ks::AnalysisInfo info;
        info.title = "Sums";
        for (const char* id : {"side", "modules"}) {
            ks::ParameterSpec spec;
            spec.id = spec.label = id;
            spec.type = ks::ParameterType::text;
            spec.unit = "px";
            info.benchmark.push_back(spec);
        }
        const auto one = compared({row("a", {1e6})});
        one->report.points.front().sizes = {{"side", std::string("3,3")}, {"modules", std::string("whole")}};
        const QString text = problemText(info, {one}, {});
        QVERIFY2(text.contains("side 3,3 px") && text.contains("modules whole"), qPrintable(text));
        QVERIFY2(!text.contains("whole px"), qPrintable(text));
    }

    void anInputThatIsNotGivenIsNotNamed() {
        ks::AnalysisInfo info;
        info.title = "Clusters";
        info.inputs.emplace_back().role = "digis";
        ks::InputSpec& mask = info.inputs.emplace_back();
        mask.role = "mask";
        mask.label = "Mask";
        ks::ParameterSpec& events = info.benchmark.emplace_back();
        events.id = "events";
        events.label = "Events";
        const auto one = compared({row("a", {1e6})});
        one->report.points.front().sizes = {
            {"digis", std::string()}, {"mask", std::string()}, {"events", std::int64_t{1}}};
        QCOMPARE(problemText(info, {one}, {}), QString("Clusters: Events 1; input left on the device"));
    }

    void filesOfOneNameAreToldApart() {
        ks::AnalysisInfo info;
        info.inputs.emplace_back().role = "frames";
        const auto of = [](const char* file) {
            auto one = compared({row("a", {1e6})});
            one->report.points.front().sizes = {{"frames", std::string(file)}};
            return one;
        };
        const auto a = of("/data/a/scan.h5"), b = of("/data/b/scan.h5::/entry/data");
        QVERIFY2(problemText(info, {a, b}, 0).contains(": a/scan.h5;"),
                 qPrintable(problemText(info, {a, b}, 0)));
        QVERIFY2(problemText(info, {a, b}, 1).contains(": b/scan.h5::/entry/data;"),
                 qPrintable(problemText(info, {a, b}, 1)));
        QVERIFY2(problemText(info, {a}, {}).contains(": scan.h5;"), qPrintable(problemText(info, {a}, {})));
    }

    void stripsOfSeveralProblemsHaveHeadingsBetweenThem() {
        StripPlot plot;
        plot.resize(600, 400);
        plot.setStrips({{"a", "Fast", 1, "1", false, {}, {1e6}, "size 7"},
                        {"b", "Fast", 1, "2", false, {}, {2e6}, "size 7"},
                        {"a", "Fast", 1, "1", false, {}, {3e6}, "size 9"}});
        plot.show();
        QTest::qWait(50);
        const auto y = [&](std::size_t strip) { return marks(plot).dotAt(strip, 0).y(); };
        // A row each, and one more for the heading of the second group.
        QVERIFY(std::abs((y(2) - y(1)) / (y(1) - y(0)) - 2) < 1e-6);
        QVERIFY(QString::fromStdString(plot.csv()).startsWith("problem,variant"));
        QVERIFY(QString::fromStdString(plot.csv()).contains("size 9,a,Fast,1,1,3000000"));
    }

    void ratiosOfOneColumnHaveAsManyDigits() {
        ks::BenchRow base = row("base", {1200, 1200, 1200});
        base.variant.baseline = true;
        const ComparedList all{
            compared({base, row("a", {100, 100, 100}), row("b", {91, 91, 91}),
                      row("c", {1200.4, 1200.4, 1200.4}), row("d", {120.04, 120.04, 120.04}),
                      row("e", {0.9, 0.9, 0.9}), row("f", {40000, 40000, 40000})})};
        LabTableModel model;
        const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
        model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        QStringList texts;
        for (int item = 1; item < 7; ++item)
            texts << model.text(item, LabTableModel::RatioColumn).section(' ', 0, 0);
        QCOMPARE(texts, (QStringList{"12.0", "13.2", "1.00", "10.0", "1333", "0.0300"}));
        // No two columns are called the same.
        QSet<QString> titles;
        for (int column = LabTableModel::RankColumn; column < LabTableModel::ColumnCount; ++column)
            titles.insert(model.columnText(column).title());
        QCOMPARE(titles.size(), qsizetype{LabTableModel::ColumnCount} - LabTableModel::RankColumn);
    }

    void aTieThatIsNoneOfAllIsTwoSets() {
        // b contradicts a in two rounds of ten, and c in two: a and c are apart in all of them.
        const std::vector<double> a(10, 10);
        std::vector<double> b(10, 12), c(10, 14);
        b[0] = b[1] = 9;
        b[8] = b[9] = 15;
        const auto ties =
            tiesOf(entriesOf({compared({row("a", a), row("b", b), row("c", c)})}, &ks::BenchSample::kernel),
                   &ks::BenchSample::kernel);
        QCOMPARE(ties, (std::vector<std::vector<std::size_t>>{{0, 1}, {1, 2}}));
    }

    void aTieLeavesOutWhatIsBetween() {
        // By their medians a, b, c: b is surely above a, and c is tied with both.
        const std::vector<double> a(10, 20), b(10, 21);
        std::vector<double> c(10, 22);
        c[0] = c[1] = 19;
        const auto ties =
            tiesOf(entriesOf({compared({row("a", a), row("b", b), row("c", c)})}, &ks::BenchSample::kernel),
                   &ks::BenchSample::kernel);
        QCOMPARE(ties, (std::vector<std::vector<std::size_t>>{{0, 2}, {1, 2}}));
    }

    void aTieWithTheFastestDoesNotDependOnWhatIsBetween() {
        // By their medians a, b, c: b is surely below c, and a is tied with both.
        std::vector<double> a(10, 19);
        const std::vector<double> b(10, 20), c(10, 22);
        a[0] = a[1] = 30;
        const auto ties =
            tiesOf(entriesOf({compared({row("a", a), row("b", b), row("c", c)})}, &ks::BenchSample::kernel),
                   &ks::BenchSample::kernel);
        QCOMPARE(ties, (std::vector<std::vector<std::size_t>>{{0, 1}, {0, 2}}));
    }

    /// Every tied pair is in a set, and every set is one of the maximal ones among all subsets.
    void setsOfTiesAreMaximalAndHoldEveryTiedPair() {
        constexpr std::size_t count = 7, rounds = 16;
        std::mt19937 random(7);
        std::size_t tied = 0, apart = 0;
        for (int trial = 0; trial < 300; ++trial) {
            std::vector<ks::BenchRow> rows;
            std::vector<ks::RankedTimes> lists;
            for (std::size_t i = 0; i < count; ++i) {
                // Rows of the same level differ in their spread, so that ties are not transitive.
                const double level = std::uniform_real_distribution<>(10, 14)(random);
                const double spread = std::uniform_real_distribution<>(0, 5)(random);
                std::vector<double> times;
                for (std::size_t n = 0; n < rounds; ++n)
                    times.push_back(level + std::uniform_real_distribution<>(0, spread)(random));
                rows.push_back(row(std::to_string(i).c_str(), times));
                lists.push_back({times, 0});
            }
            const ks::Orders orders(lists);
            const auto isTied = [&](std::size_t a, std::size_t b) {
                return orders.of(a, b) == ks::Order::undecided;
            };
            std::vector<unsigned> together;  // bit sets of rows any two of which are tied
            for (unsigned set = 1; set < 1U << count; ++set) {
                bool all = true;
                for (std::size_t a = 0; a < count; ++a)
                    for (std::size_t b = a + 1; b < count; ++b)
                        if ((set >> a & 1U) && (set >> b & 1U)) all = all && isTied(a, b);
                if (all) together.push_back(set);
            }
            std::set<unsigned> maximal;
            for (const unsigned set : together)
                if (std::ranges::none_of(together,
                                         [&](unsigned more) { return more != set && (more & set) == set; }))
                    maximal.insert(set);
            const std::vector<Entry> entries = entriesOf({compared(rows)}, &ks::BenchSample::kernel);
            std::set<unsigned> found;
            for (const std::vector<std::size_t>& ties : tiesOf(entries, &ks::BenchSample::kernel)) {
                QVERIFY(ties.size() > 1);
                unsigned set = 0;
                for (const std::size_t i : ties) set |= 1U << i;
                QVERIFY(maximal.contains(set));
                QVERIFY(found.insert(set).second);
            }
            for (std::size_t a = 0; a < count; ++a)
                for (std::size_t b = a + 1; b < count; ++b) {
                    const unsigned pair = 1U << a | 1U << b;
                    QCOMPARE(std::ranges::any_of(found, [&](unsigned set) { return (set & pair) == pair; }),
                             isTied(a, b));
                    ++(isTied(a, b) ? tied : apart);
                }
        }
        // The trials are of both kinds.
        QVERIFY(tied > 500 && apart > 500);
    }

    void tooFewRepeatsAreSaid() {
        const auto few =
            compared({row("a", std::vector<double>(7, 10)), row("b", std::vector<double>(7, 90))});
        const std::vector<Entry> entries = entriesOf({few}, &ks::BenchSample::kernel);
        QCOMPARE(rankText(entries[0].rank), QString("1-2"));
        QVERIFY(tooFewRepeats(entries, &ks::BenchSample::kernel).contains("at least 8"));
        const auto enough =
            compared({row("a", std::vector<double>(8, 10)), row("b", std::vector<double>(8, 90))});
        QVERIFY(
            tooFewRepeats(entriesOf({enough}, &ks::BenchSample::kernel), &ks::BenchSample::kernel).isEmpty());
        LabTableModel model;
        few->report.points.front().rows[0].variant.baseline = true;
        model.setEntries(entries, LabTableModel::numbersOf(entries, {few}));
        QCOMPARE(model.number(1, LabTableModel::RatioColumn), 10.0 / 90);
        QVERIFY(std::isnan(model.number(1, LabTableModel::RatioColumn + 1)));
    }

    /// Rows of an opened report count for the correction: the number that is named is the first one with
    /// which the rows here have an order.
    void repeatsThatAreNeededBesideAReportAreThoseOfAllRows_data() {
        QTest::addColumn<bool>("apart");
        QTest::addColumn<int>("needed");
        // 36 pairs; by 11 rounds of one order the probability is 2 / 2^11 > 0.01 / 36, by 13 it is below.
        QTest::newRow("no order between the benchmarks") << false << 13;
        // The 20 pairs between them are decided first and leave 16: 2 / 2^12 < 0.01 / 16 < 2 / 2^11.
        QTest::newRow("an order between the benchmarks") << true << 12;
    }
    void repeatsThatAreNeededBesideAReportAreThoseOfAllRows() {
        QFETCH(bool, apart);
        QFETCH(int, needed);
        constexpr auto time = &ks::BenchSample::kernel;
        const auto made = [&](std::size_t rows, std::size_t repeats, double times) {
            std::vector<ks::BenchRow> all;
            for (std::size_t i = 0; i < rows; ++i)
                all.push_back(row(std::to_string(i).c_str(),
                                  std::vector<double>(repeats, times * std::pow(2, static_cast<double>(i)))));
            return compared(std::move(all));
        };
        const auto report = made(4, 10, 10);
        if (!apart)
            for (ks::BenchRow& one : report->report.points.front().rows)
                for (std::size_t i = 0; i < one.samples.size(); ++i)
                    one.samples[i].kernel = i % 2 == 0 ? 1 : 1e6;
        report->file = "report.json";
        report->report.started = "2026-11-30T12:00:00Z";
        for (int repeats = 8; repeats <= 14; ++repeats) {
            const auto now = made(5, static_cast<std::size_t>(repeats), apart ? 1e5 : 10);
            const std::vector<Entry> entries = entriesOf({now, report}, time);
            // The first row is the fastest of its benchmark.
            QCOMPARE(entries.front().rank.last < entries.size(), repeats >= needed);
            const QString said = tooFewRepeats(entries, time);
            QVERIFY2(said.contains(QRegularExpression("10 of 1[123] on 2026-11-30$")), qPrintable(said));
            const QString own = QString("too few repeats: %1 of %2 here; ").arg(repeats).arg(needed);
            QVERIFY2(said.contains(own) == (repeats < needed), qPrintable(said));
        }
    }

    void rooflinePointsFollowFromWhatKernelsState() {
        ks::Ceilings ceilings;
        ceilings.device.name = "Fast";
        ceilings.values.push_back({ks::ceiling_ids::read, "Read", "B/s", "", 1, {1e9}});
        ceilings.values.push_back({ks::ceiling_ids::fma_f32, "FMA", "flop/s", "", 1, {5e9}});
        // 8000 operations and 4000 bytes: in 10 us 0.8 Gop/s and 0.4 GB/s; in 1 us 8 Gop/s, more than can be.
        ks::BenchRow silent = row("silent", {1000, 1000});
        for (ks::BenchSample& sample : silent.samples) sample.timings.front().bytes = 0;
        const auto one = compared({row("sound", {10000, 10000, 10000}), row("miracle", {1000, 1000}),
                                   row("cached", {3500, 3500}), silent});
        QStringList leftOut;
        const auto points = roofPoints(viewOf({one}), {ceilings}, leftOut);
        QCOMPARE(points.size(), std::size_t{3});
        QCOMPARE(points[0].intensity, 2.0);
        QVERIFY(std::abs(points[0].rate - 0.8e9) < 1);
        QVERIFY(points[0].aboveRoofs.isEmpty());
        QVERIFY(points[1].aboveRoofs.contains("8.00 Gop/s"));
        // 2.3 Gop/s of at most 2.5 and 1.14 GB/s where the memory has 1: caches can do that.
        QVERIFY(points[2].aboveRoofs.isEmpty() && points[2].aboveMemory.contains("1.14 GB/s"));
        QVERIFY(points[0].aboveMemory.isEmpty());
        // The ceiling counts a multiply-add as two.
        QCOMPARE(roofsOf(ceilings).front().rate, 2.5e9);
        QCOMPARE(leftOut, QStringList("silent (bytes not declared)"));
        // Of several reports it is said of which; variants that lack the same stand together.
        ks::BenchRow mute = silent;
        mute.variant.id = "mute";
        const auto other = compared({silent, mute});
        other->label = "1: Fast";
        leftOut.clear();
        roofPoints(viewOf({one, other}), {}, leftOut);
        QCOMPARE(leftOut, (QStringList{"silent (bytes not declared on Fast)",
                                       "silent, mute (bytes not declared on 1: Fast)"}));
        RooflinePlot plot;
        plot.resize(500, 400);
        plot.show();
        plot.setPoints(points, roofsOf(ceilings));
        QTest::qWait(50);
        // Ten times the rate is above, at the same place along x.
        QVERIFY(std::abs(plot.pointAt(0).x() - plot.pointAt(1).x()) < 1e-6);
        QVERIFY(plot.pointAt(1).y() < plot.pointAt(0).y());
        QVERIFY(QString::fromStdString(plot.csv()).contains("memory,\"device memory, read\",,,1000000000"));
    }

    void theRooflineNamesEachBaseOnceBesideItsMark() {
        const auto point = [](const char* name, const char* base) {
            ks::ui::lab::RoofPoint made;
            made.name = name;
            made.countsOf = base;
            return made;
        };
        QCOMPARE(countsNote({point("a", "")}), QString());
        QCOMPARE(countsNote({point("a", ""), point("mine", "a"), point("other", "a")}),
                 QString::fromUtf8("\u2020 Operations and bytes are assumed equal to those of a."));
        QCOMPARE(
            countsNote({point("mine", "a"), point("third", "b"), point("other", "a")}),
            QString::fromUtf8(
                "\u2020 Operations and bytes are assumed equal to those of a (mine, other), b (third)."));
    }

    void theRooflineMarksKernelsWithWrongResults() {
        ks::BenchRow wrong = row("hasty", {10000, 10000});
        wrong.verdict.state = ks::Verdict::State::fail;
        QStringList leftOut;
        const auto points =
            roofPoints(viewOf({compared({row("sound", {10000, 10000}), wrong})}), {}, leftOut);
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(RooflinePlot::labelOf(points[0]), QString("sound"));
        QCOMPARE(RooflinePlot::labelOf(points[1]), QString("hasty (wrong result)"));
        RooflinePlot plot;
        plot.resize(500, 400);
        plot.show();
        plot.setPoints(points, {});
        QTest::qWait(50);
        const QStringList lines = QString::fromStdString(plot.csv()).split('\n');
        QVERIFY(lines[0].endsWith(",wrong"));
        QVERIFY(lines[1].startsWith("variant,sound") && lines[1].endsWith(','));
        QVERIFY(lines[2].startsWith("variant,hasty") && lines[2].endsWith(",wrong"));
    }

    void missingCeilingsOfAPresentDeviceCanBeMeasuredWhateverReportNamesIt() {
        ks::ui::Desk desk(std::make_shared<ks::Registry>());
        ks::DeviceInfo other, present;
        other.index = 0;
        other.name = "Other";
        present.index = 1;
        present.name = "Fast";
        ks::wire::Catalogue catalogue;
        catalogue.devices = {other, present};
        desk.setCatalogue(catalogue);
        RooflinePane pane(desk);
        const auto wanted = [&](const char* name, const char* file, const char* kept) {
            const auto one = compared({row("sound", {10000, 10000})});
            one->report.device.name = name;
            one->report.device.index = 7;  // of another day
            one->file = file;
            one->kept = kept;
            pane.show(viewOf({one}));
            if (pane.measure().isHidden()) return -1;
            QSignalSpy asked(&desk, &ks::ui::Desk::ceilingsWanted);
            pane.measure().click();
            return asked.takeFirst().front().value<ks::DeviceInfo>().index;
        };
        QCOMPARE(wanted("Fast", "", "session.json"), 1);
        QCOMPARE(wanted("Fast", "saved.json", ""), 1);
        QCOMPARE(wanted("Fast", "", ""), 7);
        QCOMPARE(wanted("Gone", "", "session.json"), -1);
        QCOMPARE(wanted("Gone", "saved.json", ""), -1);
        // Once they are known there is nothing to measure.
        catalogue.ceilings.emplace_back().device = present;
        desk.setCatalogue(catalogue);
        QCOMPARE(wanted("Fast", "", "session.json"), -1);
    }

    void everyPlotAndItsTableMarkAKernelOfAFormerText() {
        const auto one = std::make_shared<Compared>();
        one->report.device.name = "Fast";
        one->complete = true;
        for (const std::int64_t size : {100, 1000}) {
            ks::BenchRow mine = row("user.mine", {10000, 10000, 30000});
            mine.variant.user_file = "mine.cl";
            mine.text_mark = "3f2a61";
            one->report.points.push_back({{{"size", size}}, {mine, row("a", {10000, 10000, 10000})}});
        }
        LabView view = viewOf({one});
        ks::ParameterSpec size;
        size.id = size.label = "size";
        view.sizes = {size};
        ks::ui::Desk desk(std::make_shared<ks::Registry>());
        ks::ui::lab::ViewChoice choice({});
        const LabParts parts{desk, choice};
        for (const auto& make : {timesTab, stagesTab, sizesTab, rooflineTab}) {
            const LabTab tab = make(parts);
            const std::unique_ptr<QWidget> shown(tab.widget);
            view.texts = {{"user.mine", "3f2a61"}};
            tab.show(view);
            const ks::ui::ExportablePlot& plot = *tab.plots.front().plot;
            const auto tells = [&plot](const char* what) {
                return plot.csv().find(what) != std::string::npos;
            };
            QVERIFY2(tells("user.mine, text 3f2a61"), plot.csv().c_str());
            view.texts = {{"user.mine", "77cc10"}};
            tab.show(view);
            QVERIFY2(tells("user.mine, former text 3f2a61"), plot.csv().c_str());
            QVERIFY(!tells("user.mine, text 3f2a61"));
        }
    }

    void theRateSaysOfWhichVariantsItIsNotKnown() {
        ks::ui::SizePlots plots;
        ks::ParameterSpec size;
        size.id = size.label = "size";
        std::vector<ks::BenchPoint> points;
        for (const std::int64_t n : {100, 1000}) {
            ks::BenchRow silent = row("a, 2026-11-28", {1e6, 2e6, 3e6});
            for (ks::BenchSample& sample : silent.samples) sample.timings.clear();
            points.push_back({{{"size", n}}, {row("a", {1e6, 2e6, 3e6}), silent}});
        }
        plots.setPoints(points, {size});
        QCOMPARE(plots.times().series().size(), 2);
        QCOMPARE(plots.rates().series().size(), 1);
        QCOMPARE(plots.rates().note(), QString("Rate not known: a, 2026-11-28"));
        QVERIFY(plots.times().note().isEmpty());
        plots.setNote("Outdated (Device)");
        QCOMPARE(plots.times().note(), QString("Outdated (Device)"));
        QCOMPARE(plots.rates().note(), QString("Outdated (Device); Rate not known: a, 2026-11-28"));
        points.front().rows.pop_back();
        points.back().rows.pop_back();
        plots.setPoints(points, {size});
        QCOMPARE(plots.rates().note(), QString("Outdated (Device)"));
    }

    void barsOfSizesEndAtTheQuartiles() {
        ks::ui::SizePlots plots;
        ks::ParameterSpec size;
        size.id = size.label = "size";
        std::vector<ks::BenchPoint> points;
        for (const std::int64_t n : {1000, 100})
            points.push_back({{{"size", n}}, {row("a", {1e6, 2e6, 3e6, 7e6, 9e6})}});
        plots.setPoints(points, {size});
        const ks::ui::CurveSeries& times = plots.times().series().front();
        QCOMPARE(times.y, (QVector<double>{3, 3}));
        QCOMPARE(times.low, (QVector<double>{2, 2}));
        QCOMPARE(times.high, (QVector<double>{7, 7}));
        QVERIFY(times.yerr.isEmpty());
        QCOMPARE(plots.rates().series().front().low.size(), 2);
    }

    void aVariantWithFewerRunsThanAskedForSaysSo() {
        ks::BenchRow slow = row("slow", {6e9, 6e9, 6e9});
        const auto one = compared({row("a", std::vector<double>(12, 10.0)), slow});
        one->report.plan.repeats = 12;
        const std::vector<Entry> entries = entriesOf({one}, &ks::BenchSample::kernel);
        LabTableModel model;
        model.setEntries(entries, LabTableModel::numbersOf(entries, {one}));
        QStringList tips;
        for (int i = 0; i < 2; ++i)
            tips << model.index(i, LabTableModel::SamplesColumn).data(Qt::ToolTipRole).toString();
        QCOMPARE(tips.filter("3 of 12 runs").size(), 1);
        QCOMPARE(fewerRuns(entries.front()), QString());
        QVERIFY(fewerRuns(entries.back()).startsWith("3 of 12 runs"));
    }

    void coloursOfTheRooflineAreSaidToBelongToTheirDevices() {
        ks::ui::Desk desk(std::make_shared<ks::Registry>());
        ks::ui::lab::RooflinePane pane(desk);
        const auto one = compared({row("a", {10000, 10000})});
        auto other = compared({row("a", {1000, 1000})});
        other->report.device.name = "Faster <1>";
        pane.resize(600, 400);
        pane.QWidget::show();
        // Pixels of a colour in the row of the legend.
        const auto dots = [&](int colour) {
            const QImage row = pane.plot().grab().toImage().copy(0, 0, 600, 20);
            int count = 0;
            for (int y = 0; y < row.height(); ++y)
                for (int x = 0; x < row.width(); ++x)
                    count +=
                        row.pixelColor(x, y) == ks::ui::binColour(colour, ks::ui::isDark(pane.palette()));
            return count;
        };
        pane.show(viewOf({one}));
        QTest::qWait(50);
        QCOMPARE(dots(1), 0);
        pane.show(viewOf({one, other}));
        QTest::qWait(50);
        QCOMPARE(pane.plot().legend().back(), (std::pair<QString, int>("Faster <1>", 2)));
        for (const int colour : {1, 2}) QVERIFY(dots(colour) > 20);
    }

    void aRunThatIsVeryLongLeavesTheStagesOfOthersToBeSeen() {
        ks::ui::TimingPlot plot;
        plot.resize(600, 300);
        const auto series = [](const char* name, std::uint64_t time) {
            return ks::ui::TimingSeries{name, {{"work", ks::StageKind::kernel, time, 0, 0}}, time};
        };
        plot.setRuns({series("short", 1000), series("long", 10'000'000)});
        plot.show();
        QTest::qWait(50);
        QVERIFY(plot.barRect(0, 0).width() < 1);
        plot.setMostOfShortest(10);
        QTest::qWait(50);
        // A tenth of the axis, which begins at 0, and the long one goes on beyond it.
        QVERIFY(plot.barRect(0, 0).width() > 20);
        QVERIFY(std::abs(plot.barRect(1, 0).width() / plot.barRect(0, 0).width() - 10'000) < 100);
    }

    void labelsOfStagesNameTheDeviceOfTheRowAndDifferWhereTheyAreCut() {
        const auto measured = [](const char* file) {
            auto made = compared({row("host.threads", {10, 10}), row("seed.add", {20, 20})});
            made->report.device.name = "pthread-skylake-avx512-AMD EPYC";
            made->report.host.name = "AMD EPYC, 2 threads";
            made->report.started = "2026-11-28T23:14:05Z";
            made->report.points.front().sizes = {{"size", std::int64_t{300000}}};
            made->report.points.push_back(made->report.points.front());
            made->report.points.back().sizes = {{"size", std::int64_t{1048576}}};
            made->file = file;
            return made;
        };
        ks::ui::Desk desk(std::make_shared<ks::Registry>());
        ViewChoice choice({});
        const LabTab tab = stagesTab({desk, choice});
        const std::unique_ptr<QWidget> stages(tab.widget);
        stages->resize(500, 400);
        stages->show();
        tab.show(viewOf({measured(""), measured("/a/saved.json")}));
        const auto& plot = child<ks::ui::TimingPlot>(*stages);
        QSet<QString> names;
        for (const ks::ui::TimingSeries& one : plot.runs()) {
            names.insert(one.run);
            QCOMPARE(one.run.contains("host: AMD EPYC, 2 threads"), one.run.startsWith("host.threads"));
            QCOMPARE(one.run.contains("pthread"), one.run.startsWith("seed.add"));
        }
        QCOMPARE(names.size(), 8);
        for (const int width : {500, 700, 900, 1100, 3000}) {
            stages->resize(width, 400);
            QTest::qWait(50);
            const auto& axis = *child<QCustomPlot>(plot).yAxis;
            QStringList labels;
            const auto ticks = axis.ticker().dynamicCast<QCPAxisTickerText>()->ticks();
            for (const QString& one : ticks)
                if (one != "kernel") labels << one;  // the lane of a row
            QCOMPARE(labels.size(), 8);
            QVERIFY2(QSet<QString>(labels.begin(), labels.end()).size() == 8, qPrintable(labels.join(" | ")));
        }
    }

    void everyPlotIsExported() {
        StripPlot strips;
        strips.resize(500, 200);
        strips.setStrips({{"a", "Fast", 1, "1", false, {}, {1e6, 2e6}}});
        RooflinePlot roofline;
        roofline.resize(500, 300);
        const QTemporaryDir folder;
        for (const ks::ui::ExportablePlot* plot :
             std::initializer_list<const ks::ui::ExportablePlot*>{&strips, &roofline})
            for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
                const QString path = folder.filePath(plot->figureName() + '.' + suffix);
                ks::ui::exportPlot(*plot, path.toStdString(), false);
                QVERIFY(QFileInfo(path).size() > 0);
            }
        QCOMPARE(QString::fromStdString(strips.csv()),
                 QString("variant,source,rank,sample,nanoseconds\na,Fast,1,1,1000000\na,Fast,1,2,2000000\n"));
    }

    void variantsThatCannotRunAreGreyWithTheReason() {
        VariantListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ks::Offer usable, lacking, own, named;
        usable.variant.id = "usable";
        lacking.variant.id = "lacking";
        lacking.why_not = "it needs fp64";
        own.variant.id = "own";
        own.variant.title = "Mine";
        own.variant.user_file = "/home/me/own.cl";
        named.variant.id = "named";
        named.variant.by_name_only = true;
        model.setOffers({{usable, lacking, own, named}});
        // Nobody has asked to time a file of the user's.
        QCOMPARE(model.ticked(), QStringList("usable"));
        QVERIFY(model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.ticked(), (QStringList{"usable", "own"}));
        QVERIFY(!(model.flags(model.index(1, 0)) & Qt::ItemIsUserCheckable));
        QCOMPARE(model.index(1, 1).data().toString(), QString("it needs fp64"));
        QCOMPARE(model.index(2, 1).data().toString(), QString("yours: Mine"));
        QVERIFY(!model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(model.setData(model.index(3, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.ticked(), (QStringList{"own", "named"}));
        // Another device can run it.
        ks::Offer can = lacking;
        can.why_not.clear();
        model.setOffers({{usable, lacking, own, named}, {can}});
        QVERIFY(model.ticked().contains("lacking"));
    }

    void severalVariantsAreTickedAtOnce() {
        VariantList list;
        VariantListModel& model = list.model();
        const auto offer = [](const char* id, const char* why = "") {
            ks::Offer made;
            made.variant.id = id;
            made.why_not = why;
            return made;
        };
        ks::Offer base = offer("base"), own = offer("user.mine"), named = offer("named");
        base.variant.baseline = true;
        own.variant.user_file = "/home/me/mine.cl";
        named.variant.by_name_only = true;
        model.setOffers(
            {{named, offer("lacking", "it needs fp64"), offer("best"), offer("next"), base, own}});
        list.show();
        list.table().setFocus();
        const auto click = [&](const char* name) { list.findChild<QToolButton*>(name)->click(); };
        click("None");
        QCOMPARE(model.ticked(), QStringList());
        click("Suitable");
        QCOMPARE(model.ticked(), (QStringList{"best", "next", "base", "user.mine"}));
        click("All");
        QCOMPARE(model.ticked(), (QStringList{"named", "best", "next", "base", "user.mine"}));
        click("Default");
        QCOMPARE(model.ticked(), (QStringList{"best", "base"}));
        click("Yours");
        QCOMPARE(model.ticked(), QStringList("user.mine"));
        // Ctrl+A and Space tick all where one is not, and then untick all.
        QTest::keyClick(&list.table(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&list.table(), Qt::Key_Space);
        QCOMPARE(model.ticked().size(), qsizetype{5});
        QTest::keyClick(&list.table(), Qt::Key_Space);
        QCOMPARE(model.ticked().size(), qsizetype{0});
        // The menu: selected rows, and the choices of the buttons.
        list.table().clearSelection();
        list.table().selectRow(2);
        QList<QAction*> menu = list.table().actions();
        menu.removeIf([](const QAction* one) { return one->isSeparator(); });
        menu[0]->trigger();
        QCOMPARE(model.ticked(), QStringList("best"));
        menu[1]->trigger();
        QCOMPARE(model.ticked(), QStringList());
        QCOMPARE(menu.size(), qsizetype{7});
        // What cannot run now is ticked as at the beginning when it can.
        click("None");
        model.setOffers({{offer("lacking"), offer("best")}});
        QCOMPARE(model.ticked(), QStringList("lacking"));
    }

    void theTableSaysWhatSpeedUpsAreRelativeToAndWhichTextWasTimed() {
        LabTableModel model;
        const auto show = [&model](const ComparedList& all) {
            const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
            model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        };
        ks::BenchRow first = row("plain", {40, 40}), second = row("fast", {20, 20});
        first.variant.baseline = true;
        show({compared({first, second})});
        QVERIFY(model.csvKeys(LabTableModel::AgainstColumn).empty());
        QVERIFY(model.csvKeys(LabTableModel::TextColumn).empty());
        ks::BenchRow own = row("user.fast", {10, 10});
        own.variant.base = "fast";
        own.variant.user_file = "/mine/fast.cl";
        own.text_mark = "a53f49";
        show({compared({first, second, own})});
        const auto at = [&model](const QString& variant, int column) {
            for (int item = 0; item < model.items(); ++item)
                if (model.text(item, LabTableModel::VariantColumn) == variant)
                    return model.text(item, column);
            return QString("none");
        };
        QCOMPARE(at("plain", LabTableModel::AgainstColumn), QString());
        QCOMPARE(at("fast", LabTableModel::AgainstColumn), QString("plain"));
        QCOMPARE(at("user.fast", LabTableModel::AgainstColumn), QString("fast"));
        QCOMPARE(at("user.fast", LabTableModel::TextColumn), QString("a53f49"));
        QCOMPARE(model.csvKeys(LabTableModel::AgainstColumn), std::vector<std::string>{"speed_up_against"});
    }

    void aBaselineWithGivenDefinitionsIsNoneAndTheTableSaysSo() {
        LabTableModel model;
        const auto tip = [&model](const ComparedList& all, int item) {
            const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
            model.setEntries(entries, LabTableModel::numbersOf(entries, all));
            return model.index(item, LabTableModel::RatioColumn).data(Qt::ToolTipRole).toString();
        };
        ks::BenchRow first = row("plain", {40, 40}), second = row("fast", {20, 20});
        first.variant.baseline = true;
        QCOMPARE(tip({compared({first, second})}, 1), QString("compared with plain"));
        QCOMPARE(model.number(1, LabTableModel::RatioColumn), 2.0);
        first.given = {{"TILE", "32"}, {"WG", "8"}};
        for (const int item : {0, 1}) {
            QCOMPARE(tip({compared({first, second})}, item),
                     QString("No speed-up: plain is no baseline, because it was timed with given definitions "
                             "(TILE=32, WG=8)"));
            QVERIFY(std::isnan(model.number(item, LabTableModel::RatioColumn)));
        }
        QCOMPARE(model.text(1, LabTableModel::AgainstColumn), QString());
        // Definitions of another variant, or a baseline without times, are no such reason.
        std::swap(first.given, second.given);
        QCOMPARE(tip({compared({first, second})}, 1), QString("compared with plain"));
        std::swap(first.given, second.given);
        first.samples.clear();
        QVERIFY(!tip({compared({first, second})}, 1).contains("TILE"));
    }

    void filesHaveBothEndsOfATieAndSayWhichTextsDiffered() {
        LabTableModel model;
        ks::BenchRow first = row("a", {10, 11, 12}), second = row("b", {11, 10, 12});
        first.variant.baseline = true;
        second.verdict.state = ks::Verdict::State::fail;
        const ComparedList all{compared({first, second, row("c", {12, 10, 11})})};
        std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
        model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        QCOMPARE(model.text(0, LabTableModel::RankColumn), QString("1-2"));
        QCOMPARE(model.text(1, LabTableModel::RankColumn), QString(QChar(0x2013)));  // it is wrong
        QCOMPARE(model.csvKeys(LabTableModel::RankColumn), (std::vector<std::string>{"rank", "rank_last"}));
        QCOMPARE(model.range(0, LabTableModel::RankColumn), std::pair(1.0, 2.0));
        QCOMPARE(model.text(1, LabTableModel::WorstColumn), QString("differs"));
        QVERIFY(model.csvKeys(LabTableModel::SinceTextColumn).empty());
        entries[1].otherThen = true;
        model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        QCOMPARE(model.csvKeys(LabTableModel::SinceTextColumn), std::vector<std::string>{"since_text"});
        QCOMPARE(model.text(0, LabTableModel::SinceTextColumn), QString());
        QCOMPARE(model.text(1, LabTableModel::SinceTextColumn), QString("differed"));
    }

    void timesOfOtherDefinitionsAreNoTimesOfThen() {
        const auto now = compared({row("a", {10, 11, 12})}), then = compared({row("a", {20, 21, 22})});
        then->file = "then.json";
        const ComparedList all{now, then};
        QVERIFY(thenOf(unrankedEntries(all).front(), all));
        then->report.plan.defines = {{"TILE", "32"}};
        QVERIFY(!thenOf(unrankedEntries(all).front(), all));
        now->report.plan.defines = then->report.plan.defines;
        QVERIFY(thenOf(unrankedEntries(all).front(), all));
    }

    void timesOfAWrongResultOfThenAreSaidToBeOfOne() {
        LabTableModel model;
        ks::BenchRow wrong = row("a", {20, 21, 22});
        wrong.verdict.state = ks::Verdict::State::fail;
        const auto now = compared({row("a", {10, 11, 12})}), then = compared({wrong});
        then->file = "then.json";
        const auto shown = [&] {
            const ComparedList all{now, then};
            const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
            model.setEntries(entries, LabTableModel::numbersOf(entries, all));
            return model.text(0, LabTableModel::SinceColumn);
        };
        QVERIFY2(shown().endsWith(", result was wrong"), qPrintable(shown()));
        QCOMPARE(model.text(0, LabTableModel::SinceTextColumn), QString("result was wrong"));
        QCOMPARE(model.csvKeys(LabTableModel::SinceTextColumn), std::vector<std::string>{"since_text"});
        then->report.points.front().rows.front().verdict.state = ks::Verdict::State::pass;
        QVERIFY2(!shown().isEmpty() && !shown().contains("wrong"), qPrintable(shown()));
    }

    void aSizeWithTheNameOfAnInputIsANumberWithItsUnit() {
        ks::AnalysisInfo info;
        info.title = "XPCS";
        info.inputs = {
            {.role = "frames", .label = "Frames", .option = {}, .forms = {}, .required = true, .help = {}}};
        info.benchmark = {ks::parameter::whole("frames", "Frames", "frames", 500, 1, 1000, ""),
                          ks::parameter::whole("height", "Height", "px", 201, 1, 1000, "")};
        const auto one = compared({row("a", {10, 11, 12})});
        one->report.points.front().sizes = {{"frames", std::int64_t{150}}, {"height", std::int64_t{32}}};
        const QString text = problemText(info, {one}, {});
        QVERIFY2(text.startsWith("XPCS: Frames 150 frames, Height 32 px") ||
                     text.startsWith("XPCS: Frames 150 frames; Height 32 px"),
                 qPrintable(text));
    }

    void theTableSaysWhatWasTunedAndFromWhere() {
        LabTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto show = [&model](const ComparedList& all) {
            const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
            model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        };
        show({compared({row("a", {10, 10}), row("b", {20, 20})})});
        QVERIFY(model.csvKeys(LabTableModel::TunedColumn).empty());
        QVERIFY(model.csvKeys(LabTableModel::TunedColumn).empty());
        ks::BenchRow tuned = row("a", {10, 10});
        tuned.tuned = {{"ITEMS", "32"}, {"WG", "16"}};
        tuned.verdict.state = ks::Verdict::State::sampled;
        tuned.verdict.samples = 600;
        const auto here = compared({tuned, row("b", {20, 20})}), opened = compared({tuned});
        opened->file = "/reports/kept.json";
        show({here, opened});
        QVERIFY(!model.csvKeys(LabTableModel::TunedColumn).empty());
        QCOMPARE(model.csvKeys(LabTableModel::TunedColumn), std::vector<std::string>{"tuned"});
        const auto at = [&model](int row, int column, int role = Qt::DisplayRole) {
            return model.index(row, column).data(role).toString();
        };
        QCOMPARE(at(0, LabTableModel::TunedColumn), QString("ITEMS=32, WG=16"));
        QCOMPARE(at(1, LabTableModel::TunedColumn), QString());
        QCOMPARE(at(1, LabTableModel::TunedColumn, Qt::ToolTipRole), QString());
        for (const int column : {int(LabTableModel::TunedColumn), int(LabTableModel::VariantColumn)}) {
            const QString tip = at(0, column, Qt::ToolTipRole);
            QVERIFY2(tip.contains("ITEMS=32, WG=16: from your table") && tip.contains("Fast"),
                     qPrintable(tip));
        }
        QVERIFY(at(2, LabTableModel::TunedColumn, Qt::ToolTipRole).contains("the report /reports/kept.json"));
        QCOMPARE(at(0, LabTableModel::VerdictColumn), QString("pass (600 values)"));
    }

    void reportsOfOneDeviceAndDayHaveDifferentNames() {
        ComparedList opened;
        const auto open = [&](const char* started, const char* file) {
            auto one = compared({row("a", {10, 10})});
            one->report.device.name = "GPU";
            one->report.started = started;
            one->file = file;
            nameApart(*one, opened);
            opened.push_back(one);
            return one->name();
        };
        QCOMPARE(open("2026-11-28T23:14:05Z", "/a/first.json"), QString("GPU, 2026-11-28"));
        QCOMPARE(open("2026-11-27T23:14:05Z", "/a/day.json"), QString("GPU, 2026-11-27"));
        QCOMPARE(open("2026-11-28T23:15:06Z", "/a/second.json"), QString("GPU, 2026-11-28 23:15:06"));
        QCOMPARE(open("2026-11-28T23:15:06Z", "/a/copy.json"), QString("GPU, 2026-11-28 copy.json"));
        QCOMPARE(open("2026-11-28T23:15:06Z", "/b/copy.json"), QString("GPU, 2026-11-28 /b/copy.json"));
    }

    void theTableSaysOfWhichTextAKernelOfOnesOwnIs() {
        LabTableModel model;
        const auto own = [](const char* mark, const char* hash) {
            ks::BenchRow made = row("user.mine", {10, 11, 10, 11, 10});
            made.variant.user_file = "mine.cl";
            made.variant.base = "a";
            made.text_mark = mark;
            made.builds.resize(1);
            made.builds[0].text_hash = hash;
            made.verdict.state = ks::Verdict::State::pass;
            return made;
        };
        const auto here = compared({own("3f2a61", "0000000000000001")});
        const auto show = [&](const char* hashThen) {
            const auto opened = compared({own("91ab02", hashThen)});
            opened->file = "/reports/kept.json";
            const ComparedList all{here, opened};
            const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
            model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        };
        const auto at = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        model.setPresentTexts({{"user.mine", "3f2a61"}});
        FilteredTable table(model, filterNames(model, ""), {"Rows", "rows", "", "rows"});
        table.resize(900, 200);
        table.show();
        // The whole of it is visible, also once the text of the kernel has changed.
        const auto isWhole = [&] {
            const int column = LabTableModel::VariantColumn;
            return table.view().columnWidth(column) >=
                   table.view().fontMetrics().horizontalAdvance(at(0, column)) + 6;
        };
        show("0000000000000002");
        table.refresh("", true);
        QVERIFY(isWhole());
        QCOMPARE(at(0, LabTableModel::VariantColumn), QString("user.mine, text 3f2a61"));
        QCOMPARE(at(0, LabTableModel::VerdictColumn), QString("pass"));
        QVERIFY2(at(0, LabTableModel::SinceColumn).endsWith(", text differed"),
                 qPrintable(at(0, LabTableModel::SinceColumn)));
        model.setPresentTexts({{"user.mine", "77cc10"}});
        QCOMPARE(at(0, LabTableModel::VariantColumn), QString("user.mine, former text 3f2a61"));
        QVERIFY(isWhole());
        table.view().setColumnWidth(LabTableModel::VariantColumn, 40);
        model.setPresentTexts({{"user.mine", "55dd20"}});
        QCOMPARE(table.view().columnWidth(LabTableModel::VariantColumn), 40);
        QCOMPARE(at(0, LabTableModel::VerdictColumn), QString("pass (former text)"));
        QCOMPARE(at(1, LabTableModel::VerdictColumn), QString("pass"));
        show("0000000000000001");
        QVERIFY(!at(0, LabTableModel::SinceColumn).contains("text differed"));
    }

    void devicesOfOneNameAreTickedEachAlone() {
        ks::wire::Catalogue catalogue;
        for (const int index : {0, 1}) {
            ks::DeviceInfo device;
            device.index = index;
            device.backend = "opencl";
            device.type = "GPU";
            device.name = "Graphics";
            catalogue.devices.push_back(device);
        }
        PlanForm form(std::make_shared<ks::Registry>());
        form.setCatalogue(catalogue);
        QListWidget& devices = form.devices();
        QCOMPARE(devices.count(), 2);
        QCOMPARE(devices.item(1)->text(), QString("1: Graphics"));
        QCOMPARE(devices.item(0)->checkState(), Qt::Checked);
        QCOMPARE(devices.item(1)->checkState(), Qt::Unchecked);
        devices.item(1)->setCheckState(Qt::Checked);
        devices.item(0)->setCheckState(Qt::Unchecked);
        // As at the next start.
        PlanForm later(std::make_shared<ks::Registry>());
        later.setCatalogue(catalogue);
        later.bringBack(form.keep());
        QCOMPARE(later.devices().item(0)->checkState(), Qt::Unchecked);
        QCOMPARE(later.devices().item(1)->checkState(), Qt::Checked);
    }

    void theTableSortsUnknownTimesLast() {
        LabTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ks::BenchRow none;
        none.variant.id = "none";
        none.not_run = "no fp64";
        const ComparedList all{compared({none, row("b", {20, 20, 20}), row("a", {10, 10, 10})})};
        const std::vector<Entry> entries = entriesOf(all, &ks::BenchSample::kernel);
        model.setEntries(entries, LabTableModel::numbersOf(entries, all));
        model.sort(LabTableModel::KernelColumn, Qt::AscendingOrder);
        const auto ids = [&] {
            QStringList list;
            for (int i = 0; i < model.rowCount(); ++i) list << model.index(i, 0).data().toString();
            return list;
        };
        QCOMPARE(ids(), (QStringList{"a", "b", "none"}));
        model.sort(LabTableModel::KernelColumn, Qt::DescendingOrder);
        QCOMPARE(ids(), (QStringList{"b", "a", "none"}));
        model.sort(LabTableModel::VariantColumn, Qt::DescendingOrder);
        QCOMPARE(ids(), (QStringList{"none", "b", "a"}));
        QVERIFY(model.index(0, LabTableModel::VerdictColumn).data().toString().contains("no fp64"));
    }
};

QTEST_MAIN(LabPlotsTest)
#include "tst_lab_plots.moc"
