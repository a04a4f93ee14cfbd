#include <qcustomplot.h>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/data/missing_value.h"
#include "ui/base/palette.h"
#include "ui/plots/histogram_content.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/plot_text.h"

using namespace ks::ui;

namespace {

QVector<HistogramSeries> two() {
    return {{"all", 0, "", {100, 120, 140, 160}, {3, 12, 1}},
            {"kept", 1, "", {100, 120, 140, 160}, {0, 9, 1}}};
}

/// Pixels of about this colour in the column of x.
int drawnAt(const QImage& image, int x, const QColor& colour) {
    int n = 0;
    for (int y = 0; y < image.height(); ++y) n += image.pixelColor(x, y).rgb() == colour.rgb();
    return n;
}

}  // namespace

class TestHistogramPlot : public QObject {
    Q_OBJECT
  private slots:
    void tallerBinsAreSeenUnlessAHandHasZoomed() {
        HistogramPlot plot;
        plot.resize(400, 300);
        plot.setSeries({{"a", 1, {}, {0, 1, 2}, {3, 4}}});
        plot.setSeries({{"a", 1, {}, {0, 1, 2}, {3, 400}}});
        QVERIFY(plot.plot().yAxis->range().upper > 400);
        plot.plot().yAxis->setRange(0, 7);
        plot.setSeries({{"a", 1, {}, {0, 1, 2}, {3, 500}}});
        QCOMPARE(plot.plot().yAxis->range().upper, 7.0);
    }

    void aHandMovesAMarkAndThePlotWaitsForTheOther() {
        HistogramPlot plot;
        plot.resize(400, 300);
        plot.show();
        plot.setSeries({{"a", 1, {}, {0, 50, 100}, {3, 4}}});
        plot.setMarks({{20, 1, "cut"}, {60, 1, "other"}});
        QCustomPlot& figure = plot.plot();
        figure.replot();
        const int y = figure.axisRect()->center().y();
        const auto at = [&](double x) { return QPoint(qRound(figure.xAxis->coordToPixel(x)), y); };
        QSignalSpy dragged(&plot, &HistogramPlot::markDragged);
        const QCPRange before = figure.xAxis->range();
        QTest::mousePress(&figure, Qt::LeftButton, {}, at(60));
        QTest::mouseRelease(&figure, Qt::LeftButton, {}, at(80));
        QCOMPARE(dragged.size(), 1);
        QCOMPARE(dragged[0][0].toInt(), 1);
        QVERIFY(std::abs(dragged[0][1].toDouble() - 80) < 1);
        QVERIFY(dragged[0][2].toBool());
        QCOMPARE(plot.marks()[1].x, 60.0);
        QCOMPARE(figure.xAxis->range(), before);
        // Beside the lines nothing is dragged.
        QTest::mousePress(&figure, Qt::LeftButton, {}, at(40));
        QTest::mouseRelease(&figure, Qt::LeftButton, {}, at(45));
        QCOMPARE(dragged.size(), 1);
    }

