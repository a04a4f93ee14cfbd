// g2 of segments in the window: which bins change and from which frame on, driven by the keyboard and the
// mouse in the window with its worker.

#include <QListWidget>
#include <QSplitter>
#include <QtTest>
#include <cmath>

#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/number_box.h"
#include "ui/base/parameter_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/shell/drawer.h"
#include "ui/xpcs/series/frames_panel.h"
#include "ui/xpcs/series/stability_panel.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::StabilityPanel;
using ks::ui::xpcs::XpcsPage;

class StabilityPanelTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }
    StabilityPanel& panel() { return page().stability(); }

    static void generate(const QString& path, bool changes) {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["kind"] = std::string("speckle");
        parameters["frames"] = std::int64_t{200};
        parameters["height"] = parameters["width"] = std::int64_t{101};
        parameters["gamma_min"] = 0.02;
        parameters["seed"] = std::int64_t{1};
        if (changes) parameters["change_frame"] = std::int64_t{100};
        ks::Progress progress;
        analysis.generate(parameters, path.toStdString(), true, progress);
    }
    bool opened(const QString& leaf) {
        ks::tests::open_data(*window_, path(leaf));
        PartitionChoice rings = page().partitionForm().choice();
        rings.source = PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(10, 50, 2);
        page().partitionForm().setChoice(rings);
        return QTest::qWaitFor([&] { return page().bins().rowCount() == 2; }, 30000);
    }
    bool tested(int segments) {
        page().drawer().raise(&panel());
        return QTest::qWaitFor(
            [&] { return panel().tests().count() == 2 && panel().plot().series().size() == segments; },
            60000);
    }
    QString test(int row) { return panel().tests().item(row)->text(); }

  private slots:
    void initTestCase() {
        generate(path("same.h5"), false);
        generate(path("changes.h5"), true);
    }
    void init() { window_ = firstWindow({1280, 800}); }
    void cleanup() { window_.reset(); }

    void aChangeIsNamedWithItsFrame() {
        QVERIFY(opened("changes.h5"));
        QVERIFY(tested(10));
        for (const int row : {0, 1}) {
            QVERIFY2(test(row).startsWith(QString("%1: from frame 100 on: another sample, p ").arg(row + 1)),
                     qPrintable(test(row)));
            QVERIFY(panel().tests().item(row)->font().bold());
        }
        QVERIFY2(panel().summary().contains("g\u2082 changes in 2 of 2 bins"), qPrintable(panel().summary()));
        QCOMPARE(panel().plot().note(), QString("bin 1"));
        // From the first segment to the last, the colours go through the map.
        const QVector<CurveSeries>& curves = panel().plot().series();
        QCOMPARE(curves.front().label, QStringLiteral("0\u201319"));
        QCOMPARE(curves.back().label, QStringLiteral("180\u2013199"));
        QVERIFY(curves.front().colour && curves.front().colour != curves.back().colour);
    }

    void aSampleThatStaysTheSameIsSaidToBe() {
        QVERIFY(opened("same.h5"));
        QVERIFY(tested(10));
        for (const int row : {0, 1})
            QVERIFY2(test(row).contains(": no change found (p = "), qPrintable(test(row)));
        QVERIFY(panel().summary().contains("g\u2082 changes in 0 of 2 bins"));
    }

    void anotherNumberOfSegmentsIsTypedAndKept() {
        QVERIFY(opened("changes.h5"));
        QVERIFY(tested(10));
        WholeBox& field = panel().segmentsField();
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, "5");
        QTest::keyClick(&field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(panel().plot().series().size(), qsizetype{5}, 30000);
        QCOMPARE(panel().plot().series().back().label, QStringLiteral("160\u2013199"));
        const auto state = page().state(Page::Scope::session);
        QVERIFY(state);
        panel().setSegments(20);
        page().setState(*state, Page::Scope::session);
        QCOMPARE(panel().segments(), 5);
    }

    void aRowPicksItsBinAndTheTabStays() {
        QVERIFY(opened("changes.h5"));
        QVERIFY(tested(10));
        page().pickBin(1);
        QVERIFY(page().drawer().isRaised(&panel()));
        const QVector<double> first = panel().plot().series().front().y;
        const QRect row = panel().tests().visualItemRect(panel().tests().item(1));
        QTest::mouseClick(panel().tests().viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(page().pickedBin(), 2);
        QVERIFY(page().drawer().isRaised(&panel()));
        QVERIFY(panel().plot().series().front().y != first);
        QCOMPARE(panel().plot().note(), QString("bin 2"));
    }

    void curvesAreThoseOfARunOnTheFramesOfTheSegment() {
        QVERIFY(opened("changes.h5"));
        QVERIFY(tested(10));
        page().pickBin(2);
        const QVector<double> shown = panel().plot().series()[3].y;
        window_->parameters().setValues({{"first_frame", std::int64_t{60}},
                                         {"last_frame", ks::ParameterValue(std::int64_t{79})},
                                         {"correlator", std::string("gram")}});
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 120000);
        const ks::Array& g2 = window_->runs().rows().front().run->result.at("g2").values;
        QCOMPARE(g2.shape()[1], std::size_t{20});
        for (qsizetype i = 0; i < shown.size(); ++i) {
            const double value = g2.to_doubles()[20 + 1 + static_cast<std::size_t>(i)];
            QVERIFY2(std::abs(shown[i] - value) <= 1e-12 * value, qPrintable(QString::number(i)));
        }
    }

    void framesLeftOutAreNotTested() {
        QVERIFY(opened("changes.h5"));
        QVERIFY(tested(10));
        window_->parameters().setValues({{"leave_out", std::string("100-199")}});
        QTRY_VERIFY_WITH_TIMEOUT(panel().plot().series().size() == 5, 30000);
        QVERIFY2(test(0).contains("no change found"), qPrintable(test(0)));
    }

    void framesAreSingleOnesWhereARunAveragesThem() {
        QVERIFY(opened("changes.h5"));
        window_->parameters().setValues({{"stride", std::int64_t{2}},
                                         {"average", std::int64_t{3}},
                                         {"leave_out", std::string("100-199")}});
        QVERIFY(tested(5));
        QCOMPARE(panel().plot().note(), QString("bin 1, single frames"));
        QCOMPARE(panel().plot().series()[4].label, QStringLiteral("80\u201399"));
        window_->parameters().setValues({{"stride", std::int64_t{1}}, {"average", std::int64_t{1}}});
        QTRY_COMPARE_WITH_TIMEOUT(panel().plot().note(), QString("bin 1"), 30000);
        window_->parameters().setValues({{"errors", std::string("pixels")}});
        QTRY_COMPARE_WITH_TIMEOUT(panel().plot().note(), QString("bin 1\nerrors: published, not pixels"),
                                  30000);
    }

    void whatCannotBeTestedSaysWhy() {
        QVERIFY(opened("changes.h5"));
        window_->parameters().setValues({{"last_frame", ks::ParameterValue(std::int64_t{15})}});
        page().drawer().raise(&panel());
        QTRY_COMPARE_WITH_TIMEOUT(
            panel().summary(), QString("10 segments of at least 2 frames need 20 frames, found 16"), 60000);
        QCOMPARE(panel().tests().count(), 0);
        QVERIFY(panel().plot().series().isEmpty());
    }
};

QTEST_MAIN(StabilityPanelTest)
#include "tst_stability_panel.moc"
