#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>
#include <QApplication>
#include <QListWidget>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "core/base/error.h"
#include "core/data/missing_value.h"
#include "ui/base/palette.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/curve_keys.h"
#include "ui/plots/curve_plot.h"

using namespace ks::ui;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

QVector<CurveSeries> curves() {
    return {{"1", 1, "run 7", {0, 1, 10, 100}, {1.4, 1.3, 1.2, 1.0}, {0.01, 0.01, 0.02, 0.1}},
            {"2", 2, "run 7", {0, 1, 10, 100}, {1.4, 1.2, missing, 1.0}, {0.01, 0.01, 0.02, 0.1}},
            {"1", 1, "run 6", {0, 1, 10, 100}, {1.4, 1.33, 1.2, 1.0}, {0.01, 0.04, 0.02, 0.1}}};
}

int coloured(const QImage& image, const QRect& area, const QColor& wanted) {
    int n = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) n += image.pixelColor(x, y).rgb() == wanted.rgb();
    }
    return n;
}

/// The text above the axes.
QString noteIn(const CurveFigure& figure) {
    for (int i = 0; i < figure.itemCount(); ++i)
        if (const auto* one = qobject_cast<QCPItemText*>(figure.item(i))) return one->text();
    return {};
}

}  // namespace

class TestCurvePlot : public QObject {
    Q_OBJECT
  private slots:
    void oneOfAUnitThatIsAWordIsSingular() {
        QCOMPARE(numberWithUnit("1", "frames"), QString("1 frame"));
        QCOMPARE(numberWithUnit("10", "frames"), QString("10 frames"));
        QCOMPARE(numberWithUnit("1", "s"), QString("1 s"));
        QCOMPARE(numberWithUnit("1", "GB/s"), QString("1 GB/s"));
        QCOMPARE(numberWithUnit("1", ""), QString("1"));
    }

    void manyCurvesAreDrawnTogetherEachAtItsPlace() {
        CurvePlot plot;
        plot.resize(900, 600);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setLogX(false);
        QVector<CurveSeries> all;
        for (int bin = 1; bin <= 30; ++bin)
            for (const char* const run : {"run 1", "run 2"}) {
                CurveSeries one{QString::number(bin), bin, run, {}, {}, {}};
                for (int i = 0; i < 100; ++i) {
                    one.x << i;
                    one.y << bin + (one.run == "run 2" ? 0.5 : 0.0);
                }
                one.y[50] = missing;
                all << one;
            }
        plot.setSeries(all);
        auto& figure = *plot.findChild<CurveFigure*>();
        QTRY_VERIFY(!figure.grab().isNull());
        const QImage image = figure.grab().toImage();
        const double ratio = image.devicePixelRatio();
        const bool dark = isDark(plot.palette());
        const auto drawn = [&](const CurveSeries& curve, double from, double to) {
            int n = 0;
            const int row = static_cast<int>(figure.yAxis->coordToPixel(curve.y[0]) * ratio);
            for (int column = static_cast<int>(figure.xAxis->coordToPixel(from) * ratio);
                 column < static_cast<int>(figure.xAxis->coordToPixel(to) * ratio); ++column)
                n += image.pixelColor(column, row).rgb() == binColour(curve.bin, dark).rgb() ? 1 : 0;
            return n /
                   ((to - from) * (figure.xAxis->coordToPixel(1) - figure.xAxis->coordToPixel(0)) * ratio);
        };
        for (const CurveSeries& curve : all) {
            // The first run is solid, the second one dashed, and none has a line to the missing value.
            const double share = drawn(curve, 1, 48);
            QVERIFY2(curve.run == "run 1" ? share > 0.97 : share > 0.5 && share < 0.75,
                     qPrintable(QString("%1 %2 %3").arg(curve.label, curve.run).arg(share)));
            QVERIFY(drawn(curve, 49.1, 50.9) < 0.1);
        }
        // Hidden curves are not drawn; of a few points, each has its marker.
        plot.setBinVisible(7, false);
        QTRY_COMPARE(figure.curves(), 58);
        plot.setSeries(curves());
        QTRY_VERIFY(!qobject_cast<CurveGraph*>(figure.graph(0))->inCrowd());
    }

    void manyCurvesInNoRoomAreNotDrawn() {
        CurvePlot plot;
        plot.setLegendVisible(false);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QVector<CurveSeries> all;
        for (const char* const run : {"run 1", "run 2"})
            for (int bin = 1; bin <= 60; ++bin) {
                CurveSeries one{QString::number(bin), bin, run, {}, {}, {}};
                for (int i = 1; i <= 100; ++i) {
                    one.x << i;
                    one.y << 1e-7 * i + bin;
                }
                all << one;
            }
        plot.setSeries(all);
        plot.setDifferenceVisible(true);
        plot.setYAxis("a title that is longer than the axis", "counts");
        plot.setNote("a note\nof two lines");
        auto& figure = *plot.findChild<CurveFigure*>();
        bool squeezed = false;
        for (const QSize& size :
             {QSize(900, 600), QSize(80, 60), QSize(30, 12), QSize(300, 20), QSize(20, 300)}) {
            figure.setViewport(QRect(QPoint(), size));
            figure.replot();
            squeezed = squeezed || figure.mainRect().rect().isEmpty() ||
                       (figure.differenceRect() && figure.differenceRect()->rect().isEmpty());
        }
        QVERIFY(squeezed);
    }

