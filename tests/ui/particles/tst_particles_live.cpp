#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "core/base/progress.h"
#include "core/data/sample.h"
#include "core/particles/generator.h"
#include "tests/bench/wait_for.h"
#include "tests/core/run/own_cache.h"
#include "tests/ui/child.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/number_box.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/user_kernels.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/session/window_session.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;

/// The page in the window, with a real worker and 50 sources.
class ParticlesLiveTest : public ks::tests::WindowFixture {
    Q_OBJECT
    const ks::tests::OwnCache user_{"KERNELSCOPE_DATA"};
    ks::PointSet sources_;

    ParticlesPage& page() { return dynamic_cast<ParticlesPage&>(*window_->page()); }
    bool quiet() {
        return !window_->queue().previewing() && window_->live().share() <= 0 &&
               window_->jobs().running() == 0;
    }
    bool settled() {
        return QTest::qWaitFor([this] { return quiet(); }, 60000);
    }
    std::size_t shownSide() {
        return child<PlaneMaps>(page()).picture() ? child<PlaneMaps>(page()).picture()->grid.side : 0;
    }
    /// The sum of the Gaussians, from the formula.
    double sum(double sigma, double x, double y, double z) const {
        double all = 0;
        for (std::size_t j = 0; j < sources_.size(); ++j)
            all += sources_.weight[j] *
                   std::exp(-(std::pow(x - sources_.x[j], 2) + std::pow(y - sources_.y[j], 2) +
                              std::pow(z - sources_.z[j], 2)) /
                            (2 * sigma * sigma));
        return all;
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_VARIANTS", path("variants").toUtf8());
        const ks::ParameterSet parameters = ks::defaults(ks::particles::point_parameters());
        sources_ = ks::particles::make_points(ks::particles::point_spec_from(parameters));
        ks::Progress progress;
        ks::particles::generate_file(parameters, folder_.filePath("points.csv").toStdString(), true,
                                     progress);
    }

    void init() {
        window_ = firstWindow({1280, 800});
        QVERIFY(window_->setPage("particles"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->open(folder_.filePath("points.csv"));
        QTRY_VERIFY_WITH_TIMEOUT(page().sources() != nullptr, 30000);
        // The first sums come by themselves.
        QTRY_VERIFY_WITH_TIMEOUT(shownSide() == 400, 60000);
        QVERIFY(settled());
    }
    void cleanup() { window_.reset(); }

    void aMovedSliderShowsTheSumsOfItsSigma() {
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        slider->setValue(slider->value() + 40);
        const double sigma = child<SumForm>(page()).sigma().value();
        QVERIFY(sigma > 0.12);
        QTRY_VERIFY_WITH_TIMEOUT(shownSide() == 400 && quiet(), 60000);
        const auto picture = child<PlaneMaps>(page()).picture();
        for (const Plane plane : allPlanes) {
            const double u = picture->grid.at(100), v = picture->grid.at(333);
            const double wanted = plane == Plane::xy   ? sum(sigma, u, v, 0.5)
                                  : plane == Plane::xz ? sum(sigma, u, 0.5, v)
                                                       : sum(sigma, 0.5, u, v);
            QVERIFY(std::abs(picture->value({plane, 100, 333}) / wanted - 1) < 1e-4);
        }
        QVERIFY2(child<SumForm>(page()).live().contains("ms"), qPrintable(child<SumForm>(page()).live()));
        QVERIFY2(child<SumForm>(page()).live().endsWith(QString::fromUtf8("400 \u00d7 400")),
                 qPrintable(child<SumForm>(page()).live()));
        QVERIFY(page().status().startsWith("Preview"));
        QCOMPARE(window_->runs().rowCount(), 0);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(page().status().contains("check: pass"), 60000);
        QVERIFY(child<SumForm>(page()).live().isEmpty());
        QCOMPARE(ks::real(window_->runs().rows().front().run->request.parameters, "sigma"), sigma);
    }

    void whatIsTypedDuringAMeasurementIsPreviewedAfterIt() {
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->queue().busy(), 60000);
        auto& cost = child<ks::ui::particles::CostPanel>(page());
        cost.setSizes("300, 20000");
        cost.measure().click();
        QVERIFY(cost.running());
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        slider->setValue(slider->value() + 40);
        QVERIFY(cost.running());
        QVERIFY2(page().status().startsWith("Run 1"), qPrintable(page().status()));
        QTRY_VERIFY_WITH_TIMEOUT(!cost.running(), 300000);
        QTRY_VERIFY2_WITH_TIMEOUT(page().status().startsWith("Preview"), qPrintable(page().status()), 60000);
    }

    void theFirstSumsOfAnotherFileAreNotTimedFromTheLastEdit() {
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        slider->setValue(slider->value() + 40);
        QTRY_VERIFY_WITH_TIMEOUT(quiet() && child<SumForm>(page()).live().contains("ms"), 60000);
        QFile::remove(folder_.filePath("others.csv"));
        QVERIFY(QFile::copy(folder_.filePath("points.csv"), folder_.filePath("others.csv")));
        QTest::qWait(1000);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        QElapsedTimer since;
        since.start();
        window_->open(folder_.filePath("others.csv"));
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty() && shownSide() == 400 && settled(), 60000);
        page().grab();  // a picture that is painted is timed
        const QRegularExpressionMatch told =
            QRegularExpression("([0-9.]+) (m?s) at 400").match(child<SumForm>(page()).live());
        const double ms = told.captured(1).toDouble() * (told.captured(2) == "s" ? 1000 : 1);
        QVERIFY2(ms <= static_cast<double>(since.elapsed()), qPrintable(child<SumForm>(page()).live()));
    }

