// Rings on the image where pixels are not square: q by the formula for the scattering angle, not by Geometry.

#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>
#include <memory>
#include <numbers>

#include "ui/base/jobs.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/tools/beam_tools.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/image/view/ring_painter.h"

using ks::Geometry;
using namespace ks::ui;

class RingShapesTest : public QObject {
    Q_OBJECT
    static constexpr double pi = std::numbers::pi;
    static constexpr double width = 0.05, height = 0.1;          // of a pixel, mm
    static constexpr double wavelength = 1.55, distance = 5000;  // angstrom, mm
    static constexpr double beamX = 190.5, beamY = 95.5;

    static Geometry oblong() { return {wavelength, distance, beamX, beamY, 1000 * width, 1000 * height}; }

    /// Distance from the beam on the detector at which q is reached, mm.
    static double lengthOf(double q) { return distance * std::tan(2 * std::asin(q * wavelength / (4 * pi))); }

    /// The point of that ring in a direction on the detector (degrees).
    static QPointF pointOf(double q, double phi) {
        const double at = phi * pi / 180;
        return {beamX + lengthOf(q) * std::cos(at) / width, beamY + lengthOf(q) * std::sin(at) / height};
    }

    template <class Paint>
    static QImage painted(Paint paint) {
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(QColor(128, 128, 128));
        QPainter painter(&image);
        paint(painter);
        return image;
    }

    static bool differs(const QImage& image, const QPointF& at) {
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                if (std::abs(qGray(image.pixel(QPointF(at.x() + dx, at.y() + dy).toPoint())) - 128) > 20)
                    return true;
        return false;
    }

    /// How many of 72 points of the ring are painted.
    static int onRing(const QImage& image, double q) {
        int count = 0;
        for (int k = 0; k < 72; ++k) count += differs(image, pointOf(q, 5.0 * k + 1));
        return count;
    }

    static ToolEvent at(const QPointF& image) {
        return {image, image, 1, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier};
    }

  private slots:
    void ringsOfAQLieWhereThatQIs() {
        RingLayer rings;
        rings.set(oblong(), QStringLiteral("q"), 0.008);
        QVERIFY(rings.q().size() >= 3);
        const QImage image = painted([&](QPainter& painter) { rings.paint(painter, QTransform()); });
        const double q = rings.q()[2];
        QVERIFY(image.rect().contains(pointOf(q, 0).toPoint()) &&
                image.rect().contains(pointOf(q, 90).toPoint()));
        QVERIFY2(onRing(image, q) >= 70, qPrintable(QString::number(onRing(image, q))));
    }

    void anEdgeInQLiesWhereThatQIs() {
        const double q = 0.004;
        ks::PartitionRecipe recipe;
        recipe.geometry = oblong();
        recipe.in_q = true;
        recipe.radial = ks::edge_levels({0.002, q});
        EdgeTool tool;
        tool.setRecipe(recipe);
        QVERIFY(tool.press(at(pointOf(q, 45))));  // held
        const QImage image = painted([&](QPainter& painter) { tool.paint(painter, QTransform()); });
        QVERIFY2(onRing(image, q) == 72, qPrintable(QString::number(onRing(image, q))));
    }

    void theOutlineOfARingInQLiesWhereThatQIs() {
        const double q = 0.004;
        Viewport viewport;
        viewport.setImage({400, 300});
        viewport.setArea({0, 0, 400, 300});
        QCOMPARE(viewport.scale(), 1.0);
        const auto axes = oblong().ring_of_q(q);
        QVERIFY(axes.has_value());
        QVERIFY(std::abs(axes->x - lengthOf(q) / width) < 1e-9);
        QVERIFY(std::abs(axes->y - lengthOf(q) / height) < 1e-9);
        const QImage image = painted([&](QPainter& painter) {
            painter.setRenderHint(QPainter::Antialiasing);
            RingPainter rings(painter, viewport, {0, 0, 400, 300});
            rings.draw({beamX, beamY}, {*axes, {}, 0});
        });
        QVERIFY2(onRing(image, q) == 72, qPrintable(QString::number(onRing(image, q))));
    }

    void threePointsOnARingGiveItsCentre_data() {
        QTest::addColumn<QList<double>>("angles");
        QTest::newRow("around") << QList<double>{10, 130, 250};
        QTest::newRow("on the left half") << QList<double>{120, 150, 180, 210, 240};
    }
    void threePointsOnARingGiveItsCentre() {
        QFETCH(QList<double>, angles);
        RingFitTool tool;
        tool.setAspect(height / width);
        for (const double angle : angles) QVERIFY(tool.press(at(pointOf(0.004, angle))));
        QVERIFY(tool.fit().has_value());
        QVERIFY(std::abs(tool.fit()->x - beamX) < 1e-6 && std::abs(tool.fit()->y - beamY) < 1e-6);
        QVERIFY(tool.fit()->rms < 1e-6);
        const ks::RingAxes axes = tool.axesOf(*tool.fit());
        QVERIFY(std::abs(axes.x - lengthOf(0.004) / width) < 1e-6);
        QVERIFY(std::abs(axes.y - lengthOf(0.004) / height) < 1e-6);
        const QImage image = painted([&](QPainter& painter) { tool.paint(painter, QTransform()); });
        QCOMPARE(onRing(image, 0.004), 72);
    }

    void thePanelTellsTheToolsAndTheScaleBar() {
        Jobs jobs;
        SessionMask mask(jobs);
        SessionGeometry session;
        ImagePanel panel(jobs, mask, session);
        panel.resize(700, 500);
        auto file = std::make_shared<OpenFile>();
        file->frames =
            std::make_shared<ks::MemoryFrames>("made", ks::Array(ks::ElementType::u8, {2, 300, 400}));
        file->geometry = oblong();
        panel.setFile(file);
        QTRY_VERIFY(panel.frame() != nullptr);
        for (const double angle : {120, 150, 180, 210, 240})
            QVERIFY(panel.ringFitTool().press(at(pointOf(0.004, angle))));
        QVERIFY(std::abs(panel.ringFitTool().fit()->x - beamX) < 1e-6);
        // The bar is horizontal: a pixel of it is a pixel's width.
        const double pixel = 4 * pi / wavelength * std::sin(0.5 * std::atan(width / distance));
        DetectorView& view = panel.view();
        QTRY_VERIFY(view.zoom() > 0);
        const QImage shown = view.grab().toImage();
        view.setQScale(pixel);
        QVERIFY(view.grab().toImage() == shown);
        view.setQScale(1.5 * pixel);
        QVERIFY(view.grab().toImage() != shown);
    }
};

QTEST_MAIN(RingShapesTest)
#include "tst_ring_shapes.moc"
