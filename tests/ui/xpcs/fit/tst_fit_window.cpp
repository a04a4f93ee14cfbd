#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/core/xpcs/oracle.h"
#include "tests/ui/child.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/fit_results.h"
#include "ui/xpcs/fit/fit_table_model.h"
#include "ui/xpcs/fit/optional_number.h"
#include "ui/xpcs/fit/tau_panel.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using namespace ks::ui::xpcs;
using ks::tests::child;

/// Fits in the window: of speckle that diffuses with a known coefficient.
class FitWindowTest : public QObject {
    Q_OBJECT

    static constexpr double diffusion = 4e6;  ///< angstrom^2/s
    QTemporaryDir folder_;
    Jobs jobs_;
    std::optional<PageContext> context_;
    std::unique_ptr<XpcsPage> page_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const ks::Run> plain_, grouped_;

    QString path() const { return folder_.filePath("diffusion.h5"); }

    /// @param fit model of the run, whose groups then give errors; or "none"
    std::shared_ptr<const ks::Run> ran(const std::string& fit, const std::string& variant = "host.gram",
                                       std::int64_t stride = 1) const {
        ks::Progress progress;
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        auto run = std::make_shared<ks::Run>();
        run->request.analysis = "xpcs";
        run->request.inputs["frames"].name = path().toStdString();
        run->request.inputs["partition"].name = path().toStdString() + "::/entry/qmask";
        run->request.parameters = ks::checked(analysis.info().parameters, {{"fit", fit}});
        run->request.parameters["stride"] = stride;
        if (variant == "host.fft") run->request.parameters["correlator"] = std::string("fft");
        run->variant = host_variant(variant).info;
        const auto problem = ks::xpcs::load_problem(run->request, progress);
        run->result = run_host(host_variant(variant), *problem);
        analysis.add_results(*problem, *run, progress);
        return run;
    }

