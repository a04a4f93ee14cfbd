#include "tests/ui/image/mask_bench.h"

using namespace ks;
using namespace ks::ui;
using namespace ks::ui::test;

namespace {

void threeWaysToLook() {
    QTest::addColumn<int>("way");
    QTest::newRow("fitted") << 0;
    QTest::newRow("zoomed in and panned") << 1;
    QTest::newRow("small") << 2;
}

/// Press, a few moves, release with these keys held at the end.
void dragWith(Bench& bench, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(bench.view, Qt::LeftButton, modifiers, from);
    QTest::mouseMove(bench.view, from + (to - from) / 3);
    QTest::mouseMove(bench.view, to);
    QTest::mouseRelease(bench.view, Qt::LeftButton, modifiers, to);
}

/// The two corners of the box that a drag opens.
std::pair<QPointF, QPointF> boxOf(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers) {
    double dx = to.x() - from.x(), dy = to.y() - from.y();
    if (modifiers & Qt::ShiftModifier) {
        const double side = std::max(std::fabs(dx), std::fabs(dy));
        dx = dx < 0 ? -side : side;
        dy = dy < 0 ? -side : side;
    }
    const QPointF reach(dx, dy);
    return {modifiers & Qt::AltModifier ? from - reach : from,
            modifiers & Qt::ShiftModifier ? from + reach : to};
}

using Shape = Bytes (*)(const QPointF&, const QPointF&);

/// All keys, undone and redone.
void dragShapes(const char* tool, Shape shape, int way) {
    Bench bench;
    bench.act(tool);
    bench.look(way);
    const QPoint from = bench.over(47.3, 38.8), to = bench.over(71.9, 63.2), back = bench.over(30.4, 29.7);
    Bytes expected = nothing();
    std::vector<Bytes> history{expected};
    const auto one = [&](const QPoint& a, const QPoint& b, Qt::KeyboardModifiers modifiers) {
        dragWith(bench, a, b, modifiers);
        const auto [low, high] = boxOf(bench.at(a), bench.at(b), modifiers);
        const Bytes drawn = shape(low, high);
        QVERIFY(chosen(drawn) > 20);
        expected = modifiers & Qt::ControlModifier ? expected - drawn : expected | drawn;
        SAME_BYTES(bench.mask(), expected);
        if (expected != history.back()) history.push_back(expected);
    };
    one(from, to, Qt::NoModifier);
    one(from, back, Qt::ShiftModifier);
    one(to, from, Qt::AltModifier);
    one(from, back, Qt::AltModifier | Qt::ShiftModifier);
    one(bench.over(52, 41), bench.over(66, 50), Qt::ControlModifier);
    one(bench.over(60, 45), bench.over(64, 55), Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(history.size() >= 5);
    for (std::size_t i = history.size() - 1; i-- > 0;) {
        QTest::keyClick(bench.view, Qt::Key_Z, Qt::ControlModifier);
        SAME_BYTES(bench.mask(), history[i]);
    }
    QVERIFY(!bench.editor.canUndo());
    QCOMPARE(chosen(bench.mask()), std::size_t{0});
    for (std::size_t i = 1; i < history.size(); ++i) {
        QTest::keyClick(bench.view, Qt::Key_Y, Qt::ControlModifier);
        SAME_BYTES(bench.mask(), history[i]);
    }
    QVERIFY(!bench.editor.canRedo());
}

}  // namespace

class TestMaskTools : public QObject {
    Q_OBJECT
  private slots:
    void aRectangleHoldsThePixelsWhoseCentresItHolds_data() { threeWaysToLook(); }
    void aRectangleHoldsThePixelsWhoseCentresItHolds() {
        QFETCH(int, way);
        dragShapes("rectangle", boxBetween, way);
    }

