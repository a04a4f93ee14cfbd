#include <qcustomplot.h>
#include <QAction>
#include <QComboBox>
#include <QImage>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/ui/child.h"
#include "tests/ui/particles/page_fixture.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::particles;
using C = std::complex<double>;

/// Runs beside each other, and a run beside the reference.
class ParticlesCompareTest : public PageFixture {
    Q_OBJECT

  private slots:
    void theErrorMapIsTheDistanceFromTheReferenceOfThatProblem() {
        const auto page = shownPage();
        QVERIFY(page);
        // exp(-r^2 / (2 sigma^2)) of the two sources, and one value that is off by 1e-3.
        const auto exact = [](double x, double y, double z) {
            const auto term = [&](double a, double b, double c, double w) {
                return w * std::exp(-(std::pow(x - a, 2) + std::pow(y - b, 2) + std::pow(z - c, 2)) / 0.02);
            };
            return term(0.2, 0.3, 0.4, 1) + term(0.6, 0.7, 0.8, -0.5);
        };
        page->setRuns({row(1, [&](double x, double y, double z) {
            return C(exact(x, y, z) + (x == 0.75 && y == 0.5 && z == 0.25 ? 1e-3 : 0.0));
        })});
        QVERIFY(idle());
        child<QAction>(*page, "reference").trigger();
        QVERIFY(page->working());
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>(*page, "shown").currentIndex(),
                                  static_cast<int>(Shown::error), 20000);
        QVERIFY(idle());
        QVERIFY(!page->working());
        const auto picture = child<PlaneMaps>(*page).picture();
        QVERIFY(picture->error);
        QVERIFY(std::abs(picture->error->absolute - 1e-3) < 1e-6);
        QCOMPARE(picture->colours.scale.kind, ScaleKind::log);
        QVERIFY2(child<QLabel>(*page, "error").toolTip().contains("(0.75, 0.5, 0.25)"),
                 qPrintable(child<QLabel>(*page, "error").toolTip()));
        // Other inputs have another reference.
        RunRow other = row(2, slope);
        auto changed = std::make_shared<ks::Run>(*other.run);
        changed->request.parameters["sigma"] = 0.3;
        other.run = changed;
        page->setRuns({other});
        QVERIFY(idle());
        QCOMPARE(child<QComboBox>(*page, "shown").currentIndex(), 0);
        QCOMPARE(child<QComboBox>(*page, "scale").currentIndex(), 0);  // as it was before
    }

    void theErrorMapOfASampledRunAsksForTheCheckOfAllItsValues_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("asked");
        using State = ks::Verdict::State;
        QTest::newRow("sampled") << int(State::sampled) << 1 << 1;
        QTest::newRow("unchecked") << int(State::unchecked) << 1 << 1;
        QTest::newRow("all values are right") << int(State::pass) << 1 << 0;
        QTest::newRow("wrong") << int(State::fail) << 1 << 0;
    }
    void theErrorMapOfASampledRunAsksForTheCheckOfAllItsValues() {
        QFETCH(int, state);
        QFETCH(int, number);
        QFETCH(int, asked);
        const auto page = shownPage();
        QVERIFY(page);
        RunRow one = row(number, slope);
        auto judged = std::make_shared<ks::Run>(*one.run);
        judged->verdict.state = static_cast<ks::Verdict::State>(state);
        one.run = judged;
        page->setRuns({one});
        QVERIFY(idle());
        QSignalSpy wanted(page.get(), &AnalysisPage::fullCheckWanted);
        child<QAction>(*page, "reference").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>(*page, "shown").currentIndex(),
                                  static_cast<int>(Shown::error), 20000);
        QCOMPARE(wanted.count(), asked);
        if (asked > 0) QCOMPARE(wanted.front().front().toInt(), number);
    }

    void whatTheMapsShowOfTheRunsComesBack_data() {
        QTest::addColumn<int>("shown");
        QTest::newRow("the error") << static_cast<int>(Shown::error);
        QTest::newRow("the difference") << static_cast<int>(Shown::difference);
        QTest::newRow("the older run") << static_cast<int>(Shown::second);
        QTest::newRow("the result") << static_cast<int>(Shown::first);
    }
    void whatTheMapsShowOfTheRunsComesBack() {
        QFETCH(int, shown);
        const std::vector<RunRow> runs{row(2, slope), row(1, [](double x, double, double) { return C(x); })};
        std::optional<PageState> kept;
        {
            const auto page = shownPage();
            QVERIFY(page);
            page->setRuns(runs);
            QVERIFY(idle());
            auto& box = child<QComboBox>(*page, "shown");
            if (shown == static_cast<int>(Shown::error))
                child<QAction>(*page, "reference").trigger();
            else
                box.setCurrentIndex(shown);
            QTRY_COMPARE_WITH_TIMEOUT(box.currentIndex(), shown, 20000);
            QVERIFY(idle());
            kept = page->state(Page::Scope::session);
            QVERIFY(kept);
        }
        const auto page = emptyPage();
        page->resize(900, 700);
        page->show();
        page->setFile(someFile());
        page->setState(*kept, Page::Scope::session);
        QTRY_VERIFY_WITH_TIMEOUT(page->sources() != nullptr, 10000);
        // Until the runs are there, what was kept is kept again.
        QCOMPARE(QString::fromStdString(page->state(Page::Scope::session)->values.dump()),
                 QString::fromStdString(kept->values.dump()));
        page->setRuns(runs);
        auto& box = child<QComboBox>(*page, "shown");
        QTRY_COMPARE_WITH_TIMEOUT(box.currentIndex(), shown, 20000);
        QVERIFY(idle());
        QCOMPARE(child<PlaneMaps>(*page).picture()->colours.scale.kind,
                 shown == static_cast<int>(Shown::error) ? ScaleKind::log : ScaleKind::linear);
    }

    void aDifferenceThatFailsSaysWhyOnTheMapsAndInEachExport() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(4, slope), row(3, slope, false, 11)});
        QVERIFY(idle());
        child<QComboBox>(*page, "shown").setCurrentIndex(static_cast<int>(Shown::difference));
        QVERIFY(idle());
        const PlaneMaps& maps = child<PlaneMaps>(*page);
        QVERIFY(!maps.picture());
        QVERIFY2(!maps.emptyText().isEmpty() && !maps.emptyText().contains("F5"),
                 qPrintable(maps.emptyText()));
        // Of each plane the export shows something besides its frame.
        for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
            const auto inked = [&](const QString& text) {
                child<PlaneMaps>(*page).setReason(text);
                QImage image(240, 220, QImage::Format_RGB32);
                QCPPainter painter;
                painter.begin(&image);
                maps.paintPlanes(painter, image.size(), {plane});
                painter.end();
                return image;
            };
            const QString why = maps.emptyText();
            const QImage with = inked(why), without = inked(QStringLiteral(" "));
            int left = with.width(), right = 0;
            for (int y = 0; y < with.height(); ++y)
                for (int x = 0; x < with.width(); ++x)
                    if (with.pixel(x, y) != without.pixel(x, y)) {
                        left = std::min(left, x);
                        right = std::max(right, x);
                    }
            QVERIFY2(left > 2 && right < with.width() - 3 && left < right, "cut, or nothing");
            child<PlaneMaps>(*page).setReason(why);
        }
        child<QComboBox>(*page, "shown").setCurrentIndex(0);
        QVERIFY(idle());
        QVERIFY(maps.picture());
    }

    void aReferenceThatTakesLongIsCancelled() {
        const auto page = emptyPage();
        page->resize(900, 700);
        std::string text = "x,y,z,weight\n";
        for (int i = 0; i < 20000; ++i) text += "0." + std::to_string(i) + ",0.5,0.5,1\n";
        const QString path = written("many.csv", text);
        page->setFile(std::make_shared<const OpenFile>(openAnyFile(path)));
        QTRY_VERIFY(page->sources());
        RunRow one = row(1, slope, false, 300);
        auto run = std::make_shared<ks::Run>(*one.run);
        run->request.inputs["sources"] = {path.toStdString(), {}};
        run->result.facts["sources"] = 20000;
        one.run = run;
        page->setRuns({one});
        QVERIFY(idle());
        std::vector<ks::Error> failed;
        connect(page.get(), &Page::failed, [&failed](const ks::Error& error) { failed.push_back(error); });
        child<QAction>(*page, "reference").trigger();
        QVERIFY(page->working());
        QTest::qWait(50);
        QElapsedTimer since;
        since.start();
        page->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!page->working(), 5000);
        QVERIFY(since.elapsed() < 3000);
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].kind(), ks::ErrorKind::cancelled);
        QCOMPARE(child<QComboBox>(*page, "shown").currentIndex(), 0);
    }

    void twoRunsAreComparedAndBlink() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(4, slope), row(3, [](double x, double y, double z) {
                           return slope(x, y, z) + (x == 0.5 && z == 0.5 ? 2.0 : 0.0);
                       })});
        QVERIFY(idle());
        QComboBox& shown = child<QComboBox>(*page, "shown");
        QCOMPARE(shown.itemText(2), QString::fromUtf8("Run 4 \u2212 run 3"));
        shown.setCurrentIndex(static_cast<int>(Shown::difference));
        QVERIFY(idle());
        const auto at = *child<PlaneMaps>(*page).picture()->nearest(Plane::xz, {0.5, 0.5});
        QVERIFY(std::abs(child<PlaneMaps>(*page).picture()->value(at) + 2) < 1e-4);
        QVERIFY2(child<QLabel>(*page, "error")
                     .toolTip()
                     .contains("Largest absolute error 2 at xz (0.5, 0.5, 0.5)"),
                 qPrintable(child<QLabel>(*page, "error").toolTip()));
        shown.setCurrentIndex(0);
        child<PlaneMaps>(*page).setFocus();
        QTest::keyClick(&child<PlaneMaps>(*page), Qt::Key_Space);
        QCOMPARE(shown.currentIndex(), static_cast<int>(Shown::second));
        QVERIFY(idle());
        QVERIFY(std::abs(child<PlaneMaps>(*page).picture()->value(at) - 57.5) < 1e-4);
        QVERIFY(page->status().startsWith("Run 3"));
        QTest::keyClick(&child<PlaneMaps>(*page), Qt::Key_Space);
        QCOMPARE(shown.currentIndex(), 0);
        // With one run there is nothing to compare.
        shown.setCurrentIndex(static_cast<int>(Shown::difference));
        page->setRuns({row(4, slope)});
        QVERIFY(idle());
        QCOMPARE(shown.currentIndex(), 0);
        QVERIFY(child<PlaneMaps>(*page).picture());
    }
};

QTEST_MAIN(ParticlesCompareTest)
#include "tst_particles_compare.moc"