    void thePointUnderARestingCursorIsDescribedAsItIsNow() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QVector<CurveSeries> all = curves().mid(0, 1);
        all[0].leftOut = {false, false, true, false};
        plot.setSeries(all);
        QSignalSpy said(&plot, &CurvePlot::pointHovered);
        auto& figure = *plot.findChild<CurveFigure*>();
        const QPointF at(figure.xAxis->coordToPixel(10), figure.yAxis->coordToPixel(1.2));
        QMouseEvent move(QEvent::MouseMove, at, figure.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&figure, &move);
        QVERIFY(!said.isEmpty() && said.last().front().toString().endsWith(", left out"));
        all[0].leftOut[2] = false;  // by a click, after which the cursor rests
        plot.setSeries(all);
        QVERIFY2(said.last().front().toString().startsWith("1, run 7") &&
                     !said.last().front().toString().contains("left out"),
                 qPrintable(said.last().front().toString()));
    }

    void withTheToolForRangesThePointThatAClickMeansIsDescribed() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setLogX(false);
        plot.setXAxis("frame");
        CurveSeries counts{"all", 1, "", {}, {}, {}};
        counts.style = CurveStyle::line;
        for (int t = 0; t < 200; ++t) {
            counts.x << t;
            counts.y << t % 2;
        }
        plot.setSeries({counts});
        auto& figure = *plot.findChild<CurveFigure*>();
        figure.replot();
        QString said;
        connect(&plot, &CurvePlot::pointHovered, this, [&said](const QString& text) { said = text; });
        const auto hover = [&](double frame, double y) {
            said.clear();
            for (const double away : {1e9, 0.0}) {
                const QPointF at(figure.xAxis->coordToPixel(frame) - away, figure.yAxis->coordToPixel(y));
                QMouseEvent move(QEvent::MouseMove, at, figure.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                                 Qt::NoModifier);
                QApplication::sendEvent(&figure, &move);
            }
            return said;
        };
        QVERIFY2(hover(100.3, 1).startsWith("all: frame 101"), qPrintable(said));
        plot.setRangeTool(true);
        // A click there means frame 100, whose point is far away.
        QVERIFY2(hover(100.3, 1).isEmpty(), qPrintable(said));
        QVERIFY2(hover(100.3, 0).startsWith("all: frame 100"), qPrintable(said));
    }

    void pointsThatAreLeftOutAreHollow() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QVector<CurveSeries> all = curves();
        // Of the first run discs, of the second squares.
        for (CurveSeries* one : {&all[0], &all[2]}) {
            one->style = CurveStyle::scatter;
            one->yerr.clear();
            one->leftOut = {false, false, true, false};
            one->x[2] = 13;  // between the lines of the grid
        }
        all[0].y[2] = 1.137;
        all[2].y[2] = 1.263;
        all.removeAt(1);
        plot.setSeries(all);
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        figure.replot();
        const QImage image = figure.grab().toImage();
        const QColor ground = plot.palette().color(QPalette::Base);
        const auto at = [&](double x, double y) {
            return QPoint(qRound(figure.xAxis->coordToPixel(x)), qRound(figure.yAxis->coordToPixel(y)));
        };
        for (const CurveSeries& one : std::as_const(all)) {
            const QPoint used = at(one.x[1], one.y[1]), out = at(one.x[2], one.y[2]);
            QVERIFY(image.pixelColor(used) != ground);
            QCOMPARE(image.pixelColor(out), ground);
            int drawn = 0;
            for (int dx = -5; dx <= 5; ++dx) drawn += image.pixelColor(out + QPoint(dx, 0)) != ground;
            QVERIFY(drawn >= 2);
        }
    }

    void curvesOfOtherDataAreGreyNamedAndComparedWithNothing() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.setDifferenceVisible(true);
        QVector<CurveSeries> all = curves();
        all[2].foreign = true;
        all[2].run = "run 6 of a.h5";
        plot.setSeries(all);
        QVERIFY(plot.figure().content().differences().isEmpty());
        const QColor grey = binColour(0, isDark(plot.palette()));
        QCOMPARE(plot.figure().graph(2)->pen().color(), grey);
        QVERIFY(plot.figure().graph(0)->pen().color() != grey);
        const auto listed = [&plot] {
            QStringList texts;
            for (int i = 0; i < plot.legend().count(); ++i) texts << plot.legend().item(i)->text();
            return texts;
        };
        QVERIFY(listed().contains("run 6 of a.h5"));
        // Alone it stands under its name, too.
        plot.setSeries({all[2]});
        QCOMPARE(listed(), (QStringList{"run 6 of a.h5", "1"}));
        QCOMPARE(plot.visibleCurves(), 1);
    }

    void curvesOfOtherBinsAreNotCompared() {
        CurvePlot plot;
        plot.setDifferenceVisible(true);
        QVector<CurveSeries> all = curves();
        plot.setSeries(all);
        QCOMPARE(plot.figure().content().differences().size(), 1);
        all[2].basis = 1;
        plot.setSeries(all);
        QVERIFY(plot.figure().content().differences().isEmpty());
        // A third run on the bins of the second is compared with that one.
        all << CurveSeries{"1", 1, "run 5", {0, 1, 10, 100}, {1.4, 1.33, 1.2, 1.0}, {}};
        all[3].basis = 1;
        plot.setSeries(all);
        QCOMPARE(plot.figure().content().differences().size(), 1);
        QCOMPARE(plot.figure().content().differences().front().run, QString("run 5"));
    }

    void namesInTheLegendAreWholeAtEveryHeight() {
        CurvePlot plot;
        plot.setLegendTitle("bin, q (1/\u00c5)");
        QVector<CurveSeries> all;
        for (int bin = 1; bin <= 15; ++bin)
            all << CurveSeries{QString("%1  0.000821").arg(bin), bin, "", {1, 10}, {1.2, 1.1}, {}};
        plot.setSeries(all);
        plot.show();
        bool scrolled = false, whole = false;
        for (int height = 150; height < 450; ++height) {
            plot.resize(490, height);
            QCoreApplication::processEvents();
            const QListWidget& legend = plot.legend();
            const bool bar = legend.verticalScrollBar()->isVisible();
            (bar ? scrolled : whole) = true;
            QVERIFY2(legend.viewport()->width() >= legend.sizeHintForColumn(0),
                     qPrintable(QString("height %1").arg(height)));
            QVERIFY(bar || legend.verticalScrollBar()->maximum() == 0);
        }
        QVERIFY(scrolled && whole);
    }

    void runsOfOneFileCanBeToldApartInTheLegend() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        plot.setSeries({{"1", 1, "run 1 of rep_4.h5 as it was at 13:05:10", {1, 2}, {1, 2}, {}},
                        {"1", 1, "run 1 of rep_4.h5 as it was at 13:07:42", {1, 2}, {2, 1}, {}},
                        {"1", 1, "run 2 of rep_4.h5 as it was at 13:07:42", {1, 2}, {2, 3}, {}}});
        const QListWidget& legend = plot.legend();
        QSet<QString> shown;
        int runs = 0;
        for (int i = 0; i < legend.count(); ++i) {
            const QString text = legend.item(i)->text();
            if (!text.startsWith("run")) continue;
            ++runs;
            shown << legend.fontMetrics().elidedText(text, legend.textElideMode(),
                                                     legend.fontMetrics().averageCharWidth() * 22);
        }
        QCOMPARE(runs, 3);
        QCOMPARE(shown.size(), qsizetype{3});
    }

    void barsOfTimingsEndAtTheQuartiles() {
        CurveSeries times{"user.wr", 1, {}, {100, 1000}, {7.25, 72.5}, {}};
        times.low = {7, 64.5};
        times.high = {18, 180};
        CurvePlot plot;
        plot.resize(600, 400);
        plot.setLogY(true);
        plot.setXAxis("Size");
        plot.setYAxis("Kernels", "\u00b5s");
        plot.show();
        plot.setSeries({times});
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        QTest::qWait(50);
        QVERIFY(figure.yAxis->range().contains(180) && figure.yAxis->range().contains(7));
        const QCPErrorBars* bars = nullptr;
        for (int i = 0; i < figure.plottableCount(); ++i)
            if (const auto* const one = qobject_cast<QCPErrorBars*>(figure.plottable(i))) bars = one;
        QVERIFY(bars);
        QVERIFY(std::abs(bars->data()->at(1).errorMinus - 8) < 1e-9);
        QVERIFY(std::abs(bars->data()->at(1).errorPlus - 107.5) < 1e-9);
        QSignalSpy hovered(&plot, &CurvePlot::pointHovered);
        const QPointF at(figure.xAxis->coordToPixel(1000), figure.yAxis->coordToPixel(72.5));
        QMouseEvent move(QEvent::MouseMove, at, figure.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&figure, &move);
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().first().toString(),
                 QString("user.wr: Size 1000, Kernels 72.5 \u00b5s (quartiles 64.5 to 180 \u00b5s)"));
        QCOMPARE(QString::fromStdString(plot.csv()),
                 QString("label,Size,Kernels (\u00b5s),lower quartile of Kernels (\u00b5s),upper quartile of "
                         "Kernels (\u00b5s)\nuser.wr,100,7.25,7,18\nuser.wr,1000,72.5,64.5,180\n"));
    }

    void theTableHasTheColumnsThatThePlotHas() {
        CurvePlot plot;
        const auto table = [&plot] { return QString::fromStdString(plot.csv()); };
        plot.setXAxis("q", "1/m");
        plot.setYAxis("tau", "s");
        plot.setSeries({{"", 1, "", {1, 2}, {3, 4}, {0.5, 0.25}}});
        QCOMPARE(table(), QString("q (1/m),tau (s),error of tau (s)\n1,3,0.5\n2,4,0.25\n"));
        // A line has no errors.
        CurveSeries line{"law", 1, "", {1}, {3}, {}};
        line.style = CurveStyle::line;
        plot.setSeries({{"points", 1, "", {1}, {3}, {0.5}}, line});
        QCOMPARE(table(), QString("label,q (1/m),tau (s),error of tau (s)\npoints,1,3,0.5\nlaw,1,3,\n"));
        plot.setSeries({{"a", 1, "run 1", {1}, {3}, {}}, {"a", 1, "run 2", {1}, {4}, {}}});
        QCOMPARE(table(), QString("run,label,q (1/m),tau (s)\nrun 1,a,1,3\nrun 2,a,1,4\n"));
        plot.setOfBins(true);
        plot.setSeries({{"", 7, "", {1}, {3}, {}}});
        QCOMPARE(table(), QString("bin,q (1/m),tau (s)\n7,1,3\n"));
        plot.setOfBins(false);
        // What is not ticked is in no row, and adds no column.
        plot.setSeries({{"", 1, "", {1}, {3}, {}}, {"b", 2, "run 2", {1}, {4}, {0.5}}});
        plot.setBinVisible(2, false);
        QCOMPARE(table(), QString("q (1/m),tau (s)\n1,3\n"));
    }

    void aTickOfTheLegendHidesTheCurvesOfItsBin() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.setSeries(curves());
        QCOMPARE(plot.visibleCurves(), 3);
        QSignalSpy spy(&plot, &CurvePlot::binVisibilityChanged);
        QListWidgetItem* item = nullptr;
        for (int i = 0; i < plot.legend().count(); ++i) {
            if (plot.legend().item(i)->text() == "1") item = plot.legend().item(i);
        }
        QVERIFY(item);
        item->setCheckState(Qt::Unchecked);
        QCOMPARE(plot.visibleCurves(), 1);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.at(0).at(0).toInt(), 1);
        QVERIFY(!plot.binVisible(1));
        plot.setSeries(curves());
        QCOMPARE(plot.visibleCurves(), 1);
        plot.setBinVisible(1, true);
        QCOMPARE(plot.visibleCurves(), 3);
        plot.setRunVisible("run 6", false);
        QCOMPARE(plot.visibleCurves(), 2);
    }

    void delayZeroIsOnTheLinearAxisOnly() {
        CurvePlot plot;
        plot.setSeries(curves());
        plot.setLogX(true);
        QCOMPARE(plot.figure().graph(0)->dataCount(), 3);
        plot.setLogX(false);
        QCOMPARE(plot.figure().graph(0)->dataCount(), 4);
    }

    void aNanIsAGap() {
        // A horizontal line with and without a hole in the middle: the hole must stay empty.
        CurveSeries line{"1", 1, {}, {}, {}, {}, CurveStyle::line};
        for (int i = 0; i <= 100; ++i) {
            line.x << i;
            line.y << 1.0;
        }
        CurvePlot plot;
        plot.setLogX(false);
        plot.resize(600, 300);
        plot.show();
        int drawn[2];
        for (const bool hole : {false, true}) {
            if (hole) {
                for (int i = 40; i <= 60; ++i) line.y[i] = missing;
            }
            plot.setSeries({line});
            const auto& figure = *plot.findChild<CurveFigure*>();
            auto& shown = const_cast<CurveFigure&>(figure);
            shown.replot();
            const int left = static_cast<int>(shown.xAxis->coordToPixel(42));
            const int right = static_cast<int>(shown.xAxis->coordToPixel(58));
            const int y = static_cast<int>(shown.yAxis->coordToPixel(1));
            drawn[hole] = coloured(shown.toPixmap(shown.width(), shown.height()).toImage(),
                                   QRect(left, y - 3, right - left, 6), binColour(1, isDark(plot.palette())));
        }
        QVERIFY(drawn[0] > 20);
        QCOMPARE(drawn[1], 0);
    }

    void aSinglePeakOfAMillionPointsIsDrawn() {
        CurveSeries line{"1", 1, {}, {}, {}, {}, CurveStyle::line};
        constexpr int points = 1'000'000, peak = 654'321, firstGone = 200'000, lastGone = 300'000;
        for (int i = 0; i < points; ++i) {
            line.x << i;
            line.y << (i >= firstGone && i < lastGone ? missing : i == peak ? 5.0 : i % 2);
        }
        CurvePlot plot;
        plot.setLogX(false);
        plot.resize(900, 400);
        plot.show();
        plot.setSeries({line});
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        const QColor colour = binColour(1, isDark(plot.palette()));
        // Of the whole, and of a part in which a column still has many points.
        for (const QCPRange& range : {figure.xAxis->range(), QCPRange(600'000, 700'000)}) {
            figure.xAxis->setRange(range);
            figure.replot();
            const QImage image = figure.grab().toImage();
            const auto at = [&](double x, double y) {
                return QPoint(qRound(figure.xAxis->coordToPixel(x)), qRound(figure.yAxis->coordToPixel(y)));
            };
            const QPoint top = at(peak, 4.5), beside = at(peak + 0.05 * range.size(), 4.5);
            QVERIFY(coloured(image, QRect(top - QPoint(2, 2), QSize(5, 5)), colour) > 0);
            QCOMPARE(coloured(image, QRect(beside - QPoint(2, 2), QSize(5, 5)), colour), 0);
            const QPoint dense = at(range.center() - 0.1 * range.size(), 0.5);
            QVERIFY(coloured(image, QRect(dense - QPoint(2, 2), QSize(5, 5)), colour) > 10);
            if (range.contains(firstGone)) {
                const QPoint gap = at((firstGone + lastGone) / 2, 0.5);
                QCOMPARE(coloured(image, QRect(gap - QPoint(20, 20), QSize(40, 40)), colour), 0);
            }
        }
        const std::string text = plot.csv();
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{points} + 1);
    }

    void manyPointsLoseTheirMarkersUntilFewAreVisible() {
        QVector<CurveSeries> many;
        for (int bin = 1; bin <= 120; ++bin) {
            CurveSeries one{QString::number(bin), bin, {}, {}, {}, {}};
            for (int i = 1; i <= 500; ++i) {
                one.x << i;
                one.y << 1 + 0.001 * bin;
                one.yerr << 0.01;
            }
            many << one;
        }
        CurvePlot plot;
        plot.setLogX(false);
        plot.resize(600, 400);
        plot.show();
        plot.setSeries(many);
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        const auto bars = [&figure] {
            int shown = 0;
            for (int i = 0; i < figure.plottableCount(); ++i)
                if (const auto* one = qobject_cast<QCPErrorBars*>(figure.plottable(i)))
                    shown += one->visible();
            return shown;
        };
        figure.replot();
        QCOMPARE(bars(), 0);
        figure.xAxis->setRange(10, 20);
        figure.replot();
        QCOMPARE(bars(), 120);
    }

    void theAxisOfAConstantCurveCanBeRead_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("noise");
        QTest::newRow("1") << 1.0 << 0.0;
        QTest::newRow("1 and its rounding") << 1.0 << 2.3e-16;
        QTest::newRow("small") << 1e-5 << 1e-21;
        QTest::newRow("large") << 7e12 << 0.002;
        QTest::newRow("0") << 0.0 << 0.0;
        QTest::newRow("a millionth") << 1.0 << 1e-6;
        QTest::newRow("the last digits") << 1.0 << 1e-11;
    }
    void theAxisOfAConstantCurveCanBeRead() {
        QFETCH(double, value);
        QFETCH(double, noise);
        CurveSeries line{"1", 1, {}, {1, 2, 3}, {value, value + noise, value}, {}};
        CurvePlot plot;
        plot.resize(600, 400);
        plot.show();
        for (const bool logY : {false, true}) {
            if (logY && value == 0) continue;
            plot.setLogY(logY);
            plot.setSeries({line});
            auto& figure = const_cast<CurveFigure&>(plot.figure());
            figure.replot();
            QVector<QString> labels = figure.yAxis->tickVectorLabels();
            QVERIFY(labels.size() >= 2);
            const QSet<QString> different(labels.begin(), labels.end());
            QVERIFY2(different.size() == labels.size(), qPrintable(labels.join(' ')));
            QVERIFY2(!different.contains(QString()), qPrintable(labels.join(' ')));
            for (const QString& label : labels) QVERIFY2(label.size() <= 16, qPrintable(labels.join(' ')));
            QVERIFY(figure.yAxis->range().contains(value));
        }
    }

    void differencesAreInUnitsOfTheError() {
        CurvePlot plot;
        plot.setSeries(curves());
        plot.setDifferenceVisible(true);
        const auto differences = plot.figure().content().differences();
        QCOMPARE(differences.size(), 1);
        QCOMPARE(differences[0].run, QString("run 6"));
        QCOMPARE(differences[0].y[0], 0.0);
        QVERIFY(std::abs(differences[0].y[1] - 0.03 / std::hypot(0.01, 0.04)) < 1e-9);
        QVERIFY(plot.figure().differenceRect());
        plot.setDifferenceVisible(false);
        QVERIFY(!plot.figure().differenceRect());
    }

    void runsWithOtherDelaysAreComparedWhereBothHaveOne() {
        CurvePlot plot;
        plot.setSeries({{"1", 1, "run 1", {1, 2, 3, 4, 5, 6}, {1.6, 1.5, 1.4, 1.3, 1.2, 1.1}, {}},
                        {"1", 1, "run 2", {1, 2 * (1 + 1e-15), 4, 7}, {1.6, 1.25, 1.1, 1}, {}}});
        plot.setDifferenceVisible(true);
        const auto differences = plot.figure().content().differences();
        QCOMPARE(differences.size(), 1);
        QCOMPARE(differences[0].x.size(), 3);
        QCOMPARE(differences[0].x[2], 4.0);
        QVERIFY(std::abs(differences[0].y[1] + 0.25) < 1e-9);
        QVERIFY(std::abs(differences[0].y[2] + 0.2) < 1e-9);
        plot.setSeries({{"1", 1, "run 2", {1, 2, 4, 7}, {1.6, 1.25, 1.1, 1}, {}},
                        {"1", 1, "run 1", {1, 2, 3, 4, 5, 6}, {1.6, 1.5, 1.4, 1.3, 1.2, 1.1}, {}}});
        QCOMPARE(plot.figure().content().differences()[0].x, (QVector<double>{1, 2, 4}));
    }

    void theResidualOfAFitIsInUnitsOfTheError() {
        CurvePlot plot;
        plot.setSeries({{"1", 1, "run 7", {1, 2, 3}, {1.4, 1.3, 1.2}, {0.05, 0.05, 0.05}},
                        {"fit", 1, "run 7", {1, 3}, {1.5, 1.1}, {}, CurveStyle::line}});
        const auto differences = plot.figure().content().differences();
        QCOMPARE(differences.size(), 1);
        QVERIFY(std::abs(differences[0].y[0] + 2) < 1e-9);
        QVERIFY(std::abs(differences[0].y[1]) < 1e-9);
        QVERIFY(std::abs(differences[0].y[2] - 2) < 1e-9);
    }

    /// Of errors of g2, for example: far below 1, and without errors.
    void theAxisOfDifferencesFollowsThem() {
        CurvePlot plot;
        plot.setSeries({{"1", 1, "run 1", {1, 2, 3}, {0.0015, 0.0016, 0.0017}, {}},
                        {"1", 1, "run 2", {1, 2, 3}, {0.0007, 0.0008, 0.0008}, {}}});
        plot.setDifferenceVisible(true);
        plot.resetZoom();
        QCPRange range = plot.figure().differenceRect()->axis(QCPAxis::atLeft)->range();
        QVERIFY2(range.lower < -0.0009 && range.lower > -0.0012, qPrintable(QString::number(range.lower)));
        QVERIFY2(range.upper >= 0 && range.upper < 0.0005, qPrintable(QString::number(range.upper)));
        // Residuals of a fit without errors.
        plot.setSeries({{"1", 1, "run 1", {1, 2, 3}, {0.0015, 0.0016, 0.0017}, {}},
                        {"fit", 1, "run 1", {1, 3}, {0.0015, 0.0015}, {}, CurveStyle::line}});
        plot.resetZoom();
        range = plot.figure().differenceRect()->axis(QCPAxis::atLeft)->range();
        QVERIFY2(range.upper < 0.001, qPrintable(QString::number(range.upper)));
    }

    /// The axis of residuals leaves out the largest, which are the worst points of a fit.
    void aResidualBeyondTheAxisHasAnArrow() {
        CurveSeries points{"1", 1, "run 1", {}, {}, {}};
        CurveSeries fit{"fit", 1, "run 1", {}, {}, {}, CurveStyle::line};
        for (int i = 0; i < 100; ++i) {
            points.x << i;
            points.y << (i % 2 == 0 ? 1.0 : -1.0);
            points.yerr << 1.0;
            fit.x << i;
            fit.y << 0.0;
        }
        points.y[20] = 26;
        points.y[70] = -9;
        CurvePlot plot;
        plot.resize(700, 500);
        plot.setDifferenceVisible(true);
        plot.setSeries({points, fit});
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.resetZoom();
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        figure.replot(QCustomPlot::rpImmediateRefresh);
        QCPAxisRect* const rect = figure.differenceRect();
        const auto* const graph = dynamic_cast<CurveGraph*>(rect->graphs().front());
        QVERIFY(graph);
        QVERIFY(rect->axis(QCPAxis::atLeft)->range().upper < 9);
        QCOMPARE(graph->pointsBeyond(), 2);
        // Beside its tip, the arrow has the colour of the curve.
        const QImage seen = figure.grab().toImage();
        const auto isDrawn = [&](double x, int y) {
            const int column = qRound(rect->axis(QCPAxis::atBottom)->coordToPixel(x));
            const QColor at = seen.pixelColor(column, y), colour = graph->pen().color();
            return std::abs(at.red() - colour.red()) < 40 && std::abs(at.green() - colour.green()) < 40 &&
                   std::abs(at.blue() - colour.blue()) < 40;
        };
        QVERIFY(isDrawn(20, rect->top() + 5));
        QVERIFY(isDrawn(70, rect->bottom() - 5));
        QVERIFY(!isDrawn(45, rect->top() + 5));
        QVERIFY(!isDrawn(20, rect->bottom() - 5));
        rect->axis(QCPAxis::atLeft)->setRange(-30, 30);
        QCOMPARE(graph->pointsBeyond(), 0);
        // Nor has a point of the curve itself.
        const auto* const above = dynamic_cast<CurveGraph*>(figure.graph(0));
        figure.yAxis->setRange(0, 2);
        QCOMPARE(above->pointsBeyond(), 0);
    }

    void unknownErrorsAreNone() {
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        const QVector<double> none{unknown, unknown};
        CurvePlot plot;
        plot.setDifferenceVisible(true);
        plot.setSeries(
            {{"1", 1, "run 1", {1, 2}, {1.5, 1.25}, {0.5, 0.5}}, {"1", 1, "run 2", {1, 2}, {1.75, 1}, none}});
        QCOMPARE(plot.figure().content().differences()[0].y, (QVector<double>{0.5, -0.5}));
        plot.setSeries(
            {{"1", 1, "run 1", {1, 2}, {1.5, 1.25}, none}, {"1", 1, "run 2", {1, 2}, {1.75, 1}, none}});
        QCOMPARE(plot.figure().content().differences()[0].y, (QVector<double>{0.25, -0.25}));
        QVERIFY(!plot.figure().content().differenceTitle().contains("error"));
        // A fit may have errors of its own.
        CurveSeries points{"1", 1, "run 1", {1, 2}, {1.5, 1.25}, none};
        points.fitErrors = {0.25, 0.5};
        plot.setSeries({points, {"fit", 1, "run 1", {1, 2}, {1.25, 1.5}, {}, CurveStyle::line}});
        QCOMPARE(plot.figure().content().differences()[0].y, (QVector<double>{1, -0.5}));
        QCOMPARE(plot.figure().content().differenceTitle(), QString("residual / \u03c3"));
    }

    void runsDifferInPatternBinsInColour() {
        CurvePlot plot;
        plot.setSeries(curves());
        const auto& figure = *plot.findChild<CurveFigure*>();
        QCOMPARE(figure.graph(0)->pen().color(), figure.graph(2)->pen().color());
        QVERIFY(figure.graph(0)->pen().style() != figure.graph(2)->pen().style());
        QVERIFY(figure.graph(0)->pen().color() != figure.graph(1)->pen().color());
    }

    void unequalLengthsAreRefused() {
        CurvePlot plot;
        QVERIFY_EXCEPTION_THROWN(plot.setSeries({{"1", 1, {}, {1, 2}, {1}, {}}}), ks::Error);
        QVERIFY(plot.series().isEmpty());
    }

    void valuesThatAreNotDrawnAreCounted() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                         endless = std::numeric_limits<double>::infinity();
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        const auto note = [&plot] { return noteIn(plot.figure()); };
        plot.setSeries({{"a", 1, "", {1, 2, 3}, {1, 2, 3}, {}}});
        QCOMPARE(note(), QString());
        plot.setSeries({{"a", 1, "", {1, 2, 3}, {nan, nan, 3}, {}}});
        QCOMPARE(note(), QString("2 of 3 values are NaN, not drawn"));
        plot.setNote("of other parameters");
        QCOMPARE(note(), QString("of other parameters\n2 of 3 values are NaN, not drawn"));
        plot.setNote({});
        QCOMPARE(note(), QString("2 of 3 values are NaN, not drawn"));
        plot.setSeries({{"a", 1, "run 1", {1, 2, 3}, {1, endless, 3}, {}},
                        {"b", 2, "run 1", {1, 2, 3}, {1, 2, 3}, {}},
                        {"a", 1, "run 2", {1, 2}, {nan, -endless}, {}}});
        QCOMPARE(note(), QString("run 1: 1 of 6 values is infinite, not drawn\n"
                                 "run 2: 2 of 2 values are NaN or infinite, not drawn"));
        plot.setBinVisible(1, false);
        QCOMPARE(note(), QString());
        // What was never measured is no value.
        plot.setSeries({{"a", 3, "", {1, 2, 3}, {1, 2, ks::missing_value}, {}}});
        QCOMPARE(note(), QString());
        plot.setSeries({{"a", 3, "", {1, 2, 3}, {1, nan, ks::missing_value}, {}}});
        QCOMPARE(note(), QString("1 of 2 values is NaN, not drawn"));
        QVERIFY(QString::fromStdString(plot.csv()).endsWith(",2,nan\na,3,\n"));
        plot.setSeries({{"a", 1, "run 1", {1, 2, 3}, {1, endless, 3}, {}}});
        // An infinite value does not stretch the axis, and no line leads to it.
        plot.setBinVisible(1, true);
        QVERIFY(plot.figure().yAxis->range().upper < 10);
    }

    void valuesThatNoAxisHasAreLeftOutOfItsRange() {
        CurvePlot plot;
        plot.setLogX(false);
        plot.resize(500, 300);
        plot.show();
        const auto note = [&plot] { return noteIn(plot.figure()); };
        const auto isWithin = [](const QCPRange& range, double low, double high) {
            const double border = 0.2 * (high - low);
            return range.lower > low - border && range.lower <= low && range.upper >= high &&
                   range.upper < high + border;
        };
        // What memory that was never written may hold.
        plot.setSeries({{"a", 1, "", {1, 2, 3, 4}, {1.2, -7.5e301, 1.5, 1e300}, {0.1, 0.1, 0.1, 0.1}}});
        QCOMPARE(note(), QString::fromUtf8("2 of 4 values are beyond \u00b11e+150, not drawn"));
        QVERIFY(isWithin(plot.figure().yAxis->range(), 1.1, 1.6));
        QVERIFY(isWithin(plot.figure().xAxis->range(), 1, 3));
        plot.setLogY(true);
        QVERIFY(isWithin(plot.figure().yAxis->range(), 1.1, 1.6));
        plot.setLogY(false);
        // Errors and places as well.
        plot.setSeries({{"a", 1, "", {-1e300, 2, 3, 1e300}, {5, 1.2, 1.5, missing}, {0, 1e300, 0.1, 0}}});
        QCOMPARE(note(), QString::fromUtf8("2 of 4 values are NaN or beyond \u00b11e+150, not drawn"));
        QVERIFY(isWithin(plot.figure().yAxis->range(), 1.2, 1.6));
        QVERIFY(isWithin(plot.figure().xAxis->range(), 2, 3));
        // In the panel of differences: 1.3 - 1.2 and 1.5 - 1.5.
        plot.setDifferenceVisible(true);
        plot.setSeries({{"a", 1, "run 1", {1, 2, 3}, {1.2, 1.2, 1.5}, {}},
                        {"a", 1, "run 2", {1, 2, 3}, {-7.5e301, 1.3, 1.5}, {}}});
        QCOMPARE(note(), QString::fromUtf8("run 2: 1 of 3 values is beyond \u00b11e+150, not drawn"));
        QVERIFY(isWithin(plot.figure().differenceRect()->axis(QCPAxis::atLeft)->range(), 0, 0.1));
        plot.setDifferenceVisible(false);
        // Nor has an axis a range that is too short.
        plot.setSeries({{"a", 1, "", {1, 2}, {0, 1e-300}, {}}});
        QVERIFY(plot.figure().yAxis->range().contains(0));
        QVERIFY(QCPRange::validRange(plot.figure().yAxis->range()));
        plot.setSeries({{"a", 1, "", {1, 2}, {7e301, -7e301}, {}}});
        QCOMPARE(note(), QString::fromUtf8("2 of 2 values are beyond \u00b11e+150, not drawn"));
        plot.grab();
    }

    void aNoteOfAnyLengthLeavesTheCurvesMostOfTheHeight() {
        CurvePlot plot;
        plot.setLegendVisible(false);
        plot.resize(500, 300);
        plot.show();
        plot.setSeries(curves());
        QStringList runs;
        for (int i = 1; i <= 12; ++i) runs << QString("run %1 computed with other settings (Size)").arg(i);
        const QString whole = runs.join(", ");
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        for (const QString& brief : {QString(), QString("Run 1 computed with other settings and 11 more")}) {
            plot.setNote(whole, brief);
            figure.replot();
            const QRectF note = figure.noteRect();
            QVERIFY2(note.top() >= 0 && note.height() <= 0.3 * figure.height(),
                     qPrintable(QString::number(note.height())));
            QVERIFY(note.bottom() <= figure.mainRect().top() + 1);
            QVERIFY2(figure.mainRect().height() >= figure.height() / 2,
                     qPrintable(QString::number(figure.mainRect().height())));
            // Figures and tables have all of it.
            QVERIFY(plot.csv().find("run 12 computed") != std::string::npos);
            QTest::mouseMove(&figure, note.center().toPoint());
            QTRY_VERIFY2(QToolTip::text().startsWith(whole), qPrintable(QToolTip::text()));
            QToolTip::hideText();
            QTest::mouseMove(&figure, QPoint(5, figure.height() - 5));
        }
    }

    void aNoteStandsAboveTheFrameAndWraps() {
        for (const int width : {220, 500}) {
            CurvePlot plot;
            plot.setLegendVisible(false);
            plot.resize(width, 300);
            plot.show();
            QVector<CurveSeries> finite = curves();
            finite[1].y[2] = 1.1;
            plot.setSeries(finite);
            const_cast<CurveFigure&>(plot.figure()).replot();
            const int top = plot.figure().mainRect().top();
            plot.setNote("of other parameters (Sigma strong, 2 more)\nnot compared: runs with other bins");
            const_cast<CurveFigure&>(plot.figure()).replot();
            const QRectF note = plot.figure().noteRect();
            QVERIFY(note.height() >= 2 * plot.fontMetrics().height());
            QVERIFY2(note.bottom() <= plot.figure().mainRect().top() + 1 && note.top() >= 0,
                     qPrintable(QStringLiteral("%1 to %2").arg(note.top()).arg(note.bottom())));
            QVERIFY(note.left() >= 0 && note.right() <= plot.figure().width());
            plot.setNote({});
            const_cast<CurveFigure&>(plot.figure()).replot();
            QVERIFY(plot.figure().noteRect().isEmpty());
            QCOMPARE(plot.figure().mainRect().top(), top);
        }
    }

    void anEmptyPlotHasNoMark() {
        CurvePlot plot;
        plot.resize(400, 200);
        plot.setEmptyText("Run (F5)");
        plot.setBands({{4, 4, 0}});
        QCOMPARE(plot.figure().itemCount(), 2);  // the text, and the ring that follows the cursor
        plot.setSeries(curves());
        QVERIFY(plot.figure().itemCount() > 2);
    }

    void keysOfSeveralPlotsWrapAndHideTheirBins() {
        CurveKeys keys;
        QVector<CurveSeries> all;
        for (int bin = 1; bin <= 8; ++bin)
            all << CurveSeries{
                QStringLiteral("column.local.%1, slope 2.9%1").arg(bin), bin, {}, {1, 2}, {1, 2}, {}};
        keys.resize(900, 20);
        keys.show();
        keys.setSeries(all);
        QCOMPARE(keys.count(), 8);
        const auto allInside = [&keys] {
            for (int i = 0; i < keys.count(); ++i)
                if (!keys.viewport()->rect().contains(keys.visualItemRect(keys.item(i)))) return false;
            return true;
        };
        QTRY_VERIFY(allInside());
        const int wide = keys.height();
        keys.resize(520, keys.height());
        QTRY_VERIFY(allInside());
        QVERIFY2(keys.height() > wide, qPrintable(QString::number(keys.height())));
        QSignalSpy ticked(&keys, &CurveKeys::binTicked);
        keys.item(2)->setCheckState(Qt::Unchecked);
        QCOMPARE(ticked.size(), 1);
        QCOMPARE(ticked[0][0].toInt(), 3);
        QCOMPARE(ticked[0][1].toBool(), false);
        all[2].label = "column.local.3, slope 2.80";
        keys.setSeries(all);
        QCOMPARE(keys.item(2)->checkState(), Qt::Unchecked);
        QCOMPARE(ticked.size(), 1);
    }

    void smallDecadesAreWrittenInFull() {
        CurvePlot plot;
        plot.resize(600, 300);
        plot.show();
        plot.setSeries(curves());
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        figure.xAxis->setRange(0.5, 200);
        figure.replot();
        QVector<QString> labels = figure.xAxis->tickVectorLabels();
        QVERIFY(labels.contains("1") && labels.contains("10") && labels.contains("100"));
    }
};

QTEST_MAIN(TestCurvePlot)
#include "tst_curve_plot.moc"