    void theLegendCoversNoBin_data() {
        QTest::addColumn<QVector<double>>("counts");
        QTest::newRow("highest on the left") << QVector<double>{90, 70, 40, 20, 10};
        QTest::newRow("highest on the right") << QVector<double>{10, 20, 40, 70, 90};
        QTest::newRow("equal") << QVector<double>{50, 50, 50, 50, 50};
    }
    void theLegendCoversNoBin() {
        QFETCH(QVector<double>, counts);
        HistogramPlot plot;
        const QVector<double> edges{1, 2, 4, 8, 16, 32};
        plot.setSeries({{"all", 0, "run 1", edges, counts},
                        {"kept", 1, "run 1", edges, counts},
                        {"all", 0, "preview", edges, counts},
                        {"kept", 1, "preview", edges, counts}});
        plot.show();
        for (const bool logX : {false, true})
            for (const bool logY : {false, true})
                for (const QSize size : {QSize(360, 190), QSize(700, 400)}) {
                    plot.setLogX(logX);
                    plot.setLogY(logY);
                    plot.resize(size);
                    QCoreApplication::processEvents();
                    QCustomPlot& figure = plot.plot();
                    figure.replot();
                    const QRect legend = figure.legend->outerRect();
                    QVERIFY(figure.legend->visible() && figure.axisRect()->rect().contains(legend));
                    for (qsizetype i = 0; i < counts.size(); ++i) {
                        const double from = figure.xAxis->coordToPixel(edges[i]),
                                     to = figure.xAxis->coordToPixel(edges[i + 1]);
                        if (to < legend.left() || from > legend.right()) continue;
                        QVERIFY2(figure.yAxis->coordToPixel(counts[i]) > legend.bottom(),
                                 qPrintable(QStringLiteral("bin %1, %2 x %3, %4 %5")
                                                .arg(i)
                                                .arg(size.width())
                                                .arg(size.height())
                                                .arg(logX)
                                                .arg(logY)));
                    }
                }
    }

