#include <qcustomplot.h>
#include <QComboBox>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <numeric>

#include "tests/ui/spots/fake_spots.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/histogram_content.h"
#include "ui/spots/spot_plots.h"

using ks::spots::Dropped;
using ks::spots::Spot;
using ks::tests::fake_run;
using ks::tests::fake_spots;
using namespace ks::ui;
using namespace ks::ui::spots;

namespace {

double total(const QVector<double>& counts) {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

std::vector<RunRow> rows(std::vector<std::shared_ptr<const ks::Run>> runs) {
    std::vector<RunRow> all;
    int number = static_cast<int>(runs.size());
    for (auto& run : runs) all.push_back({number--, std::move(run), true, false});
    return all;
}

class Ticker : public ResolutionTicker {
  public:
    using ResolutionTicker::createTickVector;
    using ResolutionTicker::getTickLabel;
};

}  // namespace

class SpotPlotsTest : public QObject {
    Q_OBJECT
    static void click(SpotPlots& plots, double x) {
        auto& figure = const_cast<CurveFigure&>(plots.frames().figure());
        const QPoint at(qRound(figure.xAxis->coordToPixel(x)), figure.mainRect().rect().center().y());
        QTest::mouseClick(&figure, Qt::LeftButton, {}, at);
    }

  private slots:
    void binsOfALogarithmAreTenADecade() {
        const QVector<double> edges = logEdges({{1, 37, 999}}, 10);
        QCOMPARE(edges.size(), 31);
        for (int i = 0; i < edges.size(); ++i) QVERIFY(std::abs(std::log10(edges[i]) - i / 10.0) < 1e-12);
        QCOMPARE(edges[10], 10.0);
        // 10^k belongs to the bin that begins there, also at the end.
        QCOMPARE(logEdges({{10, 1000}}, 10).last() > 1000, true);
        QCOMPARE(logEdges({{10, 1000}}, 10).first(), 10.0);
        QVERIFY(logEdges({{0, -3, std::nan("")}}, 10).isEmpty());
    }

    void powersOfTwoFallOnceInThreeBinsOfADecade() {
        // log10(2) = 0.301: of the bins of a tenth of a decade, 2^0 to 2^9 are in 0, 3, 6, 9, 12, 15, ...
        QVector<double> values;
        for (int k = 0; k < 10; ++k) values << std::pow(2, k);
        const QVector<double> counts = binned(values, logEdges({values}, 10));
        for (int i = 0; i < counts.size(); ++i) {
            bool expected = false;
            for (int k = 0; k < 10; ++k)
                expected = expected || int(std::floor(k * std::log10(2.0) * 10)) == i;
            QCOMPARE(counts[i], expected ? 1.0 : 0.0);
        }
    }

    void aPreviewIsCountedAloneAndSaysSo() {
        SpotPlots plots;
        plots.setRuns(rows({fake_run(fake_spots(40))}));
        plots.show(SpotPlots::Plot::sizes);
        const double before = total(plots.histogram(SpotPlots::Plot::sizes).series().last().counts);
        QVERIFY(before > 1 && plots.note().isEmpty());
        std::vector<Spot> one = fake_spots(1);
        one[0].n_signal = 5;
        one[0].dropped = Dropped::kept;
        plots.setPreview(fake_run(one, 100, 1));
        QCOMPARE(total(plots.histogram(SpotPlots::Plot::sizes).series().last().counts), 1.0);
        QVERIFY2(plots.note() == "Preview of frame 100 only", qPrintable(plots.note()));
        QCOMPARE(plots.frames().series().size(), 2);
        // It counts something else than the run: it is no curve of the same kind.
        const CurveSeries &run = plots.frames().series()[0], &preview = plots.frames().series()[1];
        QCOMPARE(preview.run, QString("this frame only"));
        QCOMPARE(preview.runInFull, QString("preview: this frame only"));
        QVERIFY(preview.foreign && preview.style == CurveStyle::scatter);
        QVERIFY(!run.foreign && run.style == CurveStyle::points);
        QVERIFY(!plots.frames().legend().isHidden());
        plots.setPreview(nullptr);
        QCOMPARE(total(plots.histogram(SpotPlots::Plot::sizes).series().last().counts), before);
        QVERIFY(plots.note().isEmpty());
    }