    void theFirstEditOfAProjectIsNotTimedFromItsOpening() {
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QVERIFY(settled());
        QSignalSpy saved(&window_->kept().project(), &WindowProject::saved);
        window_->kept().project().save(folder_.filePath("sums.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        window_ = ks::tests::window_on(folder_.filePath("second.ini"), {1280, 800});
        window_->kept().questions().readOutside = [](const QStringList&) { return true; };
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QSignalSpy back(&window_->kept(), &WindowSession::broughtBack);
        window_->open(folder_.filePath("sums.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(shownSide() == 400 && quiet(), 60000);
        QVERIFY(page().status().startsWith("Run 1"));
        QTest::qWait(5000);
        const QList<QComboBox*> boxes = child<SumForm>(page()).findChildren<QComboBox*>();
        const auto kernel = std::ranges::find_if(
            boxes, [](const QComboBox* box) { return box->accessibleName() == QStringLiteral("Kernel"); });
        QVERIFY(kernel != boxes.end());
        QElapsedTimer since;
        since.start();
        QTest::keyClick(*kernel, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(child<SumForm>(page()).live().contains("at 400") && quiet(), 60000);
        const QRegularExpressionMatch told =
            QRegularExpression("([0-9.]+) (m?s) at 400").match(child<SumForm>(page()).live());
        const double ms = told.captured(1).toDouble() * (told.captured(2) == "s" ? 1000 : 1);
        QVERIFY2(ms <= static_cast<double>(since.elapsed()), qPrintable(child<SumForm>(page()).live()));
    }

    void theNewestPositionWinsWhileAHandMoves() {
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        const int from = slider->value();
        QElapsedTimer since;
        since.start();
        int moves = 0;
        while (since.elapsed() < 5000 && (ready.count() < 3 || moves < 40)) {
            slider->setValue(from + 1 + moves++ % 50);
            QTest::qWait(1);
        }
        QVERIFY2(ready.count() >= 3, qPrintable(QString::number(ready.count())));
        // Far less results than moves: older ones were dropped.
        QVERIFY2(ready.count() < moves, qPrintable(QString::number(ready.count())));
        slider->setValue(from + 77);
        const double sigma = child<SumForm>(page()).sigma().value();
        QTRY_VERIFY_WITH_TIMEOUT(shownSide() == 400 && quiet(), 60000);
        const double u = child<PlaneMaps>(page()).picture()->grid.at(200);
        QVERIFY(std::abs(child<PlaneMaps>(page()).picture()->value({Plane::xy, 200, 200}) /
                             sum(sigma, u, u, 0.5) -
                         1) < 1e-4);
    }

    void aDraggedPlaneIsComputedWhereItIs() {
        PlaneMaps& maps = child<PlaneMaps>(page());
        const auto send = [&maps](QEvent::Type type, const QPointF& at) {
            const bool release = type == QEvent::MouseButtonRelease;
            QMouseEvent event(type, at, maps.mapToGlobal(at),
                              type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                              release ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&maps, &event);
        };
        const QPointF from = maps.toWidget({Plane::yz, {0.2, 0.5}}),
                      to = maps.toWidget({Plane::yz, {0.2, 0.8}});
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        send(QEvent::MouseButtonPress, from);
        for (int k = 1; k <= 10; ++k) {
            send(QEvent::MouseMove, from + (to - from) * k / 10);
            QTest::qWait(5);
        }
        send(QEvent::MouseButtonRelease, to);
        const double z = child<SumForm>(page()).planes().z_of_xy;
        QVERIFY(std::abs(z - 0.8) < 0.02);
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty() && shownSide() == 400 && quiet() &&
                                     child<PlaneMaps>(page()).picture()->grid.z_of_xy == z,
                                 60000);
        const double u = child<PlaneMaps>(page()).picture()->grid.at(150);
        QVERIFY(
            std::abs(child<PlaneMaps>(page()).picture()->value({Plane::xy, 150, 150}) / sum(0.1, u, u, z) -
                     1) < 1e-4);
    }

    void helmholtzHasAPhaseAndNumbersOfBothSigns() {
        child<SumForm>(page()).setKernel("helmholtz");
        child<SumForm>(page()).wavenumber().slider()->setValue(60);
        const double k = child<SumForm>(page()).wavenumber().value();
        child<SumForm>(page()).side().setValue(60);
        child<QComboBox>(page(), "part").setCurrentIndex(1);
        QTRY_VERIFY_WITH_TIMEOUT(
            quiet() && shownSide() == 60 && child<PlaneMaps>(page()).picture()->colours.angles, 60000);
        const auto picture = child<PlaneMaps>(page()).picture();
        const double x = picture->grid.at(20), y = picture->grid.at(45);
        double re = 0, im = 0;
        for (std::size_t j = 0; j < sources_.size(); ++j) {
            const double r = std::hypot(x - sources_.x[j], y - sources_.y[j], 0.5 - sources_.z[j]);
            re += sources_.weight[j] * std::cos(k * r) / (4 * M_PI * r);
            im += sources_.weight[j] * std::sin(k * r) / (4 * M_PI * r);
        }
        QVERIFY(std::abs(picture->value({Plane::xy, 20, 45}) - std::atan2(im, re)) < 1e-4);
    }

    void aPreviewIsOfTheVariantAndTheDeviceThatAreChosen() {
        const QString first = window_->variants().variant();
        const auto shows = [this](const QString& variant) {
            return QTest::qWaitFor(
                [&] {
                    return page().status().startsWith("Preview") &&
                           page().status().contains("; " + variant) && quiet();
                },
                60000);
        };
        QVERIFY2(shows(first), qPrintable(page().status()));
        const QString other = first == "seed.block" ? "seed.block.tuned" : "seed.block";
        if (!window_->variants().setVariant(other)) QSKIP("no OpenCL device");
        QVERIFY2(shows(other), qPrintable(page().status()));
        QComboBox& devices = window_->devices();
        devices.setCurrentIndex(devices.count() - 1);
        QVERIFY(window_->variants().variant().startsWith("host."));
        QVERIFY2(shows(window_->variants().variant()), qPrintable(page().status()));
        // With Live off nothing is computed.
        window_->action("live")->setChecked(false);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        devices.setCurrentIndex(0);
        QTest::qWait(1000);
        QVERIFY(ready.isEmpty());
        window_->action("live")->setChecked(true);
    }

    void aKernelTextThatAnotherProgramChangedWaitsForARun() {
        if (!window_->variants().setVariant("seed.block")) QSKIP("no OpenCL device");
        window_->kernels().editCopy();
        window_->kernels().close();
        QTRY_VERIFY_WITH_TIMEOUT(window_->variants().setVariant("user.seed.block"), 30000);
        const QString file = path("variants/particles/seed.block.cl");
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        const auto drags = [&] {
            QSignalSpy ready(&window_->live(), &LivePreview::ready);
            slider->setValue(slider->value() + 9);
            return QTest::qWaitFor(
                       [&] { return quiet() && (!ready.isEmpty() || window_->errorBar().isError()); },
                       60000) &&
                   !ready.isEmpty();
        };
        QVERIFY(drags());  // a copy that the program made
        QFile text(file);
        QVERIFY(text.open(QIODevice::Append));
        text.write("// changed elsewhere\n");
        text.close();
        QTest::qWait(1500);
        QVERIFY(!drags());
        QTRY_VERIFY2_WITH_TIMEOUT(window_->errorBar().sentence().contains(
                                      "the text of user.seed.block has changed outside the program"),
                                  qPrintable(window_->errorBar().sentence()), 5000);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QVERIFY(settled());
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
        QVERIFY(drags());
        // What is saved in the window's own editor is the user's at once.
        window_->kernels().showKernel(KernelPanel::Tab::edit);
        UserKernels& own = window_->kernels().panel().userKernels();
        QVERIFY(own.editor().toPlainText().endsWith("// changed elsewhere\n"));
        own.editor().replaceText(own.editor().toPlainText() + "// and here\n");
        QVERIFY(own.save());
        QTest::qWait(1500);
        QVERIFY(drags());
        window_->kernels().close();
    }

    void theHostAloneComputesThemToo() {
        QComboBox& devices = window_->devices();
        devices.setCurrentIndex(devices.count() - 1);
        QVERIFY(window_->variants().setVariant("host.vector"));
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QVERIFY(settled());
        QVERIFY2(page().status().contains("host.vector"), qPrintable(page().status()));
        QCOMPARE(shownSide(), std::size_t{400});
    }

    void aWrongFileIsToldInTheErrorBar() {
        const QString path = folder_.filePath("wrong.csv");
        std::ofstream(path.toStdString()) << "a,b\n1,2\n";
        window_->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 10000);
        QVERIFY2(window_->errorBar().sentence().contains("wrong.csv"),
                 qPrintable(window_->errorBar().sentence()));
        // What was open stays, and can be run.
        QVERIFY(window_->file()->path != path);
        QVERIFY(window_->action("run")->isEnabled());
    }

    void whatMayBeCutOffIsSaidOnOpeningAndTheWeightsAreThoseOfTheFile() {
        const QString path = folder_.filePath("cut.csv");
        std::ofstream(path.toStdString()) << "x,y,z,weight\n0.1,0.2,0.3,-0.5\n0.4,0.5,0.6,0.25";
        window_->open(path);
        QTRY_COMPARE_WITH_TIMEOUT(window_->file()->path, path, 30000);
        QVERIFY2(window_->errorBar().sentence().contains("no newline at the end"),
                 qPrintable(window_->errorBar().sentence()));
        QVERIFY(!window_->errorBar().isError());
        QTRY_VERIFY_WITH_TIMEOUT(page().sources() && page().sources()->size() == 2, 30000);
        QCOMPARE(page().sources()->weightText(), QString("real weights, -0.5 .. 0.25"));
    }

    void aFileOfNoKnownFormatIsToldAllThatCanBeRead() {
        const QString path = folder_.filePath("picture.png");
        std::ofstream(path.toStdString()) << "\x89PNG\r\n\x1a\n";
        window_->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 10000);
        QCOMPARE(window_->errorBar().sentence(),
                 path + ": not a file in CSV, HDF5, TIFF, NumPy, CBF or EDF format");
    }

    void escapeStopsTheReference() {
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && quiet(), 60000);
        child<QAction>(page(), "reference").trigger();
        QVERIFY(page().working());
        QVERIFY(window_->action("cancel")->isEnabled());
        window_->action("cancel")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!page().working(), 5000);
        QVERIFY(!window_->errorBar().isError());
    }