    void aLongNoteLiesAboveTheAxes() {
        HistogramPlot plot;
        plot.setSeries(two());
        plot.setNote(
            "outdated (Threshold, Kernel size, Gain, Global threshold), a preview of the visible frame");
        plot.show();
        const QRgb ground = plot.palette().color(QPalette::Highlight).rgb();
        for (const int width : {700, 340, 260}) {
            plot.resize(width, 300);
            QCoreApplication::processEvents();
            plot.plot().replot();
            const QImage image = plot.plot().grab().toImage();
            const QRect axes = plot.plot().axisRect()->rect();
            int above = 0, inside = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) == ground) ++(y < axes.top() ? above : inside);
            QVERIFY2(above > 500 && inside == 0, qPrintable(QString::number(inside)));
        }
    }

    void theHoverTextNamesTheBinAndEachSeries() {
        HistogramPlot plot;
        plot.setXAxis("Sum", "counts");
        plot.setCounted("Spots");
        plot.setSeries({two()[0]});
        QCOMPARE(plot.describe(130), QString::fromUtf8("bin 120\u2013140 counts: 12 spots"));
        plot.setSeries(two());
        QCOMPARE(plot.describe(120),
                 QString::fromUtf8("bin 120\u2013140 counts: 12 spots (all), 9 spots (kept)"));
        HistogramSeries single = two()[0];
        single.counts.fill(1);
        plot.setCounted("Spots", "spot");
        plot.setSeries({single});
        QCOMPARE(plot.describe(130), QString::fromUtf8("bin 120\u2013140 counts: 1 spot"));
        plot.setSeries(two());
        QVERIFY(plot.describe(130).contains("12 spots"));
        QVERIFY(plot.describe(99).isEmpty());
        QVERIFY(plot.describe(160).isEmpty());
        plot.setBands({{125, 135, "ice"}}, "ice");
        QVERIFY(plot.describe(130).endsWith("; ice"));
        QVERIFY(!plot.describe(121).contains("ice"));
    }

    void theOutlineStepsThroughTheBinsAndEndsOnTheAxis() {
        HistogramPlot plot;
        plot.setSeries({two()[0]});
        const auto data = plot.plot().graph(0)->data();
        const QVector<QPointF> expected{{100, 0}, {100, 3}, {120, 12}, {140, 1}, {160, 0}};
        QCOMPARE(data->size(), expected.size());
        for (int i = 0; i < expected.size(); ++i)
            QCOMPARE(QPointF(data->at(i)->key, data->at(i)->value), expected[i]);
    }

    void aBinIsDrawnAsHighAsItsCount() {
        HistogramPlot plot;
        plot.resize(500, 300);
        plot.setSeries({{"", 1, "", {0, 1, 2, 3, 4}, {5, 20, 10, 0}}});
        plot.show();
        plot.plot().replot();
        const QImage image = plot.plot().toPixmap(plot.plot().width(), plot.plot().height()).toImage();
        const QColor colour = binColour(1, isDark(plot.palette()));
        const int x = qRound(plot.plot().xAxis->coordToPixel(1.5));
        const int y = qRound(plot.plot().yAxis->coordToPixel(20));
        bool there = false;
        for (int d = -2; d <= 2; ++d) there = there || image.pixelColor(x, y + d).rgb() == colour.rgb();
        QVERIFY(there);
        QCOMPARE(drawnAt(image, qRound(plot.plot().xAxis->coordToPixel(2.5)), colour) > 0, true);
        QVERIFY(plot.plot().yAxis->range().upper > 20);
        QCOMPARE(plot.plot().yAxis->range().lower, 0.0);
    }

    void anEmptyBinOnALogarithmicAxisIsBelowWhatIsSeen() {
        HistogramPlot plot;
        plot.setSeries({{"", 1, "", {0, 1, 2, 3}, {5, 0, 1000}}});
        plot.setLogY(true);
        QVERIFY(plot.plot().yAxis->range().lower < 1);
        QVERIFY(plot.plot().yAxis->range().lower > 0);
        const auto data = plot.plot().graph(0)->data();
        for (const QCPGraphData& point : *data) QVERIFY(point.value > 0);
        QVERIFY(data->at(2)->value < plot.plot().yAxis->range().lower);
        plot.setLogX(true);  // the bin from 0 has no place there
        QCOMPARE(plot.plot().graph(0)->data()->at(0)->key, 1.0);
        QVERIFY(plot.plot().xAxis->range().lower > 0);
    }

    void runsDifferInPatternKindsInColour() {
        auto series = two();
        series[0].run = "run 1";
        series[1].run = "run 1";
        auto second = two()[1];
        second.run = "run 2";
        series << second;
        HistogramPlot plot;
        plot.setSeries(series);
        const auto pen = [&](int i) { return plot.plot().graph(i)->pen(); };
        QCOMPARE(pen(1).color(), pen(2).color());
        QVERIFY(pen(1).style() != pen(2).style());
        QCOMPARE(pen(0).style(), pen(1).style());
        QVERIFY(pen(0).color() != pen(1).color());
        QCOMPARE(plot.plot().legend->itemCount(), 4);  // two kinds, two runs
        QVERIFY(plot.plot().legend->visible());
        plot.setSeries({two()[1]});
        QVERIFY(!plot.plot().legend->visible());
    }

    void valuesThatNoAxisHasAreInNoBinAndCounted() {
        const double endless = std::numeric_limits<double>::infinity(), nan = std::nan("");
        const QVector<double> values{2, 3, 30, 1e300, -1e300, endless, nan, ks::missing_value};
        for (const QVector<double>& edges :
             {logEdges({values}, 10), linearEdges({values}, 20), wholeEdges({values}, 80)}) {
            QVERIFY(edges.size() > 2);
            QVERIFY(edges.first() <= 2 && edges.last() >= 30 && edges.last() < 40);
            const QVector<double> counts = binned(values, edges);
            QCOMPARE(std::accumulate(counts.begin(), counts.end(), 0.0), 3.0);
        }
        HistogramPlot plot;
        plot.resize(500, 300);
        const QVector<double> edges = linearEdges({values}, 20);
        plot.setSeries({{"all", 0, "", edges, binned(values, edges), undrawnOf(values)},
                        {"kept", 1, "", edges, binned(values, edges), undrawnOf(values)}});
        const auto note = [&plot] {
            for (int i = 0; i < plot.plot().itemCount(); ++i)
                if (const auto* one = dynamic_cast<Badge*>(plot.plot().item(i))) return one->text();
            return QString();
        };
        QCOMPARE(note(),
                 QString::fromUtf8("4 of 7 values are NaN, infinite or beyond \u00b11e+150, not drawn"));
        QVERIFY(plot.plot().xAxis->range().upper < 40);
        plot.setSeries({{"all", 0, "", {0, 1, 2}, {1, 2}, undrawnOf({0.5, 1.5, 1.5})}});
        QCOMPARE(note(), QString());
        const QVector<double> some{0, -1, 3, 5, nan};
        const QVector<double> decades = logEdges({some}, 10);
        plot.setSeries({{"all", 0, "", decades, binned(some, decades), undrawnOf(some, true)}});
        QCOMPARE(note(), QString("3 of 5 values are NaN or 0 or less, not drawn"));
        QCOMPARE(undrawnOf(some).text(), QString("1 of 5 values is NaN, not drawn"));
    }

    void binsOfWholeNumbersOfAnySizeAreFew() {
        for (const QVector<double>& values :
             {QVector<double>{-1e12, 3}, {1e17, 1e17}, {1e17, 1e17 + 64}, {-4e18, 4e18}, {1e140}}) {
            const QVector<double> edges = wholeEdges({values}, 80);
            QVERIFY(edges.size() >= 2 && edges.size() < 10'000);
            QVERIFY(std::ranges::adjacent_find(edges, std::greater_equal()) == edges.end());
            const QVector<double> counts = binned(values, edges);
            QCOMPARE(std::accumulate(counts.begin(), counts.end(), 0.0), static_cast<double>(values.size()));
        }
    }

    void wrongEdgesAreRefused() {
        HistogramPlot plot;
        QVERIFY_EXCEPTION_THROWN(plot.setSeries({{"", 1, "", {0, 1}, {1, 2}}}), ks::Error);
        QVERIFY_EXCEPTION_THROWN(plot.setSeries({{"", 1, "", {0, 2, 1}, {1, 2}}}), ks::Error);
        QVERIFY(plot.series().isEmpty());
    }

    void theZoomStaysForTheSameEdges() {
        HistogramPlot plot;
        plot.setSeries(two());
        plot.plot().xAxis->setRange(110, 130);
        auto changed = two();
        changed[0].counts[0] = 7;
        plot.setSeries(changed);
        QCOMPARE(plot.plot().xAxis->range().lower, 110.0);
        changed[0].edges.last() = 1000;
        plot.setSeries(changed);
        QVERIFY(plot.plot().xAxis->range().upper > 900);
        plot.plot().xAxis->setRange(110, 130);
        plot.resetZoom();
        QVERIFY(plot.plot().xAxis->range().upper > 900);
    }

    void withoutBinsItSaysWhatToDo() {
        HistogramPlot plot;
        plot.setEmptyText("Press F5");
        auto* text = qobject_cast<QCPItemText*>(plot.plot().item(0));
        QVERIFY(text && text->text() == "Press F5");
        QVERIFY(!plot.plot().xAxis->visible());
        plot.setSeries(two());
        QCOMPARE(plot.plot().itemCount(), 0);
        QVERIFY(plot.plot().xAxis->visible());
    }

    void exportsHoldBinsAndLegend() {
        QTemporaryDir folder;
        const auto path = [&](const char* leaf) {
            return std::filesystem::path(folder.filePath(leaf).toStdString());
        };
        HistogramPlot plot;
        plot.setXAxis("Sum", "counts");
        plot.setSeries(two());
        QCOMPARE(QString::fromStdString(plot.csv()).split('\n').first(3),
                 (QStringList{"series,Sum from (counts),Sum to (counts),Number", "all,100,120,3",
                              "all,120,140,12"}));
        for (const char* leaf : {"h.png", "h.svg", "h.pdf", "h.csv"}) {
            exportPlot(plot, path(leaf), false);
            QVERIFY(std::filesystem::file_size(path(leaf)) > 50);
        }
        QFile svg(folder.filePath("h.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray drawn = svg.readAll();
        for (const char* word : {"kept", "all", "Sum (counts)"}) QVERIFY2(drawn.contains(word), word);
    }
};

QTEST_MAIN(TestHistogramPlot)
#include "tst_histogram_plot.moc"