    void wholeNumbersAreInTheMiddleOfTheirBins() {
        const QVector<double> edges = wholeEdges({{3, 5}, {4, 8}}, 20);
        QCOMPARE(edges, QVector<double>({2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}));
        QCOMPARE(binned({3, 5, 5, 8}, edges), QVector<double>({1, 0, 2, 0, 0, 1}));
        const QVector<double> wide = wholeEdges({{1, 40000}}, 80);
        QVERIFY(wide.size() < 140);
        QVERIFY(wide.last() > 40000);
        QCOMPARE(wide.first(), 0.5);
        for (const double edge : wide) QCOMPARE(edge - std::floor(edge), 0.5);
        QCOMPARE(wholeEdges({{7}}, 80), QVector<double>({6.5, 7.5}));
    }

    void evenBinsOfARampHoldTheSame() {
        QVector<double> ramp;
        for (int i = 0; i < 600; ++i) ramp << (i + 0.5) / 600;
        ramp << 1.0;
        const QVector<double> counts = binned(ramp, linearEdges({ramp}, 60));
        for (int i = 0; i < 59; ++i) QCOMPARE(counts[i], 10.0);
        QCOMPARE(counts[59], 11.0);  // its upper edge, too
        QCOMPARE(total(binned({std::nan(""), 0.5}, {0, 1})), 1.0);
    }

    void everySpotIsInOneBinOfEachHistogram() {
        const auto spots = fake_spots(700);
        double kept = 0, located = 0, keptLocated = 0;
        for (const Spot& s : spots) {
            kept += s.dropped == Dropped::kept;
            located += std::isfinite(s.d);
            keptLocated += s.dropped == Dropped::kept && std::isfinite(s.d);
        }
        SpotPlots plots;
        plots.setRuns(rows({fake_run(spots)}));
        using P = SpotPlots::Plot;
        for (const auto plot : {P::intensities, P::sizes}) {
            const auto& series = plots.histogram(plot).series();
            QCOMPARE(series.size(), 2);
            QCOMPARE(series[0].label, QString("all"));
            QCOMPARE(total(series[0].counts), 700.0);
            QCOMPARE(series[1].label, QString("kept"));
            QCOMPARE(total(series[1].counts), kept);
        }
        const auto& resolution = plots.histogram(P::resolution).series();
        QCOMPARE(total(resolution[0].counts), located);
        QCOMPARE(total(resolution[1].counts), keptLocated);
        plots.show(P::resolution);
        QVERIFY(plots.note().contains(QString::number(700 - located)));
        plots.show(P::sizes);
        QVERIFY(plots.note().isEmpty());
    }

    void theAxisOfResolutionIsEvenInInverseSquares() {
        // 1/d^2 of d = 1, 2: bins of 1/60; d = 2 is at 0.25, bin 15.
        Spot fine, coarse;
        fine.d = 1;
        coarse.d = 2;
        fine.n_signal = coarse.n_signal = 3;
        SpotPlots plots;
        plots.setRuns(rows({fake_run({fine, coarse, coarse})}));
        const auto& series = plots.histogram(SpotPlots::Plot::resolution).series();
        QCOMPARE(series.size(), 1);
        QCOMPARE(series[0].counts.size(), 60);
        QCOMPARE(series[0].edges.last(), 1.0);
        QCOMPARE(series[0].counts[59], 1.0);
        QCOMPARE(series[0].counts[15], 2.0);
        QVERIFY(plots.histogram(SpotPlots::Plot::resolution).describe(0.251).startsWith("d 2"));
    }

