#include <QImage>
#include <QPainter>
#include <QtTest>
#include <algorithm>
#include <random>

#include "ui/spots/signal_picture.h"

using ks::ui::spots::SignalPicture;

class SignalPictureTest : public QObject {
    Q_OBJECT
    static constexpr QSize screen{200, 100};

    static QImage painted(const SignalPicture& picture, const QTransform& view, QRgb ground = 0xff202020) {
        QImage image(screen, QImage::Format_RGB32);
        image.fill(ground);
        QPainter painter(&image);
        picture.paint(painter, view, QRectF(QPointF(), QSizeF(screen)));
        return image;
    }
    static int changed(const QImage& image, QRgb ground = 0xff202020) {
        int n = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) n += image.pixel(x, y) != ground;
        return n;
    }

  private slots:
    void eachPixelIsAtLeastOneOfTheScreen() {
        SignalPicture picture;
        // Single pixels, 100 apart, of a frame of 2000 x 1000: at a tenth of its size each keeps a point.
        std::vector<std::uint32_t> pixels;
        for (std::uint32_t y = 50; y < 1000; y += 100)
            for (std::uint32_t x = 50; x < 2000; x += 100) pixels.push_back(y * 2000 + x);
        const auto n = static_cast<int>(pixels.size());
        picture.set(2000, {{pixels, Qt::red}});
        const QImage image = painted(picture, QTransform::fromScale(0.1, 0.1));
        QCOMPARE(changed(image), n);
        QCOMPARE(image.pixelColor(5, 5), QColor(Qt::red));
    }

    void largePixelsHaveAnEdgeAndLetTheCountsThrough() {
        SignalPicture picture;
        picture.set(20, {{{3 * 20 + 4}, QColor(255, 0, 0)}});
        const QImage image = painted(picture, QTransform::fromScale(10, 10));
        QCOMPARE(changed(image), 100);  // 40 <= x < 50, 30 <= y < 40 and nothing else
        for (const QPoint edge : {QPoint(40, 30), QPoint(49, 39), QPoint(45, 30), QPoint(40, 35)})
            QCOMPARE(image.pixelColor(edge), QColor(255, 0, 0));
        QVERIFY(image.pixelColor(45, 35).red() < 250 && image.pixelColor(45, 35).red() > 60);
        QCOMPARE(image.pixel(39, 35), 0xff202020);
        QCOMPARE(image.pixel(50, 35), 0xff202020);
    }

    void cutPixelsAtTheBorderAreDrawnUpToIt() {
        SignalPicture picture;
        picture.set(40, {{{0, 39, 40 * 19 + 39}, Qt::red}});
        QTransform view;
        view.translate(-5, -5);
        view.scale(10, 10);
        const QImage image = painted(picture, view);
        QCOMPARE(changed(image), 5 * 5);  // the first pixel; the others lie beyond the screen
        QVERIFY(image.pixel(0, 0) != 0xff202020);
        // Moved so that only the last one is seen, and so that nothing is.
        QTransform last;
        last.translate(-300, -150);
        last.scale(10, 10);
        QCOMPARE(changed(painted(picture, last)), 100);
        QCOMPARE(changed(painted(picture, QTransform::fromTranslate(-5000, 0))), 0);
        QCOMPARE(changed(painted(picture, QTransform::fromTranslate(0, 5000))), 0);
    }

    void moreThanOneScreenPixelAtOtherScales() {
        std::mt19937 random(3);
        for (const double scale : {0.37, 0.99, 1.0, 1.6, 2.5, 6.3}) {
            SignalPicture picture;
            std::vector<std::uint32_t> pixels;
            for (int i = 0; i < 12; ++i)
                pixels.push_back(static_cast<std::uint32_t>(random() % (8 * 20)) * 2);
            std::sort(pixels.begin(), pixels.end());
            pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
            picture.set(30, {{pixels, Qt::green}});
            const QImage image = painted(picture, QTransform::fromScale(scale, scale));
            for (const std::uint32_t pixel : pixels) {
                const QPointF middle((pixel % 30 + 0.5) * scale, (pixel / 30 + 0.5) * scale);
                QVERIFY2(
                    image.pixel(middle.toPoint() - QPoint(middle.x() < middle.toPoint().x(),
                                                          middle.y() < middle.toPoint().y())) != 0xff202020,
                    qPrintable(QString::number(scale)));
            }
        }
    }

    void laterSetsLieAboveAndAnEmptyPictureDrawsNothing() {
        SignalPicture picture;
        QVERIFY(picture.empty());
        QCOMPARE(changed(painted(picture, {})), 0);
        picture.set(20, {{{1, 2}, Qt::red}, {{2}, Qt::blue}});
        const QImage image = painted(picture, {});
        QCOMPARE(image.pixelColor(1, 0), QColor(Qt::red));
        QCOMPARE(image.pixelColor(2, 0), QColor(Qt::blue));
        picture.set(20, {{{}, Qt::red}});
        QCOMPARE(changed(painted(picture, {})), 0);  // not the picture of before
    }
};

QTEST_MAIN(SignalPictureTest)
#include "tst_signal_picture.moc"