    void show(const std::shared_ptr<const ks::Run>& run) { page_->setRuns({{1, run, true, false}}); }
    QComboBox& model() { return child<QComboBox>(*page_, "fitModel"); }
    /// Chooses by the keyboard, from the top.
    void choose(int row) {
        model().setFocus();
        QTest::keyClick(&model(), Qt::Key_Home);
        for (int i = 0; i < row; ++i) QTest::keyClick(&model(), Qt::Key_Down);
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!page_->fits().busy(), 60000); }
    void type(const QString& field, const QString& text) {
        auto& box = child<OptionalNumber>(*page_, field);
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, text);
        QTest::keyClick(&box, Qt::Key_Return);
        settle();
    }
    FitTableModel& table() { return page_->fitResults().model(); }
    double number(int item, const char* key) {
        for (int c = 0; c < table().columnCount(); ++c)
            if (std::string(table().columnText(c).key) == key) return table().number(item, c);
        qFatal("no column %s", key);
    }
    qsizetype lines() {
        return std::ranges::count(page_->curves().series(), CurveStyle::line, &CurveSeries::style);
    }
    const CurveSeries& points(int bin) {
        return *std::ranges::find_if(page_->curves().series(), [bin](const CurveSeries& one) {
            return one.bin == bin && one.style != CurveStyle::line;
        });
    }
    /// A click on a point of g2.
    void click(int bin, qsizetype point, Qt::KeyboardModifiers modifiers = {}) {
        auto& figure = const_cast<CurveFigure&>(page_->curves().figure());
        figure.replot();
        const QPointF at(figure.xAxis->coordToPixel(points(bin).x[point]),
                         figure.yAxis->coordToPixel(points(bin).y[point]));
        QTest::mouseClick(&figure, Qt::LeftButton, modifiers, at.toPoint());
        settle();
    }

  private slots:
    void initTestCase() {
        ks::Progress progress;
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["kind"] = std::string("diffusion");
        parameters["frames"] = std::int64_t{600};
        parameters["height"] = parameters["width"] = std::int64_t{121};
        parameters["diffusion"] = diffusion;
        parameters["contrast"] = 0.8;
        parameters["mean"] = 60.0;
        parameters["type"] = std::string("u16");
        analysis.generate(parameters, path().toStdString(), true, progress);
        file_ = std::make_shared<const OpenFile>(openFile(path()));
        plain_ = ran("none");
        grouped_ = ran("single");
    }

    void theTableOfFitsFollowsTheRulesOfModels() {
        const ks::ui::RunRow row{1, plain_, true, false};
        ks::ui::xpcs::FitChoice choice;
        choice.model = "single";
        const std::vector<ks::ui::xpcs::FittedRun> fits{ks::ui::xpcs::fitted(row, {}, choice, "s")};
        ks::ui::xpcs::FitTableModel model(fits);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFits(fits);
        QVERIFY(model.rowCount() > 0);
    }

    void aPointIsLeftOutOfTheCurvesOfItsFileAlone() {
        const auto text = [this] { return child<QLabel>(*page_, "fitLeftOut").text(); };
        auto other = std::make_shared<ks::Run>(*plain_);
        const QString copy = folder_.filePath("copy.h5");
        QVERIFY(QFile::copy(path(), copy));
        other->request.inputs["frames"].name = copy.toStdString();
        show(plain_);
        choose(1);
        click(1, 2);
        QVERIFY(points(1).isLeftOut(2));
        QVERIFY2(text().startsWith("1 point"), qPrintable(text()));
        page_->setFile(std::make_shared<const OpenFile>(openFile(copy)));
        page_->setRuns({{2, other, true, false}});
        settle();
        QVERIFY(!points(1).isLeftOut(2));
        QVERIFY2(text().startsWith("Click a point"), qPrintable(text()));
        click(1, 3);
        // A session keeps both, wherever its folder is.
        const std::optional<PageState> state = page_->state(Page::Scope::session);
        QCOMPARE(state->values.at("fit").at("left_out").size(), std::size_t{2});
        QVERIFY(state->values.at("fit").dump().find(folder_.path().toStdString()) == std::string::npos);
        page_->setState(*state, Page::Scope::session);
        settle();
        QVERIFY(points(1).isLeftOut(3) && !points(1).isLeftOut(2));
        page_->setFile(file_);
        show(plain_);
        settle();
        QVERIFY(points(1).isLeftOut(2) && !points(1).isLeftOut(3));
        click(1, 2);
        QVERIFY(!points(1).isLeftOut(2));
        QVERIFY(QFile::remove(copy));
    }

    void init() {
        context_.emplace(jobs_);
        page_ = std::make_unique<XpcsPage>(*context_);
        page_->inputWidget()->setParent(page_.get());
        page_->resize(1280, 900);
        page_->setFile(file_);
        page_->show();
        QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
        QTRY_VERIFY_WITH_TIMEOUT(page_->missing().isEmpty(), 30000);
        page_->drawer().setRaised({"Fit"});
    }
    void cleanup() { page_.reset(); }

    void oneKeyFitsEveryBin() {
        show(grouped_);
        QCOMPARE(lines(), 0);
        choose(1);
        int converged = 0;
        double above = 0, below = 0;
        for (int item = 0; item < table().items(); ++item) {
            if (!table().converged(item)) continue;
            ++converged;
            // The line through the origin that fits the rates best, written down once more.
            const double q = number(item, "q"), weight = std::pow(number(item, "gamma_err"), -2);
            above += weight * q * q * number(item, "gamma");
            below += weight * q * q * q * q;
            QVERIFY(std::abs(number(item, "tau") * number(item, "gamma") - 1) < 1e-12);
        }
        QVERIFY2(converged >= 7, qPrintable(QString::number(converged)));
        QCOMPARE(lines(), converged);
        QVERIFY2(std::abs(above / below / diffusion - 1) < 0.02, qPrintable(QString::number(above / below)));
        QVERIFY(page_->fitForm().errorText().contains("groups of pixels"));
        QVERIFY(page_->curves().figure().differenceRect());
        choose(0);
        QCOMPARE(lines(), 0);
        QCOMPARE(table().items(), 0);
    }

    void errorsOfG2AreNeverShownAsThoseOfThePixels() {
        show(plain_);
        choose(1);
        QVERIFY(page_->fitForm().errorText().contains("published error"));
        const auto italic = [this] {
            for (int column = 0; column < table().columnCount(); ++column)
                if (std::string(table().columnText(column).key) == "gamma")
                    return table().data(table().index(3, column), Qt::FontRole).value<QFont>().italic();
            return false;
        };
        QVERIFY(table().converged(3));
        QVERIFY(italic());
        const std::string csv = page_->fitResults().table().csv();
        QVERIFY(csv.starts_with(
            "bin,q (1/angstrom),gamma (1/s),gamma_err (1/s),tau (s),tau_err (s),beta,beta_err,baseline,"
            "baseline_err,chi2_red,status"));
        QVERIFY(csv.find(",published") != std::string::npos && csv.find(",pixels") == std::string::npos);
        const double weights = number(3, "gamma_err");
        show(grouped_);
        settle();
        QVERIFY(!italic());
        QVERIFY(number(3, "gamma_err") > weights);
        QVERIFY(page_->fitResults().table().csv().find(",published") == std::string::npos);
        auto other = std::make_shared<ks::Run>(*plain_);
        other->result.facts["errors"] = "jackknife";
        show(other);
        settle();
        QVERIFY(page_->fitForm().errorText().contains("by jackknife"));
        QVERIFY(!page_->fitForm().errorText().contains("published"));
        QVERIFY(page_->fitResults().table().csv().find(",g2_err by jackknife") != std::string::npos);
    }

    void delaysOfFewPairsAreDrawnAsTheyAreUsed() {
        show(plain_);
        choose(1);
        const CurveSeries& curve = points(1);
        QCOMPARE(curve.x.size(), 599);
        // The delay of 590 frames has 10 pairs.
        for (qsizetype i = 0; i < curve.x.size(); ++i) QCOMPARE(curve.isLeftOut(i), i >= 590);
        for (const CurveSeries& one : page_->curves().figure().content().differences())
            for (qsizetype i = 0; i < one.x.size(); ++i)
                QVERIFY(std::isfinite(one.y[i]) == (one.x[i] < 590.5 * curve.x[0]));
        choose(0);
        QVERIFY(points(1).leftOut.isEmpty());
    }

    void aGammaThatIsNoRateGivesNoTau() {
        show(plain_);
        choose(model().count() - 1);
        auto& formula = child<QLineEdit>(*page_, "fitFormula");
        TauPanel& tau = child<TauPanel>(*page_);
        const auto shows = [this](const char* key) {
            for (int c = 0; c < table().columnCount(); ++c)
                if (std::string(table().columnText(c).key) == key) return table().isShown(c);
            return false;
        };
        formula.setText("1 + beta*exp(-2*gamma*t)");
        settle();
        QVERIFY(shows("tau") && !tau.plot().series().isEmpty());
        QVERIFY2(tau.resultText().contains("D ="), qPrintable(tau.resultText()));
        const double time = 1 / number(3, "gamma");
        QCOMPARE(number(3, "tau"), time);
        formula.setText("1 + beta*exp(-2*t/gamma)");
        settle();
        QVERIFY2(std::abs(number(3, "gamma") / time - 1) < 1e-3, qPrintable(QString::number(time)));
        QVERIFY(!shows("tau") && std::isnan(number(3, "tau")));
        QVERIFY(page_->fitResults().table().csv().find("gamma (s),gamma_err (s)") != std::string::npos);
        for (const TauPanel::Shown shown : {TauPanel::Tau, TauPanel::Gamma, TauPanel::GammaOfSquare}) {
            tau.setShown(shown);
            QVERIFY(tau.plot().series().isEmpty());
            QVERIFY2(tau.plot().figure().content().emptyText.startsWith("gamma is no rate"),
                     qPrintable(tau.plot().figure().content().emptyText));
            QCOMPARE(tau.resultText(), QString());
        }
        tau.setShown(TauPanel::Beta);
        QVERIFY(!tau.plot().series().isEmpty());
        tau.setShown(TauPanel::Tau);
        choose(0);
    }

    void ofSeveralRunsTheTableBeginsWithTheRun() {
        page_->setRuns({{2, plain_, true, false}, {1, grouped_, true, false}});
        choose(1);
        QCOMPARE(std::string(table().columnText(0).key), std::string("run"));
        QVERIFY(page_->fitResults().table().csv().starts_with("run,bin,"));
        show(plain_);
        settle();
        QCOMPARE(std::string(table().columnText(0).key), std::string("bin"));
    }

    void aSavedRunHasTheFitThatIsShown() {
        // Its own is single; another model, a bound, and a point that is left out.
        show(grouped_);
        choose(2);
        click(1, 2);
        type("fit_c_upper", "1.4");
        const ks::ui::RunRow row{1, grouped_, true, false};
        const std::function<ks::Run()> made = page_->asShown(row);
        QVERIFY(made);
        const ks::Run saved = made();
        QCOMPARE(saved.result.facts.at("fit").at("model").get<std::string>(), std::string("stretched"));
        QCOMPARE(saved.result.facts.at("fit").at("parameters").at(3).at("upper").get<double>(), 1.4);
        const std::size_t delays = 600;
        QVERIFY(std::isnan(saved.result.at("fit_residuals").values.to_doubles()[3]));
        QVERIFY(!std::isnan(saved.result.at("fit_residuals").values.to_doubles()[delays + 3]));
        const std::vector<double> values = saved.result.at("fit_values").values.to_doubles();
        for (int item = 0; item < table().items(); ++item)
            if (table().converged(item))
                QCOMPARE(values[static_cast<std::size_t>(table().bin(item) - 1) * 4 + 2],
                         number(item, "gamma"));
        // Without a run of fits, too; a run that is not shown stays as it is.
        show(plain_);
        settle();
        const ks::Run plain = page_->asShown({1, plain_, true, false})();
        QCOMPARE(plain.result.facts.at("fit").at("model").get<std::string>(), std::string("stretched"));
        QVERIFY(!page_->asShown({7, grouped_, false, false}));
        click(1, 2);
        child<OptionalNumber>(*page_, "fit_c_upper").setNumber({});
        choose(0);
        QVERIFY(!page_->asShown(row));
    }

    void whyNoFitIsPossibleIsSaidWhereFitsAreMissing() {
        show(ran("none", "host.fft"));
        choose(1);
        const QString why = child<QLabel>(*page_, "fitProblem").text();
        QVERIFY2(why.contains("has no errors of g2"), qPrintable(why));
        QCOMPARE(page_->fitResults().table().hint(), why);
        QCOMPARE(page_->tau().plot().figure().content().emptyText, why);
        choose(0);
        QVERIFY(page_->fitResults().table().hint().contains("Choose a model"));
        choose(1);
        page_->setRuns({});
        settle();
        QVERIFY(page_->fitResults().table().hint().contains("F5"));
    }

    void residualsAreInUnitsOfTheErrorsOfTheFit() {
        show(ran("single", "host.fft"));
        choose(1);
        QVERIFY(lines() > 0);
        int finite = 0;
        double squares = 0;
        for (const CurveSeries& one : page_->curves().figure().content().differences())
            for (const double value : one.y)
                if (std::isfinite(value)) {
                    ++finite;
                    squares += value * value;
                }
        QVERIFY2(finite > 1000, qPrintable(QString::number(finite)));
        // Of the order of 1, as chi2 per degree of freedom.
        QVERIFY2(squares / finite > 1e-3 && squares / finite < 100,
                 qPrintable(QString::number(squares / finite)));
        QCOMPARE(page_->curves().figure().content().differenceTitle(), QString("residual / \u03c3"));
    }

    void theCsvSaysWhatIsNotARunOfTheseSettings() {
        show(plain_);
        choose(1);
        const auto last = [this](int line) {
            return QString::fromStdString(page_->fitResults().table().csv())
                .section('\n', line, line)
                .section(",published", 1);
        };
        const auto header = [this] {
            return QString::fromStdString(page_->fitResults().table().csv()).section('\n', 0, 0);
        };
        QVERIFY(header().endsWith(",errors_from"));
        QCOMPARE(last(4), QString());
        page_->setOutdated({"Wavelength"});
        settle();
        QVERIFY(header().endsWith(",errors_from,note"));
        QCOMPARE(last(4), QString(",outdated (Wavelength)"));
        page_->setPreview(plain_);
        settle();
        QVERIFY(header().endsWith(",note"));
        QCOMPARE(last(4), QString(",preview"));
        page_->setPreview(nullptr);
        page_->setOutdated({});
        settle();
        QVERIFY(header().endsWith(",errors_from"));
    }

    void outdatedFitsAreMarkedInEveryPlaceAndFigure() {
        show(grouped_);
        choose(1);
        TauPanel& tau = child<TauPanel>(*page_);
        auto& standing = child<QLabel>(page_->fitResults(), "fitStanding");
        QVERIFY(tau.resultText().contains("D ="));
        QVERIFY(standing.isHidden());
        const QString before = tau.resultText(), note = tau.plot().note();
        page_->setOutdated({"Wavelength"});
        settle();
        const QString mark = "computed with other settings (Wavelength)";
        QCOMPARE(tau.resultText(), mark + '\n' + before);
        QCOMPARE(tau.plot().note(), mark + '\n' + note);
        QCOMPARE(standing.text(), mark);
        QVERIFY(!standing.isHidden());
        QVERIFY(tau.plot().csv().find(mark.toStdString()) != std::string::npos);
        tau.setShown(TauPanel::Beta);
        QCOMPARE(tau.plot().note(), mark);
        tau.setShown(TauPanel::Tau);
        page_->setOutdated({});
        settle();
        QCOMPARE(tau.resultText(), before);
        QCOMPARE(tau.plot().note(), note);
        QVERIFY(standing.isHidden());
        page_->setPreview(grouped_);
        settle();
        QVERIFY2(tau.plot().note().startsWith("live"), qPrintable(tau.plot().note()));
        QVERIFY(standing.text().startsWith("live"));
    }

    void fitsOfAnotherFileNameItInEveryPlaceAndFigure() {
        show(grouped_);
        choose(1);
        TauPanel& tau = child<TauPanel>(*page_);
        auto& standing = child<QLabel>(page_->fitResults(), "fitStanding");
        QCOMPARE(page_->fitResults().table().exportLeaf(), QString("fit.csv"));
        const QString other = folder_.filePath("other.h5");
        QVERIFY(QFile::copy(path(), other));
        page_->setFile(std::make_shared<const OpenFile>(openFile(other)));
        show(grouped_);
        settle();
        const QString mark = "Not of the open file: run 1 of diffusion.h5";
        QCOMPARE(standing.text(), mark);
        QVERIFY(!standing.isHidden());
        QVERIFY2(tau.resultText().startsWith(mark), qPrintable(tau.resultText()));
        QVERIFY2(tau.plot().note().startsWith(mark), qPrintable(tau.plot().note()));
        QVERIFY(tau.plot().csv().find(mark.toStdString()) != std::string::npos);
        QCOMPARE(page_->fitResults().table().exportLeaf(), QString("fit_run_1_of_diffusion.h5.csv"));
        page_->setFile(file_);
        show(grouped_);
        settle();
        QVERIFY(standing.isHidden());
        QCOMPARE(page_->fitResults().table().exportLeaf(), QString("fit.csv"));
    }

    void limitsInSecondsAreSaidNotToBeUsedInFrames() {
        show(plain_);
        choose(1);
        type("fitTo", "0.01");
        auto& line = child<QLabel>(*page_, "fitLeftOut");
        QVERIFY(line.text().startsWith("Click"));
        auto inFrames = std::make_shared<ks::Run>(*plain_);
        std::erase_if(inFrames->result.datasets,
                      [](const ks::Dataset& one) { return one.name == "delay_time"; });
        show(inFrames);
        settle();
        QCOMPARE(line.text(), QString("Not used: the limits and points that were chosen for delays in s."));
        show(plain_);
        settle();
        QVERIFY(line.text().startsWith("Click"));
        QCOMPARE(child<OptionalNumber>(*page_, "fitTo").number(), std::optional(0.01));
    }

    void valuesOfRatesInSecondsAreNotUsedInFrames() {
        show(plain_);
        choose(1);
        const double free = number(0, "gamma"), time = plain_->result.facts.at("frame_time").get<double>();
        auto& line = child<QLabel>(*page_, "fitLeftOut");
        auto& label = child<QLabel>(*page_, "fit_gamma_label");
        auto& field = child<OptionalNumber>(*page_, "fit_gamma_value");
        QCOMPARE(label.text(), QString("gamma (1/s)"));
        QCOMPARE(child<QLabel>(*page_, "fit_beta_label").text(), QString("beta"));
        const double fixed = std::round(free * 1.1);
        type("fit_gamma_value", QString::number(fixed));
        QTest::mouseClick(&child<QCheckBox>(*page_, "fit_gamma_fixed"), Qt::LeftButton);
        type("fit_gamma_upper", "1e6");
        QCOMPARE(number(0, "gamma"), fixed);
        auto inFrames = std::make_shared<ks::Run>(*plain_);
        std::erase_if(inFrames->result.datasets,
                      [](const ks::Dataset& one) { return one.name == "delay_time"; });
        show(inFrames);
        settle();
        QCOMPARE(line.text(),
                 QString("Not used: the values and bounds of gamma that were chosen for delays in s."));
        QCOMPARE(label.text(), QString("gamma (1/frame)"));
        QVERIFY(!field.number());
        const double perFrame = number(0, "gamma");
        QVERIFY2(std::abs(perFrame - free * time) < 1e-3 * free * time,
                 qPrintable(QString::number(perFrame)));
        // What is chosen of other parameters changes nothing of that.
        type("fit_baseline_lower", "0.5");
        QVERIFY2(line.text().startsWith("Not used"), qPrintable(line.text()));
        const std::optional<PageState> kept = page_->state(Page::Scope::session);
        show(plain_);
        settle();
        QCOMPARE(field.number(), std::optional(fixed));
        QCOMPARE(child<OptionalNumber>(*page_, "fit_gamma_upper").number(), std::optional(1e6));
        QCOMPARE(child<OptionalNumber>(*page_, "fit_baseline_lower").number(), std::optional(0.5));
        QCOMPARE(number(0, "gamma"), fixed);
        QVERIFY(line.text().startsWith("Click"));
        // A run of this file has its delays in seconds.
        child<QCheckBox>(*page_, "fitWithRuns").setChecked(true);
        ks::Request request;
        page_->fill(request);
        QCOMPARE(ks::text(request.parameters, "fit_fixed"), "gamma=" + QString::number(fixed).toStdString());
        show(inFrames);
        settle();
        type("fit_gamma_value", "0.05");
        page_->fill(request);
        QCOMPARE(ks::text(request.parameters, "fit_start"), std::string("none"));
        QCOMPARE(ks::text(request.parameters, "fit_fixed"), std::string("none"));
        page_->setState(*kept, Page::Scope::session);
        settle();
        QVERIFY(!field.number());
        show(plain_);
        settle();
        QCOMPARE(field.number(), std::optional(fixed));
    }

    void fitsInFramesAreInFramesOfTheFile() {
        const auto run = ran("none", "host.gram", 2);
        const auto inFrames = [](const std::shared_ptr<const ks::Run>& of) {
            auto without = std::make_shared<ks::Run>(*of);
            std::erase_if(without->result.datasets,
                          [](const ks::Dataset& one) { return one.name == "delay_time"; });
            return without;
        };
        const double time = plain_->result.facts.at("frame_time").get<double>();
        show(run);
        choose(1);
        const double perSecond = number(0, "gamma"), tau = number(0, "tau");
        page_->setRuns({{2, inFrames(run), true, false}, {1, plain_, true, false}});
        settle();
        QVERIFY(table().rowCount() > 0);
        const auto column = [this](const char* key) {
            for (int c = 0; c < table().columnCount(); ++c)
                if (std::string(table().columnText(c).key) == key) return c;
            return -1;
        };
        // The newest run is the first.
        QVERIFY(std::abs(table().number(0, column("gamma")) - perSecond * time) < 1e-3 * perSecond * time);
        QVERIFY(std::abs(table().number(0, column("tau")) - tau / time) < 1e-3 * tau / time);
        QCOMPARE(page_->curves().series().front().x.first(), 1.0);
        const auto other = std::ranges::find_if(page_->curves().series(), [](const CurveSeries& one) {
            return one.run.startsWith("run 2") && one.style != CurveStyle::line;
        });
        QCOMPARE(other->x.mid(0, 2), (QVector<double>{2, 4}));
    }

    void curvesAreDividedByTheContrastOfTheirFits() {
        show(grouped_);
        auto& box = child<QCheckBox>(*page_, "fitByContrast");
        QVERIFY(box.isHidden());
        choose(1);
        QVERIFY(!box.isHidden());
        const CurveSeries before = points(5);
        const qsizetype drawn = lines();
        const double beta = number(4, "beta");
        QTest::keyClick(&box, Qt::Key_Space);
        QCOMPARE(page_->curves().figure().content().yTitle, QString("(g\u2082 \u2212 1)/\u03b2"));
        const CurveSeries after = points(5);
        for (qsizetype i = 0; i < before.y.size(); ++i) {
            if (!std::isfinite(before.y[i])) continue;
            QVERIFY(std::abs(after.y[i] - (before.y[i] - 1) / beta) < 1e-12);
            QVERIFY(std::abs(after.yerr[i] - before.yerr[i] / beta) < 1e-12);
        }
        QCOMPARE(lines(), drawn);
        QVERIFY(page_->curves().csv().find("(g\u2082 \u2212 1)/\u03b2") != std::string::npos);
        QVERIFY(!page_->curves().note().contains("not drawn"));
        // A bin without a fit.
        FitChoice choice = page_->fitForm().choice();
        choice.unit = "s";
        for (const double x : before.x) choice.leftOut.push_back({x, 3});
        page_->fitForm().setChoice(choice);
        type("fitFrom", "0.0011");
        QVERIFY2(page_->curves().note().contains("not drawn, without a fit of \u03b2: bins 3"),
                 qPrintable(page_->curves().note()));
        QVERIFY(std::ranges::none_of(page_->curves().series(),
                                     [](const CurveSeries& one) { return one.bin == 3; }));
        // A new run is drawn as it is until its fit ends.
        page_->setRuns({{2, grouped_, true, false}, {1, grouped_, true, false}});
        QVERIFY(page_->fits().busy());
        QVERIFY(std::ranges::any_of(page_->curves().series(),
                                    [](const CurveSeries& one) { return one.bin == 5; }));
        QCOMPARE(page_->curves().figure().content().yTitle, QString("g\u2082"));
        QCOMPARE(points(5).y, before.y);
        QVERIFY(!page_->curves().note().contains("not drawn"));
        settle();
        QCOMPARE(page_->curves().figure().content().yTitle, QString("(g\u2082 \u2212 1)/\u03b2"));
        show(grouped_);
        settle();
        // Kept with the other choices.
        const PageState kept = *page_->state(Page::Scope::session);
        QTest::keyClick(&box, Qt::Key_Space);
        QVERIFY(!page_->state(Page::Scope::session)->values.contains("by_contrast"));
        QCOMPARE(page_->curves().figure().content().yTitle, QString("g\u2082"));
        QCOMPARE(points(5).y, before.y);
        QVERIFY(!page_->curves().note().contains("not drawn"));
        page_->setState(kept, Page::Scope::session);
        settle();
        QVERIFY(page_->fitForm().byContrast());
    }

    void theNextRunFitsIfItsErrorsAreToComeFromThePixels() {
        show(plain_);
        choose(2);
        type("fit_baseline_value", "1");
        QTest::mouseClick(&child<QCheckBox>(*page_, "fit_baseline_fixed"), Qt::LeftButton);
        ks::Request request;
        page_->fill(request);
        QCOMPARE(ks::text(request.parameters, "fit"), std::string("none"));
        child<QCheckBox>(*page_, "fitWithRuns").setChecked(true);
        page_->fill(request);
        QCOMPARE(ks::text(request.parameters, "fit"), std::string("stretched"));
        QCOMPARE(ks::text(request.parameters, "fit_fixed"), std::string("baseline=1"));
        QCOMPARE(ks::text(request.parameters, "fit_start"), std::string("none"));
        const ks::Registry registry;
        for (const auto& [id, value] : ks::defaults(registry.analysis("xpcs").info().parameters))
            request.parameters.emplace(id, value);
        page_->reduce(request, 0.5);
        QCOMPARE(ks::text(request.parameters, "fit"), std::string("none"));
    }

    void aFixedValueIsKept() {
        show(grouped_);
        choose(1);
        type("fit_baseline_value", "1.02");
        QTest::mouseClick(&child<QCheckBox>(*page_, "fit_baseline_fixed"), Qt::LeftButton);
        settle();
        for (int item = 0; item < table().items(); ++item)
            if (table().converged(item)) QCOMPARE(number(item, "baseline"), 1.02);
        type("fit_baseline_lower", "2");
        QVERIFY(child<QLabel>(*page_, "fitProblem").text().contains("not within its bounds"));
        QCOMPARE(lines(), 0);
    }

    void aClickLeavesAPointOut() {
        show(grouped_);
        choose(1);
        const double before = number(4, "gamma"), other = number(5, "gamma");
        click(5, 2);
        QVERIFY(points(5).isLeftOut(2));
        QVERIFY(!points(6).isLeftOut(2));
        const double without = number(4, "gamma");
        QVERIFY(without != before);
        QCOMPARE(number(5, "gamma"), other);
        // A graph of its own, without a brush.
        const CurveFigure& figure = page_->curves().figure();
        bool hollow = false;
        for (int i = 0; i < figure.graphCount(); ++i)
            hollow = hollow || (figure.graph(i)->lineStyle() == QCPGraph::lsNone &&
                                figure.graph(i)->scatterStyle().brush().style() == Qt::NoBrush);
        QVERIFY(hollow);
        click(5, 2);
        QCOMPARE(number(4, "gamma"), before);
        click(5, 2, Qt::ShiftModifier);
        QVERIFY(points(5).isLeftOut(2) && points(6).isLeftOut(2));
        QVERIFY(number(5, "gamma") != other);
        QTest::mouseClick(&child<QToolButton>(*page_, "fitUseAll"), Qt::LeftButton);
        settle();
        QVERIFY(!points(5).isLeftOut(2));
        QCOMPARE(number(5, "gamma"), other);
    }

    void tooFewDelaysAreSaidInTheRow() {
        show(grouped_);
        choose(1);
        type("fitTo", "0.002");
        for (int item = 0; item < table().items(); ++item) QVERIFY(!table().converged(item));
        QVERIFY(page_->fitResults().table().csv().find("too few points: 2 for 3 parameters") !=
                std::string::npos);
        QCOMPARE(lines(), 0);
        QVERIFY(std::isnan(number(0, "gamma")));
    }

    void aFormulaIsCheckedWhileItIsTyped() {
        show(grouped_);
        choose(5);
        auto& line = child<QLineEdit>(*page_, "fitFormula");
        auto& problem = child<QLabel>(*page_, "fitProblem");
        line.setFocus();
        QTest::keyClicks(&line, "1 + beta*exp(-2*gamma*t");
        settle();
        QVERIFY(problem.isVisibleTo(page_.get()));
        QVERIFY2(problem.text().contains("position 24"), qPrintable(problem.text()));
        QCOMPARE(lines(), 0);
        QTest::keyClicks(&line, ")");
        type("fit_gamma_value", "100");
        QVERIFY(!problem.isVisibleTo(page_.get()));
        QVERIFY(lines() > 0);
        const double q = number(6, "q");
        QVERIFY(std::abs(number(6, "gamma") / (diffusion * q * q) - 1) < 0.1);
    }

    void theRowOfABinIsItsCurve() {
        show(grouped_);
        choose(1);
        page_->drawer().raise(&page_->fitResults());
        QTableView& view = page_->fitResults().table().view();
        const QRect cell = view.visualRect(table().index(3, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(page_->pickedBin(), 4);
        QCOMPARE(page_->curves().figure().content().pickedBin, std::optional(4));
    }

    void tauIsDrawnAgainstQ() {
        show(grouped_);
        choose(1);
        TauPanel& tau = page_->tau();
        page_->drawer().raise(&tau);
        const auto& series = tau.plot().series();
        QCOMPARE(series.size(), 2);
        QVERIFY(series[0].x.size() >= 7 && tau.plot().logX());
        for (qsizetype i = 0; i < series[0].x.size(); ++i) {
            const double truth = 1 / (diffusion * series[0].x[i] * series[0].x[i]);
            QVERIFY(series[0].yerr[i] > 0);
            QVERIFY(std::abs(series[0].y[i] - truth) < std::max(0.1 * truth, 5 * series[0].yerr[i]));
        }
        QVERIFY2(tau.resultText().contains("\u03c4 \u221d q^-"), qPrintable(tau.resultText()));
        // The fields of temperature and viscosity.
        QVERIFY(!tau.resultText().contains("Hydrodynamic"));
        type("tauTemperature", "298.15");
        type("tauViscosity", "0.89 mPa s");
        QCOMPARE(child<QAbstractSpinBox>(*page_, "tauTemperature").text(), QString("298.15 K"));
        QCOMPARE(child<QAbstractSpinBox>(*page_, "tauViscosity").text(), QString("0.89 mPa s"));
        const QRegularExpression radius("Hydrodynamic radius ([0-9.]+)");
        const double found = radius.match(tau.resultText()).captured(1).toDouble();
        // kB T / (6 pi eta D) with the D of the generator, in nm.
        const double expected =
            1.380649e-23 * 298.15 / (6 * 3.14159265358979 * 0.89e-3 * diffusion * 1e-20) * 1e9;
        QVERIFY2(std::abs(found / expected - 1) < 0.03, qPrintable(tau.resultText()));
        auto& shown = child<QComboBox>(*page_, "tauShown");
        shown.setFocus();
        QTest::keyClick(&shown, Qt::Key_End);
        QTest::keyClick(&shown, Qt::Key_Up);
        QCOMPARE(tau.shown(), TauPanel::GammaOfSquare);
        QVERIFY(!tau.plot().logX());
        const CurveSeries& line = tau.plot().series()[1];
        QVERIFY(std::abs(line.y.last() / line.x.last() / diffusion - 1) < 0.02);
        QVERIFY(tau.plot().csv().starts_with(
            "label,q\u00b2 (1/\u00c5\u00b2),\u03b3 (1/s),error of \u03b3 (1/s),note\n"));
    }

    void tauSaysOfWhichBinsTheErrorsAreTooSmall() {
        show(grouped_);
        choose(1);
        std::vector<FittedRun> fits = page_->fits().fits();
        QCOMPARE(fits.size(), std::size_t{1});
        std::vector<std::size_t> drawn;
        for (std::size_t bin = 0; bin < fits[0].table.bins.size(); ++bin)
            if (fits[0].shown[bin] && fits[0].table.bins[bin].converged && fits[0].q[bin] > 0)
                drawn.push_back(bin);
        QVERIFY(drawn.size() >= 7);
        for (const std::size_t bin : drawn) QVERIFY(fits[0].table.bins[bin].groups > 0);
        TauPanel tau;
        tau.setFits(fits, {});
        QVERIFY2(!tau.resultText().contains("too small"), qPrintable(tau.resultText()));
        // A line is named after what it is.
        const auto line = [&tau](TauPanel::Shown shown) {
            tau.setShown(shown);
            return tau.plot().series().at(1).label;
        };
        QVERIFY2(line(TauPanel::Gamma).endsWith(" power law"), qPrintable(line(TauPanel::Gamma)));
        QVERIFY2(line(TauPanel::GammaOfSquare).endsWith(" D q\u00b2"),
                 qPrintable(line(TauPanel::GammaOfSquare)));
        QVERIFY2(tau.plot().note().contains("= D q\u00b2 gives D"), qPrintable(tau.plot().note()));
        QVERIFY(!tau.plot().note().contains(u'\u221d'));
        tau.setShown(TauPanel::Tau);
        // One bin has too few pixels for groups.
        fits[0].table.bins[drawn[2]].groups = 0;
        tau.setFits(fits, {});
        const QString sentence = QString(
                                     "Errors of %1 bins from groups of pixels, of 1 bin from the published "
                                     "error of g\u2082. The latter are several times too small, since "
                                     "delays are correlated.")
                                     .arg(drawn.size() - 1);
        QCOMPARE(tau.resultText().section('\n', -1), sentence);
        // The tab Fit says the same of all bins, and marks them.
        const std::size_t converged = static_cast<std::size_t>(
            std::ranges::count(fits[0].table.bins, true, &ks::xpcs::BinFit::converged));
        FitForm& form = child<FitForm>(*page_);
        form.showFits(fits, {});
        const QString marked =
            QString(sentence)
                .replace("1 bin from", "1 bin (italic) from")
                .replace(QString("%1 bins").arg(drawn.size() - 1), QString("%1 bins").arg(converged - 1));
        QCOMPARE(child<QLabel>(form, "fitErrors").text(), marked);
        // A bin that is not drawn does not count.
        fits[0].shown[drawn[2]] = false;
        tau.setFits(fits, {});
        QVERIFY2(!tau.resultText().contains("too small"), qPrintable(tau.resultText()));
        // None has groups.
        for (ks::xpcs::BinFit& bin : fits[0].table.bins) bin.groups = 0;
        tau.setFits(fits, {});
        QCOMPARE(
            tau.resultText().section('\n', -1),
            QString("Errors from the published error of g\u2082. They are several times too small, since "
                    "delays are correlated."));
    }

    void whatIsFittedComesBack() {
        show(grouped_);
        choose(2);
        type("fit_c_value", "0.9");
        type("fit_c_lower", "0.5");
        type("fitFrom", "0.002");
        click(5, 4);
        child<QCheckBox>(*page_, "fitWithRuns").setChecked(true);
        page_->tau().setShown(TauPanel::Beta);
        const FitChoice before = page_->fitForm().choice();
        const PageState kept = *page_->state(Page::Scope::session);
        const std::string csv = page_->fitResults().table().csv();
        cleanup();
        init();
        page_->setState(kept, Page::Scope::session);
        QVERIFY(page_->fitForm().choice() == before);
        QCOMPARE(page_->tau().shown(), TauPanel::Beta);
        show(grouped_);
        settle();
        QCOMPARE(page_->fitResults().table().csv(), csv);
        QCOMPARE(model().currentData().toString(), QString("stretched"));
    }

    void aRunBringsItsFitBack() {
        choose(0);
        page_->apply({{"fit", std::string("1+beta*exp(-2*gamma*t)")},
                      {"fit_start", std::string("gamma=50")},
                      {"fit_fixed", std::string("beta=0.2")}});
        const FitChoice& choice = page_->fitForm().choice();
        QCOMPARE(choice.model, std::string("formula"));
        QCOMPARE(choice.formula, std::string("1+beta*exp(-2*gamma*t)"));
        QVERIFY(choice.withRuns);
        QVERIFY(choice.parameters.at("beta").fixed && choice.parameters.at("beta").value == 0.2);
        QVERIFY(!choice.parameters.at("gamma").fixed && choice.parameters.at("gamma").value == 50.0);
    }
};

QTEST_MAIN(FitWindowTest)
#include "tst_fit_window.moc"