    // d = 2 is 1/d^2 = 0.25, in bin 15 of 60 between 0 and 1: [0.25, 0.26666...).
    void theTableOfResolutionNamesTheQuantityOfItsEdges() {
        Spot fine, coarse;
        fine.d = 1;
        coarse.d = 2;
        SpotPlots plots;
        plots.setRuns(rows({fake_run({fine, coarse})}));
        const QString csv = QString::fromStdString(plots.histogram(SpotPlots::Plot::resolution).csv());
        QCOMPARE(csv.section('\n', 0, 0),
                 QString("series,1/d\u00b2 from (1/\u00c5\u00b2),1/d\u00b2 to (1/\u00c5\u00b2),Spots"));
        const QStringList bin = csv.section('\n', 16, 16).split(',');
        QCOMPARE(bin.size(), 4);
        QCOMPARE(bin[1].toDouble(), 0.25);
        QVERIFY2(std::abs(bin[2].toDouble() - 16.0 / 60) < 1e-12, qPrintable(bin[2]));
        QCOMPARE(bin[3], QString("1"));
    }

    void ticksOfResolutionAreShortAndWhereTheySay() {
        Ticker ticker;
        for (const auto& range :
             {QCPRange(0, 0.4), QCPRange(0.1, 0.12), QCPRange(-0.01, 1.3), QCPRange(0, 0.002)}) {
            const QVector<double> ticks = ticker.createTickVector(1, range);
            QVERIFY(ticks.size() >= 4);
            for (qsizetype i = 0; i < ticks.size(); ++i) {
                if (i > 0) QVERIFY(ticks[i] > ticks[i - 1]);
                const QString label = ticker.getTickLabel(ticks[i], QLocale(), 'g', 6);
                const double d = label.toDouble();
                QVERIFY2(std::abs(1 / (d * d) - ticks[i]) < 1e-6 * ticks[i], qPrintable(label));
                QVERIFY2(label.size() <= 6, qPrintable(label));
            }
        }
        QVERIFY(ticker.createTickVector(1, QCPRange(-2, -1)).isEmpty());
    }

    void withoutGeometryResolutionSaysWhatIsNeeded() {
        SpotPlots plots;
        plots.setRuns(rows({fake_run(fake_spots(50, 1, false))}));
        auto& plot = plots.histogram(SpotPlots::Plot::resolution);
        QVERIFY(plot.series().isEmpty());
        auto* text = qobject_cast<QCPItemText*>(plot.plot().item(0));
        QVERIFY(text && text->text().contains("geometry"));
        plots.setRuns({});
        text = qobject_cast<QCPItemText*>(plot.plot().item(0));
        QVERIFY(text && text->text().contains("F5"));
    }

    void framesAreThoseOfTheFileAndMissingOnesAGap() {
        const auto spots = fake_spots(400);
        SpotPlots plots;
        plots.setRuns(rows({fake_run(spots, 100, 32)}));
        const auto& series = plots.frames().series();
        QCOMPARE(series.size(), 1);
        QCOMPARE(series[0].x.first(), 100.0);
        QVERIFY(std::isnan(series[0].y[4]));
        double expected = 0;
        for (const Spot& s : spots) expected += s.dropped == Dropped::kept && s.peak_z == 9;
        QCOMPARE(series[0].y[9], expected);
        plots.setPerFrame(SpotPlots::PerFrame::signal);
        double pixels = 0;
        for (const Spot& s : spots) pixels += s.peak_z == 9 ? double(s.n_signal) : 0;
        QCOMPARE(plots.frames().series()[0].y[9], pixels);
        plots.setPerFrame(SpotPlots::PerFrame::resolution);
        QCOMPARE(plots.frames().series()[0].y[9], 1.82);
    }

