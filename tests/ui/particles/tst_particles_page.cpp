#include <qcustomplot.h>
#include <QAction>
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QSvgGenerator>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/base/progress.h"
#include "core/particles/analysis.h"
#include "tests/ui/badge.h"
#include "tests/ui/child.h"
#include "tests/ui/particles/page_fixture.h"
#include "ui/base/elided_label.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"
#include "ui/base/parameter_form.h"
#include "ui/particles/map_form.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/reference_maker.h"
#include "ui/particles/sources_panel.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/figure_export.h"
#include "ui/shell/session/page_settings.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;
using C = std::complex<double>;

class ParticlesPageTest : public PageFixture {
    Q_OBJECT
  private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void withoutSourcesItSaysWhatToDo() {
        const auto page = emptyPage();
        QVERIFY2(page->missing().contains("open a CSV, NumPy or HDF5 file"), qPrintable(page->missing()));
        QVERIFY(child<PlaneMaps>(*page).emptyText().contains("Drop a CSV"));
        QVERIFY(child<SourcesPanel>(*page).text().contains("open a file"));
        QVERIFY(!child<QAction>(*page, "reference").isEnabled());
        QVERIFY(!child<QComboBox>(*page, "field").isEnabled());
        child<PlaneMaps>(*page).grab();
    }

    void planesFromAboveTheirOtherEndAreRefusedAtTheFields() {
        const auto page = shownPage();
        QVERIFY(page);
        SumForm& form = child<SumForm>(*page);
        const auto said = [&form] {
            for (const QLabel* one : form.findChildren<QLabel*>())
                if (one->accessibleName() == "Why the planes cannot be used" && one->isVisibleTo(&form))
                    return one->text();
            return QString();
        };
        QVERIFY(said().isEmpty());
        auto* const low =
            qobject_cast<QDoubleSpinBox*>(child<ParameterForm>(form).field(QStringLiteral("plane_low")));
        QVERIFY(low);
        const auto type = [low](const QString& text) {
            low->selectAll();
            QTest::keyClicks(low, text);
            QTest::keyClick(low, Qt::Key_Return);
        };
        type("2");
        QCOMPARE(said(), QString("Cannot run: the lower end of the planes must be below the upper end, found "
                                 "2 to 1"));
        type("0");
        QVERIFY(said().isEmpty());
    }

    void aFileOfSomethingElseIsAnError() {
        const auto page = emptyPage();
        QSignalSpy failed(page.get(), &Page::failed);
        QVERIFY(!page->accepts(openAnyFile(written("digis.csv", "module,x,y,adc\n1,2,3,4\n"))));
        // A value that is none, with its line.
        const auto bad = std::make_shared<const OpenFile>(
            openAnyFile(written("bad.csv", "x,y,z,weight\n0,0,0,1\n0,0,nan,1\n")));
        QVERIFY(page->accepts(*bad));
        page->setFile(bad);
        QTRY_VERIFY(page->missing().contains("bad.csv"));
        QVERIFY2(page->missing().contains("line 3"), qPrintable(page->missing()));
        QCOMPARE(child<PlaneMaps>(*page).emptyText(), page->missing());
        QVERIFY(!page->sources());
        QCOMPARE(failed.count(), 0);
        QVERIFY_THROWS_EXCEPTION(ks::Error, page->reader(*bad)());
    }

