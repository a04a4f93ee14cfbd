#include <memory>

#include <qcustomplot.h>
#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/plots/plot_view.h"
#include "ui/plots/timing_plot.h"

namespace ks::ui {
namespace plot_view_test {

QVector<CurveSeries> curvesUpTo(double largest, double lastX = 100) {
    return {{"1", 1, "", {1, 10, lastX}, {1, 1.2, largest}, {}}};
}

std::unique_ptr<QWidget> plotOf(const QString& kind) {
    if (kind == "curves") return std::make_unique<CurvePlot>();
    if (kind == "map") return std::make_unique<MapPlot>();
    if (kind == "histogram") return std::make_unique<HistogramPlot>();
    return std::make_unique<TimingPlot>();
}

PlotView& viewOf(QWidget& plot) {
    return *plot.findChild<PlotView*>();
}

class Exporter : public QWidget, public PlotExporter {
  public:
    void exportFigure(const ExportablePlot& plot) override { asked = &plot; }
    void usePlot(const ExportablePlot& /*plot*/) override {}
    const ExportablePlot* asked = nullptr;
};

class PlotViewTest : public QObject {
    Q_OBJECT

    static void kinds() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"curves", "map", "histogram", "timing"})
            QTest::newRow(kind) << QString(kind);
    }

  private slots:
    void theFocusOfTheKeyboardIsSeen_data() { kinds(); }
    void theFocusOfTheKeyboardIsSeen() {
        QFETCH(QString, kind);
        const std::unique_ptr<QWidget> plot = plotOf(kind);
        plot->resize(300, 200);
        plot->show();
        plot->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(plot.get()));
        auto& inner = *plot->findChild<QCustomPlot*>();
        const QColor ring = inner.palette().color(QPalette::Link);
        const auto edge = [&] { return inner.grab().toImage().pixelColor(0, inner.height() / 2); };
        inner.clearFocus();  // which the window gave it
        inner.setFocus(Qt::TabFocusReason);
        QVERIFY(inner.hasFocus());
        QCOMPARE(edge(), ring);
        inner.clearFocus();
        QVERIFY(edge() != ring);
        inner.setFocus(Qt::MouseFocusReason);
        QVERIFY(edge() != ring);
    }

    void theValueUnderTheCursorEndsWithIt() {
        MapPlot map;
        QSignalSpy hovered(&map, &MapPlot::pointHovered);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&map.plot(), &leave);
        QCOMPARE(hovered.size(), 1);
        QVERIFY(hovered.front().front().toString().isEmpty());
    }

    void theValueUnderARestingCursorFollowsTheData() {
        HistogramPlot plot;
        plot.resize(400, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCounted("things", "thing");
        plot.setSeries({{"all", 0, "", {0, 1, 2}, {4, 5}}});
        plot.plot().replot();
        QSignalSpy hovered(&plot, &HistogramPlot::pointHovered);
        const QPointF at(plot.plot().xAxis->coordToPixel(0.5), plot.plot().axisRect()->center().y());
        QMouseEvent move(QEvent::MouseMove, at, plot.plot().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&plot.plot(), &move);
        QVERIFY2(hovered.last()[0].toString().contains("4 things"), qPrintable(hovered.last()[0].toString()));
        plot.setSeries({{"all", 0, "", {0, 1, 2}, {7, 5}}});
        QTRY_VERIFY2(hovered.last()[0].toString().contains("7 things"),
                     qPrintable(hovered.last()[0].toString()));
        plot.setSeries({});
        QTRY_COMPARE(hovered.last()[0].toString(), QString());
    }

    void theMenuHasOneOrder_data() { kinds(); }
    void theMenuHasOneOrder() {
        QFETCH(QString, kind);
        const auto plot = plotOf(kind);
        QMenu menu;
        viewOf(*plot).fillMenu(menu);
        QStringList texts;
        for (const QAction* action : menu.actions()) texts << action->text().remove('&');
        QCOMPARE(texts.mid(0, 6),
                 (QStringList{"Copy picture", "Copy data", "Export...", "", "Reset view", "Autoscale"}));
        const QStringList axes = texts.mid(6);
        if (kind == "map")
            QVERIFY(axes.isEmpty());
        else if (kind == "timing")
            QCOMPARE(axes, QStringList{"Kernels only"});
        else
            QCOMPARE(axes, (QStringList{"Logarithmic x axis", "Logarithmic y axis"}));
    }

    void aPlotNeedsLittleRoom_data() { kinds(); }
    void aPlotNeedsLittleRoom() {
        QFETCH(QString, kind);
        const auto plot = plotOf(kind);
        const QSize least = plot->minimumSizeHint();
        QVERIFY(least.width() <= 200 && least.height() <= 120);
    }

    void whatAnEmptyPlotSaysIsNeverCut_data() { kinds(); }
    void whatAnEmptyPlotSaysIsNeverCut() {
        QFETCH(QString, kind);
        const auto plot = plotOf(kind);
        const QString text = "Press Run (F5): the correlation curves appear here, one for each of the bins";
        if (auto* one = qobject_cast<CurvePlot*>(plot.get())) one->setEmptyText(text);
        if (auto* one = qobject_cast<MapPlot*>(plot.get())) one->setEmptyText(text);
        if (auto* one = qobject_cast<HistogramPlot*>(plot.get())) one->setEmptyText(text);
        if (auto* one = qobject_cast<TimingPlot*>(plot.get())) one->setEmptyText(text);
        plot->resize(200, 120);
        plot->show();
        auto* inner = plot->findChild<QCustomPlot*>();
        inner->replot();
        const QImage image = inner->grab().toImage();
        const auto inked = [&](int x) {
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) != image.pixelColor(1, 1)) return true;
            return false;
        };
        bool anywhere = false;
        for (int x = 0; x < image.width(); ++x) anywhere = anywhere || inked(x);
        QVERIFY(anywhere);
        for (int x = 0; x < 4; ++x) QVERIFY(!inked(x) && !inked(image.width() - 1 - x));
    }

    void allIsShownUntilAHandZooms() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        plot.setSeries(curvesUpTo(1.5));
        plot.setSeries(curvesUpTo(8));
        QVERIFY(figure.yAxis->range().upper > 8);
        auto* button = plot.findChild<QToolButton*>("resetView");
        QVERIFY(!button->isVisible());

        figure.replot();
        const QPointF middle = figure.axisRect()->center();
        QWheelEvent wheel(middle, figure.mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&figure, &wheel);
        QVERIFY(plot.view().byHand());
        QVERIFY(button->isVisible());
        QVERIFY(figure.axisRect()->rect().contains(button->geometry()));
        const QCPRange seen = figure.yAxis->range();
        plot.setSeries(curvesUpTo(20));
        QCOMPARE(figure.yAxis->range().upper, seen.upper);

        button->click();
        QVERIFY(figure.yAxis->range().upper > 20);
        QVERIFY(!button->isVisible());
        plot.setSeries(curvesUpTo(40));
        QVERIFY(figure.yAxis->range().upper > 40);
    }

    void homeAndADoubleClickShowAllAgain() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowActive(&plot));
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        plot.setSeries(curvesUpTo(8));
        for (const bool key : {true, false}) {
            figure.yAxis->setRange(1, 2);
            QVERIFY(plot.view().byHand());
            if (key) {
                figure.setFocus();
                QTest::keyClick(&figure, Qt::Key_Home);
            } else {
                QTest::mouseDClick(&figure, Qt::LeftButton, {}, figure.axisRect()->center());
            }
            QVERIFY(!plot.view().byHand());
            QVERIFY(figure.yAxis->range().upper > 8);
        }
    }

    void anotherKindOfDataIsShownWhole() {
        CurvePlot plot;
        auto& figure = const_cast<CurveFigure&>(plot.figure());
        plot.setXAxis("delay", "frames");
        plot.setYAxis("g2");
        const auto zoom = [&] {
            plot.setSeries(curvesUpTo(8));
            figure.yAxis->setRange(1, 2);
        };
        zoom();
        plot.setXAxis("delay", "frames");
        QVERIFY(plot.view().byHand());
        plot.setXAxis("delay", "s");
        QVERIFY(!plot.view().byHand() && figure.yAxis->range().upper > 8);
        zoom();
        plot.setYAxis("mean intensity");
        QVERIFY(!plot.view().byHand() && figure.yAxis->range().upper > 8);
        zoom();
        plot.setSeries(curvesUpTo(8, 1000));
        QVERIFY(!plot.view().byHand() && figure.xAxis->range().upper > 1000);
    }

    void autoscaleOffKeepsWhatIsSeen() {
        HistogramPlot plot;
        plot.setSeries({{"", 1, "", {0, 1, 2}, {5, 20}}});
        QMenu menu;
        plot.view().fillMenu(menu);
        QAction* autoscale = menu.actions()[5];
        QVERIFY(autoscale->isChecked());
        autoscale->trigger();
        const double upper = plot.plot().yAxis->range().upper;
        plot.setSeries({{"", 1, "", {0, 1, 2}, {5, 2000}}});
        QCOMPARE(plot.plot().yAxis->range().upper, upper);
        autoscale->trigger();
        QVERIFY(plot.plot().yAxis->range().upper > 2000);
    }

    void theSwitchOfTheLogarithmicAxisTakesNoRoomFromTheCurves() {
        CurvePlot plot;
        plot.resize(500, 300);
        plot.setLegendVisible(true);
        plot.setSeries(curvesUpTo(8));
        plot.setLegendVisible(false);
        plot.show();
        QCOMPARE(plot.figure().width(), plot.width());
        plot.setLegendVisible(true);
        auto* log = plot.findChild<QToolButton*>("logX");
        QVERIFY(log && log->isVisible());
        QVERIFY(!plot.figure().axisRect()->rect().intersects(log->geometry()));
        QVERIFY(plot.logX());
        log->click();
        QVERIFY(!plot.logX());
        plot.setLogOffered(false);
        QVERIFY(!log->isVisible());
    }

    void exportIsAskedOfTheWindowAround() {
        Exporter window;
        auto* plot = new MapPlot(&window);
        QMenu menu;
        plot->view().fillMenu(menu);
        QVERIFY(menu.actions()[2]->isEnabled());
        menu.actions()[2]->trigger();
        QCOMPARE(window.asked, static_cast<const ExportablePlot*>(plot));
    }
};

}  // namespace plot_view_test
}  // namespace ks::ui

using ks::ui::plot_view_test::PlotViewTest;
QTEST_MAIN(PlotViewTest)
#include "tst_plot_view.moc"
