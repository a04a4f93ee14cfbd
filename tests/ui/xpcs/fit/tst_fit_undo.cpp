// Choices of a fit are undone and redone with the other choices of the window, and kept with them.

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/history.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/drawer.h"
#include "ui/shell/run_files.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/optional_number.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::xpcs::FitChoice;
using ks::ui::xpcs::OptionalNumber;
using ks::ui::xpcs::XpcsPage;

class FitUndoTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return ks::tests::xpcs_page(*window_); }
    const FitChoice& choice() { return page().fitForm().choice(); }
    History& history() { return window_->history(); }
    void undo() { QTest::keyClick(window_->focusWidget(), Qt::Key_Z, Qt::ControlModifier); }
    void redo() {
        QTest::keyClick(window_->focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!page().fits().busy(), 60000); }
    qsizetype lines() {
        settle();
        return std::ranges::count(page().curves().series(), CurveStyle::line, &CurveSeries::style);
    }
    void choose(int row) {
        auto& model = child<QComboBox>(page(), "fitModel");
        model.setFocus();
        QTest::keyClick(&model, Qt::Key_Home);
        for (int i = 0; i < row; ++i) QTest::keyClick(&model, Qt::Key_Down);
        settle();
    }
    void type(const QString& field, const QString& text) {
        auto& box = child<OptionalNumber>(page(), field);
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, text);
        QTest::keyClick(&box, Qt::Key_Return);
        settle();
    }
    void tick(const QString& box) {
        auto& ticked = child<QCheckBox>(page(), box);
        ticked.setFocus();
        QTest::keyClick(&ticked, Qt::Key_Space);
        settle();
    }
    void click(qsizetype point, Qt::KeyboardModifiers modifiers = {}) {
        auto& figure = const_cast<CurveFigure&>(page().curves().figure());
        figure.replot();
        const CurveSeries& one = page().curves().series().front();
        const QPointF at(figure.xAxis->coordToPixel(one.x[point]), figure.yAxis->coordToPixel(one.y[point]));
        QTest::mouseClick(&figure, Qt::LeftButton, modifiers, at.toPoint());
        settle();
    }

  private slots:
    void initTestCase() {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["kind"] = std::string("diffusion");
        parameters["frames"] = std::int64_t{200};
        parameters["height"] = parameters["width"] = std::int64_t{81};
        parameters["diffusion"] = 4e6;
        parameters["contrast"] = 0.8;
        parameters["mean"] = 60.0;
        parameters["type"] = std::string("u16");
        ks::Progress progress;
        analysis.generate(parameters, path("a.h5").toStdString(), true, progress);
    }
    void init() {
        window_ = firstWindow({1280, 800});
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        ks::tests::open_data(*window_, path("a.h5"));
        ks::tests::run_in(*window_);
        page().drawer().setRaised({"Fit"});
        history().clear();
    }
    void cleanup() { window_.reset(); }

    void everyChoiceGoesBackAndComesAgain() {
        std::vector<FitChoice> steps{choice()};
        QStringList names;
        const auto step = [&](const QString& name) {
            QVERIFY2(choice() != steps.back(), qPrintable(name));
            steps.push_back(choice());
            names << name;
            QCOMPARE(history().undoText(), name);
        };
        choose(1);
        step("change of the fit model");
        type("fit_baseline_value", "1.1");
        step("value of baseline in the fit");
        tick("fit_baseline_fixed");
        step("fixing of baseline");
        type("fit_beta_lower", "0.01");
        step("minimum of beta in the fit");
        type("fit_beta_upper", "3");
        step("maximum of beta in the fit");
        type("fitFrom", "0.002");
        step("first delay of the fit");
        type("fitTo", "0.03");
        step("last delay of the fit");
        const double x = page().curves().series().front().x[4];
        const QString bin = QString::number(page().curves().series().front().bin);
        click(4);
        step(QString("exclusion of delay %1 in bin %2").arg(x, 0, 'g', 4).arg(bin));
        click(4, Qt::ShiftModifier);
        step(QString("exclusion of delay %1 in all bins").arg(x, 0, 'g', 4));
        click(4, Qt::ShiftModifier);
        step(QString("inclusion of delay %1 in all bins").arg(x, 0, 'g', 4));
        tick("fitWithRuns");
        step("errors from the pixels");
        child<QToolButton>(page(), "fitUseAll").click();
        step("delays of the fit");
        QCOMPARE(history().count(), static_cast<int>(names.size()));

        for (std::size_t k = steps.size() - 1; k-- > 0;) {
            undo();
            QVERIFY2(choice() == steps[k], qPrintable(names[static_cast<qsizetype>(k)]));
        }
        QVERIFY(!window_->action("undo")->isEnabled());
        QCOMPARE(child<QComboBox>(page(), "fitModel").currentIndex(), 0);
        QCOMPARE(lines(), 0);
        for (std::size_t k = 1; k < steps.size(); ++k) {
            redo();
            QVERIFY2(choice() == steps[k], qPrintable(names[static_cast<qsizetype>(k) - 1]));
        }
        QCOMPARE(child<OptionalNumber>(page(), "fit_beta_upper").number(), std::optional(3.0));
        QVERIFY(child<QCheckBox>(page(), "fit_baseline_fixed").isChecked());
        QVERIFY(lines() > 0);
    }

    void theFitAndTheNextRunFollowAnUndo() {
        choose(1);
        tick("fitWithRuns");
        const auto fitOfNextRun = [this] {
            ks::Request request;
            page().fill(request);
            return ks::text(request.parameters, "fit");
        };
        QCOMPARE(fitOfNextRun(), std::string("single"));
        undo();
        QCOMPARE(fitOfNextRun(), std::string("none"));
        QVERIFY(lines() > 0);
        undo();
        QCOMPARE(lines(), 0);
        redo();
        QVERIFY(lines() > 0);
    }

    void oneOrderHoldsWithTheOtherChoicesOfTheWindow() {
        choose(1);
        auto& first = dynamic_cast<QAbstractSpinBox&>(*window_->parameters().field("first_frame"));
        first.setFocus();
        first.selectAll();
        QTest::keyClicks(&first, "3");
        QTest::keyClick(&first, Qt::Key_Return);
        auto& model = child<QComboBox>(page(), "fitModel");
        model.setFocus();
        QTest::keyClick(&model, Qt::Key_Down);
        QCOMPARE(choice().model, std::string("stretched"));
        QCOMPARE(history().count(), 3);
        undo();
        QCOMPARE(choice().model, std::string("single"));
        QCOMPARE(ks::integer(window_->parameters().values(), "first_frame"), 3);
        undo();
        QCOMPARE(ks::integer(window_->parameters().values(), "first_frame"), 0);
        QCOMPARE(choice().model, std::string("single"));
        undo();
        QVERIFY(!choice().any());
        // A step of this page is undone from another page, which shows it.
        redo();
        QVERIFY(window_->setPage("spots"));
        window_->action("undo")->trigger();
        QCOMPARE(window_->page()->analysis(), QString("xpcs"));
        QVERIFY(!choice().any());
    }

    void undoOfTheInputsOfARunBringsTheFitBack() {
        choose(1);
        tick("fitWithRuns");
        ks::tests::run_in(*window_);
        QSignalSpy saved(&window_->runFiles(), &RunFiles::saved);
        window_->saveRun(path("fitted.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        // Another fit, which no run has, and other bins.
        tick("fitWithRuns");
        choose(2);
        type("fit_c_value", "0.75");
        tick("fit_c_fixed");
        type("fit_beta_lower", "0.01");
        type("fit_beta_upper", "3");
        xpcs::PartitionChoice rings = page().partitionForm().choice();
        rings.source = xpcs::PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(4, 25, 3);
        page().partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty() && page().partition()->bins() == 3, 30000);
        const FitChoice mine = choice();
        window_->open(path("fitted.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->notices().text("inputs of the run").isEmpty(), 30000);
        const int number = window_->runs().rows().front().number;
        QVERIFY(window_->notices().act("inputs of the run", QString("Use inputs of run %1").arg(number)));
        QTRY_COMPARE_WITH_TIMEOUT(choice().model, std::string("single"), 30000);
        QVERIFY(choice().withRuns && choice().parameters.empty());
        const FitChoice ofRun = choice();
        settle();
        window_->setFocus();
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(choice() == mine);
        QCOMPARE(child<QComboBox>(page(), "fitModel").currentIndex(), 2);
        QCOMPARE(child<OptionalNumber>(page(), "fit_beta_upper").number(), std::optional(3.0));
        QVERIFY(child<QCheckBox>(page(), "fit_c_fixed").isChecked());
        QVERIFY(!child<QCheckBox>(page(), "fitWithRuns").isChecked());
        settle();
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(choice() == ofRun);
    }

    void theNextStartHasTheChoicesAndNothingToUndo() {
        choose(2);
        type("fit_c_lower", "0.5");
        type("fitFrom", "0.002");
        click(6);
        undo();
        redo();
        const FitChoice before = choice();
        QVERIFY(!before.leftOut.empty());
        const auto begin = [this] {
            window_->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        };
        begin();
        window_->close();
        window_ = ks::tests::session_window(path("other.ini"));  // nothing comes back through settings
        begin();
        QTRY_VERIFY_WITH_TIMEOUT(choice() == before, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QVERIFY(!window_->action("undo")->isEnabled());
    }
};

QTEST_MAIN(FitUndoTest)
#include "tst_fit_undo.moc"
