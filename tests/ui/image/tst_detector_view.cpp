#include <cmath>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "core/run/error.h"
#include "ui/image/detector_view.h"
#include "ui/image/frame_slider.h"
#include "ui/image/image_controls.h"

using namespace ks;
using namespace ks::ui;

namespace {

std::shared_ptr<const Array> spot(std::size_t height, std::size_t width, std::size_t row,
                                  std::size_t column) {
    std::vector<std::uint16_t> pixels(height * width, 1);
    pixels[row * width + column] = 60000;
    return std::make_shared<Array>(Array::of<std::uint16_t>({height, width}, pixels));
}

ColourScale fixedScale(double low, double high) {
    ColourScale scale;
    scale.low = low;
    scale.high = high;
    scale.automatic = false;
    return scale;
}

/// Pixels of the image area that have the colour.
int count(DetectorView& view, QRgb colour) {
    const QImage image = view.grab().toImage();
    const QRect area = view.imageArea().toRect().adjusted(0, 0, -1, -1);
    int n = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) n += (image.pixel(x, y) | 0xff000000) == colour;
    }
    return n;
}

void wheel(QWidget& widget, const QPointF& at, int steps) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

void moveMouse(QWidget& widget, const QPointF& at, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, held, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

}  // namespace

class TestDetectorView : public QObject {
    Q_OBJECT
  private slots:
    void aSinglePixelOf18MillionIsSeenAtEveryZoom() {
        const std::size_t row = 1777, column = 3001;
        DetectorView view;
        view.resize(640, 560);
        view.setFrame(spot(4362, 4148, row, column));
        view.setColourScale(fixedScale(0, 60000));
        const QRgb bright = view.colourMap().table()[255];
        QVERIFY(view.fitted());
        QVERIFY(view.zoom() < 0.15);
        QVERIFY(count(view, bright) >= 1);
        const QPointF place(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
        for (int i = 0; i < 16; ++i) {
            view.zoomBy(1.37, view.toWidget(place));
            QVERIFY2(count(view, bright) >= 1, qPrintable(QString("zoom %1").arg(view.zoom())));
        }
        QVERIFY(view.zoom() > 5);
        // Zoomed in, the pixel is a square of zoom x zoom.
        const double side = std::sqrt(count(view, bright));
        QVERIFY(std::abs(side - view.zoom()) < 1.5);
    }

    void theWheelKeepsThePointBelowTheCursor() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        const QPointF cursor(123, 77);
        const QPointF before = view.toImage(cursor);
        const double zoom = view.zoom();
        for (int steps : {1, 2, -1, 3}) {
            wheel(view, cursor, steps);
            const QPointF now = view.toImage(cursor);
            QVERIFY(std::hypot(now.x() - before.x(), now.y() - before.y()) < 1e-6);
        }
        QVERIFY(view.zoom() > zoom * 2);
        QTest::mouseDClick(&view, Qt::LeftButton, {}, QPoint(50, 50));
        QVERIFY(view.fitted());
        QCOMPARE(view.zoom(), zoom);
    }