    void anErrorThatTheErrorMapShowsBesideTheSampleIsTheVerdictOfItsRun() {
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && quiet(), 60000);
        using State = ks::Verdict::State;
        const auto state = [this] { return window_->runs().rows().front().run->verdict.state; };
        QCOMPARE(state(), State::sampled);
        // One value that the sample leaves out is wrong.
        const int number = window_->runs().rows().front().number;
        auto damaged = std::make_shared<ks::Run>(*window_->runs().rows().front().run);
        const auto sums = std::ranges::find(damaged->result.datasets, "potential_xy", &ks::Dataset::name);
        QVERIFY(sums != damaged->result.datasets.end());
        const ks::Sample sample(3 * sums->values.size(), damaged->verdict.samples);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < sample.places() && sample[i] == wrong; ++i) ++wrong;
        QVERIFY(wrong < sums->values.size());
        std::vector<double> values = sums->values.to_doubles();
        values[wrong] += 1;
        sums->values = ks::Array::of<double>(sums->values.shape(), values);
        window_->runs().replaceRun(number, damaged);
        window_->pageRuns().show();
        QVERIFY(settled());
        child<QAction>(page(), "reference").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(state(), State::fail, 60000);
        QTRY_VERIFY2_WITH_TIMEOUT(page().status().contains("check: fail"), qPrintable(page().status()),
                                  10000);
        QCOMPARE(child<PlaneMaps>(page()).note(), QString("wrong"));
        QCOMPARE(window_->runs().index(0, RunTableModel::VerdictColumn).data().toString(), QString("fail"));
    }

    void aPictureOfWhatWasThereBeforeIsNotTimedAsThePreviews() {
        const QList<QComboBox*> boxes = page().findChildren<QComboBox*>();
        const auto scale = std::ranges::find_if(
            boxes, [](const QComboBox* box) { return box->accessibleName() == QStringLiteral("Scale"); });
        QVERIFY(scale != boxes.end());
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        for (int k = 0; k < 10; ++k) {
            slider->setValue(slider->value() + 7);
            const auto told = [&] { return child<SumForm>(page()).live().count("at 400"); };
            QVERIFY(waitFor(
                [&] {
                    if (window_->queue().previewing())  // another picture of the sums before
                        (*scale)->setCurrentIndex(1 - (*scale)->currentIndex());
                    return shownSide() == 400 && quiet() && told() > 0;
                },
                60000));
            QVERIFY2(told() == 1, qPrintable(child<SumForm>(page()).live()));
        }
    }

    /// No limit: the machine may be busy. The times are printed.
    void howSoonTheMapsFollowTheSlider() {
        QSlider* slider = child<SumForm>(page()).sigma().slider();
        // QTest's own waiting sleeps 10 ms between the pieces of a result.
        std::vector<double> first, whole;
        for (int k = 0; k < 23; ++k) {
            QSignalSpy painted(&child<PlaneMaps>(page()), &PlaneMaps::painted);
            slider->setValue(slider->value() + (k % 2 ? -7 : 7));
            QVERIFY(waitFor([&] { return !painted.isEmpty(); }, 60000));
            const double soon = page().latency();
            QVERIFY(waitFor(
                [&] {
                    return shownSide() == 400 && quiet() && child<SumForm>(page()).live().contains("400");
                },
                60000));
            waitFor([] { return false; }, 20);  // the profiles
            if (k < 3) continue;                // warm-up
            first.push_back(soon);
            whole.push_back(page().latency());
        }
        const auto print = [](const char* what, std::vector<double> times) {
            std::sort(times.begin(), times.end());
            std::printf("slider to %s: median %.1f ms, quartiles %.1f .. %.1f, %zu moves\n", what,
                        times[times.size() / 2], times[times.size() / 4], times[3 * times.size() / 4],
                        times.size());
        };
        print("first painted maps", first);
        print("painted maps of 400 x 400", whole);
        std::printf("%s\n", qPrintable(child<SumForm>(page()).live()));
        QVERIFY(*std::max_element(first.begin(), first.end()) > 0);
    }
};

QTEST_MAIN(ParticlesLiveTest)
#include "tst_particles_live.moc"