    void anEllipseHoldsThePixelsWhoseCentresItHolds_data() { threeWaysToLook(); }
    void anEllipseHoldsThePixelsWhoseCentresItHolds() {
        QFETCH(int, way);
        dragShapes("ellipse", ellipseBetween, way);
    }

    void aShapeKeepsItsPlaceInTheImageWhileItIsPannedAndZoomed() {
        Bench bench;
        bench.act("ellipse");
        const QPoint from = bench.over(40.2, 33.7);
        const QPointF anchor = bench.at(from);
        QTest::mousePress(bench.view, Qt::LeftButton, {}, from);
        QTest::mouseMove(bench.view, from + QPoint(30, 20));
        bench.panWithMiddle(from + QPoint(30, 20), from + QPoint(77, 61));
        bench.wheel(from, 2);
        QVERIFY(std::hypot(bench.at(from).x() - anchor.x(), bench.at(from).y() - anchor.y()) > 3);
        const QPoint to = bench.over(70.4, 66.1);
        QTest::mouseMove(bench.view, to);
        QTest::mouseRelease(bench.view, Qt::LeftButton, {}, to);
        const Bytes expected = ellipseBetween(anchor, bench.at(to));
        QVERIFY(chosen(expected) > 100);
        SAME_BYTES(bench.mask(), expected);
    }

    void whatLeavesTheImageIsCutOff_data() {
        QTest::addColumn<QString>("tool");
        QTest::newRow("rectangle") << "rectangle";
        QTest::newRow("ellipse") << "ellipse";
        QTest::newRow("brush") << "brush";
    }
    void whatLeavesTheImageIsCutOff() {
        QFETCH(QString, tool);
        Bench bench;
        bench.look(2);
        bench.bar->setTool(tool);
        bench.bar->brush()->setSize(13);
        const QPoint from = bench.over(100.3, 70.6), to = bench.over(150.8, 120.3);
        QVERIFY(bench.view->rect().contains(to));
        QTest::mousePress(bench.view, Qt::LeftButton, {}, from);
        QTest::mouseMove(bench.view, to);
        // Beyond the widget, where a real mouse goes as well while its button is held.
        const QPoint far(-40, bench.view->height() + 60);
        QTest::mouseMove(bench.view, far);
        QTest::mouseMove(bench.view, to);
        QTest::mouseRelease(bench.view, Qt::LeftButton, {}, to);
        const QPointF a = bench.at(from), b = bench.at(to), c = bench.at(far);
        const Bytes expected = tool == "rectangle" ? boxBetween(a, b)
                               : tool == "ellipse" ? ellipseBetween(a, b)
                                                   : strokeAlong({a, b, c, b}, 13);
        QVERIFY(chosen(expected) > 50);
        SAME_BYTES(bench.mask(), expected);
    }

    void escapeTakesADragBackAndTheRestOfItDoesNothing() {
        for (const char* tool : {"rectangle", "ellipse", "brush"}) {
            Bench bench;
            bench.look(1);
            bench.act("rectangle");
            dragWith(bench, bench.over(30, 30), bench.over(50, 45), {});
            const Bytes before = bench.mask();
            const QPointF corner = bench.at({0, 0});
            bench.bar->setTool(QLatin1String(tool));
            QTest::mousePress(bench.view, Qt::LeftButton, {}, bench.over(40, 40));
            QTest::mouseMove(bench.view, bench.over(60, 55));
            QCOMPARE(bench.mask() != before, QByteArray(tool) == "brush");
            QTest::keyClick(bench.view, Qt::Key_Escape);
            SAME_BYTES(bench.mask(), before);
            QTest::mouseMove(bench.view, bench.over(70, 65));
            QTest::mouseRelease(bench.view, Qt::LeftButton, {}, bench.over(70, 65));
            SAME_BYTES(bench.mask(), before);
            QCOMPARE(bench.at({0, 0}), corner);
            QCOMPARE(bench.bar->tool() != nullptr, true);
            // Only the rectangle is in the history.
            bench.act("undo");
            QCOMPARE(chosen(bench.mask()), std::size_t{0});
            QVERIFY(!bench.editor.canUndo());
        }
    }

