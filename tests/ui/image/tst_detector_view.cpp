#include <algorithm>
#include <cmath>
#include <random>

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include "core/base/error.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/colour_bar.h"
#include "ui/image/view/detector_view.h"

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

/// Notes what it is asked and takes what it is told to.
class NotingTool : public ImageTool {
  public:
    bool takes = true, takesDouble = false;
    QStringList heard;
    QPointF last;
    double zoom = 0;

    QString title() const override { return "Noting"; }
    QString hint() const override { return "-"; }
    QCursor cursor() const override { return Qt::PointingHandCursor; }
    bool press(const ToolEvent& event) override { return note("press", event) && takes; }
    bool move(const ToolEvent& event) override { return note("move", event) && takes; }
    bool release(const ToolEvent& event) override { return note("release", event) && takes; }
    bool doubleClick(const ToolEvent& event) override { return note("double", event) && takesDouble; }
    bool keyPress(QKeyEvent& event) override {
        heard << "key";
        return event.key() == Qt::Key_Delete;
    }
    void cancel() override { heard << "cancel"; }
    void paint(QPainter& painter, const QTransform& imageToWidget) const override {
        painter.fillRect(imageToWidget.mapRect(QRectF(-1e4, -1e4, 2e4, 2e4)), QColor(1, 2, 3));
    }

  private:
    bool note(const char* what, const ToolEvent& event) {
        heard << what;
        last = event.image;
        zoom = event.zoom;
        return true;
    }
};

std::shared_ptr<const Array> pattern(std::size_t height, std::size_t width) {
    std::mt19937 random(4);
    std::vector<std::uint16_t> pixels(height * width);
    for (auto& pixel : pixels) pixel = static_cast<std::uint16_t>(random() % 900);
    return std::make_shared<Array>(Array::of<std::uint16_t>({height, width}, pixels));
}

}  // namespace

class TestDetectorView : public QObject {
    Q_OBJECT
  private slots:
    void aLongTitleOfTheBarHasTwoLines() {
        DetectorView view;
        view.resize(400, 300);
        view.show();
        view.setFrame(std::make_shared<const ks::Array>(
            ks::Array::of<std::uint16_t>({10, 10}, std::vector<std::uint16_t>(100, 7))));
        const QFontMetrics metrics = view.fontMetrics();
        QCOMPARE(colourBarTitle("counts", metrics), QString("counts"));
        QCOMPARE(colourBarTitle("Index of dispersion", metrics), QString("Index of\ndispersion"));
        // Both lines are above the bar: above its first row, there is text in the places of two lines.
        view.setValueTitle("Index of dispersion");
        const QImage drawn = view.grab().toImage();
        const int from = static_cast<int>(view.imageArea().right()) + 1;
        const auto inkIn = [&](int top, int bottom) {
            int ink = 0;
            for (int y = top; y < bottom; ++y)
                for (int x = from; x < drawn.width(); ++x) ink += qGray(drawn.pixel(x, y)) < 128;
            return ink;
        };
        const int line = metrics.height();
        QVERIFY(inkIn(0, line) > 0 && inkIn(line, 2 * line) > 0);
        const QString folder = qEnvironmentVariable("PICTURES");
        if (!folder.isEmpty()) QVERIFY(drawn.save(folder + "/bar_title.png"));
    }

