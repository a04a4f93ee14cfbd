// The four pictures that are zoomed and panned: each row of the data is one of them.

#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <functional>
#include <memory>

#include "core/base/array.h"
#include "tests/ui/clusters/made_digis.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/image/view/detector_view.h"
#include "ui/particles/plane_maps.h"

class TestPannedCanvas : public QObject {
    Q_OBJECT

    struct Picture {
        std::unique_ptr<ks::ui::PannedCanvas> canvas;
        std::function<QPointF()> mark;  ///< where a place near the middle of the picture is on the widget
        std::function<QRectF()> area;   ///< where the widget shows the picture
        std::shared_ptr<int> clicks = std::make_shared<int>(0);

        void wheel(int notches) const {
            const QPointF at = mark();
            QWheelEvent event(at, canvas->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(canvas.get(), &event);
        }
        void drag(const QPointF& by, Qt::MouseButton button) const {
            const QPointF from = mark();
            for (const auto& [type, at, pressed, held] :
                 {std::tuple(QEvent::MouseButtonPress, from, button, Qt::MouseButtons(button)),
                  std::tuple(QEvent::MouseMove, from + by / 2, Qt::NoButton, Qt::MouseButtons(button)),
                  std::tuple(QEvent::MouseMove, from + by, Qt::NoButton, Qt::MouseButtons(button)),
                  std::tuple(QEvent::MouseButtonRelease, from + by, button, Qt::MouseButtons())}) {
                QMouseEvent event(type, at, canvas->mapToGlobal(at), pressed, held, Qt::NoModifier);
                QApplication::sendEvent(canvas.get(), &event);
            }
        }
    };