    void anotherToolInTheMiddleOfAStrokeTakesTheStrokeBack() {
        Bench bench;
        bench.act("brush");
        QTest::mousePress(bench.view, Qt::LeftButton, {}, bench.over(40, 40));
        QTest::mouseMove(bench.view, bench.over(60, 55));
        QVERIFY(chosen(bench.mask()) > 0);
        QTest::keyClick(bench.view, Qt::Key_R);
        QCOMPARE(chosen(bench.mask()), std::size_t{0});
        QTest::mouseMove(bench.view, bench.over(70, 60));
        QTest::mouseRelease(bench.view, Qt::LeftButton, {}, bench.over(70, 60));
        QCOMPARE(chosen(bench.mask()), std::size_t{0});
        QVERIFY(!bench.editor.canUndo());
        dragWith(bench, bench.over(30, 30), bench.over(50, 45), {});
        SAME_BYTES(bench.mask(), boxBetween(bench.at(bench.over(30, 30)), bench.at(bench.over(50, 45))));
    }

    void nothingInterferesWithAStrokeUnderWay() {
        Bench bench;
        bench.act("brush");
        bench.bar->brush()->setSize(5);
        const QPoint a = bench.over(40.3, 40.2), b = bench.over(60.1, 55.7), c = bench.over(80.2, 30.9);
        QTest::mousePress(bench.view, Qt::LeftButton, {}, a);
        QTest::mouseMove(bench.view, b);
        for (const char* name : {"undo", "redo", "invert", "grow", "shrink", "clear", "hotPixels", "remove"})
            bench.act(name);
        bench.editor.setTarget(1);
        QTest::mouseMove(bench.view, c);
        QTest::mouseRelease(bench.view, Qt::LeftButton, {}, c);
        SAME_BYTES(bench.mask(), strokeAlong({bench.at(a), bench.at(b), bench.at(c)}, 5));
        QCOMPARE(bench.editor.bins().undo_steps(), std::size_t{0});
        bench.act("undo");
        QCOMPARE(chosen(bench.mask()), std::size_t{0});
    }

    void aPolygonIsFilledByTheEvenOddRule_data() { threeWaysToLook(); }
    void aPolygonIsFilledByTheEvenOddRule() {
        QFETCH(int, way);
        Bench bench;
        bench.look(way);
        bench.act("polygon");
        const auto click = [&](double x, double y, Qt::KeyboardModifiers modifiers = {}) {
            const QPoint at = bench.over(x, y);
            QTest::mouseClick(bench.view, Qt::LeftButton, modifiers, at);
            return bench.at(at);
        };
        // A star crosses itself: its middle stays empty.
        Points star{click(50.2, 30.1), click(62.3, 64.7), click(33.9, 42.6), click(68.4, 43.3)};
        star.push_back(click(37.1, 65.8));
        QCOMPARE(chosen(bench.mask()), std::size_t{0});
        QTest::mouseDClick(bench.view, Qt::LeftButton, {}, bench.over(37.1, 65.8));
        const Bytes first = polygonOf(star);
        QVERIFY(!first[static_cast<std::size_t>(49 * columns + 50)]);
        QVERIFY(chosen(first) > 100);
        SAME_BYTES(bench.mask(), first);

        // The last corner but one is taken back; Return closes; Ctrl at the first corner takes away.
        Points hole{click(45.6, 35.3, Qt::ControlModifier), click(60.9, 40.2)};
        click(66, 66);
        QTest::keyClick(bench.view, Qt::Key_Backspace);
        hole.push_back(click(52.7, 61.4));
        QTest::keyClick(bench.view, Qt::Key_Return);
        const Bytes second = first - polygonOf(hole);
        QVERIFY(second != first);
        SAME_BYTES(bench.mask(), second);

        // Two corners are not a polygon yet; Esc forgets them, Backspace all the way does too.
        click(40, 40);
        click(50, 40);
        QTest::keyClick(bench.view, Qt::Key_Return);
        QTest::keyClick(bench.view, Qt::Key_Escape);
        click(40, 40);
        QTest::keyClick(bench.view, Qt::Key_Backspace);
        QTest::keyClick(bench.view, Qt::Key_Return);
        SAME_BYTES(bench.mask(), second);
        bench.act("undo");
        SAME_BYTES(bench.mask(), first);
        bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        bench.act("redo");
        bench.act("redo");
        SAME_BYTES(bench.mask(), second);
    }

