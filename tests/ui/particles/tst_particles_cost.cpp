#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>
#include <cmath>

#include "core/particles/treecode/treecode_result.h"
#include "tests/ui/child.h"
#include "tests/ui/particles/page_fixture.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_plot.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;

/// What a run costs against N: what is asked for, and what is told of the times that come.
class ParticlesCostTest : public PageFixture {
    Q_OBJECT

    static ks::Offer offer(const char* id, bool approximates, const char* whyNot = "") {
        ks::Offer made;
        made.variant.id = id;
        made.why_not = whyNot;
        if (approximates) {
            made.variant.tolerances = {{ks::particles::asked_tolerance, 1}};
            made.variant.by_name_only = true;
        }
        return made;
    }
    static std::vector<ks::Offer> offers() {
        ks::Offer planesOnly = offer("only.planes", false);
        planesOnly.variant.takes = {{"targets", "targets on", {"planes"}}};
        return {planesOnly, offer("broken", false, "no double precision"), offer("direct", false),
                offer("slower", false), offer("tree", true)};
    }
    static ks::BenchRow row(const std::string& id, double seconds) {
        ks::BenchRow made;
        made.variant.id = id;
        for (const double factor : {1.0, 0.9, 1.1, 0.95, 1.05, 0.95, 1.05, 1.0}) {
            ks::BenchSample sample;
            sample.total = 1e9 * seconds * factor;
            made.samples.push_back(sample);
        }
        return made;
    }
    static double sizeOf(const ks::BenchPlan& plan) {
        return static_cast<double>(std::get<std::int64_t>(plan.sizes.at("points").front()));
    }
    /// As the worker would: direct sums take n^2 ns, the treecode 20 us n.
    /// @param wrong why the direct sums fail the check; empty: they pass
    static void answer(CostPanel& panel, const std::vector<ks::BenchPlan>& plans, const char* wrong = "") {
        for (const ks::BenchPlan& plan : plans) {
            panel.setRunning(true);
            const double n = sizeOf(plan);
            ks::BenchReport report;
            report.device.name = "Fast Graphics 4090";
            ks::BenchPoint point;
            point.sizes = {{"points", static_cast<std::int64_t>(n)},
                           {"kernel", std::string("laplace")},
                           {"precision", std::string("f32")},
                           {"tolerance", 1e-4}};
            for (const std::string& id : plan.variants) {
                ks::BenchRow timed = row(id, id == "tree" ? 2e-5 * n : 1e-9 * n * n);
                if (*wrong && id != "tree") {
                    timed.verdict.state = ks::Verdict::State::fail;
                    timed.verdict.text = wrong;
                }
                panel.addRow(0, point.sizes, timed);
                point.rows.push_back(timed);
            }
            report.points = {point};
            panel.setReport(report);
        }
        panel.setRunning(false);
    }
    using Plans = std::vector<ks::BenchPlan>;
    static const CurveSeries* curve(const CostPanel& panel, const QString& run, int bin) {
        static QVector<CurveSeries> all;
        all = panel.curves().series();
        const auto found = std::ranges::find_if(
            all, [&](const CurveSeries& one) { return one.run.startsWith(run) && one.bin == bin; });
        return found == all.end() ? nullptr : &*found;
    }