    static Picture detector() {
        auto view = std::make_unique<ks::ui::DetectorView>();
        view->resize(500, 400);
        view->setFrame(std::make_shared<ks::Array>(
            ks::Array::of<std::uint16_t>({100, 120}, std::vector<std::uint16_t>(12000, 7))));
        auto* const one = view.get();
        Picture picture{std::move(view),
                        [one] {
                            return one->toWidget({63, 48});
                        },
                        [one] { return one->imageArea(); }};
        connect(one, &ks::ui::DetectorView::clicked, one, [n = picture.clicks] { ++*n; });
        return picture;
    }
    static Picture module() {
        const auto digis = digiSet(someDigis());
        ks::ui::clusters::MapScene scene;
        scene.data = std::make_shared<const ks::ui::clusters::ModuleViewData>(
            ks::ui::clusters::moduleViewData(*digis, nullptr, 0));
        scene.colours.assign(scene.data->digis.size(), qRgb(200, 0, 0));
        const QPointF middle(scene.data->width / 2.0, scene.data->height / 2.0);
        auto map = std::make_unique<ks::ui::clusters::ModuleMap>();
        map->resize(500, 400);
        map->setScene(std::move(scene));
        auto* const one = map.get();
        Picture picture{std::move(map), [one, middle] { return one->toWidget(middle); },
                        [one] { return one->place().viewport; }};
        connect(one, &ks::ui::clusters::ModuleMap::clicked, one, [n = picture.clicks] { ++*n; });
        return picture;
    }
    static Picture planes() {
        using ks::ui::particles::Plane;
        auto maps = std::make_unique<ks::ui::particles::PlaneMaps>();
        maps->resize(760, 300);
        maps->setGrid({20, 0, 1, 0.2, 0.3, 0.1});
        auto* const one = maps.get();
        Picture picture{std::move(maps),
                        [one] {
                            return one->toWidget({Plane::xy, {0.55, 0.45}});
                        },
                        [one] { return one->area(Plane::xy); }};
        connect(one, &ks::ui::particles::PlaneMaps::clicked, one, [n = picture.clicks] { ++*n; });
        return picture;
    }
    static Picture modules() {
        std::vector<MadeDigi> digis;
        for (std::uint32_t module = 0; module < 300; ++module) digis.push_back({module, 1, 1, 10});
        auto overview = std::make_unique<ks::ui::clusters::ModuleOverview>();
        overview->resize(500, 400);
        overview->setEvent(digiSet(digis), nullptr, 0);
        overview->select(150);
        auto* const one = overview.get();
        Picture picture{std::move(overview), [one] { return one->cellRect(150).center(); },
                        [one] { return one->place().viewport; }};
        connect(one, &ks::ui::clusters::ModuleOverview::picked, one, [n = picture.clicks] { ++*n; });
        return picture;
    }
    static Picture named(const QString& name) {
        return name == "detector" ? detector()
               : name == "module" ? module()
               : name == "planes" ? planes()
                                  : modules();
    }
    static void rows() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"detector", "module", "planes", "modules"})
            QTest::newRow(name) << QString(name);
    }
    /// Cells of the overview lie on whole pixels.
    static bool near(const QPointF& a, const QPointF& b) {
        return std::hypot(a.x() - b.x(), a.y() - b.y()) < 1.5;
    }

  private slots:
    void aNotchOfTheWheelZoomsByAQuarterAtTheCursor_data() { rows(); }
    void aNotchOfTheWheelZoomsByAQuarterAtTheCursor() {
        QFETCH(QString, name);
        const Picture picture = named(name);
        const double before = picture.canvas->zoom();
        const QPointF at = picture.mark();
        QVERIFY(picture.canvas->fitted());
        picture.wheel(1);
        QVERIFY(std::abs(picture.canvas->zoom() / before - 1.25) < 1e-9);
        QVERIFY(near(picture.mark(), at));
        QVERIFY(!picture.canvas->fitted());
        picture.wheel(-1);
        QVERIFY(std::abs(picture.canvas->zoom() / before - 1) < 1e-9);
        picture.wheel(3);
        QVERIFY(std::abs(picture.canvas->zoom() / before - 1.25 * 1.25 * 1.25) < 1e-9);
        QTest::mouseDClick(picture.canvas.get(), Qt::LeftButton, {}, picture.mark().toPoint());
        QVERIFY(picture.canvas->fitted());
        QCOMPARE(picture.canvas->zoom(), before);
    }

    void keysZoomByTheSameStepInTheMiddle_data() { rows(); }
    void keysZoomByTheSameStepInTheMiddle() {
        QFETCH(QString, name);
        const Picture picture = named(name);
        const double before = picture.canvas->zoom();
        const QPointF centre = picture.area().center(), from = picture.mark() - centre;
        QTest::keyClick(picture.canvas.get(), Qt::Key_Plus);
        QVERIFY(std::abs(picture.canvas->zoom() / before - 1.25) < 1e-9);
        QVERIFY(near(picture.mark() - centre, from * 1.25));
        QTest::keyClick(picture.canvas.get(), Qt::Key_Equal);
        QTest::keyClick(picture.canvas.get(), Qt::Key_Minus);
        QVERIFY(std::abs(picture.canvas->zoom() / before - 1.25) < 1e-9);
        QTest::keyClick(picture.canvas.get(), Qt::Key_Home);
        QVERIFY(picture.canvas->fitted());
        QCOMPARE(picture.canvas->zoom(), before);
    }

    void arrowsPanByAnEighthButSelectInTheOverview_data() { rows(); }
    void arrowsPanByAnEighthButSelectInTheOverview() {
        QFETCH(QString, name);
        const Picture picture = named(name);
        picture.wheel(2);
        const QPointF before = picture.mark();
        const double step = std::min(picture.area().width(), picture.area().height()) / 8;
        const bool pans = name != "modules";
        QTest::keyClick(picture.canvas.get(), Qt::Key_Left);
        QVERIFY(near(picture.mark(), before + QPointF(pans ? step : 0, 0)));
        QTest::keyClick(picture.canvas.get(), Qt::Key_Down);
        QVERIFY(near(picture.mark(), before + (pans ? QPointF(step, -step) : QPointF())));
        QCOMPARE(*picture.clicks, pans ? 0 : 2);
    }

    void theLeftAndTheMiddleButtonPanWithoutAClick_data() { rows(); }
    void theLeftAndTheMiddleButtonPanWithoutAClick() {
        QFETCH(QString, name);
        const Picture picture = named(name);
        picture.wheel(3);
        for (const auto button : {Qt::LeftButton, Qt::MiddleButton}) {
            const QPointF before = picture.mark();
            picture.drag({-24, 18}, button);
            QVERIFY(near(picture.mark(), before + QPointF(-24, 18)));
        }
        const QPointF before = picture.mark();
        picture.drag({-24, 18}, Qt::RightButton);
        QVERIFY(near(picture.mark(), before));
        *picture.clicks = 0;
        QTest::mouseClick(picture.canvas.get(), Qt::LeftButton, {}, picture.mark().toPoint());
        QCOMPARE(*picture.clicks, 1);
    }

    void zoomIsLimitedInBothDirections_data() { rows(); }
    void zoomIsLimitedInBothDirections() {
        QFETCH(QString, name);
        const Picture picture = named(name);
        for (const double factor : {1.25, 0.8}) {
            for (int k = 0; k < 80; ++k) picture.canvas->zoomBy(factor, picture.area().center());
            const double limit = picture.canvas->zoom();
            QVERIFY(std::isfinite(limit) && limit > 0);
            picture.canvas->zoomBy(factor, picture.area().center());
            QCOMPARE(picture.canvas->zoom(), limit);
        }
        QTest::keyClick(picture.canvas.get(), Qt::Key_Home);
        QVERIFY(picture.area().contains(picture.mark()));
    }
};

QTEST_MAIN(TestPannedCanvas)
#include "tst_panned_canvas.moc"
