#include <memory>
#include <random>

#include <QtTest>

#include "core/base/error.h"
#include "ui/base/palette.h"
#include "ui/image/view/image_renderer.h"

using ks::Array;
using ks::PixelRect;
using namespace ks::ui;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

std::shared_ptr<const Array> values(std::size_t height, std::size_t width) {
    std::mt19937 random(11);
    std::vector<std::uint16_t> pixels(height * width);
    for (auto& pixel : pixels) pixel = static_cast<std::uint16_t>(random() % 256);
    return std::make_shared<Array>(Array::of<std::uint16_t>({height, width}, pixels));
}

ColourScale upTo(double high) {
    ColourScale scale;
    scale.low = 0;
    scale.high = high;
    scale.automatic = false;
    return scale;
}

Viewport fitted(const QSizeF& image, const QRectF& area) {
    Viewport viewport;
    viewport.setImage(image);
    viewport.setArea(area);
    viewport.fit();
    return viewport;
}

QPalette ground(const QColor& base, const QColor& text) {
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Window, base);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::WindowText, text);
    return palette;
}

}  // namespace

class TestImageRenderer : public QObject {
    Q_OBJECT
  private slots:
    void eachPixelIsASquareOfItsColour_data() {
        QTest::addColumn<double>("ratio");
        QTest::newRow("1") << 1.0;
        QTest::newRow("2") << 2.0;
    }
    void eachPixelIsASquareOfItsColour() {
        QFETCH(double, ratio);
        constexpr std::size_t height = 6, width = 8;
        ImageRenderer renderer;
        const auto frame = values(height, width);
        renderer.setFrame(frame);
        renderer.setColourScale(upTo(255));
        renderer.setPalette(ground(QColor(250, 251, 252), Qt::black));
        auto mask = std::make_shared<Bytes>(height * width);
        (*mask)[2 * width + 3] = 1;
        renderer.setMask(mask);
        auto labels = std::make_shared<Labels>(height * width);
        (*labels)[2 * width + 3] = (*labels)[4 * width + 1] = 2;
        renderer.setLabels(labels);
        renderer.setOpacity(1);
        const QImage image = renderer.picture(fitted({8, 6}, {0, 0, 100, 60}), ratio);
        QCOMPARE(image.size(), QSize(100, 60) * ratio);
        const auto at = [&](double x, double y) { return image.pixel((QPointF(x, y) * ratio).toPoint()); };
        for (std::size_t r = 0; r < height; ++r) {
            for (std::size_t c = 0; c < width; ++c) {
                const double value = frame->as<std::uint16_t>()[r * width + c] / 255.0;
                QRgb expected = renderer.colourMap().at(value);
                if (r == 4 && c == 1) expected = binColour(2, false).rgb();
                if (r == 2 && c == 3) expected = renderer.colourMap().invalid();
                QCOMPARE(at(10 + 10.0 * static_cast<double>(c) + 5, 10.0 * static_cast<double>(r) + 5),
                         expected);
            }
        }
        QCOMPARE(at(5, 30), qRgb(250, 251, 252));
        QCOMPARE(at(95, 30), qRgb(250, 251, 252));
        renderer.setVisibleBins({true, false});
        const double value = frame->as<std::uint16_t>()[4 * width + 1] / 255.0;
        const QImage without = renderer.picture(fitted({8, 6}, {0, 0, 100, 60}), ratio);
        QCOMPARE(without.pixel((QPointF(25, 45) * ratio).toPoint()), renderer.colourMap().at(value));
    }

    void aPartDrawnAnewGivesThePictureOfAWholeOne() {
        constexpr std::size_t height = 700, width = 900;
        std::mt19937 random(3);
        for (const double factor : {1.0, 3.3, 20.0}) {
            ImageRenderer renderer;
            renderer.setFrame(values(height, width));
            renderer.setColourScale(upTo(255));
            auto mask = std::make_shared<Bytes>(height * width);
            auto labels = std::make_shared<Labels>(height * width);
            renderer.setMask(mask);
            renderer.setLabels(labels);
            Viewport viewport = fitted({900, 700}, {0, 0, 400, 300});
            viewport.zoomBy(factor, {200, 150});
            // Nothing has been drawn that could be wrong now.
            QVERIFY(renderer.maskChanged({10, 10, 20, 20}).isEmpty());
            renderer.picture(viewport, 1);
            for (int turn = 0; turn < 10; ++turn) {
                const auto x = static_cast<std::int64_t>(random() % 860),
                           y = static_cast<std::int64_t>(random() % 660);
                for (std::int64_t r = y; r < y + 40; ++r) {
                    const auto from = static_cast<std::size_t>(r) * width + static_cast<std::size_t>(x);
                    for (std::size_t i = from; i < from + 40; ++i)
                        turn % 2 ? (*mask)[i] = 1 : (*labels)[i] = turn;
                }
                const PixelRect where{x, y, 40, 40};
                const QRectF part = turn % 2 ? renderer.maskChanged(where) : renderer.labelsChanged(where);
                const QRectF seen =
                    viewport.transform()
                        .mapRect(QRectF(static_cast<double>(x), static_cast<double>(y), 40, 40))
                        .intersected(viewport.area());
                QVERIFY(part.isEmpty() == seen.isEmpty());
                if (turn >= 2 && !part.isEmpty()) {
                    QVERIFY(part.adjusted(-1, -1, 1, 1).contains(seen));
                    QVERIFY(seen.adjusted(-3, -3, 3, 3).contains(part));
                }
                QCOMPARE(renderer.picture(viewport, 1), renderer.render(viewport, 1, QPalette()));
            }
        }
    }

