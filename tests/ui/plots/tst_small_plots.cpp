#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <qcustomplot.h>
#include <QImage>
#include <QPixmap>
#include <QScrollArea>
#include <QTabWidget>
#include <QTest>

#include "core/base/error.h"
#include "ui/base/palette.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/timing_bars.h"
#include "ui/plots/timing_plot.h"

namespace ks::ui {
namespace small_plots_test {

QVector<CurveSeries> manyCurves(int bins, int runs) {
    QVector<CurveSeries> all;
    for (int run = 0; run < runs; ++run) {
        for (int bin = 1; bin <= bins; ++bin) {
            CurveSeries one;
            one.bin = bin;
            one.label = QStringLiteral("%1  q 0.0%2").arg(bin).arg(100 + bin);
            one.run = QStringLiteral("%1  gram.tiled").arg(7 + run);
            for (double x = 0.001; x < 700; x *= 1.5) {
                one.x << x;
                one.y << 1 + 0.2 * std::exp(-x * bin / 60) + 0.002 * run;
                one.yerr << 0.004;
            }
            all << one;
        }
    }
    return all;
}

QVector<TimingSeries> threeRuns() {
    QVector<TimingSeries> runs;
    for (int i = 0; i < 3; ++i) {
        runs << TimingSeries{QStringLiteral("%1  gram.tiled").arg(i + 1),
                             {{"read", StageKind::read, 40'000'000},
                              {"upload", StageKind::upload, 9'000'000},
                              {"build kernels", StageKind::host, 30'000'000},
                              {"normalise", StageKind::host, 9'000'000},
                              {"gram", StageKind::kernel, std::uint64_t(90'000'000 + i * 40'000'000)},
                              {"download", StageKind::download, 5'000'000}},
                             std::uint64_t(244'000'000 + i * 30'000'000)};
    }
    return runs;
}

QStringList texts(const CurveFigure& figure) {
    QStringList all;
    const QList<QCPLayoutElement*> elements = figure.plotLayout()->elements(true);
    for (QCPLayoutElement* one : elements) {
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(one)) all << item->plottable()->name();
        if (const auto* text = qobject_cast<QCPTextElement*>(one)) all << text->text();
    }
    return all;
}

/// A figure as exports draw it.
/// @param fits each curve has a fit
std::unique_ptr<CurveFigure> printed(const QSize& points, int font, int bins, int runs, bool fits = false) {
    auto figure = std::make_unique<CurveFigure>();
    QFont small = figure->font();
    small.setPixelSize(font);
    figure->setFont(small);
    figure->resize(points);
    figure->setViewport(QRect(QPoint(), points));
    CurveContent content;
    content.series = manyCurves(bins, runs);
    for (CurveSeries& one : content.series) {
        const QString q = QStringLiteral("0.01%1").arg(one.bin, 2, 10, QLatin1Char('0'));
        one.label = QStringLiteral("%1  %2").arg(one.bin).arg(q);
        one.labelInFull = QStringLiteral("bin %1, q %2 1/\u00c5").arg(one.bin).arg(q);
    }
    for (const CurveSeries& one : fits ? QVector<CurveSeries>(content.series) : QVector<CurveSeries>()) {
        CurveSeries fit = one;
        fit.style = CurveStyle::line;
        fit.yerr.clear();
        for (qsizetype i = 0; i < fit.y.size(); ++i)
            fit.y[i] += 0.004 * std::sin(2.1 * static_cast<double>(i));
        content.series << fit;
    }
    content.legendTitle = QStringLiteral("bin, q (1/\u00c5)");
    content.xTitle = "delay";
    content.xUnit = "s";
    content.yTitle = "g2";
    content.difference = runs > 1 || fits;
    figure->present(content, printPalette(), false, FigureLegend::inside);
    figure->toPixmap(points.width(), points.height());
    return figure;
}

/// Labels of an axis do not touch.
void labelsApart(const QCPAxis& axis) {
    if (!axis.tickLabels()) return;
    const QFontMetricsF metrics(axis.tickLabelFont());
    const bool across = axis.orientation() == Qt::Horizontal;
    double end = -1e9;
    QVector<QPair<double, double>> spans;
    const QVector<double> ticks = axis.tickVector();
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        if (!axis.range().contains(ticks[i])) continue;
        const double at = axis.coordToPixel(ticks[i]);
        const double half =
            (across ? metrics.horizontalAdvance(axis.tickVectorLabels()[i]) : metrics.height()) / 2;
        spans.push_back({at - half, at + half});
    }
    std::ranges::sort(spans);
    QVERIFY(!spans.isEmpty());
    for (const auto& [from, to] : spans) {
        QVERIFY2(from > end, qPrintable(QStringLiteral("%1 %2").arg(from).arg(end)));
        end = to;
    }
}

