#include <QFile>
#include <QToolButton>
#include <QtTest>

#include "tests/ui/child.h"
#include "tests/ui/shell/particles_window.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/drawer.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/session/window_session.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;

/// What a run costs against N, with a real worker.
class ParticlesCostWindowTest : public ks::tests::WindowFixture {
    Q_OBJECT

    ParticlesPage& page() { return dynamic_cast<ParticlesPage&>(*window_->page()); }

  private slots:
    void init() {
        window_ = ks::tests::particles_window(folder_);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->variants().variant().isEmpty(), 60000);
    }
    void cleanup() { window_.reset(); }

    void bothAreTimedAtEachSizeAndTheVerdictIsTold() {
        CostPanel& cost = child<CostPanel>(page());
        page().drawer().raise(&cost);
        QVERIFY(page().drawer().isRaised(&cost));
        cost.setSizes("300, 600, 21000");
        cost.measure().click();
        QVERIFY(cost.running());
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running(), 300000);
        const auto series = cost.curves().series();
        QVERIFY(series.size() >= 2);
        const QVector<double> small{300, 600}, all{300, 600, 21000};
        QCOMPARE(series[1].x, all);
        // On a busy computer, the small sizes may take so long that direct sums of the large one are expected
        // to take more than 2 s: then it is said that they were not timed.
        const bool timed = !cost.message().contains("not timed at N = 21,000");
        QCOMPARE(series[0].x, timed ? all : small);
        // Times are real here, so that both may be alike on a busy computer; which verdict belongs to which
        // times is tested with given ones, in tests/ui/particles/tst_particles_cost.
        const QString verdict = cost.plot().note();
        QVERIFY2(verdict.contains("is faster ") || verdict.contains("no significant difference "),
                 qPrintable(verdict));
        QCOMPARE(verdict, cost.curves().verdict());
        QVERIFY2(cost.made().startsWith("Measured: ") && cost.made().contains("Tolerance 0.0001"),
                 qPrintable(cost.made()));
        QVERIFY(!window_->queue().busy());
    }

    void whatWasMeasuredAndTypedIsThereAfterARestart() {
        const QString sessions = folder_.filePath("sessions");
        window_->kept().begin(sessions, WindowSession::Begin::empty);
        CostPanel& cost = child<CostPanel>(page());
        cost.setSizes("300, 600");
        cost.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running(), 300000);
        const auto measured = cost.plot().series();
        QVERIFY(measured.size() >= 2);
        const QString made = cost.made();
        QVERIFY(window_->close());
        window_.reset();
        QFile::remove(folder_.filePath("test.ini"));
        window_ = ks::tests::particles_window(folder_);
        window_->kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(child<CostPanel>(page()).plot().series().size(), measured.size(), 60000);
        for (qsizetype i = 0; i < measured.size(); ++i) {
            QCOMPARE(child<CostPanel>(page()).plot().series()[i].x, measured[i].x);
            QCOMPARE(child<CostPanel>(page()).plot().series()[i].y, measured[i].y);
        }
        QTRY_COMPARE_WITH_TIMEOUT(child<CostPanel>(page()).made(), made, 60000);
        QCOMPARE(child<CostPanel>(page()).sizes(), QString("300, 600"));
    }

    void theCurvesAreMarkedWhenTheKernelsWidthChanges() {
        CostPanel& cost = child<CostPanel>(page());
        child<SumForm>(page()).setKernel("rbf");
        cost.setSizes("300");
        cost.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running() && !window_->queue().busy(), 300000);
        QTRY_VERIFY2_WITH_TIMEOUT(cost.made().startsWith("Measured: "), qPrintable(cost.made()), 5000);
        child<SumForm>(page()).setKernel("laplace");
        QTRY_VERIFY2_WITH_TIMEOUT(cost.made().startsWith("Outdated (Kernel): "), qPrintable(cost.made()),
                                  5000);
    }

    void theToleranceCanBeChosenThoughTheNextRunIsExact() {
        QFile points(path("points.csv"));
        QVERIFY(points.open(QIODevice::WriteOnly));
        points.write("x,y,z,weight\n0.2,0.3,0.4,1\n0.6,0.7,0.8,-0.5\n");
        points.close();
        ks::tests::open_data(*window_, path("points.csv"));
        QVERIFY(window_->variants().setVariant("host.reference"));
        const QWidget* const field = window_->parameters().field("tolerance");
        QVERIFY(field);
        QTRY_VERIFY2(field->toolTip().contains("Not used by the next run: host.reference is exact"),
                     qPrintable(field->toolTip()));
        QVERIFY2(field->isEnabled() && field->toolTip().contains("Used by Measure cost"),
                 qPrintable(field->toolTip()));
        CostPanel& cost = child<CostPanel>(page());
        cost.setSizes("300");
        cost.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running() && !window_->queue().busy(), 300000);
        QTRY_VERIFY2_WITH_TIMEOUT(cost.made().contains("Tolerance 0.0001"), qPrintable(cost.made()), 5000);
        window_->parameters().setValue("tolerance", 0.01);
        QTRY_VERIFY2_WITH_TIMEOUT(cost.made().startsWith("Outdated (Tolerance): "), qPrintable(cost.made()),
                                  5000);
        cost.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running() && !window_->queue().busy(), 300000);
        QTRY_VERIFY2_WITH_TIMEOUT(
            cost.made().startsWith("Measured: ") && cost.made().contains("Tolerance 0.01"),
            qPrintable(cost.made()), 5000);
    }

    void aRefusalOfSizesGoesWithTheEditedField() {
        CostPanel& cost = child<CostPanel>(page());
        cost.setSizes("many");
        cost.measure().click();
        QVERIFY(window_->errorBar().isError());
        cost.setSizes("300");
        QVERIFY(!window_->errorBar().isError());
    }

    void itIsStopped() {
        CostPanel& cost = child<CostPanel>(page());
        cost.setSizes("1000, 3000, 20000, 100000");
        cost.measure().click();
        QVERIFY(cost.running());
        cost.measure().click();
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running() && !window_->queue().busy(), 30000);
        QCOMPARE(cost.measure().text(), QString("Measure cost"));
    }
};

QTEST_MAIN(ParticlesCostWindowTest)
#include "tst_particles_cost.moc"