    void aPolygonKeepsItsCornersWhileTheImageIsPannedBetweenThem() {
        Bench bench;
        bench.act("polygon");
        Points corners;
        for (const QPointF& corner : Points{{30.3, 30.6}, {80.1, 35.2}, {70.7, 70.9}, {25.2, 60.4}}) {
            const QPoint at = bench.over(corner.x(), corner.y());
            corners.push_back(bench.at(at));
            QTest::mouseClick(bench.view, Qt::LeftButton, {}, at);
            bench.drag({300, 300}, {287, 322}, Qt::MiddleButton);
            bench.wheel({250, 250}, corners.size() % 2 ? 2 : -2);
        }
        QTest::keyClick(bench.view, Qt::Key_Enter);
        SAME_BYTES(bench.mask(), polygonOf(corners));
    }

    void aBrushStrokePaintsTheCapsulesBetweenTheMoves_data() { threeWaysToLook(); }
    void aBrushStrokePaintsTheCapsulesBetweenTheMoves() {
        QFETCH(int, way);
        Bench bench;
        bench.look(way);
        bench.act("brush");
        Bytes expected = nothing();
        std::vector<Bytes> history{expected};
        for (const int size : {2, 3, 7, 20}) {
            bench.bar->card()->brushSize()->setValue(size);
            const bool remove = size == 7;
            const Points image{{35.4 + size, 33.3}, {58.2, 39.9 + size}, {61.1, 60.7}, {40.8, 62.2}};
            std::vector<QPoint> path;
            Points points;
            for (const QPointF& one : image) {
                path.push_back(bench.over(one.x(), one.y()));
                points.push_back(bench.at(path.back()));
            }
            QTest::mousePress(bench.view, Qt::LeftButton, remove ? Qt::ControlModifier : Qt::NoModifier,
                              path[0]);
            const Bytes dot = strokeAlong({points[0]}, size);
            SAME_BYTES(bench.mask(), remove ? expected - dot : expected | dot);
            for (std::size_t i = 1; i < path.size(); ++i) QTest::mouseMove(bench.view, path[i]);
            QTest::mouseRelease(bench.view, Qt::LeftButton, {}, path.back());
            const Bytes stroke = strokeAlong(points, size);
            expected = remove ? expected - stroke : expected | stroke;
            SAME_BYTES(bench.mask(), expected);
            history.push_back(expected);
        }
        for (std::size_t i = history.size() - 1; i-- > 0;) {
            QTest::keyClick(bench.view, Qt::Key_Z, Qt::ControlModifier);
            SAME_BYTES(bench.mask(), history[i]);
        }
        for (std::size_t i = 1; i < history.size(); ++i) {
            QTest::keyClick(bench.view, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            SAME_BYTES(bench.mask(), history[i]);
        }
    }

    void theSmallestBrushTakesThePixelBelowTheCursor() {
        Bench bench;
        bench.act("brush");
        bench.bar->brush()->setSize(1);
        for (const QPointF& place : Points{{20.03, 30.97}, {64.5, 12.5}, {0.1, 0.1}, {120.9, 89.9}}) {
            const QPoint at = bench.over(place.x(), place.y());
            const Bytes before = bench.mask();
            QTest::mouseClick(bench.view, Qt::LeftButton, {}, at);
            const QPointF image = bench.at(at);
            Bytes pixel = nothing();
            pixel[static_cast<std::size_t>(std::floor(image.y()) * columns + std::floor(image.x()))] = 1;
            SAME_BYTES(bench.mask(), before | pixel);
        }
    }

    void bracketsChangeTheSizeOfTheBrushAndItsField() {
        Bench bench;
        bench.act("brush");
        bench.bar->brush()->setSize(8);
        QTest::keyClick(bench.view, Qt::Key_BracketRight);
        QCOMPARE(bench.bar->brush()->size(), 9);
        QCOMPARE(bench.bar->card()->brushSize()->value(), 9);
        for (int i = 0; i < 20; ++i) QTest::keyClick(bench.view, Qt::Key_BracketLeft);
        QCOMPARE(bench.bar->brush()->size(), 1);
        for (int i = 0; i < 200; ++i) QTest::keyClick(bench.view, Qt::Key_BracketRight);
        QCOMPARE(bench.bar->brush()->size(), BrushTool::largest);
        bench.bar->card()->brushSize()->setValue(30);
        QCOMPARE(bench.bar->brush()->size(), 30);
    }

    void theTipOfTheBrushFollowsTheCursor() {
        Bench bench;
        bench.act("brush");
        bench.bar->brush()->setSize(20);
        const QImage before = bench.view->grab().toImage();
        const QPoint at = bench.over(60.5, 45.5);
        bench.moved(at, Qt::NoButton);
        const QImage after = bench.view->grab().toImage();
        // Changed is a ring of the brush's radius and nothing else.
        const double radius = 10 * bench.view->zoom();
        int changed = 0;
        for (int y = 0; y < after.height(); ++y) {
            for (int x = 0; x < after.width(); ++x) {
                if (after.pixel(x, y) == before.pixel(x, y)) continue;
                ++changed;
                const double away = std::hypot(x + 0.5 - at.x(), y + 0.5 - at.y()) - radius;
                QVERIFY2(std::abs(away) < 3.5, qPrintable(QString("%1, %2").arg(x).arg(y)));
            }
        }
        QVERIFY(changed > 6 * radius);
        QCOMPARE(chosen(bench.mask()), std::size_t{0});
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(bench.view, &leave);
        QCOMPARE(bench.view->grab().toImage(), before);
    }

    void aFillTakesTheConnectedPixelsOfSimilarValues_data() { threeWaysToLook(); }
    void aFillTakesTheConnectedPixelsOfSimilarValues() {
        QFETCH(int, way);
        Bench bench;
        bench.look(way);
        bench.act("flood");
        const std::vector<float> values = landscape();
        Bytes expected = nothing();
        const auto fill = [&](int x, int y, double below, double above,
                              Qt::KeyboardModifiers modifiers = {}) {
            bench.bar->card()->lower()->setValue(below);
            bench.bar->card()->upper()->setValue(above);
            QTest::mouseClick(bench.view, Qt::LeftButton, modifiers, bench.over(x + 0.5, y + 0.5));
            const Bytes found = floodFrom(values, x, y, below, above);
            expected = modifiers ? expected - found : expected | found;
            SAME_BYTES(bench.mask(), expected);
        };
        fill(55, 40, 2, 2);
        QVERIFY(chosen(expected) > 100);
        const Bytes one = expected;
        fill(55, 40, 0, 0);
        SAME_BYTES(expected, one);
        fill(62, 55, 12, 2);
        QVERIFY(expected != one);
        const Bytes two = expected;
        fill(55, 40, 0, 1, Qt::ControlModifier);
        QVERIFY(expected != two);
        fill(42, 51, 5, 5);  // NaN has no neighbours
        bench.act("undo");
        SAME_BYTES(bench.mask(), two);
        bench.act("undo");
        SAME_BYTES(bench.mask(), one);
        bench.act("redo");
        bench.act("redo");
        SAME_BYTES(bench.mask(), expected);
        // Beside the image: nothing, and no pan either.
        bench.look(2);
        QTest::mouseClick(bench.view, Qt::LeftButton, {}, bench.over(columns + 5, 40));
        SAME_BYTES(bench.mask(), expected);
    }

    void aValueRangeTakesThePixelsOfTheWholeFrame() {
        Bench bench;
        bench.act("flood");
        bench.bar->card()->reach()->setCurrentIndex(1);
        bench.bar->card()->lower()->setValue(31);
        bench.bar->card()->upper()->setValue(41);
        const std::vector<float> values = landscape();
        const auto in = [&](double low, double high) {
            return bytesWhere([&](double x, double y) {
                const float v =
                    values[static_cast<std::size_t>(static_cast<int>(y) * columns + static_cast<int>(x))];
                return v >= low && v <= high;
            });
        };
        QTest::mouseClick(bench.view, Qt::LeftButton, {}, bench.over(3, 3));
        SAME_BYTES(bench.mask(), in(31, 41));
        bench.bar->card()->upper()->setValue(35);
        QTest::mouseClick(bench.view, Qt::LeftButton, Qt::ControlModifier, bench.over(90, 80));
        SAME_BYTES(bench.mask(), in(31, 41) - in(31, 35));
        bench.act("undo");
        bench.act("undo");
        SAME_BYTES(bench.mask(), nothing());
        // The offsets of the other way to fill are as they were.
        bench.bar->card()->reach()->setCurrentIndex(0);
        QCOMPARE(bench.bar->card()->lower()->value(), 1.0);
    }

    void removingIsTheRuleWhereTheBarSaysSoAndCtrlAdds() {
        Bench bench;
        bench.act("rectangle");
        dragWith(bench, bench.over(20, 20), bench.over(90, 80), {});
        Bytes expected = bench.mask();
        bench.act("remove");
        const QPoint a = bench.over(30.3, 30.3), b = bench.over(60.6, 50.5);
        dragWith(bench, a, b, {});
        expected = expected - boxBetween(bench.at(a), bench.at(b));
        SAME_BYTES(bench.mask(), expected);
        const QPoint c = bench.over(40.3, 35.3), d = bench.over(45.6, 45.5);
        dragWith(bench, c, d, Qt::ControlModifier);
        SAME_BYTES(bench.mask(), expected | boxBetween(bench.at(c), bench.at(d)));
    }

    void aFrameOfAnotherShapeInTheMiddleOfAStrokeEmptiesAll() {
        for (const bool editorFirst : {false, true}) {
            Bench bench;
            bench.act("brush");
            QTest::mousePress(bench.view, Qt::LeftButton, {}, bench.over(40, 40));
            QTest::mouseMove(bench.view, bench.over(50, 50));
            const auto other = std::make_shared<Array>(ElementType::u16, std::vector<std::size_t>{70, 64});
            if (editorFirst) bench.editor.setFrame(other);
            bench.view->setFrame(other);
            if (!editorFirst) bench.editor.setFrame(other);
            QTest::mouseMove(bench.view, bench.over(30, 30));
            QTest::mouseRelease(bench.view, Qt::LeftButton, {}, bench.over(30, 30));
            QCOMPARE(bench.mask().size(), std::size_t{70 * 64});
            QCOMPARE(chosen(bench.mask()), std::size_t{0});
            QVERIFY(!bench.editor.canUndo());
            // The view shows the new mask, and the tools draw on it.
            QTest::mouseClick(bench.view, Qt::LeftButton, {}, bench.over(30.5, 40.5));
            QVERIFY(bench.mask()[40 * 64 + 30]);
            QVERIFY(bench.view->valueText(30, 40).startsWith("masked"));
        }
    }
};

QTEST_MAIN(TestMaskTools)
#include "tst_mask_tools.moc"