    void aClickPicksTheFrameAndADragDoesNot() {
        SpotPlots plots;
        plots.resize(560, 260);
        plots.setRuns(rows({fake_run(fake_spots(400), 100, 32)}));
        plots.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plots));
        QSignalSpy picked(&plots, &SpotPlots::framePicked);
        click(plots, 110.3);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 110);
        auto& figure = const_cast<CurveFigure&>(plots.frames().figure());
        const QPoint from = figure.mainRect().rect().center();
        QTest::mousePress(&figure, Qt::LeftButton, {}, from);
        QTest::mouseMove(&figure, from + QPoint(40, 0));
        QTest::mouseRelease(&figure, Qt::LeftButton, {}, from + QPoint(40, 0));
        QCOMPARE(picked.count(), 0);
    }

    void theMarkFollowsTheFrameAndCanBeDragged() {
        SpotPlots plots;
        plots.resize(560, 260);
        plots.setRuns(rows({fake_run(fake_spots(400), 100, 32)}));
        plots.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plots));
        QSignalSpy picked(&plots, &SpotPlots::framePicked);
        plots.setFrame(115);
        QCOMPARE(picked.count(), 0);
        const auto& bands = plots.frames().figure().content().bands;
        QCOMPARE(bands.size(), 1);
        QCOMPARE(bands[0].from, 115.0);
        auto& figure = const_cast<CurveFigure&>(plots.frames().figure());
        const int y = figure.mainRect().rect().center().y();
        const auto at = [&](double x) { return QPoint(qRound(figure.xAxis->coordToPixel(x)), y); };
        QTest::mousePress(&figure, Qt::LeftButton, {}, at(115));
        QTest::mouseRelease(&figure, Qt::LeftButton, {}, at(120));
        QCOMPARE(picked.last().at(0).toInt(), 120);
        plots.setFrame(-1);
        QVERIFY(plots.frames().figure().content().bands.isEmpty());
    }

    void runsAreToldApartAndTheOldestIsFirst() {
        SpotPlots plots;
        plots.show();
        plots.setRuns(rows({fake_run(fake_spots(300, 2)), fake_run(fake_spots(200, 1))}));
        QCOMPARE(plots.frames().series().size(), 2);
        QCOMPARE(plots.frames().series()[0].run, QString("run 1"));
        QVERIFY(plots.frames().legend().isVisible());
        const auto& series = plots.histogram(SpotPlots::Plot::intensities).series();
        QCOMPARE(series.size(), 4);
        QCOMPARE(total(series[0].counts), 200.0);
        QCOMPARE(total(series[1].counts), 300.0);
        QCOMPARE(series[0].edges, series[3].edges);
        plots.setRuns(rows({fake_run(fake_spots(300, 2))}));
        QVERIFY(!plots.frames().legend().isVisible());
    }

    void aRunWithoutSpotsIsLeftOut() {
        SpotPlots plots;
        plots.setRuns(rows({std::make_shared<ks::Run>(), fake_run(fake_spots(20))}));
        QCOMPARE(plots.frames().series().size(), 1);
        plots.setRuns(rows({fake_run({})}));
        QVERIFY(plots.histogram(SpotPlots::Plot::sizes).series().isEmpty());
        QCOMPARE(total(plots.frames().series()[0].y.mid(5)), 0.0);
    }

    void iceRingsAreBandsThatCanBeTurnedOff() {
        SpotPlots plots;
        plots.setRuns(rows({fake_run(fake_spots(100))}));
        auto& plot = plots.histogram(SpotPlots::Plot::resolution);
        QVERIFY(plot.bands().isEmpty());
        plots.setIceRings({1 / (3.9 * 3.9)}, 0.002);
        QCOMPARE(plot.bands().size(), 1);
        QCOMPARE(plot.bands()[0].to - plot.bands()[0].from, 0.004);
        QVERIFY(plot.describe(1 / (3.9 * 3.9)).contains("ice"));
        plots.setIceRings({}, 0);
        QVERIFY(plot.bands().isEmpty());
    }

    void allPlotsCanBeExportedUnderNamesOfTheirOwn() {
        SpotPlots plots;
        plots.setRuns(rows({fake_run(fake_spots(100))}));
        QSet<QString> names, titles;
        for (const NamedPlot& plot : plots.plots()) {
            titles.insert(plot.title);
            names.insert(plot.plot->figureName());
            QVERIFY(plot.plot->csv().size() > 50);
        }
        QCOMPARE(names.size(), 4);
        QCOMPARE(titles.size(), 4);
    }

    void theyMayGoWhileShown() {
        auto* plots = new SpotPlots;
        plots->setRuns(rows({fake_run(fake_spots(100))}));
        plots->show();
        QSignalSpy hovered(plots, &SpotPlots::pointHovered), picked(plots, &SpotPlots::framePicked);
        delete plots;
        QCOMPARE(hovered.count() + picked.count(), 0);
    }
};

QTEST_MAIN(SpotPlotsTest)
#include "tst_spot_plots.moc"