class SmallPlotsTest : public QObject {
    Q_OBJECT
  private slots:
    void titlesAreThereWhenAPlotIsFirstShownInATab() {
        QTabWidget tabs;
        tabs.addTab(new QWidget, "first");
        auto* plot = new QCustomPlot(&tabs);
        plot->resize(100, 5);
        plot->setViewport(plot->rect());  // as a pane of a splitter that has not been laid out
        setTitle(*plot->yAxis, "Kernels (ms)");
        keepTitlesInside(*plot);
        tabs.addTab(plot, "second");
        tabs.resize(400, 300);
        plot->replot();  // filled before it has its size
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        tabs.setCurrentIndex(1);
        QTest::qWait(50);
        QCOMPARE(plot->yAxis->label(), QString("Kernels (ms)"));
        // Moving a splitter lays it out again: nothing moves any more.
        const QRect shown = plot->axisRect()->rect();
        plot->replot();
        QCOMPARE(plot->axisRect()->rect(), shown);
    }

    void aFigureForAColumnIsReadable_data() {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("runs");
        QTest::newRow("8 bins") << 8 << 1;
        QTest::newRow("8 bins, 2 runs") << 8 << 2;
        QTest::newRow("15 bins") << 15 << 1;
        QTest::newRow("15 bins, 2 runs") << 15 << 2;
        QTest::newRow("200 bins") << 200 << 1;
        QTest::newRow("3 bins, 2 runs") << 3 << 2;
    }
    void aFigureForAColumnIsReadable() {
        QFETCH(int, bins);
        QFETCH(int, runs);
        const QSize points(241, 169);  // 85 mm
        const auto figure = printed(points, 9, bins, runs);
        const QCPLegend& legend = *figure->legend;
        QVERIFY(legend.visible());
        QVERIFY(QRect(QPoint(), points).adjusted(-1, -1, 1, 1).contains(legend.outerRect()));
        QVERIFY(legend.outerRect().height() < 0.3 * points.height());
        const int line = QFontMetrics(legend.font()).height();
        QVERIFY(QFontInfo(legend.font()).pixelSize() >= 6);
        int entries = 0;
        for (int i = 0; i < legend.itemCount(); ++i) {
            if (!legend.item(i)) continue;
            ++entries;
            QVERIFY(legend.item(i)->outerRect().height() >= line);
            QVERIFY(legend.item(i)->outerRect().right() <= points.width());
            auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i));
            const QString name = item ? item->plottable()->name() : QString();
            QVERIFY2(name.contains("0.01"), qPrintable(name));
        }
        const QStringList told = texts(*figure);
        if (bins <= 15) {
            QCOMPARE(entries, bins);
            QVERIFY(told.filter("not listed").isEmpty());
        } else {
            QVERIFY(entries > 5 && entries < bins);
            QVERIFY2(told.contains(QStringLiteral("not listed: bins %1\u2013%2").arg(entries + 1).arg(bins)),
                     qPrintable(told.join('|')));
        }
        QVERIFY2(told.filter("q").size() > 0, qPrintable(told.join('|')));
        QVERIFY(figure->mainRect().width() > 0.7 * points.width());
        int legends = 0;
        for (const QCPLegend* one : figure->findChildren<QCPLegend*>()) legends += one->outerRect().height();
        QVERIFY2(legends <= points.height() * 0.34, qPrintable(QString::number(legends)));
        QVERIFY(figure->graph(0)->scatterStyle().size() < 4);
        for (const QCPAxisRect* rect : figure->axisRects()) {
            QVERIFY(rect->height() > 1.5 * line);
            for (const QCPAxis::AxisType side : {QCPAxis::atBottom, QCPAxis::atLeft})
                if (rect->axis(side)->tickLabels())
                    QVERIFY2(rect->axis(side)->tickVectorLabels().size() >= 2,
                             qPrintable(QStringLiteral("%1 px").arg(rect->height())));
            labelsApart(*rect->axis(QCPAxis::atBottom));
            labelsApart(*rect->axis(QCPAxis::atLeft));
        }
    }

    void panelsOfResidualsAreReadable_data() {
        QTest::addColumn<QSize>("points");
        QTest::addColumn<int>("font");
        QTest::addColumn<int>("bins");
        // 85 mm, also flat ones, and 60 mm.
        for (const int bins : {3, 8, 15})
            for (const auto& [points, font] :
                 {std::pair(QSize(241, 169), 9), std::pair(QSize(241, 169), 8), std::pair(QSize(241, 140), 8),
                  std::pair(QSize(170, 140), 8), std::pair(QSize(340, 210), 11)})
                QTest::addRow("%d x %d, %d px, %d bins", points.width(), points.height(), font, bins)
                    << points << font << bins;
    }
    void panelsOfResidualsAreReadable() {
        QFETCH(QSize, points);
        QFETCH(int, font);
        QFETCH(int, bins);
        const auto figure = printed(points, font, bins, 1, true);
        QCOMPARE(figure->axisRects().size(), 2);
        double above = 0;
        for (const QCPAxisRect* rect : figure->axisRects()) {
            const QCPAxis& axis = *rect->axis(QCPAxis::atLeft);
            const QVector<double> ticks = axis.tickVector();
            const auto shown =
                std::ranges::count_if(ticks, [&](double one) { return axis.range().contains(one); });
            QVERIFY2(shown >= 2, qPrintable(QStringLiteral("%1 in %2 px").arg(shown).arg(rect->height())));
            labelsApart(axis);
            // Titles are centred on their axes.
            QVERIFY(!axis.label().isEmpty() && !axis.label().contains(QChar(0x2026)));
            const double half = QFontMetricsF(axis.labelFont()).horizontalAdvance(axis.label()) / 2,
                         middle = rect->rect().center().y();
            QVERIFY2(middle - half >= above, qPrintable(axis.label()));
            above = middle + half;
            const QCPAxisRect* const other =
                figure->axisRects().at(rect == figure->axisRects().at(0) ? 1 : 0);
            QVERIFY2(middle - half >= other->bottom() || middle + half <= other->top(),
                     qPrintable(axis.label()));
        }
    }

    void aLegendOfBareNumbersHasItsTitle_data() {
        QTest::addColumn<QSize>("points");
        QTest::addColumn<int>("bins");
        QTest::newRow("beside the axes") << QSize(800, 560) << 5;
        QTest::newRow("below them") << QSize(241, 169) << 8;
        QTest::newRow("more than fit") << QSize(241, 169) << 200;
    }
    void aLegendOfBareNumbersHasItsTitle() {
        QFETCH(QSize, points);
        QFETCH(int, bins);
        CurveFigure figure;
        QFont small = figure.font();
        small.setPixelSize(9);
        figure.setFont(small);
        figure.resize(points);
        figure.setViewport(QRect(QPoint(), points));
        CurveContent content;
        content.series = manyCurves(bins, 1);
        for (CurveSeries& one : content.series) one.label = QString::number(one.bin);
        content.legendTitle = QStringLiteral("bin");
        figure.present(content, printPalette(), false, FigureLegend::inside);
        figure.toPixmap(points.width(), points.height());
        QCOMPARE(texts(figure).count("bin"), 1);
        QVERIFY(texts(figure).contains("1"));
        QVERIFY(QRect(QPoint(), points).adjusted(-1, -1, 1, 1).contains(figure.legend->outerRect()));
        // Full names need none, also where one bin has no q.
        if (bins > 8) return;
        for (CurveSeries& one : content.series)
            if (one.bin > 1) one.labelInFull = QStringLiteral("bin %1, q 0.01").arg(one.bin);
        CurveFigure large;
        large.resize(1200, 800);
        large.setViewport(QRect(0, 0, 1200, 800));
        large.present(content, printPalette(), false, FigureLegend::inside);
        large.toPixmap(1200, 800);
        QCOMPARE(texts(large).count("bin"), 0);
        QVERIFY2(texts(large).contains("bin 1"), qPrintable(texts(large).join('|')));
    }

    void fewCurvesHaveTheirLegendBesideThem() {
        const auto figure = printed({800, 560}, 13, 5, 1);
        QCOMPARE(figure->legend->itemCount(), 5);
        QVERIFY(figure->legend->outerRect().left() > figure->mainRect().right());
    }

    void aSingleCurveHasItsLegendBelowAndTheWidthForItself() {
        const auto figure = printed({800, 560}, 13, 1, 1);
        QCOMPARE(figure->legend->itemCount(), 1);
        QVERIFY(figure->legend->outerRect().top() > figure->mainRect().bottom());
        QVERIFY2(figure->mainRect().right() > 0.9 * 800,
                 qPrintable(QString::number(figure->mainRect().right())));
    }

    void barsAreNeverLowerThanTheirText() {
        QScrollArea drawer;
        drawer.setWidgetResizable(true);
        auto* plot = new TimingPlot;
        drawer.setWidget(plot);
        drawer.resize(500, 120);
        drawer.show();
        plot->setRuns(threeRuns());
        QTest::qWait(50);
        const int line = plot->fontMetrics().height();
        QVERIFY(plot->height() > drawer.viewport()->height());  // it is scrolled
        for (int run = 0; run < 3; ++run) {
            const double height = plot->barRect(run, 0).height();
            QVERIFY2(height >= line + 6, qPrintable(QString::number(height)));
        }
        // The names keep their width although the plot was made narrow and hidden.
        auto* inner = plot->findChild<QCustomPlot*>();
        QVERIFY(inner->yAxis->tickVectorLabels().contains("1  gram.tiled"));
        labelsApart(*inner->xAxis);
    }

    void totalsStayInside() {
        for (const int width : {160, 240, 500}) {
            QCustomPlot plot;
            plot.resize(width, 170);
            plot.setViewport(plot.rect());
            auto* bars = new TimingBars(&plot);
            bars->present(threeRuns(), plot.palette(), {});
            plot.toPixmap(width, 170);
            bars->resetZoom();
            plot.toPixmap(width, 170);
            for (int run = 0; run < 3; ++run)
                QVERIFY(bars->totalRect(run).right() <= plot.axisRect()->rect().right() + 1);
        }
    }

    void labelsOfANarrowHistogramStandApart() {
        HistogramSeries series;
        for (int i = 0; i <= 40; ++i) series.edges << 1e5 + 250.0 * i;
        series.counts.fill(123456, 40);
        for (const QSize size : {QSize(200, 120), QSize(260, 140), QSize(700, 300)}) {
            HistogramPlot plot;
            plot.setXAxis("charge", "e");
            plot.setSeries({series});
            plot.resize(size);
            plot.show();
            plot.plot().replot();
            labelsApart(*plot.plot().xAxis);
            labelsApart(*plot.plot().yAxis);
        }
    }

    void titlesOfALowPlotStayInsideItAndKeepTheirUnits() {
        for (const QSize size : {QSize(270, 62), QSize(90, 90), QSize(500, 300)}) {
            CurveFigure figure;
            CurveContent content;
            content.series = manyCurves(3, 1);
            content.xTitle = "Global size in y";
            content.xUnit = "work-items";
            content.yTitle = "Kernels";
            content.yUnit = "ms";
            figure.resize(size);
            figure.show();
            figure.present(content, figure.palette(), false, FigureLegend::elsewhere);
            figure.replot();
            QCOMPARE(figure.size(), size);
            const QRect seen = figure.viewport();
            const QRect outer = figure.mainRect().outerRect();
            QVERIFY2(seen.contains(outer), qPrintable(QString::number(outer.bottom())));
            for (const auto& [axis, unit] : {std::pair(figure.xAxis, "work-items"), {figure.yAxis, "ms"}}) {
                const bool across = axis->orientation() == Qt::Horizontal;
                const int length = QFontMetrics(axis->labelFont()).horizontalAdvance(axis->label()),
                          middle = across ? figure.mainRect().center().x() : figure.mainRect().center().y();
                QVERIFY2(middle - length / 2 >= 0 &&
                             middle + length / 2 <= (across ? size.width() : size.height()),
                         qPrintable(axis->label()));
                QVERIFY2(size.width() < 200 || axis->label().contains(unit), qPrintable(axis->label()));
                if (size.width() == 500)
                    QCOMPARE(axis->label(),
                             across ? QString("Global size in y (work-items)") : QString("Kernels (ms)"));
            }
        }
    }

    void anEmptyMapHasNoAxesBehindItsHint() {
        MapPlot plot;
        plot.setEmptyText("Click a bin");
        for (const QCPAxis* axis : plot.plot().axisRect()->axes()) QVERIFY(!axis->visible());
        plot.setMap({2, 2, {1, 2, 3, 4}, 0, 1, 0, 1});
        for (const QCPAxis* axis : plot.plot().axisRect()->axes()) QVERIFY(axis->visible());
    }

    void valuesThatNoColourScaleHasLeaveTheOthersTheirColours() {
        const double endless = std::numeric_limits<double>::infinity();
        MapPlot plot;
        plot.setTitle("Sums", "bin 3");
        MapData map{2, 3, {1, 2, 3, 4, -7.5e301, endless}, 0, 2, 0, 1};
        plot.setMap(map);
        QVERIFY(plot.colourScale().low >= 1 && plot.colourScale().high <= 4);
        QCOMPARE(plot.titleNote(),
                 QString::fromUtf8("bin 3, 2 of 6 values are infinite or beyond \u00b11e+150, not drawn"));
        plot.resize(400, 300);
        plot.show();
        plot.plot().replot();
        QImage seen = plot.plot().toPixmap(400, 300).toImage();
        const QRect frame = plot.plot().axisRect()->rect();
        const auto at = [&](double x, double y) {
            return seen.pixel(frame.left() + static_cast<int>(x * frame.width()),
                              frame.bottom() - static_cast<int>(y * frame.height()));
        };
        const QRgb ground = plot.palette().color(QPalette::Base).rgb();
        for (const double x : {0.17, 0.5, 0.83}) QVERIFY(at(x, 0.25) != ground);
        QVERIFY(at(0.17, 0.75) != ground);
        for (const double x : {0.5, 0.83}) QCOMPARE(at(x, 0.75), ground);
        map.values = {1, 2, 3, 4, 5, 6};
        plot.setMap(map);
        QCOMPARE(plot.titleNote(), QString("bin 3"));
    }

    void aMapOfOneRowOrColumnOrCellFillsItsAxes() {
        const MapData maps[] = {
            {1, 4, {1, 2, 3, 4}, 0, 3, 0, 0}, {4, 1, {1, 2, 3, 4}, 0, 0, 0, 3}, {1, 1, {4}, 0, 0, 0, 0}};
        for (const MapData& map : maps) {
            MapPlot plot;
            plot.setMap(map);
            plot.resize(400, 300);
            plot.show();
            plot.plot().replot();
            const QImage seen = plot.plot().toPixmap(400, 300).toImage();
            const QRect frame = plot.plot().axisRect()->rect();
            // Near the edges of each cell, at the ends and in the middle of the other axis.
            std::set<QRgb> colours;
            for (std::size_t cell = 0; cell < map.values.size(); ++cell)
                for (const double across : {0.1, 0.5, 0.9}) {
                    const double along =
                        (static_cast<double>(cell) + 0.9) / static_cast<double>(map.values.size());
                    const double x = map.rows > 1 ? across : along, y = map.rows > 1 ? along : across;
                    const QRgb colour = seen.pixel(frame.left() + static_cast<int>(x * frame.width()),
                                                   frame.top() + static_cast<int>(y * frame.height()));
                    QVERIFY2(colour != qRgb(255, 255, 255), qPrintable(QString::number(cell)));
                    colours.insert(colour);
                }
            QCOMPARE(colours.size(), map.values.size());
        }
    }

    void logarithmicRowsAreWhereTheirEdgesAre() {
        MapData map{4, 2, {1, 1, 2, 2, 3, 3, 4, 4}, 0, 1};
        map.rowEdges = {0.5, 1.5, 2.5, 20, 800};
        map.rowPlaces = {1, 2, 9, 300};
        MapPlot plot;
        plot.setSquare(false);
        plot.setMap(map);
        plot.resize(400, 300);
        plot.show();
        QCPAxis& axis = *plot.plot().yAxis;
        std::map<std::size_t, QRgb> colours;  // of the rows
        for (const QCPRange& range : {QCPRange(0.5, 800), QCPRange(1.2, 30)}) {
            if (range.lower > 1) axis.setRange(range);
            plot.plot().replot();
            QCOMPARE(axis.range().lower, range.lower);
            QCOMPARE(axis.range().upper, range.upper);
            const QImage seen = plot.plot().toPixmap(400, 300).toImage();
            const QRect frame = plot.plot().axisRect()->rect();
            for (std::size_t row = 0; row < map.rows; ++row)
                for (const double edge : {map.rowEdges[row] * 1.03, map.rowEdges[row + 1] / 1.03}) {
                    if (!range.contains(edge * 1.02) || !range.contains(edge / 1.02)) continue;
                    const int y = static_cast<int>(std::lround(axis.coordToPixel(edge)));
                    const QRgb colour = seen.pixel(frame.center().x() + 9, y);
                    QCOMPARE(colours.emplace(row, colour).first->second, colour);
                }
        }
        QCOMPARE(colours.size(), map.rows);
        std::set<QRgb> different;
        for (const auto& [row, colour] : colours) different.insert(colour);
        QCOMPARE(different.size(), map.rows);
        // With other rows, the axis is linear again.
        QCOMPARE(plot.csv(), std::string("y\\x,0,1\n1,1,1\n2,2,2\n9,3,3\n300,4,4\n"));
        map.rowEdges.pop_back();
        QVERIFY_THROWS_EXCEPTION(Error, plot.setMap(map));
        plot.setMap({2, 2, {1, 2, 3, 4}, 0, 1, 0, 1});
        QCOMPARE(axis.scaleType(), QCPAxis::stLinear);
    }

    void aTitleLosesItsNoteFirst() {
        QCustomPlot plot;
        ElidedTitle title(plot);
        title.setText("two-time, bin 3, run 1");
        title.setFont(plot.font());
        title.setNote("of other parameters (Gain)");
        const QFontMetrics metrics(plot.font());
        const QString whole = "two-time, bin 3, run 1, of other parameters (Gain)";
        const int width = metrics.horizontalAdvance(whole);
        QCOMPARE(title.shown(width + 4), whole);
        const QString cut = title.shown(width - 20);
        QVERIFY2(cut.startsWith("two-time, bin 3, run 1, of other") && cut.endsWith(u'\u2026'),
                 qPrintable(cut));
        QCOMPARE(title.shown(metrics.horizontalAdvance("two-time, bin 3, run 1, of")), title.text());
        QVERIFY(title.shown(metrics.horizontalAdvance("two-time, bin")).contains(u'\u2026'));
    }

    void aFigureShowsEachValueForWhichItHasRoom() {
        constexpr std::size_t n = 300;
        MapData map{n, n, std::vector<double>(n * n), 0, n - 1.0, 0, n - 1.0};
        for (std::size_t i = 0; i < map.values.size(); ++i) map.values[i] = static_cast<double>(i % n % 2);
        MapPlot plot;
        plot.setMap(std::move(map));
        plot.resize(200, 150);  // less room than in the figure
        plot.show();
        plot.plot().replot();
        FigureOptions options;
        options.width = 120;
        options.dpi = 300;
        const QImage figure = drawnFigure(plot, options);
        // Columns alternate between two colours: along a row through the middle, each begins with a change.
        const int y = figure.height() / 2;
        std::map<QRgb, int> seen;
        for (int x = 0; x < figure.width(); ++x) ++seen[figure.pixel(x, y)];
        seen.erase(qRgb(255, 255, 255));
        std::vector<std::pair<int, QRgb>> most;
        for (const auto& [colour, count] : seen) most.emplace_back(count, colour);
        std::ranges::sort(most, std::greater());
        QVERIFY(most.size() >= 2);
        const auto isOne = [&](int x) {
            const QRgb colour = figure.pixel(x, y);
            return colour == most[0].second || colour == most[1].second;
        };
        int changes = 0;
        for (int x = 1; x < figure.width(); ++x)
            changes += isOne(x) && isOne(x - 1) && figure.pixel(x, y) != figure.pixel(x - 1, y) ? 1 : 0;
        QVERIFY2(changes >= static_cast<int>(n) - 5, qPrintable(QString::number(changes)));
    }

    void labelsOfASmallMapStandApartAndTheMapIsSquare() {
        for (const QSize size : {QSize(200, 120), QSize(260, 200), QSize(500, 400)}) {
            MapPlot plot;
            plot.setXAxis("t1", "s");
            plot.setYAxis("t2", "s");
            plot.setValueAxis("C");
            MapData map{50, 50, std::vector<double>(2500, 1.0), 0, 0.49, 0, 0.49};
            for (std::size_t i = 0; i < 2500; ++i) map.values[i] += 1e-4 * static_cast<double>(i);
            plot.setMap(map);
            plot.resize(size);
            plot.show();
            plot.plot().replot();
            QCPAxisRect& frame = *plot.plot().axisRect();
            labelsApart(*plot.plot().xAxis);
            labelsApart(*plot.plot().yAxis);
            QVERIFY2(std::abs(frame.width() - frame.height()) <= 2,
                     qPrintable(QStringLiteral("%1 x %2").arg(frame.width()).arg(frame.height())));
        }
    }
};

}  // namespace small_plots_test
}  // namespace ks::ui

using ks::ui::small_plots_test::SmallPlotsTest;
QTEST_MAIN(SmallPlotsTest)
#include "tst_small_plots.moc"