    void aMovedPictureIsThatOfAWholeOne_data() {
        QTest::addColumn<double>("zoom");
        for (const double zoom : {0.31, 0.5, 1.0, 4.0}) QTest::addRow("%g", zoom) << zoom;
    }
    void aMovedPictureIsThatOfAWholeOne() {
        QFETCH(double, zoom);
        constexpr std::size_t height = 700, width = 900;
        ImageRenderer renderer;
        renderer.setFrame(values(height, width));
        renderer.setColourScale(upTo(255));
        auto mask = std::make_shared<Bytes>(height * width);
        auto labels = std::make_shared<Labels>(height * width);
        for (std::size_t i = 0; i < labels->size(); ++i) (*labels)[i] = static_cast<std::int32_t>(i / 50 % 4);
        renderer.setMask(mask);
        renderer.setLabels(labels);
        Viewport viewport = fitted({900, 700}, {0, 0, 200, 150});
        viewport.zoomBy(zoom / viewport.scale(), {100, 75});
        renderer.picture(viewport, 1);
        const QPointF ways[] = {{7, 0},   {-7, 0},  {0, 5},     {0, -5}, {13, 9},
                                {-13, 9}, {13, -9}, {-11, -20}, {0.5, 0}};
        int turn = 0;
        for (const QPointF& way : ways) {
            viewport.panBy(way);
            const QImage moved = renderer.picture(viewport, 1).copy(),
                         whole = renderer.render(viewport, 1, QPalette());
            // A pixel on the border of two cells may be given to either.
            int different = 0;
            for (int y = 0; y < moved.height(); ++y)
                for (int x = 0; x < moved.width(); ++x) different += moved.pixel(x, y) != whole.pixel(x, y);
            QVERIFY2(different <= (zoom < 1 ? 300 : 0), qPrintable(QString::number(different)));
            // What changes in place after a move, and new colours.
            const std::size_t at = (300 + static_cast<std::size_t>(turn)) * width + 440;
            (*mask)[at] = 1;
            renderer.maskChanged({440, 300 + turn, 1, 1});
            QCOMPARE(renderer.picture(viewport, 1) != moved,
                     renderer.render(viewport, 1, QPalette()) != whole);
            if (++turn % 3 == 0) {
                renderer.setColourMap(ColourMap::named(turn % 2 ? "grey" : "viridis"));
                QCOMPARE(renderer.picture(viewport, 1), renderer.render(viewport, 1, QPalette()));
            }
        }
    }

    void everySettingReachesTheNextPicture() {
        ImageRenderer renderer;
        renderer.setFrame(values(300, 400));
        renderer.setColourScale(upTo(255));
        const Viewport viewport = fitted({400, 300}, {0, 0, 220, 150});
        QImage before = renderer.picture(viewport, 1);
        const auto changes = [&] {
            const QImage now = renderer.picture(viewport, 1);
            const bool other = now != before;
            before = now;
            return other;
        };
        QVERIFY(!changes());
        renderer.setColourMap(ColourMap::named("grey"));
        QVERIFY(changes());
        renderer.setColourScale(upTo(50));
        QVERIFY(changes());
        renderer.setReduction(Reduction::min);
        QVERIFY(changes());
        renderer.setLabels(std::make_shared<Labels>(400 * 300, 1));
        QVERIFY(changes());
        renderer.setOpacity(0.7);
        QVERIFY(changes());
        renderer.setPalette(ground(QColor(20, 20, 24), Qt::white));
        QVERIFY(changes());  // beside the image
        renderer.setVisibleBins({false});
        QVERIFY(changes());
        renderer.setMask(std::make_shared<Bytes>(400 * 300, 1));
        QVERIFY(changes());
        renderer.setFrame(values(300, 401));  // mask and labels are of another shape
        QVERIFY(!renderer.mask());
        QVERIFY(changes());
        QVERIFY(!renderer.empty());
        renderer.setFrame(nullptr);
        QVERIFY(renderer.empty());
    }

    void whatDoesNotFitIsRefusedAndNothingChanges() {
        ImageRenderer renderer;
        renderer.setFrame(values(30, 40));
        renderer.setColourScale(upTo(255));
        const Viewport viewport = fitted({40, 30}, {0, 0, 200, 150});
        const QImage before = renderer.picture(viewport, 1);
        QVERIFY_EXCEPTION_THROWN(renderer.setMask(std::make_shared<Bytes>(3)), ks::Error);
        QVERIFY_EXCEPTION_THROWN(renderer.setLabels(std::make_shared<Labels>(3)), ks::Error);
        QVERIFY_EXCEPTION_THROWN(
            renderer.setFrame(std::make_shared<Array>(ks::ElementType::u8, std::vector<std::size_t>{8})),
            ks::Error);
        QCOMPARE(renderer.picture(viewport, 1), before);
    }
};

QTEST_APPLESS_MAIN(TestImageRenderer)
#include "tst_image_renderer.moc"