    void dragPansAndTheKeyboardMoves() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        wheel(view, {200, 200}, 4);
        const QPointF grabbed = view.toImage({200, 200});
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        moveMouse(view, {240, 170}, Qt::LeftButton);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {240, 170});
        const QPointF moved = view.toImage({240, 170});
        QVERIFY(std::hypot(moved.x() - grabbed.x(), moved.y() - grabbed.y()) < 1e-6);

        const double zoom = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > zoom);
        const double left = view.toImage({0, 0}).x();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.toImage({0, 0}).x() > left);
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(view.fitted());
    }

    void aFrameOfTheSameShapeKeepsTheZoomAnotherFits() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(100, 120, 10, 10));
        wheel(view, {100, 100}, 5);
        const double zoom = view.zoom();
        const QPointF corner = view.toImage({0, 0});
        view.setFrame(spot(100, 120, 20, 20));
        QCOMPARE(view.zoom(), zoom);
        QCOMPARE(view.toImage({0, 0}), corner);
        view.setFrame(spot(101, 120, 20, 20));
        QVERIFY(view.fitted());
        QVERIFY_EXCEPTION_THROWN(
            view.setFrame(std::make_shared<Array>(ElementType::u8, std::vector<std::size_t>{8})), ks::Error);
    }

    void hoveringTellsTheOriginalValue() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(100, 120, 30, 40));
        auto mask = std::make_shared<PixelMask>(PixelMask{100, 120, std::vector<std::uint8_t>(12000)});
        mask->ignore[5 * 120 + 6] = 1;
        view.setMask(mask);
        QSignalSpy spy(&view, &DetectorView::hovered);
        moveMouse(view, view.toWidget({40.5, 30.5}), Qt::NoButton);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().at(0).toInt(), 40);
        QCOMPARE(spy.last().at(1).toInt(), 30);
        QCOMPARE(spy.last().at(2).toString(), QString("60000"));
        QVERIFY(view.valueText(6, 5).startsWith("masked"));
        QVERIFY(view.valueText(-1, 5).isEmpty());
        QVERIFY(view.valueText(120, 5).isEmpty());
    }

    void maskedPixelsHaveTheirOwnColour() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(10, 10, 3, 4));
        view.setColourScale(fixedScale(0, 10));
        const QRgb own = view.colourMap().invalid();
        QCOMPARE(count(view, own), 0);
        auto mask = std::make_shared<PixelMask>(PixelMask{10, 10, std::vector<std::uint8_t>(100)});
        mask->ignore[3] = 1;
        view.setMask(mask);
        QVERIFY(std::abs(count(view, own) - view.zoom() * view.zoom()) < 4 * view.zoom());
    }

    void labelsTintTheirPixelsOnly() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(10, 10, 9, 9));
        view.setColourScale(fixedScale(0, 10));
        const QRgb plain = view.colourMap().at(0.1);
        const int all = count(view, plain);
        std::vector<std::int32_t> labels(100, 0);
        std::fill(labels.begin(), labels.begin() + 50, 2);
        view.setLabels(std::make_shared<QPartition>(10, 10, labels));
        QVERIFY(std::abs(count(view, plain) - (all - 50 * view.zoom() * view.zoom())) < 20 * view.zoom());
        view.setVisibleBins({true, false});
        QCOMPARE(count(view, plain), all);
        QVERIFY_EXCEPTION_THROWN(view.setLabels(std::make_shared<QPartition>(5, 20, labels)), ks::Error);
    }

    void controlsAndViewFollowEachOther() {
        DetectorView view;
        view.resize(500, 400);
        ImageControls controls;
        controls.attach(&view);
        std::vector<std::uint16_t> pixels(10000);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint16_t>(i);
        view.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({100, 100}, pixels)));
        QVERIFY(std::abs(controls.colourScale().high - 9950) <= 1);
        QVERIFY(std::abs(controls.colourScale().low - 50) <= 1);
        ColourScale scale = controls.colourScale();
        scale.kind = ScaleKind::log;
        view.setColourScale(scale);
        QCOMPARE(controls.colourScale().kind, ScaleKind::log);
    }

    void theFrameSliderStepsAndStopsAtItsEnds() {
        FrameSlider slider;
        QSignalSpy spy(&slider, &FrameSlider::frameChanged);
        slider.setFrameCount(500);
        QCOMPARE(spy.count(), 0);
        slider.setFrame(122);
        QCOMPARE(spy.last().at(0).toInt(), 122);
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(slider.frame(), 123);
        QTest::keyClick(&slider, Qt::Key_End);
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(slider.frame(), 499);
        slider.setFrameCount(10);
        QCOMPARE(slider.frame(), 9);
        QCOMPARE(spy.last().at(0).toInt(), 9);
        slider.setFrameCount(0);
        QVERIFY(!slider.isEnabled());
    }
};

QTEST_MAIN(TestDetectorView)
#include "tst_detector_view.moc"