  private slots:
    void smallSizesAreMeasuredByBothAndLongDirectSumsFollowFromTheSquare() {
        CostPanel panel([] { return ks::SizeLists{{"kernel", {std::string("laplace")}}}; });
        panel.setOffers(offers());
        panel.setSizes("1000, 10000, 30000, 100000, 1000000");
        std::vector<Plans> asked;
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) {
            asked.push_back(plans);
            panel.setRunning(true);
            QTimer::singleShot(0, &panel, [&panel, plans] { answer(panel, plans); });
        });
        panel.measure().click();
        QVERIFY(panel.running());
        QTRY_VERIFY(!panel.running());
        QCOMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked[0].size(), std::size_t{2});
        QCOMPARE(asked[1].size(), std::size_t{3});
        const std::vector<std::string> both{"direct", "tree"}, one{"tree"};
        for (const ks::BenchPlan& plan : asked[0]) QCOMPARE(plan.variants, both);
        QCOMPARE(asked[1][0].variants, both);  // 30,000: 0.9 s by N^2
        QCOMPARE(asked[1][1].variants, one);   // 100,000: 10 s
        QCOMPARE(asked[1][2].variants, one);
        for (const Plans& plans : asked)
            for (const ks::BenchPlan& plan : plans) {
                QCOMPARE(plan.sizes.at("targets"), plan.sizes.at("points"));
                QCOMPARE(std::get<std::string>(plan.sizes.at("kernel").front()), std::string("laplace"));
            }
        QCOMPARE(curve(panel, "measured", 1)->x, (QVector<double>{1000, 10000, 30000}));
        QCOMPARE(curve(panel, "measured", 2)->x, (QVector<double>{1000, 10000, 30000, 100000, 1000000}));
        const CurveSeries* const beyond = curve(panel, "extrapolated", 1);
        QVERIFY(beyond);
        QCOMPARE(beyond->x, (QVector<double>{30000, 1000000}));
        QVERIFY(std::abs(beyond->y.last() - 1e6) < 1);  // ms
        QCOMPARE(panel.plot().note(), QString("tree is faster from N = 20,000"));
        const CurveSeries* const line = curve(panel, "measured", 3);
        QVERIFY(line);
        QVERIFY(std::abs(line->x.first() - 20000) < 1);
        QCOMPARE(panel.message(),
                 QString("direct was not timed at N = 100,000; 1,000,000, where it was expected "
                         "to take more than 2 s"));
        const CurveSeries* const direct = curve(panel, "measured", 1);
        QVERIFY(direct->yerr.isEmpty());
        QVERIFY(std::abs(direct->low.first() - 0.95) < 1e-9 && std::abs(direct->high.first() - 1.05) < 1e-9);
        QCOMPARE(panel.made(),
                 QString("Measured: Fast Graphics 4090, Kernel laplace, Precision f32, Tolerance 0.0001"));
    }

    void aCrossoverBeyondTheMeasuredDirectSumsSaysSo() {
        CostCurves curves("direct", "tree");
        for (const double n : {1000.0, 3000.0})
            curves.add({{"points", static_cast<std::int64_t>(n)}}, row("direct", 1e-9 * n * n));
        for (const double n : {1000.0, 3000.0, 100000.0})
            curves.add({{"points", static_cast<std::int64_t>(n)}}, row("tree", 2e-5 * n));
        QCOMPARE(curves.verdict(),
                 QString("tree is faster from N = 20,000 (direct sums extrapolated as N\u00b2)"));
    }

    void aTreecodeThatIsNeverOrAlwaysFasterIsSaidToBe() {
        CostCurves never("direct", "tree"), always("direct", "tree");
        for (const std::int64_t n : {1000, 3000}) {
            never.add({{"points", n}}, row("direct", 1e-3));
            never.add({{"points", n}}, row("tree", 2e-3));
            always.add({{"points", n}}, row("direct", 2e-3));
            always.add({{"points", n}}, row("tree", 1e-3));
        }
        // A treecode that is faster at small N alone has no N from which it is.
        CostCurves small("direct", "tree");
        for (const std::int64_t n : {500, 8000})
            for (const char* id : {"direct", "tree"})
                small.add({{"points", n}}, row(id, (n == 500) == (*id == 't') ? 1e-3 : 2e-3));
        QCOMPARE(small.verdict(), QString("tree is faster up to N = 500; direct is faster from N = 8,000"));
        QVERIFY(!small.crossover());
        QCOMPARE(never.verdict(), QString("direct is faster up to N = 3,000"));
        QCOMPARE(always.verdict(), QString("tree is faster at all N from 1,000 on"));
        QVERIFY(CostCurves("direct", "tree").verdict().isEmpty());
    }

    void noOrderIsToldThatTheSpreadMayHaveMade() {
        const auto of = [](const std::vector<std::pair<std::int64_t, std::array<double, 2>>>& seconds) {
            CostCurves curves("direct", "tree");
            for (const auto& [n, both] : seconds) {
                curves.add({{"points", n}}, row("direct", both[0]));
                // Its spread is not that of the other: the runs of most rounds overlap.
                ks::BenchRow other = row("tree", both[1]);
                std::ranges::rotate(other.samples, other.samples.begin() + 1);
                curves.add({{"points", n}}, other);
            }
            return curves;
        };
        // The medians alone would say that the direct sums are faster up to 8,000.
        const CostCurves alike = of({{500, {2e-3, 1e-3}}, {2000, {2e-3, 2.02e-3}}, {8000, {8e-3, 8.1e-3}}});
        QCOMPARE(alike.verdict(),
                 QString("tree is faster up to N = 500; no significant difference between N = "
                         "2,000 and 8,000"));
        QVERIFY(!alike.crossover());
        const CostCurves same = of({{2000, {2e-3, 2.02e-3}}, {8000, {8e-3, 7.9e-3}}});
        QCOMPARE(same.verdict(), QString("no significant difference between N = 2,000 and 8,000"));
        QVERIFY(std::ranges::none_of(same.series(), [](const auto& one) { return one.bin == 3; }));
        QCOMPARE(of({{2000, {2e-3, 2.02e-3}}}).verdict(), QString("no significant difference at N = 2,000"));
        QCOMPARE(of({{500, {1e-3, 2e-3}}, {2000, {2e-3, 2.02e-3}}, {8000, {8e-3, 4e-3}}}).verdict(),
                 QString("direct is faster up to N = 500; no significant difference at N = 2,000; tree is "
                         "faster from N = 8,000"));
        QCOMPARE(of({{2000, {2e-3, 2.02e-3}}, {8000, {8e-3, 4e-3}}}).verdict(),
                 QString("no significant difference at N = 2,000; tree is faster from N = 8,000"));
        QCOMPARE(of({{500, {1e-3, 2e-3}}, {8000, {8e-3, 8.1e-3}}}).verdict(),
                 QString("direct is faster up to N = 500; no significant difference at N = 8,000"));
    }

    void tooFewRunsGiveNoOrder() {
        CostCurves curves("direct", "tree");
        for (const char* id : {"direct", "tree"}) {
            ks::BenchRow few = row(id, *id == 'd' ? 1e-3 : 2e-3);
            few.samples.resize(3);  // as an earlier version measured
            curves.add({{"points", std::int64_t{1000}}}, few);
        }
        QCOMPARE(curves.verdict(), QString("too few runs to compare them: measure again"));
        CostPanel panel([] { return ks::SizeLists(); });
        panel.setOffers(offers());
        panel.setSizes("1000");
        std::size_t runs = 0;
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) { runs = plans.front().repeats; });
        panel.measure().click();
        QVERIFY(runs >= ks::runs_for_an_order(2));
    }

    void theVariantOfTheNextRunIsMeasuredWhereItTakesPoints() {
        CostPanel panel([] { return ks::SizeLists(); });
        panel.setOffers(offers());
        panel.setSizes("1000");
        Plans plans;
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& wanted) { plans = wanted; });
        for (const auto& [next, measured] :
             {std::pair{"slower", "slower"}, {"only.planes", "direct"}, {"tree", "direct"}, {"", "direct"}}) {
            ks::Variant variant;
            variant.id = next;
            panel.setVariant(*next ? &variant : nullptr);
            panel.measure().click();
            QVERIFY(!panel.running());  // nobody took the plans
            QCOMPARE(plans.size(), std::size_t{1});
            QCOMPARE(plans.front().variants, (std::vector<std::string>{measured, "tree"}));
        }
    }

    void whatCannotBeMeasuredIsRefused() {
        CostPanel panel([] { return ks::SizeLists(); });
        QSignalSpy failed(&panel.refusal(), &PassingError::failed), wanted(&panel, &CostPanel::wanted);
        QStringList where;
        connect(&panel.refusal(), &PassingError::failed, this,
                [&where](const ks::Error& error) { where << QString::fromStdString(error.where()); });
        panel.setOffers(offers());
        for (const char* list : {"many", "0", "50000, 100000", ","}) {
            panel.setSizes(list);
            panel.measure().click();
            QVERIFY(!panel.running());
        }
        QCOMPARE(failed.count(), 4);
        QCOMPARE(where, QStringList(4, "N"));  // as the field is called
        panel.setSizes("1000");
        panel.setOffers({offer("direct", false)});
        panel.measure().click();
        QCOMPARE(failed.count(), 5);
        QVERIFY(wanted.isEmpty());
    }

    void stopEndsItAndKeepsWhatCame() {
        CostPanel panel([] { return ks::SizeLists(); });
        panel.setOffers(offers());
        panel.setSizes("1000, 30000");
        int asked = 0;
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) {
            ++asked;
            answer(panel, plans);  // all of them, and stops before the next come
        });
        panel.measure().click();
        QVERIFY(panel.running());
        panel.measure().click();
        QTRY_VERIFY(!panel.running());
        QCOMPARE(asked, 1);
        QCOMPARE(curve(panel, "measured", 2)->x, (QVector<double>{1000}));
        QCOMPARE(panel.measure().text(), QString("Measure cost"));
    }

    void aMeasurementThatIsStoppedOrRefusedLeavesTheCompleteOneBefore() {
        CostPanel panel([] { return ks::SizeLists(); });
        panel.setOffers(offers());
        panel.setSizes("1000, 2000, 10000");
        enum class Worker { answers, refuses, isStopped } worker = Worker::answers;
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) {
            if (worker == Worker::answers) answer(panel, plans);
            if (worker != Worker::isStopped) return;
            panel.setRunning(true);
            panel.addRow(0, {{"points", std::int64_t{500}}}, row("direct", 1e-3));
        });
        panel.measure().click();
        QTRY_VERIFY(!panel.running());
        const QVector<double> before{1000, 2000, 10000};
        const QString note = panel.plot().note();
        QVERIFY(!note.isEmpty());
        QCOMPARE(curve(panel, "measured", 1)->x, before);
        const auto unchanged = [&] {
            return curve(panel, "measured", 1) && curve(panel, "measured", 1)->x == before &&
                   panel.plot().note() == note && panel.keep().contains("reports");
        };
        worker = Worker::refuses;
        panel.measure().click();
        QVERIFY(!panel.running());
        QVERIFY(unchanged());
        worker = Worker::isStopped;
        panel.setSizes("500, 700");
        panel.measure().click();
        QVERIFY(panel.running());
        QCOMPARE(curve(panel, "measured", 1)->x, (QVector<double>{500}));  // what arrives is shown
        panel.measure().click();
        panel.setRunning(false);  // as the window's queue reports it
        QVERIFY(unchanged());
    }

    void curvesOfOtherSettingsAreMarked() {
        ks::SizeLists problem{{"kernel", {std::string("laplace")}}};
        CostPanel panel([&] { return problem; });
        panel.setOffers(offers());
        panel.setSizes("1000");
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) { answer(panel, plans); });
        panel.measure().click();
        QVERIFY2(panel.made().startsWith("Measured: "), qPrintable(panel.made()));
        panel.setNext({{{"tolerance", 1e-6}, {"sigma", 0.2}}, "Slow CPU", {}});
        QVERIFY2(panel.made().startsWith("Outdated (Device, Tolerance): measured with Fast Graphics 4090"),
                 qPrintable(panel.made()));
        QCOMPARE(panel.plot().note(),
                 QString("Outdated (Device, Tolerance); direct is faster up to N = 1,000"));
        const std::string csv = panel.plot().csv();
        QVERIFY2(csv.find("Outdated (Device, Tolerance)") != csv.npos, csv.c_str());
        panel.setNext({{{"tolerance", 1e-4}}, "Fast Graphics 4090", {}});
        QVERIFY(panel.made().startsWith("Measured: "));
        problem["kernel"] = {std::string("rbf")};
        panel.showMade();
        QVERIFY(panel.made().startsWith("Outdated (Kernel): "));
    }

    void aWrongKernelIsMarkedAndNotCompared() {
        CostPanel panel([] { return ks::SizeLists(); });
        panel.setOffers(offers());
        panel.setSizes("1000, 3000");
        connect(&panel, &CostPanel::wanted, this, [&](const Plans& plans) {
            for (const ks::BenchPlan& plan : plans) QVERIFY(plan.check == ks::CheckMode::sample);
            answer(panel, plans, "fail: largest error 0.2");
        });
        panel.measure().click();
        QVERIFY(!panel.running());
        const auto told = [](CostPanel& one) {
            QCOMPARE(one.plot().note(), QString("direct is wrong"));
            QCOMPARE(one.message(), QString("direct is wrong: largest error 0.2"));
            QVERIFY(!one.curves().crossover());
            QCOMPARE(curve(one, "measured", 1)->label, QString("direct (wrong)"));
            QCOMPARE(curve(one, "measured", 2)->label, QString("tree"));
            const std::string csv = one.plot().csv();
            QVERIFY2(csv.find("direct (wrong)") != csv.npos, csv.c_str());
        };
        told(panel);
        CostPanel next([] { return ks::SizeLists(); });  // after a restart
        next.bringBack(panel.keep());
        told(next);
    }

    void theWidthHasTheDigitsOfItsField() {
        const double width = 0.10147481363852004;
        CostPanel panel([width] { return ks::SizeLists{{"sigma", {width}}}; });
        ks::BenchReport report;
        report.device.name = "Fast Graphics 4090";
        ks::BenchPoint point;
        point.sizes = {{"points", std::int64_t{1000}}, {"kernel", std::string("rbf")}, {"sigma", width}};
        point.rows = {row("direct", 1e-3), row("tree", 1e-3)};
        report.points = {point};
        panel.bringBack({{"direct", "direct"}, {"treecode", "tree"}, {"reports", {ks::to_json(report)}}});
        QVERIFY2(panel.made().startsWith("Measured: ") && panel.made().endsWith(" 0.1014748"),
                 qPrintable(panel.made()));
    }

    void theWidthIsNamedForTheKernelThatUsesIt() {
        CostPanel panel([] { return ks::SizeLists(); });
        ks::BenchReport report;
        report.device.name = "Fast Graphics 4090";
        ks::BenchPoint point;
        point.sizes = {{"points", std::int64_t{1000}},
                       {"kernel", std::string("rbf")},
                       {"sigma", 0.25},
                       {"wavenumber", 10.0}};
        point.rows = {row("direct", 1e-3), row("tree", 1e-3)};
        report.points = {point};
        panel.bringBack({{"direct", "direct"}, {"treecode", "tree"}, {"reports", {ks::to_json(report)}}});
        QVERIFY2(panel.made().contains("0.25") && !panel.made().contains("Wavenumber"),
                 qPrintable(panel.made()));
    }

    void madeProblemsHaveTheKernelInProportionToTheSources() {
        const auto page = shownPage();
        QVERIFY(page);
        emit context_.desk->offered("particles", offers(), nullptr);
        QSignalSpy wanted(context_.desk.get(), &Desk::sweepWanted);
        child<SumForm>(*page).setKernel("rbf");
        child<CostPanel>(*page).setSizes("1000");
        child<CostPanel>(*page).measure().click();
        QCOMPARE(wanted.count(), 1);
        const auto plans = wanted.first().at(1).value<Plans>();
        const auto sigma = std::get<double>(plans.front().sizes.at("sigma").front());
        // The sources' box has sides of 0.4.
        ks::ParameterSet own;
        child<SumForm>(*page).fill(own);
        QVERIFY(std::abs(sigma * 0.4 - std::get<double>(own.at("sigma"))) < 1e-9);
        QVERIFY(plans.front().sizes.at("tolerance").empty());
        QCOMPARE(std::get<std::string>(plans.front().sizes.at("weights").front()), std::string("signed"));
    }

    void theCurvesAreAFigureOnceTheyAreMeasured() {
        const auto page = shownPage();
        QVERIFY(page);
        emit context_.desk->offered("particles", offers(), nullptr);
        const auto figure = [&]() -> const ExportablePlot* {
            for (const NamedPlot& one : page->plots())
                if (one.leaf == "cost") return one.plot;
            return nullptr;
        };
        QVERIFY(!figure());
        connect(context_.desk.get(), &Desk::sweepWanted, this,
                [&](Sweep*, const Plans& plans) { answer(child<CostPanel>(*page), plans); });
        child<CostPanel>(*page).setSizes("1000, 2000");
        child<CostPanel>(*page).measure().click();
        QVERIFY(!child<CostPanel>(*page).running());
        QVERIFY(figure());
        const std::string csv = figure()->csv();
        QVERIFY2(csv.find("direct") != csv.npos && csv.find("2000") != csv.npos, csv.c_str());
    }

    void sizesThatWereTypedComeBackAndProposedOnesReachTheSources() {
        CostPanel panel([] { return ks::SizeLists(); });
        QCOMPARE(panel.sizes(), QString("1000, 3000, 10000, 30000, 100000"));
        panel.setLargest(250000);
        QCOMPARE(panel.sizes(), QString("1000, 3000, 10000, 30000, 100000, 250000"));
        const auto page = shownPage();
        QVERIFY(page);
        child<CostPanel>(*page).setSizes("500, 700");
        const auto other = shownPage();
        QVERIFY(other);
        other->setState(*page->state(Page::Scope::settings), Page::Scope::settings);
        QCOMPARE(child<CostPanel>(*other).sizes(), QString("500, 700"));
    }
};

QTEST_MAIN(ParticlesCostTest)
#include "tst_particles_cost.moc"
