#include <cmath>

#include <QSignalSpy>
#include <QTest>

#include "ui/image/colours/histogram_bar.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/view/detector_view.h"

using namespace ks;
using namespace ks::ui;

namespace {

ColourScale fixedScale(ScaleKind kind, double low, double high) {
    ColourScale scale;
    scale.kind = kind;
    scale.low = low;
    scale.high = high;
    scale.automatic = false;
    return scale;
}

void drag(HistogramBar& bar, double from, double to) {
    const int y = bar.height() / 2;
    QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(static_cast<int>(std::lround(from)), y));
    const QPointF at(to, y);
    QMouseEvent event(QEvent::MouseMove, at, bar.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&bar, &event);
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, at.toPoint());
}

/// Dark pixels (bars) in a column of the widget.
int ink(HistogramBar& bar, double x) {
    const QImage image = bar.grab().toImage();
    const QRgb base = bar.palette().color(QPalette::Base).rgb();
    int n = 0;
    for (int y = 2; y < bar.height() - 18; ++y) n += image.pixel(static_cast<int>(x), y) != base;
    return n;
}

}  // namespace

class TestHistogramBar : public QObject {
    Q_OBJECT
  private slots:
    void positionsAndValuesAreInverse() {
        HistogramBar bar;
        bar.resize(260, 68);
        std::vector<double> values;
        for (int i = 0; i <= 1000; ++i) values.push_back(i);
        bar.setValues(values);
        for (const ScaleKind kind :
             {ScaleKind::linear, ScaleKind::log, ScaleKind::sqrt, ScaleKind::arcsinh}) {
            bar.setColourScale(fixedScale(kind, 10, 700));
            double before = -1;
            for (const double v : {2.0, 10.0, 99.0, 700.0, 998.0}) {
                QVERIFY(std::abs(bar.valueAt(bar.positionOf(v)) - v) < 1e-6);
                QVERIFY(bar.positionOf(v) > before);
                before = bar.positionOf(v);
            }
            QVERIFY(bar.positionOf(10) >= 0 && bar.positionOf(700) <= bar.width());
        }
    }

    void theHandlesAreDraggedAndNeverPass() {
        HistogramBar bar;
        bar.resize(260, 68);
        bar.setValues({0, 1000});
        bar.setColourScale(fixedScale(ScaleKind::linear, 100, 900));
        QSignalSpy spy(&bar, &HistogramBar::limitsEdited);
        drag(bar, bar.positionOf(900), bar.positionOf(500));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().at(0).toDouble(), 100.0);
        const double pixel = bar.valueAt(51) - bar.valueAt(50);
        QVERIFY(std::abs(spy.last().at(1).toDouble() - 500) <= 2 * pixel);
        drag(bar, bar.positionOf(100), bar.positionOf(800));
        QVERIFY(bar.limit(HistogramBar::Handle::low) < bar.limit(HistogramBar::Handle::high));
        const auto edits = spy.count();
        drag(bar, bar.positionOf(20), bar.positionOf(60));  // nothing to take there
        QCOMPARE(spy.count(), edits);
    }

    void theKeysMoveTheChosenHandle() {
        HistogramBar bar;
        bar.resize(260, 68);
        bar.setValues({0, 1000});
        bar.setColourScale(fixedScale(ScaleKind::linear, 100, 900));
        QTest::keyClick(&bar, Qt::Key_Left);
        QVERIFY(bar.limit(HistogramBar::Handle::high) < 900);
        QTest::keyClick(&bar, Qt::Key_Down);
        QCOMPARE(bar.chosen(), HistogramBar::Handle::low);
        QTest::keyClick(&bar, Qt::Key_PageUp);
        QVERIFY(bar.limit(HistogramBar::Handle::low) > 120);
        QVERIFY(bar.accessibleDescription().contains(QString::number(bar.limit(HistogramBar::Handle::low))));
    }

    void barsStandWhereTheValuesAre() {
        HistogramBar bar;
        bar.resize(260, 68);
        std::vector<double> values(5000, 200.0);
        values.insert(values.end(), 50, 800.0);
        values.push_back(0);
        values.push_back(1000);
        bar.setValues(values);
        bar.setColourScale(fixedScale(ScaleKind::linear, 0, 1000));
        const int many = ink(bar, bar.positionOf(200)), few = ink(bar, bar.positionOf(800)),
                  none = ink(bar, bar.positionOf(500));
        QVERIFY2(many > few && few > none, qPrintable(QString("%1 %2 %3").arg(many).arg(few).arg(none)));
    }

    void theAxisReachesTheLargestPixelOfAFrameThatIsOnlySampled() {
        DetectorView view;
        view.resize(300, 300);
        ImageControls controls;
        controls.attach(&view);
        std::vector<std::uint16_t> pixels(2000 * 2000, 3);
        pixels[2000 * 777 + 1234] = 60000;
        ColourScale scale;
        scale.kind = ScaleKind::log;
        view.setColourScale(scale);
        view.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({2000, 2000}, pixels)));
        QVERIFY(view.values().size() < pixels.size() / 10);
        QCOMPARE(view.largestValue(), 60000.0);
        auto* bar = controls.findChild<HistogramBar*>();
        QVERIFY(bar->positionOf(60000) <= bar->width());
        QVERIFY(bar->positionOf(60000) > bar->width() - 10);
    }

    void theControlsPassTheLimitsOn() {
        DetectorView view;
        view.resize(400, 300);
        ImageControls controls;
        controls.attach(&view);
        std::vector<std::uint16_t> pixels(10000);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint16_t>(i);
        view.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({100, 100}, pixels)));
        auto* bar = controls.findChild<HistogramBar*>();
        QVERIFY(bar);
        controls.resize(260, 400);
        controls.show();
        QCOMPARE(bar->limit(HistogramBar::Handle::high), view.colourScale().high);
        QTest::keyClick(bar, Qt::Key_PageDown);
        QVERIFY(view.colourScale().high < 9900);
        QCOMPARE(view.colourScale().high, bar->limit(HistogramBar::Handle::high));
        QVERIFY(!view.colourScale().automatic);
        QVERIFY(!controls.colourScale().automatic);
    }
};

QTEST_MAIN(TestHistogramBar)
#include "tst_histogram_bar.moc"