    // A pointed end of the bar is as high in its middle as a flat one is everywhere.
    void aBarBeyondWhoseLimitsThereAreValuesIsPointed() {
        DetectorView view;
        view.resize(400, 300);
        view.show();
        std::vector<std::uint16_t> pixels(100 * 100);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint16_t>(i % 100);
        pixels[4321] = 60000;
        view.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({100, 100}, pixels)));
        QVERIFY(view.colourScale().high < 100);
        // The first rows from above with the highest colour, over the columns of the bar.
        const auto tops = [&view] {
            const QImage image = view.grab().toImage();
            const QRgb highest = view.colourMap().table().back();
            std::vector<int> rows;
            for (int x = static_cast<int>(view.imageArea().right()) + 1; x < image.width(); ++x)
                for (int y = 0; y < image.height() / 2; ++y)
                    if (const QRgb seen = image.pixel(x, y); std::abs(qRed(seen) - qRed(highest)) +
                                                                 std::abs(qGreen(seen) - qGreen(highest)) +
                                                                 std::abs(qBlue(seen) - qBlue(highest)) <
                                                             20) {
                        rows.push_back(y);
                        break;
                    }
            const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
            return rows.empty() ? -1 : *high - *low;
        };
        QVERIFY2(tops() >= 4, qPrintable(QString::number(tops())));
        const QPoint bar(static_cast<int>(view.imageArea().right()) + 14, 100);
        QHelpEvent help(QEvent::ToolTip, bar, view.mapToGlobal(bar));
        QApplication::sendEvent(&view, &help);
        QVERIFY2(QToolTip::text().contains("60000"), qPrintable(QToolTip::text()));
        view.setColourScale(fixedScale(0, 60000));
        QVERIFY2(tops() >= 0 && tops() <= 1, qPrintable(QString::number(tops())));
    }

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

    void noSpotDisappearsWhereverItIsAndHoweverFarOneZooms() {
        constexpr std::size_t height = 4362, width = 4148;
        auto frame = std::make_shared<Array>(ElementType::u16, std::vector<std::size_t>{height, width});
        const auto pixels = frame->as<std::uint16_t>();
        std::fill(pixels.begin(), pixels.end(), std::uint16_t{1});
        DetectorView view;
        view.resize(640, 560);
        view.setScaleBarVisible(false);
        view.setColourScale(fixedScale(0, 60000));
        const QRgb bright = view.colourMap().table()[255];
        std::mt19937 random(17);
        std::vector<std::pair<std::size_t, std::size_t>> places{
            {0, 0}, {0, width - 1}, {height - 1, 0}, {height - 1, width - 1}};
        while (places.size() < 200) places.emplace_back(random() % height, random() % width);
        for (const auto& [row, column] : places) {
            pixels[row * width + column] = 60000;
            view.setFrame(frame);
            view.fit();
            const QPointF place(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
            for (int step = 0; view.zoom() < 3; ++step) {
                const QImage image = view.grab().toImage();
                const QPoint at = view.toWidget(place).toPoint();
                bool seen = false;
                for (int y = at.y() - 2; y <= at.y() + 2; ++y) {
                    for (int x = at.x() - 2; x <= at.x() + 2; ++x)
                        seen |= image.valid(x, y) && (image.pixel(x, y) | 0xff000000) == bright;
                }
                QVERIFY2(
                    seen,
                    qPrintable(QString("row %1, column %2, zoom %3").arg(row).arg(column).arg(view.zoom())));
                view.zoomBy(1.29, view.toWidget(place));
            }
            pixels[row * width + column] = 1;
        }
    }

    void theReductionIsChosen() {
        DetectorView view;
        view.resize(300, 300);
        std::vector<std::uint16_t> pixels(2000 * 2000, 100);
        for (std::size_t i = 0; i < pixels.size(); i += 2) pixels[i] = 0;  // stripes of single columns
        view.setFrame(std::make_shared<Array>(Array::of<std::uint16_t>({2000, 2000}, pixels)));
        view.setColourScale(fixedScale(0, 100));
        const auto colour = [&] { return view.grab().toImage().pixel(100, 100); };
        QCOMPARE(colour(), view.colourMap().at(1));
        view.setReduction(Reduction::min);
        QCOMPARE(colour(), view.colourMap().at(0));
        view.setReduction(Reduction::mean);
        const double mean = 50;  // an odd number of columns may fall on one point
        bool near = false;
        for (double v = mean - 13; v <= mean + 13; v += 0.1) near |= colour() == view.colourMap().at(v / 100);
        QVERIFY(near);
    }

    void aMaskAndLabelsChangedInPlaceGiveThePictureOfNewOnes() {
        constexpr std::size_t height = 700, width = 900;
        DetectorView view, fresh;
        std::mt19937 random(5);
        for (const double factor : {1.0, 2.3, 9.0}) {
            auto mask = std::make_shared<std::vector<std::uint8_t>>(height * width);
            auto labels = std::make_shared<std::vector<std::int32_t>>(height * width);
            for (DetectorView* each : {&view, &fresh}) {
                each->resize(420, 360);
                each->setFrame(pattern(height, width));
                each->setColourScale(fixedScale(0, 900));
                each->setScaleBarVisible(false);
                each->fit();
                each->zoomBy(factor, {200, 170});
            }
            view.setMask(mask);
            view.setLabels(labels);
            view.grab();
            for (int stroke = 0; stroke < 12; ++stroke) {
                const std::size_t x = random() % (width - 40), y = random() % (height - 30);
                for (std::size_t r = y; r < y + 30; ++r) {
                    for (std::size_t c = x; c < x + 40; ++c) {
                        (stroke % 2 ? (*mask)[r * width + c]
                                    : reinterpret_cast<std::uint8_t&>((*labels)[r * width + c])) =
                            static_cast<std::uint8_t>(stroke % 2 ? stroke % 3 : stroke);
                    }
                }
                const PixelRect where{static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), 40, 30};
                if (stroke % 2)
                    view.maskChanged(where);
                else
                    view.labelsChanged(where);
                fresh.setMask(std::make_shared<const std::vector<std::uint8_t>>(*mask));
                fresh.setLabels(std::make_shared<const std::vector<std::int32_t>>(*labels));
                QCOMPARE(view.grab().toImage(), fresh.grab().toImage());
            }
        }
        QVERIFY_EXCEPTION_THROWN(view.setMask(std::make_shared<std::vector<std::uint8_t>>(3)), ks::Error);
        QVERIFY_EXCEPTION_THROWN(view.setLabels(std::make_shared<std::vector<std::int32_t>>(3)), ks::Error);
    }

    void theMaskShowsThroughTheTintOfTheBins() {
        DetectorView view;
        view.resize(500, 400);
        view.setScaleBarVisible(false);
        view.setFrame(pattern(10, 10));
        view.setColourScale(fixedScale(0, 900));
        const QRgb own = view.colourMap().invalid();
        auto mask = std::make_shared<std::vector<std::uint8_t>>(100);
        for (const std::size_t at : {33, 34, 57}) (*mask)[at] = 1;
        view.setMask(mask);
        const int plain = count(view, own);
        QVERIFY(plain > 3 * 30 * 30);
        auto labels = std::make_shared<std::vector<std::int32_t>>(100, 3);
        for (const double opacity : {0.18, 1.0}) {
            view.setOverlayOpacity(opacity);
            view.setLabels(labels);
            QCOMPARE(count(view, own), plain);
        }
        // Also where only a part is drawn anew.
        (*mask)[58] = 1;
        view.maskChanged({8, 5, 1, 1});
        QCOMPARE(count(view, own), plain + plain / 3);
        (*labels)[58] = 5;
        view.labelsChanged({8, 5, 1, 1});
        QCOMPARE(count(view, own), plain + plain / 3);
    }

    void labelsOfAnotherShapeAreForgotten() {
        DetectorView view;
        view.resize(300, 260);
        view.setFrame(spot(10, 10, 9, 9));
        view.setColourScale(fixedScale(0, 10));
        view.setLabels(std::make_shared<std::vector<std::int32_t>>(100, 2));
        const QRgb plain = view.colourMap().at(0.1);
        QCOMPARE(count(view, plain), 0);
        view.setFrame(spot(13, 40, 9, 9));
        QVERIFY(count(view, plain) > 1000);
    }

    void aToolGetsTheLeftButtonAndTheViewGetsWhatItRefuses() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        NotingTool tool;
        QSignalSpy clicks(&view, &DetectorView::clicked), changes(&view, &DetectorView::toolChanged);
        view.setTool(&tool);
        QCOMPARE(changes.count(), 1);
        wheel(view, {200, 200}, 4);
        const QPointF before = view.toImage({0, 0});

        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        moveMouse(view, {240, 170}, Qt::LeftButton);
        QCOMPARE(tool.last, view.toImage({240, 170}));
        QCOMPARE(tool.zoom, view.zoom());
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {240, 170});
        QCOMPARE(tool.heard, QStringList({"press", "move", "release"}));
        QCOMPARE(view.toImage({0, 0}), before);
        QCOMPARE(clicks.count(), 0);
        QCOMPARE(view.cursor().shape(), Qt::PointingHandCursor);

        tool.heard.clear();
        moveMouse(view, {241, 170}, Qt::NoButton);
        QCOMPARE(tool.heard, QStringList({"move"}));

        // Middle drag pans, and so does the left one with Space.
        QTest::mousePress(&view, Qt::MiddleButton, {}, {200, 200});
        moveMouse(view, {230, 200}, Qt::MiddleButton);
        QTest::mouseRelease(&view, Qt::MiddleButton, {}, {230, 200});
        QVERIFY(std::abs(view.toImage({30, 0}).x() - before.x()) < 1e-9);
        QTest::keyPress(&view, Qt::Key_Space);
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        moveMouse(view, {170, 200}, Qt::LeftButton);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {170, 200});
        QTest::keyRelease(&view, Qt::Key_Space);
        QVERIFY(std::abs(view.toImage({0, 0}).x() - before.x()) < 1e-9);
        QVERIFY(!tool.heard.contains("press"));

        tool.takes = false;
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        moveMouse(view, {240, 200}, Qt::LeftButton);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {240, 200});
        QVERIFY(std::abs(view.toImage({40, 0}).x() - before.x()) < 1e-9);
        QTest::mouseClick(&view, Qt::LeftButton, {}, {100, 100});
        QCOMPARE(clicks.count(), 1);
    }

    void aDoubleClickIsASecondPressForAToolThatTookTheFirst() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        NotingTool tool;
        view.setTool(&tool);
        wheel(view, {200, 200}, 4);
        QTest::mouseClick(&view, Qt::LeftButton, {}, {200, 200});
        QTest::mouseDClick(&view, Qt::LeftButton, {}, {200, 200});  // no release comes with it
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {200, 200});
        QVERIFY(!view.fitted());
        QCOMPARE(tool.heard, QStringList({"press", "release", "double", "press", "release"}));
        tool.takes = false;
        QTest::mouseClick(&view, Qt::LeftButton, {}, {200, 200});
        QTest::mouseDClick(&view, Qt::LeftButton, {}, {200, 200});
        QVERIFY(view.fitted());
    }

    void keysReachTheToolFirstAndEscLeavesIt() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        NotingTool tool;
        view.setTool(&tool);
        const double zoom = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > zoom);
        QCOMPARE(tool.heard, QStringList({"key"}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(tool.heard, QStringList({"key", "key", "cancel"}));
        QVERIFY(!view.tool());
        view.setTool(&tool);
        view.setFrame(spot(301, 241, 10, 10));
        QCOMPARE(tool.heard.filter("cancel").size(), 2);
        NotingTool other;
        view.setTool(&other);
        QCOMPARE(tool.heard.filter("cancel").size(), 3);
        view.setTool(nullptr);
        QCOMPARE(other.heard, QStringList({"cancel"}));
    }

    void theDefaultToolTakesThePlaceOfNone() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        NotingTool usual, other;
        view.setDefaultTool(&usual);
        QCOMPARE(view.tool(), &usual);
        QVERIFY(!view.toolInUse());
        view.setTool(&other);
        QVERIFY(view.toolInUse());
        view.setDefaultTool(nullptr);
        QCOMPARE(view.tool(), &other);
        view.setDefaultTool(&usual);
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(view.tool(), &usual);
        QTest::keyClick(&view, Qt::Key_Escape);  // it hears of it and stays
        QCOMPARE(view.tool(), &usual);
        QCOMPARE(usual.heard.last(), QString("cancel"));
        view.setDefaultTool(nullptr);
        QVERIFY(!view.tool());
    }

    void theWholeImageTouchesTwoOppositeEdges_data() {
        QTest::addColumn<QSize>("frame");
        QTest::newRow("wide") << QSize(400, 90);
        QTest::newRow("high") << QSize(90, 400);
        QTest::newRow("square") << QSize(2000, 2000);
    }
    void theWholeImageTouchesTwoOppositeEdges() {
        QFETCH(QSize, frame);
        DetectorView view;
        for (const QSize& size : {QSize(700, 400), QSize(400, 700), QSize(200, 160)}) {
            view.resize(size);
            view.setFrame(
                pattern(static_cast<std::size_t>(frame.height()), static_cast<std::size_t>(frame.width())));
            view.fit();
            const QRectF area = view.imageArea();
            const QPointF first = view.toWidget({0, 0}),
                          last = view.toWidget(QPointF(frame.width(), frame.height()));
            const bool across =
                std::abs(first.x() - area.left()) <= 1 && std::abs(last.x() - area.right()) <= 1;
            const bool along =
                std::abs(first.y() - area.top()) <= 1 && std::abs(last.y() - area.bottom()) <= 1;
            QVERIFY(across || along);
            QVERIFY(first.x() > area.left() - 1 && last.x() < area.right() + 1);
            QVERIFY(first.y() > area.top() - 1 && last.y() < area.bottom() + 1);
        }
    }

    void aClickOnTheColourBarIsTold() {
        DetectorView view;
        view.resize(500, 400);
        QSignalSpy bar(&view, &DetectorView::colourBarClicked), picture(&view, &DetectorView::clicked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, {490, 200});
        QCOMPARE(bar.count(), 0);  // there is none without a frame
        view.setFrame(pattern(50, 60));
        QTest::mouseClick(&view, Qt::LeftButton, {}, {490, 200});
        QCOMPARE(bar.count(), 1);
        QCOMPARE(picture.count(), 0);
        QTest::mouseClick(&view, Qt::LeftButton, {}, {200, 200});
        QCOMPARE(bar.count(), 1);
        QCOMPARE(picture.count(), 1);
    }

    void theToolPaintsLastAndOnlyOnTheImage() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(spot(201, 241, 10, 10));
        {
            NotingTool tool;
            view.setTool(&tool);
            const QImage image = view.grab().toImage();
            QCOMPARE(image.pixel(100, 100), qRgb(1, 2, 3));
            int beside = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = static_cast<int>(std::ceil(view.imageArea().right())); x < image.width(); ++x)
                    beside += image.pixel(x, y) == qRgb(1, 2, 3);
            }
            QCOMPARE(beside, 0);
        }
        QVERIFY(!view.tool());  // a tool that is gone
        QVERIFY(view.grab().toImage().pixel(100, 100) != qRgb(1, 2, 3));
    }

    void thePictureGoesToTheClipboard() {
        DetectorView view;
        view.resize(500, 400);
        view.setFrame(pattern(50, 60));
        view.copyPicture();
        const QImage image = QGuiApplication::clipboard()->image();
        QCOMPARE(image.size(), view.size());
        QCOMPARE(image.pixel(200, 200) | 0xff000000, view.grab().toImage().pixel(200, 200) | 0xff000000);
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
        auto mask = std::make_shared<std::vector<std::uint8_t>>(12000);
        (*mask)[5 * 120 + 6] = 1;
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
        auto mask = std::make_shared<std::vector<std::uint8_t>>(100);
        (*mask)[3] = 1;
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
        view.setLabels(std::make_shared<std::vector<std::int32_t>>(labels));
        QVERIFY(std::abs(count(view, plain) - (all - 50 * view.zoom() * view.zoom())) < 20 * view.zoom());
        view.setVisibleBins({true, false});
        QCOMPARE(count(view, plain), all);
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