    void theSourcesAreToldAndThePlanesFitThem() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY2(child<SourcesPanel>(*page).text().startsWith("2 sources\nreal weights, -0.5 .. 1\n"),
                 qPrintable(child<SourcesPanel>(*page).text()));
        QVERIFY(page->missing().isEmpty());
        // Sources outside of the planes: these go to them.
        QCOMPARE(child<SumForm>(*page).planes().high, 1.0);
        page->setFile(std::make_shared<const OpenFile>(
            openAnyFile(written("far.csv", "x,y,z,weight\n100,-50,0,1\n300,40,20,2\n"))));
        QTRY_VERIFY(page->sources() && page->sources()->high(0) == 300);
        const auto grid = child<SumForm>(*page).planes();
        QVERIFY(grid.low <= -50 && grid.high >= 300);
        QCOMPARE(grid.x_of_yz, 200.0);
        QCOMPARE(grid.y_of_xz, -5.0);
        QVERIFY(child<SumForm>(*page).sigma().value() > 1);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::real(request.parameters, "yz_at"), 200.0);
        QVERIFY(request.inputs["sources"].name.ends_with("far.csv"));
    }

    void aRunIsOnThreeMapsOfOneScale() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        const auto picture = child<PlaneMaps>(*page).picture();
        QVERIFY(picture);
        // 0.25 to 110.25 on xy, less on the others: one scale.
        QCOMPARE(picture->colours.scale.high, 110.25);
        child<QAction>(*page, "sources").setChecked(false);
        child<QAction>(*page, "isolines").setChecked(false);
        QVERIFY(idle());
        for (const Plane plane : allPlanes)
            for (const double u : {0.1, 0.9}) {
                const auto at = *child<PlaneMaps>(*page).picture()->nearest(plane, {u, 0.3});
                const QColor wanted(child<PlaneMaps>(*page).picture()->colours.at(
                    double{child<PlaneMaps>(*page).picture()->value(at)}));
                QVERIFY2(distance(seen(child<PlaneMaps>(*page), plane, u, 0.3), wanted) < 8,
                         qPrintable(nameOf(plane)));
            }
        QVERIFY2(page->status().contains("Run 1; vector.cpu; 2.50 Gpairs/s"), qPrintable(page->status()));
    }

    void aVerdictThatComesLaterIsTold() {
        const auto page = shownPage();
        QVERIFY(page);
        const RunRow one = row(1, slope);
        page->setRuns({one});
        QVERIFY(idle());
        QVERIFY(!page->status().contains("check"));
        auto checkedRun = std::make_shared<ks::Run>(*one.run);
        checkedRun->verdict = {ks::Verdict::State::fail,    3, 0.5, 1e-6, "target 7",
                               "much too large at target 7"};
        page->runChanged({1, checkedRun, true, false});
        QVERIFY2(page->status().contains("check: fail, much too large at target 7"),
                 qPrintable(page->status()));
    }

    void theErrorAndTheVariantStayInANarrowStatusLine() {
        const auto page = shownPage();
        QVERIFY(page);
        RunRow one = row(1, slope);
        auto checkedRun = std::make_shared<ks::Run>(*one.run);
        checkedRun->verdict = {ks::Verdict::State::sampled, 3, 1.7e-7, 2e-6, "all values", "pass"};
        one.run = checkedRun;
        page->setRuns({one});
        QVERIFY(idle());
        auto& status = child<ks::ui::ElidedLabel>(*page, "status");
        const QFontMetrics metrics = status.fontMetrics();
        const auto inWidthOf = [&](const QString& text) {
            status.resize(metrics.horizontalAdvance(text) + 2, status.height());
            return status.text();
        };
        const QString whole =
            "Run 1; vector.cpu; 2.50 Gpairs/s; check: pass on a sample, error 1.7e-07 of 2e-06 allowed";
        QCOMPARE(inWidthOf(whole), whole);
        for (const char* shorter :
             {"Run 1; vector.cpu; 2.50 Gpairs/s; check: pass on a sample, error 1.7e-07 \u2026",
              "Run 1; vector.cpu; check: pass on a sample, error 1.7e-07 \u2026",
              "Run 1; vector.cpu; error 1.7e-07 \u2026", "Run 1; error 1.7e-07 \u2026"}) {
            QCOMPARE(inWidthOf(shorter), QString::fromUtf8(shorter));
            QCOMPARE(status.toolTip(), whole);
        }
        page->setOutdated({"Sigma"});
        QCOMPARE(inWidthOf("Run 1, outdated; error 1.7e-07 \u2026"),
                 QString::fromUtf8("Run 1, outdated; error 1.7e-07 \u2026"));
        checkedRun = std::make_shared<ks::Run>(*checkedRun);
        checkedRun->verdict = {ks::Verdict::State::fail, 3, 0.5, 1e-6, "target 7", "much too large"};
        page->runChanged({1, checkedRun, true, false});
        QCOMPARE(inWidthOf("Run 1, outdated; check: fail \u2026"),
                 QString::fromUtf8("Run 1, outdated; check: fail \u2026"));
        // Figures of the maps say it, too.
        auto& maps = child<PlaneMaps>(*page);
        QCOMPARE(maps.note(), QString("wrong, outdated (Sigma)"));
        QVERIFY(ks::tests::hasBadge(maps));
        page->setRuns({one});
        page->setOutdated({});
        QVERIFY(idle());
        QCOMPARE(maps.note(), QString());
        // And of a preview.
        page->setPreview(checkedRun);
        QVERIFY(idle());
        QCOMPARE(maps.note(), QString("wrong"));
        QCOMPARE(page->findChild<CurvePlot*>("profile")->note(), QString("preview; wrong"));
        page->setPreview(one.run);
        QVERIFY(idle());
        QCOMPARE(maps.note(), QString());
        QVERIFY(!ks::tests::hasBadge(maps));
    }

    void theColourMapCanBeChosenWhereItIsUsed() {
        const auto page = shownPage();
        QVERIFY(page);
        auto& field = child<QComboBox>(child<MapForm>(*page), "map");
        const auto drawn = [&] { return child<PlaneMaps>(*page).picture()->colours.map.name(); };
        // 100 x + 10 y + z is never negative.
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        field.setCurrentText("inferno");
        QVERIFY(idle());
        QVERIFY(field.isEnabled());
        QCOMPARE(drawn(), QString("inferno"));
        page->setRuns({row(2, [](double x, double, double) { return C(x - 0.4); })});
        QVERIFY(idle());
        QCOMPARE(drawn(), QString("diverging"));
        QVERIFY(!field.isEnabled());
        QCOMPARE(field.currentText(), QString());
        QCOMPARE(field.placeholderText(), QString("diverging"));
        QVERIFY2(field.toolTip().contains("Not used: values of both signs"), qPrintable(field.toolTip()));
        // Of settings that arrive meanwhile, too.
        child<MapForm>(*page).setMapName("cividis");
        QVERIFY(idle());
        QCOMPARE(field.currentText(), QString());
        QCOMPARE(child<MapForm>(*page).mapName(), QString("cividis"));
        // With limits that are not symmetric, values of both signs have the chosen map.
        child<MapForm>(*page).setTypedLimits(std::pair{-0.4, 0.2});
        QVERIFY(idle());
        QCOMPARE(drawn(), QString("cividis"));
        QVERIFY(field.isEnabled());
        QCOMPARE(field.currentText(), QString("cividis"));
        child<MapForm>(*page).setTypedLimits(std::nullopt);
        QVERIFY(idle());
        QVERIFY(!field.isEnabled());
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        QVERIFY2(field.isEnabled() && !field.toolTip().contains("Not used"), qPrintable(field.toolTip()));
        QCOMPARE(drawn(), QString("cividis"));
    }

    void lockedColoursStayWhenOtherValuesCome() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        child<QAction>(*page, "lock").trigger();
        QVERIFY(child<MapForm>(*page).locked());
        page->setRuns({row(2, [](double x, double, double) { return C(1000 * x); })});
        QVERIFY(idle());
        QVERIFY(std::abs(child<PlaneMaps>(*page).picture()->colours.scale.high - 110.25) < 1e-6);
        child<MapForm>(*page).lock().setChecked(false);
        QVERIFY(!child<QAction>(*page, "lock").isChecked());
        QVERIFY(idle());
        QCOMPARE(child<PlaneMaps>(*page).picture()->colours.scale.high, 1000.0);
        child<QDoubleSpinBox>(*page, "low").setValue(5);
        child<QDoubleSpinBox>(*page, "high").setValue(6);
        QVERIFY(idle());
        QCOMPARE(child<PlaneMaps>(*page).picture()->colours.scale.low, 5.0);
    }

    void theCursorReadsOutAndPointsOnTheOtherMaps() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        PlaneMaps& maps = child<PlaneMaps>(*page);
        child<QAction>(*page, "sources").setChecked(false);
        maps.grab();
        QSignalSpy said(page.get(), &Page::cursorMoved);
        const QColor before = seen(maps, Plane::xz, 0.3, 0.62);
        hover(maps, Plane::xy, 0.3, 0.85);
        QCOMPARE(said.last()[0].toString(), QString("x 0.3  y 0.85  z 0.25  f 38.75"));
        // x is shared with xz: an upright line there; y with yz, where it is also upright.
        QVERIFY(distance(seen(maps, Plane::xz, 0.3, 0.62), before) > 100);
        const QColor onYz = seen(maps, Plane::yz, 0.85, 0.62);
        const QColor besideYz = seen(maps, Plane::yz, 0.8, 0.62);
        QVERIFY(distance(onYz, besideYz) > 100);
        // Outside of the maps all is as before.
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&maps, &leave);
        QCOMPARE(said.last()[0].toString(), QString());
        QVERIFY(distance(seen(maps, Plane::xz, 0.3, 0.62), before) < 3);
        // A source below the cursor is told.
        child<QAction>(*page, "sources").setChecked(true);
        hover(maps, Plane::xz, 0.6, 0.8);
        QVERIFY2(said.last()[0].toString().endsWith("source 1 at (0.6, 0.7, 0.8), weight -0.5"),
                 qPrintable(said.last()[0].toString()));
    }

    void sourcesShowTheWeightsThatWereSummed() {
        auto page = emptyPage();
        page->resize(900, 700);
        page->show();
        page->setFile(std::make_shared<const OpenFile>(openAnyFile(
            written("two.csv", "x,y,z,weight,weight_2\n0.2,0.3,0.4,1,-0.125\n0.6,0.7,0.8,-0.5,2\n"))));
        QVERIFY(QTest::qWaitFor([&] { return page->sources() != nullptr; }, 10000) && idle());
        QVERIFY2(page->sources()->weightText().contains("-0.5 .. 1") &&
                     page->sources()->weightText().contains("-0.125 .. 2"),
                 qPrintable(page->sources()->weightText()));
        const auto run = planesRun(folder_.filePath("two.csv").toStdString(), 2, 21, slope);
        addField(*run, "potential_2", "f_2", false, slope);
        page->setRuns({{1, run, true, false}});
        QVERIFY(idle());
        PlaneMaps& maps = child<PlaneMaps>(*page);
        QSignalSpy said(page.get(), &Page::cursorMoved);
        hover(maps, Plane::xz, 0.6, 0.8);
        QVERIFY2(said.last()[0].toString().endsWith("weight 1: -0.5"), qPrintable(said.last()[0].toString()));
        QCOMPARE(maps.dots().front().source, std::size_t{0});  // the heavier one below
        QComboBox& field = child<QComboBox>(*page, "field");
        field.setCurrentIndex(field.findData(QStringLiteral("potential_2")));
        QVERIFY(idle());
        hover(maps, Plane::xz, 0.2, 0.4);
        QVERIFY2(said.last()[0].toString().endsWith("weight 2: -0.125"),
                 qPrintable(said.last()[0].toString()));
        const auto& dots = maps.dots();
        QCOMPARE(dots.front().source, std::size_t{1});
        QCOMPARE(dots.front().colour, 0xffffffff);
        QCOMPARE(dots.back().colour, 0xff000000);
        QVERIFY(dots.front().radius > 2 * dots.back().radius);  // areas 16 to 1, but no dot is tiny
        const QString folder = qEnvironmentVariable("PICTURES");
        if (!folder.isEmpty()) QVERIFY(page->grab().save(folder + "/two_weights.png"));
        field.setCurrentIndex(0);
        QVERIFY(idle());
        QCOMPARE(maps.dots().front().source, std::size_t{0});
    }

    void aNarrowFigureOfTheThreePlanesCutsNoName() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        child<PlaneMaps>(*page).setNote("wrong, outdated (Width \u03c3)");
        for (const int width : {240, 320, 420, 900}) {
            QBuffer written;
            written.open(QIODevice::WriteOnly);
            {
                QSvgGenerator device;
                device.setOutputDevice(&written);
                device.setSize({width, 200});
                QCPPainter painter(&device);
                child<PlaneMaps>(*page).paintFigure(painter, {width, 200});
            }
            const QString text = QString::fromUtf8(written.data());
            for (const char* normal : {"z = ", "y = ", "x = "})
                QVERIFY2(text.contains(normal), qPrintable(QString::number(width) + normal));
            QVERIFY2(!text.contains(QChar(0x2026)), qPrintable(QString::number(width)));
        }
    }

    void theWheelZoomsAllThreeMapsTogether() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        PlaneMaps& maps = child<PlaneMaps>(*page);
        const QPointF at = maps.toWidget({Plane::xy, {0.3, 0.6}});
        QWheelEvent wheel(at, maps.mapToGlobal(at), {}, {0, 480}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&maps, &wheel);
        QVERIFY(QLineF(maps.toWidget({Plane::xy, {0.3, 0.6}}), at).length() < 0.01);
        QVERIFY(std::abs(maps.view().length() - 1.04 / std::pow(1.25, 4)) < 1e-9);
        // x is as far from the left edge on xz as on xy.
        QVERIFY(std::abs((maps.toWidget({Plane::xz, {0.3, 0}}).x() - maps.area(Plane::xz).left()) -
                         (at.x() - maps.area(Plane::xy).left())) < 0.01);
        // A drag pans, also what the other maps share.
        press(maps, at, true);
        move(maps, at + QPointF(20, 0), Qt::LeftButton);
        press(maps, at + QPointF(20, 0), false);
        QVERIFY(std::abs(maps.toWidget({Plane::xz, {0.3, 0}}).x() - maps.area(Plane::xz).left() -
                         (at.x() + 20 - maps.area(Plane::xy).left())) < 0.01);
        QTest::mouseDClick(&maps, Qt::LeftButton, {}, at.toPoint());
        QVERIFY(maps.view().fitted());
    }

    void aPlaneIsDraggedOnAnotherMap() {
        const auto page = shownPage();
        QVERIFY(page);
        ks::particles::PlaneGrid grid{50, 0, 1, 0.5, 0.4, 0.3};
        child<SumForm>(*page).setPlanes(grid);
        child<PlaneMaps>(*page).setGrid(grid);
        PlaneMaps& maps = child<PlaneMaps>(*page);
        QSignalSpy wanted(page.get(), &AnalysisPage::previewWanted);
        // z of xy is a level line on xz.
        const QPointF from = maps.toWidget({Plane::xz, {0.8, 0.5}}),
                      to = maps.toWidget({Plane::xz, {0.8, 0.7}});
        move(maps, from, Qt::NoButton);
        QCOMPARE(maps.cursor().shape(), Qt::SplitVCursor);
        press(maps, from, true);
        for (int k = 1; k <= 4; ++k) move(maps, from + (to - from) * k / 4, Qt::LeftButton);
        press(maps, to, false);
        QVERIFY(std::abs(child<SumForm>(*page).planes().z_of_xy - 0.7) < 1e-9);
        QCOMPARE(child<SumForm>(*page).planes().y_of_xz, 0.4);
        QVERIFY(wanted.size() >= 4);
        // x of yz is upright on xy, and stays within the planes.
        const QPointF upright = maps.toWidget({Plane::xy, {0.3, 0.9}});
        press(maps, upright, true);
        move(maps, upright + QPointF(4000, 0), Qt::LeftButton);
        press(maps, upright + QPointF(4000, 0), false);
        QCOMPARE(child<SumForm>(*page).planes().x_of_yz, 1.0);
        QVERIFY(maps.view().fitted());  // nothing was panned
        // The field moves the line.
        child<SumForm>(*page).offset(Plane::xz).setValue(0.9);
        QCOMPARE(maps.grid().y_of_xz, 0.9);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::real(request.parameters, "xz_at"), 0.9);
    }

    void aClickShowsTheProfilesWhichFollowOtherRuns() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        child<PlaneMaps>(*page).grab();
        // At first where the planes meet.
        QTRY_COMPARE(child<CurvePlot>(*page, "profile").series().size(), qsizetype{2});
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[0].label, QString("along x: y 0.5"));
        QTest::mouseClick(&child<PlaneMaps>(*page), Qt::LeftButton, {},
                          child<PlaneMaps>(*page).toWidget({Plane::yz, {0.2, 0.9}}).toPoint());
        const auto series = child<CurvePlot>(*page, "profile").series();
        QCOMPARE(series[0].label, QString("along y: z 0.9"));
        QVERIFY(std::abs(series[0].y.last() - (75 + 10 + 0.9)) < 1e-4);
        page->setRuns({row(2, [](double, double y, double) { return C(y); }), row(1, slope)});
        QVERIFY(idle());
        child<PlaneMaps>(*page).grab();
        QTRY_COMPARE(child<CurvePlot>(*page, "profile").series().size(), qsizetype{4});
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[0].y.last(), 1.0);
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[2].run, QString("run 1"));
    }

    void aTargetThatAVerdictNamesIsThePointOfTheProfiles() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        child<PlaneMaps>(*page).grab();
        QTRY_COMPARE(child<CurvePlot>(*page, "profile").series().size(), qsizetype{2});
        // Planes of 21 x 21 points from 0 to 1, the third of them yz: y is the 4th, z the 18th.
        QVERIFY(page->showPlace({{"target", 2 * 441 + 4 * 21 + 18}}));
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[0].label, QString("along y: z 0.9"));
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[1].label, QString("along z: y 0.2"));
        QVERIFY(!page->showPlace({{"target", 3 * 441}}));
        QVERIFY(!page->showPlace({{"bin", 1}}));
    }

    void keysMoveThePointOfTheProfiles() {
        const auto page = shownPage();
        QVERIFY(page);
        PlaneMaps& maps = child<PlaneMaps>(*page);
        QTest::keyClick(&maps, Qt::Key_Right, Qt::ShiftModifier);  // there is nothing to pick yet
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        maps.grab();
        QTRY_COMPARE(child<CurvePlot>(*page, "profile").series().size(), qsizetype{2});
        const auto labels = [&] {
            return child<CurvePlot>(*page, "profile").series()[0].label + "; " +
                   child<CurvePlot>(*page, "profile").series()[1].label;
        };
        const auto grid = maps.picture()->grid;
        const auto text = [&](double at, int steps) { return formatNumber(at + steps * grid.at(1), 4); };
        const double x = grid.x_of_yz, y = grid.y_of_xz, z = grid.z_of_xy;
        QTest::keyClick(&maps, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(labels(), QString("along x: y %1; along y: x %2").arg(text(y, 0), text(x, 1)));
        QTest::keyClick(&maps, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(labels(), QString("along x: y %1; along y: x %2").arg(text(y, -1), text(x, 1)));
        // The same x on xz, and the z where xy lies.
        QTest::keyClick(&maps, Qt::Key_PageDown);
        QCOMPARE(labels(), QString("along x: z %1; along z: x %2").arg(text(z, 0), text(x, 1)));
        QTest::keyClick(&maps, Qt::Key_PageUp);
        for (int i = 0; i < 50; ++i) QTest::keyClick(&maps, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY2(labels().endsWith("along y: x 0"), qPrintable(labels()));
        // Alone the arrows pan.
        const double left = maps.view().low(0);
        QTest::keyClick(&maps, Qt::Key_Right);
        QVERIFY(maps.view().low(0) > left);
        QVERIFY2(labels().endsWith("along y: x 0"), qPrintable(labels()));
        QVERIFY(maps.toolTip().contains("Shift and an arrow key"));
    }

    void aWavenumberBelowZeroIsOneToo() {
        const auto page = shownPage();
        QVERIFY(page);
        child<SumForm>(*page).setKernel("helmholtz");
        child<SumForm>(*page).wavenumber().field()->setValue(-7.5);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::real(request.parameters, "wavenumber"), -7.5);
        child<SumForm>(*page).wavenumber().slider()->setValue(
            child<SumForm>(*page).wavenumber().slider()->minimum());
        QVERIFY(child<SumForm>(*page).wavenumber().value() < -100);
    }

    void theFieldChooserHasWhatTheResultHas() {
        const auto page = shownPage();
        QVERIFY(page);
        RunRow one = row(1, slope);
        auto run = std::make_shared<ks::Run>(*one.run);
        addField(*run, "gradient_x", "df/dx", false, [](double, double, double) { return C(100); });
        addField(*run, "potential_2", "f2", true, [](double x, double, double) { return C(0, x); });
        one.run = run;
        page->setRuns({one});
        QVERIFY(idle());
        QComboBox& field = child<QComboBox>(*page, "field");
        QCOMPARE(field.count(), 3);
        QCOMPARE(field.currentText(), QString("f"));
        QVERIFY(!child<QComboBox>(*page, "part").isEnabled());
        field.setCurrentIndex(1);
        QVERIFY(idle());
        QCOMPARE(child<PlaneMaps>(*page).picture()->value({Plane::xz, 3, 4}), 100.0F);
        QCOMPARE(child<PlaneMaps>(*page).picture()->title, QString("df/dx"));
        field.setCurrentIndex(2);
        QVERIFY(child<QComboBox>(*page, "part").isEnabled());
        child<QComboBox>(*page, "part").setCurrentIndex(1);
        QVERIFY(idle());
        QCOMPARE(child<PlaneMaps>(*page).picture()->title, QString("arg f2 (rad)"));
        QVERIFY(child<PlaneMaps>(*page).picture()->colours.angles);
        QVERIFY(!child<MapForm>(*page).lock().isEnabled());
        const auto& map = child<QComboBox>(child<MapForm>(*page), "map");
        QVERIFY(!map.isEnabled());
        QCOMPARE(map.placeholderText(), QString("cyclic"));
        QVERIFY2(map.toolTip().contains("Not used: angles"), qPrintable(map.toolTip()));
        QVERIFY(std::abs(child<PlaneMaps>(*page).picture()->value({Plane::xy, 20, 0}) - M_PI / 2) < 1e-6);
        // A run without it shows what it has; one with it shows it again.
        page->setRuns({row(2, slope)});
        QVERIFY(idle());
        QCOMPARE(field.count(), 1);
        QCOMPARE(child<PlaneMaps>(*page).picture()->title, QString("f"));
        page->setRuns({one});
        QVERIFY(idle());
        QCOMPARE(field.currentText(), QString("f2"));
    }

    void aPreviewIsReducedToAShareOfTheTargets() {
        const auto page = shownPage();
        QVERIFY(page);
        child<SumForm>(*page).side().setValue(400);
        ks::Request request;
        page->fill(request);
        QCOMPARE(page->reduce(request, 1.0 / 16), AnalysisPage::Reduced::part);
        QCOMPARE(ks::integer(request.parameters, "planes"), std::int64_t{100});
        page->fill(request);
        QCOMPARE(page->reduce(request, 1), AnalysisPage::Reduced::whole);
        QCOMPARE(ks::integer(request.parameters, "planes"), std::int64_t{400});
    }

    void aPreviewHasNoMoreTargetsThanCanBeShown() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto asked = [&](double share) {
            ks::Request request;
            page->fill(request);
            const AnalysisPage::Reduced reduced = page->reduce(request, share);
            return std::pair{reduced, ks::integer(request.parameters, "planes")};
        };
        child<SumForm>(*page).side().setValue(16384);
        QVERIFY(asked(1) == std::pair(AnalysisPage::Reduced::most, std::int64_t{1024}));
        QVERIFY(asked(1.0 / 16) == std::pair(AnalysisPage::Reduced::part, std::int64_t{256}));
        child<SumForm>(*page).side().setValue(1024);
        QVERIFY(asked(1) == std::pair(AnalysisPage::Reduced::whole, std::int64_t{1024}));
        child<SumForm>(*page).side().setValue(1);
        QVERIFY(asked(1.0 / 16) == std::pair(AnalysisPage::Reduced::whole, std::int64_t{1}));
    }

    void mapsThatTakeLongToDrawAreMarkedAndStopped() {
        const auto page = shownPage();
        QVERIFY(page);
        PlaneMaps& maps = child<PlaneMaps>(*page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        QVERIFY(maps.picture());
        QVERIFY(!page->drawing());
        const RunRow large = row(2, slope, false, 3000), small = row(3, slope, false, 31);
        // The maps of the run before are marked while they stay.
        page->setRuns({large});
        QTRY_VERIFY_WITH_TIMEOUT(page->drawing(), 20000);
        QVERIFY(page->working());
        QCOMPARE(maps.picture()->grid.side, std::size_t{21});
        QVERIFY2(maps.note().contains("outdated"), qPrintable(maps.note()));
        // A newer result stops what is no longer wanted.
        page->setRuns({small});
        QTRY_VERIFY_WITH_TIMEOUT(!page->drawing(), 60000);
        QCOMPARE(maps.picture()->grid.side, std::size_t{31});
        QVERIFY2(maps.note().isEmpty(), qPrintable(maps.note()));
        // So does Cancel, and then nothing is shown that is of other inputs.
        page->setRuns({large});
        QTRY_VERIFY_WITH_TIMEOUT(page->drawing(), 20000);
        page->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!page->drawing(), 60000);
        QVERIFY(!maps.picture());
        page->setRuns({small});
        QVERIFY(idle());
        QCOMPARE(maps.picture()->grid.side, std::size_t{31});
    }

    void theDemoIsAsItsFormSays() {
        const auto page = emptyPage();
        const Demo standard = page->demos().front();
        QCOMPARE(ks::integer(standard.parameters, "points"), std::int64_t{50});
        child<SourcesPanel>(*page).generator().setValue("weights", std::string("complex"));
        const Demo other = page->demos().front();
        QCOMPARE(ks::text(other.parameters, "weights"), std::string("complex"));
        QVERIFY(other.name != standard.name);  // another file
        QSignalSpy asked(page.get(), &AnalysisPage::demoRequested);
        child<SourcesPanel>(*page).make().click();
        QCOMPARE(asked.size(), 1);
    }

    void choicesAreKept() {
        const QString path = folder_.filePath("page.ini");
        {
            const auto page = emptyPage();
            child<SumForm>(*page).setKernel("helmholtz");
            child<SumForm>(*page).wavenumber().field()->setValue(33);
            child<SumForm>(*page).setPlanes({77, -1, 2, 0.1, 0.2, 0.3});
            child<QComboBox>(*page, "scale").setCurrentIndex(1);
            child<QAction>(*page, "sources").setChecked(false);
            child<MapForm>(*page).setIsolines({true, true, 5, 0.125});
            QSettings settings(path, QSettings::IniFormat);
            keepSettings(settings, *page->state(Page::Scope::settings));
        }
        QSettings settings(path, QSettings::IniFormat);
        const auto page = emptyPage();
        page->setState(pageSettings(settings, *page->state(Page::Scope::settings)), Page::Scope::settings);
        QVERIFY2(child<SumForm>(*page).kernel() == "rbf" &&
                     child<SumForm>(*page).planes() == child<SumForm>(*emptyPage()).planes(),
                 "parameters are kept with their file");
        QCOMPARE(child<QComboBox>(*page, "scale").currentIndex(), 1);
        QVERIFY(!child<QAction>(*page, "sources").isChecked());
        QCOMPARE(child<MapForm>(*page).isolines().step, 0.125);
        child<SumForm>(*page).setKernel("helmholtz");
        QVERIFY(child<SumForm>(*page).wavenumber().slider()->isEnabled());
        QVERIFY(!child<SumForm>(*page).sigma().slider()->isEnabled());
        page->resetParameters();
        QCOMPARE(child<SumForm>(*page).kernel(), QString("rbf"));
        QCOMPARE(child<SumForm>(*page).sigma().value(), 0.1);
    }

    void limitsAndPointOfTheProfilesAreKeptWithTheData() {
        std::optional<PageState> kept;
        {
            const auto page = shownPage();
            QVERIFY(page);
            page->setRuns({row(1, slope)});
            QVERIFY(idle());
            child<QDoubleSpinBox>(*page, "low").setValue(5);
            child<QDoubleSpinBox>(*page, "high").setValue(6);
            child<PlaneMaps>(*page).grab();
            QTest::mouseClick(&child<PlaneMaps>(*page), Qt::LeftButton, {},
                              child<PlaneMaps>(*page).toWidget({Plane::yz, {0.2, 0.9}}).toPoint());
            kept = page->state(Page::Scope::session);
            QVERIFY(kept);
        }
        const auto page = emptyPage();
        page->resize(900, 700);
        page->show();
        page->setFile(someFile());
        page->setState(*kept, Page::Scope::session);
        QTRY_VERIFY_WITH_TIMEOUT(page->sources() != nullptr, 10000);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        QVERIFY(child<MapForm>(*page).locked());
        QCOMPARE(child<PlaneMaps>(*page).picture()->colours.scale.low, 5.0);
        QCOMPARE(child<PlaneMaps>(*page).picture()->colours.scale.high, 6.0);
        child<PlaneMaps>(*page).grab();
        QTRY_COMPARE(child<CurvePlot>(*page, "profile").series().size(), qsizetype{2});
        QCOMPARE(child<CurvePlot>(*page, "profile").series()[0].label, QString("along y: z 0.9"));
    }

    void aFieldThatIsEditedWhileTheSourcesAreReadStays() {
        std::optional<PageState> kept;
        {
            const auto page = shownPage();
            QVERIFY(page);
            child<SumForm>(*page).apply({{"kernel", std::string("laplace")}, {"wavenumber", 12.0}});
            kept = page->state(Page::Scope::session);
            QVERIFY(kept);
        }
        const auto page = emptyPage();
        page->show();
        page->setFile(someFile());
        page->setState(*kept, Page::Scope::session);
        QVERIFY(!page->sources());
        child<SumForm>(*page).setKernel("helmholtz");
        QTRY_VERIFY_WITH_TIMEOUT(page->sources() != nullptr, 10000);
        QCOMPARE(child<SumForm>(*page).kernel(), QString("helmholtz"));
        QCOMPARE(child<SumForm>(*page).wavenumber().value(), 12.0);
    }

    void limitsThatCannotBeUsedAreRefusedAtTheFields() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(1, slope)});
        QVERIFY(idle());
        MapForm& form = child<MapForm>(*page);
        const auto said = [&form] {
            for (const QLabel* one : form.findChildren<QLabel*>())
                if (one->accessibleName() == "Why the colour limits cannot be used" &&
                    one->isVisibleTo(&form))
                    return one->text();
            return QString();
        };
        QCOMPARE(said(), QString());
        child<QDoubleSpinBox>(*page, "low").setValue(5);
        QCOMPARE(said(), QString());
        child<QDoubleSpinBox>(*page, "high").setValue(0.5);
        QCOMPARE(said(), QString("Not used: the lower limit must be below the upper limit, found 5 to 0.5"));
        child<QDoubleSpinBox>(*page, "high").setValue(6);
        QCOMPARE(said(), QString());
        child<QDoubleSpinBox>(*page, "low").setValue(6);
        QVERIFY(!said().isEmpty());
        form.lock().setChecked(false);
        QCOMPARE(said(), QString());
    }

    void everyPlotIsWritten() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(
            1, [](double x, double y, double) { return std::polar(1.0, x + y); }, true)});
        child<QComboBox>(*page, "part").setCurrentIndex(1);
        QVERIFY(idle());
        child<PlaneMaps>(*page).grab();
        QTRY_VERIFY(!child<CurvePlot>(*page, "profile").series().isEmpty());
        for (const NamedPlot& plot : page->plots())
            for (const char* suffix : {".png", ".svg", ".pdf", ".csv"}) {
                const QString path = folder_.filePath(plot.fileName() + suffix);
                exportPlot(*plot.plot, path.toStdString(), true);
                QVERIFY2(QFileInfo(path).size() > 200, qPrintable(path));
            }
        QFile csv(folder_.filePath("plane_xz.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readLine().trimmed(), QByteArray("plane,i,j,x,y,z,value"));
        QCOMPARE(csv.readLine().left(15), QByteArray("xz,0,0,0,0.5,0,"));
        QCOMPARE(QString(csv.readAll()).count('\n'), 21 * 21 - 1);
    }
};

QTEST_MAIN(ParticlesPageTest)
#include "tst_particles_page.moc"
