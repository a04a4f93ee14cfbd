#include <QPainter>
#include <QTest>
#include <cmath>
#include <utility>

#include "ui/base/palette.h"
#include "ui/image/view/detector_view.h"
#include "ui/image/view/scale_bar.h"

using namespace ks;
using namespace ks::ui;

class TestScaleBar : public QObject {
    Q_OBJECT
  private slots:
    void theLengthIsTheLargestRoundOneThatFits() {
        QCOMPARE(scaleBarLength(1, 140), 100.0);
        QCOMPARE(scaleBarLength(0.25, 140), 500.0);
        QCOMPARE(scaleBarLength(0.7, 140), 200.0);
        QCOMPARE(scaleBarLength(10, 140), 10.0);
        QCOMPARE(scaleBarLength(70, 140), 2.0);
        QCOMPARE(scaleBarLength(256, 140), 1.0);
    }

    void theTextNamesPixelsAndQ() {
        QCOMPARE(scaleBarText(200, 0), QString("200 px"));
        QCOMPARE(scaleBarText(200, 2.5e-4), QString::fromUtf8("200 px = 0.05 1/\u00c5"));
    }

    void itIsOnANarrowImageOrBesideItAndReadable_data() {
        QTest::addColumn<QRectF>("image");
        QTest::addColumn<bool>("isBeside");
        QTest::newRow("wide") << QRectF(0, 0, 600, 300) << false;
        QTest::newRow("narrow, in the middle") << QRectF(200, 0, 200, 300) << false;
        QTest::newRow("narrower than the text") << QRectF(280, 0, 40, 300) << true;
        QTest::newRow("at the right") << QRectF(400, 0, 200, 300) << true;
    }

    void itIsOnANarrowImageOrBesideItAndReadable() {
        QFETCH(const QRectF, image);
        QFETCH(const bool, isBeside);
        const QRectF view(0, 0, 600, 300);
        const auto painted = [&](const QColor& ground) {
            QImage picture(view.size().toSize(), QImage::Format_RGB32);
            picture.fill(ground);
            QPainter painter(&picture);
            painter.fillRect(image, Qt::black);
            const QImage before = picture;
            paintScaleBar(painter, view, image, 4, 0, textOn(ground));
            painter.end();
            QRect touched;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if (picture.pixel(x, y) != before.pixel(x, y)) touched |= QRect(x, y, 1, 1);
            return std::pair(touched, picture);
        };
        for (const QColor& ground : {QColor(Qt::white), QColor(0x1e, 0x1e, 0x1e)}) {
            const auto [touched, picture] = painted(ground);
            QVERIFY(touched.width() > 20);
            if (isBeside)
                QVERIFY(touched.right() < image.left());
            else
                QVERIFY(image.toRect().contains(touched));
            // The bar itself is as far from its ground as black is from white.
            const QRgb bar = picture.pixel(touched.left() + 12, 300 - 14);
            QVERIFY(std::abs(qGray(bar) - qGray(isBeside ? ground.rgb() : qRgb(0, 0, 0))) > 180);
        }
    }

    void itIsDrawnAtTheLowerLeftAndCanBeSwitchedOff() {
        DetectorView view;
        view.resize(500, 400);
        ColourScale scale;
        scale.automatic = false;
        scale.low = 0;
        scale.high = 10;
        view.setFrame(std::make_shared<Array>(ElementType::u8, std::vector<std::size_t>{300, 400}));
        view.setColourScale(scale);
        const auto white = [&] {
            const QImage image = view.grab().toImage();
            int first = -1, last = -1;
            const QPoint corner = view.toWidget({0, 300}).toPoint();  // of the image, lower left
            for (int x = corner.x() + 4; x < 250; ++x) {
                for (int y = corner.y() - 18; y < corner.y() - 10; ++y) {
                    if (qGray(image.pixel(x, y)) < 250) continue;
                    if (first < 0) first = x;
                    last = x;
                }
            }
            return std::pair(first, last);
        };
        const auto [first, last] = white();
        QVERIFY(first >= 0);
        const double wanted = scaleBarLength(view.zoom(), 140) * view.zoom();
        QVERIFY2(std::abs(last - first - wanted) <= 3,
                 qPrintable(QString("%1 %2").arg(last - first).arg(wanted)));
        view.setScaleBarVisible(false);
        QCOMPARE(white().first, -1);
    }
};

QTEST_MAIN(TestScaleBar)
#include "tst_scale_bar.moc"
